"""The small words of English, and the nouns and adjectives whose kind matters to a film.

Every list is closed and short. A word that stands in none of them is read as a noun or an adjective by its
position, so a brief may use any vocabulary; the lists only settle what position alone cannot.
"""

from __future__ import annotations

import re


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARTICLES = words("the a an")
DETERMINERS = ARTICLES | words(
    "this that these those each every some any another both all half no several many few more either neither "
    "my your our their its his her whose"
)
POSSESSIVES = words("my your our their its his her")
NUMBERS = {
    word: value
    for value, group in enumerate(
        [
            "zero",
            "one first once",
            "two second twice",
            "three third",
            "four fourth",
            "five fifth",
            "six sixth",
            "seven seventh",
            "eight eighth",
            "nine ninth",
            "ten tenth",
            "eleven eleventh",
            "twelve twelfth",
            "thirteen thirteenth",
            "fourteen fourteenth",
            "fifteen fifteenth",
            "sixteen sixteenth",
            "seventeen seventeenth",
            "eighteen eighteenth",
            "nineteen nineteenth",
            "twenty twentieth",
        ]
    )
    for word in group.split()
}
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50}
COUNTS = words("one two three four five six seven eight nine ten eleven twelve dozen")
ORDINALS = words("first second third fourth fifth sixth seventh eighth ninth tenth last final next other same")

SUBJECT_PRONOUNS = words("i you he she it we they who somebody someone nobody everybody everyone one")
OBJECT_PRONOUNS = words("me you him her it us them himself herself itself themselves each")
PRONOUNS = (SUBJECT_PRONOUNS | OBJECT_PRONOUNS | words("both hers theirs this that these those")) - words("one each")
MALE = words("he him his himself")
FEMALE = words("she her hers herself")
PLURAL_PRONOUNS = words("they them their theirs themselves these those both")
NEUTER = words("it its itself")

PREPOSITIONS = words(
    "in into on onto at to from of with without by near under beneath below above over beside behind against between "
    "among through across along around round past towards toward inside outside within off out up down beyond "
    "after before during until till via upon atop for about opposite underneath alongside amid like as than per"
)
PHRASE_PREPOSITIONS = (
    "in front of", "on top of", "next to", "close to", "out of", "inside of", "outside of", "away from", "clear of",
    "back to", "back into", "back in", "back on", "back onto", "back from", "back by", "back at", "back inside",
    "down to", "down on", "down onto", "down into", "down from", "down in", "down by", "down at", "down beside",
    "up to", "up from", "up on", "up onto", "up into", "up in", "over to", "over into", "in from", "out from", "out to",
    "out into", "out onto", "out on", "through to", "through from", "through into", "across to", "in at", "in through",
    "in by", "out through", "along to", "off of", "on to", "in to", "from under", "from behind", "from inside",
    "from beneath", "from between", "from beside", "from above", "from within", "from among", "from off", "from atop",
    "from on top of", "at the side of", "to the side of", "at the edge of", "back against", "up against",
    "back beside", "back under", "back onto", "back up", "back down", "back through", "back behind", "back over",
    "over on", "down against", "down next to", "right next to", "in between", "at the foot of", "at the end of",
    "at the back of", "at the front of", "at the top of", "at the bottom of", "in the middle of", "on the edge of",
)  # fmt: skip
PARTICLES = words("up down in out on off away back over apart together aside along through round around under by")
CONJUNCTIONS = words("and or but nor yet so then")
SUBORDINATORS = words(
    "while when whenever as once after before until till because since if unless where though although"
)
RELATIVES = words("who which that whom whose where")
AUXILIARIES = words(
    "is are was were be been being am has have had having do does did will would shall should must may might can "
    "could gets get got gotten getting need needs"
)
BE = words("is are was were be been being am")
HAVE = words("has have had having")
MODALS = words("will would shall should must may might can could")
NEGATIONS = words("not never n't no-one nobody nothing nor neither cannot")

