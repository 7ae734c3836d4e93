"""From words to looks: families, colours, contents, people and places."""

from __future__ import annotations

import pytest

from storyengine.previz.appearance import family_of, landmark_fitting, names_window, person_look, place_look, prop_look
from storyengine.previz.appearance.nouns import NOUNS
from storyengine.previz.colours import COLOURS, MATERIALS, first_colour, tokens
from storyengine.previz.looks import Colour
from storyengine.previz.props import FAMILIES
from storyengine.previz.render import PATTERNS, SKYLINES


def hue(colour: Colour) -> str:
    """The strongest channel: enough to tell red from blue."""
    return "rgb"[max(range(3), key=lambda i: colour[i])]


@pytest.mark.parametrize(
    ("name", "look", "family"),
    [
        ("red barrow", "a two-wheeled sack barrow painted post-box red", "truck"),
        ("sand barrow", "a big yellow wheelbarrow with one fat tyre", "barrow"),
        ("flour sack", "", "sack"),
        ("sack barrow", "", "truck"),
        ("red T-key", "a red steel key as high as a man's chest", "valve key"),
        ("sea cock", "a knee-high bronze valve with a square spindle", "valve"),
        ("rank of sacks", "pale sacks stood shoulder to shoulder", "sack"),
        ("loaves", "round pale loaves", "loaf"),
        ("knives", "", "knife"),
        ("hanging oil lamp", "a brass lamp with a white shade on a chain", "hanging lamp"),
        ("platform scale", "a cast-iron weighing machine in pale blue", "weighing machine"),
        ("the widget", "a thing with a lantern on it", "lantern"),
        ("frobnicator", "nobody knows", "box"),
        ("", "", "box"),
        ("potter's wheel", "", "stool"),
        ("round wooden board", "", "plate"),
        ("floorboard", "", "plank"),
        # a part is that part, whatever it belongs to
        ("handle", "a handle of the jug", "hoop"),
        ("jug handle", "", "hoop"),
        ("handle of the jug", "", "hoop"),
        ("lid", "the lid of a copper pot", "plate"),
        ("shards", "shards of the vase", "block"),
        ("table leg", "", "pole"),
        ("ash haft", "straight white ash handle with a steel ferrule", "pole"),
        # but what has a name of its own is that, and what has a part is no part
        ("brake handle", "", "lever"),
        ("wheel", "a wheel of the cart", "wheel"),
        ("jug", "a jug with a handle", "jug"),
        ("capstan bar", "a man-high pole of thick olive wood", "pole"),
        ("great lens", "a barrel of glass prisms taller than a man", "barrel"),
    ],
)
def test_the_head_noun_names_the_family(name: str, look: str, family: str) -> None:
    assert family_of(name, look) == family


def test_a_part_is_as_large_as_such_parts_are_unless_somebody_says_so() -> None:
    def length(name: str, look: str) -> float:
        found = prop_look(name, look)
        return found.size * max(FAMILIES[found.family].size)

    assert length("handle", "a handle of the jug") < 0.2
    assert length("handle", "a small handle of the jug") < length("handle", "a handle of the jug")
    assert length("oak spoke", "cleft oak spoke as long as an arm") > 0.6
    assert prop_look("shards", "shards of the vase").count == 3


def test_every_noun_belongs_to_a_family_and_every_family_has_one() -> None:
    assert set(NOUNS.values()) == set(FAMILIES)
    assert len(FAMILIES) >= 46


def test_every_family_is_found_by_its_own_name() -> None:
    assert {name: family_of(name) for name in FAMILIES} == {name: name for name in FAMILIES}


def test_there_are_enough_colour_words() -> None:
    assert len(COLOURS) >= 60
    assert len(MATERIALS) >= 60


