"""From beats to moments: every beat is one action of the acting library between two scenes at rest.

timeline(beats, seconds) → Timeline        when each beat begins and ends
timeline.moment(t) → Scene, Moment         who and what is where at a second of the clip
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from storyengine.previz import props
from storyengine.previz.acting import ACTIONS, Acted, Stage, alive, ease
from storyengine.previz.acting import Moment as ActedMoment
from storyengine.previz.acting import things as handling
from storyengine.previz.acting.fixtures import operate
from storyengine.previz.acting.walking import turn, walk
from storyengine.previz.figures.skeleton import Side
from storyengine.previz.figures.stance import SIDES, Stance
from storyengine.previz.props import PropModel
from storyengine.previz.render.values import Floats, Vec3
from storyengine.previz.studio.scene import Actor, Scene, Stand, Thing
from storyengine.previz.studio.script import Beat
from storyengine.previz.studio.staging import (
    HATS,
    Body,
    Moment,
    Posed,
    changing_axis,
    figure_of,
    handle_way,
    hands_of,
    middle_of,
    model_of,
    phrases,
    posed_things,
    rest,
    stance_of,
)

LEAD, TAIL = 0.30, 0.45
"""Seconds at rest before the first beat and after the last, where the clip is long enough."""

Act = Callable[[float], ActedMoment]


@dataclass(frozen=True, eq=False)
class Timeline:
    """A clip's beats in time."""

    opening: Scene
    beats: tuple[Beat, ...]
    starts: tuple[float, ...]
    ends: tuple[float, ...]
    seconds: float

    @cached_property
    def acts(self) -> tuple[Act | None, ...]:
        return tuple(
            act_of(beat, end - start) for beat, start, end in zip(self.beats, self.starts, self.ends, strict=True)
        )

    def moment(self, t: float) -> tuple[Scene, Moment]:
        """The scene and where everybody is in it, `t` seconds in."""
        for beat, act, start, end in zip(self.beats, self.acts, self.starts, self.ends, strict=True):
            if t < start:
                return beat.before, rest(beat.before, t)
            if t < end:
                share = (t - start) / (end - start)
                return beat.before if share < 1 else beat.after, _acted(beat, act, share, t)
        last = self.beats[-1].after if self.beats else self.opening
        return last, rest(last, t)

    def scenes(self) -> tuple[tuple[float, Scene], ...]:
        """What is true from which second on."""
        return ((0.0, self.opening), *((end, beat.after) for beat, end in zip(self.beats, self.ends, strict=True)))


def timeline(opening: Scene, beats: tuple[Beat, ...], seconds: float) -> Timeline:
    """Beats one after another, hurried if the clip is short, with rests between them if it is long."""
    natural = sum(beat.seconds for beat in beats)
    lead, tail = min(LEAD, seconds * 0.08), min(TAIL, seconds * 0.11)
    room = seconds - lead - tail
    pace = min(room / natural, 1.3) if natural else 1.0
    spare = max(0.0, room - natural * pace)
    pause = spare / (len(beats) + 1) if beats else 0.0
    starts, ends = [], []
    t = lead + pause * 0.7
    for beat in beats:
        starts.append(t)
        t += beat.seconds * pace
        ends.append(t)
        t += pause * 0.6
    return Timeline(beats[0].before if beats else opening, beats, tuple(starts), tuple(ends), seconds)


def _acted(beat: Beat, act: Act | None, share: float, clock: float) -> Moment:
    scene = beat.before
    resting = rest(scene, clock)
    if act is None:
        return resting
    acted = act(share)
    bodies = dict(resting.bodies)
    if beat.actor in bodies:
        bodies[beat.actor] = _body(scene.people[beat.actor], acted.actor, clock)
    if acted.partner is not None and beat.partner in bodies:
        bodies[beat.partner] = _body(scene.people[beat.partner], acted.partner, clock)
    moved: dict[str, Posed] = {}
    mover = moving_thing(beat)
    if acted.thing is not None and mover in scene.props:
        moved[mover] = Posed(model_of(scene.props[mover]), acted.thing)
    if beat.kind != "state" or beat.thing not in scene.props:
        return Moment(bodies, posed_things(scene, bodies, moved))
    # What a lid hides before or after shows while it moves.
    uncovered = replace(scene, things=tuple(_shown(t, beat) for t in scene.things))
    changing = posed_things(uncovered, bodies, moved).get(beat.thing)
    if changing is not None:
        moved[beat.thing] = Posed(_model_between(beat, acted.share), changing.matrix)
    return Moment(bodies, posed_things(uncovered, bodies, moved))


