"""Twelve workplaces with two people at work, on one sheet: what the studio makes of twelve short prompts.

python -m storyengine.previz.studio.gallery docs/images/previz-studio.jpg
"""

# ruff: noqa: E501  a caption is one line

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.language.sections import write_sections
from storyengine.previz.studio.compose import Shown, compose_opening
from storyengine.previz.studio.drawing import draw_view
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.performance import timeline
from storyengine.previz.studio.reading import read_prompt

SECONDS = 6.0
TILE = (640, 360)

# Place; people; things; how it begins; what happens; how it ends.
SCENES: tuple[tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...], str, tuple[str, ...]], ...] = (
    (
        "the bakehouse (place; at the kneading table | by the oven; with brick oven; even warm light): whitewashed brick, a flagstone floor, racks of loaves",
        ("Ewa (person): a baker with a blue-checked head-cloth and a white apron", "Tam (person): a young baker with curly red hair, in a grey shirt and a white apron"),
        ("the oak table (thing; surface, fixed): a heavy oak table", "the loaf (thing): a round brown loaf"),
        ("The oak table is at the kneading table in the bakehouse.", "The loaf is on the oak table."),
        "Ewa picks up the loaf from the oak table.",
        ("The loaf is held by Ewa.",),
    ),
    (
        "the forge (place; at the anvil | by the hearth; with forge hearth; dim warm light): soot-black stone walls, an earth floor, hanging tongs",
        ("Ivo (person): a broad smith with a black beard, in a leather apron", "Lene (person): an apprentice with blonde plaits, in a brown smock"),
        ("the anvil (thing; surface, fixed): an iron anvil on a log", "the hammer (thing): a heavy hammer with an ash handle"),
        ("The anvil is at the anvil in the forge.", "The hammer is held by Ivo."),
        "Ivo hammers on the anvil.",
        (),
    ),
    (
        "the telegraph office (place; at the desk | by the window; with wall clock; bright neutral light): green panelling, a chequered floor, pigeonholes",
        ("Anna (person): a clerk with a bun of brown hair, in a white blouse and a navy skirt", "Tom (person): a boy in a red uniform and a cap"),
        ("the desk (thing; surface, fixed): a wide writing desk", "the letter (thing): a white folded letter"),
        ("The desk is at the desk in the telegraph office.", "The letter is held by Anna."),
        "Anna hands the letter to Tom.",
        ("The letter is held by Tom.",),
    ),
    (
        "the boathouse (place; by the boat | at the rack; even cool light): tarred boards, a plank floor, nets and oars on the walls",
        ("Per (person): an old boatman with a grey beard, in a yellow oilskin", "Signe (person): a young woman with long fair hair, in a navy jumper"),
        ("the blue boat (thing; fixed): a small blue rowing boat", "the lantern (thing; state lit or unlit): a brass lantern"),
        ("The blue boat is by the boat in the boathouse.", "The lantern is held by Signe.", "The lantern is lit."),
        "Signe gives the lantern to Per.",
        ("The lantern is held by Per.",),
    ),
    (
        "the pottery (place; at the wheel | by the kiln; with kiln; bright warm light): limewashed walls, a clay-stained tile floor, shelves of jars",
        ("Rosa (person): a potter with short grey hair, in a green overall", "Milo (person): a child with curly black hair, in a striped jumper"),
        ("the bench (thing; surface, fixed): a low workbench", "the vase (thing): a tall blue vase"),
        ("The bench is at the wheel in the pottery.", "The vase is held by Rosa."),
        "Rosa puts the vase on the bench.",
        ("The vase is on the bench.",),
    ),
    (
        "the signal box (place; at the levers | by the stove; with iron stove; dim neutral light): varnished boards, wide windows, a plank floor",
        ("Hal (person): a signalman with a moustache, in a navy waistcoat and a cap", "Bea (person): a young woman with tied back black hair, in a grey coat"),
        ("the red lever (thing; fixed; lever upright or pulled): a tall red lever in an iron frame",),
        ("The red lever is at the levers in the signal box.", "The red lever's lever is upright."),
        "Hal pulls the red lever.",
        ("The red lever's lever is pulled.",),
    ),
    (
        "the orchard (place; under the trees | by the shed; with wooden shed; bright warm light): a grassy orchard with apple trees and a stone wall",
        ("Nils (person): a farmer with a straw-coloured beard, in dungarees and a wide hat", "Ada (person): a girl with brown plaits, in a red dress"),
        ("the basket (thing; container): a wide wicker basket full of apples",),
        ("The basket is under the trees in the orchard.",),
        "Nils picks up the basket.",
        ("The basket is held by Nils.",),
    ),
    (
        "the printing shop (place; at the press | by the type cases; with type cases; even neutral light): ochre plaster, a worn board floor",
        ("Karl (person): a printer with spectacles, in a black leather apron", "Ines (person): a woman with a headscarf, in a blue smock"),
        ("the press (thing; fixed): an iron hand press with a long bar", "the map (thing): a rolled map"),
        ("The press is at the press in the printing shop.", "The map is held by Karl."),
        "Karl hands the map to Ines.",
        ("The map is held by Ines.",),
    ),
    (
        "the greenhouse (place; at the potting bench | by the door; with potting bench; bright neutral light): panes of glass, gravel paths, ferns in pots",
        ("Joan (person): an old gardener with white hair, in a green cardigan and gloves", "Sam (person): a young man with an afro, in a yellow shirt and braces"),
        ("the watering can (thing): a copper watering can", "the fern (thing; fixed): a fern in a clay pot"),
        ("The fern is at the potting bench in the greenhouse.", "The watering can is held by Joan."),
        "Joan waters the fern.",
        (),
    ),
    (
        "the locker room (place; by the lockers | at the long bench; with long bench; dim cool light): pale green tiles, a concrete floor, steel lockers",
        ("Mina (person): a student with short black hair, in a yellow raincoat and dark blue trousers", "Jon (person): a student with fair hair, in a red jumper"),
        ("the grey locker (thing; container, fixed; door shut or open, contents hidden when shut): a tall grey steel locker",),
        ("The grey locker is by the lockers in the locker room.", "The grey locker's door is shut."),
        "Mina opens the grey locker.",
        ("The grey locker's door is open.",),
    ),
    (
        "the kitchen (place; at the stove | by the sink; with cast-iron stove; even warm light): blue and white tiles, a terracotta floor, copper pans",
        ("Marta (person): a cook with a white cap and a white apron", "Leo (person): a boy with cropped hair, in a green jumper"),
        ("the chest (thing; container, fixed; lid shut or open, contents hidden when shut): a flour chest of pale wood", "the jug (thing): a blue jug"),
        ("The chest is at the stove in the kitchen.", "The chest's lid is shut.", "The jug is held by Leo."),
        "Marta opens the chest.",
        ("The chest's lid is open.",),
    ),
    (
        "the quay (place; by the crates | at the steps; with bollards; bright cool light): a cobbled quay with crates, boats and grey sea",
        ("Olaf (person): a docker with a woolly hat, in a brown jacket", "Runa (person): a woman with a long braid, in a blue oilskin"),
        ("the red barrow (thing; wheeled, surface): a red-painted barrow", "the sack (thing): a canvas sack"),
        ("The red barrow is by the crates in the quay.", "The sack is held by Olaf."),
        "Olaf puts the sack on the red barrow.",
        ("The sack is on the red barrow.",),
    ),
)  # fmt: skip


