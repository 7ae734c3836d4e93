"""The shipped examples: each plan is what the embedded planner makes of its brief, is sound, and its story holds."""

from pathlib import Path

import pytest

from storyengine import documents
from storyengine.check import check_plan
from storyengine.plan import plan_yaml, read_plan
from storyengine.planning.embedded import plan_with_rules
from storyengine.request import read_request

from .facts import film_of, holds_in

EXAMPLES = Path(__file__).parents[2] / "examples"
FOLDERS = sorted(path.parent for path in EXAMPLES.glob("[0-9][0-9]-*/brief.yaml"))

DECISIVE = {
    "01-notebook": """
        opens 1: backpack on desk | opens 1: notebook on desk | closes 1: backpack held by Mina
        opens 2: backpack held by Mina | closes 2: backpack in locker | closes 3: locker is shut
        opens 4: Mina at classroom | opens 4: backpack in locker | opens 4: locker is shut | hidden 4: backpack
        opens 4: notebook on desk | closes 4: notebook held by Mina
        opens 5: Mina at locker room | closes 5: locker is open | closes 6: notebook in backpack
        order: puts backpack < picks notebook""",
    "02-ceramic-studio": """
        opens 1: bowl on wheel | closes 2: bowl on stool | closes 3: bowl held by Imogen | opens 4: bowl at kiln room
        closes 4: kiln is open | closes 5: bowl in kiln | opens 6: kiln is shut | hidden 6: bowl
        closes 6: burner is lit | order: shuts kiln < lights burner""",
    "03-night-shift": """
        opens 1: torch in drawer | closes 1: desk lamp is lit | closes 2: torch held by Rasheed
        closes 3: helmet attached to Rasheed | opens 4: helmet attached to Rasheed | opens 4: torch held by Rasheed
        closes 4: hatch is open | event 5: Rasheed turns valve | closes 6: hatch is shut
        opens 7: Rasheed at control room | closes 8: helmet attached to hook | closes 8: torch in drawer""",
    "04-two-in-a-kitchen": """
        opens 1: yellow bowl on shelf | closes 1: yellow bowl on table | closes 2: egg in bowl
        event 2: Samir pours bowl | closes 3: whisk held by Noor | closes 4: stove is lit | closes 4: red pan on stove
        closes 5: whisk in sink | event 5: Noor gives whisk""",
    "05-broken-and-mended": """
        opens 1: jug on sideboard | closes 2: jug is broken | anchor 3: blue jug | seen 2: blue jug
        opens 3: jug at workshop | opens 3: jug is broken | closes 4: jug is mended | one-way: handle
        closes 5: handle is gold | opens 6: jug at dining room | closes 6: jug on sideboard""",
    "06-forty-shots": """
        closes 3: ship's clock held by Agathe | closes 4: glass cabinet is shut | closes 5: ship's clock on workbench
        closes 8: orange case is shut | hidden 9: ship's clock | opens 11: orange case held by Agathe
        closes 13: newspaper held by conductor | closes 15: newspaper on red bench
        opens 20: orange case held by Agathe | closes 22: ship's clock held by Agathe
        closes 23: ship's clock held by Bastian | closes 25: orange case is shut
        opens 29: orange case at lighthouse | closes 30: orange case on green chest
        closes 33: ship's clock attached to nail | closes 37: logbook held by Runo | closes 38: logbook on desk
        closes 39: great lamp is lit""",
}


RICHER = """
    closes 9: walnut case is shut | hidden 10: ship's clock | opens 11: walnut case held by Agathe
    closes 15: ticket held by Agathe | opens 19: walnut case held by Agathe | closes 21: ship's clock held by Agathe
    closes 22: ship's clock held by Bastian | closes 23: oilskin coat attached to Bastian
    closes 25: walnut case is shut | opens 28: walnut case at lighthouse | closes 29: walnut case on iron chest
    closes 32: oilskin coat attached to peg | closes 33: ship's clock attached to nail
    closes 36: logbook held by Runo | closes 37: logbook on desk | closes 39: iron cabinet is shut
    closes 40: great lamp is lit"""
"""The forty shots with more than a studio shows: a ticket that is stamped, a coat put on and off, a key and a lock."""


def planned(brief):
    return plan_with_rules(read_request(documents.parse(brief.read_text(encoding="utf-8"), "brief.yaml")))


def shipped(folder):
    return read_plan(documents.parse((folder / "plan.yaml").read_text(encoding="utf-8"), "plan.yaml"))


def test_every_example_has_its_decisive_facts():
    assert {folder.name for folder in FOLDERS} == set(DECISIVE)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_planning_again_gives_the_shipped_plan(folder):
    assert plan_yaml(planned(folder / "brief.yaml").plan) == (folder / "plan.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_plan_is_sound(folder):
    assert not check_plan(shipped(folder)).blocking


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_decisive_facts_hold(folder):
    assert wrong(DECISIVE[folder.name], shipped(folder)) == {}


def test_a_richer_brief_of_forty_shots_is_planned_too():
    assert wrong(RICHER, planned(Path(__file__).with_name("travelling_clock.yaml")).plan) == {}


def wrong(facts, plan):
    film = film_of(plan)
    each = [fact.strip() for line in facts.strip().splitlines() for fact in line.split("|")]
    return {fact: answer for fact in each if (answer := holds_in(fact, film)) is not True}


def test_while_the_student_is_in_the_classroom_the_backpack_is_locked_away():
    film = film_of(shipped(EXAMPLES / "01-notebook"))
    for fact in (
        "opens 4: backpack in locker",
        "closes 4: backpack in locker",
        "closes 4: locker is shut",
        "hidden 4: backpack",
    ):
        assert holds_in(fact, film) is True
