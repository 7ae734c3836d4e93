"""Rooms: zones along the walls, windows between them, equipment on what wall is left, the middle kept clear.

lay_out(look) = zones → windows → landmarks → equipment → hung things → ceiling → light
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from storyengine.previz.appearance import names_window
from storyengine.previz.appearance.fittings import fitting_named
from storyengine.previz.looks import PlaceLook
from storyengine.previz.places import light as lights
from storyengine.previz.places.assembly import Assembly
from storyengine.previz.places.fittings import FITTINGS
from storyengine.previz.places.floorplan import WALLS, FloorPlan, Wall
from storyengine.previz.places.landmarks import landmark_piece
from storyengine.previz.places.model import Bounds, Landmark, LandmarkWords, PlaceModel
from storyengine.previz.places.piece import Piece, Random
from storyengine.previz.places.standing import Zone, equip_zones, fill_walls, grown, place_zones, stand_landmark
from storyengine.previz.places.tones import calm, mixed, shaded, tones_of
from storyengine.previz.render import Box, Lamp, Material, Quad, Room, Window, window

LEAST = (5.2, 4.6, 2.6)
GENERAL = ("shelves", "cupboard", "table", "crates", "bench", "drawers")
"""What fills a wall when a look names too little."""
SCALES = (0.8, 0.9, 1.0, 1.15, 1.3)
"""Sizes of tiles, bricks and boards, relative to the usual one."""
GENERAL_HUNG = ("wall shelf", "pegs", "pictures", "tool rack", "clock")


def build_interior(
    look: PlaceLook, zones: tuple[str, ...], landmarks: tuple[LandmarkWords, ...], seed: tuple[int, ...]
) -> PlaceModel:
    random = np.random.default_rng([*seed, 0])
    plan = FloorPlan.empty(*_size(look, len(zones)))
    work = Assembly(seed, tones_of(random))
    placed = place_zones(plan, zones, random)
    _place_windows(plan, work, look, random)
    left = _place_zone_equipment(plan, work, placed, landmarks)
    _equip_walls(plan, work, look, random)
    _hang_things(plan, work, look, random)
    _furnish_ceiling(plan, work, look, left, random)
    _lay_rug(plan, work, look)
    surfaces, trim = _shell(plan, work, look, random)
    room = Room(
        surfaces=surfaces,
        boxes=(*trim, *work.boxes),
        fittings=tuple(work.fittings),
        lamps=_tinted_lamps(work, look),
        windows=tuple(work.windows),
        brightness=lights.exposure_of(look),
        warmth=lights.WARMTH[look.light.tone],
    )
    bounds = Bounds((0.3, 0.3, 0.0), (plan.width - 0.3, plan.depth - 0.3, plan.height - 0.15))
    spots = {zone.name: zone.spot(work) for zone in placed}
    return PlaceModel(room, spots, work.landmarks, tuple(work.obstacles), bounds, outdoor=False)


def _size(look: PlaceLook, zones: int) -> tuple[float, float, float]:
    w, d, h = (max(have, least) for have, least in zip((look.width, look.depth, look.height), LEAST, strict=True))
    return (*grown(w, d, zones), h)


# ------------------------------------------------------------------------------------------------------ windows


def _place_windows(plan: FloorPlan, work: Assembly, look: PlaceLook, random: Random) -> None:
    light = look.light
    sky = lights.sky_of(light, look.skyline, look.seed)
    frame = Material("paint", shaded(work.tones.second, 1.45), seed=work.tones.variant)
    if light.source == "skylight":
        _place_skylight(plan, work, look)
        return
    wanted = 3 if lights.has_windows(light) else int(random.integers(2))
    wide, tall = float(random.uniform(1.1, 1.7)), float(random.uniform(1.1, 1.5))
    panes, bars_across = int(random.integers(2, 5)), int(random.integers(1, 4))
    order = [int(k) for k in random.permutation(4)]
    for name in (WALLS[k] for k in order):
        wall = plan.walls[name]
        for start, end in wall.gaps("tall", 0.35):
            if wanted <= 0 or end - start < 0.9:
                continue
            width = min(wide, end - start - 0.1)
            sill = 1.15 if tall + 1.15 < plan.height - 0.2 else plan.height - tall - 0.25
            along = (start + end) / 2
            power = lights.window_power(light)
            pane, bars = window(
                name,
                along,
                sill,
                (width, tall),
                (plan.width, plan.depth),
                sky,
                frame,
                power=power,
                panes=panes,
                across=bars_across,
            )
            _add_window(work, pane, bars, look)
            wall.take(along, width + 0.2, 0.1, low=False, tall=True)
            wanted -= 1
    if lights.has_windows(light) and not work.windows:
        _place_high_window(plan, work, look, frame)


def _place_high_window(plan: FloorPlan, work: Assembly, look: PlaceLook, frame: Material) -> None:
    """A band of glass under the ceiling, where zones take all the wall below."""
    wall = max(plan.walls.values(), key=lambda one: one.length)
    tall = max(0.4, min(0.8, plan.height - 2.3))
    pane, bars = window(
        wall.name, wall.length / 2, plan.height - tall - 0.12, (wall.length * 0.6, tall), (plan.width, plan.depth),
        lights.sky_of(look.light, look.skyline, look.seed), frame, power=lights.window_power(look.light), panes=5,
    )  # fmt: skip
    _add_window(work, pane, bars, look)


def _add_window(work: Assembly, pane: Window, bars: tuple[Box, ...], look: PlaceLook) -> None:
    number = work.next_number()
    work.windows.append(replace(pane, colour=lights.day_colour(look.light), id=number))
    work.boxes += [replace(bar, id=number) for bar in bars]


def _place_skylight(plan: FloorPlan, work: Assembly, look: PlaceLook) -> None:
    w, d, z = plan.width * 0.45, plan.depth * 0.4, plan.height - 0.02
    x, y = (plan.width - w) / 2, (plan.depth - d) / 2
    sky = lights.sky_of(look.light, "none", look.seed)
    # u × v points down, into the room.
    work.windows.append(
        Window(
            (x, y + d, z), (w, 0, 0), (0, -d, 0), sky, lights.window_power(look.light), lights.day_colour(look.light)
        )
    )
    frame = Material("paint", shaded(work.tones.second, 1.35), seed=work.tones.variant)
    for k in range(5):
        work.boxes.append(Box((x + w * k / 4, y + d / 2, z - 0.05), (0.06, d, 0.1), frame))
    for y_edge in (y, y + d):
        work.boxes.append(Box((x + w / 2, y_edge, z - 0.05), (w + 0.1, 0.07, 0.12), frame))


# ---------------------------------------------------------------------------------------------------- equipment


def _place_zone_equipment(
    plan: FloorPlan, work: Assembly, zones: list[Zone], landmarks: tuple[LandmarkWords, ...]
) -> tuple[LandmarkWords, ...]:
    """Landmarks first, near their zones, then what zone names speak of. Gives those that are not at a wall."""
    by_name = {zone.name: zone for zone in zones}
    middle = []
    for words in landmarks:
        if names_window(words.name):
            _mark_window(work, words)
            continue
        piece, mount = landmark_piece(words, work, 1.4)
        zone = by_name.get(words.zone)
        near, along = (zone.wall, zone.along) if zone else (None, 0.0)
        if mount in ("ceiling", "floor"):
            middle.append(words)
        elif mount == "hung":
            _hang_landmark(plan, work, words, piece, near, along)
        else:
            stand_landmark(plan, work, words, piece, near, along)
    equip_zones(plan, work, zones, landmarks)
    return tuple(middle)


def _mark_window(work: Assembly, words: LandmarkWords) -> None:
    """The first window that no other landmark has taken."""
    taken = {landmark.number for landmark in work.landmarks.values()}
    for pane in work.windows:
        if pane.id not in taken:
            corner, u, v = (np.array(x) for x in (pane.corner, pane.u, pane.v))
            ends = np.array([corner, corner + u + v])
            low, high = (ends.min(axis=0) - 0.03).tolist(), (ends.max(axis=0) + 0.03).tolist()
            box = Bounds((low[0], low[1], low[2]), (high[0], high[1], high[2]))
            work.landmarks[words.id] = Landmark(words.id, words.name, pane.id, box.middle, 0.0, box, words.zone)
            return


def _hang_landmark(
    plan: FloorPlan, work: Assembly, words: LandmarkWords, piece: Piece, near: Wall | None, along: float
) -> None:
    for wall in sorted(plan.walls.values(), key=lambda w: (w is not near, -w.length)):
        at = wall.nearest("tall", along if wall is near else wall.length / 2, piece.width)
        if at is not None:
            where = wall.point(at, piece.depth / 2 + 0.03, min(2.25, plan.height - 0.15))
            number, placed = work.put(piece, where, wall.inward)
            wall.take(at, piece.width, piece.depth, low=False, tall=True)
            work.mark(words, number, placed, where, wall.inward)
            return


def _equip_walls(plan: FloorPlan, work: Assembly, look: PlaceLook, random: Random) -> None:
    named = [kind for kind in look.fittings if kind in FITTINGS and FITTINGS[kind].mount in ("wall", "corner")]
    spare = [kind for kind in GENERAL if kind not in named]
    named += [spare[int(k)] for k in random.permutation(len(spare))[: max(0, 4 - len(named))]]
    fill_walls(plan, work, named, random)


def _hang_things(plan: FloorPlan, work: Assembly, look: PlaceLook, random: Random) -> None:
    hung = [kind for kind in look.fittings if kind in FITTINGS and FITTINGS[kind].mount == "hung"]
    spare = [k for k in GENERAL_HUNG if k not in hung]
    hung += [spare[int(k)] for k in random.permutation(len(spare))[: max(0, 3 - len(hung))]]
    turn = 0
    for wall in plan.walls.values():
        for start, end in wall.gaps("tall", 0.3):
            kind = FITTINGS[hung[turn % len(hung)]]
            if end - start < kind.least + 0.1:
                continue
            piece = work.make(kind.name, min(end - start - 0.15, kind.most))
            if not piece.boxes and not piece.meshes:
                continue  # too little room for even one of its parts
            top = min(2.2, plan.height - 0.2) if kind.name != "pipes" else min(2.4, plan.height - 0.2)
            work.put(piece, wall.point((start + end) / 2, piece.depth / 2 + 0.03, top), wall.inward)
            turn += 1
            if turn > 5:
                return


# ---------------------------------------------------------------------------------------------- ceiling and floor


def _furnish_ceiling(
    plan: FloorPlan, work: Assembly, look: PlaceLook, wanted: tuple[LandmarkWords, ...], random: Random
) -> None:
    kinds = {fitting_named(words.name) or "": words for words in wanted}
    if "beams" in look.fittings or "beams" in kinds or (plan.height > 2.7 and random.random() < 0.35):
        _span_beams(plan, work, kinds.get("beams"))
    if "columns" in look.fittings or "columns" in kinds:
        _raise_columns(plan, work, kinds.get("columns"))
    if look.light.source != "skylight":
        _hang_lamps(plan, work, look, kinds.get("hanging lamps"))
    for kind, words in kinds.items():
        if words.id not in work.landmarks:
            _hang_in_middle(plan, work, words, kind)


def _span_beams(plan: FloorPlan, work: Assembly, words: LandmarkWords | None) -> None:
    across = plan.width <= plan.depth
    length, other = (plan.width, plan.depth) if across else (plan.depth, plan.width)
    count = max(2, round(other / 1.7))
    for k in range(count):
        at = other * (k + 0.5) / count
        where = (plan.width / 2, at, plan.height) if across else (at, plan.depth / 2, plan.height)
        yaw = 0.0 if across else 90.0
        number, placed = work.put(work.make("beams", length), where, yaw)
        if words is not None and k == count // 2:
            work.mark(words, number, placed, where, yaw)


def _raise_columns(plan: FloorPlan, work: Assembly, words: LandmarkWords | None) -> None:
    """Two columns near the middle of the long axis, clear of every zone's floor."""
    for k, t in enumerate((0.30, 0.70)):
        x, y = (plan.width * t, plan.depth / 2) if plan.width >= plan.depth else (plan.width / 2, plan.depth * t)
        fitting = FITTINGS["columns"]
        piece = fitting.build(work.stream(2), work.tones, plan.height)
        number, placed = work.put(piece, (x, y, 0.0), 0.0)
        if words is not None and k == 0:
            work.mark(words, number, placed, (x, y, 0.0), 0.0)


