"""Rooms: zones along the walls, windows between them, equipment on what wall is left, the middle kept clear.

lay_out(look) = zones → windows → landmarks → equipment → hung things → ceiling → light
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from storyengine.previz.looks import PlaceLook
from storyengine.previz.places import light as lights
from storyengine.previz.places.assembly import Assembly
from storyengine.previz.places.fittings import FITTINGS
from storyengine.previz.places.floorplan import WALLS, FloorPlan, Wall, WallName, offset
from storyengine.previz.places.model import Bounds, LandmarkWords, PlaceModel, Site, Spot
from storyengine.previz.places.piece import Piece, Random
from storyengine.previz.places.props_in_place import landmark_piece
from storyengine.previz.places.tones import shaded, tones_of
from storyengine.previz.places.words import fitting_named
from storyengine.previz.render import Box, Material, Quad, Room, Vec3, Window, window

SITE_WIDTH, SITE_DEPTH = 1.3, 0.8
"""Wall kept free in every zone for what the story brings."""
STAND = 1.45
"""How far from the wall a zone's first person stands."""
LOW = 1.05
"""What is no higher than this may stand under a window."""
LEAST = (5.2, 4.6, 2.6)
GENERAL = ("shelves", "cupboard", "table", "crates", "bench", "drawers")
"""What fills a wall when a look names too little."""
GENERAL_HUNG = ("wall shelf", "pegs", "pictures", "tool rack", "clock")


@dataclass(frozen=True)
class _Zone:
    name: str
    wall: Wall
    along: float


def build_interior(
    look: PlaceLook, zones: tuple[str, ...], landmarks: tuple[LandmarkWords, ...], seed: tuple[int, ...]
) -> PlaceModel:
    random = np.random.default_rng([*seed, 0])
    plan = FloorPlan.empty(*_size(look, len(zones)))
    work = Assembly(seed, tones_of(random))
    placed = _place_zones(plan, zones, random)
    _place_windows(plan, work, look, random)
    left = _place_zone_equipment(plan, work, placed, landmarks)
    _place_wall_equipment(plan, work, look, random)
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
        brightness=lights.BRIGHTNESS[look.light.brightness],
        warmth=lights.WARMTH[look.light.tone],
    )
    bounds = Bounds((0.3, 0.3, 0.0), (plan.width - 0.3, plan.depth - 0.3, plan.height - 0.15))
    spots = {zone.name: _spot(zone, work) for zone in placed}
    return PlaceModel(room, spots, work.landmarks, tuple(work.obstacles), bounds, outdoor=False)


def _size(look: PlaceLook, zones: int) -> tuple[float, float, float]:
    """The look's size, grown where its zones need more wall."""
    w, d, h = (max(have, least) for have, least in zip((look.width, look.depth, look.height), LEAST, strict=True))
    need = max(zones, 1) * 2.5
    have = 2 * (w + d) - 6.0
    if have < need:
        w, d = w * need / have, d * need / have
    return w, d, h


def _place_zones(plan: FloorPlan, zones: tuple[str, ...], random: Random) -> list[_Zone]:
    """Zones take turns on the walls, evenly along each; their sites stay free."""
    start = int(random.integers(4))
    capacity = {name: max(1, int((plan.walls[name].length - 1.2) / 2.2)) for name in WALLS}
    share: dict[WallName, list[str]] = {name: [] for name in WALLS}
    turn = start
    for zone in zones:
        tries = 0
        while len(share[WALLS[turn % 4]]) >= capacity[WALLS[turn % 4]] and tries < 4:
            turn, tries = turn + 1, tries + 1
        share[WALLS[turn % 4]].append(zone)
        turn += 1
    out = []
    for name in WALLS:
        wall, here = plan.walls[name], share[name]
        for k, zone in enumerate(here):
            inner = wall.length - 1.8
            drift = float(random.uniform(-0.25, 0.25)) if len(here) == 1 else 0.0
            along = 0.9 + inner * (k + 0.5) / len(here) + drift
            plan.take(wall, along, SITE_WIDTH, SITE_DEPTH)
            out.append(_Zone(zone, wall, along))
    return out


