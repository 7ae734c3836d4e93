"""The canonical library: one reference per planned appearance of everybody and everything, one panorama per place.

Candidates are screened against the description before they are used; a rejected one is painted again within a bound,
and its specification never changes. An author's own picture takes the place of a generated one and is verified like it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from storyengine.backends.hired import Reference
from storyengine.change.record import Changes
from storyengine.check.film import plain
from storyengine.continuity.crew import FAILED_ATTEMPT, Crew
from storyengine.continuity.judgement import Judgement
from storyengine.continuity.ranking import rank
from storyengine.contract import Binding, Criterion
from storyengine.errors import InputError, StoryEngineError
from storyengine.grounding.panorama import Panorama, look_around
from storyengine.language import FreeOf, HasAttribute, InEnvironment, OnlyPeople, Present, render
from storyengine.language.captions import caption
from storyengine.language.claims import Claim
from storyengine.media.picture import Picture
from storyengine.plan import Catalog, Entity, Environment, SemanticPlan
from storyengine.prompts import pictures
from storyengine.runs.together import together
from storyengine.state import Trajectory, World

TRIES = 3
"""Candidates of one reference before the best of them is used."""
SHEET_SIZE = (1536, 1024)
THING_SIZE = (768, 768)
PANORAMA_WIDTH = 4096

Values = tuple[HasAttribute, ...]


@dataclass(frozen=True)
class Asset:
    """A canonical reference picture of an entity in one appearance."""

    entity: str
    values: Values
    picture: str
    caption: str
    accepted: bool
    tries: int
    own: bool = False
    """Whether the author supplied it."""

    def reference(self) -> Reference:
        return Reference(self.caption, self.picture)


@dataclass(frozen=True)
class Library:
    """`L`: everything that grounds a film."""

    assets: tuple[Asset, ...]
    panoramas: dict[str, Panorama]

    def asset(self, entity: str, values: Values) -> Asset | None:
        """The reference of an entity in an appearance, or its first where that one is missing."""
        own = [asset for asset in self.assets if asset.entity == entity]
        return next((asset for asset in own if asset.values == values), own[0] if own else None)

    def bind(self, catalog: Catalog, world: World, entity: str, *, at_end: bool = False) -> Binding | None:
        """`b_i(e)`: the asset that belongs to an entity in its present state."""
        values = appearance(catalog, world, entity)
        asset = self.asset(entity, values)
        if asset is None:
            return None
        words = tuple(f"{value.attribute} = {value.value}" for value in asset.values)
        return Binding(entity=entity, values=words, asset=asset.picture, at_end=at_end)


def appearance(catalog: Catalog, world: World, entity: str) -> Values:
    """The values of an entity's visible attributes: what selects its reference."""
    return tuple(
        HasAttribute(entity=entity, attribute=name, value=world[entity].attributes[name])
        for name, attribute in catalog.attributes[entity].items()
        if attribute.visible
    )


def planned_appearances(catalog: Catalog, trajectory: Trajectory, entity: str) -> list[Values]:
    """Every appearance an entity has at the start or end of a shot, in the order of the film."""
    worlds = [world for states in trajectory.shots for world in (states.opening, states.closing)]
    return list(dict.fromkeys(appearance(catalog, world, entity) for world in worlds))


async def build_library(
    crew: Crew,
    plan: SemanticPlan,
    catalog: Catalog,
    trajectory: Trajectory,
    seed: int,
    folder: Path,
    changes: Changes,
) -> Library:
    """Paint and screen everything, as much at once as the runner allows."""
    own = own_pictures(plan, catalog, folder)
    pins = {subject: changes.pin(subject) for subject in (*catalog.entities, *catalog.environments)}
    own |= {subject: crew.read(pin) for subject, pin in pins.items() if pin is not None}
    maker = _Maker(crew, plan, catalog, trajectory, seed, own, changes)
    assets: dict[str, list[Asset]] = {}
    panoramas: dict[str, Panorama] = {}

    async def entity_assets(entity: Entity) -> None:
        assets[entity.id] = await maker.assets(entity)

    async def place_panorama(place: Environment) -> None:
        panoramas[place.id] = await maker.panorama(place)

    # Places first: they take longest, and are looked around in while the rest is painted.
    jobs = [partial(place_panorama, place) for place in catalog.environments.values()]
    await together([*jobs, *(partial(entity_assets, entity) for entity in catalog.entities.values())])
    listed = tuple(asset for entity in catalog.entities for asset in assets[entity])
    return Library(listed, {place: panoramas[place] for place in catalog.environments})


