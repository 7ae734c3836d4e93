"""Draw the pictures from which the evaluator learns: made-up stories in made-up rooms, with what every pixel shows.

    python scripts/evaluator/draw.py FOLDER --rooms 0:40 [--seed 1] [--casts 3] [--scenes 3] [--stages 8]

A room is one file, `room-0007.pickle`. Some frames are composed by the studio from the product's own prompts, so they
look as a film's frames do; the others are crowded stages (`stage.py`). Some hold a second one of a thing, a stranger,
or somebody with another face.
"""

from __future__ import annotations

import math
import sys
import traceback
from dataclasses import replace
from random import Random

import cv2
import filing
import numpy as np
import stage
import words
from cutting import jpeg

from storyengine.language import HasAttribute
from storyengine.plan import Entity, Environment
from storyengine.previz import props
from storyengine.previz.appearance import prop_look
from storyengine.previz.evaluator.subjects import cut_free
from storyengine.previz.figures.figure import world_matrices
from storyengine.previz.figures.skeleton import INDEX
from storyengine.previz.figures.stance import solve
from storyengine.previz.grading.labels import Shown
from storyengine.previz.grading.library import SIZE, StoryLibrary
from storyengine.previz.grading.planting import PlantedDice, Spoiled
from storyengine.previz.grading.scenes import composed, drawn
from storyengine.previz.grading.stories import (
    SECONDS,
    Cast,
    Situation,
    cast_story,
    invent,
    is_there,
    plan_of,
    relations,
)
from storyengine.previz.grading.words import Words, words_of
from storyengine.previz.places.landmarks import landmark_kind
from storyengine.previz.places.model import LandmarkWords
from storyengine.previz.render import Camera
from storyengine.previz.studio.animator import camera_path
from storyengine.previz.studio.events import write_script
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.performance import timeline
from storyengine.previz.studio.reading import read_prompt
from storyengine.previz.studio.scene import Lens, Scene
from storyengine.previz.studio.staging import figure_of, rest
from storyengine.prompts import pictures

KEPT = (640, 360)
"""Size of a frame, and of what its pixels show."""
REFERENCE, FIGURE = 128, (96, 160)
"""Small pictures of a stage's things, of which only windows are kept."""
COLUMNS = (0.2, 0.5, 0.8)
"""Where front, side and rear stand on an identity sheet, of its width."""


def decoded(png: bytes) -> np.ndarray:
    return cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)[..., ::-1]


def look_row(look: object, family: str | None = None) -> tuple:
    """A PropLook as plain values."""
    return (
        family or look.family,
        look.colour,
        look.accent,
        look.content,
        look.pattern,
        look.surface,
        look.size,
        look.count,
    )


def thing_record(library: StoryLibrary, entity: Entity, free: bool = False) -> dict:
    """A thing in every state that one of its attributes can have; `free` cuts it out of its pictures."""
    look = prop_look(entity.name, entity.look)
    first = tuple(_value(entity, a.name, a.values[0]) for a in entity.attributes)
    wanted = [first]
    for number, attribute in enumerate(entity.attributes):
        for value in attribute.values[1:]:
            wanted.append((*first[:number], _value(entity, attribute.name, value), *first[number + 1 :]))
    shown = []
    for values in wanted:
        asset = library.asset(entity.id, values)
        px = decoded(library.images[asset.picture])
        said = tuple(v.value for v in values)
        resolved, axes = props.resolve(look, said)
        small = cut_free(px) if free else cv2.resize(px, (REFERENCE, REFERENCE), interpolation=cv2.INTER_AREA)
        shown.append((tuple((v.attribute, v.value) for v in values), look_row(resolved), axes, jpeg(small, 92)))
    attributes = [(a.name, a.values) for a in entity.attributes]
    return {"name": entity.name, "look": look_row(look), "attributes": attributes, "shown": shown}