def _hang_lamps(plan: FloorPlan, work: Assembly, look: PlaceLook, words: LandmarkWords | None) -> None:
    count = 2 if max(plan.width, plan.depth) > 6.5 else 1
    lit = lights.lamps_lit(look.light)
    for k in range(count):
        t = (k + 0.5) / count
        x, y = (plan.width * t, plan.depth * 0.5) if plan.width >= plan.depth else (plan.width * 0.5, plan.depth * t)
        drop = min(max(0.45, plan.height - 2.35), 1.2)
        piece = FITTINGS["hanging lamps"].build(work.stream(3), work.tones, drop)
        if not lit:
            piece.meshes = [replace(part, glow=0.0) for part in piece.meshes]
        number, placed = work.put(piece, (x, y, plan.height), 0.0)
        if words is not None and k == 0:
            work.mark(words, number, placed, (x, y, plan.height), 0.0)


def _hang_in_middle(plan: FloorPlan, work: Assembly, words: LandmarkWords, kind: str) -> None:
    """A landmark that hangs or lies and is none of the usual: under the ceiling or on the floor."""
    piece, mount = landmark_piece(words, work, 1.6)
    z = plan.height if mount == "ceiling" else 0.0
    at = (plan.width / 2, plan.depth / 2, z)
    piece.solid = False
    number, placed = work.put(piece, at, 0.0)
    work.mark(words, number, placed, at, 0.0)


