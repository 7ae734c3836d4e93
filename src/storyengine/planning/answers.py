"""A language model's answer, read as a plan. What stands in the way becomes findings that it can act on.

Pure: text in, plan or findings out. The request inside the plan is always the author's own; whatever the model
says about it is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from storyengine import documents
from storyengine.check import Code, Finding, Findings
from storyengine.documents import Document, Path
from storyengine.errors import InputError
from storyengine.plan import PLAN_VERSION, SemanticPlan, plan_schema, read_plan
from storyengine.planning.english import looks_foreign
from storyengine.request import StoryRequest

MAX_ASSUMPTIONS = 100

ANSWER_CODES: dict[str, Code] = {
    code: Code(code, "structure", True, title, reason)
    for code, title, reason in (
        ("answer-empty", "The model answered nothing", "It may have spent its tokens on thinking."),
        ("answer-cut-off", "The answer stops in the middle", "It reached the token limit before the plan was whole."),
        ("answer-not-json", "The answer is not JSON", "A plan is one JSON object, with no text around it."),
        ("answer-not-a-plan", "The answer does not follow the schema", "Every field has to be as the schema says."),
        ("answer-not-english", "The plan is not written in English", "Prompts and checks are made of its sentences."),
    )
}


@dataclass(frozen=True, slots=True)
class AnswerFinding(Finding):
    """Something wrong with an answer that is found before it is a plan that `check` could look at."""

    @property
    def rule(self) -> Code:
        return ANSWER_CODES[self.code]


@dataclass(frozen=True)
class Reading:
    """What an answer holds."""

    plan: SemanticPlan | None
    assumptions: tuple[str, ...] = ()
    findings: Findings = field(default_factory=Findings)


def answer_schema() -> dict[str, Any]:
    """The plan's schema as a model answers it: without the request, which is not its to retell, and with
    the assumptions that a planner lists."""
    schema = plan_schema()
    definitions = {
        name: definition
        for name, definition in schema["$defs"].items()
        if name not in ("StoryRequest", "Delivery", "Reference")
    }
    properties = {
        name: value for name, value in schema["properties"].items() if name not in ("request", "storyengine_plan")
    }
    properties["assumptions"] = {
        "type": "array",
        "items": {"type": "string"},
        "description": "What the plan decides although the request does not say it, one sentence each.",
    }
    required = [name for name in schema["required"] if name in properties]
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
        "$defs": definitions,
    }


def read_answer(text: str, request: StoryRequest, *, finished: bool = True) -> Reading:
    """The plan in an answer, or every reason why there is none."""
    if not text.strip():
        return _unreadable("answer-empty", "no text" if finished else "no text before the token limit")
    try:
        data = _json(text)
    except InputError as error:
        if not finished:
            return _unreadable("answer-cut-off", f"{len(text):,} characters that end with {_tail(text)!r}")
        return _unreadable("answer-not-json", error.message)
    if not isinstance(data, dict):
        return _unreadable("answer-not-json", f"{_kind(data)} instead of an object")
    assumptions = _assumptions(data.pop("assumptions", ()))
    data["storyengine_plan"] = PLAN_VERSION
    data["request"] = request.model_dump(mode="json")
    data["title"] = data.get("title") or request.title
    try:
        # Without its text: finding lines in JSON is slow, and a model needs fields, not lines.
        plan = read_plan(Document("answer", data))
    except InputError as error:
        return Reading(None, assumptions, Findings(_not_a_plan(error)))
    return Reading(plan, assumptions, Findings(_not_english(plan)))


def _unreadable(code: str, saw: str) -> Reading:
    finding = AnswerFinding(code, "the answer", (), saw, "one complete JSON object that follows the schema")
    return Reading(None, (), Findings((finding,)))


def _json(text: str) -> Any:
    """The JSON in an answer, also where a code fence stands around it. Raises InputError."""
    body = text.strip()
    if body.startswith("```"):
        body = body.partition("\n")[2].rpartition("```")[0]
    try:
        json.loads(body)
    except json.JSONDecodeError as error:
        at = f"line {error.lineno}, column {error.colno}"
        raise InputError(f"{error.msg} at {at}, in text that begins with {body[:40]!r}") from None
    except RecursionError:
        raise InputError("objects nested far deeper than any plan") from None
    except ValueError as error:
        raise InputError(str(error)) from None
    if not body.lstrip().startswith(("{", "[")):
        return body
    return documents.parse(body, "the answer").data


def _assumptions(value: Any) -> tuple[str, ...]:
    """Notes for people; a model that writes nonsense here loses the note, not the plan."""
    if not isinstance(value, (list, tuple)):
        return ()
    lines = [" ".join(item.split()) for item in value if isinstance(item, str)]
    return tuple(line[:1000] for line in lines if line)[:MAX_ASSUMPTIONS]


def _not_a_plan(error: InputError) -> Iterator[Finding]:
    """One finding for each line of a validation message: `answer: shots[0].seconds: what is wrong`."""
    for line in error.message.splitlines():
        if not line.startswith("answer: "):
            yield AnswerFinding("answer-not-a-plan", "the answer", (), line, "the schema's form everywhere")
            continue
        name, _, problem = line.removeprefix("answer: ").partition(": ")
        yield AnswerFinding(
            "answer-not-a-plan", f"field {name}", (), problem.rstrip("."), "what the schema says of this field"
        )


def _not_english(plan: SemanticPlan) -> Iterator[Finding]:
    """Texts that are clearly in another language; the plan as a whole where no single text is long enough."""
    found = False
    texts = list(_texts(plan))
    for where, path, text in texts:
        if looks_foreign(text):
            found = True
            yield AnswerFinding("answer-not-english", where, path, repr(text[:80]), "the same in plain English")
    whole = ". ".join(text for _, _, text in texts)
    if not found and looks_foreign(whole):
        yield AnswerFinding("answer-not-english", "the plan", (), repr(whole[:80]), "plain English throughout")


def _texts(plan: SemanticPlan) -> Iterator[tuple[str, Path, str]]:
    """Every text that prompts are made of, with its place."""
    for position, entity in enumerate(plan.entities):
        # A proper name may be written in any letters; what a thing looks like may not.
        text = entity.look if entity.kind == "character" and entity.look else f"{entity.name}, {entity.look}"
        yield f"entity {entity.id}", ("entities", position), text
    for position, place in enumerate(plan.environments):
        words = ", ".join([place.name, place.look, *(zone.name for zone in place.zones)])
        yield f"environment {place.id}", ("environments", position), words
    for number, shot in enumerate(plan.shots, start=1):
        for kind, events in (("off-screen event", shot.offscreen), ("event", shot.events)):
            listed = "events" if kind == "event" else "offscreen"
            for position, event in enumerate(events):
                path: Path = ("shots", number - 1, listed, position, "action")
                yield f"shot {number}, {kind} {position + 1}", path, event.action
        for position, requirement in enumerate(shot.requirements):
            path = ("shots", number - 1, "requirements", position, "statement")
            yield f"shot {number}, requirement {position + 1}", path, requirement.statement


def _kind(data: Any) -> str:
    return "a list" if isinstance(data, list) else "plain text" if isinstance(data, str) else "a single value"


def _tail(text: str) -> str:
    return text[-40:]
