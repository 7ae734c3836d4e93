"""One shot of the report: its state with causes, its contract, its references, gate, openings and candidates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from storyengine.backends.ports import Verdict
from storyengine.continuity.crew import CLIP_FRACTIONS
from storyengine.continuity.gate import Mode
from storyengine.continuity.judgement import Judgement
from storyengine.continuity.opening import OpeningTry
from storyengine.continuity.shooting import Candidate, Take
from storyengine.contract import Criterion
from storyengine.delivery.report_markup import Markup, el, together
from storyengine.delivery.report_media import STRIP_COLUMNS, STRIP_ROWS, Thumbnails
from storyengine.delivery.report_ribbons import COLOURS, MARKS, opening_of, status_of
from storyengine.delivery.report_story import Said, Story
from storyengine.language.captions import caption
from storyengine.language.sentences import capitalised, the
from storyengine.plan import Shot
from storyengine.state import EventRef

GLYPHS = {"PASS": ("✓", "p", "pass"), "FAIL": ("✗", "f", "fail"), "UNKNOWN": ("?", "u", "unknown")}
MODES = {
    Mode.FRESH: "Composed afresh",
    Mode.REFERENCE: "Composed with the tail before as a reference",
    Mode.REUSE: "Goes on from the tail before",
}
PHASES = {
    "start": "At the start",
    "motion": "In motion",
    "end": "At the end",
    "always": "All the time",
}
RANK = ("required missed", "unknown", "story loss", "continuity loss", "wishes missed", "technical loss")
"""The rank's six parts, in the order in which they are compared."""


