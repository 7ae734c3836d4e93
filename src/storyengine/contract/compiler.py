"""`C_render`: plan, trajectory and grounded contexts become contracts with phase-tagged criteria.

Start criteria come from what can be seen of the opening world, motion criteria from the events, end criteria from
what can be seen of the closing world; identity, place, light, who is there and what may not be there hold always.
Attributes that no camera sees never become tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from storyengine.contract.exclusions import Exclusions, read_exclusions
from storyengine.contract.model import (
    SMALLEST_SHARE,
    Criterion,
    Evidence,
    GroundedContext,
    RenderContract,
    Scope,
)
from storyengine.errors import ContractError
from storyengine.language import (
    Absent,
    CameraMoves,
    Changes,
    Claim,
    Framed,
    Happens,
    HasAttribute,
    InEnvironment,
    LandmarkVisible,
    Lit,
    LooksLike,
    OnlyPeople,
    Placed,
    Present,
    Single,
    StateClaim,
    parse,
    render,
)
from storyengine.plan import Catalog, Fact, InContainer, InSceneZone, Offscreen, SemanticPlan, Set, Shot, target_of
from storyengine.plan.model import Phase, Priority
from storyengine.state import ShotStates, Trajectory, World, is_visible


def compile_contracts(
    plan: SemanticPlan, trajectory: Trajectory, contexts: Sequence[GroundedContext]
) -> tuple[RenderContract, ...]:
    """One contract per shot. The plan must be sound; contexts come from grounding, one per shot."""
    if len(contexts) != len(plan.shots):
        raise ContractError(f"{len(contexts)} grounded contexts for {len(plan.shots)} shots.")
    catalog, exclusions = Catalog.of(plan), read_exclusions(plan.request.forbidden_content)
    return tuple(
        _Compiler(plan, catalog, exclusions, number, shot, states, context).contract()
        for number, (shot, states, context) in enumerate(
            zip(plan.shots, trajectory.shots, contexts, strict=True), start=1
        )
    )


def lies_inside(world: World, entity: str) -> bool:
    """Whether something lies in a container: even an open one hides it from most sides behind walls and rims."""
    return isinstance(world[entity].placement, InContainer)


@dataclass(frozen=True)
class _Draft:
    """A criterion before it has its id and its sentence."""

    phase: Phase
    claim: Claim
    evidence: Evidence
    priority: Priority = "required"
    scope: Scope = "frame"


@dataclass(frozen=True)
class _Compiler:
    plan: SemanticPlan
    catalog: Catalog
    exclusions: Exclusions
    number: int
    shot: Shot
    states: ShotStates
    context: GroundedContext

    def contract(self) -> RenderContract:
        context = self.context
        if self.exclusions.unverified:
            context = context.model_copy(update={"exclusions": (*context.exclusions, *self.exclusions.unverified)})
        return RenderContract(
            shot=self.number,
            environment=self.shot.environment,
            seconds=self.shot.seconds,
            opening=tuple(self.states.opening.facts()),
            events=self.shot.events,
            closing=tuple(self.states.closing.facts()),
            context=context,
            criteria=tuple(self._criteria()),
        )

    def _criteria(self) -> Iterator[Criterion]:
        """Every criterion once; where two say the same in one phase, the required one stays."""
        drafts: dict[tuple[Phase, str], _Draft] = {}
        for draft in self._drafts():
            key = (draft.phase, render(draft.claim, self.catalog))
            if key not in drafts or (draft.priority == "required" and drafts[key].priority != "required"):
                drafts[key] = draft
        for position, ((phase, statement), draft) in enumerate(drafts.items(), start=1):
            yield Criterion(
                id=f"{phase}-{position}",
                phase=phase,
                scope=draft.scope,
                priority=draft.priority,
                statement=statement,
                evidence=draft.evidence,
                claim=draft.claim,
            )
        yield from self._free_text(len(drafts))

    def _drafts(self) -> Iterator[_Draft]:
        yield from self._place()
        yield from self._people()
        yield from self._visible("start", self.states.opening)
        yield from self._absent()
        yield from self._anchors()
        yield from self._motion()
        yield from self._visible("end", self.states.closing)
        yield from self._camera()
        for claim in self.exclusions.claims:
            scope: Scope = "clip" if claim.thing == "frozen frames" else "frame"
            yield _Draft("always", claim, "technical", scope=scope)
        yield from self._requirements()

    def _place(self) -> Iterator[_Draft]:
        place = self.catalog.environments[self.shot.environment]
        yield _Draft("always", InEnvironment(environment=place.id), "environment")
        light = Lit(environment=place.id, brightness=place.light.brightness, tone=place.light.tone)
        yield _Draft("always", light, "light", "preferred")
        for landmark in self.context.landmarks:
            claim = LandmarkVisible(environment=place.id, landmark=landmark)
            yield _Draft("start", claim, "environment", "preferred")

    def _people(self) -> Iterator[_Draft]:
        """Nobody but those who are there; and each of them is who they are."""
        there = [
            person.id
            for person in self.catalog.characters()
            if self._sees(self.states.opening, person.id) or self._sees(self.states.closing, person.id)
        ]
        yield _Draft("always", OnlyPeople(entities=tuple(there)), "identity")
        bound = {binding.entity for binding in self.context.bindings}
        for person in there:
            if person in bound:
                yield _Draft(
                    "always", LooksLike(entity=person), "identity", self._priority(person, self.states.opening)
                )

    def _visible(self, phase: Phase, world: World) -> Iterator[_Draft]:
        """What a camera in the place can see of a world. Only what it is predicted to show is required."""
        for entity in self.catalog.entities.values():
            if not self._sees(world, entity.id):
                continue
            priority = self._priority(entity.id, world)
            if priority == "required" and entity.kind == "prop":
                yield _Draft(phase, Single(entity=entity.id), "presence", priority)
            else:
                yield _Draft(phase, Present(entity=entity.id), "presence", priority)
            placement = world[entity.id].placement
            if not isinstance(placement, Offscreen):
                placed = Placed(entity=entity.id, placement=placement)
                exact = not isinstance(placement, InSceneZone) and self._shows(target_of(placement))
                yield _Draft(phase, placed, "placement", priority if exact else "preferred")
            for attribute in entity.attributes:
                if attribute.visible:
                    value = world[entity.id].attributes[attribute.name]
                    claim = HasAttribute(entity=entity.id, attribute=attribute.name, value=value)
                    yield _Draft(phase, claim, "state", priority)

    def _absent(self) -> Iterator[_Draft]:
        """Props that are elsewhere or shut away must not turn up. Absent people are covered by who is there."""
        for entity in self.catalog.entities.values():
            if entity.kind == "prop" and "fixed" not in entity.roles:
                if not self._sees(self.states.opening, entity.id):
                    yield _Draft("start", Absent(entity=entity.id), "absence")
                if not self._sees(self.states.closing, entity.id):
                    yield _Draft("end", Absent(entity=entity.id), "absence")

    def _anchors(self) -> Iterator[_Draft]:
        """An anchor is a hard criterion on both sides of its cut."""
        for anchor in self.shot.anchors:
            yield _Draft("start", Present(entity=anchor), "presence")
        if self.number < len(self.plan.shots):
            for anchor in self.plan.shots[self.number].anchors:
                yield _Draft("end", Present(entity=anchor), "presence")

    def _motion(self) -> Iterator[_Draft]:
        for event in self.shot.events:
            changes = list(self._changes(event.effects))
            surely = [change for change in changes if not self._half_hidden(change)]
            shown = event.required or bool(event.effects)
            happens = Happens(action=event.action)
            yield _Draft("motion", happens, "action", "required" if shown and not surely else "preferred", "clip")
            for change in changes:
                yield _Draft("motion", change, "action", "required" if change in surely else "preferred", "clip")

    def _changes(self, effects: Sequence[Fact]) -> Iterator[Changes]:
        """What can be seen to change through an event, from the shot's opening to its closing."""
        for effect in effects:
            if self._shows(effect.entity) and self.states.closing.holds(effect):
                before, after = self._seen(self.states.opening, effect), self._seen(self.states.closing, effect)
                if before is not None and after is not None and before != after:
                    yield Changes(before=before, after=after)

    def _seen(self, world: World, effect: Fact) -> StateClaim | None:
        """What a camera sees of the thing that an effect is about; None where it cannot be seen at all."""
        if isinstance(effect, Set):
            attribute = self.catalog.attributes[effect.entity][effect.attribute]
            value = world[effect.entity].attributes[effect.attribute]
            claim = HasAttribute(entity=effect.entity, attribute=effect.attribute, value=value)
            return claim if attribute.visible and self._sees(world, effect.entity) else None
        return self._seen_at(world, effect.entity)

    def _seen_at(self, world: World, entity: str) -> Placed | Absent:
        placement = world[entity].placement
        if self._sees(world, entity) and not isinstance(placement, Offscreen):
            return Placed(entity=entity, placement=placement)
        return Absent(entity=entity)

    def _camera(self) -> Iterator[_Draft]:
        camera = self.context.camera
        if camera is None:
            return
        subject = next((entity for entity in self.shot.view.subjects if self._shows(entity)), None)
        if subject is not None:
            yield _Draft("start", Framed(entity=subject, framing=camera.framing), "camera", "preferred")
        yield _Draft("motion", CameraMoves(move=camera.move), "camera", "preferred", "clip")

    def _requirements(self) -> Iterator[_Draft]:
        for requirement in self.shot.requirements:
            claim = parse(requirement.statement, self.catalog)
            if claim is not None:
                scope: Scope = "clip" if requirement.phase == "motion" else "frame"
                yield _Draft(requirement.phase, claim, "free text", requirement.priority, scope)

    def _free_text(self, count: int) -> Iterator[Criterion]:
        """Statements that people wrote freely: a vision model can judge them."""
        for requirement in self.shot.requirements:
            if parse(requirement.statement, self.catalog) is None:
                count += 1
                yield Criterion(
                    id=f"{requirement.phase}-{count}",
                    phase=requirement.phase,
                    scope="clip" if requirement.phase == "motion" else "frame",
                    priority=requirement.priority,
                    statement=requirement.statement,
                    evidence="free text",
                )

    def _sees(self, world: World, entity: str) -> bool:
        return is_visible(self.catalog, world, entity, self.shot.environment)

    def _shows(self, entity: str | None) -> bool:
        """Whether the camera is predicted to show an entity large enough."""
        return dict(self.context.predicted).get(entity or "", 0.0) >= SMALLEST_SHARE

    def _priority(self, entity: str, world: World) -> Priority:
        return "required" if self._shows(entity) and not lies_inside(world, entity) else "preferred"

    def _half_hidden(self, change: Changes) -> bool:
        """Whether one end of a change lies in a container, where it may or may not be seen."""
        ends = ((change.before, self.states.opening), (change.after, self.states.closing))
        return any(not isinstance(end, Absent) and lies_inside(world, end.entity) for end, world in ends)
