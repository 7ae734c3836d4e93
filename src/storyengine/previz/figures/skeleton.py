"""The skeleton: bones, measures of a body, and poses.

A figure's own space: origin on the ground between the feet, facing +y, its right hand towards +x, z up, metres.
At rest it stands straight with hanging arms, palms to the thighs, and every bone's axes are those of the figure.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from storyengine.previz.looks import PersonLook
from storyengine.previz.render.values import Floats

Side = Literal["left", "right"]

_SPINE = (("pelvis", ""), ("waist", "pelvis"), ("chest", "waist"), ("neck", "chest"), ("head", "neck"))
_SIDED = (
    ("eye", "head"), ("lid", "head"), ("upper arm", "chest"), ("forearm", "upper arm"), ("palm", "forearm"),
    ("fingers", "palm"), ("fingertips", "fingers"), ("thumb", "palm"), ("thigh", "pelvis"), ("shin", "thigh"),
    ("foot", "shin"),
)  # fmt: skip


def _bones() -> tuple[tuple[str, ...], tuple[int, ...]]:
    names = [name for name, _ in _SPINE]
    parents = [-1, 0, 1, 2, 3]
    for side in ("left", "right"):
        for name, parent in _SIDED:
            above = parent if parent in names else f"{side} {parent}"
            names.append(f"{side} {name}")
            parents.append(names.index(above))
    names += ["skirt", "apron"]
    parents += [0, 0]
    return tuple(names), tuple(parents)


BONES, PARENTS = _bones()
"""Names and parents, parents first. "skirt" and "apron" hang from the pelvis and give way to the legs."""
INDEX = {name: number for number, name in enumerate(BONES)}


@dataclass(frozen=True)
class Measures:
    """Lengths of a body in metres, and how stout and how feminine it is."""

    height: float
    head: float
    """Chin to crown."""
    stout: float
    feminine: float
    shoulder: float
    """Half the distance between the shoulder joints."""
    hip: float
    upper_arm: float
    forearm: float
    hand: float
    thigh: float
    shin: float
    ankle: float
    foot: float

    @property
    def arm(self) -> float:
        """How far the wrist reaches from the shoulder."""
        return self.upper_arm + self.forearm

    @property
    def grip(self) -> float:
        """From the wrist to the middle of a closed hand."""
        return self.hand * 0.455


def measures(look: PersonLook) -> Measures:
    """The body of a look. Heads and hands are a little larger than life, as in a drawn storyboard."""
    tall = min(max(look.height, 0.8), 2.3)
    child = look.age == "child"
    stout = {"slim": 0.9, "average": 1.0, "broad": 1.16}[look.build] * (0.97 if child else 1.0)
    fem = 0.5 if child else min(max(look.feminine, 0.0), 1.0)
    return Measures(
        height=tall,
        head=tall * (0.186 if child else 0.146) if child else 0.052 + tall * 0.118,
        stout=stout,
        feminine=fem,
        shoulder=tall * (0.099 - 0.013 * fem) * (0.55 + 0.45 * stout) * (0.93 if child else 1.0),
        hip=tall * (0.049 + 0.004 * fem) * (0.5 + 0.5 * stout),
        upper_arm=tall * 0.163,
        forearm=tall * 0.138,
        hand=tall * 0.110,
        thigh=tall * (0.238 - (0.012 if child else 0)),
        shin=tall * (0.222 - (0.012 if child else 0)),
        ankle=tall * 0.042,
        foot=tall * 0.150,
    )


def joints(m: Measures) -> Floats:
    """Where every bone begins, relative to its parent, in the rest pose: (bones, 3)."""
    tall = m.height
    hip_z = m.ankle + m.shin + m.thigh
    neck_z = tall - m.head * 1.00
    out = np.zeros((len(BONES), 3))
    pelvis = hip_z + 0.02 * tall
    waist, chest = pelvis + 0.055 * tall, pelvis + 0.135 * tall
    out[INDEX["pelvis"]] = (0, 0, pelvis)
    out[INDEX["waist"]] = (0, 0, waist - pelvis)
    out[INDEX["chest"]] = (0, 0, chest - waist)
    out[INDEX["neck"]] = (0, -0.010 * tall, neck_z - 0.022 * tall - chest)
    out[INDEX["head"]] = (0, 0.006 * tall, 0.022 * tall + m.head * 0.26)
    for side, sign in (("left", -1.0), ("right", 1.0)):
        rows: dict[str, tuple[float, float, float]] = {
            "upper arm": (sign * m.shoulder, -0.004 * tall, neck_z - 0.062 * tall - chest),
            "forearm": (0, 0, -m.upper_arm),
            "palm": (0, 0, -m.forearm),
            "fingers": (0, 0, -m.hand * 0.48),
            "fingertips": (0, 0, -m.hand * 0.27),
            "thumb": (-sign * m.hand * 0.05, m.hand * 0.17, -m.hand * 0.14),
            "thigh": (sign * m.hip, 0, -0.02 * tall),
            "shin": (0, 0, -m.thigh),
            "foot": (0, 0, -m.shin),
        }
        for name, at in rows.items():
            out[INDEX[f"{side} {name}"]] = at
    out[INDEX["skirt"]] = (0, 0, 0.045 * tall)
    out[INDEX["apron"]] = (0, 0, 0.03 * tall)
    return out


_IDENTITY = np.tile(np.eye(3), (len(BONES), 1, 1))


@dataclass(frozen=True, eq=False)
class Pose:
    """Rotations of all joints relative to their parents, and where the pelvis is moved from its rest."""

    turns: Floats = field(default_factory=lambda: _IDENTITY.copy())
    """(bones, 3, 3)"""
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Of the pelvis, in the figure's own space."""
    breath: float = 0.0
    """0 (out) to 1 (in)."""

    def turned(self, bone: str, flex: float = 0.0, side: float = 0.0, twist: float = 0.0) -> Pose:
        """With one joint turned from rest, in degrees.

        `flex` tips the bone's upper end backwards and its lower end forwards (about x), `side` leans it to the
        figure's left (about y, negative is right), `twist` turns it to the left (about z).
        """
        return self.with_turns({bone: rotation(flex, side, twist)})

    def with_turns(self, turns: dict[str, Floats]) -> Pose:
        out = self.turns.copy()
        for bone, turn in turns.items():
            out[INDEX[bone]] = turn
        return Pose(out, self.shift, self.breath)


def rotation(flex: float = 0.0, side: float = 0.0, twist: float = 0.0) -> Floats:
    """About x, then about y (negated), then about z; degrees."""
    a, b, c = math.radians(flex), math.radians(-side), math.radians(twist)
    ca, sa, cb, sb, cc, sc = math.cos(a), math.sin(a), math.cos(b), math.sin(b), math.cos(c), math.sin(c)
    return np.array(
        [
            [cc * cb, cc * sb * sa - sc * ca, cc * sb * ca + sc * sa],
            [sc * cb, sc * sb * sa + cc * ca, sc * sb * ca - cc * sa],
            [-sb, cb * sa, cb * ca],
        ]
    )


def bone_matrices(rest: Floats, pose: Pose) -> Floats:
    """(bones, 3, 4): every bone's place in the figure's own space."""
    out = np.empty((len(BONES), 3, 4))
    out[0, :, :3] = pose.turns[0]
    out[0, :, 3] = rest[0] + pose.shift
    turns = pose.turns
    for bone in range(1, len(BONES)):
        above = out[PARENTS[bone]]
        out[bone, :, :3] = above[:, :3] @ turns[bone]
        out[bone, :, 3] = above[:, :3] @ rest[bone] + above[:, 3]
    return out
