"""Plans as text: YAML for people, canonical JSON for digests, a JSON Schema for language models and editors."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from pydantic import BaseModel

from storyengine import documents
from storyengine.errors import InputError
from storyengine.plan.model import PLAN_VERSION, SemanticPlan
from storyengine.plan.placement import Place, Set, write_fact
from storyengine.plan.upgrade import VERSION_FIELD, upgrade
from storyengine.request import MAX_SHOTS


def is_plan(document: documents.Document) -> bool:
    """Whether a document is meant as a plan rather than as a brief."""
    tell_tale = (VERSION_FIELD, "entities", "environments")
    return isinstance(document.data, dict) and any(field in document.data for field in tell_tale)


def read_plan(document: documents.Document) -> SemanticPlan:
    """Read a plan of any known version, or raise InputError listing every problem with line and field."""
    data = document.data
    if isinstance(data, dict):
        if VERSION_FIELD not in data:
            raise InputError(
                f"{document.source}: {VERSION_FIELD}: this field is missing.",
                next_step=f"A plan begins with `{VERSION_FIELD}: {PLAN_VERSION}`.",
            )
        if isinstance(shots := data.get("shots"), list) and len(shots) > MAX_SHOTS:
            raise InputError(
                f"{document.place(('shots',))}: shots: found {len(shots):,}; at most {MAX_SHOTS:,} are read."
            )
        # A shape so wrong that an upgrade step stumbles over it is named better by validation.
        with suppress(AttributeError, TypeError):
            data = upgrade(data, document.source)
        document = documents.Document(document.source, data, document.lines, document.text)
    return documents.validate(SemanticPlan, document)


def plan_data(plan: SemanticPlan) -> dict[str, Any]:
    """The plan as plain data in its typed, complete form."""
    return plan.model_dump(mode="json")


def plan_json(plan: SemanticPlan) -> str:
    """The one canonical JSON text of a plan: equal plans have equal texts."""
    return documents.canonical_json(plan_data(plan))


def plan_yaml(plan: SemanticPlan) -> str:
    """The plan as YAML that a filmmaker can edit: sentences first, facts in one line, defaults left out."""
    data = _brief_form(plan)
    first = {VERSION_FIELD: plan.storyengine_plan}
    return documents.to_yaml({**first, **data})


def _brief_form(value: Any) -> Any:
    if isinstance(value, (Place, Set)):
        return write_fact(value)
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {
            name: _brief_form(getattr(value, name))
            for name in fields
            if fields[name].is_required() or getattr(value, name) != fields[name].get_default(call_default_factory=True)
        }
    if isinstance(value, tuple):
        return [_brief_form(item) for item in value]
    return value


def plan_schema() -> dict[str, Any]:
    """The JSON Schema of a plan. Facts are objects here; files may also hold their one-line form."""
    schema = SemanticPlan.model_json_schema()
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"StoryEngine semantic plan, version {PLAN_VERSION}",
        **{key: value for key, value in schema.items() if key != "title"},
    }