def captions(number: int) -> tuple[str, ...]:
    """Who, what and where is in a scene, one line each."""
    place, people, things, *_ = SCENES[number]
    return (*people, *things, place)


def statements(number: int) -> tuple[str, ...]:
    """What is true when a scene begins."""
    place, people, _, start, *_ = SCENES[number]
    zone = place.split("; ")[1].split(" | ")[0]
    where = [f"{who.split(' (')[0]} is {zone} in {place.split(' (')[0]}." for who in people]
    return (*where, *start)


def prompts(number: int) -> tuple[str, str]:
    """The prompt of a scene's opening picture, and the prompt of its clip."""
    place, people, things, _, event, end = SCENES[number]
    named = {"PLACE": [place], "WHO AND WHAT": [*people, *things]}
    task = "Paint the opening picture of a shot."
    opening = write_sections({"TASK": task, **named, "MUST SHOW": list(statements(number))})
    return opening, write_sections({"VIDEO TASK": "Animate it.", "EVENTS": [event], **named, "AT THE END": list(end)})


def tile(number: int) -> npt.NDArray[np.uint8]:
    """One workplace in the middle of its action."""
    opening, video = prompts(number)
    dice = Dice("none", f"gallery {number}")
    scene = compose_opening(read_prompt(opening), Shown(), dice)
    line = timeline(scene, write_script(read_prompt(video), scene, Shown(), dice), SECONDS)
    acting = [k for k, beat in enumerate(line.beats) if beat.kind not in ("walk", "turn")]
    at = acting[0] if acting else 0
    t = line.starts[at] + 0.55 * (line.ends[at] - line.starts[at]) if line.beats else 1.0
    now, moment = line.moment(t)
    return draw_view(now, moment, *TILE).pixels


def main() -> None:
    tiles = [tile(number) for number in range(len(SCENES))]
    rows = [np.hstack(tiles[k : k + 3]) for k in range(0, len(tiles), 3)]
    sheet = np.vstack(rows)[..., ::-1]
    Path(sys.argv[1]).write_bytes(cv2.imencode(".jpg", sheet, [cv2.IMWRITE_JPEG_QUALITY, 82])[1].tobytes())


if __name__ == "__main__":
    main()
