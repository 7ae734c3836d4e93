"""Whether a plan bears out a fact that a brief plainly states, written in one line of plain words.

    character: Mina            prop: red backpack            place: locker room
    shot 3 in locker room
    opens 4: backpack in locker          also: on, held by, attached to, at (a place, or place/zone words), offscreen
    closes 2: locker is shut             some attribute has this value
    hidden 4: backpack                   not visible from the shot's place when it opens
    seen 5: notebook                     visible there when it opens or closes
    event 2: Mina stores backpack        on screen, by this actor, about this thing; the verb is not compared
    event *: Tam lights lamp             in some shot
    order: stores backpack < takes notebook
    one-way: seal                        anchor 3: red barrow

Words are compared, not ids: the fact's words have to occur among the words of a name, its aliases or its look,
and the head noun has to be that of the name or of an alias. Where the text says "on the wall" and the plan has
no such thing but a zone of that name, being in the zone counts as being there. Relations other than `held by`
and `attached to` pass through what contains or supports: a pen in a case in a bag is in the bag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from storyengine.plan import (
    AttachedTo,
    Catalog,
    Entity,
    Environment,
    Event,
    HeldBy,
    InContainer,
    InSceneZone,
    OnSurface,
    Place,
    SemanticPlan,
    target_of,
)
from storyengine.plan.placement import write_placement
from storyengine.state import EventRef, Trajectory, World, is_visible, replay, walk, whereabouts

_LEFT_OUT = frozenset(["the", "a", "an", "his", "her", "its", "their", "my", "our", "your", "some"])
_SAME = (
    "shut closed locked sealed covered latched folded",
    "open opened unlocked ajar uncovered unlatched unfolded unsealed",
    "full filled loaded",
    "empty emptied drained",
    "lit on burning lighted alight glowing",
    "unlit off out dark doused extinguished",
    "broken cracked smashed snapped torn shattered split burst",
    "mended repaired fixed whole glued patched",
    "raised up hoisted",
    "lowered down",
    "clean cleaned washed wiped scrubbed polished swept",
    "wet soaked damp",
    "dry dried",
    "cut sliced chopped trimmed",
)


def stem(word: str) -> str:
    """Enough of a verb to find it in another form: `stor` of stores, stored and storing."""
    return re.sub(r"(?:ing|ies|ied|es|ed|e|s|y)$", "", word.lower())[:5]


_VERBS = tuple(
    {stem(word) for word in group.split()}
    for group in (
        "take takes took pick lift grab collect fetch remove get gets",
        "put place set lay lays laid store stow slip load stack drop deposit pack tuck slide",
        "give gives gave hand pass",
        "carry bring brought haul",
        "push wheel roll drag pull",
        "open unlock unlatch uncover unfold",
        "close shut lock latch cover fold",
        "break broke crack snap smash tear tore shatter",
        "mend repair glue patch fix",
        "hang hung pin tie fasten attach hook",
        "light lit switch ignite",
        "fill pour top ladle",
    )
)


class NotFound(Exception):
    """The plan has nothing that the words mean; the message says what it has."""


@dataclass(frozen=True)
class Film:
    """A plan with everything that facts are looked up in."""

    plan: SemanticPlan
    catalog: Catalog
    trajectory: Trajectory
    events: tuple[tuple[EventRef, Event], ...]
    """The on-screen events in story order."""

    def shot(self, number: int) -> int:
        """The position of a shot in the plan."""
        if not 1 <= number <= len(self.plan.shots):
            raise NotFound(f"the film has {len(self.plan.shots)} shots, none is number {number}")
        return number - 1

    def world(self, number: int, moment: str) -> World:
        states = self.trajectory.shots[self.shot(number)]
        return states.opening if moment == "opens" else states.closing


def holds(fact: str, plan: SemanticPlan) -> bool | str:
    """True, or a sentence saying what was found instead. Raises ValueError for a line that is no fact."""
    return holds_in(fact, film_of(plan))


def holds_in(fact: str, film: Film) -> bool | str:
    """The same for a film that is looked up many times."""
    for pattern, check in _FORMS:
        if match := pattern.fullmatch(" ".join(fact.split())):
            try:
                return check(film, *match.groups())
            except NotFound as missing:
                return str(missing)
    raise ValueError(f"{fact!r} is not a fact; see the forms in {__name__}")


def film_of(plan: SemanticPlan) -> Film:
    catalog = Catalog.of(plan)
    events = tuple((moment.ref, moment.event) for moment in walk(catalog, plan) if moment.ref.on_screen)
    return Film(plan, catalog, replay(plan, catalog), events)


# --- words


def words(text: str) -> tuple[str, ...]:
    """The words that carry meaning, without articles, possessives and the plural's s."""
    found = re.findall(r"\w+", re.sub(r"['’]s\b", "", text.lower()))
    return tuple(_singular(word) for word in found if word not in _LEFT_OUT)


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def head(text: str) -> str:
    """The noun that says what it is: `jar` of `big jar of honey`, `backpack` of `red backpack`."""
    first = words(re.split(r"\s+(?:of|with|from|for|in|on)\s+", text)[0])
    return first[-1] if first else ""