def _value(entity: Entity, attribute: str, value: str) -> object:
    return HasAttribute(entity=entity.id, attribute=attribute, value=value)


def person_record(library: StoryLibrary, entity: Entity) -> dict:
    px = decoded(library.images[library.asset(entity.id, ()).picture])
    look = library.faces[entity.id]
    garments = [(g.kind, g.colour, g.second, g.pattern) for g in look.garments]
    row = (look.skin, look.hair, look.hair_colour, look.beard, look.age, look.build, look.height, garments)
    half = int(0.15 * px.shape[1])
    figures = [px[:, max(0, int(c * px.shape[1]) - half) : int(c * px.shape[1]) + half] for c in COLUMNS]
    small = np.hstack([cv2.resize(f, FIGURE, interpolation=cv2.INTER_AREA) for f in figures])
    return {"name": entity.name, "look": row, "figures": jpeg(small, 92)}


def head_of(frame: Shown, person: str) -> tuple | None:
    """Middle, height (of the frame's), cosine to the camera, free share, height of the figure in frames."""
    actor, body = frame.scene.people[person], frame.moment.bodies[person]
    figure = figure_of(actor)
    bone = world_matrices(figure, solve(figure, body.stance), body.stand.at, body.stand.yaw)[INDEX["head"]]
    size = figure.measures.head
    middle = bone[:, :3] @ np.array([0.0, 0.0, size * 0.45]) + bone[:, 3]
    height, width = frame.ids.shape
    seen = frame.camera.project(np.array([middle]), width, height)[0]
    known = frame.head(person)
    if known is None or seen[2] < 0.1:
        return None
    return (
        float(seen[0]) / width,
        float(seen[1]) / height,
        known.tall,
        math.cos(math.radians(known.turned)),
        known.free,
        frame.tall(person),
    )


def frame_record(frame: Shown, library: StoryLibrary, cast: int, filmed: bool = False) -> dict:
    step = frame.ids.shape[1] // KEPT[0]
    small = frame.ids[::step, ::step]
    counts = np.bincount(np.maximum(small.ravel(), -1) + 1)
    pixels = {name: int(counts[n + 1]) for name, n in frame.named.items() if n + 1 < len(counts) and counts[n + 1]}
    names = sorted(pixels)
    ids = np.zeros(small.shape, np.uint8)
    for index, name in enumerate(names, start=1):
        ids[small == frame.named[name]] = index
    scene = frame.scene
    things = {t.id: (t.relation, t.target, t.states) for t in scene.things}
    heads = {}
    for actor in scene.actors:
        known = library.faces.get(actor.id)
        own = known is not None and known.face == actor.look.face
        heads[actor.id] = (head_of(frame, actor.id), own, actor.look.face)
    shares = {name: pixels[name] / small.size for name in names}
    return {
        "jpg": jpeg(cv2.resize(frame.pixels, KEPT, interpolation=cv2.INTER_AREA)), "names": names, "shares": shares,
        "ids": cv2.imencode(".png", ids)[1].tobytes(), "things": things, "heads": heads, "cast": cast,
        "composed": filmed,
    }  # fmt: skip


def jittered(lens: Lens, dice: Random) -> Lens:
    return replace(
        lens,
        x=lens.x + dice.uniform(-0.25, 0.25), y=lens.y + dice.uniform(-0.25, 0.25), z=lens.z + dice.uniform(-0.2, 0.2),
        yaw=lens.yaw + dice.uniform(-12, 12), pitch=lens.pitch + dice.uniform(-6, 5),
        fov=min(max(lens.fov * dice.uniform(0.7, 1.3), 18), 84),
    )  # fmt: skip


