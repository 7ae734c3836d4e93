import io
from fractions import Fraction

import av
import numpy as np
import pytest

from storyengine.media.clip import Clip
from storyengine.media.encode import concat, encode
from storyengine.media.picture import Picture
from storyengine.media.sound import RATE, frame_count, has_sound, silent, sound_of, with_sound


def pictures(count, shade):
    return [Picture(np.full((64, 64, 3), shade + i, np.uint8)) for i in range(count)]


def tone(seconds, hertz):
    wave = 0.4 * np.sin(2 * np.pi * hertz * np.arange(round(seconds * RATE)) / RATE)
    return np.stack([wave, wave]).astype(np.float32)


def loudest(samples):
    """The strongest frequency of a piece of sound."""
    spectrum = np.abs(np.fft.rfft(samples[0] * np.hanning(samples.shape[1])))
    return np.fft.rfftfreq(samples.shape[1], 1 / RATE)[spectrum.argmax()]


@pytest.fixture(scope="module")
def clips():
    low, quiet, high = (encode(pictures(12, shade), 12) for shade in (20, 90, 160))
    return [with_sound(low, tone(1.0, 440)), quiet, with_sound(high, tone(1.0, 880))]


def test_sound_is_kept_in_its_place_and_silence_between(clips):
    film = with_sound(concat([silent(clip) for clip in clips]), sound_of(clips))
    assert has_sound(film)
    heard = sound_of([film])
    assert heard.shape == (2, 3 * RATE)
    parts = [heard[:, second * RATE + 5000 : (second + 1) * RATE - 5000] for second in range(3)]
    assert abs(loudest(parts[0]) - 440) < 5
    assert np.abs(parts[1]).max() < 0.01
    assert abs(loudest(parts[2]) - 880) < 5


def test_pictures_are_copied_not_encoded_again(clips):
    def packets(clip):
        with av.open(io.BytesIO(clip.data)) as container:
            return [bytes(p) for p in container.demux(container.streams.video[0]) if p.dts is not None]

    assert packets(silent(clips[0])) == packets(clips[0])
    assert not has_sound(silent(clips[0]))
    assert silent(clips[1]) is clips[1]


def test_the_same_sound_gives_the_same_file(clips):
    plain = silent(clips[0])
    assert with_sound(plain, tone(1.0, 300)) == with_sound(plain, tone(1.0, 300))


def test_short_and_damaged_sound_is_filled_up(clips):
    short = with_sound(silent(clips[0]), tone(0.3, 440))
    assert sound_of([short]).shape == (2, RATE)
    assert sound_of([clips[1]]) is None


def test_frames_are_counted_without_decoding(clips):
    assert [frame_count(clip) for clip in clips] == [12, 12, 12]
    assert Clip.from_bytes(clips[0].data).fps == Fraction(12)
