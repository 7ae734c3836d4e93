"""Grounded contexts `U_i`: for every shot a view of its place, a camera, bindings, and what the camera will show."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

from storyengine.continuity.crew import Crew
from storyengine.contract import SMALLEST_SHARE, Binding, GroundedContext, lies_inside
from storyengine.grounding.camera import Solved, Wish, solve, unaimed
from storyengine.grounding.library import Library
from storyengine.grounding.panorama import Panorama
from storyengine.grounding.sphere import Extent
from storyengine.media import panorama as sphere_views
from storyengine.plan import Catalog, Entity, Environment, SemanticPlan, Shot
from storyengine.state import ShotStates, Trajectory, is_visible, whereabouts

PERSON_SHARE = {"wide": 0.04, "medium": 0.10, "tight": 0.20}
THING_SHARE = {"wide": 0.008, "medium": 0.015, "tight": 0.03}
FURNITURE_SHARE = {"wide": 0.03, "medium": 0.05, "tight": 0.05}
TINY_SHARE = {"wide": 0.001, "medium": 0.003, "tight": 0.012}
"""Nominal shares of the frame by framing: a person, a thing in hand, a piece of furniture, what fingertips hold."""

TINY = frozenset(
    (
        *("bead", "bolt", "button", "chalk", "coin", "earring", "key", "match", "nail", "needle", "nut", "pebble"),
        *("pen", "pencil", "pill", "pin", "ring", "screw", "seed", "stamp", "thimble", "thread", "ticket", "token"),
        *("buckle", "clasp", "cork", "handle", "hinge", "knob", "latch", "rivet", "shard", "spout", "stopper"),
        *("badge", "comb", "dice", "egg", "feather", "marble", "medal", "spatula", "spoon", "syringe", "toothbrush"),
        *("whisk",),
    )
)
"""Things so small that only a tight framing shows them well enough to decide what they are."""

FITTINGS = frozenset(("bell", "bracket", "dial", "gauge", "hook", "peg", "plaque", "socket", "switch", "tap", "valve"))
"""What is fixed to a wall and no larger than a thing in hand."""

UNPAINTED = "unpainted"
"""Stands for the digest of a reference that is still to be made."""

CUTTERS = 2
"""Views that are cut out of panoramas at once."""

ACTION = Extent(0.0, -8.0, 14.0, 14.0)
"""The room that acting people take, around the direction of their zone."""


def ground_shots(
    crew: Crew, plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory, library: Library
) -> tuple[GroundedContext, ...]:
    """One context per shot. Views are cut from the panorama and know it as their parent."""
    aspect = crew.delivery.width / crew.delivery.height
    seen_before: Counter[str] = Counter()
    handed_over = hand_overs(plan, catalog, trajectory)
    cameras = []
    for shot, states, handed in zip(plan.shots, trajectory.shots, handed_over, strict=True):
        place = catalog.environments[shot.environment]
        panorama = library.panoramas[place.id]
        wishes = _wishes(shot, states, handed, place, catalog, panorama)
        solved = solve(wishes, shot.view, aspect, seen_before[place.id]) if wishes else unaimed(shot.view, aspect)
        seen_before[place.id] += 1
        cameras.append(solved)
    with ThreadPoolExecutor(CUTTERS) as cutters:
        context = partial(_context, crew, catalog, library)
        return tuple(cutters.map(context, plan.shots, trajectory.shots, handed_over, cameras))


def _context(
    crew: Crew,
    catalog: Catalog,
    library: Library,
    shot: Shot,
    states: ShotStates,
    handed_over: tuple[str, ...],
    solved: Solved,
) -> GroundedContext:
    look, panorama = solved.look, library.panoramas[shot.environment].picture
    width, height = crew.delivery.width, crew.delivery.height
    view = sphere_views.view(crew.picture(panorama), look.yaw, look.pitch, look.fov, width, height)
    place = catalog.environments[shot.environment]
    return GroundedContext(
        view=crew.keep(view.to_png()),
        panorama=panorama,
        camera=solved.view,
        bindings=tuple(_bindings(catalog, library, shot, states)),
        landmarks=tuple(mark.id for mark in place.landmarks if mark.id in solved.held),
        predicted=tuple(_predicted(catalog, shot, states, solved)),
        handed_over=handed_over,
        dropped=tuple(f"the view cannot also hold {name}" for name in solved.dropped),
    )


def _wishes(
    shot: Shot,
    states: ShotStates,
    handed_over: Collection[str],
    place: Environment,
    catalog: Catalog,
    panorama: Panorama,
) -> list[Wish]:
    """The action first, then fixed things that take part, then landmarks, then what the next shot begins with. None
    where the action cannot be found."""
    zone = action_zone(shot, states, place, catalog)
    towards = zone_direction(zone, place, catalog, states, panorama)
    if towards is None:
        return []
    action = Extent(towards.yaw, ACTION.pitch, ACTION.half_width, ACTION.half_height)
    wishes = [Wish("the action", action, 0)]
    involved = {effect.entity for event in shot.events for effect in event.effects} | set(shot.view.subjects)
    for name, where in panorama.found.items():
        if name in involved:
            wishes.append(Wish(name, where, 1))
        elif name in shot.view.landmarks:
            wishes.append(Wish(name, where, 2))
        elif name in handed_over:
            wishes.append(Wish(name, where, 3))
    return wishes


def hand_overs(plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory) -> list[tuple[str, ...]]:
    """For every shot what the next one must show first, if it is in the same place, and this one need not show."""
    handed: list[tuple[str, ...]] = []
    for (shot, states), (following, then) in pairwise(zip(plan.shots, trajectory.shots, strict=True)):
        there: list[str] = []
        if following.environment == shot.environment:
            own = _plainly(expected_in_view(catalog, shot, states))
            first = _plainly(expected_in_view(catalog, following, then))
            there = [e for e in first if e not in own and is_visible(catalog, states.closing, e, shot.environment)]
        handed.append(tuple(e for e in there if _opens_with(catalog, following, then, e)))
    return [*handed, ()]


def _opens_with(catalog: Catalog, shot: Shot, states: ShotStates, entity: str) -> bool:
    """Whether something is seen as a shot opens; what lies in a container is not asked for."""
    return not lies_inside(states.opening, entity) and is_visible(catalog, states.opening, entity, shot.environment)


def _plainly(predicted: Iterable[tuple[str, float]]) -> list[str]:
    return [entity for entity, share in predicted if share >= SMALLEST_SHARE]


def action_zone(shot: Shot, states: ShotStates, place: Environment, catalog: Catalog) -> str:
    """The zone where the action is: the view's region, else where most of the actors are."""
    if shot.view.region is not None:
        return shot.view.region
    actors = [actor for event in shot.events for actor in event.actors]
    zones = Counter(
        where.zone
        for actor in actors
        if (where := whereabouts(catalog, states.opening, actor)).environment == place.id and where.zone
    )
    return zones.most_common(1)[0][0] if zones else place.zones[0].id