def aimed(scene: Scene, dice: Random) -> Lens:
    """At one of the things, from near where the camera stands."""
    lens = jittered(scene.lens, dice)
    spots = [
        spot for thing in scene.things if (spot := _spot(scene, thing.id)) and math.dist(spot, (lens.x, lens.y)) > 1.0
    ]
    if not spots:
        return lens
    x, y = dice.choice(spots)
    far = math.dist((x, y), (lens.x, lens.y))
    at = Camera.looking_at((lens.x, lens.y, lens.z), (x, y, dice.uniform(0.4, 1.2)), lens.fov)
    fov = min(max(math.degrees(2 * math.atan(dice.uniform(0.7, 1.8) / far)), 24), 70)
    return replace(lens, yaw=at.yaw + dice.uniform(-8, 8), pitch=at.pitch + dice.uniform(-3, 4), fov=fov)


def _spot(scene: Scene, name: str) -> tuple[float, float] | None:
    """Where a thing is, through whatever it hangs on."""
    for _ in range(4):
        if name in scene.people:
            stand = scene.people[name].stand
            return (stand.x, stand.y)
        thing = scene.props.get(name)
        if thing is None:
            return None
        if thing.stand is not None:
            return (thing.stand.x, thing.stand.y)
        name = thing.target
    return None


def put_down(cast: Cast, situation: Situation, dice: Random) -> Situation:
    """More on and in other things than chance would put there."""
    for thing in cast.things:
        here = situation.where(thing.id)
        if thing.id in situation.acting or here.kind == "offscreen" or dice.random() < 0.45:
            continue
        if any(
            getattr(p, "surface", getattr(p, "container", getattr(p, "support", ""))) == thing.id
            for _, p in situation.places
        ):
            continue
        others = [
            o
            for o in cast.things
            if o.id != thing.id and situation.where(o.id).kind == "in_scene_zone" and is_there(situation, o.id)
        ]
        choices = [p for other in others for p in relations(thing, other)]
        if choices:
            situation = situation.moved(thing.id, dice.choice(choices))
    return situation


class OneOtherFace(PlantedDice):
    """Whoever is recast in a story gets the same other face: building one takes half a second."""

    def seed(self, what: str) -> int:
        return Dice("none", self.story).seed(what) if what.startswith("face ") else super().seed(what)


class Played(Spoiled):
    def dice(self, sample: str, story: str) -> PlantedDice:
        return OneOtherFace("none", sample, self.failures, story)


