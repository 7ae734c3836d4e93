"""Nouns: what things are called, and which shape family that is. The head of a name is its last noun."""

from __future__ import annotations

_BY_FAMILY: dict[str, str] = {
    "barrow": "barrow, wheelbarrow, garden barrow, sand barrow",
    "truck": "sack barrow, cask barrow, hand truck, hand-truck, sack truck, porter's barrow, truck",
    "trolley": "trolley, dolly, lamp barrow, tea trolley, gurney, bogie",
    "cart": "cart, handcart, wagon, waggon, carriage, dray, pushcart, cullet barrow, pram, plough",
    "drill": "seed drill, drill, sower",
    "rack": "rack, stand, frame, clothes horse, airer, lamp rack",
    "shelf": "shelf, ledge, shelving, shelves, bookcase, bookshelf, whatnot",
    "door": "door, doorway, portal, shutter, roller door",
    "gate": "gate, grille, barrier, portcullis, turnstile, railing, wicket, fence",
    "window": "window, sash, casement, pane, skylight, porthole, vent, louvre",
    "blind": "blind, roller blind, window shade",
    "hatch": "hatch, trapdoor, trap-door, trap door, manhole, flap",
    "grating": "grating, grate, drain cover, grid plate",
    "pit": "sump, pit, well, shaft well, hole, trench, pond, gully",
    "oven": "oven, kiln, lehr, bread oven, washing machine",
    "stove": "stove, range, cooker, heater, hob",
    "furnace": "furnace, boiler, incinerator, cupola, retort",
    "forge": "forge, hearth, fireplace, forge fire, fire, campfire, bonfire",
    "locker": "locker, postbox, mailbox",
    "cupboard": "cupboard, cabinet, wardrobe, larder, safe, armoire, sideboard, dresser, fridge, refrigerator, "
    "linen press, clothes press",
    "drawers": "drawer, drawers, chest of drawers, filing cabinet, bureau",
    "chest": "chest, trunk, bin, coffer, hutch, tea chest, meal bin, kennel, birdhouse",
    "box": "box, case, casket, carton, parcel, package, packet",
    "toolbox": "toolbox, tool box, tool chest, tool-box",
    "crate": "crate, pallet, packing case, hamper, cage, birdcage, trap",
    "barrel": "barrel, cask, keg, oil drum, hogshead, butt, firkin, drum",
    "tub": "tub, vat, tun, bath, washtub, basin, font, slack tub, bathtub",
    "sink": "sink, kitchen sink, washbasin, wash basin, washstand",
    "tank": "tank, cistern, reservoir, aquarium, hopper, caisson",
    "sack": "sack, sandbag, bale, cushion, pillow, beanbag",
    "bag": "bag, satchel, pouch, purse, handbag, holdall, haversack, mailbag, muffle, wallet, pocket",
    "backpack": "backpack, rucksack, knapsack, pack, schoolbag",
    "basket": "basket, trug, creel, pannier, strainer, sieve, colander, nest, punnet, beehive",
    "bucket": "bucket, pail, scuttle, hod, dustbin",
    "can": "can, oilcan, oil-can, watering can, jerrycan, canister",
    "jug": "jug, pitcher, ewer, flagon, decanter, milk",
    "jar": "jar, jam jar, beaker, flask, crock, urn, honey, hourglass",
    "bottle": "bottle, demijohn, vial, phial, carboy, glue, wine, medicine",
    "bowl": "bowl, dish, saucer, mortar, soup, batter, porridge, stew, salad",
    "cup": "cup, mug, tumbler, goblet, tankard, chalice, teacup, glass, coffee, tea, trophy, thimble",
    "plate": "plate, platter, trencher, round board, round wooden board, shield, pizza, tile",
    "tray": "tray, salver, chessboard, puzzle, game, palette, keyboard",
    "pot": "pot, cauldron, saucepan, crucible, stewpot, pan, frying pan, skillet, casserole, wok, flowerpot",
    "kettle": "kettle, teapot, coffee pot, percolator, samovar",
    "trough": "trough, manger, gutter, launder, channel",
    "brazier": "cresset, brazier, fire basket, burner, gas burner, gas ring",
    "tin": "tin, grease tin, biscuit tin, tobacco tin, paint, wax, grease, polish, soap",
    "book": (
        "book, ledger, notebook, logbook, log-book, diary, album, bible, register, journal, manual, log, "
        "atlas, passport, magazine, comic"
    ),
    "paper": (
        "paper, letter, note, document, sheet, card, envelope, telegram, ticket, newspaper, banknote, money, "
        "leaf, receipt, form, certificate, deed, docket, invoice, label, postcard, photograph, photo, list, "
        "message"
    ),
    "map": "map, chart, blueprint, plan, scroll, drawing, poster",
    "lantern": "lantern, signal lamp, black lamp, hand lamp, storm lamp, hurricane lamp, miner's lamp",
    "lamp": "lamp, light, bulb, spotlight, chandelier, oil lamp",
    "candle": "candle, taper, candlestick, candle stub",
    "torch": "torch, flashlight, microphone",
    "table": "table, counter, sorting table, altar, workbench",
    "desk": "desk, lectern, piano",
    "bench": "bench, pew, settle, sofa, couch",
    "chair": "chair, armchair, throne, seat, wheelchair",
    "stool": "stool, footstool, potter's wheel, throwing wheel",
    "bed": "bed, cot, bunk, mattress, stretcher, cradle, hammock",
    "trestle": "trestle, sawhorse, horse, easel, raising block, stillage",
    "ladder": "ladder, stepladder, steps, stair, stairs, staircase",
    "wheel": "wheel, cog, gear, pulley, gearwheel, flywheel, cartwheel, helm, sheave, fan",
    "valve": "valve, handwheel, sea cock, cock, stopcock, tap, faucet, spigot, hydrant",
    "crank": "crank, crank handle, starting handle, winder",
    "windlass": "windlass, winch, capstan, hoist, rope drum, derrick, crane",
    "lever": "lever, brake, brake handle, signal arm, semaphore, throttle",
    "bell": "bell, gong, handbell",
    "rope": (
        "rope, cord, line, cable, hawser, hose, twine, string, wire, lasso, tie, ribbon, lace, bridle, "
        "raffia, stethoscope"
    ),
    "chain": "chain, shackle, manacle",
    "hook": "hook, peg, key rack, bracket, socket, nail, anchor",
    "net": "net, mesh, web",
    "hammer": "hammer, mallet, sledgehammer, maul, gavel",
    "rake": "rake, hoe, harrow",
    "peel": "peel",
    "broom": "broom, brush, mop, besom, swab, paintbrush",
    "spade": "spade, shovel, trowel",
    "fork": "fork, pitchfork, trident",
    "tongs": "tongs, pincers, pliers, shears, scissors, callipers",
    "axe": "axe, hatchet, adze, pickaxe, pick",
    "saw": "saw, handsaw, hacksaw",
    "knife": (
        "knife, dagger, blade, chisel, razor, sword, machete, sickle, scythe, needle, file, pen, pencil, "
        "marker, chalk, crayon, comb, toothbrush, ruler, feather, syringe, awl, mesh gauge, gouge"
    ),
    "key": "key",
    "valve key": "t-key, valve key, t-bar, bung iron",
    "pole": (
        "pole, staff, stick, rod, cane, wand, spear, crook, lehr hook, boat hook, rifle, arrow, crutch, bone, "
        "spindle, boathook, blowpipe, post, crowbar, poker, fishing rod, mast, column, pillar, rail"
    ),
    "scoop": "scoop, ladle, spoon, dipper, whisk, spatula, skimmer, dustpan",
    "spanner": "spanner, wrench, screwdriver",
    "clock": "clock, watch, timepiece",
    "gauge": "gauge, dial, barometer, manometer, meter, compass, thermometer, repeater",
    "switchboard": "switchboard, panel, console, fuse board, switchgear, switch",
    "telegraph": "telegraph, transmitter",
    "radio": "radio, wireless, receiver, gramophone, toaster, microwave, printer, battery",
    "telephone": "telephone, phone, handset, intercom, remote",
    "computer": "computer, screen, monitor, television, laptop, tablet, typewriter",
    "camera": "camera, projector, telescope, binoculars, microscope, theodolite, sextant",
    "pump": "pump, pump casing, compressor, vacuum, vacuum cleaner",
    "engine": (
        "engine, motor, machine, generator, dynamo, turbine, gearbox, loom, lathe, robot, shaft, mechanism, governor"
    ),
    "press": "press, stamp",
    "mill": "mill, grinder, quern, mangle, crusher",
    "churn": "churn, butter churn",
    "anvil": "anvil, bick iron, stake",
    "vice": "vice, vise, clamp",
    "scales": "scales, balance, scale",
    "hanging scales": "hanging scales, spring balance, spring scales",
    "hanging lamp": "hanging lamp, hanging oil lamp, pendant lamp, ceiling lamp",
    "weighing machine": "weighing machine, platform scale, platform scales, weighbridge",
    "umbrella": "umbrella, parasol, sunshade, parachute",
    "hat": "hat, cap, helmet, bonnet, beret, bowler, crown",
    "coat": (
        "coat, jacket, apron, shirt, dress, overall, overalls, cloak, gown, robe, jumper, waistcoat, uniform, "
        "garment, raincoat, cape, smock, boiler suit"
    ),
    "boots": "boot, boots, shoe, clog, slipper, wellington, sock",
    "gloves": "glove, gloves, mitten, gauntlet",
    "blanket": (
        "blanket, cloth, towel, rug, tablecloth, tarpaulin, cover, curtain, quilt, carpet, shawl, scarf, rag, "
        "duster, handkerchief, belt, strap, sail, canvas, hood, bandage"
    ),
    "flag": "flag, pennant, banner, ensign, bunting",
    "loaf": "loaf, bread, bun, roll, cake, pie, pastry, dough, sandwich",
    "cheese": "cheese, truckle",
    "fish": "fish, herring, trout, kipper, mackerel, cod, eel",
    "fruit": "apple, pear, fruit, tomato, potato, egg, onion, turnip, cabbage, pumpkin, vegetable",
    "bundle": "bundle, sheaf, faggot, bouquet, twig, straw, hay, firewood, reed, oakum",
    "plant": "plant, flower, fern, seedling, sapling, geranium, cactus, cutting, scion",
    "tree": "tree, bush, shrub, vine",
    "vase": "vase, amphora",
    "picture": "picture, painting, portrait, mirror, picture frame, noticeboard, blackboard, whiteboard, chalkboard",
    "suitcase": "suitcase, briefcase, valise, portmanteau",
    "guitar": "guitar, lute, banjo, mandolin, ukulele",
    "violin": "violin, fiddle, cello, viola",
    "horn": "horn, trumpet, bugle, megaphone, whistle, flute",
    "ball": "ball, globe, football, orb, sphere, marble, float, buoy, yarn, wool, balloon, snowball",
    "kite": "kite",
    "doll": "doll, toy, teddy, puppet, teddy bear, figurine, statue, statuette, sculpture, scarecrow",
    "boat": "boat, dinghy, canoe, punt, skiff, ship, coracle, ferry",
    "paddle": "paddle, oar",
    "tram": "tram, bus, car, van, train, locomotive, lorry, tractor, cable car",
    "bicycle": "bicycle, bike, tricycle, scooter, motorbike",
    "hoop": "hoop, ring, band, tyre, bow, lifebelt, lifebuoy",
    "pipe": "pipe, tube, duct, flange, chimney, funnel",
    "plank": "plank, board, beam, floorboard, stave, sleeper, baulk, batten, skateboard, timber, wood, bark",
    "block": (
        "block, brick, stone, cube, ingot, boulder, rock, plinth, pedestal, ringing box, ice, wall, arch, "
        "vault, crystal, gem, diamond, prism, dice, pebble"
    ),
    "heap": (
        "heap, pile, sand, mound, coal, gravel, rubble, earth, soil, grain, snow, powder, ash, flour, salt, "
        "sugar, rice, seed, malt, rye, grist, mash, shavings, sawdust, mud, cullet, clay, rubbish"
    ),
    "reel": "reel, bobbin, spool, thread",
    "lock": "lock, padlock",
    "sign": "sign, signboard, placard, signpost",
    "medal": "medal, coin, badge, brooch, jewel, pendant, necklace, token, seal, button, locket",
}
NOUNS: dict[str, str] = {
    noun.strip(): family for family, nouns in _BY_FAMILY.items() for noun in nouns.split(",") if noun.strip()
}
"""Singular nouns and phrases of up to three words, to their family."""