def _shown(thing: Thing, beat: Beat) -> Thing:
    return replace(thing, shuts=()) if thing.id == beat.thing else thing


def _body(actor: Actor, acted: Acted, clock: float) -> Body:
    return Body(Stand(acted.at[0], acted.at[1], 0.0, acted.yaw), alive(acted.stance, clock, actor.look.face))


def _model_between(beat: Beat, share: float) -> PropModel:
    """The thing on its way from one state to the next."""
    before, after = beat.before.props[beat.thing], beat.after.props.get(beat.thing) or beat.before.props[beat.thing]
    if before.states == after.states:
        return model_of(before)
    look_a, axes_a = props.resolve(before.look, phrases(before))
    look_b, axes_b = props.resolve(after.look, phrases(after))
    a, b = dict(axes_a), dict(axes_b)
    mixed = {axis: a.get(axis, 0.0) + (b.get(axis, 0.0) - a.get(axis, 0.0)) * share for axis in {*a, *b}}
    if "mark" in mixed:
        mixed["mark"] = b["mark"] if share > 0.5 and "mark" in b else a.get("mark", mixed["mark"])
    return props.build_at(
        look_b if share > 0.5 or look_b.content != look_a.content else look_a, tuple(sorted(mixed.items()))
    )


# --- beats as actions ------------------------------------------------------------------------------------------


def act_of(beat: Beat, seconds: float) -> Act | None:
    """The action of a beat; None where nobody acts."""
    actor = beat.before.people.get(beat.actor)
    if beat.kind == "wait" or (actor is None and beat.kind != "state"):
        return None
    if actor is None:
        nobody = Acted((0.0, 0.0), 0.0, Stance())
        return lambda t: ActedMoment(nobody, None, ease(t))
    after = beat.after.people.get(beat.actor, actor)
    stage = Stage(
        figure=figure_of(actor),
        at=(actor.stand.x, actor.stand.y),
        yaw=actor.stand.yaw,
        before=stance_of(beat.before, actor),
        after=stance_of(beat.after, after),
        seconds=seconds,
        seed=actor.look.face & 0xFFFFFF,
    )
    match beat.kind:
        case "walk":
            going = walk(replace(stage, path=beat.path, yaw_end=after.stand.yaw), _upper(stage.before))
            return lambda t: ActedMoment(going(t))
        case "turn":
            turning = turn(replace(stage, yaw_end=after.stand.yaw))
            return lambda t: ActedMoment(turning(t))
        case "take" | "put" | "wear" | "give":
            return _handling(beat, stage)
    return _working(beat, stage)


def _upper(stance: Stance) -> Stance:
    """How the upper body is held on the way: hands keep what they hold, eyes look ahead."""
    return replace(stance, gaze=None)


def _handling(beat: Beat, stage: Stage) -> Act:
    before, after = rest(beat.before), rest(beat.after)
    held_before = beat.before.props[beat.thing]
    held_after = beat.after.props[beat.thing]
    model = model_of(held_before)
    start = _matrix(beat.before, beat.thing, before)
    end = _matrix(beat.after, beat.thing, after)
    carried = held_after if held_after.relation == "held" else held_before
    stage = replace(stage, model=model, start=start, end=end, hands=hands_of(carried, model))
    over = _edge(beat, model)
    if beat.kind == "give":
        partner = beat.before.people[beat.partner]
        return handling.hand_over(
            replace(
                stage,
                partner=figure_of(partner),
                partner_at=(partner.stand.x, partner.stand.y),
                partner_yaw=partner.stand.yaw,
                partner_before=stance_of(beat.before, partner),
                partner_after=stance_of(beat.after, beat.after.people[beat.partner]),
            )
        )
    if beat.kind == "wear":
        return _wearing(beat, stage)
    return handling.take(stage, over=over) if beat.kind == "take" else handling.put(stage, over=over)


def _wearing(beat: Beat, stage: Stage) -> Act:
    """On with it: hats with both hands, everything else over the shoulders."""
    hat = beat.before.props[beat.thing].look.family in HATS
    act = ACTIONS["put on hat" if hat else "put on"](stage)

    def at(t: float) -> ActedMoment:
        moment = act(t)
        if moment.thing is not None:
            return moment
        return replace(moment, thing=stage.end if moment.share >= 0.5 else stage.start)

    return at


