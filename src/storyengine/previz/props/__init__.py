"""Props: shape families with their states, built from looks.

model = build(prop_look("meal bin", "a waist-high wooden bin with a hinged lid"), ("thrown back", "full to the brim"))
model.instances(placement(at=(2, 3, 0)), id=12)
build_at(look, (("open", 0.4),))                # a lid on its way: the same meshes, other matrices
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from storyengine.previz.colours import PART_NOUNS, first_colour
from storyengine.previz.looks import PropLook
from storyengine.previz.props import (  # noqa: F401  each module registers its families
    apparatus,
    boxes,
    cloths,
    controls,
    fires,
    food,
    furniture,
    growing,
    lights,
    openings,
    papers,
    ropes,
    tools,
    toys,
    vessels,
    wheeled,
    works,
)
from storyengine.previz.props.kit import Draft, shelf_of
from storyengine.previz.props.model import (
    FAMILIES,
    Axes,
    Carry,
    Family,
    Grip,
    Part,
    PropModel,
    Rest,
    Shape,
    Space,
)
from storyengine.previz.props.overlays import OVERLAYS
from storyengine.previz.props.states import AXES, PLAIN_CONTENT, axes_of, content_colour, state_axes
from storyengine.previz.render import composed, placement
from storyengine.previz.render.values import Vec3

__all__ = [
    "AXES", "FAMILIES", "Axes", "Carry", "Family", "Grip", "Part", "PropModel", "Rest", "Space", "build", "build_at",
    "resolve", "state_axes",
]  # fmt: skip

STEPS = 48
"""A state on its way is rounded to this many steps, so that a motion needs a bounded number of models."""

# An axis that a family does not show itself stands for a neighbour that it does show: a raised lid is an open lid.
_NEIGHBOURS: dict[str, tuple[str, ...]] = {
    "open": ("raised", "spread", "turned"),
    "raised": ("open", "turned"),
    "fill": ("loaded",),
    "loaded": ("fill",),
    "turned": ("running", "open", "raised"),
    "running": ("lit", "turned"),
    "lit": ("running",),
    "wound": ("spread", "turned"),
    "spread": ("open", "wound"),
    "fastened": (),
    "hung": (),
}


_HIDDEN = ("fill", "loaded", "lit")
"""What cannot be seen behind a lid or a door."""
_LIDS = dict.fromkeys(
    (
        "chest",
        "box",
        "crate",
        "toolbox",
        "cupboard",
        "locker",
        "drawers",
        "tin",
        "furnace",
        "stove",
        "drill",
        "suitcase",
    ),
    "open",
) | {"oven": "raised"}
"""By which axis a family's lid is out of the way."""


def build(look: PropLook, states: tuple[str, ...] = ()) -> PropModel:
    """The prop in the state that the phrases describe. What they do not speak of is as the look has it."""
    return build_at(*resolve(look, states))


def resolve(look: PropLook, states: tuple[str, ...]) -> tuple[PropLook, tuple[tuple[str, float], ...]]:
    """Phrases of state as a look and axes, ready for `build_at`.

    "Painted red" changes the look's colour, "handle gold" that of what is set off, "full of seed" the colour of its
    contents; later phrases win.
    """
    axes: dict[str, float] = {}
    for phrase in states:
        said = dict(axes_of(phrase))
        colour = first_colour(phrase)
        if "mark" in said and colour is not None:
            of_part = not PART_NOUNS.isdisjoint(phrase.split())
            look = replace(look, accent=colour) if of_part else replace(look, colour=colour)
            continue
        if said.get("fill", said.get("loaded", 0.0)) > 0:
            look = replace(look, content=content_colour(phrase) or look.content or PLAIN_CONTENT)
        axes.update(said)
    return look, tuple(sorted(axes.items()))


WAYS = ("across", "turned")
"""Axes that turn a thing as a whole, unless its family shows them otherwise."""


