"""Teach what is told from near: states of things, and how a thing relates to what it is on, in or held by.

python scripts/evaluator/teach_close.py ROOMS OUT --minutes 15
"""

from __future__ import annotations

import math
import random
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, Rooms
from export import export, table
from nets import RelationNet, StateNet
from torch import Tensor, nn

from storyengine.previz.evaluator.networks import AXES

WINDOW = 112
MARGIN = 1.25
KINDS = ("held", "on", "in", "worn", "none")
STATES = 3
"""The most values of an attribute that are compared at once."""


def normal(x: Tensor) -> Tensor:
    return (x / 255 - 0.5) / 0.25


def windows(pixels: Tensor, rows: list[int], at: Tensor, half: Tensor, size: int, flip: Tensor) -> Tensor:
    """Square windows of frames, `at` and `half` as shares of the width; what lies outside is stretched."""
    count = len(rows)
    line = (torch.arange(size, device=DEVICE) + 0.5) / size * 2 - 1
    height = pixels.shape[1] / pixels.shape[2]
    x = (at[:, 0, None] + line * half[:, None] * flip[:, None]) * 2 - 1
    y = (at[:, 1, None] + line * half[:, None]) / height * 2 - 1
    grid = torch.stack([x[:, None].expand(count, size, size), y[:, :, None].expand(count, size, size)], -1)
    out = torch.empty(count, pixels.shape[3] if pixels.dim() == 4 else 1, size, size, device=DEVICE)
    for k in range(0, count, 32):
        part = pixels[rows[k : k + 32]].permute(0, 3, 1, 2)
        # Windows that shrink are averaged first, as the product does.
        step = int(max(1, math.floor(float(half[k : k + 32].median()) * 2 * pixels.shape[2] / size)))
        part = part.float() if step == 1 else F.avg_pool2d(part.float(), step)
        out[k : k + 32] = F.grid_sample(part, grid[k : k + 32], align_corners=False, padding_mode="border")
    return out


def cells_of(ids: Tensor, rows: list[int], index: list[int]) -> Tensor:
    """Masks in cells of the frame network: (n, 1, 72, 128)."""
    wanted = torch.tensor(index, device=DEVICE, dtype=torch.uint8)[:, None, None]
    mask = (ids[rows] == wanted).float()[:, None]
    return F.adaptive_avg_pool2d(mask, (72, 128))


def spoiled(mask: Tensor) -> Tensor:
    """Masks as the frame network gives them: soft, a bit too large or small, with holes and strays."""
    kind = random.random()
    if kind < 0.25:
        mask = F.max_pool2d(mask, 3, 1, 1)
    elif kind < 0.4:
        mask = -F.max_pool2d(-mask, 3, 1, 1)
    if random.random() < 0.5:
        mask = F.avg_pool2d(mask, 3, 1, 1)
    noise = F.interpolate(torch.randn(len(mask), 1, 12, 20, device=DEVICE), size=mask.shape[2:], mode="bilinear")
    hole = (torch.rand(len(mask), 1, 1, 1, device=DEVICE) < 0.3).float() * (noise > 1.3).float()
    near = F.max_pool2d(mask, 9, 1, 4)
    stray = (torch.rand(len(mask), 1, 1, 1, device=DEVICE) < 0.2).float() * (noise < -1.6).float() * near
    return torch.maximum(mask * (1 - hole), stray).clamp(0, 1)


def cut_mask(mask: Tensor, at: Tensor, half: Tensor, size: int, flip: Tensor) -> Tensor:
    line = (torch.arange(size, device=DEVICE) + 0.5) / size * 2 - 1
    count = len(mask)
    x = (at[:, 0, None] + line * half[:, None] * flip[:, None]) * 2 - 1
    y = (at[:, 1, None] + line * half[:, None]) / (720 / 1280) * 2 - 1
    grid = torch.stack([x[:, None].expand(count, size, size), y[:, :, None].expand(count, size, size)], -1)
    return F.grid_sample(mask, grid, align_corners=False, padding_mode="zeros")


def tinted(pixels: Tensor) -> Tensor:
    count = len(pixels)
    gain = torch.exp(torch.randn(count, 1, 1, 1, device=DEVICE) * 0.08)
    tint = torch.exp(torch.randn(count, 3, 1, 1, device=DEVICE) * 0.02)
    noise = torch.randn_like(pixels) * torch.rand(count, 1, 1, 1, device=DEVICE) * 4
    soft = (torch.rand(count, 1, 1, 1, device=DEVICE) < 0.25).float() * 0.7
    blurred = F.avg_pool2d(F.pad(pixels, (1, 1, 1, 1), mode="replicate"), 3, 1)
    return ((pixels * (1 - soft) + blurred * soft) * gain * tint + noise).clamp(0, 255)


