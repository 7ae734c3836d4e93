"""Prompts of the demo story, made the way the product makes them."""

import re

from storyengine.contract import CameraView, GroundedContext, compile_contracts
from storyengine.demo import demo_plan
from storyengine.plan import Catalog
from storyengine.prompts import pictures
from storyengine.state import replay

PLAN = demo_plan()
CATALOG = Catalog.of(PLAN)
FILM = replay(PLAN)
CAMERA = CameraView(yaw=12.5, pitch=-3, fov=60, right=0.4, forward=-0.6)
PREDICTED = tuple((entity, 0.05) for entity in CATALOG.entities)
CONTRACTS = compile_contracts(PLAN, FILM, [GroundedContext(camera=CAMERA, predicted=PREDICTED)] * 6)
FIXED = [entity for entity in CATALOG.entities.values() if "fixed" in entity.roles]


def opening(shot: int, **more) -> str:
    return pictures.opening(PLAN, CATALOG, CONTRACTS[shot - 1], **more)


def opening_without_camera(shot: int) -> str:
    """The studio then chooses a camera that shows everything."""
    return re.sub(r"CAMERA AND LAYOUT:.*\n", "", opening(shot))


def video(shot: int, **more) -> str:
    return pictures.video(PLAN, CATALOG, CONTRACTS[shot - 1], **more)


def sheet(person: str = "mina") -> str:
    return pictures.identity_sheet(CATALOG.entities[person], "calm")


def panorama(place: str) -> str:
    return pictures.panorama(CATALOG.environments[place], FIXED, FILM.initial, CATALOG, "")