def only_turned(look: PropLook, states: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether two states differ by nothing but the way a thing stands, which no single picture tells."""
    shown = []
    for phrases in (states, others):
        seen, axes = resolve(look, phrases)
        shown.append((seen, *_divided(FAMILIES.get(look.family, FAMILIES["box"]), seen, dict(axes))))
    (one, own, general), (other, its, rest) = shown
    differ = {axis for axis, _ in general.items() ^ rest.items()}
    return one == other and own == its and bool(differ) and differ.issubset(WAYS)


def build_at(look: PropLook, axes: tuple[tuple[str, float], ...] = ()) -> PropModel:
    """The prop at a point of its state: axes of `AXES` with values from 0 to 1."""
    rounded = tuple(sorted((axis, round(min(max(value, 0.0), 1.0) * STEPS) / STEPS) for axis, value in axes))
    exact = tuple((axis, value if axis != "mark" else dict(axes)["mark"]) for axis, value in rounded)
    return _built(look, exact)


@lru_cache(maxsize=4096)
def _built(look: PropLook, axes: tuple[tuple[str, float], ...]) -> PropModel:
    family = FAMILIES.get(look.family, FAMILIES["box"])
    own, general = _divided(family, look, dict(axes))
    draft = Draft(look, shelf_of(look), look.content or PLAIN_CONTENT)
    family.build(draft, own)
    shape = _repeated(draft.shape(), look.count, family)
    for axis, overlay in OVERLAYS.items():
        value = general.get(axis, 0.0)
        if (axis == "mark" and axis in general) or value > 0.02:
            shape = overlay(shape, value, draft)
    return _scaled(shape, family, look)


def _divided(family: Family, look: PropLook, axes: Axes) -> tuple[Axes, Axes]:
    """Axes that the family's own parts show, and those left for overlays.

    What is said to be full, empty or burning inside is shown open, unless its lid is spoken of too: a viewer with the
    sound off must be able to name the state.
    """
    own: Axes = {}
    general: Axes = {}
    lid = _LIDS.get(look.family)
    if lid is not None and not {"open", "raised"} & axes.keys() and any(axis in axes for axis in _HIDDEN):
        own[lid] = 1.0
    if look.content is not None and "fill" in family.axes:
        own["fill"] = 1.0
    for axis, value in axes.items():
        if axis in family.axes:
            own[axis] = value
            continue
        stand_in = next((n for n in _NEIGHBOURS.get(axis, ()) if n in family.axes and n not in axes), None)
        if stand_in is not None:
            own[stand_in] = value
        else:
            general[axis] = value
    return own, general


def _repeated(shape: Shape, count: int, family: Family) -> Shape:
    """Several of a kind: side by side along the shorter side of their footprint, a second row from four on."""
    if count <= 1:
        return shape
    long = family.size[0] > 1.6 * family.size[1]
    parts = []
    for k in range(count):
        along = k % 3 - (min(count, 3) - 1) / 2
        row = (count - 1) // 3 / 2 - k // 3
        x, y = (row, along) if long else (along, row)
        # A few degrees of turn each keep a row from looking stamped; long things lie closer to parallel.
        turn = ((k * 37) % 17 - 8) * (0.25 if long else 1.0)
        shift = placement((x * family.size[0] * 1.08, y * family.size[1] * 1.08, 0), yaw=turn)
        parts += [replace(p, name=f"{p.name} {k}", matrix=composed(shift, p.matrix)) for p in shape.parts]
    return replace(shape, parts=tuple(parts))


def _scaled(shape: Shape, family: Family, look: PropLook) -> PropModel:
    k = look.size

    def times(v: Vec3) -> Vec3:
        return (v[0] * k, v[1] * k, v[2] * k)

    grow = placement(scale=k)
    parts = tuple(replace(p, matrix=composed(grow, p.matrix)) for p in shape.parts)
    return PropModel(
        look=look,
        parts=parts,
        size=times(family.size),
        grips=tuple(replace(g, at=times(g.at)) for g in shape.grips),
        rests=tuple(
            Rest(r.name, r.z * k, (r.low[0] * k, r.low[1] * k), (r.high[0] * k, r.high[1] * k)) for r in shape.rests
        ),
        inside=None if shape.inside is None else Space(times(shape.inside.low), times(shape.inside.high)),
        hangs=family.hangs,
        wall=family.wall,
        carry=shape.carry or family.carry,
    )
