"""JSON Schemas as providers want them. The full schema is checked again here; these only steer the model."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_KEPT = frozenset(
    ("$ref", "type", "description", "enum", "const", "items", "anyOf", "minItems", "maxItems", "minimum", "maximum")
)
_STRICT_ONLY = frozenset(("pattern", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"))


def strict_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """For strict structured outputs: every field required, nothing else allowed, no defaults, no `oneOf`.

    What strict modes do not take is left out: lengths of texts, defaults, titles, discriminators, patterns with
    character classes, and anything beside a `$ref`. An optional field is written out, if only as an empty list.
    """
    return _whole(schema, _KEPT | _STRICT_ONLY, require_all=True)


def plain_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """For providers that read a subset of JSON Schema and respect optional fields."""
    return _whole(schema, _KEPT, require_all=False)


def _whole(schema: Mapping[str, Any], kept: frozenset[str], *, require_all: bool) -> dict[str, Any]:
    result = _node(schema, kept, require_all=require_all)
    if "$defs" in schema:
        result["$defs"] = {
            name: _node(definition, kept, require_all=require_all) for name, definition in schema["$defs"].items()
        }
    return result


def _node(node: Mapping[str, Any], kept: frozenset[str], *, require_all: bool) -> dict[str, Any]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    result: dict[str, Any] = {key: value for key, value in node.items() if key in kept and _portable(key, value)}
    for choices in ("anyOf", "oneOf"):
        if choices in node:
            result["anyOf"] = [_node(choice, kept, require_all=require_all) for choice in node[choices]]
    if "items" in node:
        result["items"] = _node(node["items"], kept, require_all=require_all)
    if "properties" in node:
        properties = node["properties"]
        result["properties"] = {name: _node(field, kept, require_all=require_all) for name, field in properties.items()}
        # A constant is how one member of a union is told from another, so it is always written.
        told = [name for name, field in properties.items() if "const" in field]
        wanted = list(properties) if require_all else list(dict.fromkeys([*node.get("required", []), *told]))
        result["required"] = wanted
        result["additionalProperties"] = False
    return result


def _portable(key: str, value: Any) -> bool:
    """Patterns with backslashes mean different things to different grammars."""
    return key != "pattern" or "\\" not in value