def _spot(zone: _Zone, work: Assembly) -> Spot:
    wall, toward = zone.wall, (zone.wall.inward + 180) % 360
    side = 0.45
    stand = wall.point(zone.along - side, STAND)
    partner = wall.point(zone.along + side, STAND)
    sites = (
        Site(wall.point(zone.along, 0.08 + SITE_DEPTH / 2), wall.inward, SITE_WIDTH, SITE_DEPTH),
        Site(offset(wall.point(zone.along, STAND), wall.inward, 0.75), wall.inward, 0.9, 0.7),
    )
    return Spot(zone.name, stand, toward, partner, wall.name, sites, work.tops_near(stand, 2.0))


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
    panes = int(random.integers(2, 5))
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
                name, along, sill, (width, tall), (plan.width, plan.depth), sky, frame, power=power, panes=panes
            )
            work.windows.append(replace(pane, colour=lights.day_colour(light)))
            work.boxes += bars
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
    work.windows.append(replace(pane, colour=lights.day_colour(look.light)))
    work.boxes += bars


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


def _stand_at(plan: FloorPlan, work: Assembly, wall: Wall, along: float, piece: Piece) -> tuple[int, object, Vec3]:
    at = wall.point(along, piece.depth / 2 + 0.035)
    number, placed = work.put(piece, at, wall.inward)
    plan.take(wall, along, piece.width, piece.depth, tall=piece.height > LOW)
    return number, placed, at


def _free_place(plan: FloorPlan, near: Wall | None, along: float, piece: Piece) -> tuple[Wall, float] | None:
    """Where a piece can stand: at the wanted wall if possible, else at the emptiest."""
    layer = ("low", "tall") if piece.height > LOW else ("low",)
    walls = sorted(
        plan.walls.values(), key=lambda w: (w is not near, -max((b - a for a, b in w.gaps("low")), default=0))
    )
    for wall in walls:
        target = along if wall is near else wall.length / 2
        at = wall.nearest("low", target, piece.width)
        if at is not None and "tall" in layer:
            at = _both_free(wall, target, piece.width)
        if at is not None:
            return wall, at
    return None


def _both_free(wall: Wall, along: float, width: float) -> float | None:
    """The nearest position that is free on the floor and above."""
    best: float | None = None
    for start, end in wall.gaps("low"):
        for high_start, high_end in wall.gaps("tall"):
            left, right = max(start, high_start), min(end, high_end)
            if right - left < width:
                continue
            at = min(max(along, left + width / 2), right - width / 2)
            if best is None or abs(at - along) < abs(best - along):
                best = at
    return best


def _place_zone_equipment(
    plan: FloorPlan, work: Assembly, zones: list[_Zone], landmarks: tuple[LandmarkWords, ...]
) -> tuple[LandmarkWords, ...]:
    """Landmarks first, near their zones, then what zone names speak of. Gives what belongs under the ceiling."""
    by_name = {zone.name: zone for zone in zones}
    above = []
    named = set()
    for words in landmarks:
        piece, mount = landmark_piece(words, work, 1.4)
        named.add(fitting_named(words.name))
        if mount in ("ceiling", "floor"):
            above.append(words)
            continue
        zone = by_name.get(words.zone)
        near, along = (zone.wall, zone.along) if zone else (None, 0.0)
        if mount == "hung":
            _hang_landmark(plan, work, words, piece, near, along)
            continue
        found = _free_place(plan, near, along, piece)
        if found is not None:
            number, placed, at = _stand_at(plan, work, found[0], found[1], piece)
            work.mark(words, number, placed, at, found[0].inward)  # type: ignore[arg-type]
    for zone in zones:
        kind = fitting_named(zone.name)
        if kind is None or kind in named or FITTINGS[kind].mount not in ("wall", "corner"):
            continue
        piece = work.make(kind, 1.3)
        at_wall = _both_free(zone.wall, zone.along, piece.width)
        if at_wall is not None and abs(at_wall - zone.along) < 2.2:
            _stand_at(plan, work, zone.wall, at_wall, piece)
    return tuple(above)


