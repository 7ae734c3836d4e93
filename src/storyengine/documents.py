"""Story files as data: YAML or JSON text in, plain values with line numbers out, and back.

Pure text work; `files.py` reads and writes the disk. The reader understands YAML 1.2's core schema and JSON,
keeps the line of every value so that an error can point at it, and refuses what a story file never needs and
an attacker does: aliases (the stuff of YAML bombs), tags, several documents, extreme depth or size.
"""

from __future__ import annotations

import difflib
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedSeq
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from storyengine.errors import InputError

Path = tuple[str | int, ...]
"""The way to a value inside a document: keys and list positions."""

MAX_DEPTH = 40
MAX_YAML_CHARACTERS = 4_000_000
MAX_JSON_CHARACTERS = 64_000_000

Model = TypeVar("Model", bound=BaseModel)


@dataclass(frozen=True)
class Document:
    """A parsed file: its name for messages, its plain data, and the line of each value."""

    source: str
    data: Any
    lines: Mapping[Path, int] = field(repr=False, default_factory=dict)
    text: str = field(repr=False, default="")

    def place(self, path: Path) -> str:
        """`brief.yaml:12` for the value at `path`, or for its nearest known parent."""
        for end in range(len(path), -1, -1):
            line = self.lines.get(path[:end])
            if line is not None:
                return f"{self.source}:{line}"
        return self.source


def parse(text: str, source: str) -> Document:
    """Read YAML or JSON text. Raises InputError that names the source and line."""
    if not text.strip():
        raise InputError(f"{source} is empty.", next_step="A story file needs at least `idea` and `shots`.")
    if text.lstrip()[0] in "{[":
        return _parse_json(text, source)
    return _parse_yaml(text, source)


def _parse_json(text: str, source: str) -> Document:
    _refuse_size(text, source, MAX_JSON_CHARACTERS)
    try:
        data = json.loads(text, object_pairs_hook=lambda pairs: _unique(pairs, source), parse_constant=_no_nan)
    except json.JSONDecodeError as error:
        try:  # flow-style YAML also starts with a bracket
            return _parse_yaml(text, source)
        except InputError:
            raise InputError(f"{source}:{error.lineno}: this is not valid JSON: {error.msg}.") from None
    except RecursionError:
        raise _too_deep(source) from None
    except ValueError as error:
        raise InputError(f"{source}: {error}") from None
    if _depth(data) > MAX_DEPTH:
        raise _too_deep(source)
    return Document(source, data, text=text)


def _unique(pairs: list[tuple[str, Any]], source: str) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(f"{source}: the key {twice!r} appears twice in one object.")
    return result


def _no_nan(word: str) -> float:
    raise ValueError(f"{word} is not a number that JSON allows.")


def _depth(data: Any) -> int:
    deepest, stack = 0, [(data, 1)]
    while stack:
        value, depth = stack.pop()
        deepest = max(deepest, depth)
        if depth <= MAX_DEPTH:
            children: Iterable[Any] = ()
            if isinstance(value, dict):
                children = value.values()
            elif isinstance(value, list):
                children = value
            stack.extend((child, depth + 1) for child in children)
    return deepest


def _too_deep(source: str) -> InputError:
    return InputError(f"{source} is nested more than {MAX_DEPTH} levels deep; no story file needs that.")


def _refuse_size(text: str, source: str, limit: int) -> None:
    if len(text) > limit:
        raise InputError(f"{source} has {len(text):,} characters; at most {limit:,} are allowed.")


def _parse_yaml(text: str, source: str) -> Document:
    _refuse_size(text, source, MAX_YAML_CHARACTERS)
    builder = _Builder(source)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            builder.take(event)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        at = f"{source}:{mark.line + 1}" if mark else source
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        raise InputError(
            f"{at}: this is not valid YAML: {problem}.",
            next_step="Texts with a colon or a leading special character need quotes.",
        ) from None
    except RecursionError:
        raise _too_deep(source) from None
    return Document(source, builder.root, builder.lines, text)


