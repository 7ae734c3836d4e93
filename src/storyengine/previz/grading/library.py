"""The references of a story as a film has them: identity sheets, things in their states, panoramas and views of places.

Everything is painted by the studio's own composer from the product's own prompts, without fault. Pictures are kept by
digest; the scene behind each is kept too, so that the composer recognises what it is shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from storyengine.backends.ports import ReferenceImage
from storyengine.continuity.film import judge_references
from storyengine.contract import Binding, GroundedContext, RenderContract, compile_contracts
from storyengine.grounding.camera import Solved, Wish, solve, unaimed
from storyengine.grounding.contexts import ACTION
from storyengine.grounding.library import PANORAMA_WIDTH, SHEET_SIZE, THING_SIZE, Asset, Library, Values, appearance
from storyengine.grounding.panorama import Panorama
from storyengine.grounding.sphere import Extent
from storyengine.language import HasAttribute
from storyengine.language.captions import caption
from storyengine.media import panorama as sphere_views
from storyengine.media.picture import Picture
from storyengine.plan import Entity, InSceneZone, SemanticPlan
from storyengine.previz.grading.folder import png_of
from storyengine.previz.grading.stories import Cast, Situation, plan_of
from storyengine.previz.looks import PersonLook
from storyengine.previz.studio.compose import Shown, compose_panorama, compose_sheet, compose_thing
from storyengine.previz.studio.drawing import draw_scene
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.scene import Lens, Scene, Setting
from storyengine.previz.studio.sets import place_of, station_of
from storyengine.previz.studio.staging import bearing
from storyengine.prompts import pictures
from storyengine.state import EntityState, ShotStates, World, is_visible, replay

SIZE = (1280, 720)
ASPECT = SIZE[0] / SIZE[1]


@dataclass
class StoryLibrary:
    """What has been painted for one story so far."""

    cast: Cast
    sample: str
    """Names the story, for the studio's inventions."""
    images: dict[str, bytes] = field(default_factory=dict)
    """PNG files by digest."""
    scenes: dict[str, Scene] = field(default_factory=dict)
    """Sheets and things by entity, panoramas by place."""
    assets: dict[tuple[str, Values], Asset] = field(default_factory=dict)
    panoramas: dict[str, Picture] = field(default_factory=dict)

    # --- painting

    def _keep(self, picture: Picture) -> str:
        if picture.digest not in self.images:
            self.images[picture.digest] = png_of(picture.pixels)
        return picture.digest

    def asset(self, entity: str, values: Values) -> Asset:
        """The reference of an entity in an appearance, painted when first asked for."""
        key = (entity, values)
        if key not in self.assets:
            self.assets[key] = self._paint(entity, values)
        return self.assets[key]

    def known(self, name: str) -> Scene:
        """How an entity looks, decided once: its sheet, or the thing alone."""
        if name not in self.scenes:
            self.scenes[name] = self._composed(name, (), Shown())
        return self.scenes[name]

    def _composed(self, name: str, values: Values, before: Shown) -> Scene:
        entity = self.cast.catalog.entities[name]
        dice = Dice("none", f"{self.sample} {name}")
        if entity.kind == "character":
            return compose_sheet(read_prompt(pictures.identity_sheet(entity, "")), before, dice)
        prompt = pictures.state_reference(entity, values, self.cast.catalog, "")
        return compose_thing(read_prompt(prompt), before, dice)

    def _paint(self, name: str, values: Values) -> Asset:
        entity = self.cast.catalog.entities[name]
        scene = self._composed(name, values, Shown(((caption(entity), self.known(name)),)))
        words = "; ".join(value.value for value in values)
        told = caption(entity) + (f" — here: {words}" if words else "")
        picture = draw_scene(scene, *(SHEET_SIZE if entity.kind == "character" else THING_SIZE))
        return Asset(name, values, self._keep(picture), told, accepted=True, tries=1)

    def build(self, place: str) -> None:
        """Decide how a place looks, and where what never moves stands in it."""
        catalog = self.cast.catalog
        fixed = [catalog.entities[e] for e, zone in self.cast.home if zone.environment == place]
        world = World({e: EntityState(zone, {}) for e, zone in self.cast.home})
        prompt = pictures.panorama(catalog.environments[place], fixed, world, catalog, "")
        self.scenes[place] = compose_panorama(read_prompt(prompt), Shown(), Dice("none", f"{self.sample} {place}"))

    def panorama(self, place: str) -> Picture:
        if place not in self.panoramas:
            self.panoramas[place] = draw_scene(self.scenes[place], PANORAMA_WIDTH, PANORAMA_WIDTH // 2)
        return self.panoramas[place]

    # --- what is known of it

    def setting(self, place: str) -> Setting:
        found = self.scenes[place].setting
        assert found is not None
        return found

    @property
    def faces(self) -> dict[str, PersonLook]:
        """How people look, by their sheets."""
        return {name: scene.actors[0].look for name, scene in self.scenes.items() if scene.subject == "sheet"}

    def shown(self, place: str, other_room: bool) -> Shown:
        """Everything a painter is shown: the view of the place, sheets, things. Or the view of another room."""
        catalog = self.cast.catalog
        entities = [(caption(entity), self.known(entity.id)) for entity in catalog.entities.values()]
        view = replace(self.scenes[place], subject="view", lens=Lens(0.0, 0.0, 1.6, 0.0, 0.0, 74.0))
        if other_room:
            view = Scene("view", setting=self.other(place), lens=view.lens)
        return Shown(((caption(catalog.environments[place]), view), *entities))

    def other(self, place: str) -> Setting:
        """The story's other room, going by the name of this place."""
        mine = self.setting(place)
        found = self.setting(next(name for name in self.cast.catalog.environments if name != place))
        return replace(found, id=mine.id, name=mine.name, zones=mine.zones)

    # --- grounding

    def _camera(self, situation: Situation, plan: SemanticPlan, setting: Setting, number: int) -> Solved:
        """The camera of the shot, solved as if grounding had found the zone of the first person."""
        zone = next(w for p in self.cast.people if isinstance(w := situation.where(p.id), InSceneZone)).zone
        place = place_of(setting)
        station = station_of(place)
        spot = place.spots[self._zone_name(situation.place, zone)].position
        yaw = bearing((station[0], station[1]), (spot[0], spot[1]))
        action = Extent(yaw, ACTION.pitch, ACTION.half_width, ACTION.half_height)
        return solve([Wish("the action", action, 0)], plan.shots[0].view, ASPECT, number)

    def _zone_name(self, place: str, zone: str) -> str:
        return next(z.name for z in self.cast.catalog.environments[place].zones if z.id == zone)

    def contract(
        self,
        situation: Situation,
        number: int,
        predicted: Mapping[str, float] | None = None,
        setting: Setting | None = None,
    ) -> RenderContract:
        """The contract of the shot. Of every four, three have a camera that grounding aimed.

        `predicted` are the shares of the frame by which facts become required; without them the contract is only for
        prompts, and has no references. `setting` is the room in which the camera looks for the action.
        """
        plan = plan_of(self.cast, situation)
        trajectory = replay(plan)
        states, catalog, place = trajectory.shots[0], self.cast.catalog, situation.place
        room = setting or self.setting(place)
        solved = self._camera(situation, plan, room, number) if number % 4 else unaimed(plan.shots[0].view, ASPECT)
        context = GroundedContext(
            camera=solved.view, landmarks=tuple(mark.id for mark in catalog.environments[place].landmarks)
        )
        if predicted is not None:
            look = solved.look
            view = sphere_views.view(self.panorama(place), look.yaw, look.pitch, look.fov, *SIZE)
            update = {
                "view": self._keep(view),
                "bindings": tuple(self._bindings(states, place)),
                "predicted": tuple(predicted.items()),
            }
            context = context.model_copy(update=update)
        return compile_contracts(plan, trajectory, [context])[0]

    def _bindings(self, states: ShotStates, place: str) -> list[Binding]:
        catalog = self.cast.catalog
        found = []
        for entity in catalog.entities:
            first = None
            for at_end, world in ((False, states.opening), (True, states.closing)):
                if is_visible(catalog, world, entity, place):
                    values = appearance(catalog, world, entity)
                    asset = self.asset(entity, values)
                    if not at_end or asset.picture != first:
                        words = _words(values)
                        found.append(Binding(entity=entity, values=words, asset=asset.picture, at_end=at_end))
                    first = asset.picture
        return found

    def _around(self, contract: RenderContract) -> dict[str, Panorama]:
        place = contract.environment
        picture = self._keep(self.panorama(place))
        return {place: Panorama(place, picture, accepted=True, tries=1, found={}, missing=())}

    def references(self, contract: RenderContract) -> tuple[ReferenceImage, ...]:
        """What a judge is given beside the frames, chosen by the product's own rule.

        A film's library holds every appearance that the story plans; here, of what is bound, every state, and of
        everything else, which other shots would show, one.
        """
        assets: dict[tuple[str, Values], Asset] = {}
        for binding in contract.context.bindings:
            for values in self._states(binding):
                assets[binding.entity, values] = self.asset(binding.entity, values)
        bound = {binding.entity for binding in contract.context.bindings}
        for entity in self.cast.catalog.entities.values():
            if entity.id not in bound:
                first = _first_state(entity)
                assets[entity.id, first] = self.asset(entity.id, first)
        library = Library(tuple(assets.values()), self._around(contract))
        chosen = judge_references(self.cast.catalog, contract, library)
        return tuple(ReferenceImage(r.caption, self.images[r.digest]) for r in chosen)

    def _states(self, binding: Binding) -> list[Values]:
        """The bound appearance first, then those that differ from it in one attribute."""
        bound = next(a.values for a in self.assets.values() if _is_bound(a, binding))
        found = [bound]
        for number, value in enumerate(bound):
            for other in self.cast.catalog.attributes[binding.entity][value.attribute].values:
                changed = value.model_copy(update={"value": other})
                found.append((*bound[:number], changed, *bound[number + 1 :]))
        return list(dict.fromkeys(found))


def _is_bound(asset: Asset, binding: Binding) -> bool:
    return (asset.entity, _words(asset.values)) == (binding.entity, binding.values)


def _first_state(entity: Entity) -> Values:
    shown = [attribute for attribute in entity.attributes if attribute.visible]
    return tuple(HasAttribute(entity=entity.id, attribute=a.name, value=a.values[0]) for a in shown)


def _words(values: Values) -> tuple[str, ...]:
    return tuple(f"{value.attribute} = {value.value}" for value in values)