def _fits(phrase: str, names: Iterable[str], look: str, by_any_word: bool) -> bool:
    """Whether the phrase can mean something of these names and this look."""
    names = tuple(names)
    known = {word for name in (*names, look) for word in words(name)}
    if not set(words(phrase)) <= known:
        return False
    heads = {word for name in names for word in words(name)} if by_any_word else {head(name) for name in names}
    return head(phrase) in heads


def _distance(phrase: str, name: str) -> tuple[int, int]:
    wanted, found = set(words(phrase)), set(words(name))
    return (len(wanted - found), len(found - wanted))


def entity(film: Film, phrase: str, kind: str | None = None) -> Entity:
    fitting = [
        candidate
        for candidate in film.catalog.entities.values()
        if (kind is None or candidate.kind == kind)
        and _fits(phrase, (candidate.name, *candidate.aliases), candidate.look, candidate.kind == "character")
    ]
    if not fitting:
        named = ", ".join(candidate.name for candidate in film.catalog.entities.values())
        raise NotFound(f"the plan has no {kind or 'person or thing'} called {phrase!r}; it has {named or 'none'}")
    return min(fitting, key=lambda candidate: _distance(phrase, candidate.name))


def place(film: Film, phrase: str) -> Environment:
    fitting = [place for place in film.catalog.environments.values() if _fits(phrase, (place.name,), place.look, False)]
    if not fitting:
        named = ", ".join(place.name for place in film.catalog.environments.values())
        raise NotFound(f"the plan has no place called {phrase!r}; it has {named}")
    return min(fitting, key=lambda place: _distance(phrase, place.name))


# --- what exists


def _has_character(film: Film, phrase: str) -> bool | str:
    return bool(entity(film, phrase, "character"))


def _has_prop(film: Film, phrase: str) -> bool | str:
    return bool(entity(film, phrase, "prop"))


def _has_place(film: Film, phrase: str) -> bool | str:
    return bool(place(film, phrase))


def _shot_in(film: Film, number: str, phrase: str) -> bool | str:
    wanted, found = place(film, phrase).id, film.plan.shots[film.shot(int(number))].environment
    return wanted == found or f"shot {number} is in {found}"


# --- where things are, and in which state


def _placed(film: Film, moment: str, number: str, phrase: str, relation: str, target: str) -> bool | str:
    world, thing = film.world(int(number), moment), entity(film, phrase)
    found = f"{thing.name} is {write_placement(world[thing.id].placement)} when shot {number} {moment}"
    if relation == "at":
        return _is_at(film, world, thing, target) or found
    if relation in ("held by", "attached to"):
        kind = HeldBy if relation == "held by" else AttachedTo
        placement = world[thing.id].placement
        bearer = entity(film, target, "character" if relation == "held by" else None)
        return (isinstance(placement, kind) and target_of(placement) == bearer.id) or found
    return _rests(film, world, thing, relation, target) or found


def _rests(film: Film, world: World, thing: Entity, relation: str, target: str) -> bool:
    """In or on something, directly or through what contains or supports it; or in a zone of that name."""
    try:
        bearer = entity(film, target).id
    except NotFound:
        return _in_zone_called(film, world, thing, target)
    kind = InContainer if relation == "in" else OnSurface
    placement = world[thing.id].placement
    while not isinstance(placement, HeldBy) and (support := target_of(placement)) is not None:
        if isinstance(placement, kind) and support == bearer:
            return True
        placement = world[support].placement
    return False


def _in_zone_called(film: Film, world: World, thing: Entity, target: str) -> bool:
    """Whether the thing itself lies in a zone that is called after the target, or after a landmark so called."""
    placement = world[thing.id].placement
    if not isinstance(placement, InSceneZone):
        return False
    environment = film.catalog.environments[placement.environment]
    names = [zone.name for zone in environment.zones if zone.id == placement.zone]
    names += [mark.name for mark in environment.landmarks if mark.zone == placement.zone]
    known = {word for name in names for word in words(name)}
    if known and head(target) in known:
        return True
    raise NotFound(f"the plan has no thing or zone called {target!r} where {thing.name} is")


