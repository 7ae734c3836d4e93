"""Prompts that nobody should write: a picture or a clear error, never a crash."""

import pytest

from storyengine.backends.ports import AnimateRequest, PaintRequest
from storyengine.errors import StoryEngineError
from storyengine.media.clip import Clip
from storyengine.media.picture import Picture
from storyengine.previz import make_animator, make_painter
from storyengine.previz.studio.compose import Shown
from storyengine.previz.studio.fallibility import Dice
from storyengine.previz.studio.painter import compose_scene
from storyengine.previz.studio.reading import read_prompt

SIZE = (160, 96)
ODD = {
    "empty": "",
    "blank": " \n\t ",
    "signs": "?!… — «» \u0000 \ufeff \\ %s {0} <b> \u202e",
    "numbers": "3.14 1e308 -7 0x1F ½ ∞",
    "long": "A baker takes a loaf from the table. " * 2800,
    "one long word": "x" * 100_000,
    "polish": "Ewa otwiera piec w piekarni i wyjmuje bochenek chleba.",
    "chinese": "面包师在面包房里打开烤炉，拿出一个面包。",
    "arabic": "تفتح الخبازة الفرن وتخرج الرغيف.",
    "emoji": "👩‍🍳 🔥 🍞 ➡️ 🧺",
    "contradiction": "Anna stands in the kitchen. Anna is not in the picture. The lamp is lit and the lamp is dark. "
    "The cup is on the table. The cup is held by Anna. Nobody is in the kitchen.",
    "sections without content": "TASK:\n\nPLACE:\n\nWHO AND WHAT:\n\nMUST SHOW:\n",
    "broken sections": "PLACE:\n(place; ; ;): ::\nWHO AND WHAT:\n(person\n) : (thing;;;)\nMUST SHOW:\n.\nis is is.\n",
    "far too many": "WHO AND WHAT:\n" + "\n".join(f"Person {k} (person): a man in a red coat" for k in range(60)),
    "a thing in itself": "The box is in the box. The box is on the box. The box is held by the box.",
}
ABSURD = ((0, 0), (-5, 90), (1, 1), (15, 15), (100_000, 100_000), (8194, 16))


@pytest.mark.parametrize("name", ODD)
def test_every_prompt_is_understood_somehow(name: str) -> None:
    scene = compose_scene(read_prompt(ODD[name]), Shown(), Dice("none", name))
    assert scene.lens is not None


@pytest.mark.parametrize("name", [n if n == "signs" else pytest.param(n, marks=pytest.mark.slow) for n in ODD])
def test_every_prompt_gives_a_picture(name: str, tmp_path) -> None:
    done = make_painter(folder=tmp_path).paint(PaintRequest(ODD[name], *SIZE, seed=3))
    assert done.error is None
    picture = Picture.from_bytes(done.data)
    assert (picture.width, picture.height) == SIZE


@pytest.mark.slow
@pytest.mark.parametrize("name", ["empty", "one long word", "chinese", "contradiction", "broken sections"])
def test_every_prompt_gives_a_clip(name: str, tmp_path) -> None:
    opening = make_painter(folder=tmp_path).paint(PaintRequest("A cook in a kitchen.", *SIZE, seed=3), "clip").data
    done = make_animator(folder=tmp_path).animate(AnimateRequest(ODD[name], opening, 0.5, *SIZE, 8, seed=3))
    assert done.error is None
    assert len(Clip.from_bytes(done.data).frames) == 4


@pytest.mark.parametrize(("width", "height"), ABSURD)
def test_absurd_sizes_are_refused_with_what_is_allowed(width: int, height: int, tmp_path) -> None:
    with pytest.raises(StoryEngineError, match=r"\d") as painting:
        make_painter(folder=tmp_path).paint(PaintRequest("A barn.", width, height))
    assert "16" in painting.value.next_step
    with pytest.raises(StoryEngineError, match=r"\d") as animating:
        make_animator(folder=tmp_path).animate(AnimateRequest("", b"", 1.0, width, height, 8))
    assert "16" in animating.value.next_step


@pytest.mark.parametrize(
    ("seconds", "fps"), [(0.0, 24), (-1.0, 24), (1e9, 24), (float("nan"), 24), (2.0, 0), (2.0, 9999)]
)
def test_absurd_lengths_are_refused(seconds: float, fps: int, tmp_path) -> None:
    with pytest.raises(StoryEngineError) as refused:
        make_animator(folder=tmp_path).animate(AnimateRequest("", b"", seconds, *SIZE, fps))
    assert "seconds" in refused.value.next_step