def failures(cast: Cast, situation: Situation, dice: Random) -> frozenset[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    movable = [t.id for t in cast.things if "fixed" not in t.roles and situation.where(t.id).kind != "offscreen"]
    for thing in dice.sample(movable, min(len(movable), dice.choice((0, 1, 2, 3)))):
        found.add(("duplicated object", thing))
    for person in cast.people:
        if dice.random() < 0.35:
            found.add(("identity drift", person.id))
    if dice.random() < 0.2:
        found.add(("extra person", ""))
    return frozenset(found)


def draw_scene(library: StoryLibrary, number: int, dice: Random, size: tuple[int, int] = SIZE) -> list[Shown]:
    clip = dice.random() < 0.35
    situation = put_down(library.cast, invent(library.cast, dice, clip=clip), dice)
    spoiled = Played(situation, failures=failures(library.cast, situation, dice))
    scene, contract = composed(library, number, situation, spoiled)
    assert scene.lens is not None
    if not clip:
        lenses = [scene.lens, jittered(scene.lens, dice), aimed(scene, dice)]
        return [drawn(scene, rest(scene), lens, size) for lens in lenses]
    asked = read_prompt(pictures.video(plan_of(library.cast, situation), library.cast.catalog, contract), "clip")
    shown = library.shown(situation.place, other_room=False)
    dice_ = spoiled.dice(f"{library.sample} scene {number}", library.sample)
    line = timeline(scene, write_script(asked, scene, shown, dice_), SECONDS)
    lens_at = camera_path(scene, asked.camera, line)
    frames = []
    for t in (0.0, dice.uniform(1.0, 2.2), dice.uniform(2.4, 3.8), SECONDS - 0.05):
        now, moment = line.moment(t)
        frames.append(drawn(now, moment, lens_at(t), size))
    return frames


def empty_views(library: StoryLibrary, place: str, dice: Random) -> list[Shown]:
    """The room with nobody in it, as probes show it."""
    scene: Scene = library.scenes[place]
    assert scene.lens is not None
    yaws = [dice.uniform(0, 360) + 90 * k for k in range(4)]
    lenses = [replace(scene.lens, yaw=yaw, pitch=dice.uniform(-8, 4), fov=dice.uniform(60, 90)) for yaw in yaws]
    return [drawn(scene, rest(scene), lens, SIZE) for lens in lenses]


def staged_frames(library: StoryLibrary, scene: Scene, dice: Random, size: tuple[int, int] = SIZE) -> list[Shown]:
    """Four looks at a crowded stage."""
    scenes = [scene, stage.restated(stage.nearer(scene, dice), library, dice), stage.nearer(scene, dice)]
    scenes.append(stage.portrait(scene, dice))
    return [drawn(s, rest(s), s.lens, size) for s in scenes if s.lens is not None]


def cast_in(environment: Environment, number: int, dice: Random, story: str) -> StoryLibrary:
    """Other people and things in a place, with whatever is painted of them."""
    people = [words.person(dice, 5 * number + k) for k in range(3)]
    raw = words_of([*people, *words.things(dice)], [environment])
    library = StoryLibrary(cast_story(Words(raw.places, raw.people, raw.things), dice), story)
    library.build(next(iter(library.cast.catalog.environments)))
    return library


def draw_room(number: int, seed: int, casts: int, scenes: int, stages: int) -> dict:
    dice = Random(f"{seed} room {number}")
    environment: Environment = words.place(dice)
    made: dict = {"things": {}, "people": {}, "marks": {}, "frames": [], "place": environment.name}
    for cast_number in range(casts):
        library = cast_in(environment, cast_number, dice, f"teach {seed} {number}")
        cast = library.cast
        place = next(iter(cast.catalog.environments))
        if not made["marks"]:
            for mark in cast.catalog.environments[place].landmarks:
                kind = landmark_kind(LandmarkWords(mark.id, mark.name, mark.look))
                row = look_row(prop_look(mark.name, mark.look), f"fitting {kind}" if kind else None)
                made["marks"][f"landmark:{mark.id}"] = {"name": mark.name, "look": row}
            made["fittings"] = [f"fitting {kind}" for kind in library.setting(place).look.fittings]
        for entity in cast.things:
            made["things"][f"{cast_number} {entity.id}"] = thing_record(library, entity)
        for entity in cast.people:
            made["people"][f"{cast_number} {entity.id}"] = person_record(library, entity)
        for scene_number in range(scenes + stages):
            own = Random(f"{seed} room {number} cast {cast_number} scene {scene_number}")
            try:
                filmed = scene_number < scenes
                if filmed:
                    shown = draw_scene(library, 1000 * cast_number + scene_number, own)
                else:
                    shown = staged_frames(library, stage.staged(library, place, own), own)
                made["frames"] += [frame_record(frame, library, cast_number, filmed) for frame in shown]
            except Exception:
                traceback.print_exc(limit=-3)
        made["frames"] += [
            frame_record(f, library, cast_number)
            for f in empty_views(library, place, dice)[: 4 if cast_number == 0 else 1]
        ]
    return made


def main() -> int:
    said = filing.options(__doc__, "rooms", "0:10")
    said.add_argument("--casts", type=int, default=3)
    said.add_argument("--scenes", type=int, default=3, help="composed scenes of a cast")
    said.add_argument("--stages", type=int, default=8, help="crowded stages of a cast")
    args = said.parse_args()
    filing.fill(
        args,
        "room",
        lambda number: draw_room(number, args.seed, args.casts, args.scenes, args.stages),
        lambda made: f"{made['place']} {len(made['frames'])} frames",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