def _matrix(scene: Scene, thing: str, moment: Moment) -> Floats:
    """Where a thing is, also when a shut container hides it."""
    found = moment.things.get(thing)
    if found is None:
        open_scene = replace(scene, things=tuple(replace(t, shuts=()) for t in scene.things))
        found = posed_things(open_scene, moment.bodies)[thing]
    return found.matrix


def _edge(beat: Beat, model: PropModel) -> float:
    """How high a thing is lifted over the edge of what it goes into or comes out of."""
    scene = beat.before if beat.kind == "take" else beat.after
    thing = scene.props[beat.thing]
    container = scene.props.get(thing.target) if thing.relation == "in" else None
    if container is None:
        return 0.0
    space = model_of(container).inside
    tall = space is not None and space.high[2] - space.low[2] > 0.75
    return 0.0 if tall else min(0.32, model.size[2] * 0.8 + 0.06)


def _working(beat: Beat, stage: Stage) -> Act:
    """Hands at something: its state changes, or the gesture is all."""
    found = rest(beat.before).things.get(beat.thing)
    if found is not None:
        middle = middle_of(found)
        stage = replace(stage, point=(float(middle[0]), float(middle[1]), float(middle[2])))
    else:
        stage = replace(stage, point=stage_front(stage))
    if beat.kind == "state" and found is not None:
        return _changing(beat, stage, found)
    kind = action_for_words(beat.manner)
    tool = beat.before.props.get(moving_thing(beat))
    if tool is not None and kind in USES_TOOL and tool.relation == "held":
        model = model_of(tool)
        stage = replace(stage, model=model, hands=hands_of(tool, model))
        if kind == "pour":
            stage = replace(stage, start=_matrix(beat.before, tool.id, rest(beat.before)))
    return ACTIONS[kind if kind not in NEEDS_THING or stage.model is not None else "reach"](_on_top(stage, found))


def _on_top(stage: Stage, found: Posed | None) -> Stage:
    """Work is done on the upper side of things."""
    if found is None or stage.point is None:
        return stage
    _, high = found.model.bounds()
    top = float((found.matrix[:, :3] @ np.array([0.0, 0.0, high[2]]) + found.matrix[:, 3])[2])
    return replace(stage, point=(stage.point[0], stage.point[1], min(top, 1.45)))


def _changing(beat: Beat, stage: Stage, found: Posed) -> Act:
    """A change of state: along the way of a handle where one moves, else by what the state is about."""
    before, after = beat.before.props[beat.thing], beat.after.props[beat.thing]
    axis, first, last = changing_axis(before, after)
    tool = beat.before.props.get(moving_thing(beat))
    if axis in ("fill", "loaded", "wet") and tool is not None and tool.relation == "held" and tool.id != beat.thing:
        model = model_of(tool)
        start = _matrix(beat.before, tool.id, rest(beat.before))
        return ACTIONS["pour"](_on_top(replace(stage, model=model, start=start, hands=hands_of(tool, model)), found))
    track = handle_way(beat.before, beat.after, beat.thing)
    hands = _free_hands(beat.before, beat.actor)
    stage = replace(stage, track=track, hands=hands[-1] if len(hands) == 1 else _nearer_hand(stage, track))
    kind = action_for_state(axis, first, last, before, beat.manner, track)
    if kind in ("raise", "lower") and len(hands) == 1:
        return operate(stage, kind)
    return ACTIONS[kind](stage if kind not in ON_TOP else _on_top(stage, found))


def _free_hands(scene: Scene, actor: str) -> tuple[Side, ...]:
    full: set[str] = set()
    for thing in scene.held_by(actor):
        hands = hands_of(thing, model_of(thing))
        full |= {"left", "right"} if hands == "both" else {hands}
    free: tuple[Side, ...] = tuple(side for side in SIDES if side not in full)
    return free or ("right",)


def _nearer_hand(stage: Stage, track: tuple[Vec3, ...]) -> Side:
    """The hand on whose side the handle is."""
    point = track[0] if track else stage.point
    return "left" if point is not None and stage.own(point)[0] < -0.02 else "right"


def moving_thing(beat: Beat) -> str:
    """What moves in somebody's hands: the thing itself, or the tool or vessel it is worked on with."""
    if beat.kind in ("take", "put", "give", "wear"):
        return beat.thing
    if beat.target in beat.before.props and beat.before.props[beat.target].relation == "held":
        return beat.target
    held = beat.before.held_by(beat.actor)
    own = [thing.id for thing in held if thing.id == beat.thing]
    return own[0] if own else held[0].id if held and beat.kind in ("work", "state") else ""


