"""One small room, baked once per process."""

import pytest

from storyengine.previz.render import (
    Box,
    Instance,
    Lamp,
    Material,
    Renderer,
    Room,
    Sky,
    bake,
    placement,
    shapes,
    shell,
    window,
)


@pytest.fixture(scope="session")
def room():
    plaster = Material("plaster", (0.80, 0.77, 0.70))
    pane, frame = window("east", 1.5, 1.0, (1.0, 0.9), (4, 3), Sky(), Material("paint", (0.86, 0.84, 0.80)), id=3)
    barrel = shapes.cylinder(0.25, 0.8, (0.5, 0.37, 0.27))
    return Room(
        shell(4, 3, 2.5, Material("planks", (0.60, 0.49, 0.38)), plaster, (plaster,) * 4),
        (Box((2, 2, 0.35), (0.8, 0.6, 0.7), Material("wood", (0.62, 0.48, 0.34)), id=1), *frame),
        fittings=(Instance(barrel, placement((0.5, 2.5, 0.4)), id=2),),
        lamps=(Lamp((2, 1.2, 2.2)),),
        windows=(pane,),
    )


@pytest.fixture(scope="session")
def baked(room):
    return bake(room)


@pytest.fixture
def renderer(baked):
    return Renderer(baked)