def zone_direction(
    zone: str, place: Environment, catalog: Catalog, states: ShotStates, panorama: Panorama
) -> Extent | None:
    """Where a zone lies: by what stands in it, else by what its name speaks of; None where nothing tells."""
    standing = [mark.id for mark in place.landmarks if mark.zone == zone]
    standing += [
        entity
        for entity in catalog.entities
        if (where := whereabouts(catalog, states.opening, entity)).environment == place.id and where.zone == zone
    ]
    words = set(_stems(next(z.name for z in place.zones if z.id == zone)))
    named = [mark.id for mark in place.landmarks if words & set(_stems(mark.name))]
    named += [entity.id for entity in catalog.entities.values() if words & set(_stems(entity.name))]
    for thing in (*standing, *named):
        if thing in panorama.found:
            return panorama.found[thing]
    return None


def _stems(words: str) -> list[str]:
    return [word.rstrip("s") for word in re.findall(r"[a-z]{4,}", words.lower())]


def _predicted(catalog: Catalog, shot: Shot, states: ShotStates, solved: Solved) -> list[tuple[str, float]]:
    """What the camera will show, with a nominal share of the frame: those who act, what they handle, what it holds."""
    acting = {actor for event in shot.events for actor in event.actors}
    handled = {effect.entity for event in shot.events for effect in event.effects}
    shown = acting | handled | set(shot.view.subjects) | set(shot.anchors)
    dropped = set(solved.dropped)
    predicted = []
    for entity in catalog.entities.values():
        there = any(
            is_visible(catalog, world, entity.id, shot.environment) for world in (states.opening, states.closing)
        )
        if entity.id in shown - dropped and there:
            predicted.append((entity.id, _nominal_shares(entity)[shot.view.framing]))
    return predicted


def _nominal_shares(entity: Entity) -> dict[str, float]:
    if entity.kind == "character":
        return PERSON_SHARE
    noun = entity.name.lower().split()[-1].removesuffix("s")
    if noun in TINY:
        return TINY_SHARE
    stands = "fixed" in entity.roles or "wheeled" in entity.roles
    return FURNITURE_SHARE if stands and noun not in FITTINGS else THING_SHARE


def expected_in_view(catalog: Catalog, shot: Shot, states: ShotStates) -> list[tuple[str, float]]:
    """What any camera would show of a shot, where nobody solved for one."""
    return _predicted(catalog, shot, states, unaimed(shot.view, aspect=16 / 9))


def planned_contexts(plan: SemanticPlan, catalog: Catalog, trajectory: Trajectory) -> tuple[GroundedContext, ...]:
    """Contexts before anything is painted: every reference is taken for granted, and nobody solved for a camera.

    What is required of a shot follows from them already; only a wish that a solved camera drops is no longer asked for.
    """
    contexts = []
    handed = hand_overs(plan, catalog, trajectory)
    for shot, states, handed_over in zip(plan.shots, trajectory.shots, handed, strict=True):
        there = [e for e in catalog.entities if is_visible(catalog, states.opening, e, shot.environment)]
        there += [e for e in catalog.entities if is_visible(catalog, states.closing, e, shot.environment)]
        contexts.append(
            GroundedContext(
                camera=unaimed(shot.view, aspect=16 / 9).view,
                bindings=tuple(Binding(entity=e, values=(), asset=UNPAINTED) for e in dict.fromkeys(there)),
                predicted=tuple(expected_in_view(catalog, shot, states)),
                handed_over=handed_over,
            )
        )
    return tuple(contexts)


def _bindings(catalog: Catalog, library: Library, shot: Shot, states: ShotStates) -> list[Binding]:
    """State-appropriate references of what is there, and the end state's where a visible change needs it."""
    bindings = []
    for entity in catalog.entities:
        if is_visible(catalog, states.opening, entity, shot.environment):
            bindings.append(library.bind(catalog, states.opening, entity))
        if is_visible(catalog, states.closing, entity, shot.environment):
            at_end = library.bind(catalog, states.closing, entity, at_end=True)
            before = library.bind(catalog, states.opening, entity)
            if at_end is not None and (before is None or before.asset != at_end.asset):
                bindings.append(at_end)
    return [binding for binding in bindings if binding is not None]
