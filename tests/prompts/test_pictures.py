from storyengine.contract import CameraView, GroundedContext, compile_contracts
from storyengine.demo import demo_plan
from storyengine.language import HasAttribute, parse
from storyengine.language.captions import read_caption, read_catalog
from storyengine.language.sections import read_sections
from storyengine.plan import Catalog
from storyengine.prompts import pictures
from storyengine.state import replay

PLAN = demo_plan()
CATALOG = Catalog.of(PLAN)
FILM = replay(PLAN)
CONTEXT = GroundedContext(camera=CameraView(yaw=12.5, pitch=-3, fov=60), predicted=(("mina", 0.1), ("notebook", 0.02)))
CONTRACT = compile_contracts(PLAN, FILM, [CONTEXT] * 6)[3]


def test_everything_in_an_opening_prompt_is_understood_from_the_prompt_alone():
    sections = read_sections(pictures.opening(PLAN, CATALOG, CONTRACT))
    told = read_catalog([*sections["PLACE"], *sections["WHO AND WHAT"]])
    assert {entity.name for entity in told.entities.values()} >= {"Mina", "green notebook", "red backpack"}
    for statement in sections["MUST SHOW"]:
        assert parse(statement, told) is not None, statement


def test_an_opening_is_framed_for_what_happens_and_for_what_the_next_shot_opens_with():
    sections = read_sections(pictures.opening(PLAN, CATALOG, CONTRACT))
    assert "The green notebook is held by Mina." in sections["LEAVE ROOM FOR"]
    second = compile_contracts(PLAN, FILM, [CONTEXT] * 6)[1]
    acts = [c.statement for c in second.criteria if c.phase == "motion" and c.required]
    assert acts
    assert read_sections(pictures.opening(PLAN, CATALOG, second))["LEAVE ROOM FOR"][: len(acts)] == acts


def test_what_the_next_shot_begins_with_is_asked_for_if_it_fits():
    roomy = CONTEXT.model_copy(update={"handed_over": ("desk",)})
    contract = compile_contracts(PLAN, FILM, [roomy] * 6)[3]
    assert read_sections(pictures.opening(PLAN, CATALOG, contract))["IF IT FITS"] == ["The wooden desk is in frame."]
    assert "IF IT FITS" not in read_sections(pictures.opening(PLAN, CATALOG, CONTRACT))
    assert contract.criteria == CONTRACT.criteria  # it is no criterion


def test_a_video_prompt_tells_events_ends_and_repairs():
    missed = [c for c in CONTRACT.criteria if c.phase == "end"][:1]
    sections = read_sections(pictures.video(PLAN, CATALOG, CONTRACT, repair=missed))
    assert sections["EVENTS"] == ["Mina picks up the green notebook from the wooden desk."]
    assert "The green notebook is held by Mina." in sections["AT THE END"]
    assert sections["REPAIR TARGETS"] == [missed[0].statement]
    assert sections["CAMERA AND LAYOUT"][0].startswith("medium framing; turned 12.5 degrees")


def test_references_and_panoramas_name_their_subject():
    locker = CATALOG.entities["locker"]
    opened = HasAttribute(entity="locker", attribute="door", value="open")
    sections = read_sections(pictures.state_reference(locker, [opened], CATALOG, "calm"))
    assert read_caption(sections["SUBJECT"][0]).name == "grey locker"
    assert sections["STATE"] == ["The grey locker's door is open."]
    place = CATALOG.environments["locker-room"]
    sections = read_sections(pictures.panorama(place, [locker], FILM.initial, CATALOG, ""))
    assert sections["WHERE THEY ARE"] == ["The grey locker is by the lockers in the locker room."]
    assert "three times" in read_sections(pictures.identity_sheet(CATALOG.entities["mina"], ""))["TASK"][0]


def test_what_is_missed_twice_is_not_said_twice():
    text = pictures.opening(PLAN, CATALOG, CONTRACT)
    shown = [line for line in text.splitlines() if line.startswith("- ")]
    assert len(shown) == len(set(shown))
