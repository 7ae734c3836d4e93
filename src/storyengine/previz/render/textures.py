"""One array of packed texels with mip levels, shared by all threads; it only grows."""

from __future__ import annotations

import threading

import cv2
import numpy as np
import numpy.typing as npt

from storyengine.errors import ContractError
from storyengine.previz.render.raster_kernels import MIP_LEVELS
from storyengine.previz.render.values import Texture

Packed = npt.NDArray[np.uint32]


def pack(pixels: npt.NDArray[np.uint8]) -> Packed:
    """(h, w, 3) bytes to 0x__BBGGRR."""
    rgba = np.zeros((*pixels.shape[:2], 4), np.uint8)
    rgba[..., :3] = pixels
    return rgba.view(np.uint32)[..., 0]


def unpack(packed: Packed) -> npt.NDArray[np.uint8]:
    """0x__BBGGRR to (h, w, 3) bytes."""
    return np.ascontiguousarray(packed.view(np.uint8).reshape(*packed.shape, 4)[..., :3])


class TextureHeap:
    """Baked surfaces (clamped) and mesh textures (repeating). Slot 0 is plain white."""

    def __init__(self, room_for: int = 1 << 22) -> None:
        self.texels: Packed = np.empty(room_for, np.uint32)
        self.table = np.zeros((64, MIP_LEVELS, 4), np.int64)
        self._used = 0
        self._slots = 0
        self._of: dict[int, tuple[int, Texture]] = {}
        self._lock = threading.Lock()
        self.add_repeating(Texture(np.full((4, 4, 3), 255, np.uint8)))

    def add_baked(self, packed: Packed) -> int:
        """A surface of the room with its light; needs at least 2 × 2 texels."""
        with self._lock:
            levels: list[tuple[int, int, int, int]] = []
            image = np.ascontiguousarray(packed)
            while len(levels) < MIP_LEVELS:
                height, width = image.shape
                levels.append((self._append(image.ravel()), width, height, width))
                if min(width, height) <= 4:
                    break
                rgba = image.view(np.uint8).reshape(height, width, 4)
                smaller = cv2.resize(rgba, (width // 2, height // 2), interpolation=cv2.INTER_AREA)
                image = np.ascontiguousarray(smaller).view(np.uint32)[..., 0]
            return self._register(levels)

    def add_repeating(self, texture: Texture) -> int:
        """A mesh texture; the same value twice gives the same slot."""
        with self._lock:
            known = self._of.get(id(texture))
            if known is not None:
                return known[0]
            height, width = texture.pixels.shape[:2]
            if width & (width - 1) or height & (height - 1) or max(width, height) > 1024:
                raise ContractError(
                    f"A mesh texture is {width}×{height}; its sides must be powers of two, 1024 at most."
                )
            mips: list[tuple[int, int, int, int]] = []
            image = texture.pixels
            while len(mips) < MIP_LEVELS:
                height, width = image.shape[:2]
                wrapped = np.pad(pack(np.ascontiguousarray(image)), ((0, 1), (0, 1)), mode="wrap")
                mips.append((self._append(wrapped.ravel()), width, height, width + 1))
                if min(width, height) <= 1:
                    break
                image = np.asarray(cv2.resize(image, (width // 2, height // 2), interpolation=cv2.INTER_AREA))
            slot = self._register(mips)
            self._of[id(texture)] = (slot, texture)
            return slot

    def _append(self, texels: Packed) -> int:
        start, end = self._used, self._used + len(texels)
        if end > len(self.texels):
            grown = np.empty(max(end, len(self.texels) * 3 // 2), np.uint32)
            grown[:start] = self.texels[:start]
            self.texels = grown
        self.texels[start:end] = texels
        self._used = end
        return start

    def _register(self, levels: list[tuple[int, int, int, int]]) -> int:
        if self._slots == len(self.table):
            self.table = np.concatenate([self.table, np.zeros_like(self.table)])
        rows = levels + [levels[-1]] * (MIP_LEVELS - len(levels))
        self.table[self._slots] = np.array(rows, np.int64)
        self._slots += 1
        return self._slots - 1

    @property
    def megabytes(self) -> float:
        return self._used * 4 / 1e6
