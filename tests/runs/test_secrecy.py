"""Planted keys: in the environment, in headers, in addresses, in exceptions. None may come out anywhere."""

import io
import json
import logging

import pytest
from rich.console import Console

from storyengine.runs.progress import (
    Broadcast,
    CallMoved,
    JsonLines,
    RunEnded,
    RunStarted,
    Silent,
    StepDone,
    StepFailed,
    StepFound,
    StepStarted,
)
from storyengine.runs.secrecy import guard, redact, redact_logs, redact_value
from storyengine.runs.step import Step
from storyengine.runs.terminal import Terminal
from tests.runs.work import break_down, paid_step, text_step

PLANTED = "planted-9f8e7d6c5b4a"

LEAKS = [
    f"Authorization: Bearer {PLANTED}",
    f"{{'authorization': 'Bearer {PLANTED}', 'accept': '*/*'}}",
    f'{{"x-api-key": "{PLANTED}"}}',
    f"headers = [('X-Goog-Api-Key', '{PLANTED}')]",
    f"GET https://example.test/v1/models?alt=json&key={PLANTED}&page=2 failed",
    f"https://bucket.test/clip.mp4?X-Amz-Signature={PLANTED}",
    f"https://user:{PLANTED}@proxy.test:8080/",
    f"OPENAI_API_KEY={PLANTED}",
    f"api_key='{PLANTED}'",
    f"token: {PLANTED}",
]


@pytest.fixture
def planted(monkeypatch):
    monkeypatch.setenv("SOME_VENDOR_API_KEY", PLANTED)
    return PLANTED


@pytest.mark.parametrize("text", [leak for leak in LEAKS if "Goog" not in leak])
def test_credentials_are_known_by_their_shape(text):
    assert PLANTED not in redact(text)


@pytest.mark.parametrize("text", [*LEAKS, f"a bare {PLANTED} in a sentence"])
def test_credentials_are_known_by_the_environment(text, planted):
    assert planted not in redact(text)


def test_credentials_are_known_when_guarded():
    assert "guarded-value-1" in redact("guarded-value-1")
    guard("guarded-value-1")
    assert redact("x guarded-value-1 y") == "x [hidden] y"


@pytest.mark.parametrize(
    "text",
    [
        "The brass key: hidden under the mat.",
        "shot 3/opening: input tail changed",
        "a" * 64,
        "https://example.test/jobs/job-17?page=2",
    ],
)
def test_a_story_is_left_alone(text):
    assert redact(text) == text


def test_values_are_redacted_in_place(planted):
    value = {"prompt": f"say {planted}", "api_key": "anything-long", "takes": ["a" * 64, 3, None]}
    assert redact_value(value) == {"prompt": "say [hidden]", "api_key": "[hidden]", "takes": ["a" * 64, 3, None]}


def test_logs_carry_no_secrets(planted, caplog):
    make = logging.getLogRecordFactory()
    redact_logs()
    redact_logs()
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    logger = logging.getLogger("storyengine.test")
    logger.addHandler(handler)
    try:
        logger.warning("sending %s with %r", "request", {"x-api-key": planted})
        try:
            raise ValueError(f"https://example.test/?key={planted}")
        except ValueError:
            logger.exception("it broke with %s", planted)
    finally:
        logger.removeHandler(handler)
        logging.setLogRecordFactory(make)
    text = stream.getvalue() + caplog.text
    assert "it broke" in text
    assert "ValueError" in text
    assert planted not in text


def test_nothing_a_run_writes_carries_a_secret(planted, in_runner, folder):
    """Keys in parameters, in a provider's failure and in broken work: not in the journal, not in progress."""
    lines, screen = io.StringIO(), io.StringIO()
    steps = [
        paid_step("opening", f"paint {planted}"),
        paid_step("refused", f"refuse {planted}"),
        paid_step(f"slot with {planted}", "overload"),
        text_step("line", f"say {planted}"),
        Step(kind="k", version="1", slot="broken", params={"header": f"Bearer {planted}"}, work=break_down),
    ]
    with Terminal(Console(file=screen, force_terminal=True)) as terminal:
        in_runner(lambda runner: runner.run(steps), listeners=[JsonLines(lines), terminal, Silent()])
    files = [path for path in (folder / ".storyengine").glob("*") if path.is_file()]
    assert len(files) >= 3
    for text in (lines.getvalue(), screen.getvalue(), *(path.read_bytes().decode("latin-1") for path in files)):
        assert planted not in text
        assert "sk-planted" not in text
    events = [json.loads(line) for line in lines.getvalue().splitlines()]
    assert {event["event"] for event in events} >= {"RunStarted", "StepStarted", "CallMoved", "StepFailed", "RunEnded"}


EVENTS = [
    RunStarted("film", 1, True),
    StepStarted("shot [3]", "clip", "k", "new"),
    CallMoved("shot [3]", "veo", "clips", "ambiguous", None, 40_000, None, 40_000, "nobody [knows]"),
    StepFound("shot 1", "clip", "k1", "d"),
    StepFailed("shot 2", "clip", "k2", "Refused", "declined"),
    StepDone("shot [3]", "clip", "k", "d", 3),
    RunEnded(1, 1, 1, 40_000),
]


def test_the_terminal_tells_what_matters():
    screen = io.StringIO()
    with Terminal(Console(file=screen, force_terminal=True, width=120)) as terminal:
        for event in EVENTS:
            terminal.tell(event)
    text = screen.getvalue()
    for wanted in ("cut short", "declined", "nobody [knows]", "1 done, 1 found, 1 failed", "$0.04"):
        assert wanted in text


def test_json_lines_are_one_object_per_event():
    stream = io.StringIO()
    for event in EVENTS:
        JsonLines(stream).tell(event)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [line["event"] for line in lines] == [type(event).__name__ for event in EVENTS]


def test_a_listener_that_fails_is_dropped_and_the_others_hear_on(caplog):
    heard = io.StringIO()
    closed = io.StringIO()
    closed.close()
    several = Broadcast([JsonLines(closed), JsonLines(heard)])
    several.tell(EVENTS[0])
    several.tell(EVENTS[1])
    assert len(heard.getvalue().splitlines()) == 2
    assert caplog.text.count("is dropped") == 1