ADVERBS = words(
    "again already almost always then now soon here there home upstairs downstairs indoors outdoors nearby "
    "together alone still just only even also too very quite slowly once twice later first finally meanwhile "
    "instead afterwards next afterward thereafter never ever often sometimes straight right aside apart away back "
    "forward forwards backward backwards inside outside ahead onward halfway shut open ajar wide sideways gently "
    "carefully at-once anyway however therefore thus well hard fast far near overhead underneath within without "
    "aloft ashore aboard across tight else upright flat clear loose overnight tonight today tomorrow hence "
    "moments so"
)
NOT_ADVERBS = words(
    "family lily jelly belly fly supply reply trolley dolly lorry early elderly lonely friendly holy ugly silly "
    "woolly curly jolly likely only july orderly italy assembly butterfly lovely bully smelly daily doily"
)

COLOURS = words(
    "red orange yellow green blue navy purple violet pink brown tan beige cream white grey gray black silver gold "
    "golden copper brass bronze teal turquoise crimson scarlet maroon olive khaki amber rust lilac ochre ivory "
    "mustard indigo magenta emerald charcoal pale dark light bright striped checked chequered spotted tartan "
    "dotted russet blonde blond auburn ginger lavender peach mint sand rose cherry plum blue-checked rust-red "
    "sky-blue"
)
MATERIALS = words(
    "wood wooden steel iron tin copper brass bronze zinc lead aluminium metal glass ceramic clay stone concrete "
    "brick marble slate plaster tile leather canvas cotton linen wool woollen woolen silk velvet denim felt tweed "
    "oilskin rubber plastic paper cardboard card wicker straw rope oak pine ash beech birch walnut cherry bamboo "
    "porcelain enamel enamelled galvanised galvanized wax waxed knitted corduroy fleece fur hemp jute burlap "
    "chrome silver golden earthenware cast-iron wrought-iron stoneware terracotta chalk cork lace satin nylon "
    "tarpaulin quilted"
)
ADJECTIVES = (
    COLOURS
    | MATERIALS
    | words(
        "big small large little long short tall low high wide narrow thin thick old young new fresh heavy light "
        "empty full open shut closed locked clean dirty wet dry hot cold warm cool broken whole cracked torn "
        "mended great round square flat deep shallow sharp blunt soft hard rough smooth loose tight left right upper "
        "lower front back rear top bottom middle main spare second-hand good bad fine plain quiet loud busy tired "
        "lit unlit raised lowered sealed unsealed same other own next last single double hidden lost first second "
        "third final near far inner outer ready dark pale flush taut level bright dim dusty rusty shiny muddy "
        "damp wooden frozen ripe raw half-full chipped bent straight ajar dull bare"
    )
)

GARMENTS = words(
    "coat raincoat jacket overcoat cloak cape shirt blouse jumper sweater cardigan pullover dress skirt trousers "
    "jeans overalls apron smock hat cap bonnet scarf shawl gloves glove mittens mitten boots boot shoes shoe "
    "slippers sandals helmet hood headscarf head-cloth headcloth kerchief bandana goggles spectacles glasses belt "
    "waistcoat vest uniform gown robe tie necktie socks stockings tunic dungarees tabard brace back-brace braces "
    "gauntlets wellingtons oilskins mask visor parka anorak beret beanie sunglasses necklace bracelet ring watch "
    "wristwatch backpack rucksack satchel harness veil wig crown pinafore kimono poncho suit clogs galoshes "
    "headlamp earmuffs jerkin sash toque monocle"
)
STRICT_GARMENTS = GARMENTS - words("backpack rucksack satchel watch ring tie belt mask harness glasses")
CARRIED_ON_BODY = words("backpack rucksack satchel harness")
LAMPS = words(
    "lamp lamps light lights lantern lanterns candle candles fire fires stove torch match lighter burner flame "
    "furnace bulb headlight headlights beacon brazier oven forge gas wick chandelier hearth kiln radio television "
    "tv projector screen fan heater cigarette pipe sign spotlight floodlight floodlights boiler engine motor "
    "machine monitor flashlight nightlight campfire bonfire fireplace hob grill range computer kettle fuse sconce "
    "lampion incense pump mixer computer laptop generator siren switch"
)
PARTS = words(
    "lid lids handle handles door doors flap lock clasp label labels strap straps wheels wheel legs leg rim neck "
    "spout hair beard moustache eyes eye nose face scar freckles glasses handlebars band hinge hinges button "
    "buttons buckle pocket pockets collar sleeves cuffs brim blade spine cover drawer drawers feet foot stripe "
    "stripes pattern edge edges corner plait plaits braid braids ponytail bun curls fringe tattoo limp cane "
    "tassel tassels window windows roof shelf shelves number numbers knob dial slots seam seams hood lining tail "
    "ears back top bottom base head shoulders build voice stoop smile trim piping patch patches badge cord slats "
    "bars panes walls wall floor floorboards ceiling tiles beam beams glaze"
)
TOOLS = words("hand hands fingers thumb arm arms foot finger teeth eyes care")

