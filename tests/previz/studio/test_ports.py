"""Painter and animator through their ports, with real pixels."""

import asyncio
from dataclasses import replace

import numpy as np
import pytest

from storyengine.backends.ports import AnimateRequest, PaintRequest, ReferenceImage
from storyengine.errors import CorruptData, Misconfigured
from storyengine.language.captions import caption
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture
from storyengine.previz import make_animator, make_painter
from storyengine.runs.provider import Declined, Ready, Waiting
from tests.previz.studio import prompts

WORDS = "A baker in a white apron takes a loaf from the oak table in a bakery."


async def result(port, request, call="call"):
    job = await port.submit(request, call)
    while isinstance(state := await port.poll(job), Waiting):
        await asyncio.sleep(0.02)
    if isinstance(state, Declined):
        raise state.error
    assert isinstance(state, Ready)
    return await port.fetch(job)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("studio")


@pytest.fixture(scope="module")
def opening(folder):
    return make_painter(folder=folder).paint(PaintRequest(WORDS, 320, 180, seed=5), "clip").data


def clip_request(opening, **more):
    return replace(AnimateRequest(WORDS, opening, 1.5, 320, 180, 12, seed=5), **more)


def test_a_sheet_by_a_job_is_the_same_every_time(folder, tmp_path):
    request = PaintRequest(prompts.sheet(), 320, 180, seed=4)
    one = asyncio.run(result(make_painter(folder=folder), request))
    other = asyncio.run(result(make_painter(folder=tmp_path), request))
    assert one == other
    picture = Picture.from_bytes(one)
    assert (picture.width, picture.height) == (320, 180)
    scene = make_painter(folder=folder).index.recognise(picture)
    assert scene.subject == "sheet"
    assert picture.pixels[4:10, 4:10].min() > 170  # plain and light


def test_sizes_are_as_asked_even_when_odd(folder):
    data = make_painter(folder=folder).paint(PaintRequest(prompts.sheet(), 111, 77)).data
    picture = Picture.from_bytes(data)
    assert (picture.width, picture.height) == (111, 77)


@pytest.mark.parametrize("size", [(0, 720), (1280, -4), (100_000, 100_000), (8192, 8192)])
def test_absurd_sizes_are_refused_in_words(folder, size):
    with pytest.raises(Misconfigured, match="cannot make a picture"):
        asyncio.run(make_painter(folder=folder).submit(PaintRequest("a box", *size), "call"))


def test_a_broken_reference_is_told_as_such(folder):
    request = PaintRequest("a box", 64, 64, (ReferenceImage("a box", b"no picture"),))
    with pytest.raises(CorruptData):
        make_painter(folder=folder).paint(request)


def test_the_clip_starts_as_its_opening_and_its_tail_is_known(folder, opening):
    animator = make_animator(folder=folder)
    data = asyncio.run(result(animator, clip_request(opening)))
    clip = Clip.from_bytes(data)
    assert len(clip.frames) == 18
    first = clip.frames[0].pixels.astype(int)
    assert abs(first - Picture.from_bytes(opening).pixels).mean() < 6
    start = animator.index.recognise(Picture.from_bytes(opening))
    tail = animator.index.recognise(Picture.from_bytes(clip.frames[17].to_png()))
    assert start.props["loaf"].target == "oak-table"
    assert tail.props["loaf"].target == "baker"
    assert np.any(clip.frames.thumbnails[0] != clip.frames.thumbnails[17])


def test_a_clip_is_the_same_every_time(folder, opening):
    animator = make_animator(folder=folder)
    request = clip_request(opening, seconds=0.5)
    assert animator.animate(request).data == animator.animate(request).data


def test_a_picture_from_elsewhere_is_a_backdrop(folder):
    strange = Picture(np.random.default_rng(1).integers(0, 255, (90, 160, 3), np.uint8)).to_png()
    data = make_animator(folder=folder).animate(clip_request(strange, seconds=0.5)).data
    clip = Clip.from_bytes(data)
    assert (clip.width, clip.height, len(clip.frames)) == (320, 180, 6)


@pytest.mark.parametrize("change", [{"width": 321}, {"height": 0}, {"seconds": 0.0}, {"seconds": 1e9}, {"fps": 0}])
def test_absurd_clips_are_refused_in_words(folder, opening, change):
    with pytest.raises(Misconfigured, match="cannot make a clip"):
        asyncio.run(make_animator(folder=folder).submit(clip_request(opening, **change), "call"))


def test_an_unknown_profile_is_refused():
    with pytest.raises(Misconfigured, match="Available: none, low"):
        make_painter(fallibility="sometimes")


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    ["", "ü" * 100_000, "打开门", "Nobody. Mina holds Mina. The box is in the box."],
    ids=["empty", "100 kB", "another language", "contradictory"],
)
def test_any_prompt_gives_a_picture(folder, text):
    assert make_painter(folder=folder).paint(PaintRequest(text, 64, 36)).error is None


@pytest.mark.slow
def test_the_demo_story_runs_from_panorama_to_tail(folder):
    painter, animator = make_painter(folder=folder), make_animator(folder=folder)
    pano = painter.paint(PaintRequest(prompts.panorama("locker-room"), 1024, 512)).data
    sheet = painter.paint(PaintRequest(prompts.sheet(), 320, 180)).data
    references = (
        ReferenceImage(caption(prompts.CATALOG.entities["mina"]), sheet),
        ReferenceImage(caption(prompts.CATALOG.environments["locker-room"]), pano),
    )
    picture = painter.paint(PaintRequest(prompts.opening(2), 320, 180, references)).data
    request = AnimateRequest(prompts.video(2), picture, 4.0, 320, 180, 12, references)
    clip = Clip.from_bytes(animator.animate(request).data)
    tail = animator.index.recognise(clip.frames[-1])
    assert tail.is_hidden("red-backpack")
    again = painter.paint(
        PaintRequest(prompts.opening(3), 320, 180, (*references, ReferenceImage("tail", clip.frames[-1].to_png())))
    )
    shown = painter.index.recognise(Picture.from_bytes(again.data))
    assert shown.setting == tail.setting
    assert shown.people["mina"].look == tail.people["mina"].look
