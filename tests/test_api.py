"""StoryEngine from Python: the examples of the page, and the same against a paid service."""

import asyncio
import contextlib
import io
import os
import re
from pathlib import Path

import pytest

import storyengine
from storyengine.errors import InputError
from storyengine.media.picture import Picture
from storyengine.profile import Profile
from tests.film.service import PLUGINS, film_service
from tests.film.test_pipeline import PLAN

PAGE = Path(__file__).parent.parent / "docs" / "api.md"


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_the_examples_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    examples = re.findall(r"```python\n(.*?)```", PAGE.read_text("utf-8"), re.S)
    assert len(examples) >= 7
    with contextlib.redirect_stdout(io.StringIO()):
        for example in examples:
            exec(compile(example, str(PAGE), "exec"), names)
    assert names["film"]._repr_html_().startswith("<figure><video")
    assert names["picture"]._repr_png_().startswith(b"\x89PNG")


SERVICE = Profile(painter="service", animator="service", judge="service")


@pytest.fixture
def service(monkeypatch):
    monkeypatch.syspath_prepend(str(PLUGINS))
    with film_service() as service:
        monkeypatch.setenv("FILM_SERVICE", service.address)
        yield service


def test_films_from_python(service, tmp_path):
    folder = tmp_path / "film"
    with pytest.raises(InputError, match="may cost money"):
        storyengine.make_film(PLAN, folder, profile=SERVICE)
    assert not service.orders
    film = storyengine.make_film(PLAN, folder, profile=SERVICE, agreed=True)
    assert film.degraded == ()
    assert "<video" in film._repr_html_()
    assert isinstance(film.shot(2).frames[0], Picture)
    with pytest.raises(InputError):
        film.shot(7)
    outlook = storyengine.forecast(folder, redo="4")
    assert outlook.forecast.changing == (4,)
    assert 0 < outlook.cost.least <= outlook.expected <= outlook.cost.most
    with pytest.raises(InputError, match="shots: 4"):
        storyengine.redo(folder, 4, "closer")
    assert storyengine.forecast(folder).forecast.changing == ()
    again = storyengine.redo(folder, 4, "closer", agreed=True)
    assert [a.clip != b.clip for a, b in zip(film.takes, again.takes, strict=True)].index(True) == 3
    assert storyengine.pin(folder, 4).takes[3].pinned
    assert not storyengine.unpin(folder, "4").takes[3].pinned
    assert len(storyengine.cuts(folder)) == 4
    assert storyengine.restore_cut(folder, 1).takes[4] == film.takes[3].clip
    assert storyengine.status(folder).done == (1, 2, 3, 4, 5, 6)
    assert storyengine.why(folder, 3).gate_mode == "reuse"
    board = storyengine.make_storyboard(PLAN, folder, agreed=True)
    assert board._repr_png_().startswith(b"\x89PNG")


def test_inside_a_running_loop(service, tmp_path):
    """As in a notebook, whose cells run inside a loop."""

    async def cell():
        return storyengine.make_film(PLAN, tmp_path / "film", profile=SERVICE, agreed=True)

    assert asyncio.run(cell()).path.is_file()


def test_making_is_loaded_only_when_it_is_used():
    import subprocess
    import sys

    program = (
        "import sys, storyengine; assert 'numpy' not in sys.modules; "
        "storyengine.make_plan; assert 'numpy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=os.environ)
    with pytest.raises(AttributeError):
        storyengine.nothing  # noqa: B018
