"""`report.html`: a film folder to be looked at. One page that works from disk, with small pictures beside it.

The page holds no picture itself and needs no network. It stays under five megabytes for a film of two hundred shots;
where all the evidence would make it larger, prompts and what the judge saw of criteria that passed are left to the
audit files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path

from storyengine.change.record import Changes
from storyengine.continuity.shooting import Take
from storyengine.delivery.report_markup import Markup, el, together
from storyengine.delivery.report_media import Thumbnails
from storyengine.delivery.report_ribbons import opening_of, storyboard
from storyengine.delivery.report_shot import ShotPage
from storyengine.delivery.report_story import Story
from storyengine.files import write_text
from storyengine.plan import SemanticPlan
from storyengine.profile import PREVIZ
from storyengine.runs.ledger import Line, dollars

LARGEST_PAGE = 4_500_000
"""Bytes of the page beyond which it tells less."""
SIMULATED = "simulated"


def credit(painter: str, animator: str, judge: str) -> str:
    """Who made a film, by the names of the backends. Whatever the embedded studio does is called simulated."""
    parts = {"painter": painter, "animator": animator, "judge": judge}
    if all(backend == PREVIZ for backend in parts.values()):
        return f"the embedded studio ({SIMULATED})"
    named = (f"{part} {backend}" + (f" ({SIMULATED})" if backend == PREVIZ else "") for part, backend in parts.items())
    return ", ".join(named)


def write_report(
    folder: Path,
    plan: SemanticPlan,
    takes: Sequence[Take],
    read: Callable[[str], bytes],
    *,
    made_with: str = "",
    costs: Sequence[Line] = (),
    seconds: float | None = None,
    changes: Changes | None = None,
) -> Path:
    """Write `report.html` for the takes there are; shots without one are shown as not yet shot.

    `read` gives the bytes behind a digest. `seconds` is how long the film took to make, where it is known; `changes` is
    what its author asked for since.
    """
    by_shot = {take.contract.shot: take for take in takes}
    page = _Page(Story(plan), by_shot, Thumbnails(folder, read), changes or Changes())
    text = page.html(made_with, costs, seconds, full=True)
    if len(text.encode()) > LARGEST_PAGE:
        text = page.html(made_with, costs, seconds, full=False)
    path = folder / "report.html"
    write_text(path, text)
    return path


class _Page:
    def __init__(self, story: Story, takes: Mapping[int, Take], thumbnails: Thumbnails, changes: Changes) -> None:
        self.story, self.takes, self.thumbnails, self.changes = story, takes, thumbnails, changes

    def html(self, made_with: str, costs: Sequence[Line], seconds: float | None, *, full: bool) -> str:
        head = el(
            "head",
            el("meta", charset="utf-8"),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("meta", name="color-scheme", content="light dark"),
            el("title", f"{self.title} · report"),
            el("link", rel="icon", href="data:,"),
            el("style", _asset("report.css")),
        )
        main = el("main", self._board(), self._shots(full), self._costs(costs, seconds), _how_to_read())
        delivery = self.story.plan.request.delivery
        parts = (self._stage(), self._heading(made_with), main, el("script", _asset("report.js")))
        body = el("body", *parts, style=f"--aspect:{delivery.width}/{delivery.height}")
        return f"<!doctype html>\n{el('html', head, body, lang='en')}\n"

    @property
    def title(self) -> str:
        return self.story.plan.title or self.story.plan.request.title or "Untitled film"

    @property
    def count(self) -> int:
        return len(self.story.plan.shots)

    def _stage(self) -> Markup:
        """The film itself; before it is cut, how far it has come."""
        first = self.takes.get(min(self.takes, default=0))
        opening = opening_of(first) if first else None
        poster = self.thumbnails.picture(opening) if opening else None
        if not (self.thumbnails.folder / "film.mp4").exists():
            words = f"In the making: {len(self.takes)} of {self.count} shots"
            bar = el("progress", value=len(self.takes), max=self.count, aria_label=words)
            return el("header", el("div", el("p", words), bar, class_="making"), class_="stage")
        video = el(
            "video",
            src="film.mp4",
            id="film",
            poster=poster,
            controls=True,
            preload="metadata",
            playsinline=True,
            aria_label=f"The film: {self.title}",
            data_starts=" ".join(f"{start:g}" for start in self._starts()),
        )
        older = el("p", "The film as it was cut last; it is being made anew.") if len(self.takes) < self.count else None
        return el("header", video, older, class_="stage")

    def _starts(self) -> list[float]:
        """When each shot begins, and when the last ends, in planned seconds."""
        starts = [0.0]
        for shot in self.story.plan.shots:
            starts.append(starts[-1] + shot.seconds)
        return starts

    def _heading(self, made_with: str) -> Markup:
        plan = self.story.plan
        delivery = plan.request.delivery
        facts = [
            f"{self.count} shot{'s' if self.count != 1 else ''}",
            f"{self._starts()[-1]:g} s",
            f"{delivery.width} × {delivery.height}, {delivery.fps} frames a second",
        ]
        if made_with:
            facts.append(f"made with {made_with}")
        simulated = None
        if SIMULATED in made_with:
            words = "A simulated film: what it scores says nothing about real video models."
            simulated = el("p", words, class_="simulated")
        return el(
            "div",
            el("h1", self.title),
            el("p", " · ".join(facts), class_="facts"),
            self._verdict(),
            simulated,
            el("details", el("summary", "The idea"), el("p", plan.request.idea), class_="idea"),
            self._changed(),
            class_="heading",
        )

    def _changed(self) -> Markup | None:
        """What the author asked for again, and what is pinned."""
        changes = self.changes.lasting()
        asked = ((redo.target, f", “{redo.note}”" if redo.note else "") for redo in changes.redos)
        lines = [f"{target}: asked for again{note}" for target, note in asked]
        lines += [f"{pin.target}: pinned, {pin.source}" for pin in changes.pins]
        if not lines:
            return None
        words = f"Changed by the author: {len(lines)}"
        return el("details", el("summary", words), el("ul", *(el("li", line) for line in lines)), class_="idea")

    def _verdict(self) -> Markup:
        wrong = [number for number, take in sorted(self.takes.items()) if not take.accepted]
        links = [el("a", str(number), href=f"#shot-{number}") for number in wrong]
        if wrong:
            words = "Degraded: shot " if len(wrong) == 1 else f"{len(wrong)} of {self.count} shots degraded: "
            return el("p", words, Markup(", ".join(links)), class_="badge bad")
        if len(self.takes) < self.count:
            return el("p", f"{len(self.takes)} of {self.count} shots so far, all accepted", class_="badge todo")
        return el("p", "✓ Every shot satisfies all that is required", class_="badge good")

    def _board(self) -> Markup:
        return el("section", el("h2", "Storyboard"), storyboard(self.story, self.takes, self.thumbnails), class_="room")

    def _shots(self, full: bool) -> Markup:
        shots = [
            ShotPage(self.story, number, self.takes.get(number), self.thumbnails, full).markup()
            for number in range(1, self.count + 1)
        ]
        everything = el("button", "Open all", type="button", id="open-all")
        brief = None
        if not full:
            words = "So long a film is told in brief here; prompts and all verdicts are in the files under audit."
            brief = el("p", words, class_="quiet")
        return el("section", el("h2", "Shot by shot", everything), brief, *shots, class_="room")

    def _costs(self, costs: Sequence[Line], seconds: float | None) -> Markup | None:
        if not costs and seconds is None:
            return None
        rows = [
            el("tr", el("th", line.stage, scope="row"), el("td", line.provider), el("td", str(line.calls)),
               el("td", dollars(line.actual)))
            for line in costs
        ]  # fmt: skip
        heads = el("tr", *(el("th", word, scope="col") for word in ("Stage", "Made by", "Calls", "Spent")))
        total = el("tr", el("th", "Together", scope="row"), el("td"), el("td", str(sum(line.calls for line in costs))),
                   el("td", dollars(sum(line.actual for line in costs))))  # fmt: skip
        table = (
            el("table", el("thead", heads), el("tbody", *rows), el("tfoot", total), class_="costs") if rows else None
        )
        took = el("p", f"It took {_duration(seconds)} to make.") if seconds is not None else None
        return el("section", el("h2", "Costs and time"), together(table, took), class_="room")


HOW_TO_READ = (
    ("Contract", "what a shot must show, compiled from the plan before anything is made; it never changes afterwards."),
    ("✓ ✗ ?", "the judge saw that a statement holds, saw that it does not, or could not tell; only ✓ counts."),
    ("Gate", "decides from the last frame of the shot before whether to go on from it, to use it as a reference, or to "
             "compose afresh."),
    ("Candidate", "one attempt at a clip. The first that satisfies everything required is used; a repair names what "
                  "failed. When all attempts are spent, the best rank is used and the shot is called degraded."),
    ("Rank", "compared from left to right, smaller is better: required criteria missed; criteria that could not be "
             "told; what is missed of the story, action first; of identity, place, light and viewpoint; of wishes; "
             "faults of the file."),
    ("Keys", "j and k walk through the shots, the space bar opens one."),
)  # fmt: skip


def _how_to_read() -> Markup:
    pairs = [together(el("dt", word), el("dd", meaning)) for word, meaning in HOW_TO_READ]
    return el("details", el("summary", "How to read this page"), el("dl", *pairs), class_="idea how")


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{hours} h" if hours else "", f"{minutes} min" if minutes else "", "" if hours else f"{rest} s"]
    return " ".join(part for part in parts if part)


def _asset(name: str) -> Markup:
    return Markup(resources.files("storyengine.delivery").joinpath("report_assets", name).read_text(encoding="utf-8"))