PEOPLE = words(
    "man woman boy girl child baby person people student teacher pupil baker cook chef waiter waitress nurse "
    "doctor clerk keeper guard porter driver farmer gardener fisherman sailor captain soldier officer policeman "
    "painter potter weaver smith blacksmith carpenter joiner mason miner miller brewer dairyman dairymaid "
    "shepherd butcher grocer shopkeeper librarian archivist engineer mechanic electrician plumber apprentice "
    "assistant helper hand master mistress mother father sister brother daughter son aunt uncle grandmother "
    "grandfather grandma grandpa friend neighbour neighbor stranger visitor guest boss manager worker workman "
    "labourer attendant watchman watchwoman cleaner janitor caretaker postman postwoman courier messenger tailor "
    "seamstress cobbler barber hairdresser dancer singer musician violinist pianist actor actress artist sculptor "
    "photographer writer poet scientist astronomer botanist chemist pilot conductor passenger customer seller "
    "merchant beekeeper florist jeweller watchmaker clockmaker bookbinder printer glassblower lamplighter "
    "lighthouse-keeper stationmaster signalman fireman firewoman ranger diver swimmer climber hiker cyclist lady "
    "gentleman kid teenager youth lad lass couple twins widow widower bride groom king queen prince princess monk "
    "nun priest judge lawyer detective thief host hostess maid butler foreman forewoman trainee intern technician "
    "welder roofer locksmith grafter curer braider fitter ringer stoker tanner dyer farrier chandler "
    "gaffer taker-in stableboy stablehand groom ferryman boatman boatbuilder gatekeeper bellringer verger "
    "sexton curator restorer instructor coach player referee goalkeeper patient surgeon vet veterinarian "
    "pharmacist parent parents grandson granddaughter nephew niece cousin wife husband mechanic operator keeper "
    "colleague partner confectioner cheesemaker winemaker dressmaker saddler cooper thatcher angler trapper "
    "forager beggar busker barista bartender barmaid"
)
ANIMALS = words(
    "dog cat horse donkey cow sheep goat hen bird parrot mouse rabbit fox pony hound puppy kitten goose duck mule ox"
)
FEMALE_NOUNS = words(
    "woman girl mother sister daughter aunt grandmother grandma lady waitress actress seamstress dairymaid bride "
    "queen princess nun maid hostess widow lass mistress postwoman watchwoman firewoman forewoman niece "
    "granddaughter wife barmaid"
)
MALE_NOUNS = words(
    "man boy father brother son uncle grandfather grandpa gentleman waiter fisherman policeman workman watchman "
    "postman signalman fireman foreman ferryman boatman lad king prince monk priest widower groom butler nephew "
    "grandson husband dairyman stableboy"
)
FEMALE_NAMES = words(
    "ada agnes aino alba alice alma amara amelia amina ana anna anne anneke anya aoife asha astrid aya beatrix "
    "bea bella birgit brigid carla carmen chloe clara cora dagny daisy dalia dana dora edda edith elena elin "
    "elisa eliza ella elsa elsie emilia emily emma esther eva eve ewa fatima fern fiona flora frida gerda greta "
    "grace hana hanna hannah hazel heidi helen helena hilda ida ilse imke ines inga ingrid irene iris irma isabel "
    "isla ivy jana jane jenny joan josie julia june karin kate katja kirsten klara lara laura layla lea leila "
    "lena leonie lila lily lina linda lisa liv lotte louise lucia lucy luisa lydia mabel maeve maja mara margit "
    "margot maria marie marina marit marta martha mary maud maya mei mia mila mina mira mirela miriam mona nadia "
    "naomi nell nina noor nora olga olive olivia orla paula pearl petra pia polly priya rana rhea rita rosa rose "
    "rosie ruth saoirse sara sarah selma signe sigrid siri sofia sofie solveig sonja sophie stella sunniva susan "
    "svea sybil tara teresa tess tessa thea tilda tilly tove una ursula vera vesna vida viola wanda willa xenia "
    "yara yasmin yuki zadie zara zoe zofia ilona marisol ottilie hedda kaya lucja beata bronwyn nia marisa juno "
    "esme"
)
MALE_NAMES = words(
    "aaron abel adam ahmed alan albert alex ali anders andre anton arne arthur ben benno bert bill bjorn boris "
    "bram bruno callum carl carlos cato chen colin conor dan daniel david declan denis diego dirk dov edgar "
    "edmund eli elias emil enzo erik ernst ethan felix finn frank franz fred gabriel gareth george goran gus "
    "gustav hal hamish hans harald harry hassan henrik henry hugo ian ibrahim igor ilya ivan ivo jack jakob james "
    "jan jasper jens jim joe joel johan john jonas joris josef juan jules kai karl karim kofi kurt lars leo leon "
    "levi liam linus lionel louis luca lucas ludwig luis luka magnus marco marek mario mark markus martin mateo "
    "matteo matthew max mika miguel mikkel milo mohamed moritz nate neil nico niels noah odd olaf ole olav oleg "
    "omar oscar oskar otis otto owen pablo pascal patrick paul pavel pedro per pete peter piet pieter rafa ralph "
    "ravi reza robert roman ross rudi rune sam samir samuel sasha sean sebastian silas simon stefan sven tam "
    "tariq ted theo thomas tim tobias tom tomas tomasz tony tor ulf umar victor viktor vito walter wes wilf will "
    "willem william wim yusuf zack hamid idris jorge joaquin gil"
)
TITLES = words(
    "mr mrs ms miss dr professor prof captain sergeant sister brother father mother aunt uncle old young lady sir "
    "lord nurse officer corporal lieutenant major colonel general private inspector constable madame keeper "
    "farmer chef judge doctor grandma grandpa granny"
)