def _is_at(film: Film, world: World, thing: Entity, target: str) -> bool:
    where, _, zone_words = target.partition("/")
    wanted, found = place(film, where), whereabouts(film.catalog, world, thing.id)
    if found.environment != wanted.id:
        return False
    zones = [zone.name for zone in wanted.zones if zone.id == found.zone]
    return not zone_words or any(head(zone_words) in words(name) for name in zones)


def _offscreen(film: Film, moment: str, number: str, phrase: str) -> bool | str:
    world, thing = film.world(int(number), moment), entity(film, phrase)
    found = whereabouts(film.catalog, world, thing.id).environment
    return found is None or f"{thing.name} is in {found} when shot {number} {moment}"


def _valued(film: Film, moment: str, number: str, phrase: str, value: str) -> bool | str:
    world = film.world(int(number), moment)
    bearers = _bearers(film, phrase)
    found = [f"{thing.name}.{name} = {now}" for thing in bearers for name, now in world[thing.id].attributes.items()]
    values = [now for thing in bearers for now in world[thing.id].attributes.values()]
    said = ", ".join(found) or f"{bearers[0].name} has no attribute"
    return any(same_value(value, now) for now in values) or f"{said} when shot {number} {moment}"


def _bearers(film: Film, phrase: str) -> list[Entity]:
    """Whatever the words may mean when they name a thing with a state: the thing, its part, or its whole.

    "The locker is shut" may live on a locker door, and "the oven door is shut" on an oven with a door.
    """
    try:
        thing = [entity(film, phrase)]
    except NotFound:
        thing = [owner_of_part(film, phrase)]
    wanted = words(phrase)
    parts = [other for other in film.catalog.entities.values() if words(other.name)[: len(wanted)] == wanted]
    return [*thing, *(part for part in parts if part not in thing)]


def owner_of_part(film: Film, phrase: str) -> Entity:
    """The locker of `locker door` or of `door`, if a locker has a door and no other thing has one."""
    *whole, part = words(phrase)
    owners = [entity(film, " ".join(whole))] if whole else film.catalog.entities.values()
    having = [owner for owner in owners if part in (attribute.name for attribute in owner.attributes)]
    if len(having) != 1:
        raise NotFound(f"the plan has no thing called {phrase!r}, and {len(having)} with such a part")
    return having[0]


def same_value(wanted: str, found: str) -> bool:
    """Whether two state words mean the same: `shut` and `closed`, `full` and `full of water`."""
    have = set(re.findall(r"\w+", found.lower()))
    asked = re.findall(r"\w+", wanted.lower())
    if ("not" in have) != ("not" in asked):
        return False
    return all(have & _synonyms(word) for word in asked)


def _synonyms(word: str) -> set[str]:
    return {word}.union(*(group.split() for group in _SAME if word in group.split()))


# --- what can be seen


def _hidden(film: Film, number: str, phrase: str) -> bool | str:
    thing = entity(film, phrase)
    shown = is_visible(film.catalog, film.world(int(number), "opens"), thing.id, _environment(film, number))
    return not shown or f"{thing.name} can be seen when shot {number} opens"


def _seen(film: Film, number: str, phrase: str) -> bool | str:
    thing, here = entity(film, phrase), _environment(film, number)
    worlds = (film.world(int(number), moment) for moment in ("opens", "closes"))
    shown = any(is_visible(film.catalog, world, thing.id, here) for world in worlds)
    return shown or f"{thing.name} cannot be seen in shot {number}, neither when it opens nor when it closes"


def _environment(film: Film, number: str) -> str:
    return film.plan.shots[film.shot(int(number))].environment


# --- what happens


def _event(film: Film, number: str, sentence: str) -> bool | str:
    if number != "*":
        film.shot(int(number))
    actor, thing = _actor_and_thing(film, sentence)
    where = [(ref, event) for ref, event in film.events if number in ("*", str(ref.shot))]
    mine = [event for _, event in where if actor.id in event.actors]
    if any(_concerns(film, event, thing) for event in mine):
        return True
    said = " ".join(event.action for event in mine) or "nothing"
    return f"in {'the film' if number == '*' else f'shot {number}'} {actor.name} does: {said}"


def _actor_and_thing(film: Film, sentence: str) -> tuple[Entity, str]:
    """The actor is the longest opening that names a character; the thing is what follows the verb."""
    parts = sentence.split()
    for end in range(len(parts) - 1, 0, -1):
        try:
            return entity(film, " ".join(parts[:end]), "character"), _thing(film, parts[end + 1 :], sentence)
        except NotFound:
            if end == 1:
                raise
    raise NotFound(f"{sentence!r} names no actor")


