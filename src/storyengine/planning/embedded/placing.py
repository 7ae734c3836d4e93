"""The place of every shot: from the shot plan, and where it is silent from the story."""

from __future__ import annotations

from dataclasses import dataclass

from storyengine.language.reading import BriefEvent, BriefReading
from storyengine.language.reading.sifting import same_place, share
from storyengine.planning.embedded.roster import slug, speakable
from storyengine.request import StoryRequest


@dataclass(frozen=True, slots=True)
class Placing:
    """Places by id, and the place id of every shot."""

    ids: dict[str, str]
    """Name → id."""
    names: dict[str, str]
    """Id → name."""
    shots: tuple[str, ...]


def place_shots(request: StoryRequest, reading: BriefReading, assumptions: list[str]) -> Placing:
    """Give every shot a place. What the brief does not say goes into the assumptions."""
    names = [speakable(name) for name in reading.places] or ["room"]
    if not reading.places:
        assumptions.append("The brief names no place; the film is set in a room.")
    ids = {name.lower(): slug(name) for name in names}
    said = {shot: slug(speakable(places[0])) for shot, places in reading.shot_places.items() if shot <= request.shots}
    open_shots = [shot for shot in range(1, request.shots + 1) if shot not in said]
    if open_shots and not said:
        for shot, place in _from_story(request.shots, reading, ids).items():
            said[shot] = place
        places = list(dict.fromkeys(said[shot] for shot in sorted(said)))
        if len(ids) > 1:
            assumptions.append(
                f"The brief does not say which shots are where; they follow the story through {len(places)} places."
            )
    for shot in range(1, request.shots + 1):
        if shot not in said:
            near = said.get(shot - 1) or next(
                (said[later] for later in range(shot, request.shots + 1) if later in said), next(iter(ids.values()))
            )
            said[shot] = near
            assumptions.append(f"The brief does not say where shot {shot} is; it stays with its neighbour.")
    return Placing(
        ids,
        {identifier: name for name, identifier in zip(names, ids.values(), strict=True)},
        tuple(said[s] for s in range(1, request.shots + 1)),
    )


def _from_story(shots: int, reading: BriefReading, ids: dict[str, str]) -> dict[int, str]:
    """The places in the order in which the story comes to them, with shots in proportion to what happens there."""
    runs: list[tuple[str, int]] = []
    here = next(iter(ids.values()))
    whereabouts: dict[str, str] = {}
    for event in reading.events:
        agents = [agent.name for agent in event.reading.agents]
        stays = next((whereabouts[name] for name in agents if name in whereabouts), here)
        here = _place_of(event, ids) or stays
        whereabouts |= dict.fromkeys(agents, here)
        if runs and runs[-1][0] == here:
            runs[-1] = (here, runs[-1][1] + 1)
        else:
            runs.append((here, 1))
    runs = runs[: max(shots, 1)] or [(here, 1)]
    given = share(shots, [count for _, count in runs])
    return {shot: place for (place, _), numbers in zip(runs, given, strict=True) for shot in numbers}


def _place_of(event: BriefEvent, ids: dict[str, str]) -> str | None:
    names = [event.place]
    reading = event.reading
    names += [
        noun.name
        for noun in (reading.goal if reading.act in ("go", "carry", "push") else None, reading.place)
        if noun is not None
    ]
    for name in filter(None, names):
        for known, identifier in ids.items():
            if same_place(known, name):
                return identifier
    for noun in reading.things if reading.goal is None else (reading.goal, *reading.things):
        for known, identifier in ids.items():
            if noun.name.lower().startswith(f"{known} "):
                return identifier
    return None
