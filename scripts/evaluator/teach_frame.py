"""Teach the frame network and the second look.

python scripts/evaluator/teach_frame.py ROOMS OUT --minutes 15
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import (
    DEVICE,
    FAMILIES,
    PERSON,
    THING,
    Store,
    Subject,
    is_held_back,
    look_numbers,
    normal,
    person_numbers,
    picture,
    things_of,
)
from export import export, table
from nets import CELLS, PROTOTYPES, QUERY, WIDE, FrameNet, PictureNet, QueryNet, SecondLook, answer, similarity, twice
from torch import Tensor, nn

from storyengine.previz.studio.truth import AGAIN

HEIGHT, WIDTH = 288, 512
TRACE, SEEN = 0.00012, 0.0006
"""Shares of the frame between which something is neither there nor missing."""
CASTS, FRAMES, ASKED = 14, 4, 22
PICTURE = 256
MOST = 62_000
"""Frames, and references, for which there is room on the GPU."""
Cast = tuple[int, int]
"""Room and cast."""
Key = tuple[int, int, str]


@dataclass
class Frame:
    cast: Cast
    names: list[str]
    shares: dict[str, float]
    heads: dict


class Teacher:
    drawn = "room-*.pickle"

    def __init__(self) -> None:
        self.references, self.figures = Store(MOST), Store(MOST // 6)
        self.shots, self.ids = Store(MOST), Store(MOST)
        self.frames: list[Frame] = []
        self.subjects: dict[Key, Subject] = {}
        self.casts: dict[Cast, list[Key]] = {}
        self.by_cast: dict[Cast, list[int]] = {}
        self.learn: list[Cast] = []
        self.valid: list[Cast] = []
        self.things: list[Key] = []
        self.family: dict[str, list[Key]] = {}
        self.marks: list[Key] = []
        self.fittings: dict[int, set[str]] = {}
        """What kinds of equipment a room has, and therefore cannot be said to lack."""
        self.frame, self.second = FrameNet(), SecondLook()
        self.picture, self.figure = PictureNet(PICTURE), PictureNet(128)
        self.thing, self.person = QueryNet(PICTURE + 1 + THING), QueryNet(3 * 128 + 1 + PERSON)
        self.parts = {
            "frame": self.frame, "picture": self.picture, "figure": self.figure, "thing": self.thing,
            "person": self.person, "second": self.second,
        }  # fmt: skip
        for part in self.parts.values():
            part.to(DEVICE, memory_format=torch.channels_last)

    # --- what is learned from

    @staticmethod
    def decode(room: dict) -> dict:
        room["references"] = [picture(p) for thing in room["things"].values() for *_, p in thing["shown"]]
        room["sheets"] = [np.stack(np.split(picture(p["figures"]), 3, axis=1)) for p in room["people"].values()]
        room["shots"] = [picture(frame["jpg"]) for frame in room["frames"]]
        room["ids"] = [picture(frame["ids"]) for frame in room["frames"]]
        return room

    def add(self, number: int, room: dict) -> None:
        if self.shots.count + len(room["shots"]) > self.shots.most:
            return
        for (cast, name), thing in things_of(room, self.references.add(room["references"])).items():
            self._subject((number, cast, name), thing)
            self.things.append((number, cast, name))
            self.family.setdefault(thing.family, []).append((number, cast, name))
        first = self.figures.add(room["sheets"])
        for k, (key, person) in enumerate(room["people"].items()):
            cast_, _, name = key.partition(" ")
            self._subject(
                (number, int(cast_), name), Subject(name, "person", person_numbers(person["look"]), first + k, 1)
            )
        first = self.shots.add(room["shots"])
        self.ids.add(room["ids"])
        for k, frame in enumerate(room["frames"]):
            cast = (number, frame["cast"])
            self.frames.append(Frame(cast, frame["names"], frame["shares"], frame["heads"]))
            self.by_cast.setdefault(cast, []).append(first + k)
        self.fittings[number] = {*room["fittings"], *(mark["look"][0] for mark in room["marks"].values())}
        own = sorted({(number, frame["cast"]) for frame in room["frames"]})
        for cast in own:
            for name, mark in room["marks"].items():
                self._subject((*cast, name), Subject(name, "mark", look_numbers(mark["look"]), family=mark["look"][0]))
                self.marks.append((*cast, name))
        (self.valid if is_held_back(number) else self.learn).extend(own)

    def _subject(self, key: Key, subject: Subject) -> None:
        self.subjects[key] = subject
        self.casts.setdefault(key[:2], []).append(key)

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        return step(self)

    def check(self) -> None:
        validate(self)

    # --- what is looked for

    def chosen(self, cast: tuple[int, int], count: int) -> list:
        """Everything of the cast, and of others up to `count`: things of the same families, or any, and landmarks."""
        keys = list(self.casts[cast])[:count]
        own = [k for k in keys if self.subjects[k].kind == "thing"]
        here = self.fittings[cast[0]] | {self.subjects[k].family for k in own}
        while len(keys) < count:
            if random.random() < 0.25:
                mark = random.choice(self.marks)
                if self.subjects[mark].family not in here:
                    keys.append(mark)
                continue
            like = self.family[self.subjects[random.choice(own)].family]
            other = random.choice(like) if random.random() < 0.4 else random.choice(self.things)
            if other[:2] != cast:
                keys.append(other)
        return keys

    def queries(self, keys: list, training: bool) -> Tensor:
        """A query for every subject."""
        out = torch.zeros(len(keys), QUERY, device=DEVICE)
        subjects = [self.subjects[k] for k in keys]
        at = [k for k, s in enumerate(subjects) if s.kind != "person"]
        if at:
            out[at] = self._things([subjects[k] for k in at], training).float()
        at = [k for k, s in enumerate(subjects) if s.kind == "person"]
        if at:
            out[at] = self._people([subjects[k] for k in at], training).float()
        return out

    def _things(self, subjects: list, training: bool) -> Tensor:
        rows, owner = [], []
        for number, subject in enumerate(subjects):
            if subject.count and not (training and random.random() < 0.12):
                count = random.randint(1, subject.count) if training else subject.count
                for k in random.sample(range(subject.count), count):
                    rows.append(subject.first + k)
                    owner.append(number)
        numbers = torch.from_numpy(np.stack([s.numbers for s in subjects])).to(DEVICE)
        if training:
            kept = torch.tensor([[float(s.count == 0 or random.random() > 0.12)] for s in subjects], device=DEVICE)
            numbers = numbers * kept
        seen = torch.zeros(len(subjects), PICTURE + 1, device=DEVICE)
        if rows:
            pixels = self.references[rows].permute(0, 3, 1, 2).float()
            pixels = spoiled_reference(pixels) if training else pixels
            vectors = self.picture(normal(pixels)).float()
            index = torch.tensor(owner, device=DEVICE)
            total = torch.zeros(len(subjects), PICTURE, device=DEVICE).index_add(0, index, vectors)
            count = torch.zeros(len(subjects), 1, device=DEVICE).index_add(
                0, index, torch.ones(len(rows), 1, device=DEVICE)
            )
            seen = torch.cat([total / count.clamp(min=1), (count > 0).float()], 1)
        return self.thing(torch.cat([seen, numbers], 1))

    def _people(self, subjects: list, training: bool) -> Tensor:
        pixels = self.figures[[s.first for s in subjects]].permute(0, 1, 4, 2, 3).float()
        count = len(subjects)
        pixels = pixels.reshape(count * 3, *pixels.shape[2:])
        pixels = spoiled_reference(pixels) if training else pixels
        vectors = self.figure(normal(pixels)).float().reshape(count, -1)
        numbers = torch.from_numpy(np.stack([s.numbers for s in subjects])).to(DEVICE)
        has = torch.tensor([[float(not training or random.random() > 0.06)] for _ in subjects], device=DEVICE)
        told = torch.tensor([[float(not training or random.random() > 0.12)] for _ in subjects], device=DEVICE)
        return self.person(torch.cat([vectors * has, has, numbers * told], 1))

    # --- what is shown

    def pictures(self, numbers: list[int], training: bool) -> tuple[Tensor, Tensor, list]:
        """Frames and what their pixels show, perhaps nearer and mirrored; and the windows that were taken."""
        pixels = self.shots[numbers].permute(0, 3, 1, 2).float()
        ids = self.ids[numbers][:, None].float()
        count = len(numbers)
        zoom = torch.ones(count, device=DEVICE)
        flip = torch.ones(count, device=DEVICE)
        at = torch.zeros(count, 2, device=DEVICE)
        if training:
            zoom = torch.where(
                torch.rand(count, device=DEVICE) < 0.5, torch.empty(count, device=DEVICE).uniform_(0.6, 1.0), zoom
            )
            flip = torch.where(torch.rand(count, device=DEVICE) < 0.5, -1.0, 1.0)
            at = (torch.rand(count, 2, device=DEVICE) * 2 - 1) * (1 - zoom)[:, None]
        turn = torch.zeros(count, 2, 3, device=DEVICE)
        turn[:, 0, 0], turn[:, 1, 1], turn[:, :, 2] = zoom * flip, zoom, at
        grid = F.affine_grid(turn, [count, 3, HEIGHT, WIDTH], align_corners=False)
        pixels = F.grid_sample(pixels, grid, align_corners=False, padding_mode="border")
        ids = F.grid_sample(ids, grid, mode="nearest", align_corners=False)[:, 0].round().to(torch.uint8)
        if training:
            pixels = spoiled_frame(pixels)
        return normal(pixels), ids, list(zip(zoom.tolist(), flip.tolist(), at.tolist(), strict=True))

    def heads(self, numbers: list[int], windows: list) -> Tensor:
        """(10, frames, 6): x, y, height (pixels), cosine, log height of figure, free."""
        found = np.zeros((10, len(numbers), 6), np.float32)
        for b, (number, (zoom, flip, at)) in enumerate(zip(numbers, windows, strict=True)):
            k = 0
            for name, (head, _, _) in self.frames[number].heads.items():
                if head is None or k == 10 or self.frames[number].shares.get(name, 0) < SEEN:
                    continue
                x, y, tall, cosine, free, figure = head
                u, v = ((2 * x - 1 - at[0]) / (zoom * flip) + 1) / 2, ((2 * y - 1 - at[1]) / zoom + 1) / 2
                if 0 <= u < 1 and 0 <= v < 1 and tall * HEIGHT / zoom >= 5 and free > 0.03:
                    found[k, b] = (
                        u * WIDTH,
                        v * HEIGHT,
                        tall * HEIGHT / zoom,
                        cosine,
                        math.log(min(figure / zoom, 12.0)),
                        free,
                    )
                    k += 1
        return torch.from_numpy(found).to(DEVICE)


def spoiled_reference(pixels: Tensor) -> Tensor:
    count = len(pixels)
    gain = torch.exp(torch.randn(count, 1, 1, 1, device=DEVICE) * 0.05)
    shift = torch.randint(-5, 6, (2,)).tolist()
    return (torch.roll(pixels, shift, (2, 3)) * gain).clamp(0, 255)


def spoiled_frame(pixels: Tensor) -> Tensor:
    count = len(pixels)
    gain = torch.exp(torch.randn(count, 1, 1, 1, device=DEVICE) * 0.10)
    tint = torch.exp(torch.randn(count, 3, 1, 1, device=DEVICE) * 0.025)
    soft = (torch.rand(count, 1, 1, 1, device=DEVICE) < 0.25).float()
    blurred = F.avg_pool2d(F.pad(pixels, (1, 1, 1, 1), mode="replicate"), 3, 1)
    pixels = pixels * (1 - 0.7 * soft) + blurred * 0.7 * soft
    noise = torch.randn_like(pixels) * torch.rand(count, 1, 1, 1, device=DEVICE) * 3
    return (pixels * gain * tint + noise).clamp(0, 255)


ROWS, COLUMNS = torch.meshgrid(
    torch.arange(HEIGHT // 4, device=DEVICE) * 4 + 1.5, torch.arange(WIDTH // 4, device=DEVICE) * 4 + 1.5, indexing="ij"
)


def head_targets(heads: Tensor) -> tuple[Tensor, ...]:
    count = heads.shape[1]
    zeros = torch.zeros(count, HEIGHT // 4, WIDTH // 4, device=DEVICE)
    heat, on, radius, facing, figure, free = (zeros.clone() for _ in range(6))
    for row in heads:
        if not bool(row[:, 2].any()):
            break
        x, y, tall, cosine, height, open_ = (row[:, k, None, None] for k in range(6))
        r = (tall / 2).clamp(min=5)
        away = (COLUMNS - x) ** 2 + (ROWS - y) ** 2
        there = tall > 0
        heat = torch.where(there, torch.maximum(heat, torch.exp(-away / (2 * (0.35 * r) ** 2))), heat)
        near = (away < (0.7 * r) ** 2) & there
        on = torch.where(near, torch.ones_like(on), on)
        radius = torch.where(near, torch.log(tall / 2 / 20).clamp(min=-3).expand_as(on), radius)
        facing = torch.where(near, cosine.expand_as(on), facing)
        figure = torch.where(near, height.expand_as(on), figure)
        free = torch.where(near, open_.expand_as(on), free)
    return heat, on, radius, facing, figure, free


def masks_of(teacher: Teacher, numbers: list[int], keys: list[list], ids: Tensor) -> tuple[Tensor, Tensor]:
    """(frames, subjects, rows, columns) of cells, of the thing and of a second one. `keys`: those of each frame."""
    tables = np.zeros((2, len(numbers), len(keys[0]), 256), np.float32)
    for b, number in enumerate(numbers):
        frame = teacher.frames[number]
        index = {name: k + 1 for k, name in enumerate(frame.names)}
        for n, key in enumerate(keys[b]):
            if key[:2] == frame.cast:
                for which, name in enumerate((key[2], key[2] + AGAIN)):
                    if name in index:
                        tables[which, b, n, index[name]] = 1
    known = torch.from_numpy(tables).to(DEVICE)
    flat = ids.long().flatten(1)[:, None].expand(-1, len(keys[0]), -1)
    shape = (len(numbers), len(keys[0]), HEIGHT, WIDTH)
    first, again = (F.avg_pool2d(known[which].gather(2, flat).view(shape), 4) for which in range(2))
    return first, again


def middles(mask: Tensor) -> Tensor:
    """A soft spot at the middle of every mask."""
    total = mask.sum((2, 3), keepdim=True)
    x = (mask * COLUMNS).sum((2, 3), keepdim=True) / total.clamp(min=1e-3)
    y = (mask * ROWS).sum((2, 3), keepdim=True) / total.clamp(min=1e-3)
    wide = (0.18 * torch.sqrt(total * 16)).clamp(min=7.0)
    return torch.exp(-((COLUMNS - x) ** 2 + (ROWS - y) ** 2) / (2 * wide**2)) * (total * 16 > 40)


def looked(teacher: Teacher, cells: Tensor, coarse: Tensor, query: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Odds per cell (4×4), middles (8×8) and presence, of every frame and its queries (frames, queries, QUERY)."""
    b, n = query.shape[:2]
    each = similarity(cells[:, :CELLS].float(), query)
    fine = answer(each)
    low = F.avg_pool2d(each.flatten(0, 2)[:, None], 2)[:, 0].view(b * n, PROTOTYPES, HEIGHT // 8, WIDTH // 8)
    wide = coarse[:, None].expand(b, n, *coarse.shape[1:]).flatten(0, 1)
    look = query[..., -2 * WIDE :].flatten(0, 1)
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        maps, there = teacher.second(wide, low, look)
    maps = maps.float()
    spread = answer(low.view(b, n, PROTOTYPES, *low.shape[2:])).flatten(0, 1)[:, None]
    odds = fine + twice(maps[:, :1] - spread).view(b, n, HEIGHT // 4, WIDTH // 4)
    return odds, maps[:, 1].view(b, n, HEIGHT // 8, WIDTH // 8), there.float().view(b, n)


def step(teacher: Teacher) -> tuple[Tensor, dict[str, Tensor]]:
    casts = random.sample(teacher.learn, min(CASTS, len(teacher.learn)))
    numbers = [n for c in casts for n in random.choices(teacher.by_cast[c], k=FRAMES)]
    keys = [teacher.chosen(c, ASKED) for c in casts]
    with torch.no_grad():
        x, ids, windows = teacher.pictures(numbers, training=True)
        heat, on, radius, facing, figure, free = head_targets(teacher.heads(numbers, windows))
        first, again = masks_of(teacher, numbers, [keys[k // FRAMES] for k in range(len(numbers))], ids)
        target = (first + again).clamp(max=1)
        share = target.mean((2, 3))
        clear = ((share > SEEN) | (share < TRACE)).float()
        present = (share > SEEN).float()
        wanted = F.max_pool2d(torch.maximum(middles(first), middles(again)), 2)
        person = people_of(teacher, numbers, ids)
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
        cells, coarse = teacher.frame(x.contiguous(memory_format=torch.channels_last))
        query = teacher.queries([k for part in keys for k in part], training=True)
    cells = cells.float()
    query = query.view(len(casts), 1, ASKED, -1).expand(-1, FRAMES, -1, -1).flatten(0, 1)
    odds, spots, there = looked(teacher, cells, coarse, query)
    losses: dict[str, Tensor] = {}
    bce = F.binary_cross_entropy_with_logits(odds, target, reduction="none")
    rare = (0.04 / share.clamp(0.002, 0.04))[..., None, None]
    mask = ((bce * (1 + 4 * rare * target)).mean((2, 3)) * clear).sum() / clear.sum()
    likely = torch.sigmoid(odds)
    dice = 1 - (2 * (likely * target).sum((2, 3)) + 1) / (likely.sum((2, 3)) + target.sum((2, 3)) + 1)
    losses["mask"] = mask * 2 + 0.5 * (dice * present).sum() / (present.sum() + 1)
    said = F.binary_cross_entropy_with_logits(there, present, reduction="none")
    losses["there"] = (said * clear).sum() / clear.sum()
    spot = F.binary_cross_entropy_with_logits(spots, wanted, reduction="none") * (1 + 12 * wanted)
    losses["middle"] = spot.mean()
    signs = cells[:, CELLS:]
    losses["person"] = F.binary_cross_entropy_with_logits(signs[:, 0], person)
    spot = F.binary_cross_entropy_with_logits(signs[:, 1], heat, reduction="none") * (1 + 12 * heat)
    fitted = sum(((signs[:, 2 + k] - want).abs() * on).sum() for k, want in enumerate((radius, facing, figure, free)))
    losses["head"] = spot.mean() * 4 + 0.4 * fitted / (on.sum() + 1)
    total = losses["mask"] + losses["there"] + 2 * losses["middle"] + 0.5 * losses["person"] + 0.5 * losses["head"]
    return total, losses


def people_of(teacher: Teacher, numbers: list[int], ids: Tensor) -> Tensor:
    """Cells that show anybody."""
    table_ = np.zeros((len(numbers), 256), np.float32)
    for b, number in enumerate(numbers):
        frame = teacher.frames[number]
        for k, name in enumerate(frame.names):
            table_[b, k + 1] = name in frame.heads
    shown = torch.from_numpy(table_).to(DEVICE).gather(1, ids.long().flatten(1))
    return F.avg_pool2d(shown.view(len(numbers), 1, HEIGHT, WIDTH), 4)[:, 0]


def validate(teacher: Teacher) -> None:
    rows: dict[str, list] = {"thing": [], "mark": [], "person": []}
    twos: list = []
    for cast in teacher.valid[:24]:
        numbers = teacher.by_cast[cast][::3][:10]
        keys = teacher.chosen(cast, ASKED)
        x, ids, _ = teacher.pictures(numbers, training=False)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            cells, coarse = teacher.frame(x.contiguous(memory_format=torch.channels_last))
            query = teacher.queries(keys, training=False)
        odds, spots, there = looked(teacher, cells.float(), coarse, query[None].expand(len(numbers), -1, -1))
        first, again = masks_of(teacher, numbers, [keys] * len(numbers), ids)
        target = (first + again).clamp(max=1)
        share = target.mean((2, 3))
        both = (odds > 0) & (target > 0.5)
        either = (odds > 0) | (target > 0.5)
        overlap = both.sum((2, 3)) / either.sum((2, 3)).clamp(min=1)
        for b in range(len(numbers)):
            for n, key in enumerate(keys):
                rows[teacher.subjects[key].kind].append((there[b, n].item(), share[b, n].item(), overlap[b, n].item()))
                if first[b, n].mean() > 0.003:
                    second = again[b, n].mean().item()
                    spot = torch.sigmoid(spots[b, n])
                    peak = (F.max_pool2d(spot[None, None], 5, 1, 2)[0, 0] == spot) * spot
                    twos.append((float(peak.flatten().topk(2).values[1]), second))
    for kind, found in rows.items():
        r = np.array(found)
        if not len(r):
            continue
        there, none = r[r[:, 1] >= 0.01], r[r[:, 1] == 0]
        little = r[(r[:, 1] >= 0.001) & (r[:, 1] < 0.01)]
        auc = lambda a, b: float((a[:, None] > b[None]).mean()) if len(a) and len(b) else -1.0  # noqa: E731
        print(
            "  ",
            kind,
            len(there),
            len(little),
            len(none),
            f"auc {auc(there[:, 0], none[:, 0]):.4f} small {auc(little[:, 0], none[:, 0]):.4f}",
            " ".join(
                f"{t}:{(there[:, 0] > t).mean():.3f}/{(little[:, 0] > t).mean():.2f}/{(none[:, 0] > t).mean():.3f}"
                for t in (-2, -1, 0, 1, 2)
            ),
            f"iou {there[:, 2].mean():.3f} {(there[:, 2] > 0.4).mean():.3f}",
            flush=True,
        )
    t = np.array(twos)
    if len(t):
        print(
            "   second:",
            len(t),
            int((t[:, 1] > 0.003).sum()),
            " ".join(
                f"{v}:{(t[t[:, 1] > 0.003, 0] > v).mean():.2f}/{(t[t[:, 1] == 0, 0] > v).mean():.3f}"
                for v in (0.2, 0.3, 0.4, 0.5)
            ),
            flush=True,
        )


class Maps(nn.Module):
    """The second look without its word on whether a thing is there: the cells themselves tell that better."""

    def __init__(self, second: SecondLook) -> None:
        super().__init__()
        self.second = second

    def forward(self, coarse: Tensor, each: Tensor, look: Tensor) -> Tensor:
        return self.second(coarse, each, look)[0]


def export_all(teacher: Teacher, out: Path) -> None:
    export(teacher.frame, [(1, 3, HEIGHT, WIDTH)], out / "frame.onnx", outputs=2)
    export(teacher.picture, [(1, 3, 128, 128)], out / "thing_picture.onnx")
    export(teacher.figure, [(1, 3, 160, 96)], out / "person_picture.onnx")
    export(
        Maps(teacher.second),
        [(1, WIDE, HEIGHT // 8, WIDTH // 8), (1, PROTOTYPES, HEIGHT // 8, WIDTH // 8), (1, 2 * WIDE)],
        out / "second.onnx",
        pixels=False,
    )
    tables = {
        f"{name}_{k}": v
        for name, net in (("thing", teacher.thing), ("person", teacher.person))
        for k, v in table(net).items()
    }
    np.savez_compressed(out / "query.npz", families=np.array(FAMILIES), **tables)


def main() -> None:
    args = lesson.options(lesson.parser(__doc__, "frame", rate=1.5e-3))
    teacher = Teacher()
    lesson.teach(args, teacher, decay=0.02)
    export_all(teacher, args.out)


if __name__ == "__main__":
    main()
