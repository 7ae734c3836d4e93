"""Judges get pixels and nothing else, and no picture is encoded twice for it."""

import io

import numpy as np
import pytest
from PIL import Image, PngImagePlugin

from storyengine.media.picture import Derivation, Picture, bare_png

PIXELS = np.random.default_rng(1).integers(0, 255, (18, 32, 3), np.uint8)
DERIVED = Picture(PIXELS, Derivation("ab" * 32, "frame", {"index": 3}))


def saved(image, kind="PNG", **options):
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def test_a_derivation_survives_the_file_and_is_left_out_of_a_bare_one():
    assert Picture.from_bytes(DERIVED.to_png()) == DERIVED
    assert bare_png(DERIVED.to_png()) == DERIVED.to_png(bare=True)
    assert b"storyengine" not in DERIVED.to_png(bare=True)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "P"])
def test_whatever_a_painter_sends_comes_out_as_plain_pixels(mode):
    notes = PngImagePlugin.PngInfo()
    notes.add_text("prompt", "a secret")
    sent = saved(Image.fromarray(PIXELS).convert(mode), pnginfo=notes)
    bare = bare_png(sent)
    assert b"a secret" not in bare
    with Image.open(io.BytesIO(bare)) as image:
        assert image.mode == "RGB"
        assert not image.info
    assert Picture.from_bytes(bare).digest == Picture.from_bytes(sent).digest


def test_a_jpeg_becomes_a_png():
    sent = saved(Image.fromarray(PIXELS), "JPEG")
    assert Picture.from_bytes(bare_png(sent)).digest == Picture.from_bytes(sent).digest
