"""Teach what is told from near: states of things, and how one relates to what it is on, in or held by.

python scripts/evaluator/teach_close.py ROOMS OUT --minutes 15
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from cutting import SPARE
from data import DEVICE, FAMILIES, THING, Store, Subject, is_held_back, normal, picture, things_of
from export import export, table
from nets import DEEP, MIDDLE, STEM, RelationNet, StateNet
from torch import Tensor

from storyengine.previz.evaluator.networks import AXES
from storyengine.previz.evaluator.windows import PAIR, RELATIONS, WINDOW

MOST = 500_000
"""Windows of a kind for which there is room on the GPU."""
STATES = 3
"""The most values of an attribute that are compared at once."""
WEIGHTS = (5, 5, 5, 2, 8)
"""How often each relation is asked."""


def moved(pixels: Tensor, masks: Tensor, size: int, training: bool) -> tuple[Tensor, Tensor]:
    """The evaluator's window of one that was cut wider; while training, a bit beside it, nearer, or mirrored."""
    count = len(pixels)
    turn = torch.zeros(count, 2, 3, device=DEVICE)
    near = torch.full((count,), 1 / SPARE, device=DEVICE)
    flip = torch.ones(count, device=DEVICE)
    if training:
        near = (near * torch.exp(torch.randn(count, device=DEVICE) * 0.1)).clamp(max=1.05)
        flip = torch.where(torch.rand(count, device=DEVICE) < 0.5, -1.0, 1.0)
        turn[:, :, 2] = torch.randn(count, 2, device=DEVICE) * 0.06
    turn[:, 0, 0], turn[:, 1, 1] = near * flip, near
    grid = F.affine_grid(turn, [count, 3, size, size], align_corners=False)
    return (
        F.grid_sample(pixels, grid, align_corners=False, padding_mode="border"),
        F.grid_sample(masks, grid, align_corners=False, padding_mode="zeros"),
    )


def spoiled(mask: Tensor) -> Tensor:
    """Masks (n, k, cells, cells) as the frame network gives them: soft, too large or small, with holes and strays."""
    kind = random.random()
    if kind < 0.3:
        mask = F.max_pool2d(mask, 3, 1, 1)
    elif kind < 0.45:
        mask = -F.max_pool2d(-mask, 3, 1, 1)
    if random.random() < 0.5:
        mask = F.avg_pool2d(mask, 3, 1, 1)
    noise = F.interpolate(torch.randn(*mask.shape[:2], 5, 5, device=DEVICE), size=mask.shape[2:], mode="bilinear")
    each = torch.rand(*mask.shape[:2], 1, 1, device=DEVICE)
    hole, stray = (each < 0.25) & (noise > 0.9), (each > 0.8) & (noise < -1.1)
    return torch.where(hole, 0.0, torch.where(stray, 1.0, mask)).clamp(0, 1)


def coarser(pixels: Tensor) -> Tensor:
    """As a thing further away is seen."""
    if random.random() < 0.5:
        return pixels
    small = F.interpolate(pixels, size=random.choice([28, 36, 48, 72]), mode="area")
    return F.interpolate(small, size=pixels.shape[2:], mode="bilinear")


def tinted(pixels: Tensor) -> Tensor:
    count = len(pixels)
    gain = torch.exp(torch.randn(count, 1, 1, 1, device=DEVICE) * 0.1)
    tint = torch.exp(torch.randn(count, 3, 1, 1, device=DEVICE) * 0.025)
    noise = torch.randn_like(pixels) * torch.rand(count, 1, 1, 1, device=DEVICE) * 5
    soft = (torch.rand(count, 1, 1, 1, device=DEVICE) < 0.3).float() * 0.8
    blurred = F.avg_pool2d(F.pad(pixels, (1, 1, 1, 1), mode="replicate"), 3, 1)
    return ((pixels * (1 - soft) + blurred * soft) * gain * tint + noise).clamp(0, 255)


@dataclass
class State:
    """A window of a thing, the pictures of the values of one attribute (where they are kept), and which is true: None
    where the window does not show it."""

    window: int
    pictures: list[int]
    true: int | None
    share: float


@dataclass
class Relation:
    window: int
    kind: int
    person: bool