@pytest.mark.parametrize(
    ("name", "look", "main", "accent"),
    [
        ("blue-handled peel", "a flat ash blade on a bright blue shaft", "r", "b"),
        ("paraffin can", "a yellow paraffin can with a curved blue spout", "r", "b"),
        ("mash rake", "an oak pole topped by a scarlet grid of bars", "r", "r"),
        ("tool box", "a navy tin box with a red handle", "b", "r"),
        ("sounding staff", "a blue staff ringed with red bands", "b", "r"),
        ("barrel", "a red-painted barrel", "r", None),
        ("mill", "a waist-high cast-iron mill in bottle green", "g", None),
        ("lamp rack", "a green lamp rack as long as a park bench", "g", None),
        ("flag", "a large blue flag on a short red pole", "b", "r"),
    ],
)
def test_colours_belong_to_the_body_or_to_its_part(name: str, look: str, main: str, accent: str | None) -> None:
    found = prop_look(name, look)
    assert hue(found.colour) == main
    assert accent is None or hue(found.accent) == accent


def test_materials_give_surface_and_colour() -> None:
    assert prop_look("scoop", "a scoop of polished brass").surface == "brass"
    assert prop_look("rack", "a rack of bare steel").surface == "steel"
    assert prop_look("basket", "a round wicker basket").surface == "wicker"
    dark, plain = prop_look("desk", "a desk of dark pine").colour, prop_look("desk", "a desk of pine").colour
    assert sum(dark) < sum(plain)


def test_contents_are_not_the_thing() -> None:
    bucket = prop_look("chip bucket", "a dented zinc bucket full of oak shavings")
    assert bucket.surface == "steel"
    assert bucket.content is not None
    tub = prop_look("slack tub", "half barrel of dark water beside the forge")
    assert tub.content is not None
    assert hue(tub.content) == "b"
    assert prop_look("bucket", "a zinc bucket").content is None


def test_sizes_compare_with_bodies() -> None:
    waist = prop_look("meal bin", "a waist-high wooden bin")
    assert waist.size * FAMILIES["chest"].size[2] == pytest.approx(1.0, abs=0.01)
    assert prop_look("pole", "as long as two men").size > prop_look("pole", "").size
    assert prop_look("jar", "a tiny jar").size < prop_look("jar", "a jar").size < prop_look("jar", "a huge jar").size


def test_plurals_are_several() -> None:
    assert prop_look("pit boards", "six thick planks with yellow ends").count == 6
    assert prop_look("loaves", "round loaves").count == 3
    assert prop_look("scales", "brass scales").count == 1
    assert prop_look("mesh gauge", "a slip two fingers wide").count == 1


def test_colours_that_words_leave_open_vary_and_repeat() -> None:
    names = [
        f"{word} box" for word in ("tea", "post", "bread", "letter", "snuff", "match", "ballot", "music", "sewing")
    ]
    colours = [prop_look(name).colour for name in names]
    assert len(set(colours)) >= 4
    prop_look.cache_clear()
    assert [prop_look(name).colour for name in names] == colours


def test_words_and_compounds_of_colour() -> None:
    assert tokens("Post-box red, dull") == ["post-box", "red", ",", "dull"]
    assert first_colour("dull white") is not None
    assert first_colour("painted red") == COLOURS["red"]
    assert first_colour("reddish twigs") == COLOURS["red"]
    assert first_colour("left open") is None


def garment(look: str, kind: str) -> Colour:
    return next(g.colour for g in person_look("Ewa", look).garments if g.kind == kind)


def test_a_person_wears_what_the_text_says_in_its_colours() -> None:
    look = "a broad-shouldered woman of fifty in a white cotton jacket and a blue-checked head-cloth"
    ewa = person_look("Ewa", look)
    assert ewa.build == "broad"
    assert ewa.feminine > 0.5
    assert min(garment(look, "jacket")) > 0.85
    cloth = next(g for g in ewa.garments if g.kind == "head-cloth")
    assert (cloth.pattern, hue(cloth.colour)) == ("checked", "b")
    assert {"trousers", "boots"} <= {g.kind for g in ewa.garments}


def test_hair_beard_and_age() -> None:
    old = person_look("Wilmot", "an old man with a white beard, a black waistcoat and a red neckerchief")
    assert (old.age, old.beard) == ("old", "full")
    assert min(old.hair_colour) > 0.85
    young = person_look("Signe", "a young woman with dark hair tied back, a navy jumper and fingerless wool gloves")
    assert (young.age, young.hair, young.beard) == ("young", "tied back", "none")
    assert {"jumper", "fingerless gloves"} <= {g.kind for g in young.garments}
    assert person_look("Oumar", "a stocky young man with a shaved head, in an orange boiler suit").hair == "bald"
    assert person_look("Odhran", "a man with a braided red beard").hair not in ("braid", "plaits")