_BY_SHAPE: dict[tuple[str, float], str] = {
    ("hoop", 0.13): "handle, loop",
    ("hoop", 0.3): "rim",
    ("ball", 0.05): "knob, finial, pommel",
    ("plate", 0.2): "lid, lens",
    ("pipe", 0.16): "spout, nozzle",
    ("pole", 0.5): "leg, rung, bar, crossbar, spoke, shank, haft, helve",
    ("wheel", 0.1): "castor, caster",
    ("block", 0.1): "shard, sherd, fragment, splinter, chip, foot",
    ("block", 0.05): "stopper, cork, bung, plug",
    ("medal", 0.05): "button, buckle, rivet, stud, clasp, clip",
    ("hook", 0.12): "hinge, latch, catch, bolt, hasp",
    ("paper", 0.25): "page",
    ("rope", 0.3): "ribbon, tassel, fringe, lace",
}
PARTS: dict[str, tuple[str, float]] = {
    noun.strip(): shape for shape, nouns in _BY_SHAPE.items() for noun in nouns.split(",")
}
"""Parts of things without a shape of their own: the family that comes closest, and their longest side in metres.

A part is that part, whatever it belongs to: neither "the handle of the jug" nor "the jug handle" is a jug.
"""

ROOM_PARTS = frozenset(
    (
        "window",
        "windows",
        "pane",
        "panes",
        "wall",
        "walls",
        "panelling",
        "vault",
        "roof",
        "beam",
        "beams",
        "door",
        "doors",
    )
)
"""What rooms have several of, of themselves: a landmark of such a name may be any of them."""
