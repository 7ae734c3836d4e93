"""For every code, a small change to the demo story that triggers it. The page of codes is made from these."""

from __future__ import annotations

from storyengine.documents import Edit, Path


def _put(path: Path, value: object) -> Edit:
    return Edit("put", path, value)


def _add(path: Path, value: object) -> Edit:
    return Edit("insert", (*path, -1), value)


def _drop(path: Path) -> Edit:
    return Edit("remove", path)


def _entity(identifier: str, name: str, **fields: object) -> dict[str, object]:
    return {"id": identifier, "name": name, "kind": "prop", "look": "", **fields}


_STATEFUL_NOTEBOOK = [{"name": "seal", "values": ["whole", "broken"], "one_way": True}]
_BOX = _entity("box", "tin box", look="a blue tin box", roles=["container"])

EXAMPLES: dict[str, tuple[Edit, ...]] = {
    "duplicate-id": (_add(("entities",), _entity("desk", "oak table")),),
    "ambiguous-name": (_add(("entities",), _entity("second-locker", "grey locker")),),
    "unknown-entity": (_put(("shots", 0, "events", 0, "actors"), ["minna"]),),
    "unknown-environment": (_put(("shots", 2, "environment"), "loker-room"),),
    "unknown-zone": (_put(("shots", 0, "view", "region"), "desk-row"),),
    "unknown-landmark": (_put(("shots", 0, "view", "landmarks"), ["globe"]),),
    "unknown-attribute": (_put(("shots", 1, "events", 0, "effects"), ["locker.lid = open"]),),
    "unknown-event": (_put(("order", 0, "first"), "stores-bag"),),
    "value-outside-domain": (_put(("shots", 1, "events", 0, "effects"), ["locker.door = opened"]),),
    "target-lacks-role": (_put(("shots", 0, "events", 0, "effects"), ["backpack in desk"]),),
    "self-placement": (_put(("shots", 0, "events", 0, "effects"), ["backpack in backpack"]),),
    "placement-cycle": (
        _add(("entities",), _BOX),
        _add(("initial",), "box in backpack"),
        _put(("shots", 0, "events", 0, "effects"), ["backpack in box"]),
    ),
    "zone-not-active": (_put(("shots", 0, "events", 0, "effects"), ["mina at locker-room.bench"]),),
    "initial-placement-missing": (_drop(("initial", 2)),),
    "initial-value-missing": (_drop(("initial", 5)),),
    "initial-contradiction": (_add(("initial",), "notebook held by mina"),),
    "actor-not-a-character": (_put(("shots", 0, "events", 0, "actors"), ["backpack"]),),
    "actor-absent": (_drop(("shots", 3, "offscreen")),),
    "out-of-reach": (_put(("shots", 2, "events", 0, "effects"), ["notebook held by mina"]),),
    "container-shut": (_drop(("shots", 1, "events", 0)),),
    "fixed-thing-moved": (_add(("shots", 0, "events", 0, "effects"), "desk at classroom.doorway"),),
    "one-way-undone": (
        _put(("entities", 2, "attributes"), _STATEFUL_NOTEBOOK),
        _add(("initial",), "notebook.seal = broken"),
        _add(("shots", 3, "events", 0, "effects"), "notebook.seal = whole"),
    ),
    "change-unseen": (
        _put(("entities", 1, "attributes"), [{"name": "flap", "values": ["closed", "torn"]}]),
        _add(("initial",), "backpack.flap = closed"),
        _put(("shots", 2, "events", 0, "effects"), ["backpack.flap = torn"]),
    ),
    "offscreen-changes-state": (_add(("shots", 4, "offscreen", 0, "effects"), "locker.door = open"),),
    "offscreen-moves-alone": (_add(("shots", 3, "offscreen", 0, "effects"), "notebook held by mina"),),
    "offscreen-required": (_put(("shots", 3, "offscreen", 0, "required"), True),),
    "anchor-invisible": (_put(("shots", 3, "anchors"), ["backpack"]),),
    "anchor-without-cut": (_put(("shots", 0, "anchors"), ["backpack"]),),
    "order-broken": (_put(("order", 0), {"first": "takes-notebook", "then": "stores-backpack"}),),
    "required-entity-missing": (_add(("request", "required_entities"), "brass key"),),
    "required-entity-unseen": (
        _add(("request", "required_entities"), "brass key"),
        _add(("entities",), _entity("key", "brass key", look="a small brass key")),
        _add(("initial",), "key offscreen"),
    ),
    "assertion-failed": (_put(("shots", 4, "opens_with"), ["notebook on desk"]),),
    "requirement-contradicts-state": (
        _put(
            ("shots", 3, "requirements"),
            [{"statement": "The red backpack is on the wooden desk.", "phase": "start"}],
        ),
    ),
    "shot-count": (_put(("request", "shots"), 7),),
    "duration-not-allowed": (_put(("shots", 0, "seconds"), 5.0),),
    "holder-not-acting": (
        _add(("entities",), {"id": "teacher", "name": "Mr Okoro", "kind": "character", "look": "a tall man in grey"}),
        _add(("initial",), "teacher at locker-room.bench"),
        _put(("shots", 1, "events", 1, "actors"), ["teacher"]),
    ),
    "nobody-acts": (_put(("shots", 1, "events", 0, "actors"), []),),
    "no-change": (_add(("shots", 4, "events", 0, "effects"), "locker.door = open"),),
    "hands-full": (
        _add(("entities",), _BOX),
        _add(("initial",), "box on desk"),
        _put(
            ("shots", 0, "events", 0, "effects"),
            ["backpack held by mina", "notebook held by mina", "box held by mina"],
        ),
    ),
    "subject-unseen": (_add(("shots", 3, "view", "subjects"), "backpack"),),
    "shot-without-event": (_put(("shots", 2, "events"), []),),
    "look-missing": (_put(("entities", 2, "look"), ""),),
    "looks-alike": (
        _add(("entities",), _entity("second", "old notebook", look="a thin green notebook")),
        _add(("initial",), "second on desk"),
    ),
    "never-seen": (_add(("entities",), _BOX), _add(("initial",), "box offscreen")),
    "environment-unused": (
        _add(
            ("environments",), {"id": "yard", "name": "school yard", "zones": [{"id": "gate", "name": "by the gate"}]}
        ),
    ),
    "reference-unmatched": (_put(("request", "references"), [{"of": "the caretaker", "picture": "caretaker.png"}]),),
}
