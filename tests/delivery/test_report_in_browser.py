"""The report in a real browser: nothing complains, the film plays, shots and evidence open."""

import pytest

from storyengine.delivery.report import write_report

from .browser import PROGRAM, browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PROGRAM is None, reason="no Chromium is installed"),
]


@pytest.fixture
def page(rough):
    path = write_report(rough.folder, rough.plan, rough.takes, rough.read, seconds=12)
    with browser() as opened:
        opened.size(1280, 900)
        opened.open(path)
        yield opened
        assert opened.complaints == []


def test_the_film_plays_and_the_board_follows(page):
    page.value("document.querySelector('#film').muted = true")
    page.value("document.querySelector('#film').play()")
    page.until("document.querySelector('#film').currentTime > 0.3")
    page.until("document.querySelectorAll('.tile[aria-current]').length === 1")
    page.value("document.querySelector('#shot-5 .play').click()")
    page.until("document.querySelector('.tile[aria-current]').dataset.shot === '5'")


def test_a_link_opens_its_shot_and_every_picture_loads(page):
    page.value("document.querySelector('.tile[data-shot=\"4\"]').click()")
    page.until("document.querySelector('#shot-4').open")
    assert page.value("document.activeElement.closest('details').id") == "shot-4"
    page.value("document.querySelector('#open-all').click()")
    assert page.value("[...document.querySelectorAll('details.shot')].every(shot => shot.open)")
    page.value("document.querySelectorAll('img').forEach(image => { image.loading = 'eager' })")
    page.until("[...document.images].every(image => image.complete)")
    assert page.value("[...document.images].filter(image => image.naturalWidth === 0).map(image => image.src)") == []


def test_a_mark_shows_frame_box_and_words(page):
    page.value("document.querySelector('#shot-4').open = true")
    mark = "document.querySelector('#shot-4 button.v[data-b]')"
    page.value(f"{mark}.click()")
    assert page.value(f"{mark}.getAttribute('aria-expanded')") == "true"
    assert page.value("document.querySelectorAll('#shot-4 .seen .evidence .box').length") == 1
    assert "as they are described" in page.value("document.querySelector('#shot-4 .seen .reason').textContent")
    page.value(f"{mark}.click()")
    assert page.value("document.querySelectorAll('#shot-4 .seen').length") == 0


def test_keys_walk_through_the_shots(page):
    for key, shot in (("j", "shot-1"), ("j", "shot-2"), ("k", "shot-1")):
        page.value(f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}))")
        assert page.value("document.activeElement.closest('details').id") == shot


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_the_window(page, width, dark):
    page.size(width, 844, dark)
    page.value("document.querySelector('#open-all').click()")
    assert page.value("document.documentElement.scrollWidth <= innerWidth")
    shape = "(box => box.width / box.height)(document.querySelector('#film').getBoundingClientRect())"
    assert abs(page.value(shape) - 1) < 0.02  # the film is square, and there are no bars around it
    light = page.value("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).every(part => part > 128)")
    assert light is not dark
