"""What stands where: zones along the four sides of a place, and pieces on the stretches that they leave free."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from storyengine.previz.appearance.fittings import fitting_named
from storyengine.previz.places.assembly import Assembly
from storyengine.previz.places.fittings import FITTINGS
from storyengine.previz.places.floorplan import WALLS, FloorPlan, Wall, WallName, offset
from storyengine.previz.places.model import LandmarkWords, Site, Spot
from storyengine.previz.places.piece import Piece, Placed, Random
from storyengine.previz.render import Vec3

SITE_WIDTH, SITE_DEPTH = 1.3, 0.8
"""Wall kept free in every zone for what the story brings."""
STAND = 1.45
"""How far from the wall a zone's people stand."""
LOW = 1.05
"""What is no higher than this may stand under a window."""
ZONE = 2.5
"""Length of wall that a zone asks for, metres."""


@dataclass(frozen=True)
class Zone:
    """A zone's place on a wall."""

    name: str
    wall: Wall
    along: float

    def spot(self, work: Assembly) -> Spot:
        wall = self.wall
        stand, partner = wall.point(self.along - 0.45, STAND), wall.point(self.along + 0.45, STAND)
        sites = (
            Site(wall.point(self.along, 0.08 + SITE_DEPTH / 2), wall.inward, SITE_WIDTH, SITE_DEPTH),
            Site(offset(wall.point(self.along, STAND), wall.inward, 0.75), wall.inward, 0.9, 0.7),
        )
        toward = (wall.inward + 180) % 360
        return Spot(self.name, stand, toward, partner, wall.name, sites, work.tops_near(stand, 2.0))


def grown(width: float, depth: float, zones: int) -> tuple[float, float]:
    """The given size, larger where the zones need more wall."""
    need, have = max(zones, 1) * ZONE, 2 * (width + depth) - 6.0
    return (width, depth) if have >= need else (width * need / have, depth * need / have)


def place_zones(plan: FloorPlan, zones: Sequence[str], random: Random) -> list[Zone]:
    """Zones take turns on the walls, evenly along each; their sites stay free."""
    capacity = {name: max(1, int((plan.walls[name].length - 1.2) / 2.2)) for name in WALLS}
    share: dict[WallName, list[str]] = {name: [] for name in WALLS}
    turn = int(random.integers(4))
    for zone in zones:
        for _ in range(4):
            if len(share[WALLS[turn % 4]]) < capacity[WALLS[turn % 4]]:
                break
            turn += 1
        share[WALLS[turn % 4]].append(zone)
        turn += 1
    out = []
    for name in WALLS:
        wall, here = plan.walls[name], share[name]
        for k, zone in enumerate(here):
            drift = float(random.uniform(-0.25, 0.25)) if len(here) == 1 else 0.0
            along = 0.9 + (wall.length - 1.8) * (k + 0.5) / len(here) + drift
            plan.take(wall, along, SITE_WIDTH, SITE_DEPTH)
            out.append(Zone(zone, wall, along))
    return out


def stand_at(plan: FloorPlan, work: Assembly, wall: Wall, along: float, piece: Piece) -> tuple[int, Placed, Vec3]:
    """Puts a piece against a wall."""
    at = wall.point(along, piece.depth / 2 + 0.035)
    number, placed = work.put(piece, at, wall.inward)
    plan.take(wall, along, piece.width, piece.depth, tall=piece.height > LOW)
    return number, placed, at


def stand_landmark(
    plan: FloorPlan, work: Assembly, words: LandmarkWords, piece: Piece, near: Wall | None, along: float
) -> bool:
    """Stands a landmark near its zone; False where no wall has room for it."""
    found = free_place(plan, near, along, piece)
    if found is None:
        return False
    number, placed, at = stand_at(plan, work, found[0], found[1], piece)
    work.mark(words, number, placed, at, found[0].inward)
    return True


def free_place(plan: FloorPlan, near: Wall | None, along: float, piece: Piece) -> tuple[Wall, float] | None:
    """Where a piece can stand: at the wanted wall if possible, else at the emptiest."""

    def emptiness(wall: Wall) -> float:
        return max((end - start for start, end in wall.gaps("low")), default=0.0)

    for wall in sorted(plan.walls.values(), key=lambda w: (w is not near, -emptiness(w))):
        target = along if wall is near else wall.length / 2
        at = wall.nearest_clear(target, piece.width) if piece.height > LOW else wall.nearest("low", target, piece.width)
        if at is not None:
            return wall, at
    return None


def equip_zones(plan: FloorPlan, work: Assembly, zones: Sequence[Zone], landmarks: Sequence[LandmarkWords]) -> None:
    """What zone names speak of stands beside the zone, unless a landmark is it: "at the oven" gets an oven."""
    done = {fitting_named(words.name) for words in landmarks}
    for zone in zones:
        kind = fitting_named(zone.name)
        if kind is None or kind in done or FITTINGS[kind].mount not in ("wall", "corner"):
            continue
        piece = work.make(kind, 1.5)
        along = zone.wall.nearest_clear(zone.along, piece.width)
        if along is not None and abs(along - zone.along) < 2.4:
            stand_at(plan, work, zone.wall, along, piece)
            done.add(kind)


def fill_walls(plan: FloorPlan, work: Assembly, kinds: Sequence[str], random: Random) -> None:
    """One of each kind, then more stacks and stores on what wall is still free. Appliances are not repeated."""
    for kind in kinds:
        if kind not in work.made:
            place_one(plan, work, kind, random)
    again = [kind for kind in kinds if kind in REPEATED] or ["crates"]
    turn = 0
    for wall in plan.walls.values():
        for start, end in wall.gaps("low", 0.12):
            if end - start > 1.0 and turn < 6:
                place_one(plan, work, again[turn % len(again)], random, wall, (start + end) / 2)
                turn += 1


REPEATED = frozenset(
    {"shelves", "bookshelf", "lockers", "barrels", "sacks", "crates", "baskets", "table", "bench", "workbench", "vats",
     "machine", "bushes", "posts", "woodpile", "drawers", "plants", "loom", "bed", "desk", "market stall"}
)  # fmt: skip
"""What a place may well have several of."""


def place_one(
    plan: FloorPlan, work: Assembly, kind: str, random: Random, near: Wall | None = None, along: float = 0.0
) -> None:
    """Stands one fitting of a kind where there is room, shorter if need be; nothing where there is none."""
    fitting = FITTINGS[kind]
    room = [end - start for wall in ([near] if near else plan.walls.values()) for start, end in wall.gaps("low")]
    usual = fitting.least + float(random.uniform(0.3, 1.0)) * (fitting.most - fitting.least)
    width = min(usual, max(room, default=0.0))
    if width < fitting.least:
        return
    for attempt in (width, fitting.least):
        piece = work.make(kind, attempt)
        found = free_place(plan, near, along, piece)
        if found is not None and (near is None or found[0] is near):
            stand_at(plan, work, found[0], found[1], piece)
            return