def _lay_rug(plan: FloorPlan, work: Assembly, look: PlaceLook) -> None:
    if "rug" in look.fittings:
        width = min(plan.width, plan.depth) * 0.5
        work.put(
            work.make("rug", width), (plan.width / 2, plan.depth / 2, 0.0), 0.0 if plan.width >= plan.depth else 90.0
        )


# ------------------------------------------------------------------------------------------------ shell and light


def _shell(
    plan: FloorPlan, work: Assembly, look: PlaceLook, random: Random
) -> tuple[tuple[Quad, ...], tuple[Box, ...]]:
    """Floor, ceiling and walls, the walls of some rooms in two parts: a dado below, a rail, and the wall above."""
    w, d, h = plan.width, plan.depth, plan.height
    scales, seed = random.choice(SCALES, 2), work.tones.variant
    floor = Material(look.floor.pattern, calm(look.floor.colour), scale=_laid(look.floor.pattern, scales[0]), seed=seed)
    ceiling = Material(look.ceiling.pattern, calm(look.ceiling.colour), seed=seed)
    size = _laid(look.walls.pattern, scales[1])
    upper = Material(look.walls.pattern, calm(look.walls.colour), scale=size, seed=seed)
    plain = look.walls.pattern in ("plaster", "wallpaper", "paint", "concrete", "tiles")
    split = float(random.uniform(0.95, 1.3)) if plain and random.random() < 0.6 else 0.0
    lower = Material(
        "panelling" if look.walls.pattern == "wallpaper" else look.walls.pattern,
        mixed(calm(look.walls.colour), work.tones.second if random.random() < 0.7 else work.tones.wood, 0.6),
        scale=size,
        seed=seed,
    )
    quads = [Quad((0, 0, 0), (w, 0, 0), (0, d, 0), floor), Quad((0, d, h), (w, 0, 0), (0, -d, 0), ceiling)]
    trim: list[Box] = []
    skirting = Material("paint", shaded(work.tones.wood, 0.7), seed=work.tones.variant)
    for name in WALLS:
        wall = plan.walls[name]
        a, b = wall.point(0, 0), wall.point(wall.length, 0)
        along = (b[0] - a[0], b[1] - a[1], 0.0)
        if split:
            quads.append(Quad(a, along, (0, 0, split), lower))
            trim.append(_strip(wall, split, 0.05, skirting))
        quads.append(Quad((a[0], a[1], split), along, (0, 0, h - split), upper))
        trim.append(_strip(wall, 0.0, 0.11, skirting))
    return tuple(quads), tuple(trim)


def _laid(pattern: str, scale: float) -> float:
    """How large the units of a surface are: tiles, bricks and boards differ from building to building."""
    return float(scale) if pattern in ("tiles", "chequer", "brick", "stone", "cobbles", "planks", "cladding") else 1.0


def _strip(wall: Wall, z: float, tall: float, material: Material) -> Box:
    """A skirting board or a rail along a whole wall."""
    x, y, _ = wall.point(wall.length / 2, 0.011)
    turned = wall.name in ("east", "west")
    return Box((x, y, z + tall / 2), (wall.length, 0.022, tall), material, 90.0 if turned else 0.0)


def _tinted_lamps(work: Assembly, look: PlaceLook) -> tuple[Lamp, ...]:
    """Lamps in the place's tone; fires keep their own colour and carry the light where the fire is the source."""
    out = []
    power = lights.lamp_power(look.light)
    for lamp in work.lamps:
        fire = lamp.shade == 0.0
        if fire:
            out.append(replace(lamp, power=lamp.power * (2.2 if look.light.source == "fire" else 1.0)))
        else:
            out.append(replace(lamp, colour=lights.lamp_colour(look.light), power=lamp.power * power))
    return tuple(out)