def _hang_landmark(
    plan: FloorPlan, work: Assembly, words: LandmarkWords, piece: Piece, near: Wall | None, along: float
) -> None:
    walls = sorted(plan.walls.values(), key=lambda w: (w is not near, -w.length))
    for wall in walls:
        at = wall.nearest("tall", along if wall is near else wall.length / 2, piece.width)
        if at is not None:
            top = min(2.25, plan.height - 0.15)
            where = wall.point(at, piece.depth / 2 + 0.03, top)
            number, placed = work.put(piece, where, wall.inward)
            wall.take(at, piece.width, piece.depth, low=False, tall=True)
            work.mark(words, number, placed, where, wall.inward)
            return


def _place_wall_equipment(plan: FloorPlan, work: Assembly, look: PlaceLook, random: Random) -> None:
    """The look's equipment in turn on every free stretch of wall, corners with stacks, until the walls are used."""
    named = [kind for kind in look.fittings if kind in FITTINGS]
    standing = [k for k in named if FITTINGS[k].mount == "wall"]
    corner = [k for k in named if FITTINGS[k].mount == "corner"]
    fill = [*standing, *corner]
    spare = [k for k in GENERAL if k not in fill]
    fill += [spare[int(k)] for k in random.permutation(len(spare))[: max(0, 4 - len(fill))]]
    for kind in fill:
        _place_one(plan, work, kind, random)
    again = 0
    for wall in plan.walls.values():
        for start, end in wall.gaps("low", 0.12):
            if end - start > 1.0 and fill and again < 6:
                _place_one(plan, work, fill[again % len(fill)], random, wall, (start + end) / 2)
                again += 1


def _place_one(
    plan: FloorPlan, work: Assembly, kind: str, random: Random, near: Wall | None = None, along: float = 0.0
) -> None:
    fitting = FITTINGS[kind]
    room = [end - start for wall in ([near] if near else plan.walls.values()) for start, end in wall.gaps("low")]
    usual = fitting.least + float(random.uniform(0.3, 1.0)) * (fitting.most - fitting.least)
    width = min(usual, max(room, default=0.0))
    if width < fitting.least:
        return
    for attempt in (width, fitting.least):
        piece = work.make(kind, attempt)
        found = _free_place(plan, near, along, piece)
        if found is not None and (near is None or found[0] is near):
            _stand_at(plan, work, found[0], found[1], piece)
            return


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
    seeds = [int(s) for s in random.integers(0, 1 << 16, 6)]
    floor = Material(look.floor.pattern, look.floor.colour, seed=seeds[0])
    ceiling = Material(look.ceiling.pattern, look.ceiling.colour, seed=seeds[1])
    upper = Material(look.walls.pattern, look.walls.colour, seed=seeds[2])
    plain = look.walls.pattern in ("plaster", "wallpaper", "paint", "concrete", "tiles")
    split = float(random.uniform(0.95, 1.3)) if plain and random.random() < 0.6 else 0.0
    lower = Material(
        "panelling" if look.walls.pattern == "wallpaper" else look.walls.pattern,
        work.tones.second if random.random() < 0.7 else shaded(look.walls.colour, 0.72),
        seed=seeds[3],
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


def _strip(wall: Wall, z: float, tall: float, material: Material) -> Box:
    """A skirting board or a rail along a whole wall."""
    x, y, _ = wall.point(wall.length / 2, 0.011)
    turned = wall.name in ("east", "west")
    return Box((x, y, z + tall / 2), (wall.length, 0.022, tall), material, 90.0 if turned else 0.0)


def _tinted_lamps(work: Assembly, look: PlaceLook) -> tuple:  # type: ignore[type-arg]
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