class Close:
    def __init__(self, rooms: Rooms) -> None:
        self.rooms = rooms
        self.boxes = self._boxes()
        self.lessons: dict[str, tuple[list, list]] = {
            "state": self._states(), "relation": self._relations(),
        }  # fmt: skip
        for name, (learn, valid) in self.lessons.items():
            print(name, len(learn), len(valid), flush=True)
        looks = len(next(s for s in rooms.subjects.values() if s.kind == "thing").numbers)
        self.state = StateNet(2 * len(AXES) + looks).to(DEVICE)
        self.relation = RelationNet().to(DEVICE)
        self.parts = {"state": self.state, "relation": self.relation}

    def _boxes(self) -> list[dict[str, tuple[float, float, float, float]]]:
        """Of everything in every frame: left, top, right, bottom as shares of the width, as its cells show it."""
        found = []
        for k, frame in enumerate(self.rooms.frames):
            ids = self.rooms.ids[k]
            count = len(frame.names)
            own: dict[str, tuple[float, float, float, float]] = {}
            if count:
                wanted = torch.arange(1, count + 1, device=DEVICE, dtype=torch.uint8)[:, None, None]
                small = F.adaptive_avg_pool2d((ids[None] == wanted).float(), (72, 128)) > 0.3
                across, down = small.any(1), small.any(2)
                line, col = torch.arange(128, device=DEVICE), torch.arange(72, device=DEVICE)
                left = torch.where(across, line, 999).amin(1)
                right = torch.where(across, line, -1).amax(1) + 1
                top = torch.where(down, col, 999).amin(1)
                low = torch.where(down, col, -1).amax(1) + 1
                table = torch.stack([left, top, right, low], 1).tolist()
                for name, (a, b, c, d) in zip(frame.names, table, strict=True):
                    if c > a and d > b:
                        own[name] = (a / 128, b / 128, c / 128, d / 128)
            found.append(own)
        return found

    def _split(self, items: list, room_of) -> tuple[list, list]:
        learn = [i for i in items if room_of(i) not in self.rooms.valid_rooms]
        valid = [i for i in items if room_of(i) in self.rooms.valid_rooms]
        random.Random(3).shuffle(valid)
        return learn, valid[:1500]

    def _states(self) -> tuple[list, list]:
        """(frame, name, its subject, its index among names, pictures of the values, which of them is true)."""
        found = []
        for k, frame in enumerate(self.rooms.frames):
            for name, (_, _, states) in frame.things.items():
                subject = self.rooms.subjects.get((*frame.cast, name))
                if subject is None or frame.shares.get(name, 0) < 0.0015 or name not in self.boxes[k]:
                    continue
                now = dict(states)
                for attribute, values in subject.attributes:
                    if attribute not in now or now[attribute] not in values:
                        continue
                    picked = [self._picture(subject, attribute, v) for v in values]
                    if None in picked or len({tuple(subject.states[p][1]) for p in picked}) < len(picked):
                        continue
                    found.append((k, name, subject, frame.names.index(name) + 1, picked, values.index(now[attribute])))
        return self._split(found, lambda i: self.rooms.frames[i[0]].room)

    @staticmethod
    def _picture(subject, attribute: str, value: str) -> int | None:
        return next((k for k, (values, _) in enumerate(subject.states) if (attribute, value) in values), None)

    def _relations(self) -> tuple[list, list]:
        """(frame, thing, other, kind)."""
        found = []
        for k, frame in enumerate(self.rooms.frames):
            seen = [
                n
                for n in frame.names
                if frame.shares[n] >= 0.0012 and n in self.boxes[k] and not n.startswith("landmark")
            ]
            for name in seen:
                if name not in frame.things:
                    continue
                relation, target, _ = frame.things[name]
                relation = "worn" if relation == "fastened" else relation
                for other in seen:
                    if other == name:
                        continue
                    if other == target and relation in KINDS:
                        found.append((k, name, other, KINDS.index(relation)))
                    elif relation != "in" or other != target:
                        found.append((k, name, other, KINDS.index("none")))
        return self._split(found, lambda i: self.rooms.frames[i[0]].room)

    # --- lessons

    def pick(self, name: str, count: int, training: bool, start: int = 0) -> list:
        learn, valid = self.lessons[name]
        if not training:
            return valid[start : start + count]
        if name != "relation":
            return random.choices(learn, k=count)
        kinds = random.choices(range(5), weights=(5, 4, 4, 2, 7), k=count)
        return [random.choice(self._by_kind[k]) for k in kinds]

    @property
    def _by_kind(self) -> list[list]:
        if not hasattr(self, "_kinds"):
            learn = self.lessons["relation"][0]
            self._kinds = [[i for i in learn if i[3] == k] or learn for k in range(5)]
        return self._kinds

    def _window(self, items: list, training: bool, scale: float, names: list[str]) -> tuple[Tensor, Tensor, Tensor]:
        """Middles, halves (shares of the width) and flips of windows around things."""
        boxes = torch.tensor([self.boxes[i[0]][n] for i, n in zip(items, names, strict=True)], device=DEVICE)
        at = (boxes[:, :2] + boxes[:, 2:]) / 2
        half = (boxes[:, 2:] - boxes[:, :2]).amax(1) / 2 * scale
        half = half.clamp(min=0.02)
        flip = torch.ones(len(items), device=DEVICE)
        if training:
            half = half * torch.exp(torch.randn_like(half) * 0.12)
            at = at + torch.randn_like(at) * half[:, None] * 0.08
            flip = torch.where(torch.rand(len(items), device=DEVICE) < 0.5, -1.0, 1.0)
        return at, half, flip

    def states(self, items: list, training: bool) -> tuple[Tensor, Tensor]:
        rows = [i[0] for i in items]
        at, half, flip = self._window(items, training, MARGIN, [i[1] for i in items])
        pixels = windows(self.rooms.full, rows, at, half, WINDOW, flip)
        mask = cells_of(self.rooms.ids, rows, [i[3] for i in items])
        mask = spoiled(mask) if training else mask
        mask = cut_mask(mask, at, half, WINDOW, flip)
        if training:
            pixels = tinted(pixels)
        shown = torch.zeros(len(items), STATES, dtype=torch.long)
        known = torch.zeros(len(items), STATES)
        numbers = np.zeros((len(items), STATES, self.state.told.in_features), np.float32)
        truth = []
        for n, (_, _, subject, _, picked, true) in enumerate(items):
            order = random.sample(range(len(picked)), len(picked)) if training else list(range(len(picked)))
            order = order[:STATES]
            if true not in order:
                order[-1] = true
            truth.append(order.index(true))
            for k, o in enumerate(order):
                shown[n, k] = subject.first + picked[o]
                known[n, k] = 1
                numbers[n, k] = np.concatenate([subject.states[picked[o]][1], subject.numbers])
        known = known.to(DEVICE)
        references = self.rooms.references[shown.flatten().to(DEVICE)].permute(0, 3, 1, 2).float()
        references = F.interpolate(references, size=(WINDOW, WINDOW), mode="bilinear", antialias=True)
        if training:
            references = torch.roll(references, torch.randint(-4, 5, (2,)).tolist(), (2, 3))
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            window = self.state.window(torch.cat([normal(pixels), mask * 2 - 1], 1))
            pictures = self.state.picture(normal(references)).view(len(items), STATES, -1)
            told = torch.from_numpy(numbers).to(DEVICE)
            odds = self.state.compare(window, pictures, told, known)
        return odds.float().masked_fill(known == 0, -30.0), torch.tensor(truth, device=DEVICE)

    def relations(self, items: list, training: bool) -> tuple[Tensor, Tensor]:
        rows = [i[0] for i in items]
        frames = self.rooms.frames
        first = cells_of(self.rooms.ids, rows, [frames[i[0]].names.index(i[1]) + 1 for i in items])
        second = cells_of(self.rooms.ids, rows, [frames[i[0]].names.index(i[2]) + 1 for i in items])
        if training:
            first, second = spoiled(first), spoiled(second)
        at, half, flip = self._window(items, training, 2.2, [i[1] for i in items])
        boxes = torch.tensor([(self.boxes[i[0]][i[1]], self.boxes[i[0]][i[2]]) for i in items], device=DEVICE)
        low, high = boxes[:, :, :2].amin(1), boxes[:, :, 2:].amax(1)
        far_at, far_half = (low + high) / 2, (high - low).amax(1) / 2 * 1.15
        looks = []
        for where, reach in ((at, half), (far_at, far_half.clamp(min=0.03))):
            pixels = windows(self.rooms.full, rows, where, reach, 96, flip)
            pixels = tinted(pixels) if training else pixels
            masks = [cut_mask(m, where, reach, 96, flip) * 2 - 1 for m in (first, second)]
            looks.append(torch.cat([normal(pixels), *masks], 1))
        person = torch.tensor([[float(i[2] in frames[i[0]].heads)] for i in items], device=DEVICE)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            odds = self.relation(looks[0], looks[1], person)
        return odds.float(), torch.tensor([i[3] for i in items], device=DEVICE)