class Close:
    drawn = "*.pickle"
    """Rooms, and things by themselves."""

    def __init__(self) -> None:
        self.references, self.numbers = Store(MOST // 2), Store(MOST // 2)
        self.windows, self.masks = Store(MOST), Store(MOST)
        self.near, self.far = Store(MOST), Store(MOST)
        self.near_masks, self.far_masks = Store(MOST), Store(MOST)
        self.states: list[dict[bool, list[State]]] = [{True: [], False: []} for _ in range(2)]
        """To learn from and held back; composed as a film's or not."""
        self.relations: list[dict[bool, list[list[Relation]]]] = [
            {composed: [[] for _ in RELATIONS] for composed in (True, False)} for _ in range(2)
        ]
        """To learn from and held back; composed as a film's or not; by kind."""
        self.parts = self.networks()
        self.batch = 96

    def networks(self) -> lesson.Parts:
        self.state = StateNet(2 * len(AXES) + THING).to(DEVICE)
        self.relation = RelationNet().to(DEVICE)
        return {"state": self.state, "relation": self.relation}

    # --- what is learned from

    @staticmethod
    def decode(room: dict) -> dict:
        frames = looks(room)
        room["references"] = [picture(p) for thing in room["things"].values() for *_, p in thing["shown"]]
        states = [state[-1] for frame in frames for state in frame["states"]]
        room["windows"], room["masks"] = [picture(w[0]) for w in states], [masks(w[1], 1) for w in states]
        pairs = [pair for frame in frames for pair in frame["relations"]]
        for name, at in (("near", 4), ("far", 5)):
            room[name] = [picture(pair[at][0]) for pair in pairs]
            room[f"{name}_masks"] = [masks(pair[at][1], 2) for pair in pairs]
        return room

    def add(self, number: int, room: dict) -> None:
        if max(self.windows.count + len(room["windows"]), self.near.count + len(room["near"])) > self.near.most:
            return
        things = things_of(room, self.references.add(room["references"]))
        every = [np.concatenate([axes, t.numbers]) for t in things.values() for _, axes in t.states]
        self.numbers.add(np.array(every, np.float32))  # in the order of the references
        side = int(is_held_back(number))
        first = {
            name: getattr(self, name).add(room[name])
            for name in ("windows", "masks", "near", "far", "near_masks", "far_masks")
        }
        window, pair = first["windows"], first["near"]
        for frame in looks(room):
            for name, states, share, _ in frame["states"]:
                thing = things.get((frame["cast"], name.removesuffix("-again")))
                if thing is not None:
                    items = asked(window, thing, dict(states), share)
                    known = [item for item in items if item.true is not None or not side]
                    self.states[side][frame["composed"]].extend(known)
                window += 1
            for _, _, relation, person, _, _ in frame["relations"]:
                kind = RELATIONS.index("fastened" if relation == "worn" else relation)
                self.relations[side][frame["composed"]][kind].append(Relation(pair, kind, person))
                pair += 1

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        odds, truth = self.told_states(self.some_states(), True)
        found = {"state": F.cross_entropy(odds, truth)}
        odds, truth = self.told_relations(self.some_relations(), True)
        found["relation"] = F.cross_entropy(odds, truth)
        return sum(found.values()), found  # type: ignore[return-value]

    def some_states(self) -> list[State]:
        """A third of them as films show them, if there are any."""
        films, others = self.states[0][True], self.states[0][False]
        count = self.batch // 3 if films else 0
        return [*random.choices(films or others, k=count), *random.choices(others or films, k=self.batch - count)]

    def some_relations(self) -> list[Relation]:
        """Half of them as films show them, if there are any."""
        some = []
        for composed in (True, False):
            every = self.relations[0][composed]
            known = [k for k, one in enumerate(every) if one]
            kinds = random.choices(known, weights=[WEIGHTS[k] for k in known], k=self.batch // 2) if known else []
            some += [random.choice(every[k]) for k in kinds]
        return some

    def told_states(self, items: list[State], training: bool) -> tuple[Tensor, Tensor]:
        """Log-odds of each of some states, and how likely each should be: equally, where nobody could tell."""
        rows = [i.window for i in items]
        pixels, mask = self.windows[rows].permute(0, 3, 1, 2).float(), self.masks[rows].float() / 255
        mask = spoiled(mask) if training else mask
        pixels, mask = moved(pixels, mask, WINDOW, training)
        shown, truth = np.full((len(items), STATES), -1), []
        for n, item in enumerate(items):
            order = [(k + n if training else k) % len(item.pictures) for k in range(len(item.pictures))][:STATES]
            if item.true is not None and item.true not in order:
                order[-1] = item.true
            truth.append([1 / len(order) if item.true is None else float(k == item.true) for k in order])
            truth[-1] += [0.0] * (STATES - len(order))
            shown[n, : len(order)] = [item.pictures[k] for k in order]
        known = torch.from_numpy(shown >= 0).to(DEVICE)
        one = torch.from_numpy(shown[shown >= 0]).to(DEVICE)
        references = self.references[one].permute(0, 3, 1, 2).float()
        references = F.interpolate(references, size=(WINDOW, WINDOW), mode="bilinear", antialias=True)
        if training:
            pixels = tinted(coarser(pixels))
            references = torch.roll(references, torch.randint(-4, 5, (2,)).tolist(), (2, 3))
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            stem = self.state.stem(torch.cat([normal(pixels), mask * 2 - 1], 1))
            seen = self.state.picture(normal(references)).float()
            pictures = torch.zeros(len(items), STATES, seen.shape[1], device=DEVICE)
            pictures[known] = seen
            numbers = torch.zeros(len(items), STATES, 2 * len(AXES) + THING, device=DEVICE)
            numbers[known] = self.numbers[one]
            ask = self.state.asked(pictures, numbers, known.float())
            which = known.nonzero()[:, 0]
            answers = self.state.look(stem[which], ask[known])[:, 0].float()
        odds = torch.full((len(items), STATES), -30.0, device=DEVICE)
        odds[known] = answers
        return odds, torch.tensor(truth, device=DEVICE)

    def told_relations(self, items: list[Relation], training: bool) -> tuple[Tensor, Tensor]:
        rows = [i.window for i in items]
        looks = []
        for pixels_, masks_ in ((self.near, self.near_masks), (self.far, self.far_masks)):
            mask = masks_[rows].float() / 255
            mask = spoiled(mask) if training else mask
            pixels, mask = moved(pixels_[rows].permute(0, 3, 1, 2).float(), mask, PAIR, training)
            looks.append(torch.cat([normal(tinted(pixels) if training else pixels), mask * 2 - 1], 1))
        person = torch.tensor([[float(i.person)] for i in items], device=DEVICE)
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            odds = self.relation(looks[0], looks[1], person)
        return odds.float(), torch.tensor([i.kind for i in items], device=DEVICE)

    # --- how good it is

    def check(self) -> None:
        self._check_states()
        self._check_relations()

    def _check_states(self) -> None:
        for composed, every in self.states[1].items():
            items = random.sample(every, min(3000, len(every)))
            right, far = [], []
            for k in range(0, len(items), 256):
                odds, truth = self.told_states(items[k : k + 256], False)
                best = odds.topk(2, 1)
                right += (best.indices[:, 0] == truth.argmax(1)).tolist()
                far += (best.values[:, 0] - best.values[:, 1]).tolist()
            if items:
                large = np.array([i.share >= 0.01 for i in items])
                _tell_states("in films" if composed else "otherwise", np.array(right), np.array(far), large)

    def _check_relations(self) -> None:
        for composed, kinds in self.relations[1].items():
            counts = np.zeros((len(RELATIONS), len(RELATIONS)), int)
            for every in kinds:
                items = random.sample(every, min(500, len(every)))
                for k in range(0, len(items), 256):
                    odds, truth = self.told_relations(items[k : k + 256], False)
                    np.add.at(counts, (truth.cpu().numpy(), odds.argmax(1).cpu().numpy()), 1)
            drawn = "composed" if composed else "staged"
            print(f"   relation, {drawn} (rows true:", *RELATIONS, ")", counts.tolist(), flush=True)


def _tell_states(where: str, right: np.ndarray, sure: np.ndarray, large: np.ndarray) -> None:
    parts = [
        f"margin>{m}: {right[large & (sure > m)].mean():.3f} of {(sure[large] > m).mean():.2f}" for m in (0.5, 1, 2, 3)
    ]
    print(f"   state {where} {right.mean():.3f} of {len(right)}; large {right[large].mean():.3f};", *parts, flush=True)


def looks(room: dict) -> list[dict]:
    return [*room["frames"], *room["close"]]


def masks(data: bytes, count: int) -> np.ndarray:
    return np.stack(np.split(picture(data), count, axis=1))


def asked(window: int, thing: Subject, now: dict[str, str | None], share: float) -> list[State]:
    """What can be asked of a window: every attribute whose values look different and have a picture each."""
    found = []
    for attribute, values in thing.attributes:
        pictures = [_picture(thing, attribute, value) for value in values]
        if attribute not in now or now[attribute] not in (None, *values) or None in pictures:
            continue
        if len({tuple(thing.states[p][1]) for p in pictures}) == len(pictures):
            shown = [thing.first + p for p in pictures]
            value = now[attribute]
            found.append(State(window, shown, None if value is None else values.index(value), share))
    return found


def _picture(thing: Subject, attribute: str, value: str) -> int | None:
    return next((k for k, (values, _) in enumerate(thing.states) if (attribute, value) in values), None)


def export_all(close: Close, out: Path) -> None:
    state, relation = close.state, close.relation
    export(state.stem, [(1, 4, WINDOW, WINDOW)], out / "state_stem.onnx", pixels=False)
    shapes = [(1, STEM, WINDOW // 4, WINDOW // 4), (1, 2 * MIDDLE + 2 * DEEP)]
    export(state.look, shapes, out / "state_look.onnx", pixels=False)
    export(state.picture, [(1, 3, WINDOW, WINDOW)], out / "state_picture.onnx")
    export(relation.near, [(1, 5, PAIR, PAIR)], out / "relation_near.onnx", pixels=False)
    export(relation.far, [(1, 5, PAIR, PAIR)], out / "relation_far.onnx", pixels=False)
    tables = {f"state_told.{k}": v for k, v in table(state.told).items()}
    for name, net in (("state", state.ask), ("relation", relation.kind)):
        tables |= {f"{name}_{k}": v for k, v in table(net).items()}
    np.savez_compressed(out / "close.npz", families=np.array(FAMILIES), **tables)


def main() -> None:
    args = lesson.options(lesson.parser(__doc__, "close", rate=1.0e-3))
    close = Close()
    close.batch = args.batch
    lesson.teach(args, close, decay=0.03)
    export_all(close, args.out)


if __name__ == "__main__":
    main()
