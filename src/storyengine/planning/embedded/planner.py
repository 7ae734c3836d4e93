"""`plan_with_rules`: a brief becomes a plan without a model, by reading it, scheduling it and playing it through."""

from __future__ import annotations

import re
from collections.abc import Sequence

from storyengine.check import check_plan, mend_plan
from storyengine.language.reading import BriefReading, NounPhrase, OrderHint, Reading, read_brief
from storyengine.language.reading import words as w
from storyengine.plan import SemanticPlan
from storyengine.planning.embedded.build import build_plan
from storyengine.planning.embedded.given import settle_statement
from storyengine.planning.embedded.placing import place_shots
from storyengine.planning.embedded.problems import BriefProblem
from storyengine.planning.embedded.roster import CARRIED, Roster
from storyengine.planning.embedded.schedule import spread
from storyengine.planning.embedded.stage import Stage, Unplayable, Wish
from storyengine.planning.embedded.steps import Step, StepBuilder
from storyengine.planning.embedded.viability import refuse_contradictions, refuse_foreign, unsound, unused_required
from storyengine.planning.planned import Planned, Unread
from storyengine.request import StoryRequest

MAX_WISHES = 60
"""A story that asks for more changes than this is not mended by more of them."""


def plan_with_rules(request: StoryRequest) -> Planned:
    """Plan a brief, deterministically and offline.

    Raises PlanUnsound with findings for a filmmaker where the brief contradicts itself or tells nothing. What the
    planner assumed and what it did not understand come with the plan.
    """
    refuse_foreign(request)
    reading = read_brief(request)
    refuse_contradictions(request, reading)
    return _Planner(request, reading).run()