@dataclass(frozen=True)
class ShotPage:
    """Everything the report says about one shot."""

    story: Story
    number: int
    take: Take | None
    thumbnails: Thumbnails
    full: bool
    """Whether prompts, and what the judge saw of criteria that passed, are told too."""

    def markup(self) -> Markup:
        kind, _ = status_of(self.take)
        place = self.story.places[self._shot.environment] % COLOURS
        body = el("div", *(part for part in self._parts() if part), class_="body")
        return el("details", self._summary(), body, class_=f"shot {kind} p{place}", id=f"shot-{self.number}")

    @property
    def _shot(self) -> Shot:
        return self.story.plan.shots[self.number - 1]

    def _parts(self) -> Iterator[Markup | None]:
        yield el("div", self._screen(), self._events(), class_="top")
        yield self._states()
        take = self.take
        if take is not None:
            yield self._way_in(take)
            yield self._openings(take)
            yield self._candidates(take)
            yield _section("The contract", self._contract(take), f"{len(take.contract.criteria)} criteria")
            yield self._references(take)
            yield self._files()

    # --- what the plan says ------------------------------------------------------------------------------------

    def _summary(self) -> Markup:
        kind, word = status_of(self.take)
        opening = opening_of(self.take) if self.take else None
        link = self.thumbnails.picture(opening) if opening else None
        picture = el("img", src=link, alt="", loading="lazy") if link else el("span", class_="blank")
        if self.take is not None and kind == "bad":
            word = f"degraded: {_count(len(self.take.degraded), 'criterion', 'criteria')} missed"
        place = self.story.catalog.environments[self._shot.environment].name
        actions = " ".join(event.action for event in self._shot.events) or "Nothing changes."
        words = el(
            "span",
            el("span", el("b", f"Shot {self.number}"), el("i", place), f"{self._shot.seconds:g} s", class_="slug"),
            el("span", actions, class_="action", role="heading", aria_level="3"),
            class_="words",
        )
        pinned = el("span", "pinned", class_="badge used") if self.take is not None and self.take.pinned else None
        return el("summary", picture, words, pinned, el("span", f"{MARKS[kind]} {word}", class_=f"badge {kind}"))

    def _screen(self) -> Markup | None:
        """The shot to look at, and the way back to the film."""
        file = f"shots/{self.number:02d}.mp4"
        if self.take is None or self.take.clip is None or not (self.thumbnails.folder / file).exists():
            return None
        video = el(
            "video",
            src=file,
            poster=self.thumbnails.poster(self.take.clip),
            controls=True,
            preload="none",
            playsinline=True,
            loop=True,
            aria_label=f"Shot {self.number}",
        )
        play = el("button", "▶ Play in the film", type="button", class_="play", data_shot=self.number, hidden=True)
        return el("div", video, el("p", play), class_="screen")

    def _events(self) -> Markup:
        rows = []
        if self._shot.offscreen:
            before = [el("li", event.action) for event in self._shot.offscreen]
            rows += [el("h5", "Unseen, before it opens"), el("ul", *before, class_="unseen")]
        if self._shot.events:
            rows += [el("h5", "On screen"), el("ol", *(el("li", event.action) for event in self._shot.events))]
        if self._shot.anchors:
            names = ", ".join(the(self.story.catalog.entities[anchor].name) for anchor in self._shot.anchors)
            rows += [el("h5", "Seen on both sides of the cut"), el("p", names)]
        return _section("What happens", together(*rows) if rows else el("p", "Nothing changes.", class_="quiet"))

    def _states(self) -> Markup:
        entities = self.story.catalog.entities
        here = [entity for entity in entities if self.story.is_here(entity, self.number)]
        head = el(
            "tr", el("th", "", scope="col"), el("th", "As it opens", scope="col"), el("th", "As it closes", scope="col")
        )
        table = el("table", el("thead", head), el("tbody", *map(self._state_row, here)), class_="states")
        away = [
            el("li", self.story.sentence(entity, self.number, closing=False), " ", self._since_place(entity))
            for entity in entities
            if entity not in here
        ]
        elsewhere = el("details", el("summary", f"Elsewhere: {len(away)}"), el("ul", *away)) if away else None
        return _section("The world around it", together(_wide(table), elsewhere))

    def _state_row(self, entity: str) -> Markup:
        opening = list(self.story.facts(entity, self.number, closing=False))
        closing = list(self.story.facts(entity, self.number, closing=True))
        before = [self._fact(said) for said in opening]
        after = [
            self._fact(said) if said.since.cause != old.since.cause else None
            for said, old in zip(closing, opening, strict=True)
        ]
        changed = [fact for fact in after if fact]
        cells = el("td", *changed) if changed else el("td", "the same", class_="quiet")
        name = el("th", self.story.catalog.entities[entity].name, scope="row")
        return el("tr", name, el("td", *before), cells, class_="changed" if changed else None)

    def _fact(self, said: Said) -> Markup:
        part = f"{said.part} " if said.part else ""
        return el("p", part, el("b", said.words), self._since(said.since.cause))

    def _since_place(self, entity: str) -> Markup:
        return self._since(self.story.trajectory.cause(entity, shot=self.number).cause)

    def _since(self, ref: EventRef) -> Markup:
        """The event behind a fact, with a link to its shot."""
        event = self.story.event(ref)
        if event is None:
            return el("small", "from the beginning")
        if ref.shot == self.number:
            return el("small", event.action)
        before = "" if ref.on_screen else "before "
        return el("small", before, el("a", f"shot {ref.shot}", href=f"#shot-{ref.shot}"), f": {event.action}")

    # --- how it was opened -------------------------------------------------------------------------------------

    def _way_in(self, take: Take) -> Markup:
        gate = take.gate
        rows = [el("p", el("b", MODES[gate.mode]), f": {gate.reason}.")]
        for title, criteria in (("Kept from the tail", gate.preserve), ("Not copied from it", gate.do_not_copy)):
            if criteria:
                rows += [el("h5", title), el("ul", *(el("li", c.statement) for c in criteria))]
        return _section("The gate", together(*rows), gate.mode.name.lower())

    def _openings(self, take: Take) -> Markup | None:
        cards = [self._opening(number, attempt) for number, attempt in enumerate(take.openings, start=1)]
        return _section("Openings tried", el("div", *cards, class_="cards"), str(len(cards))) if cards else None

    def _opening(self, number: int, attempt: OpeningTry) -> Markup:
        word, kind = ("accepted", "good") if attempt.accepted else ("rejected", "bad")
        how = MODES[attempt.mode]
        if attempt.pinned:
            how, word = "Pinned by the author, so it is used", "pinned"
        missed = attempt.judgement.missed()
        boxes = [
            _box(verdict, f"{position}", 1, 1)
            for position, criterion in enumerate(missed, start=1)
            if (verdict := attempt.judgement.verdicts[criterion.id]).box is not None
        ]
        link = self.thumbnails.picture(attempt.picture)
        alt = f"Opening {number} of shot {self.number}"
        picture = el("img", src=link, alt=alt, loading="lazy") if link else el("span", class_="blank")
        return el(
            "article",
            el("div", picture, *boxes, class_="frame"),
            el("h4", f"Opening {number}", el("span", word, class_=f"badge {kind}")),
            el("p", f"{how}. {_held(attempt.judgement)}", class_="quiet"),
            _missed_list(attempt.judgement, missed, None),
            self._told("What the painter was told", attempt.prompt),
            class_=f"card {kind}",
        )

    def _told(self, title: str, prompt: str) -> Markup | None:
        if not (self.full and prompt):
            return None
        return el("details", el("summary", title), el("pre", prompt), class_="told")

    # --- candidates --------------------------------------------------------------------------------------------

    def _candidates(self, take: Take) -> Markup:
        cards = [self._candidate(take, candidate) for candidate in take.candidates]
        reason = el("p", capitalised(take.reason) + ".")
        return _section("Candidates", together(reason, el("div", *cards, class_="cards")), str(len(cards)))

    def _candidate(self, take: Take, candidate: Candidate) -> Markup:
        chosen = candidate is take.chosen
        missed = candidate.judgement.missed() if candidate.judgement else ()
        badge = el("span", "in the film", class_="badge used") if chosen else None
        parts = [
            self._strip(candidate, missed, take.contract.seconds),
            el("h4", "Pinned by the author" if take.pinned else f"Candidate {candidate.order + 1}", badge),
            _outcome(candidate),
            _statements("Asked to mend", candidate.repair),
        ]
        if candidate.judgement is not None:
            parts.append(_missed_list(candidate.judgement, missed, take.contract.seconds))
        parts += [_rank(candidate), self._told("What the animator was told", candidate.prompt)]
        return el("article", *parts, class_=f"card {'chosen' if chosen else ''}", data_candidate=candidate.order + 1)

    def _strip(self, candidate: Candidate, missed: tuple[Criterion, ...], seconds: float) -> Markup:
        link = self.thumbnails.strip(candidate.clip) if candidate.clip else None
        poster = self.thumbnails.poster(candidate.clip) if candidate.clip else None
        if link is None or poster is None:
            return el("div", el("span", "no picture", class_="blank"), class_="frame")
        boxes = []
        for position, criterion in enumerate(missed, start=1):
            verdict = candidate.judgement.verdicts[criterion.id] if candidate.judgement else None
            if verdict is not None and verdict.frame is not None and verdict.box is not None:
                boxes.append(_box(verdict, f"{position}", STRIP_COLUMNS, STRIP_ROWS))
        middle = f"The middle of candidate {candidate.order + 1}"
        frames = f"Frames of candidate {candidate.order + 1}, from its start to {seconds:g} s, as the judge saw them"
        return together(
            el("div", el("img", src=poster, alt=middle, loading="lazy"), class_="frame"),
            el("div", el("img", src=link, alt=frames, loading="lazy"), *boxes, class_="frame strip"),
        )

    def _contract(self, take: Take) -> Markup:
        """Every criterion by phase, with the verdict on each candidate in its own column."""
        judged = [(candidate, candidate.judgement) for candidate in take.candidates if candidate.judgement is not None]
        heads = [el("th", "Statement", scope="col")]
        for candidate, _ in judged:
            name, kind = f"candidate {candidate.order + 1}", None
            if candidate is take.chosen:
                name, kind = f"{name}, in the film", "chosen"
            heads.append(el("th", str(candidate.order + 1), scope="col", class_=kind, title=name))
        bodies = []
        order = list(PHASES)
        criteria = sorted(take.contract.criteria, key=lambda c: order.index(c.phase))
        for phase, group in groupby(criteria, key=lambda c: c.phase):
            title = el("tr", el("th", PHASES[phase], colspan=1 + len(judged), scope="rowgroup"), class_="phase")
            bodies.append(el("tbody", title, *(self._criterion(take, judged, c) for c in group)))
        hint = (
            "Choose a mark to see what the judge saw." if self.full else "What was missed is told with its candidate."
        )
        if not judged:
            hint = "No candidate could be judged."
        table = el("table", el("thead", el("tr", *heads)), *bodies, class_="contract")
        return together(el("p", hint, class_="quiet"), _wide(table))

    def _criterion(self, take: Take, judged: Sequence[tuple[Candidate, Judgement]], criterion: Criterion) -> Markup:
        kind = el("small", criterion.evidence if criterion.required else f"{criterion.evidence}, wished")
        cells = []
        for _, judgement in judged:
            verdict = judgement.verdicts[criterion.id]
            cells.append(_verdict_cell(verdict, tell=self.full))
        return el("tr", el("td", criterion.statement, kind), *cells, class_=None if criterion.required else "wish")

    # --- what it was made from ---------------------------------------------------------------------------------

    def _references(self, take: Take) -> Markup | None:
        context, catalog = take.contract.context, self.story.catalog
        figures: dict[str, Markup] = {}
        if context.view is not None:
            words = f"The place from this camera: {caption(catalog.environments[take.contract.environment])}"
            figures[context.view] = self._figure(context.view, words)
        for binding in context.bindings:
            values = f" ({', '.join(binding.values)}{', as the shot ends' if binding.at_end else ''})"
            words = caption(catalog.entities[binding.entity]) + (values if binding.values else "")
            figures.setdefault(binding.asset, self._figure(binding.asset, words))
        notes = [_lines("Could not be held in the view", context.dropped)]
        notes.append(_lines("Left out by request, not verified", context.exclusions))
        if not figures and not any(notes):
            return None
        content = together(el("div", *figures.values(), class_="references"), *notes)
        return _section("References", content, str(len(figures)))

    def _figure(self, digest: str, words: str) -> Markup:
        link = self.thumbnails.picture(digest)
        picture = el("img", src=link, alt="", loading="lazy") if link else el("span", class_="blank")
        return el("figure", picture, el("figcaption", words))

    def _files(self) -> Markup | None:
        names = {f"shots/{self.number:02d}.mp4": "the clip", f"audit/shot-{self.number:02d}.json": "the full record"}
        there = [el("a", words, href=name) for name, words in names.items() if (self.thumbnails.folder / name).exists()]
        return el("p", "Files: ", Markup(" · ".join(there)), class_="quiet") if there else None