PLACE_NOUNS = words(
    "room kitchen hall hallway corridor passage attic cellar basement garage shed barn stable yard courtyard "
    "garden orchard field meadow forest wood woods beach harbour harbor quay dock pier street road lane alley "
    "square market shop store storeroom warehouse workshop studio office classroom library museum gallery theatre "
    "theater stage cinema church chapel tower station platform train carriage cabin deck hold bridge wheelhouse "
    "lighthouse mill brewery bakery bakehouse dairy forge foundry factory laboratory lab clinic ward hospital "
    "surgery school gym lobby foyer landing porch veranda balcony terrace roof rooftop stairwell staircase "
    "bedroom bathroom laundry pantry larder dining-room living-room study nursery parlour parlor lounge cafe café "
    "restaurant bar pub inn hotel house cottage hut tent camp greenhouse glasshouse conservatory boathouse "
    "pumphouse bathhouse guardhouse toolshed woodshed vault crypt archive depot hangar garret loft hayloft "
    "chamber den playground park riverbank shore jetty canteen refectory scullery vestry belfry observatory "
    "smokehouse icehouse wharf slipway ropewalk sailloft cloakroom changing-room locker-room waiting-room "
    "backyard farmyard sickroom ballroom courtroom cell gatehouse outhouse packhouse clearing cave tunnel mine "
    "pit well-house planetarium tollhouse boatyard shipyard sawmill winery vineyard distillery tannery bindery "
    "cooperage kiln-room darkroom backroom showroom staffroom engine-room boiler-room dressing-room backstage "
    "auditorium sanctuary sacristy apiary paddock driveway forecourt entrance-hall stockroom washhouse washroom "
    "bathroom cloister arcade chalet bungalow apartment flat bookshop booth allotment galley burrow laundromat "
    "laundrette nursery foyer projection-booth plaza pavement sidewalk riverside chapterhouse dormitory treehouse "
    "taproom tearoom teahouse gatehouse signal-box ticket-office"
)
NOT_PLACES = words("mushroom broom groom")
_PLACE_ENDINGS = ("room", "house", "shop", "shed", "yard", "loft", "works", "station", "office", "hall", "-store")