class _Builder:
    """Turns the parser's events into plain values without recursion, noting lines on the way."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.root: Any = None
        self.lines: dict[Path, int] = {}
        self._documents = 0
        self._stack: list[tuple[Any, Path]] = []
        self._keys: list[str | None] = []

    def take(self, event: Event) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise InputError(f"{self.source}:{line}: a story file holds one document; a second one starts here.")
        elif isinstance(event, AliasEvent):
            raise InputError(f"{self.source}:{line}: aliases (*{event.anchor}) are not supported; write the value out.")
        elif isinstance(event, MappingStartEvent):
            self._open({}, line)
        elif isinstance(event, SequenceStartEvent):
            self._open([], line)
        elif isinstance(event, (MappingEndEvent, SequenceEndEvent)):
            self._stack.pop()
            self._keys.pop()
        elif isinstance(event, ScalarEvent):
            self._scalar(event, line)

    def _scalar(self, event: ScalarEvent, line: int) -> None:
        if self._awaits_key():
            container, path = self._stack[-1]
            key = str(event.value)
            if key in container:
                raise InputError(f"{self.source}:{line}: the key {key!r} appears twice.")
            self._keys[-1] = key
            self.lines[(*path, key)] = line
        else:
            self._put(_resolve(event.value) if event.style is None else event.value, line)

    def _awaits_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1][0], dict) and self._keys[-1] is None

    def _open(self, container: Any, line: int) -> None:
        if self._awaits_key():
            raise InputError(f"{self.source}:{line}: a key must be plain text.")
        if len(self._stack) >= MAX_DEPTH:
            raise _too_deep(self.source)
        path = self._put(container, line)
        self._stack.append((container, path))
        self._keys.append(None)

    def _put(self, value: Any, line: int) -> Path:
        if not self._stack:
            self.root = value
            self.lines[()] = line
            return ()
        container, path = self._stack[-1]
        if isinstance(container, list):
            container.append(value)
            path = (*path, len(container) - 1)
        else:
            key = self._keys[-1]
            assert key is not None
            container[key] = value
            self._keys[-1] = None
            path = (*path, key)
        self.lines.setdefault(path, line)
        return path


_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")


def _resolve(text: str) -> Any:
    """A plain scalar by YAML 1.2's core schema, so that `no` and `off` stay words."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _INTEGER.fullmatch(text) and len(text) < 20:
        return int(text)
    if _FLOAT.fullmatch(text) and math.isfinite(float(text)):
        return float(text)
    return text


def canonical_json(data: Any) -> str:
    """The one JSON text of a value: sorted keys, no spaces, no NaN."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def to_yaml(data: Any) -> str:
    """Block-style YAML that people can edit; short lists of plain values stay on one line."""
    out = io.StringIO()
    _yaml().dump(_styled(data), out)
    return out.getvalue()


def _yaml() -> YAML:
    yaml = YAML()
    yaml.width = 110
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.allow_unicode = True
    return yaml


def _styled(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {key: _styled(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        items = CommentedSeq([_styled(item) for item in data])
        if _fits_one_line(data):
            items.fa.set_flow_style()
        return items
    return data


def _fits_one_line(items: Sequence[Any]) -> bool:
    """Only plain words and numbers: the emitter writes some others so that they read back differently."""
    words = [item if isinstance(item, str) else repr(item) for item in items if isinstance(item, (str, int, float))]
    simple = len(words) == len(items) and all(re.fullmatch(r"[A-Za-z0-9][\w.-]*", word) for word in words)
    return simple and sum(len(word) + 2 for word in words) < 60


def edit_yaml(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to YAML text, keeping comments and layout elsewhere."""
    yaml = _yaml()
    yaml.preserve_quotes = True
    tree = yaml.load(text)
    for edit in edits:
        apply_edit(tree, edit)
    out = io.StringIO()
    yaml.dump(tree, out)
    return out.getvalue()


@dataclass(frozen=True)
class Edit:
    """One change to a document: put `value` at `path`, insert it there, or remove what is there."""

    op: str
    """`put`, `insert` (into a list, before the position that ends the path; -1 appends) or `remove`."""
    path: Path
    value: Any = None


def apply_edit(tree: Any, edit: Edit) -> None:
    """Change the tree in place. Missing lists on the way to an insertion are created."""
    *way, last = edit.path
    node = tree
    for step, following in zip(way, [*way[1:], last], strict=True):
        if isinstance(node, dict) and step not in node:
            node[step] = [] if isinstance(following, int) else {}
        node = node[step]
    if edit.op == "put":
        node[last] = edit.value
    elif edit.op == "insert":
        node.insert(len(node) if last == -1 else last, edit.value)
    elif edit.op == "remove":
        del node[last]
    else:
        raise ValueError(f"unknown edit {edit.op!r}")


def validate(model: type[Model], document: Document) -> Model:
    """Read a document as `model`, or raise InputError listing every problem with file, line and field."""
    if not isinstance(document.data, dict):
        found = _kind(document.data)
        raise InputError(
            f"{document.place(())}: expected a mapping with fields such as {_some(model.model_fields)}, found {found}."
        )
    try:
        return model.model_validate(document.data)
    except ValidationError as error:
        problems = _problems(error, model, with_lines(document))
        shown = "\n".join(problems[:20])
        more = f"\n… and {len(problems) - 20} more." if len(problems) > 20 else ""
        raise InputError(shown + more) from None