def test_garments_are_told_apart() -> None:
    wide = person_look("Ingrid", "a woman in a navy reefer jacket and a white roll-neck")
    kinds = [g.kind for g in wide.garments]
    assert kinds.count("jacket") == 1
    assert kinds.count("jumper") == 1
    assert garment("in a flat tan cap", "flat cap") == COLOURS["tan"]
    assert garment("with a long hide apron", "leather apron")


def test_faces_follow_from_the_words() -> None:
    assert person_look("Ann", "a woman").face == person_look("Ann", "a woman").face
    assert person_look("Ann", "a woman").face != person_look("Bea", "a woman").face


def test_a_place_reads_its_surfaces_and_light() -> None:
    look = "Sooted red brick walls, a worn flagstone floor, a low plank ceiling, a brick oven built into the end wall"
    bakehouse = place_look("bakehouse", look, "low amber lamplight from one side, dim, warm")
    assert (bakehouse.walls.pattern, bakehouse.floor.pattern, bakehouse.ceiling.pattern) == ("brick", "tiles", "planks")
    assert (bakehouse.light.brightness, bakehouse.light.tone, bakehouse.light.source) == ("dim", "warm", "lamp")
    assert not bakehouse.outdoor
    assert "oven" in bakehouse.fittings


def test_whitewashed_and_sooty_walls_differ() -> None:
    white = place_look("shed", "whitewashed brick walls").walls.colour
    plain = place_look("shed", "brick walls").walls.colour
    black = place_look("shed", "soot-blackened brick walls").walls.colour
    assert sum(white) > sum(plain) > sum(black)


def test_indoors_and_outdoors() -> None:
    assert place_look("orchard", "rough winter grass, rows of leafless trees").outdoor
    assert place_look("signal yard", "a strip of cinders beside a railway track").outdoor
    assert not place_look("pump well", "a round shaft of brick with a square sump in the stone floor").outdoor
    assert not place_look("net loft", "a long attic with sloping boarded ceilings").outdoor


ODD = {
    "nothing": "",
    "one endless word": "x" * 100_000,
    "other writings": "红色的桶 और लाल",
    "control characters": "\x00\n\t",
    "100 kB of words": "a " * 50_000,
    "contradictions": "red blue green black white " * 40,
}


@pytest.mark.parametrize("words", ODD.values(), ids=ODD.keys())
def test_any_text_gives_looks_the_renderer_can_draw(words: str) -> None:
    assert prop_look(words, words).family in FAMILIES
    assert person_look(words, words).garments
    place = place_look(words, words, words, words)
    assert {place.walls.pattern, place.floor.pattern, place.ceiling.pattern} <= set(PATTERNS)
    assert place.skyline in SKYLINES
    assert place.fittings


def test_another_casting_is_somebody_else_to_whom_the_same_words_apply():
    words = ("Ana", "a woman with a long red plait in a green apron")
    known, others = person_look(*words), [person_look(*words, casting) for casting in range(1, 9)]
    assert all(
        (one.hair, one.hair_colour, one.feminine) == (known.hair, known.hair_colour, known.feminine) for one in others
    )
    assert all("apron" in {garment.kind for garment in one.garments} for one in others)
    assert len({one.face for one in (known, *others)}) == 9
    assert len({person_look("Ana", "a woman", casting).skin for casting in range(8)}) > 2


def test_what_grows_has_the_colour_that_everybody_knows():
    assert prop_look("egg").colour == (0.93, 0.84, 0.70)
    assert prop_look("green apple").colour != prop_look("apple").colour
    assert len({prop_look(name).colour for name in ("egg", "apple", "pear", "cabbage", "onion")}) == 5


def test_a_landmark_that_is_a_window_is_no_bench():
    assert landmark_fitting("wall bench", "") == "bench"
    assert landmark_fitting("bench windows", "") is None
    assert names_window("bench windows")
    assert not names_window("wall bench")


def test_a_roller_blind_is_no_window():
    assert prop_look("roller blind", "an indigo roller blind").family == "blind"