# --- which action ----------------------------------------------------------------------------------------------

_VERBS: tuple[tuple[str, str], ...] = (
    ("hammer", r"hammer|nail|strik|forg|beat|knock|chip|chisel|stamp|tap"),
    ("saw", r"saw|cut|slic|carv|plan(e|es|ing)\b|fil(e|es|ing)\b|trim|clip"),
    ("rake", r"rak|hoe|scrap"),
    ("sweep", r"sweep|brush|mop|shovel|dig|spad|row|paddl|scyth"),
    ("wipe", r"wip|clean|polish|scrub|rub|wash|dust|sand|paint|smooth|iron|spread"),
    ("knead", r"knead|squeez|tie|knot|fold|roll|pack|fasten|wrap|plait|weav"),
    ("stir", r"stir|mix|whisk|grind|churn|taste|feed"),
    ("write", r"writ|draw|sign|sketch|mark|chalk|not(e|es|ing)\b|count|measur|weigh"),
    ("read", r"read|stud(y|ies)|examin|inspect|check"),
    ("pour", r"pour|water|empt|fill|sprinkl|scatter|tip"),
    ("wave", r"wav|greet|beckon|signal|call"),
    ("point", r"point|show|gestur|indicat"),
    ("sit", r"\bsits?\b|seat"),
    ("kneel", r"kneel|crouch|squat"),
    ("ring bell", r"ring|toll"),
    ("pull rope", r"pull|haul|hoist|tug|drag"),
    ("crank", r"crank|wind|reel"),
    ("turn wheel", r"turn|steer|rotat|spin"),
    ("press", r"press|push|button|switch|typ|touch|test|feel"),
    ("break", r"break|snap|tear|rip|crack"),
    ("blow out", r"blow|breath"),
    ("pat pockets", r"pocket|search"),
    ("look around", r"look|watch|gaz|star|wait|listen|notice|see|nothing changes|paus|stand|think|smil|nod"),
)
_PATTERNS = tuple((kind, re.compile(rf"\b(?:{pattern})")) for kind, pattern in _VERBS)

USES_TOOL = frozenset(("hammer", "saw", "sweep", "rake", "wipe", "stir", "write", "read", "pour", "wave"))
NEEDS_THING = frozenset(("pour",))
ON_TOP = frozenset(("wipe", "knead", "hammer", "stir", "write", "break"))


def action_for_words(words: str) -> str:
    """The action that a verb, or the first words of a sentence, mean; reaching out where none is known."""
    found = [(match.start(), kind) for kind, pattern in _PATTERNS if (match := pattern.search(words.lower()))]
    return min(found)[1] if found else "reach"


def action_for_state(axis: str, first: float, last: float, thing: Thing, manner: str, track: tuple[Vec3, ...]) -> str:
    """The action that changes a state."""
    family, rises = thing.look.family, last > first
    if axis in ("open", "spread", "covered"):
        if not track:
            return "reach"
        way = np.ptp(np.array(track), axis=0)
        flat = float(np.hypot(way[0], way[1]))
        return "open lid" if way[2] > 0.4 * flat else "open door" if _bends(track) else "pull out"
    match axis:
        case "raised":
            return "raise" if rises else "lower"
        case "turned" | "wound" | "running" if "wheel" in family or "valve" in family:
            return "turn wheel"
        case "turned" if "lever" in family or (track and not _bends(track)):
            return "pull lever"
        case "wound":
            return "crank"
        case "turned" | "tipped" | "across":
            return "pull lever" if track else "reach"
        case "lit":
            return "light" if rises else "blow out" if family in ("candle",) else "press"
        case "dirty" | "wet":
            return "wipe"
        case "broken":
            return "break" if rises and thing.relation == "held" else "hammer"
        case "fastened" | "hung":
            return "knead"
        case "pierced":
            return "saw"
    return action_for_words(manner) if action_for_words(manner) not in NEEDS_THING else "reach"


def _bends(track: tuple[Vec3, ...]) -> bool:
    """Whether a handle's way is an arc."""
    line = np.array(track)
    straight = float(np.linalg.norm(line[-1] - line[0]))
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) > 1.02 * straight


def stage_front(stage: Stage) -> Vec3:
    """A point before the chest, for gestures at nothing in particular."""
    a = np.radians(stage.yaw)
    tall = stage.figure.measures.height
    return (stage.at[0] + 0.5 * float(np.sin(a)), stage.at[1] + 0.5 * float(np.cos(a)), 0.72 * tall)