def with_lines(document: Document) -> Document:
    """JSON is read for speed without lines; find them only for a message, and only where that is quick."""
    if document.lines or not 0 < len(document.text) < 300_000:
        return document
    try:
        return Document(
            document.source, document.data, _parse_yaml(document.text, document.source).lines, document.text
        )
    except InputError:
        return document


def _problems(error: ValidationError, model: type[BaseModel], document: Document) -> list[str]:
    lines: list[str] = []
    items = error.errors(include_url=False)
    for item in items:
        if item["type"] == "too_short" and any(i["loc"][: len(item["loc"])] == item["loc"] != i["loc"] for i in items):
            continue  # too few remain only because the ones that are there are wrong
        path = _known_path(document.data, item["loc"])
        name = field_name(path) or "the document"
        lines.append(f"{document.place(path)}: {name}: {_explain(item, model, document.data, path)}")
    return list(dict.fromkeys(lines))


def _known_path(data: Any, loc: Sequence[str | int]) -> Path:
    """Pydantic's location without the union tags that stand in no document; a missing last field is kept."""
    path: list[str | int] = []
    node: Any = data
    for position, step in enumerate(loc):
        in_mapping = isinstance(node, dict) and step in node
        in_list = isinstance(node, list) and isinstance(step, int) and step < len(node)
        if in_mapping or in_list:
            path.append(step)
            node = node[step]
        elif position == len(loc) - 1 and isinstance(step, str) and isinstance(node, dict):
            path.append(step)
    return tuple(path)


def field_name(path: Path) -> str:
    """`shots[2].events[0].action`: counted from zero, as in the file's own structure."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _explain(item: Any, model: type[BaseModel], data: Any, path: Path) -> str:
    kind, context = item["type"], item.get("ctx", {})
    if kind == "missing":
        return "this field is missing."
    if kind == "extra_forbidden":
        allowed = _fields_at(model, path[:-1])
        return f"unknown field{did_you_mean(str(path[-1]), allowed)} Allowed here: {', '.join(allowed)}."
    if kind == "literal_error" or kind == "union_tag_invalid":
        allowed = _quoted(str(context.get("expected") or context.get("expected_tags", "")))
        found = item["input"] if kind == "literal_error" else context.get("tag", "")
        return f"found {_show(found)}{did_you_mean(str(found), allowed)} Allowed: {', '.join(allowed)}."
    message = str(item["msg"]).removeprefix("Value error, ")
    return f"found {_show(item['input'])}. {message[:1].upper()}{message[1:].rstrip('.')}."


def _quoted(expected: str) -> list[str]:
    return re.findall(r"'([^']*)'", expected) or re.findall(r"\w+", expected)


def _fields_at(model: type[BaseModel], path: Path) -> list[str]:
    """The fields allowed at a path, by walking the model's own schema."""
    schema: dict[str, Any] = model.model_json_schema()
    definitions = schema.get("$defs", {})
    node: dict[str, Any] = schema
    for step in path:
        node = _resolve_schema(node, definitions)
        node = node.get("items", {}) if isinstance(step, int) else node.get("properties", {}).get(step, {})
    return sorted(_resolve_schema(node, definitions).get("properties", {}))


def _resolve_schema(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = definitions[node["$ref"].rsplit("/", 1)[-1]]
    merged: dict[str, Any] = {}
    for choice in node.get("anyOf", node.get("oneOf", [])):
        choice = _resolve_schema(choice, definitions)
        merged.update(choice.get("properties", {}))
    return {**node, "properties": merged} if merged else node


def did_you_mean(word: str, allowed: Iterable[str]) -> str:
    """` Did you mean 'x'?` for the nearest of the allowed words, or a full stop."""
    near = difflib.get_close_matches(word.lower(), list(allowed), n=1, cutoff=0.6)
    return f". Did you mean {near[0]!r}?" if near else "."


def _kind(value: Any) -> str:
    names = {dict: "a mapping", list: "a list", str: "plain text", type(None): "nothing", bool: "true/false"}
    return names.get(type(value), "a number")


def _some(fields: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in list(fields)[:4])


def _show(value: Any) -> str:
    """A value as the author would recognise it, shortened, without control characters."""
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= 60 else f"{text[:57]}… ({len(text):,} characters)"
