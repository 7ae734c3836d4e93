"""Clips: encoding, decoding, sampling, tails, joining, technical checks. All over real files."""

import numpy as np
import pytest

from storyengine.errors import CorruptData, InputError
from storyengine.media.checks import Fault, check_bytes, check_clip
from storyengine.media.clip import Clip
from storyengine.media.encode import concat, encode
from storyengine.media.picture import Picture
from storyengine.media.sampling import at_fractions, spread, tail, tail_index

W, H = 160, 96


def scene(t: float, *, level=110) -> Picture:
    """A calm background with a disc that moves."""
    y, x = np.mgrid[0:H, 0:W]
    pixels = np.stack([level + 40 * np.sin(x / 17), level + 30 * np.cos(y / 11), level + 0 * x], -1)
    pixels[(x - (20 + 100 * t)) ** 2 + (y - 48) ** 2 < 200] = (200, 60, 40)
    return Picture(np.clip(pixels, 0, 255).astype(np.uint8))


def flat(level) -> Picture:
    return Picture(np.full((H, W, 3), level, np.uint8))


def moving(n=24):
    return [scene(i / n) for i in range(n)]


def test_a_clip_comes_back_as_it_went_in():
    pictures = moving()
    clip = encode(pictures)
    assert (clip.width, clip.height, clip.fps) == (W, H, 24)
    frames = clip.frames
    assert len(frames) == 24
    assert frames.broken is None
    for i in (0, 11, 12, 23):
        error = np.abs(frames[i].pixels.astype(int) - pictures[i].pixels.astype(int))
        assert error.mean() < 3.5  # crf 20 and halved colour resolution


def test_colours_survive_the_trip_through_bt709():
    for colour in ((200, 60, 40), (40, 120, 200), (230, 230, 230), (20, 20, 20)):
        picture = Picture(np.full((H, W, 3), colour, np.uint8))
        back = encode([picture, picture]).frames[0].pixels.reshape(-1, 3).mean(axis=0)
        assert np.abs(back - np.array(colour)).max() < 3


def test_the_same_frames_give_the_same_file():
    assert encode(moving()).data == encode(moving()).data


def test_frames_are_decoded_once_and_know_their_clip():
    clip = encode(moving())
    assert clip.frames is Clip.from_bytes(clip.data).frames
    frame = clip.frames[-1]
    assert frame.derivation is not None
    assert (frame.derivation.parent, frame.derivation.transform) == (clip.digest, "frame")
    assert frame.derivation.values["index"] == 23
    with pytest.raises(IndexError):
        clip.frames[24]


def test_joining_copies_packets():
    first, second = encode(moving()), encode([scene(1 - i / 18) for i in range(18)])
    film = concat([first, second, first])
    assert len(film.frames) == 24 + 18 + 24
    assert np.array_equal(film.frames.planes[24], second.frames.planes[0])
    assert np.array_equal(film.frames.planes[-1], first.frames.planes[-1])
    assert concat([first, second, first]).data == film.data


def test_clips_of_different_sizes_cannot_be_joined():
    other = encode([p.resize(64, 48) for p in moving(3)])
    with pytest.raises(InputError, match="cannot follow"):
        concat([encode(moving(3)), other])
    with pytest.raises(InputError, match="nothing to join"):
        concat([])


def test_odd_or_missing_frames_are_refused():
    with pytest.raises(InputError, match="at least one frame"):
        encode([])
    with pytest.raises(InputError, match="the first one"):
        encode([scene(0), scene(0).resize(80, 48)])
    assert encode([Picture(np.zeros((97, 161, 3), np.uint8))]).width == 160


def test_sampling_takes_both_ends_and_an_even_interior():
    assert spread(144, 5) == (0, 36, 72, 107, 143)
    assert spread(3, 8) == (0, 1, 2)
    assert spread(10, 1) == (0,)
    assert spread(0, 4) == ()
    assert at_fractions(101, (0, 0.2, 0.5, 0.8, 1)) == (0, 20, 50, 80, 100)
    assert at_fractions(0, (0.5,)) == ()


def test_the_tail_lies_before_blank_padding():
    frames = encode([*moving(20), flat(0), flat(0), flat(0)]).frames
    assert tail_index(frames) == 19
    assert tail_index(encode([*moving(10), flat(255), flat(255)]).frames) == 9


def test_the_tail_of_a_held_frame_is_its_first_showing():
    held = scene(1.0)
    index = tail_index(encode([*moving(10), *[held] * 6]).frames)
    assert index is not None
    assert 10 <= index <= 15
    picture = tail(encode([*moving(10), *[held] * 6]).frames)
    assert picture is not None
    assert np.abs(picture.pixels.astype(int) - held.pixels.astype(int)).mean() < 4


def test_a_clip_of_nothing_but_black_has_no_tail():
    frames = encode([flat(0)] * 5).frames
    assert tail_index(frames) is None
    assert tail(frames) is None


def faults(data, **changes):
    wanted = {"width": W, "height": H, "seconds": 1.0} | changes
    return [f.fault for f in check_bytes(data, **wanted)]


def test_a_good_clip_has_no_technical_fault():
    assert faults(encode(moving()).data) == []


def test_little_motion_is_no_fault():
    still = [scene(0.5 + 0.02 * np.sin(i / 3)) for i in range(24)]
    assert faults(encode(still).data) == []


def test_every_technical_fault_is_named():
    good = encode(moving()).data
    assert faults(b"") == [Fault.EMPTY]
    assert faults(b"this is no film" * 40) == [Fault.UNDECODABLE]
    assert faults(good, width=320) == [Fault.SIZE]
    assert faults(good, seconds=6.0) == [Fault.DURATION]
    assert Fault.BLACK in faults(encode([flat(0)] * 24).data)
    assert Fault.WHITE in faults(encode([flat(255)] * 24).data)
    assert faults(encode([scene(0.5)] * 24).data) == [Fault.FROZEN]
    assert Fault.BLACK in faults(encode([*moving(16), *[flat(2)] * 8]).data)


def test_a_damaged_file_is_never_taken_for_whole():
    good = encode(moving(48)).data
    cut = good[: len(good) // 2]
    found = check_bytes(cut, width=W, height=H, seconds=2.0)
    assert found
    assert {f.fault for f in found} & {Fault.UNDECODABLE, Fault.FROZEN, Fault.DURATION}
    with pytest.raises(CorruptData):
        Clip.from_bytes(b"\x00" * 64)


def test_findings_read_as_a_sentence():
    found = check_clip(encode(moving()), width=W, height=H, seconds=6.0)
    assert str(found[0]) == "duration: 1.00 s, wanted 6.00 s ± 0.60 s"