def losses(close: Close, batch: int) -> dict[str, Tensor]:
    odds, truth = close.states(close.pick("state", batch, True), True)
    state = F.cross_entropy(odds, truth)
    odds, truth = close.relations(close.pick("relation", batch, True), True)
    return {"state": state, "relation": F.cross_entropy(odds, truth)}


@torch.no_grad()
def validate(close: Close) -> None:
    for part in close.parts.values():
        part.eval()
    dice = random.getstate()
    right, far, sizes = [], [], []
    for k in range(0, len(close.lessons["state"][1]), 128):
        items = close.pick("state", 128, False, k)
        odds, truth = close.states(items, False)
        best = odds.topk(2, 1)
        right += (best.indices[:, 0] == truth).tolist()
        far += (best.values[:, 0] - best.values[:, 1]).tolist()
        sizes += [close.rooms.frames[i[0]].shares[i[1]] for i in items]
    right, far, sizes = np.array(right), np.array(far), np.array(sizes)
    if len(right):
        large = sizes >= 0.01
        print(
            f"   state {right.mean():.3f} of {len(right)}; large {right[large].mean():.3f} of {large.sum()};",
            " ".join(
                f"margin>{m}: {right[large & (far > m)].mean():.3f} of {(far[large] > m).mean():.2f}"
                for m in (0.5, 1, 2, 3)
            ),
            flush=True,
        )
    table_ = np.zeros((5, 5), int)
    for k in range(0, len(close.lessons["relation"][1]), 128):
        odds, truth = close.relations(close.pick("relation", 128, False, k), False)
        for a, b in zip(truth.tolist(), odds.argmax(1).tolist(), strict=True):
            table_[a, b] += 1
    print("   relation (rows true: held on in worn none)", table_.tolist(), flush=True)
    random.setstate(dice)
    for part in close.parts.values():
        part.train()