FIXTURES = words(
    "oven stove range furnace kiln sink basin tap counter bench workbench shelf shelves rack cupboard cabinet "
    "wardrobe dresser locker safe door gate hatch window curtain curtains blind blinds shutter shutters wall hook "
    "hooks peg pegs nail rail mantelpiece fireplace hearth bookcase bookshelf desk table bed sofa couch piano "
    "organ altar well pump fountain tank vat boiler engine press lathe loom anvil forge wheel crane winch capstan "
    "mast flagpole stairs staircase ladder-rack lever switch switchboard panel board blackboard noticeboard "
    "whiteboard chart-table clock fridge refrigerator freezer icebox dishwasher machine bar stall manger trough "
    "kennel hutch hive mailbox postbox letterbox letter-box pigeonhole beam post pillar column railing fence "
    "hearthstone drawer drawers chest-of-drawers sideboard stand coat-stand hatstand coatrack easel sluice paddle "
    "barrier crossing signal windlass chimney bath bathtub dishrack potrack sideboard console desk worktop ledge "
    "windowsill sill mantel niche alcove floor trapdoor turnstile lectern pulpit workstation"
)
LARGE = words(
    "tree boat ship barge raft ferry lorry tractor harvester statue boulder bridge pond stove-pipe bonfire "
    "campfire greenhouse shed hut tent stairs wardrobe sofa piano mangle dryer washing-machine vending-machine "
    "mixer-desk billboard lamppost streetlamp bollard jetty-post grave gravestone millstone stone-oven"
)
"""What nobody carries, though it is no fitting of a room."""
FRAGMENTS = words("piece shard fragment bit splinter pieces shards fragments bits splinters")
"""What is left of a thing that broke."""
EVERYWHERE = words(
    "door gate window wall floor table chair shelf shelves hook hooks peg pegs nail counter bench stairs switch "
    "curtain curtains blind blinds shutter shutters sill windowsill ledge rail railing fence post beam light"
)
"""Fixtures that every place may have one of."""
PUT_ON = words(
    "table desk bench workbench counter shelf shelves rack stool chair sofa bed floor windowsill sill ledge "
    "mantelpiece tray board stand barrow trolley cart wheelbarrow handcart anvil scales scale slab worktop "
    "dresser sideboard hob stove plate platform wagon sledge sled dolly hearth blotter altar trestle saddle easel "
    "mantel pedestal plinth worktable mat cloth rug trivet lectern"
)
PUT_IN = words(
    "box crate chest trunk drawer cupboard cabinet locker safe bag sack backpack satchel basket bucket pail jar "
    "tin can barrel cask vat tank sink basin pot pan kettle jug bottle bowl cup mug glass oven kiln furnace "
    "pocket envelope case suitcase bin hamper tub bath hopper churn pram purse pouch holster sheath drawers "
    "wardrobe fridge freezer mailbox postbox pigeonhole tray folder slot well trough toolbox lunchbox "
    "washing-machine teapot vase rucksack bookcase tote keg tankard flask carton parcel urn casket carafe pitcher "
    "ladle handbag letterbox bread-bin biscuit-tin icebox cage hutch aquarium"
)
MOUNTS = words(
    "hook hooks peg pegs nail nails rail line clothesline washing-line wall door rack mast pole flagpole rope "
    "stand board noticeboard beam bracket hanger coat-stand hatstand easel lapel branch chain belt ring post "
    "fence gate tree pinboard corkboard blackboard"
)
WHEELED = words(
    "barrow wheelbarrow trolley cart handcart pram pushchair buggy bicycle bike wheelchair wagon gurney dolly "
    "sackbarrow scooter tram lorry van car truck trailer stroller hand-truck sack-truck pushcart tea-trolley "
    "bogie"
)
OPENABLE = words(
    "lid door flap hatch drawer gate window curtain shutter blind curtains shutters blinds doors lids trapdoor"
)
LIQUIDS = words(
    "water milk tea coffee oil wine beer juice soup broth paint ink sand flour grain sugar salt wort brine "
    "varnish glaze petrol cream honey syrup vinegar rice beans coal oats seed seeds gravel soil compost plaster "
    "batter slip cocoa soda lemonade chocolate sauce gin cider whisky feed hay corn wheat"
)
ABSTRACT = words(
    "way time moment while end beginning start silence light work job care attention breath glance step place "
    "turn look room night day morning evening afternoon hour minute second shot scene film camera story thing "
    "sight rest order pace hurry direction head mind face eyes eye hand hands voice smile shift dawn dusk noon "
    "midnight sun rain wind cold warmth heat course effort help sound noise distance frame view picture change "
    "something nothing anything everything nobody"
)