def own_pictures(plan: SemanticPlan, catalog: Catalog, folder: Path) -> dict[str, bytes]:
    """The author's own pictures by id, read once and refused early."""
    found = {}
    names = {place.id: [plain(place.name)] for place in catalog.environments.values()}
    names |= {e.id: [plain(e.name), *map(plain, e.aliases)] for e in catalog.entities.values()}
    for reference in plan.request.references:
        target = next((subject for subject, known in names.items() if plain(reference.of) in known), None)
        if target is None:
            continue  # `check` reports it
        path = folder / reference.picture
        try:
            found[target] = Picture.from_bytes(path.read_bytes()).to_png()
        except OSError as error:
            raise InputError(f"The reference of {reference.of} cannot be read: {path}: {error.strerror}.") from None
    return found


@dataclass(frozen=True)
class _Maker:
    crew: Crew
    plan: SemanticPlan
    catalog: Catalog
    trajectory: Trajectory
    seed: int
    own: dict[str, bytes]
    changes: Changes

    @property
    def style(self) -> str:
        return self.plan.request.style or ""

    async def assets(self, entity: Entity) -> list[Asset]:
        """The references of one entity; later appearances are derived from the first, so that it stays the same."""
        made: list[Asset] = []
        for number, values in enumerate(planned_appearances(self.catalog, self.trajectory, entity.id)):
            first = [made[0].reference()] if made else []
            words = "; ".join(value.value for value in values)
            told = caption(entity) + (f" — here: {words}" if words else "")
            size = SHEET_SIZE if entity.kind == "character" else THING_SIZE
            prompt = self._prompt(entity, values)
            criteria = self._criteria([Present(entity=entity.id), *values], nobody=entity.kind == "prop")
            slot = f"library/{entity.id}/{number + 1}"
            if not made and entity.id in self.own:
                picture, judgement, tries = await self._own(slot, entity.id, criteria)
            else:
                picture, judgement, tries = await self._best(slot, entity.id, prompt, first, size, criteria)
            accepted = not judgement.missed_required()
            own = not made and entity.id in self.own
            made.append(Asset(entity.id, values, picture, told, accepted, tries, own))
        return made

    def _prompt(self, entity: Entity, values: Values) -> str:
        if entity.kind == "character" and not values:
            return pictures.identity_sheet(entity, self.style)
        return pictures.state_reference(entity, values, self.catalog, self.style)

    async def panorama(self, place: Environment) -> Panorama:
        world = self.trajectory.shots[0].opening
        fixed = [e for e in self.catalog.entities.values() if "fixed" in e.roles and self._stands(e.id, place.id)]
        prompt = pictures.panorama(place, fixed, world, self.catalog, self.style)
        width = min(PANORAMA_WIDTH, self.crew.painter.backend.capabilities.max_width)
        criteria = self._criteria([InEnvironment(environment=place.id)], nobody=True)
        slot = f"library/{place.id}/panorama"
        if place.id in self.own:
            picture, judgement, tries = await self._own(slot, place.id, criteria)
        else:
            picture, judgement, tries = await self._best(slot, place.id, prompt, [], (width, width // 2), criteria)
        accepted = not judgement.missed_required()
        return await look_around(self.crew, place, fixed, picture, accepted=accepted, tries=tries)

    def _stands(self, entity: str, place: str) -> bool:
        placement = self.trajectory.initial[entity].placement
        return getattr(placement, "environment", None) == place

    def _criteria(self, claims: Sequence[Claim], *, nobody: bool) -> tuple[Criterion, ...]:
        wanted = [*claims, FreeOf(thing="on-screen text"), *([OnlyPeople()] if nobody else [])]
        return tuple(
            Criterion(
                id=f"screen-{number}",
                phase="always",
                scope="frame",
                priority="required",
                statement=render(claim, self.catalog),
                evidence="identity",
                claim=claim,
            )
            for number, claim in enumerate(wanted, start=1)
        )

    async def _best(
        self,
        slot: str,
        subject: str,
        prompt: str,
        references: Sequence[Reference],
        size: tuple[int, int],
        criteria: tuple[Criterion, ...],
    ) -> tuple[str, Judgement, int]:
        """The first candidate that passes its screening, else the best of those tried."""
        prompt = pictures.with_notes(prompt, self.changes.notes(subject))
        seed = self.seed + self.changes.seed(subject)
        tried: list[tuple[str, Judgement]] = []
        last: StoryEngineError | None = None
        for number in range(TRIES):
            try:
                picture = await self.crew.paint(
                    f"{slot}/{number + 1}", "library", prompt, references, size, seed + number
                )
            except FAILED_ATTEMPT as error:
                last = error
                continue
            judgement = await self.crew.judge_picture(
                f"{slot}/{number + 1}/screening", "library", picture, criteria, references
            )
            tried.append((picture, judgement))
            if not judgement.missed_required():
                break
        if not tried and last is not None:
            raise last
        picture, judgement = min(tried, key=lambda candidate: rank(candidate[1]))
        return picture, judgement, len(tried)

    async def _own(self, slot: str, subject: str, criteria: tuple[Criterion, ...]) -> tuple[str, Judgement, int]:
        picture = self.crew.keep(self.own[subject])
        return picture, await self.crew.judge_picture(f"{slot}/own", "library", picture, criteria, ()), 0
