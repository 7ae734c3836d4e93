"""Pictures as values: digests, derivation, PNG metadata."""

import io

import numpy as np
import pytest
from PIL import Image

from storyengine.errors import CorruptData, InputError
from storyengine.media.picture import Derivation, Picture


def noise(height=48, width=64, seed=1):
    return Picture(np.random.default_rng(seed).integers(0, 256, (height, width, 3)).astype(np.uint8))


def test_equal_pixels_have_equal_digests_whatever_the_file():
    picture = noise()
    again = Picture.from_bytes(picture.to_png())
    assert again.digest == picture.digest
    assert again == picture
    assert noise(seed=2).digest != picture.digest


@pytest.mark.parametrize("width", [64, 63])
def test_a_png_reads_the_same_by_whichever_decoder(width):
    """A file of ours takes a faster way than one that somebody else wrote, or that says more before its pixels."""
    picture = noise(width=width).crop(1, 1, width - 2, 40)
    ours = picture.to_png()
    foreign = io.BytesIO()
    Image.fromarray(picture.pixels).save(foreign, "PNG", dpi=(72, 72))
    assert Picture.from_bytes(ours) == picture
    assert Picture.from_bytes(foreign.getvalue()).digest == picture.digest
    assert not Picture.from_bytes(ours).pixels.flags.writeable


def test_damaged_files_of_ours_are_no_pictures():
    file = noise().to_png()
    flipped = bytearray(file)
    flipped[len(file) // 2] ^= 255
    for damaged in (file[: len(file) // 3], file[: len(file) // 3] + file[-12:], bytes(flipped)):
        with pytest.raises(CorruptData, match="no readable picture"):
            Picture.from_bytes(damaged)


def test_size_is_part_of_the_digest():
    flat = np.zeros((4, 8, 3), np.uint8)
    assert Picture(flat).digest != Picture(flat.reshape(8, 4, 3)).digest


def test_pixels_cannot_be_written_and_do_not_follow_their_source():
    source = np.zeros((4, 4, 3), np.uint8)
    picture = Picture(source)
    source[:] = 9
    assert picture.pixels.max() == 0
    with pytest.raises(ValueError, match="read-only"):
        picture.pixels[0, 0] = 1


def test_a_derived_picture_names_its_parent_and_transform_in_the_png():
    picture = noise()
    part = picture.crop(8, 4, 32, 16)
    read = Picture.from_bytes(part.to_png())
    assert read.derivation == Derivation(picture.digest, "crop", {"left": 8, "top": 4, "width": 32, "height": 16})
    assert read == part
    assert np.array_equal(part.pixels, picture.pixels[4:20, 8:40])


def test_a_bare_png_says_nothing_about_its_origin():
    small = noise().resize(32, 24)
    assert small.derivation is not None
    data = small.to_png(bare=True)
    assert Picture.from_bytes(data).derivation is None
    assert b"storyengine" not in data


def test_the_same_picture_gives_the_same_png():
    assert noise().to_png() == noise().to_png()


@pytest.mark.parametrize("notes", ["no digest", "0" * 63])
def test_foreign_notes_are_ignored(notes):
    import io

    from PIL import Image, PngImagePlugin

    info = PngImagePlugin.PngInfo()
    info.add_text("storyengine:parent", notes)
    info.add_text("storyengine:transform", "[1, 2]")
    out = io.BytesIO()
    Image.fromarray(noise().pixels).save(out, "PNG", pnginfo=info)
    assert Picture.from_bytes(out.getvalue()).derivation is None


def test_what_is_no_picture_is_refused():
    with pytest.raises(CorruptData, match="no readable picture"):
        Picture.from_bytes(b"GIF? not really")
    with pytest.raises(CorruptData):
        Picture.from_bytes(noise().to_png()[:200])
    with pytest.raises(InputError, match="8-bit"):
        Picture(np.zeros((4, 4), np.uint8))
    with pytest.raises(InputError, match="does not lie inside"):
        noise().crop(60, 0, 16, 16)
    with pytest.raises(InputError, match="cannot be made"):
        noise().resize(0, 10)