def _thing(film: Film, parts: list[str], sentence: str) -> str:
    """The longest ending that names a thing or place of the plan; `up` of `picks up lamp` falls away."""
    for start in range(len(parts)):
        phrase = " ".join(parts[start:])
        for look_up in (entity, place, owner_of_part):
            try:
                return look_up(film, phrase).id
            except NotFound:
                continue
    raise NotFound(f"the plan has no thing or place that {sentence!r} could be about")


def _concerns(film: Film, event: Event, thing: str) -> bool:
    touched = {effect.entity for effect in event.effects}
    for effect in event.effects:
        if isinstance(effect, Place):
            placement = effect.placement
            touched.add(placement.environment if isinstance(placement, InSceneZone) else target_of(placement) or "")
    if thing in touched:
        return True
    known = film.catalog.entities.get(thing) or film.catalog.environments[thing]
    spoken = words(event.action)
    others = [other for other in film.catalog.entities.values() if head(other.name) == head(known.name)]
    wanted = words(known.name) if len(others) > 1 else (head(known.name),)
    return all(word in spoken for word in wanted)


def _order(film: Film, first: str, then: str) -> bool | str:
    before, after = _mentions(film, first), _mentions(film, then)
    return before[0] < after[0] or f"{first!r} is at {_listed(before)}, {then!r} at {_listed(after)}"


def _mentions(film: Film, sentence: str) -> list[EventRef]:
    """The events that the words may mean, in story order. An actor may stand first.

    Of the events about the thing those count that change it and use the verb, or else a verb of its kind; then
    those that only use such a verb; then all that change it; then all about it.
    """
    actor, parts = _actor_if_any(film, sentence.split())
    thing = _thing(film, parts[1:], sentence)
    about = [(ref, event) for ref, event in film.events if _concerns(film, event, thing)]
    about = [(ref, event) for ref, event in about if actor is None or actor.id in event.actors]
    changing = [(ref, event) for ref, event in about if thing in {effect.entity for effect in event.effects}]
    verb = stem(parts[0])
    kind = {verb}.union(*(group for group in _VERBS if verb in group))
    choices = [
        [ref for ref, event in events if verbs & _stems(event)]
        for events in (changing, about)
        for verbs in ({verb}, kind)
    ]
    meant = next(filter(None, [*choices, [ref for ref, _ in changing], [ref for ref, _ in about]]), [])
    if not meant:
        raise NotFound(f"no event on screen is what {sentence!r} says")
    return meant


def _actor_if_any(film: Film, parts: list[str]) -> tuple[Entity | None, list[str]]:
    for end in range(len(parts) - 2, 0, -1):
        try:
            return entity(film, " ".join(parts[:end]), "character"), parts[end:]
        except NotFound:
            continue
    return None, parts


def _stems(event: Event) -> set[str]:
    return {stem(word) for word in re.findall(r"[a-z]+", f"{event.action} {event.id or ''}".lower())}


def _listed(refs: list[EventRef]) -> str:
    return "; ".join(str(ref) for ref in refs)


# --- rules


def _one_way(film: Film, phrase: str) -> bool | str:
    bearers = _bearers(film, phrase)
    found = any(attribute.one_way for thing in bearers for attribute in thing.attributes)
    return found or f"{bearers[0].name} has no one-way attribute"


def _anchor(film: Film, number: str, phrase: str) -> bool | str:
    anchors = film.plan.shots[film.shot(int(number))].anchors
    return entity(film, phrase).id in anchors or f"shot {number} is anchored by {', '.join(anchors) or 'nothing'}"


_FORMS = tuple(
    (re.compile(pattern, re.IGNORECASE), check)
    for pattern, check in (
        (r"character: (.+)", _has_character),
        (r"prop: (.+)", _has_prop),
        (r"place: (.+)", _has_place),
        (r"shot (\d+) in (.+)", _shot_in),
        (r"(opens|closes) (\d+): (.+) offscreen", _offscreen),
        (r"(opens|closes) (\d+): (.+?) (held by|attached to|at|in|on) (.+)", _placed),
        (r"(opens|closes) (\d+): (.+) (?:is|are) (.+)", _valued),
        (r"hidden (\d+): (.+)", _hidden),
        (r"seen (\d+): (.+)", _seen),
        (r"event (\d+|\*): (.+)", _event),
        (r"order: (.+?) < (.+)", _order),
        (r"one-way: (.+)", _one_way),
        (r"anchor (\d+): (.+)", _anchor),
    )
)
