"""The report as a page: sound, complete, small, and closed against whatever a story says."""

import html
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from storyengine.change.record import Changes
from storyengine.delivery.report import credit, write_report
from storyengine.delivery.report_markup import VOID
from storyengine.delivery.report_ribbons import ribbons, unmoved
from storyengine.delivery.report_story import Story
from storyengine.language.sentences import where_in_words
from storyengine.plan import Catalog, SemanticPlan, plan_data
from storyengine.runs.ledger import Line
from storyengine.state import is_visible, replay

from .conftest import HELD, LOCKED


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), (tag, names)
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.text.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.text).split())

    def all(self, tag, **attributes):
        return [
            attrs
            for found, attrs in self.elements
            if found == tag and all(attrs.get(name.rstrip("_")) == value for name, value in attributes.items())
        ]


def report(made, folder=None, takes=None, plan=None, read=None, **options):
    target = folder or made.folder
    chosen = made.takes if takes is None else takes
    path = write_report(target, plan or made.plan, chosen, read or made.read, **options)
    assert path == target / "report.html"
    return Page(path.read_text("utf-8"))


def check_links(page, folder):
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(set(ids)) == len(ids)
    links = [attrs[name] for _, attrs in page.elements for name in ("href", "src", "poster") if name in attrs]
    assert links
    for link in links:
        if link.startswith("#"):
            assert link[1:] in ids
        elif not link.startswith("data:"):
            assert not re.match(r"[a-z]+:|/", link), link
            assert (folder / link).is_file(), link


def test_a_smooth_film(smooth):
    page = report(smooth, made_with=credit("previz", "previz", "previz"))
    check_links(page, smooth.folder)
    assert page.all("video", src="film.mp4")
    assert len(page.all("a", class_="tile p0 good")) == 2
    assert len(page.all("a", class_="tile p1 good")) == 4
    assert "Every shot satisfies all that is required" in page.words
    assert "made with the embedded studio (simulated)" in page.words
    assert "says nothing about real video models" in page.words


def test_a_rough_film_tells_everything(rough):
    page = report(rough)
    check_links(page, rough.folder)
    assert "simulated" not in page.words
    assert "undecodable" in page.words or "no bytes" in page.words
    assert "too exciting" in page.words
    for take in rough.takes:
        assert take.gate.reason in page.words
        assert take.reason[1:] in page.words
        for criterion in take.contract.criteria:
            assert criterion.statement in page.words
        for candidate in take.candidates:
            for verdict in candidate.judgement.verdicts.values() if candidate.judgement else ():
                assert page.all("button", title=verdict.evidence)
    strips = [attrs for attrs in page.all("img") if attrs["src"].endswith("-strip.jpg")]
    assert len(strips) == sum(len(take.candidates) for take in rough.takes if take.chosen)
    assert len(page.all("article", class_="card bad")) == sum(
        not attempt.accepted for take in rough.takes for attempt in take.openings
    )


def test_repair_targets_and_rejected_openings_are_shown(rough):
    report(rough)
    text = html.unescape((rough.folder / "report.html").read_text("utf-8"))
    assert f"<h5>Asked to mend</h5><ul><li>{HELD}</li></ul>" in text
    assert re.search(rf'class="v u"[^>]*>\?</span><span>\d+\. {re.escape(LOCKED)}', text)
    assert re.search(rf'class="v f"[^>]*>✗</span><span>\d+\. {re.escape(HELD)}', text)


def test_facts_name_the_event_that_made_them_true(smooth):
    report(smooth)
    text = (smooth.folder / "report.html").read_text("utf-8")
    fifth = text[text.index('id="shot-5"') : text.index('id="shot-6"')]
    assert (
        '<b>in the grey locker</b><small><a href="#shot-2">shot 2</a>: '
        "Mina puts the red backpack into the grey locker.</small>"
    ) in fifth


def test_every_moment_of_a_ribbon_agrees_with_the_replay(smooth):
    plan = smooth.plan
    catalog, trajectory = Catalog.of(plan), replay(plan)
    shown = list(ribbons(Story(plan)))
    assert [(ribbon.name, ribbon.part) for ribbon in shown] == [
        ("Mina", ""),
        ("red backpack", ""),
        ("green notebook", ""),
        ("grey locker", "door"),
    ]
    worlds = [world for states in trajectory.shots for world in (states.opening, states.closing)]
    ids = {entity.name: entity.id for entity in plan.entities}
    for ribbon in shown:
        columns = [bar.spot for bar in ribbon.bars for _ in range(bar.length)]
        assert len(columns) == 2 * len(plan.shots)
        for column, (spot, world) in enumerate(zip(columns, worlds, strict=True)):
            entity = ids[ribbon.name]
            if ribbon.part:
                assert spot.label == world[entity].attributes[ribbon.part]
            else:
                place = plan.shots[column // 2].environment
                assert where_in_words(world[entity].placement, catalog).startswith(spot.label)
                if is_visible(catalog, world, entity, place):
                    assert spot.kind in ("seen", "carried")
                    assert spot.colour == {"classroom": 0, "locker-room": 1}[place]
    backpack = next(ribbon for ribbon in shown if ribbon.name == "red backpack")
    assert [(bar.spot.kind, bar.length) for bar in backpack.bars] == [
        ("seen", 1), ("carried", 1), ("carried", 1), ("hidden", 6), ("seen", 3)
    ]  # fmt: skip
    assert [bar.cause.shot for bar in backpack.bars] == [0, 1, 2, 2, 5]
    assert unmoved(Story(plan)) == ["The wooden desk is by the front desks in the classroom."]


@pytest.mark.parametrize("count", [0, 1, 4])
def test_a_film_in_the_making(smooth, tmp_path, count):
    page = report(smooth, tmp_path, takes=smooth.takes[:count])
    check_links(page, tmp_path)
    assert not page.all("video")
    assert f"In the making: {count} of 6 shots" in page.words
    assert len([attrs for attrs in page.all("details") if attrs.get("class", "").startswith("shot todo")]) == 6 - count


def test_an_earlier_cut_is_called_so(smooth, tmp_path):
    shutil.copy(smooth.folder / "film.mp4", tmp_path / "film.mp4")
    page = report(smooth, tmp_path, takes=smooth.takes[:2])
    assert "as it was cut last" in page.words


def test_pictures_are_made_once(smooth, tmp_path):
    asked = []

    def read(digest):
        asked.append(digest)
        return smooth.read(digest)

    report(smooth, tmp_path, read=read, takes=smooth.takes[:3])
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "report").iterdir()}
    asked.clear()
    report(smooth, tmp_path, read=read, takes=smooth.takes[:3])
    assert asked == []
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "report").iterdir()} == before
    report(smooth, tmp_path, read=read)
    assert asked


