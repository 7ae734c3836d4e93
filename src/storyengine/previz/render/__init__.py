"""The renderer of the embedded studio: rooms baked once, figures and props drawn in front, on two plain cores.

baked = bake(Room(…))                                   # once per place
frame = Renderer(baked).draw(View(camera, instances), 1280, 720)
clip = shoot(baked, lambda i: View(…), frames=144)      # two threads, encoded
"""

from storyengine.previz.render.baking import BakedRoom, bake, fingerprint
from storyengine.previz.render.build import ground, shell, window
from storyengine.previz.render.materials import PATTERNS
from storyengine.previz.render.renderer import Frame, Renderer
from storyengine.previz.render.shot import shoot
from storyengine.previz.render.sky import SKYLINES
from storyengine.previz.render.values import (
    Box,
    Camera,
    Colour,
    Instance,
    Lamp,
    Material,
    Mesh,
    Quad,
    Room,
    Sky,
    Sun,
    Texture,
    Vec3,
    View,
    Window,
    composed,
    merged,
    placement,
)

__all__ = [
    "PATTERNS", "SKYLINES", "BakedRoom", "Box", "Camera", "Colour", "Frame", "Instance", "Lamp", "Material", "Mesh",
    "Quad", "Renderer", "Room", "Sky", "Sun", "Texture", "Vec3", "View", "Window", "bake", "composed", "fingerprint",
    "ground", "merged", "placement", "shell", "shoot", "window",
]  # fmt: skip
