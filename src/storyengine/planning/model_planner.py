"""The language-model planner: ask, read, check, mend, and ask again with everything that was wrong.

    for each call, at most `max_calls`:
        ask → read the answer → mend what the checks can mend → keep the draft
        sound? done. Otherwise ask again, showing the rejected draft and all findings.

Near-misses are mended by the checks' own fixes, so another call is paid only for what code cannot settle. A plan
with a blocking finding is never handed over.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from storyengine.backends.ports import TextAnswer, TextModel, TextRequest
from storyengine.check import CODES, Finding, Findings, check_plan, mend_plan
from storyengine.errors import ContractError, PlanUnsound
from storyengine.planning.answers import Reading, answer_schema, read_answer
from storyengine.planning.planned import Draft, Planned
from storyengine.prompts import read_prompt
from storyengine.request import StoryRequest

MAX_CALLS = 3
SHOWN_DRAFT = 200_000
"""Characters of a rejected draft that the model sees again; of a longer one its beginning and end."""
SHOWN_FINDINGS = 200
"""Findings listed one by one in a revision; what a model cannot settle in these it would not in more."""

SYSTEM = read_prompt("planner", 1)
REQUEST = read_prompt("planner-request", 1)
REVISION = read_prompt("planner-revision", 1)


@dataclass(frozen=True)
class Effort:
    """What planning a brief may take of a language model, in tokens, before anything is sent."""

    read: int
    """Tokens of the first request."""
    written: int
    """Tokens of a plan of this length."""
    limit: int
    """Tokens that one answer may have, thinking included."""


async def plan_with_model(
    request: StoryRequest,
    model: TextModel,
    *,
    max_calls: int = MAX_CALLS,
    keep: Callable[[Draft], None] = lambda draft: None,
) -> Planned:
    """A sound plan for the brief, with every draft on the way to it.

    `keep` gets each draft as soon as it is there, so that none is lost when a later call fails. Raises PlanUnsound
    with all findings of the last draft when no draft is sound, and whatever the backend raises.
    """
    if max_calls < 1:
        raise ContractError(f"At least one call is needed to plan; {max_calls} were allowed.")
    drafts: list[Draft] = []
    question = first_question(request, model.capabilities.schema)
    while True:
        answer = await model.write(question)
        reading = read_answer(answer.text, request, finished=answer.finished)
        draft = _draft(len(drafts) + 1, answer, reading)
        drafts.append(draft)
        keep(draft)
        if draft.plan is not None and not draft.left.blocking:
            return Planned(draft.plan, reading.assumptions, findings=draft.left, drafts=tuple(drafts))
        if len(drafts) == max_calls:
            raise _gave_up(drafts)
        question = _revision(request, question, draft, cut_off=not answer.finished)


def first_question(request: StoryRequest, holds_schema: bool) -> TextRequest:
    """The request as the model gets it. Where it is not held to a schema, the schema goes into the prompt."""
    return TextRequest(
        system=SYSTEM.fill(shots=str(request.shots), rules=_rules()),
        prompt=_ask(request, with_schema=not holds_schema),
        schema=answer_schema(),
        max_tokens=16_000 + 1_000 * request.shots,
    )


def effort(request: StoryRequest) -> Effort:
    """A rough measure for an estimate of cost: four characters to a token, a plan as long as the demo's."""
    question = first_question(request, holds_schema=True)
    characters = len(question.system) + len(question.prompt) + len(json.dumps(question.schema))
    return Effort(characters // 4, 900 + 220 * request.shots, question.max_tokens)


def _ask(request: StoryRequest, *, with_schema: bool) -> str:
    asked = {
        "title": request.title,
        "idea": request.idea,
        "required_entities": request.required_entities,
        "forbidden_content": request.forbidden_content,
        "seconds_a_shot_may_have": request.delivery.durations,
    }
    schema = f"\nJSON SCHEMA OF THE ANSWER\n{json.dumps(answer_schema())}\n" if with_schema else ""
    return REQUEST.fill(
        request=json.dumps({key: value for key, value in asked.items() if value}, ensure_ascii=False, indent=1),
        shots=str(request.shots),
        style=request.style or "Free; choose one that suits the story, and keep it.",
        schema=schema,
    )


def _rules() -> str:
    return "\n".join(f"- {code.title}. {code.reason}" for code in CODES.values() if code.blocking)


def _draft(number: int, answer: TextAnswer, reading: Reading) -> Draft:
    """Check and mend what was read. A plan in another language is not mended: it comes back rewritten."""
    if reading.plan is None:
        return Draft(number, answer.text, None, reading.findings, (), reading.findings, answer.model, answer.cost)
    found = Findings((*reading.findings, *check_plan(reading.plan)))
    mended, fixes = mend_plan(reading.plan)
    left = Findings((*reading.findings, *check_plan(mended)))
    return Draft(number, answer.text, mended, found, fixes, left, answer.model, answer.cost)


def _revision(request: StoryRequest, last: TextRequest, draft: Draft, *, cut_off: bool) -> TextRequest:
    """The same request again, with the rejected draft and all that is wrong with it."""
    has_schema = "JSON SCHEMA OF THE ANSWER" in last.prompt
    prompt = REVISION.fill(
        request=_ask(request, with_schema=has_schema),
        draft=_shown(draft.text),
        findings=_listed(_all_findings(draft)),
    )
    tokens = last.max_tokens * 2 if cut_off else last.max_tokens
    return TextRequest(last.system, prompt, schema=last.schema, max_tokens=tokens)


def _all_findings(draft: Draft) -> list[Finding]:
    """What was wrong with the draft as it came, then what showed only after mending."""
    seen = {(finding.code, finding.where, finding.saw) for finding in draft.findings}
    later = [finding for finding in draft.left if (finding.code, finding.where, finding.saw) not in seen]
    return [*draft.findings, *later]


def _listed(findings: list[Finding]) -> str:
    """Findings as data, blocking ones first, so that code, place, sight and wish stay apart."""
    ordered = sorted(findings, key=lambda finding: not finding.blocking)
    lines = [json.dumps(_shown_finding(finding), ensure_ascii=False) for finding in ordered[:SHOWN_FINDINGS]]
    more = [f"and {len(ordered) - SHOWN_FINDINGS} more"] if len(ordered) > SHOWN_FINDINGS else []
    return "\n".join([*lines, *more])


def _shown_finding(finding: Finding) -> dict[str, Any]:
    shown = {
        "code": finding.code,
        "must_be_settled": finding.blocking,
        "where": finding.where,
        "field": finding.data()["path"],
        "problem": finding.rule.title,
        "saw": finding.saw,
        "wanted": finding.wanted,
        "possible_fix": finding.fix.summary if finding.fix else None,
    }
    return {key: value for key, value in shown.items() if value not in ("", None)}


def _shown(text: str) -> str:
    if len(text) <= SHOWN_DRAFT:
        return text.strip() or "(nothing)"
    half = SHOWN_DRAFT // 2
    return f"{text[:half]}\n… {len(text) - SHOWN_DRAFT:,} characters left out …\n{text[-half:]}"


def _gave_up(drafts: list[Draft]) -> PlanUnsound:
    last = drafts[-1]
    calls = "call" if len(drafts) == 1 else "calls"
    shown = [f"- {finding}" for finding in last.left.blocking[:12]]
    more = [f"- … and {len(last.left.blocking) - 12} more"] if len(last.left.blocking) > 12 else []
    return PlanUnsound(
        "\n".join([f"No sound plan after {len(drafts)} {calls}. Of the last draft:", *shown, *more]),
        last.left,
        next_step="Say in the brief what the findings ask for, or allow more calls.",
    )