# --- small parts -----------------------------------------------------------------------------------------------


def _section(title: str, content: Markup, note: str = "") -> Markup:
    return el("section", el("h4", title, el("small", note) if note else None), content)


def _wide(table: Markup) -> Markup:
    """A table that scrolls by itself where the page is narrow."""
    return el("div", table, class_="scroller")


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def _held(judgement: Judgement) -> str:
    return f"{len(judgement.passed())} of {len(judgement.criteria)} statements hold."


def _lines(title: str, lines: tuple[str, ...]) -> Markup | None:
    return together(el("h5", title), el("ul", *(el("li", line) for line in lines))) if lines else None


def _statements(title: str, criteria: tuple[Criterion, ...]) -> Markup | None:
    return _lines(title, tuple(criterion.statement for criterion in criteria))


def _outcome(candidate: Candidate) -> Markup:
    if candidate.refusal:
        return el("p", "The animator refused: ", el("b", candidate.refusal), class_="outcome")
    if candidate.faults:
        return el("p", "Not a valid clip: ", el("b", "; ".join(map(str, candidate.faults))), class_="outcome")
    if candidate.judgement is None:
        return el("p", "It was not judged.", class_="outcome")
    missed = len(candidate.judgement.missed_required())
    words = f"{_count(missed, 'required criterion', 'required criteria')} missed." if missed else "All required holds."
    return el("p", f"{words} {_held(candidate.judgement)}", class_="quiet")