def test_the_same_film_gives_the_same_page(smooth, tmp_path):
    report(smooth, tmp_path / "a")
    report(smooth, tmp_path / "b")
    assert (tmp_path / "a" / "report.html").read_bytes() == (tmp_path / "b" / "report.html").read_bytes()


EVIL = '</title></script><script>alert("1")</script><img src=x onerror=alert(2)> \' " &amp;'


def test_a_story_cannot_write_into_the_page(rough, tmp_path):
    data = plan_data(rough.plan)
    data["title"] = data["request"]["idea"] = EVIL
    for shot in data["shots"]:
        for event in [*shot.get("events", ()), *shot.get("offscreen", ())]:
            event["action"] = EVIL
    takes = [
        replace(take, reason=EVIL, candidates=tuple(replace(c, prompt=EVIL, refusal=EVIL) for c in take.candidates))
        for take in rough.takes
    ]
    page = report(rough, tmp_path, takes=takes, plan=SemanticPlan.model_validate(data), made_with=EVIL)
    check_links(page, tmp_path)
    assert len(page.all("script")) == 1
    assert not [attrs for _, attrs in page.elements if any(name.startswith("on") for name in attrs)]
    assert page.words.count("<img src=x onerror=alert(2)> ' \" &amp;") > 20


def test_costs_and_time(smooth, tmp_path):
    lines = [
        Line("clips", "animator lux", 3, 900_000, 750_000, 0, 0),
        Line("judging", "judge lux", 2, 0, 250_000, 0, 0),
    ]
    page = report(smooth, tmp_path, costs=lines, seconds=3723)
    assert "clips animator lux 3 $0.75" in page.words
    assert "Together 5 $1.00" in page.words
    assert "1 h 2 min" in page.words
    assert "Costs" not in report(smooth, tmp_path).words


def test_what_the_author_changed(smooth, tmp_path):
    changes = Changes().redone("4", "slower & <closer>").redone("mina").pinned("4.opening", "0" * 64, "photo.jpg")
    page = report(smooth, tmp_path, changes=changes)
    assert "Changed by the author: 3" in page.words
    assert "4: asked for again, “slower & <closer>”" in page.words
    assert "4.opening: pinned, photo.jpg" in page.words
    assert "Changed by the author" not in report(smooth, tmp_path, changes=Changes()).words


def test_who_made_it():
    assert credit("previz", "previz", "previz") == "the embedded studio (simulated)"
    assert credit("lux", "lux", "previz") == "painter lux, animator lux, judge previz (simulated)"
    assert "simulated" not in credit("lux", "lux", "nova")


def long_film(made, candidates):
    """200 shots, each with the take that was hardest to get in a small film."""
    data = plan_data(made.plan)
    hardest = max((take for take in made.takes if take.chosen), key=lambda take: len(take.candidates))
    data["shots"] = (data["shots"] * 34)[:200]
    for shot in data["shots"]:
        shot["anchors"] = []
    data["request"]["shots"] = 200
    take = replace(hardest, candidates=hardest.candidates[:candidates], chosen=hardest.candidates[0])
    takes = [replace(take, contract=take.contract.model_copy(update={"shot": n + 1})) for n in range(200)]
    return SemanticPlan.model_validate(data), takes


@pytest.mark.parametrize("candidates", [1, 4])
def test_two_hundred_shots_stay_below_five_megabytes(rough, tmp_path, candidates):
    plan, takes = long_film(rough, candidates)
    page = report(rough, tmp_path, takes=takes, plan=plan)
    assert (tmp_path / "report.html").stat().st_size < 5_000_000
    assert len([a for a in page.all("details") if a.get("id", "").startswith("shot-")]) == 200
    brief = "told in brief" in page.words
    assert brief == (candidates == 4)
    check_links(page, tmp_path)


def test_the_page_loads_nothing_from_elsewhere():
    assets = Path(credit.__code__.co_filename).with_name("report_assets")
    for path in assets.iterdir():
        text = path.read_text("utf-8")
        assert not re.search(r"https?:|//[a-z]|@import|fetch\(|XMLHttpRequest", text), path
        assert "</" not in text
