"""The language-model planner through the real adapter and a real socket, with a server that answers by script."""

import copy
import json
from contextlib import contextmanager

import anyio
import pytest

from storyengine.backends import Port, load
from storyengine.check import check_plan
from storyengine.demo import demo_plan
from storyengine.errors import PlanUnsound, Refused, StoryEngineError
from storyengine.plan import plan_data
from storyengine.planning import plan_with_model
from storyengine.planning.answers import ANSWER_CODES, answer_schema, read_answer
from storyengine.planning.english import looks_foreign
from storyengine.planning.model_planner import SHOWN_DRAFT, effort
from storyengine.request import StoryRequest
from tests.planning.scripted_server import Declines, Fails, Says, serving

REQUEST = demo_plan().request


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789abcdef0123")


def good():
    """The demo's plan as a model would answer it."""
    data = plan_data(demo_plan())
    del data["request"], data["storyengine_plan"]
    return data | {"assumptions": ["Mina wears the same raincoat all day."]}


def near_miss():
    """One fact is missing that the checks can supply themselves."""
    data = good()
    data["initial"] = [fact for fact in data["initial"] if fact.get("attribute") != "door"]
    return data


def wrong():
    """The last shot is missing: a mistake that only a writer can settle."""
    data = copy.deepcopy(good())
    data["shots"].pop()
    return data


def says(data):
    return Says(json.dumps(data))


class Session:
    def __init__(self, server, name):
        self.server, self.name = server, name
        self.kept = []

    def plan(self, request=REQUEST, max_calls=3):
        model = load(Port.TEXT, self.name)(model="gpt-5.5", base_url=f"{self.server.address}/v1")

        async def run():
            return await plan_with_model(request, model, max_calls=max_calls, keep=self.kept.append)

        return anyio.run(run)

    def prompt(self, call):
        body = self.server.received[call - 1].body
        return body["input"][0]["content"][-1]["text"] if "input" in body else body["messages"][1]["content"]


@contextmanager
def session(*script, name="openai"):
    with serving(*script) as server:
        yield Session(server, name)


def test_a_valid_plan_at_once_costs_one_call():
    with session(says(good())) as planner:
        planned = planner.plan()
    assert planned.plan == demo_plan()
    assert planned.assumptions == ("Mina wears the same raincoat all day.",)
    assert not planned.findings.blocking
    assert [draft.number for draft in planned.drafts] == [1]
    assert planned.drafts[0].cost == 90_000
    assert planned.drafts[0].model == "gpt-5.5-2026-04-23"
    assert planner.kept == list(planned.drafts)


def test_the_request_is_the_authors_own_whatever_the_model_retells():
    retold = good() | {"request": {"idea": "Something else.", "shots": 6}, "storyengine_plan": 99}
    with session(says(retold)) as planner:
        assert planner.plan().plan.request == REQUEST


def test_a_near_miss_is_mended_without_another_call():
    with session(says(near_miss())) as planner:
        planned = planner.plan()
    assert len(planner.server.received) == 1
    draft = planned.drafts[0]
    assert "initial-value-missing" in draft.findings.codes()
    assert draft.fixes
    assert not draft.left.blocking
    assert not check_plan(planned.plan).blocking


def test_invalid_then_valid_the_model_sees_its_draft_and_every_finding():
    with session(says(wrong()), says(good())) as planner:
        planned = planner.plan()
    assert len(planned.drafts) == 2
    assert planned.plan == demo_plan()
    revision = planner.prompt(2)
    assert json.dumps(wrong()) in revision
    assert REQUEST.idea in revision
    first = planned.drafts[0]
    assert first.findings.blocking
    for finding in first.findings:
        for part in (finding.code, finding.where, finding.saw, finding.wanted):
            assert json.dumps(part, ensure_ascii=False) in revision


def test_never_valid_ends_with_all_findings_and_every_draft_kept():
    with session(*[says(wrong())] * 3) as planner, pytest.raises(PlanUnsound) as error:
        planner.plan()
    assert len(planner.server.received) == 3
    assert [draft.number for draft in planner.kept] == [1, 2, 3]
    assert error.value.findings == planner.kept[-1].left
    assert error.value.exit_code == 1
    assert "shot-count" in {finding.code for finding in error.value.findings}


def test_the_number_of_calls_is_bounded_by_the_caller():
    with session(says(wrong())) as planner, pytest.raises(PlanUnsound, match="after 1 call"):
        planner.plan(max_calls=1)
    assert len(planner.server.received) == 1


UNUSABLE = [
    (Says(""), "answer-empty"),
    (Says(" \n "), "answer-empty"),
    (Says("", finished=False), "answer-empty"),
    (Says(json.dumps(good())[:4000], finished=False), "answer-cut-off"),
    (Says("Here is your plan: it begins with Mina."), "answer-not-json"),
    (Says('"just text"'), "answer-not-json"),
    (Says("[1, 2]"), "answer-not-json"),
    (Says('{"a": 1, "a": 2}'), "answer-not-json"),
    (Says('{"a": NaN}'), "answer-not-json"),
    (Says("[" * 5000 + "]" * 5000), "answer-not-json"),
    (Says('{"a":' * 100_000 + "1" + "}" * 100_000), "answer-not-json"),
    (Says("{}"), "answer-not-a-plan"),
    (Says('{"shots": "many", "environments": 3}'), "answer-not-a-plan"),
    (says(good() | {"entities": [{"id": "A B", "name": "x"}]}), "answer-not-a-plan"),
    (Says("x" * 1_000_000), "answer-not-json"),
    (Says("{" + "x" * 1_000_000), "answer-not-json"),
]


