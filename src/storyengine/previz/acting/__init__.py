"""Acting: what people do, as functions of time, with anticipation and settling.

    play = perform("pick up", Stage(figure, (2.0, 1.5), 90.0, model=cup, start=placement((2.4, 1.5, 0.9))))
    moment = play(0.4)                                   # 0 to 1
    solve(figure, moment.actor.stance), moment.thing     # the pose, and where the cup is

`ACTIONS` names them all. A performance is pure: the same stage and share give the same moment.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from storyengine.errors import ContractError
from storyengine.previz.acting import fixtures, gestures, things, works
from storyengine.previz.acting.carrying import carried, carrying
from storyengine.previz.acting.fixtures import handle_track
from storyengine.previz.acting.handling import bent_to, gripping, grips_of, hands_for, standing_spot
from storyengine.previz.acting.timing import alive, blended, blended_matrix, ease
from storyengine.previz.acting.values import Acted, Hands, Moment, Performance, Stage, own_matrix, to_own, to_world
from storyengine.previz.acting.walking import turn, walk

__all__ = [
    "ACTIONS", "Acted", "Hands", "Moment", "Performance", "Stage", "action", "alive", "bent_to", "blended",
    "blended_matrix", "carried", "carrying", "ease", "gripping", "grips_of", "handle_track", "hands_for", "own_matrix",
    "perform", "standing_spot", "to_own", "to_world",
]  # fmt: skip


def _walk(stage: Stage) -> Performance:
    going = walk(stage)
    return lambda t: Moment(going(t), None, ease(t))


def _turn(stage: Stage) -> Performance:
    turning = turn(stage)
    return lambda t: Moment(turning(t), None, ease(t))


ACTIONS: dict[str, Callable[[Stage], Performance]] = {
    # The body
    "stand": gestures.stand,
    "walk": _walk,
    "turn": _turn,
    "sit": gestures.sit,
    "kneel": gestures.kneel,
    "look around": gestures.look_around,
    "point": gestures.point,
    "wave": gestures.wave,
    "pat pockets": gestures.pat_pockets,
    # Things that change place
    "reach": things.hold_out,
    "pick up": things.take,
    "put down": things.put,
    "take out": partial(things.take, over=0.32),
    "put into": partial(things.put, over=0.30),
    "hang up": partial(things.put, over=0.06),
    "take down": partial(things.take, over=0.06),
    "hand over": things.hand_over,
    "carry": things.carry,
    "push": things.carry,
    "pull": things.drag,
    "pour": things.pour,
    "fill": things.pour,
    # Fixtures
    "open door": partial(fixtures.operate, kind="door"),
    "close door": partial(fixtures.operate, kind="door"),
    "open lid": partial(fixtures.operate, kind="lid"),
    "close lid": partial(fixtures.operate, kind="lid"),
    "pull out": partial(fixtures.operate, kind="drawer"),
    "raise": partial(fixtures.operate, kind="raise", hands=("left", "right")),
    "lower": partial(fixtures.operate, kind="lower", hands=("left", "right")),
    "pull lever": partial(fixtures.operate, kind="lever"),
    "pull rope": partial(fixtures.operate, kind="rope", hands=("left", "right"), back=True),
    "ring bell": partial(fixtures.operate, kind="rope", back=True),
    "turn wheel": fixtures.turn_wheel,
    "crank": fixtures.crank,
    "light": partial(gestures.touch, kind="light"),
    "press": partial(gestures.touch, kind="press"),
    "blow out": gestures.blow_out,
    # Work
    "hammer": works.hammer,
    "saw": works.saw,
    "sweep": works.sweep,
    "rake": partial(works.sweep, pull=True),
    "wipe": partial(works.rub, kind="wipe"),
    "knead": partial(works.rub, kind="knead"),
    "stir": partial(works.rub, kind="stir"),
    "write": partial(works.rub, kind="write"),
    "read": works.read,
    "break": gestures.snap,
    # Clothes
    "put on hat": partial(gestures.to_head, off=False),
    "take off hat": partial(gestures.to_head, off=True),
    "put on": partial(gestures.put_on, off=False),
    "take off": partial(gestures.put_on, off=True),
}
"""Every action by name."""


def perform(kind: str, stage: Stage) -> Performance:
    """The performance of an action on a stage, breathing and blinking included.

    Make it once per shot and ask it frame by frame; a moment costs well under a millisecond.
    """
    if kind not in ACTIONS:
        raise ContractError(f"There is no action {kind!r}.", next_step=f"Known are: {', '.join(sorted(ACTIONS))}.")
    play = ACTIONS[kind](stage)

    def at(t: float) -> Moment:
        moment = play(min(max(t, 0.0), 1.0))
        now = stage.clock + t * stage.seconds
        actor = replace(moment.actor, stance=alive(moment.actor.stance, now, stage.seed))
        partner = moment.partner
        if partner is not None:
            partner = replace(partner, stance=alive(partner.stance, now, stage.seed + 1))
        return replace(moment, actor=actor, partner=partner)

    return at


def action(kind: str, stage: Stage, t: float) -> Moment:
    """One moment of an action; for many, `perform` once."""
    return perform(kind, stage)(t)