class _Planner:
    def __init__(self, request: StoryRequest, reading: BriefReading) -> None:
        self.request = request
        self.reading = reading
        self.assumptions: list[str] = []

    def run(self) -> Planned:
        self.roster = Roster(self.reading, self.request.required_entities)
        self.placing = place_shots(self.request, self.reading, self.assumptions)
        self.builder = StepBuilder(self.reading, self.roster, self.placing.ids)
        self.steps = self.builder.build()
        if not self.steps:
            raise unsound([BriefProblem("nothing-happens", "the brief", ("idea",), "nothing that happens", "an event")])
        self._one_way()
        self._anchors()
        self._settle_roles()
        problems = unused_required(self.request, self.roster, self.steps, self.reading)
        if problems:
            raise unsound(problems)
        stage = self._played()
        plan = build_plan(self.request, self.reading, self.roster, self.placing, stage, self.rules)
        return self._checked(plan, stage)

    # --- rules

    def _one_way(self) -> None:
        """Changes that the brief calls final: the bearers that its sentences name."""
        self.final: set[str] = set()
        for told in self.reading.one_way:
            nouns = [t for r in told.readings for t in r.things] + [s.subject for s in told.statements]
            for noun in nouns:
                self._make_final(noun)

    def _make_final(self, noun: NounPhrase) -> None:
        found = self.roster.thing(noun, create=False)
        if found is None:
            return
        part = self.roster.part(noun)
        settings = [
            s for step in self.steps for s in step.sets if s.bearer == found and (not part or s.attribute == part)
        ]
        for setting in settings:
            member = self.roster.members[found]
            values = [s.value for s in settings if s.attribute == setting.attribute]
            if len(values) == len(set(values)):
                member.one_way.add(setting.attribute)
                self.final.add(found)

    def _match(self, hint: OrderHint) -> tuple[int, int] | None:
        if hint.numbers != (0, 0):
            pair = [next((s.index for s in self.steps if s.event.number == n), None) for n in hint.numbers]
        else:
            pair = [self._step_like(hint.first), self._step_like(hint.then)]
            if (pair[0] is None or pair[1] is None or pair[0] == pair[1]) and hint.words[0]:
                left, right = hint.words
                first = self._step_worded(left, right, apart=None)
                pair = [first, self._step_worded(right, left, apart=first)]
        if pair[0] is None or pair[1] is None or pair[0] == pair[1]:
            self.unmatched.append(Unread(hint.sentence, "no two events of the story fit this order"))
            return None
        return pair[0], pair[1]

    def _step_like(self, reading: Reading | None) -> int | None:
        """The step that a rule speaks of: same thing, and if possible the same act."""
        if reading is None:
            return None
        things = {t for phrase in (*reading.things, *reading.agents) if (t := self.roster.thing(phrase, create=False))}
        goal = self.roster.thing(reading.goal, create=False) if reading.goal is not None else None
        related = [
            s for s in self.steps if things & {*s.touched, *s.means} or (not things and goal and goal in s.touched)
        ]
        same_verb = [s for s in related if s.event.reading.verb == reading.verb]
        same_act = [s for s in related if s.act == reading.act]
        moves = {"carry", "push", "go"}
        alike = [s for s in related if s.act in moves and reading.act in moves]
        found = (
            same_verb or same_act or alike or related or [s for s in self.steps if s.event.reading.verb == reading.verb]
        )
        return found[0].index if found else None

    def _step_worded(self, words: str, other: str, apart: int | None) -> int | None:
        """The step whose sentence shares most words with one side of a rule; the other side breaks ties.

        `apart` is a step of another sentence than the one looked for.
        """
        wanted, context = _stems(words), _stems(other)
        taken = next((s.event.sentence for s in self.steps if s.index == apart), "")
        steps = [s for s in self.steps if s.event.sentence != taken]
        steps = [s for s in steps if s.event.number] or steps

        def score(step: Step) -> tuple[int, int, int]:
            names = " ".join(self.roster.members[t].name for t in step.touched)
            own = len(wanted & _stems(step.event.sentence)) + 2 * len(wanted & _stems(names))
            return (own, len(context & _stems(step.event.sentence)), -step.index)

        best = max(steps, key=score, default=None)
        return best.index if best is not None and score(best)[0] > 0 else None

    def _anchors(self) -> None:
        self.anchors: dict[int, list[tuple[str, str]]] = {}
        self.unmatched: list[Unread] = []
        for anchor in self.reading.anchors:
            if not 2 <= anchor.shot <= self.request.shots:
                continue
            person = (
                self.roster.known_person(anchor.phrase)
                if anchor.phrase.proper or w.is_person_noun(anchor.phrase.head)
                else None
            )
            found = person or self.roster.thing(anchor.phrase)
            carrier = self.roster.known_person(NounPhrase((anchor.carrier,), proper=True)) if anchor.carrier else None
            if found is not None:
                self.anchors.setdefault(anchor.shot, []).append((found, carrier or ""))
        pairs = [(hint, self._match(hint)) for hint in self.reading.orders]
        self.rules = [pair for _, pair in pairs if pair is not None]
        by_index = {step.index: step for step in self.steps}
        for number, index in enumerate(dict.fromkeys(i for pair in self.rules for i in pair), start=1):
            by_index[index].id = f"step-{number}"

    def _settle_roles(self) -> None:
        for member in self.roster.members.values():
            if (
                member.kind == "prop"
                and not member.handled
                and member.head in w.FIXTURES | w.PUT_ON - w.words("tray plate cloth mat")
            ):
                member.roles.add("fixed")
            if member.kind == "prop" and member.head in w.WHEELED and member.handled:
                member.roles.add("wheeled")
            if member.head in CARRIED:
                member.roles.discard("fixed")
        for shot_anchors in self.anchors.values():
            for entity, carrier in shot_anchors:
                if carrier and self.roster.members[entity].head in w.WHEELED:
                    self.roster.members[entity].roles.add("wheeled")

    # --- playing

    def _played(self) -> Stage:
        """Play, grant what is wished for, and play again until nothing is missing."""
        one_way = frozenset(s.index for s in self.steps if any(x.bearer in self.final for x in s.sets))
        self._meet_anchors()
        homes = {**self._anchored_homes(), **self.builder.homes()}
        fixtures = frozenset(m.id for m in self.roster.members.values() if m.stays_put and m.head not in w.EVERYWHERE)
        free = self.reading.free_order
        schedule = spread(self.steps, self.placing.shots, self.rules, free, one_way, homes, fixtures)
        order = {step.index: position for position, step in enumerate(self.steps)}
        shots: dict[int, list[Step]] = {}
        arrives = {s.index: s.dest == self.placing.shots[schedule.shots[s.index] - 1] for s in self.steps}
        late = self.reading.free_order
        for step in sorted(
            self.steps, key=lambda s: (schedule.shots[s.index], late and not arrives[s.index], order[s.index])
        ):
            shots.setdefault(schedule.shots[step.index], []).append(step)
        for steps in shots.values():
            _respect(steps, self.rules)
        wishes: list[Wish] = list(self._standing_wishes(shots))
        muted: set[int] = set()
        for _ in range(MAX_WISHES):
            stage = Stage(self.roster, self.placing.shots, self.placing.names, wishes, frozenset(muted))
            self._given(stage)
            try:
                stage.play(shots, self.anchors)
            except Unplayable as stuck:
                self._grant(stuck, stage, wishes, muted)
                continue
            return stage
        raise unsound(
            [
                BriefProblem(
                    "out-of-hands",
                    "the film",
                    ("idea",),
                    "things that are never where they are needed",
                    "a way to bring them",
                )
            ]
        )

    def _meet_anchors(self) -> None:
        """A job that brings something to a place is done where an anchor has it brought there."""
        places = self.placing.shots
        for step in self.steps:
            for shot, anchored in sorted(self.anchors.items()):
                arrives = places[shot - 1] == step.dest != places[shot - 2]
                if step.dest and not step.shots and arrives and any(entity in step.things for entity, _ in anchored):
                    step.shots = (shot,)

    def _anchored_homes(self) -> dict[str, str]:
        """Where things stand that anchor cuts inside a place and are never carried."""
        homes: dict[str, str] = {}
        for shot, anchored in sorted(self.anchors.items()):
            here = self.placing.shots[shot - 1]
            for entity, _ in anchored:
                if here == self.placing.shots[shot - 2] and not self.roster.members[entity].handled:
                    homes.setdefault(entity, here)
        return homes

    def _grant(self, stuck: Unplayable, stage: Stage, wishes: list[Wish], muted: set[int]) -> None:
        """Add what was wished for; else show the step without its effect; what is locked away for good is a problem."""
        wish = stuck.wish
        if wish.kind != "none" and wish not in wishes:
            wishes.append(wish)
            return
        hidden = stage.hidden_in(wish.entity)
        for_good = hidden is not None and bool(self.roster.members[hidden].one_way)
        if not for_good and stuck.step is not None:
            muted.add(stuck.step.index)
            self.unmatched.append(
                Unread(
                    stuck.step.event.sentence,
                    f"{stage.called(wish.entity)} cannot be in the {stage.names[stage.here]} by shot {stage.number}; "
                    "shown without its effect",
                )
            )
            return
        if not for_good:
            self._give_up_anchor(stage, wish)
            return
        thing = stage.called(wish.entity)
        where = stage.place_of(wish.entity)
        actor = stage.called(stuck.step.actors[0]) if stuck.step and stuck.step.actors else "somebody"
        shut = f", shut in {stage.called(hidden)}" if hidden else ""
        saw = (
            f"{actor} needs {thing}, which is in the {stage.names.get(where or '', 'dark')}{shut}"
            if where
            else f"{actor} needs {thing}, which is nowhere in reach"
        )
        number = stage.number
        problem = BriefProblem(
            "out-of-hands",
            f"shot {number}",
            ("idea",),
            saw,
            f"{thing} in the {stage.names[stage.here]} in shot {number}",
        )
        raise unsound([problem])

    def _give_up_anchor(self, stage: Stage, wish: Wish) -> None:
        """An anchor that cannot be brought to its cut is reported, not forced."""
        shot = stage.number + 1
        self.anchors[shot] = [
            (e, c) for e, c in self.anchors.get(shot, []) if e != wish.entity and stage._vehicle(e) != wish.entity
        ]
        self.unmatched.append(
            Unread(
                f"the anchor of shot {shot}", f"{stage.called(wish.entity)} cannot be in sight on both sides of the cut"
            )
        )

    def _standing_wishes(self, shots: dict[int, list[Step]]) -> list[Wish]:
        """A lone character is in every shot; a shot without steps keeps somebody in sight."""
        people = self.roster.people()
        wishes: list[Wish] = []
        if not people:
            return wishes
        present = people[0].id
        for number in range(1, self.request.shots + 1):
            acting = [a for step in shots.get(number, ()) for a in step.actors]
            if len(people) == 1 or not acting:
                same = number > 1 and self.placing.shots[number - 1] == self.placing.shots[number - 2]
                who = people[0].id if len(people) == 1 else present if same else self._due(number, shots) or present
                wishes.append(Wish("attend", number, who, who))
                present = who
            if acting:
                present = acting[-1]
        return wishes

    def _due(self, number: int, shots: dict[int, list[Step]]) -> str:
        """Who acts next in this place."""
        place = self.placing.shots[number - 1]
        for later in range(number, self.request.shots + 1):
            if self.placing.shots[later - 1] == place:
                for step in shots.get(later, ()):
                    if step.actors:
                        return step.actors[0]
        return ""

    def _given(self, stage: Stage) -> None:
        """What the brief says about the start."""
        for statement in self.reading.statements:
            settle_statement(stage, self.builder, self.roster, statement, self.steps)

    # --- the end

    def _checked(self, plan: SemanticPlan, stage: Stage) -> Planned:
        findings = check_plan(plan)
        if findings.blocking:
            mended, fixes = mend_plan(plan)
            if not check_plan(mended).blocking:
                self.assumptions += [f"Mended: {fix.summary}" for fix in fixes]
                plan = mended
                findings = check_plan(plan)
        unread = tuple(Unread(u.sentence, u.why) for u in self.reading.unread) + tuple(self.unmatched)
        assumptions = tuple(dict.fromkeys((*self.assumptions, *stage.start_assumed(), *stage.assumptions)))
        return Planned(plan, assumptions, unread, findings)


_COMMON = w.DETERMINERS | w.PREPOSITIONS | w.PRONOUNS | w.AUXILIARIES | w.CONJUNCTIONS | w.SUBORDINATORS


def _stems(text: str) -> set[str]:
    """The telling words of a text, cut so that `rivets` and `riveted` agree."""
    found = re.findall(r"[a-z]+", text.lower())
    return {w.singular(word)[:5] for word in found if word not in _COMMON and len(word) > 2}


def _respect(steps: list[Step], rules: Sequence[tuple[int, int]]) -> None:
    """Inside one shot, put what has to come first first."""
    for first, then in rules:
        positions = {step.index: k for k, step in enumerate(steps)}
        if first in positions and then in positions and positions[first] > positions[then]:
            steps.insert(positions[then], steps.pop(positions[first]))
