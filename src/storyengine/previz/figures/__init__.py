"""Figures: articulated people built from a `PersonLook`.

figure = Figure.build(look)                                     # meshes, once
pose = solve(figure, Stance(right=Hand((0.2, 0.4, 1.1))))       # joints, well under a millisecond
instances = pose_instances(figure, pose, (3, 2, 0), 180, id=7)  # for the renderer
"""

from storyengine.previz.figures.figure import Figure, blinked, grip_offset, hand_matrix, pose_instances, world_matrices
from storyengine.previz.figures.skeleton import BONES, Measures, Pose, Side
from storyengine.previz.figures.stance import Foot, Hand, Stance, reach, shoulder, solve, standing_foot

__all__ = [
    "BONES", "Figure", "Foot", "Hand", "Measures", "Pose", "Side", "Stance", "blinked", "grip_offset", "hand_matrix",
    "pose_instances", "reach", "shoulder", "solve", "standing_foot", "world_matrices",
]  # fmt: skip
