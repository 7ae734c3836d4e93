"""Arranging: what must be seen and is not is moved to where the camera sees it, and who hides it steps aside.

The studio looks at a small draft of its own picture, as a set dresser looks through the finder. What never moves
stays where it is; where nothing helps, the scene stays as it was.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from storyengine.previz.studio.blocking import faced, hidden, in_the_way
from storyengine.previz.studio.drawing import draft_shares, draft_whole
from storyengine.previz.studio.scene import Scene, Stand, Thing
from storyengine.previz.studio.sets import is_free, place_of
from storyengine.previz.studio.staging import bearing, model_of, rest, turned_by

SEEN = 0.0006
"""Share of the frame from which something counts as seen."""
FREE, SMALL = 0.4, 0.02
"""Part of a thing that must be seen of it, where it takes less than that share of the frame: of a bowl behind somebody
a rim is not enough, of a wardrobe half a door is."""
CLEAR, HAND = 0.0025, 0.15
"""Share of the frame from which a held thing can be named, and the length in metres from which it should be."""
TURNS = (35.0, -35.0, 70.0, -70.0)
"""Degrees by which somebody turns to show what they hold."""
TRIED = 8
"""Places that are tried for one thing."""


def arranged(scene: Scene, wanted: Collection[str], aim: Callable[[Scene], Scene]) -> Scene:
    """The scene with everything wanted in sight, as far as things can be put elsewhere and people can step aside.

    Where that does not help under the same camera, it is aimed anew at the scene so changed.
    """
    for name in lost(scene, wanted):
        if name in lost(scene, wanted):
            scene = _first_better(scene, wanted, _changes(scene, name))
        if name in lost(scene, wanted):
            scene = _first_better(scene, wanted, map(aim, _changes(scene, name)))
    for name in _slivers(scene, wanted):
        scene = _shown(scene, wanted, name)
    return scene


def _slivers(scene: Scene, wanted: Collection[str]) -> list[str]:
    """What somebody holds and of which so little is seen that nobody could name it."""
    if scene.lens is None or scene.setting is None:
        return []
    held = [thing for thing in scene.things if thing.id in wanted and thing.relation == "held"]
    held = [thing for thing in held if max(model_of(thing).size) >= HAND]
    found = draft_shares(scene) if held else {}
    return [thing.id for thing in held if found.get(thing.id, 0.0) < CLEAR]


def _shown(scene: Scene, wanted: Collection[str], name: str) -> Scene:
    """The first change that shows a held thing clearly and loses nothing; the scene as it was where there is none."""
    before = set(lost(scene, wanted))
    for changed in _changes(scene, name):
        if draft_shares(changed).get(name, 0.0) >= CLEAR and before.issuperset(lost(changed, wanted)):
            return changed
    return scene


def stepped_aside(scene: Scene, wanted: Collection[str]) -> Scene:
    """The scene with people standing so that they hide nothing that is wanted; things stay where they are."""
    for name in lost(scene, wanted):
        if name in lost(scene, wanted):
            scene = _first_better(scene, wanted, _asides(scene, name))
    return scene


def lost(scene: Scene, wanted: Collection[str]) -> list[str]:
    """What is wanted, is in the scene and not shut away, and cannot be seen, or hardly."""
    if scene.lens is None or scene.setting is None:
        return []
    there = [name for name in scene.people if name in wanted]
    there += [name for name in scene.props if name in wanted and not scene.is_hidden(name)]
    found = draft_shares(scene) if there else {}
    return [name for name in there if found.get(name, 0.0) < SEEN or _is_covered(scene, name, found[name])]


def _is_covered(scene: Scene, name: str, seen: float) -> bool:
    """Whether too little is seen of a thing because something is before it. What lies in something always is."""
    thing = scene.props.get(name)
    if thing is None or thing.relation == "in" or seen >= SMALL:
        return False
    return seen < FREE * draft_whole(scene, rest(scene), name)


def _first_better(scene: Scene, wanted: Collection[str], changes: Iterator[Scene]) -> Scene:
    """The first change that loses less."""
    before = len(lost(scene, wanted))
    return next((changed for changed in changes if len(lost(changed, wanted)) < before), scene)


def _changes(scene: Scene, name: str) -> Iterator[Scene]:
    """Ways to bring something out: into another hand, to another place, or by moving what hides it."""
    if name in scene.people:
        yield from _people_moved(scene, name)
        return
    thing = scene.props[name]
    if thing.relation == "held":
        yield from (scene.with_thing(replace(thing, slot=slot)) for slot in (0.5, 0.0, 1.0) if slot != thing.slot)
    if thing.relation == "on":
        yield from (scene.with_thing(replace(thing, slot=slot)) for slot in scene.free_slots("on", thing.target))
    root = _root(scene, thing)
    if root.relation == "stands" and root.stand is not None and not root.fixed:
        yield from _thing_moved(scene, root)
    yield from _asides(scene, name)
    for other in scene.things:
        if other.relation == "stands" and not other.fixed and other is not root and _is_between(scene, other, name):
            yield from _thing_moved(scene, other)


def _asides(scene: Scene, name: str) -> Iterator[Scene]:
    """Ways in which people show something: the holder turns, or who stands before it goes elsewhere."""
    thing = scene.props.get(name)
    holder = scene.people.get(thing.target) if thing is not None and thing.relation == "held" else None
    if holder is not None:
        for turn in TURNS:
            stand = replace(holder.stand, yaw=holder.stand.yaw + turn)
            yield scene.with_actor(replace(holder, stand=stand))
        yield from _people_moved(scene, holder.id)
    for actor in scene.actors:
        if actor.id != name and draft_shares(scene.without([actor.id])).get(name, 0.0) >= SEEN:
            yield from _people_moved(scene, actor.id)


def _people_moved(scene: Scene, actor: str) -> Iterator[Scene]:
    person = scene.people[actor]
    for x, y in _clear_points(scene, (person.stand.x, person.stand.y), 0.2, actor):
        stand = Stand(x, y, 0.0, person.stand.yaw)
        yield scene.with_actor(replace(person, stand=faced(stand, scene.lens)))


def _thing_moved(scene: Scene, thing: Thing) -> Iterator[Scene]:
    assert thing.stand is not None
    half = max(model_of(thing).size[:2]) / 2
    rest = scene.without([thing.id])
    for x, y in _clear_points(rest, (thing.stand.x, thing.stand.y), half, ""):
        yield scene.with_thing(replace(thing, stand=replace(thing.stand, x=x, y=y, z=0.0)))


def _clear_points(scene: Scene, near: tuple[float, float], margin: float, actor: str) -> Iterator[tuple[float, float]]:
    """Clear floor in front of the camera, nearest first."""
    assert scene.lens is not None
    assert scene.setting is not None
    lens, place = scene.lens, place_of(scene.setting)
    standing = [thing for thing in scene.things if thing.relation == "stands"]
    points = []
    for away in (1.6, 2.0, 2.4, 2.8, 3.2, 3.7, 4.3):
        for share in (-0.36, -0.28, -0.19, -0.1, 0.0, 0.1, 0.19, 0.28, 0.36):
            a = math.radians(lens.yaw + share * lens.fov)
            points.append((lens.x + away * math.sin(a), lens.y + away * math.cos(a)))
    count = 0
    for x, y in sorted(points, key=lambda point: math.dist(point, near)):
        apart = all(math.dist((x, y), (o.stand.x, o.stand.y)) > 0.6 for o in scene.actors if o.id != actor)
        free = apart and is_free(place, standing, x, y, margin)
        if free and not in_the_way(scene, (x, y)) and not hidden(scene, (x, y)):
            yield x, y
            count += 1
            if count == TRIED:
                return


def _is_between(scene: Scene, thing: Thing, name: str) -> bool:
    """Whether a thing stands about in the line from the camera to another."""
    root = _root(scene, scene.props[name])
    if scene.lens is None or root.stand is None or thing.stand is None:
        return False
    eye, target, here = (scene.lens.x, scene.lens.y), (root.stand.x, root.stand.y), (thing.stand.x, thing.stand.y)
    width = math.degrees(math.atan2(max(model_of(thing).size[:2]), max(math.dist(eye, here), 0.3)))
    nearer = math.dist(eye, here) < math.dist(eye, target)
    return nearer and abs(turned_by(bearing(eye, here), bearing(eye, target))) < width


def _root(scene: Scene, thing: Thing) -> Thing:
    """What a thing rests on in the end."""
    seen = {thing.id}
    while thing.target in scene.props and thing.target not in seen:
        seen.add(thing.target)
        thing = scene.props[thing.target]
    return thing