@pytest.mark.parametrize(("answer", "code"), UNUSABLE, ids=range(len(UNUSABLE)))
def test_an_unusable_answer_is_a_finding_and_is_asked_again(answer, code):
    with session(answer, says(good())) as planner:
        planned = planner.plan()
    first = planned.drafts[0]
    assert first.plan is None
    assert first.text == answer.text
    assert first.findings.codes() == {code}
    assert all(finding.blocking and str(finding) and finding.data() for finding in first.findings)
    assert f'"{code}"' in planner.prompt(2)
    assert planned.plan == demo_plan()


def test_every_answer_code_is_reached_by_some_answer_here():
    assert set(ANSWER_CODES) == {code for _, code in UNUSABLE} | {"answer-not-english"}


def test_an_answer_cut_off_gets_more_room_the_next_time():
    with session(Says("{", finished=False), says(good())) as planner:
        planner.plan()
    first, second = (received.body["max_output_tokens"] for received in planner.server.received)
    assert second == 2 * first


def test_each_field_that_breaks_the_schema_is_a_finding_of_its_own():
    broken = good()
    broken["entities"][0]["kind"] = "person"
    broken["shots"][1]["seconds"] = "long"
    del broken["environments"][0]["zones"]
    reading = read_answer(json.dumps(broken), REQUEST)
    assert {finding.where for finding in reading.findings} == {
        "field entities[0].kind",
        "field shots[1].seconds",
        "field environments[0].zones",
    }


def test_a_plan_of_a_megabyte_is_read_and_one_that_is_too_long_to_show_is_shortened():
    long = good()
    long["assumptions"] = ["A long assumption. " * 50] * 1200
    with session(says(long | {"shots": long["shots"][:2]}), says(long)) as planner:
        planned = planner.plan()
    assert len(planned.drafts[1].text) > 1_000_000
    assert planned.plan == demo_plan()
    assert "characters left out" in planner.prompt(2)
    assert len(planner.prompt(2)) < SHOWN_DRAFT + 100_000


def test_a_code_fence_around_the_answer_is_taken_off():
    with session(Says(f"```json\n{json.dumps(good())}\n```")) as planner:
        assert planner.plan().plan == demo_plan()


def french():
    data = good()
    data["shots"][0]["events"][0]["action"] = "Mina prend le sac à dos rouge sur le bureau et laisse le cahier."
    return data


def test_a_plan_in_another_language_is_sent_back():
    with session(says(french()), says(good())) as planner:
        planned = planner.plan()
    finding = next(f for f in planned.drafts[0].left if f.code == "answer-not-english")
    assert finding.where == "shot 1, event 1"
    assert "plain English" in finding.wanted
    assert planned.plan == demo_plan()


@pytest.mark.parametrize(
    "text",
    [
        "Die Studentin legt den roten Rucksack in den Spind.",
        "La estudiante guarda la mochila roja en el casillero.",
        "La studentessa mette lo zaino rosso nell'armadietto.",
        "学生把书包放进柜子里",
        "Студентка кладёт рюкзак в шкаф",
    ],
)
def test_other_languages_are_recognised(text):
    assert looks_foreign(text)


@pytest.mark.parametrize(
    "text",
    [
        "Łukasz walks into the Café de la Paix with his bag.",
        "Mina",
        "red backpack",
        "",
        "The cook sets the pot on the stove.",
        "Rain falls.",
    ],
)
def test_english_with_foreign_names_is_left_alone(text):
    assert not looks_foreign(text)


def test_a_refusal_ends_planning_and_keeps_the_drafts_before_it():
    with session(says(wrong()), Declines("No.")) as planner, pytest.raises(Refused, match=r"No\."):
        planner.plan()
    assert len(planner.kept) == 1


@pytest.mark.parametrize("step", [Fails(400), Fails(401), Declines()])
def test_faults_of_the_service_stay_in_the_family(step):
    with session(step) as planner, pytest.raises(StoryEngineError) as error:
        planner.plan()
    assert error.value.exit_code == 6


def test_a_server_that_holds_to_no_schema_finds_it_in_the_prompt_each_time():
    with session(says(wrong()), says(good()), name="openai-compatible") as planner:
        planned = planner.plan()
    assert planned.plan == demo_plan()
    for call in (1, 2):
        assert json.dumps(answer_schema()) in planner.prompt(call)


def test_texts_of_the_brief_are_never_taken_for_places_to_fill():
    request = StoryRequest(idea="A coin worth $shots and ${schema} lies $ there.", shots=6)
    with session(Says("")) as planner, pytest.raises(PlanUnsound):
        planner.plan(request, max_calls=1)
    assert "A coin worth $shots and ${schema} lies $ there." in planner.prompt(1)


def test_the_effort_grows_with_the_shots():
    small, large = (effort(StoryRequest(idea="Somebody waits.", shots=shots)) for shots in (2, 40))
    assert 0 < small.written < large.written < large.limit
    assert small.read > 1000
