"""Perspective views out of a 2:1 panorama.

The middle column looks north (yaw 0), yaw grows to the right, pitch upwards; a field of view is horizontal. Where the
view is coarser than the panorama a smaller copy is sampled, so that nothing shimmers.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import InputError
from storyengine.media.picture import Derivation, Picture, Pixels

Maps = tuple[npt.NDArray[np.int16], npt.NDArray[np.uint16]]


def view(panorama: Picture, yaw: float, pitch: float, fov: float, width: int = 1280, height: int = 720) -> Picture:
    """What a camera at the panorama's station would see; angles in degrees."""
    if panorama.width != 2 * panorama.height:
        raise InputError(f"A panorama must be twice as wide as high; this one is {panorama.width}×{panorama.height}.")
    if not (1 <= fov <= 150 and 0 < width <= 8192 and 0 < height <= 8192):
        raise InputError(
            f"A view of {fov}° at {width}×{height} cannot be taken.",
            next_step="The field of view is 1 to 150 degrees, sides are 1 to 8192 pixels.",
        )
    level = _level(panorama.width, fov, width)
    small = _shrunk(panorama, level)
    # Columns wrap around, rows do not: one column of the other side is put beside each edge.
    padded = np.concatenate([small[:, -1:], small, small[:, :1]], axis=1)
    across, down = _maps(small.shape[1], yaw % 360.0, pitch, fov, width, height)
    pixels = cv2.remap(padded, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    values = {"yaw": yaw, "pitch": pitch, "fov": fov, "width": width, "height": height}
    return Picture(np.asarray(pixels, np.uint8), Derivation(panorama.digest, "view", values))


def _level(panorama_width: int, fov: float, width: int) -> int:
    """How often the panorama can be halved before it is coarser than the middle of the view."""
    per_degree = width / 2 / math.tan(math.radians(fov) / 2) * math.pi / 180
    ratio = (panorama_width / 360) / per_degree
    return max(0, math.floor(math.log2(max(ratio, 1e-6)) + 0.25))


def _shrunk(panorama: Picture, level: int) -> Pixels:
    factor = 2**level
    if level == 0 or panorama.width % (2 * factor):
        return panorama.pixels
    size = (panorama.width // factor, panorama.height // factor)
    return np.asarray(cv2.resize(panorama.pixels, size, interpolation=cv2.INTER_AREA), np.uint8)


@lru_cache(maxsize=16)
def _maps(columns: int, yaw: float, pitch: float, fov: float, width: int, height: int) -> Maps:
    focal = width / 2 / math.tan(math.radians(fov) / 2)
    x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2) / np.float32(focal)
    y = (np.arange(height, dtype=np.float32) + 0.5 - height / 2) / np.float32(focal)
    a, b = math.radians(yaw), math.radians(pitch)
    forward = np.array([math.sin(a) * math.cos(b), math.cos(a) * math.cos(b), math.sin(b)], np.float32)
    right = np.array([math.cos(a), -math.sin(a), 0.0], np.float32)
    up = np.cross(right, forward)
    rays = forward + x[None, :, None] * right - y[:, None, None] * up
    lon = np.arctan2(rays[..., 0], rays[..., 1])
    lat = np.arctan2(rays[..., 2], np.hypot(rays[..., 0], rays[..., 1]))
    rows = columns // 2
    across = ((lon / (2 * np.pi) + 0.5) * columns - 0.5 + 1).astype(np.float32)
    down = ((0.5 - lat / np.pi) * rows - 0.5).astype(np.float32)
    first, second = cv2.convertMaps(across, down, cv2.CV_16SC2)
    return np.asarray(first, np.int16), np.asarray(second, np.uint16)