def export_all(close: Close, out: Path) -> None:
    export(close.state.window, [(1, 4, WINDOW, WINDOW)], out / "state_window.onnx", pixels=False)
    export(close.state.picture, [(1, 3, WINDOW, WINDOW)], out / "state_picture.onnx")
    export(close.relation.near, [(1, 5, 96, 96)], out / "relation_near.onnx", pixels=False)
    export(close.relation.far, [(1, 5, 96, 96)], out / "relation_far.onnx", pixels=False)
    tables = {f"state_told.{k}": v for k, v in table(close.state.told).items()}
    for name, net in (("state", close.state.score), ("relation", close.relation.kind)):
        tables |= {f"{name}_{k}": v for k, v in table(net).items()}
    np.savez_compressed(out / "close.npz", families=np.array(close.rooms.families), **tables)


def main() -> None:
    said = lesson.options(__doc__, rate=1.0e-3)
    said.add_argument("--batch", type=int, default=96)
    args = said.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    random.seed(2), torch.manual_seed(2)
    close = Close(Rooms(args.rooms, args.most))
    lesson.begin(args, close.parts)
    weights = [p for part in close.parts.values() for p in part.parameters()]
    optimiser = torch.optim.AdamW(weights, lr=args.rate, weight_decay=0.05)

    def step() -> tuple[Tensor, dict[str, Tensor]]:
        found = losses(close, args.batch)
        return sum(found.values()), found

    def clip() -> None:
        for part in close.parts.values():
            nn.utils.clip_grad_norm_(part.parameters(), 3.0)

    def check() -> None:
        validate(close)
        lesson.keep(close.parts, close.rooms.families, args.out / "close.pt")

    lesson.teach(args, optimiser, step, clip, check)
    export_all(close, args.out)


if __name__ == "__main__":
    main()