def is_colour(word: str) -> bool:
    """`red`, and the compounds `dark-blue`, `rust-red`, `blue-checked`, `reddish`."""
    parts = word.split("-")
    return word in COLOURS or (len(parts) > 1 and (parts[-1] in COLOURS or parts[0] in COLOURS))


def is_adverb(word: str) -> bool:
    return word in ADVERBS or (word.endswith("ly") and len(word) > 4 and word not in NOT_ADVERBS)


def is_adjective(word: str) -> bool:
    return (
        word in ADJECTIVES
        or is_colour(word)
        or bool(re.search(r"(?:-(?:\w+ed|like|sized|coloured)|ish|less|ful)$", word))
    )


def singular(word: str) -> str:
    """The singular of a noun, as well as spelling can tell."""
    irregular = _IRREGULAR_PLURALS.get(word)
    if irregular:
        return irregular
    if word in PLURAL_ONLY or len(word) < 4:
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "sses", "xes", "zzes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is", "ous", "as")):
        return word[:-1]
    return word


PLURAL_ONLY = words(
    "trousers scissors glasses tongs pliers shears jeans overalls clothes goods stairs scales bellows dungarees "
    "spectacles goggles tweezers binoculars headphones pincers braces works oilskins pyjamas sunglasses dregs "
    "surroundings earmuffs forceps"
)
_IRREGULAR_PLURALS = {
    "loaves": "loaf", "knives": "knife", "shelves": "shelf", "leaves": "leaf", "halves": "half", "wives": "wife",
    "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot", "teeth": "tooth",
    "mice": "mouse", "geese": "goose", "potatoes": "potato", "tomatoes": "tomato", "boxes": "box", "scarves": "scarf",
    "calves": "calf", "hooves": "hoof", "thieves": "thief", "axes": "axe", "workmen": "workman", "dice": "die",
    "sheaves": "sheaf", "staves": "stave", "gas": "gas", "bus": "bus", "lens": "lens", "canvas": "canvas",
    "cookies": "cookie", "pies": "pie", "ties": "tie", "shoes": "shoe", "canoes": "canoe", "movies": "movie",
}  # fmt: skip


def is_plural(word: str) -> bool:
    return (
        word in PLURAL_ONLY
        or (word in _IRREGULAR_PLURALS and singular(word) != word)
        or (singular(word) != word and not word.endswith("ss"))
    )


def is_place_noun(word: str) -> bool:
    """Whether a noun names a kind of place that a shot can be set in."""
    base = singular(word)
    if base in NOT_PLACES or word in FIXTURES or word in PUT_IN:
        return False
    if base in PLACE_NOUNS or word in PLACE_NOUNS or base.split("-")[-1] in PLACE_NOUNS:
        return True
    return base.endswith(_PLACE_ENDINGS) and len(base) > 5


def is_person_noun(word: str) -> bool:
    return singular(word) in PEOPLE or word in PEOPLE


def number_word(word: str) -> int | None:
    """The value of `3`, `three`, `third`, `3rd`, `twenty-one`."""
    if match := re.fullmatch(r"(\d{1,4})(?:st|nd|rd|th)?", word):
        return int(match[1])
    if word in NUMBERS:
        return NUMBERS[word]
    if word in TENS:
        return TENS[word]
    ten, _, unit = word.partition("-")
    if ten in TENS and unit in NUMBERS:
        return TENS[ten] + NUMBERS[unit]
    tenth = {"thirtieth": 30, "fortieth": 40, "fiftieth": 50}
    return tenth.get(word)
