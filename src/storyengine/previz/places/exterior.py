"""Open places: a stage of ground with zones along its edges, lines of fence or water, a building, trees, and the sky.

lay_out(look) = zones → sides (water, building, fence) → landmarks → equipment → scenery beyond → light
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from storyengine.previz.looks import PlaceLook
from storyengine.previz.places import light as lights
from storyengine.previz.places.assembly import Assembly
from storyengine.previz.places.fittings import FITTINGS
from storyengine.previz.places.fittings.outdoors import house_of
from storyengine.previz.places.floorplan import WALLS, FloorPlan, Wall, WallName, offset
from storyengine.previz.places.landmarks import landmark_piece
from storyengine.previz.places.model import Bounds, LandmarkWords, PlaceModel
from storyengine.previz.places.piece import Piece, Random
from storyengine.previz.places.standing import equip_zones, fill_walls, grown, place_zones, stand_landmark
from storyengine.previz.places.tones import calm, shaded, tones_of
from storyengine.previz.render import Box, Material, Quad, Room, Vec3

LEAST, MOST = 8.0, 16.0
REACH = 60.0
WATER_LEVEL = -0.55
GENERAL = ("crates", "barrels", "bench", "posts", "bushes", "woodpile")
LINES = ("fence", "hedge", "stone wall", "railing")
"""What runs along a side of an open place."""


def build_exterior(
    look: PlaceLook, zones: tuple[str, ...], landmarks: tuple[LandmarkWords, ...], seed: tuple[int, ...]
) -> PlaceModel:
    random = np.random.default_rng([*seed, 0])
    w, d = (min(max(side, LEAST), MOST) for side in (look.width, look.depth))
    plan = FloorPlan.empty(*grown(w, d, len(zones)), 4.0)
    work = Assembly(seed, tones_of(random))
    placed = place_zones(plan, zones, random)
    sides = _sides(look, [zone.wall.name for zone in placed], random)
    surfaces = _ground(plan, work, look, sides, random)
    _place_landmarks(plan, work, {zone.name: (zone.wall, zone.along) for zone in placed}, landmarks)
    equip_zones(plan, work, placed, landmarks)
    _draw_sides(plan, work, look, sides, random)
    _equip(plan, work, look, random)
    _scenery(plan, work, look, sides, random)
    sun = lights.sun_of(look.light, float(random.uniform(0, 360)))
    room = Room(
        surfaces=surfaces,
        boxes=tuple(work.boxes),
        fittings=tuple(work.fittings),
        lamps=tuple(replace(lamp, power=lamp.power * _lamp_share(look)) for lamp in work.lamps)
        if _lamp_share(look)
        else (),
        sky=replace(lights.sky_of(look.light, look.skyline, look.seed), sun=sun),
        brightness=lights.exposure_of(look),
        warmth=lights.WARMTH[look.light.tone],
        stage=((0.0, 0.0, 0.0), (plan.width, plan.depth, 3.0)),
    )
    bounds = Bounds((0.4, 0.4, 0.0), (plan.width - 0.4, plan.depth - 0.4, 3.0))
    spots = {zone.name: zone.spot(work) for zone in placed}
    return PlaceModel(room, spots, work.landmarks, tuple(work.obstacles), bounds, outdoor=True)


def _lamp_share(look: PlaceLook) -> float:
    """Street lamps and fires matter at night only."""
    return {"dark": 2.0, "dim": 1.0}.get(look.light.brightness, 0.0)


def _sides(look: PlaceLook, zones: list[WallName], random: Random) -> dict[WallName, str]:
    """What each side is: water, tracks, a building, a line of fence or hedge, or open. Zones get the best of it."""
    mixed = [WALLS[int(k)] for k in random.permutation(4)]
    order = list(dict.fromkeys([*zones, *mixed]))
    lines = [kind for kind in look.fittings if kind in LINES] or [LINES[int(random.integers(3))]]
    kinds = []
    if "quay wall" in look.fittings or "boat" in look.fittings or look.skyline == "sea":
        kinds.append("water")
    if "tracks" in look.fittings:
        kinds.append("tracks")
    if look.skyline in ("roofs", "works") or random.random() < 0.5:
        kinds.append("building")
    kinds += [lines[k % len(lines)] for k in range(2)]
    return dict(zip(order, [*kinds, "open", "open", "open"], strict=False))


# ------------------------------------------------------------------------------------------------------- ground


def _ground(
    plan: FloorPlan, work: Assembly, look: PlaceLook, sides: dict[WallName, str], random: Random
) -> tuple[Quad, ...]:
    """The stage and the land around it; a side of water lies lower."""
    w, d, r = plan.width, plan.depth, REACH
    seed = work.tones.variant
    near = Material(look.floor.pattern, calm(look.floor.colour), seed=seed)
    far = (
        near if look.floor.pattern in ("grass", "earth", "gravel") else Material("grass", (0.50, 0.53, 0.38), seed=seed)
    )
    tint = {"cool": (0.42, 0.50, 0.56), "neutral": (0.44, 0.51, 0.53), "warm": (0.50, 0.52, 0.50)}[look.light.tone]
    water = Material("asphalt", tint, shaded(tint, 0.84), seed=seed)
    out = [Quad((0, 0, 0), (w, 0, 0), (0, d, 0), near)]
    # North and south run over the corners, east and west lie between them.
    rings: dict[WallName, tuple[Vec3, Vec3, Vec3]] = {
        "north": ((-r, d, 0), (w + 2 * r, 0, 0), (0, r, 0)),
        "south": ((-r, -r, 0), (w + 2 * r, 0, 0), (0, r, 0)),
        "west": ((-r, 0, 0), (r, 0, 0), (0, d, 0)),
        "east": ((w, 0, 0), (r, 0, 0), (0, d, 0)),
    }
    for name, (corner, u, v) in rings.items():
        wet = sides.get(name) == "water"
        low = (corner[0], corner[1], WATER_LEVEL if wet else 0.0)
        out.append(Quad(low, u, v, water if wet else far))
        if wet:
            work.boxes += _banks(plan, name, seed)
    return tuple(out)


def _banks(plan: FloorPlan, side: WallName, seed: int) -> list[Box]:
    """The face of the land at the water, so that no gap shows between ground and water."""
    stone = Material("stone", (0.52, 0.51, 0.48), seed=seed)
    wall = plan.walls[side]
    deep = -WATER_LEVEL + 0.2
    long = wall.length + (2 * REACH if side in ("north", "south") else 0.0)
    x, y, _ = wall.point(wall.length / 2, 0.0)
    yaw = 90.0 if side in ("east", "west") else 0.0
    out = [Box((x, y, -deep / 2 - 0.004), (long, 0.3, deep), stone, yaw)]
    if side in ("east", "west"):
        for y_edge in (0.0, plan.depth):
            middle = x + (REACH / 2 if side == "east" else -REACH / 2)
            out.append(Box((middle, y_edge, -deep / 2 - 0.004), (REACH, 0.3, deep), stone))
    return out


# -------------------------------------------------------------------------------------------- sides and equipment


def _put_beyond(work: Assembly, wall: Wall, along: float, out: float, piece: Piece) -> None:
    """A piece outside the stage, facing it; `out` metres from the edge to its near side."""
    work.put(piece, wall.point(along, -out - piece.depth / 2), wall.inward)


def _draw_sides(plan: FloorPlan, work: Assembly, look: PlaceLook, sides: dict[WallName, str], random: Random) -> None:
    for name, kind in sides.items():
        wall = plan.walls[name]
        if kind == "water":
            piece = work.make("quay wall", wall.length)
            work.put(piece, wall.point(wall.length / 2, piece.depth / 2 - 0.1), wall.inward)
        elif kind == "building":
            _put_beyond(work, wall, wall.length / 2, -0.06, _building(work, look, wall, random))
        elif kind == "tracks":
            _put_beyond(work, wall, wall.length / 2, 0.6, work.make("tracks", wall.length + 12))
        elif kind in FITTINGS:
            _put_beyond(work, wall, wall.length / 2, 0.05, work.make(kind, wall.length))


def _building(work: Assembly, look: PlaceLook, wall: Wall, random: Random) -> Piece:
    """A building in the walls of the look."""
    width = wall.length * float(random.uniform(0.75, 1.1))
    piece = Piece(work.stream(5), work.tones, width, 4.0, 5.0)
    walls = Material(look.walls.pattern, calm(look.walls.colour), seed=work.tones.variant)
    return house_of(piece, walls, max(2.9, min(look.height, 4.2)))


def _place_landmarks(
    plan: FloorPlan, work: Assembly, zones: dict[str, tuple[Wall, float]], landmarks: tuple[LandmarkWords, ...]
) -> None:
    for words in landmarks:
        piece, mount = landmark_piece(words, work, 2.4)
        near, along = zones.get(words.zone, (None, 0.0))
        wall = near or plan.walls["north"]
        middle = along if near else wall.length / 2
        if mount in ("beyond", "edge"):
            at = wall.point(middle, -0.3 - piece.depth / 2)
            number, placed = work.put(piece, at, wall.inward)
            work.mark(words, number, placed, at, wall.inward)
        elif mount in ("hung", "ceiling"):
            _hang_on_posts(work, words, piece, wall, middle)
        else:
            stand_landmark(plan, work, words, piece, near, along)


def _hang_on_posts(work: Assembly, words: LandmarkWords, piece: Piece, wall: Wall, along: float) -> None:
    """Where there is no wall, a thing that hangs gets two posts and a bar."""
    top, reach = 2.3, max(piece.width, 0.6) / 2 + 0.1
    frame = Piece(piece.random, work.tones, 2 * reach, 0.14, top)
    for s in (-1, 1):
        frame.block((s * reach, 0, 0), (0.11, 0.11, top + 0.1), work.tones.timber(0.85))
    frame.block((0, 0, top), (2 * reach, 0.1, 0.1), work.tones.timber(0.85))
    at = wall.point(along, -0.3)
    work.put(frame, at, wall.inward)
    hung = offset((at[0], at[1], top), wall.inward, 0.06 + piece.depth / 2)
    number, placed = work.put(piece, hung, wall.inward)
    work.mark(words, number, placed, hung, wall.inward)


def _equip(plan: FloorPlan, work: Assembly, look: PlaceLook, random: Random) -> None:
    named = [k for k in look.fittings if k in FITTINGS and FITTINGS[k].mount in ("wall", "corner")]
    spare = [k for k in GENERAL if k not in named]
    named += [spare[int(k)] for k in random.permutation(len(spare))[: max(0, 3 - len(named))]]
    fill_walls(plan, work, named, random)


def _scenery(plan: FloorPlan, work: Assembly, look: PlaceLook, sides: dict[WallName, str], random: Random) -> None:
    """What stands beyond the edges: named things first, then trees, thinner where there is water or a building."""
    beyond = [k for k in look.fittings if k in FITTINGS and FITTINGS[k].mount == "beyond"]
    tree = next((k for k in beyond if k in ("trees", "conifers")), "trees" if random.random() < 0.65 else "conifers")
    free = [name for name in WALLS if sides.get(name, "open") not in ("water", "building", "tracks")]
    for k, kind in enumerate(kind for kind in beyond if kind != tree):
        wall = plan.walls[free[k % len(free)] if free else "north"]
        along = wall.length * float(random.uniform(0.25, 0.75))
        _put_beyond(work, wall, along, float(random.uniform(1.0, 2.2)), work.make(kind, 4.0))
    many = 4 if tree in look.fittings else 2
    for name in free:
        wall = plan.walls[name]
        for _ in range(many):
            along = float(random.uniform(-2.0, wall.length + 2.0))
            _put_beyond(work, wall, along, float(random.uniform(3.5, 9.0)), work.make(tree, 3.0))
    if free and "hills" not in beyond:
        wall = plan.walls[free[0]]
        work.put(work.make("hills", 13.0), wall.point(wall.length * 0.3, -22.0), wall.inward)
