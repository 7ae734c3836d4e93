"""A person built once from a look, and put into the picture pose by pose."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from storyengine.previz.figures.face import LID_TRAVEL, build_face
from storyengine.previz.figures.garments import dress, merged_by_bone
from storyengine.previz.figures.hair import build_beard, build_hair
from storyengine.previz.figures.hats import HATS, build_headwear
from storyengine.previz.figures.head import face_form
from storyengine.previz.figures.skeleton import BONES, INDEX, Measures, Pose, Side, bone_matrices, joints, measures
from storyengine.previz.looks import GarmentKind, PersonLook
from storyengine.previz.render.values import Floats, Instance, Mesh, Vec3, merged, placement


@dataclass(frozen=True, eq=False)
class Figure:
    """A person: one mesh per bone, built once. Use `build`; equal looks give the same object."""

    look: PersonLook
    measures: Measures
    rest: Floats
    """Where every bone begins relative to its parent."""
    meshes: tuple[Mesh | None, ...]
    """One per bone, in the order of `BONES`."""

    @staticmethod
    def build(look: PersonLook) -> Figure:
        return _build(look)

    def wearing(self, *kinds: GarmentKind) -> Figure:
        """The same person with only these of their garments."""
        return _build(replace(self.look, garments=tuple(g for g in self.look.garments if g.kind in kinds)))

    def without(self, *kinds: GarmentKind) -> Figure:
        """The same person without these garments: a hat put down, an apron hung up."""
        return _build(replace(self.look, garments=tuple(g for g in self.look.garments if g.kind not in kinds)))


@lru_cache(maxsize=128)
def _build(look: PersonLook) -> Figure:
    m = measures(look)
    form = face_form(look)
    rest = joints(m)
    parts = dress(look, m)
    hatted = any(g.kind in HATS for g in look.garments)
    scalp = None if look.hair == "bald" else look.hair_colour
    face = build_face(replace(look, garments=()), m.head, scalp)
    head = [face.skin]
    hair = build_hair(look.hair, look.hair_colour, form, m.head, under_hat=hatted)
    beard = build_beard(look.beard, look.hair_colour, form, m.head)
    head += [mesh for mesh in (hair, beard) if mesh is not None]
    for garment in look.garments:
        mesh = build_headwear(garment, form, face, m.head)
        if mesh is not None:
            head.append(mesh)
    by_bone = merged_by_bone(parts)
    by_bone["head"] = merged(head)
    for number, side in enumerate(("left", "right")):
        by_bone[f"{side} eye"] = face.eyes[number]
        by_bone[f"{side} lid"] = face.lids[number]
        rest[INDEX[f"{side} eye"]] = rest[INDEX[f"{side} lid"]] = face.eye_centres[number]
    rest.setflags(write=False)
    return Figure(look, m, rest, tuple(by_bone.get(bone) for bone in BONES))


def pose_instances(figure: Figure, pose: Pose, at: Vec3, yaw: float, id: int) -> tuple[Instance, ...]:
    """The figure standing at a point, facing a bearing, as instances of the renderer with one outline."""
    matrices = world_matrices(figure, pose, at, yaw)
    return tuple(
        Instance(mesh, matrix, id) for mesh, matrix in zip(figure.meshes, matrices, strict=True) if mesh is not None
    )


def world_matrices(figure: Figure, pose: Pose, at: Vec3, yaw: float) -> Floats:
    """(bones, 3, 4): every bone's place in the world. The chest swells with the breath."""
    local = bone_matrices(figure.rest, pose)
    if pose.breath:
        swell = np.array([1 + 0.006 * pose.breath, 1 + 0.022 * pose.breath, 1 + 0.004 * pose.breath])
        local[INDEX["chest"], :, :3] = local[INDEX["chest"], :, :3] * swell
    out = np.empty_like(local)
    where = placement(at, yaw)
    out[:, :, :3] = where[:, :3] @ local[:, :, :3]
    out[:, :, 3] = local[:, :, 3] @ where[:, :3].T + where[:, 3]
    return out


def hand_matrix(figure: Figure, pose: Pose, side: Side, at: Vec3 = (0.0, 0.0, 0.0), yaw: float = 0.0) -> Floats:
    """The grip of a hand, 3×4: where a held thing is put.

    Origin in the middle of the closed hand; y along a bar held in the fist, towards the thumb; z towards the wrist,
    so that a pail held by its handle hangs along -z when the arm hangs; x to the right.
    """
    world = world_matrices(figure, pose, at, yaw)[INDEX[f"{side} palm"]].copy()
    world[:, 3] += world[:, :3] @ grip_offset(figure.measures, side)
    return np.asarray(world)


def grip_offset(m: Measures, side: Side) -> Floats:
    """From the wrist to the middle of the closed hand, in the palm's own axes."""
    inwards = 1.0 if side == "left" else -1.0
    return np.array([inwards * m.height * 0.0180, 0.0, -m.grip])


def blinked(pose: Pose, closed: float) -> Pose:
    """With the lids closed by a share: 0 open, 1 shut."""
    return pose.turned("left lid", flex=-LID_TRAVEL * closed).turned("right lid", flex=-LID_TRAVEL * closed)
