"""The storyboard strip and, under it, state ribbons: where each key thing is from shot to shot.

Every shot is two columns wide, one for its opening and one for its closing world, so that a bar changes in the middle
of the shot that changes it, and between two shots where the change happens off screen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from storyengine.continuity.shooting import Take
from storyengine.delivery.report_markup import Markup, el, together
from storyengine.delivery.report_media import Thumbnails
from storyengine.delivery.report_story import Story, in_words
from storyengine.plan import Entity
from storyengine.state import EventRef

COLOURS = 8
"""Places beyond the eighth share colours; their names tell them apart."""


@dataclass(frozen=True)
class Spot:
    """What a bar shows of a moment. Moments that are alike and follow each other become one bar."""

    label: str
    kind: str
    """`seen`, `carried`, `hidden`, `away` or `value`."""
    colour: int | None


@dataclass(frozen=True)
class Bar:
    """A stretch of the film through which something stays as it is."""

    spot: Spot
    start: int
    """Column, from 0; two for every shot."""
    length: int
    sentence: str
    cause: EventRef


@dataclass(frozen=True)
class Ribbon:
    """The bars of one thing, or of one of its attributes."""

    name: str
    part: str
    bars: tuple[Bar, ...]


def ribbons(story: Story) -> Iterator[Ribbon]:
    """A ribbon for everybody, for everything that is moved, and for every attribute that changes."""
    for entity in story.catalog.entities.values():
        if entity.kind == "character" or len(story.trajectory.history[entity.id, None]) > 1 or _travels(story, entity):
            yield Ribbon(entity.name, "", _bars(story, lambda *at, e=entity: _whereabouts(story, e, *at)))
        for attribute in entity.attributes:
            if len(story.trajectory.history[entity.id, attribute.name]) > 1:
                part = "" if attribute.name == "state" else in_words(attribute.name)
                at_moment = _value(story, entity, attribute.name, attribute.values)
                yield Ribbon(entity.name, part or "state", _bars(story, at_moment))


def unmoved(story: Story) -> list[str]:
    """Everything that has no ribbon, in a sentence each."""
    shown = {ribbon.name for ribbon in ribbons(story)}
    others = [entity.id for entity in story.catalog.entities.values() if entity.name not in shown]
    return [story.sentence(entity, 1, closing=False) for entity in others]


def _travels(story: Story, entity: Entity) -> bool:
    """Whether something that is never moved itself is moved with what bears it."""
    places = {story.where(entity.id, n + 1, closing=True).environment for n in range(len(story.plan.shots))}
    return len(places) > 1


Moment = Callable[[int, bool], tuple[Spot, str, EventRef]]


def _bars(story: Story, at_moment: Moment) -> tuple[Bar, ...]:
    moments = [at_moment(shot + 1, closing) for shot in range(len(story.plan.shots)) for closing in (False, True)]
    bars, start = [], 0
    for spot, run in groupby(moments, key=lambda moment: moment[0]):
        stretch = list(run)
        bars.append(Bar(spot, start, len(stretch), stretch[0][1], stretch[0][2]))
        start += len(stretch)
    return tuple(bars)


def _whereabouts(story: Story, entity: Entity, shot: int, closing: bool) -> tuple[Spot, str, EventRef]:
    where = story.where(entity.id, shot, closing=closing)
    label = story.where_words(entity.id, story.world(shot, closing=closing))
    if where.environment is None:
        kind = "away"
    elif where.hidden_in is not None:
        kind = "hidden"
    else:
        kind = "carried" if where.carrier is not None else "seen"
    if not where.chain and where.environment is not None:  # the colour and the legend name the place already
        label = label.removesuffix(f" in the {story.catalog.environments[where.environment].name}")
    colour = None if where.environment is None else story.places[where.environment]
    sentence = story.sentence(entity.id, shot, closing=closing)
    return Spot(label, kind, colour), sentence, story.latest_cause(entity.id, shot, closing=closing)


def _value(story: Story, entity: Entity, attribute: str, values: tuple[str, ...]) -> Moment:
    def moment(shot: int, closing: bool) -> tuple[Spot, str, EventRef]:
        value = story.world(shot, closing=closing)[entity.id].attributes[attribute]
        cause = story.trajectory.cause(entity.id, attribute, shot=shot, closing=closing).cause
        tone = round(3 * values.index(value) / max(len(values) - 1, 1))
        sentence = f"{entity.name}, {in_words(attribute)}: {value}."
        return Spot(value, f"value tone{tone}", None), sentence, cause

    return moment


# --- markup ----------------------------------------------------------------------------------------------------


def storyboard(story: Story, takes: Mapping[int, Take], thumbnails: Thumbnails) -> Markup:
    """Strip and ribbons in one frame that scrolls sideways, so that they stay in line."""
    count = len(story.plan.shots)
    rows = [el("div", "Shots", class_="name first", style="grid-row:1")]
    rows += [_tile(story, number, takes.get(number), thumbnails) for number in range(1, count + 1)]
    shown = list(ribbons(story))
    for row, ribbon in enumerate(shown, start=2):
        part = el("small", ribbon.part) if ribbon.part else None
        rows.append(el("div", ribbon.name, part, class_="name", style=f"grid-row:{row}"))
        rows += [_bar(story, bar, row) for bar in ribbon.bars]
    rows.append(el("div", class_="playhead", id="playhead", hidden=True, aria_hidden="true"))
    grid = el("div", *rows, class_="board", style=f"--shots:{count};--rows:{len(shown) + 1}")
    region = el("div", grid, class_="scroller", tabindex=0, role="region", aria_label="Storyboard and state ribbons")
    rest = unmoved(story)
    still = el("p", el("b", "Never changes: "), " ".join(rest), class_="quiet") if rest else None
    return together(region, _legend(story), still)


def opening_of(take: Take) -> str | None:
    """The opening that a shot begins with, or the last that was tried for it."""
    if take.chosen is not None:
        return take.chosen.opening.picture
    return take.openings[-1].picture if take.openings else None


def status_of(take: Take | None) -> tuple[str, str]:
    """A class and a word for what became of a shot."""
    if take is None:
        return "todo", "not shot yet"
    if take.chosen is None:
        return "slate", "slate"
    return ("good", "accepted") if take.accepted else ("bad", "degraded")


MARKS = {"todo": "·", "slate": "✗", "bad": "!", "good": "✓"}


def _tile(story: Story, number: int, take: Take | None, thumbnails: Thumbnails) -> Markup:
    place = story.plan.shots[number - 1].environment
    opening = opening_of(take) if take else None
    link = thumbnails.picture(opening) if opening else None
    alt = f"Opening of shot {number}"
    picture = el("img", src=link, alt=alt, loading="lazy") if link else el("span", class_="blank")
    kind, word = status_of(take)
    mark = el("span", MARKS[kind], class_=f"mark {kind}", title=word, role="img", aria_label=word)
    return el(
        "a",
        picture,
        el("span", el("b", str(number)), f" {story.catalog.environments[place].name}", class_="under"),
        mark,
        class_=f"tile p{story.places[place] % COLOURS} {kind}",
        href=f"#shot-{number}",
        style=f"grid-row:1;grid-column:{2 * number}/span 2",
        data_shot=number,
    )


def _bar(story: Story, bar: Bar, row: int) -> Markup:
    event = story.event(bar.cause)
    since = "So from the beginning." if event is None else f"{str(bar.cause).capitalize()}: {event.action}"
    colour = "" if bar.spot.colour is None else f" p{bar.spot.colour % COLOURS}"
    return el(
        "a",
        el("span", bar.spot.label),
        class_=f"bar {bar.spot.kind}{colour}",
        href=f"#shot-{bar.start // 2 + 1}",
        title=f"{bar.sentence}\n{since}",
        style=f"grid-row:{row};grid-column:{bar.start + 2}/span {bar.length}",
    )


def _legend(story: Story) -> Markup:
    places = [
        el("span", story.catalog.environments[place].name, class_=f"key p{number % COLOURS}")
        for place, number in story.places.items()
    ]
    kinds = [el("span", word, class_=f"key {word.split()[0]}") for word in ("carried", "hidden", "away")]
    return el("p", *places, *kinds, class_="legend")