def _missed_list(judgement: Judgement, missed: tuple[Criterion, ...], seconds: float | None) -> Markup:
    """Missed criteria with what the judge saw, wishes folded away; numbers are those of the boxes in the picture."""
    required = [_missed(n, c, judgement, seconds) for n, c in enumerate(missed, start=1) if c.required]
    wishes = [_missed(n, c, judgement, seconds) for n, c in enumerate(missed, start=1) if not c.required]
    count = _count(len(wishes), "wish", "wishes")
    folded = el("details", el("summary", f"{count} missed"), el("ul", *wishes, class_="missed")) if wishes else None
    return together(el("ul", *required, class_="missed") if required else None, folded)


def _missed(number: int, criterion: Criterion, judgement: Judgement, seconds: float | None) -> Markup:
    verdict = judgement.verdicts[criterion.id]
    glyph, kind, word = GLYPHS[verdict.label]
    mark = el("span", glyph, class_=f"v {kind}", role="img", aria_label=word)
    seen = el("small", f"{verdict.evidence}{_when(verdict, seconds)}")
    return el("li", mark, el("span", f"{number}. ", criterion.statement, seen))


def _when(verdict: Verdict, seconds: float | None) -> str:
    if seconds is None or verdict.frame is None or not 0 <= verdict.frame < len(CLIP_FRACTIONS):
        return ""
    return f" (at {seconds * CLIP_FRACTIONS[verdict.frame]:.1f} s)"


def _box(verdict: Verdict, label: str, columns: int, rows: int) -> Markup | None:
    """A box over a picture, or over one frame of a strip."""
    box, frame = verdict.box, verdict.frame or 0
    if box is None or not 0 <= frame < columns * rows:
        return None
    row, column = divmod(frame, columns)
    left, top = (column + box.left) / columns, (row + box.top) / rows
    sizes = f"left:{left:.2%};top:{top:.2%};width:{box.width / columns:.2%};height:{box.height / rows:.2%}"
    return el("span", label, class_="box", style=sizes, aria_hidden="true")


def _verdict_cell(verdict: Verdict, *, tell: bool) -> Markup:
    """A mark; told in full, it can be chosen to see the evidence."""
    glyph, kind, word = GLYPHS[verdict.label]
    if not tell:
        return el("td", glyph, class_=kind)
    box = verdict.box
    where = " ".join(f"{part:.3f}" for part in (box.left, box.top, box.width, box.height)) if box else None
    marks = {"title": verdict.evidence, "data_f": verdict.frame, "data_b": where}
    return el("td", el("button", glyph, class_=f"v {kind}", aria_label=word, **marks))


def _rank(candidate: Candidate) -> Markup | None:
    if candidate.rank is None:
        return None
    parts = zip(RANK, candidate.rank, strict=True)
    return el("dl", *(el("div", el("dt", name), el("dd", f"{value:g}")) for name, value in parts), class_="rank")
