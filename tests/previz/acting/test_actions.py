"""Actions: smooth, alive, repeatable; hands on handles, feet on the ground."""

import math
from dataclasses import replace

import numpy as np
import pytest

from storyengine.errors import ContractError
from storyengine.previz.acting import (
    ACTIONS,
    Moment,
    Stage,
    carried,
    carrying,
    grips_of,
    handle_track,
    hands_for,
    perform,
    standing_spot,
    to_own,
    to_world,
)
from storyengine.previz.figures import BONES, Figure, Hand, Stance, hand_matrix, solve, world_matrices
from storyengine.previz.looks import PropLook
from storyengine.previz.props import PropModel, build_at
from storyengine.previz.render import placement
from tests.previz.figures.cast import person

FIGURE = Figure.build(person())
OTHER = Figure.build(person(2, height=1.6, feminine=1.0))
AT, YAW = (3.0, 2.0), 140.0
FRAMES = 97
"""Four seconds at 24 frames a second."""


def prop(family: str, **axes: float) -> PropModel:
    return build_at(PropLook(family, (0.6, 0.2, 0.2), (0.3, 0.3, 0.5)), tuple(axes.items()))


def ahead(x: float, y: float, z: float) -> np.ndarray:
    return placement(to_world(AT, YAW, (x, y, z)), YAW)


def stage_for(kind: str) -> Stage:
    """A stage on which the action makes sense."""
    stage = Stage(FIGURE, AT, YAW, seed=5)
    crate, cup, jug = prop("crate"), prop("cup"), prop("jug")
    point = to_world(AT, YAW, (0.05, 0.45, 0.85))
    end = to_world(AT, YAW, (0.4, 2.2, 0.0))[:2]
    match kind:
        case "pick up" | "take out" | "take down":
            return replace(stage, model=crate if kind == "pick up" else cup, start=ahead(0.05, 0.42, 0.4))
        case "put down" | "put into" | "hang up":
            return replace(stage, model=crate if kind == "put down" else cup, end=ahead(0.05, 0.42, 0.4))
        case "hand over":
            facing = to_world(AT, YAW, (0.0, 0.95, 0.0))[:2]
            return replace(stage, model=cup, partner=OTHER, partner_at=facing, partner_yaw=YAW + 180)
        case "walk" | "turn":
            return replace(stage, path=(end,) if kind == "walk" else (), yaw_end=YAW + 130)
        case "carry":
            return replace(stage, model=crate, path=(end,))
        case "push":
            return replace(stage, model=prop("barrow"), path=(end,))
        case "pull":
            return replace(stage, model=crate, start=ahead(0.0, 0.5, 0.0), path=(to_world(AT, YAW, (0, -1.5, 0))[:2],))
        case "pour" | "fill":
            return replace(stage, model=jug, point=point)
        case "hammer" | "saw" | "sweep" | "rake" | "read":
            tools = {"hammer": "hammer", "saw": "saw", "sweep": "broom", "rake": "rake", "read": "book"}
            floor = to_world(AT, YAW, (0.05, 0.75, 0.0))
            spot = None if kind == "read" else floor if kind in ("sweep", "rake") else point
            return replace(stage, model=prop(tools[kind]), point=spot)
        case "put on hat" | "take off hat":
            return replace(stage, model=prop("hat"))
        case "stand" | "look around" | "wave" | "sit" | "kneel" | "pat pockets" | "break" | "put on" | "take off":
            return stage
        case "pull rope" | "ring bell":
            return replace(stage, point=to_world(AT, YAW, (0.1, 0.35, 1.6)))
    return replace(stage, point=point)


def joints(figure: Figure, moment: Moment) -> np.ndarray:
    """World places of all bones."""
    acted = moment.actor
    return world_matrices(figure, solve(figure, acted.stance), (*acted.at, 0.0), acted.yaw)[:, :, 3]


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_every_action_is_smooth_alive_and_repeatable(kind: str) -> None:
    play, again = (perform(kind, stage_for(kind)) for _ in range(2))
    places = []
    for frame in range(FRAMES):
        moment = play(frame / (FRAMES - 1))
        places.append(joints(FIGURE, moment))
        assert 0.0 <= moment.share <= 1.0
        if moment.thing is not None:
            assert np.allclose(moment.thing[:, :3] @ moment.thing[:, :3].T, np.eye(3), atol=1e-6)
    path = np.array(places)
    assert np.isfinite(path).all()
    assert np.array_equal(path[40], joints(FIGURE, again(40 / (FRAMES - 1))))
    steps = np.linalg.norm(np.diff(path, axis=0), axis=2)
    # A hammer falls at three metres a second; nothing jumps.
    fastest = steps.max(axis=0)
    assert fastest.max() < 0.16, BONES[int(fastest.argmax())]
    assert (steps.max(axis=1) > 1e-6).all()


@pytest.mark.parametrize("kind", sorted(ACTIONS))
def test_every_action_begins_and_ends_in_the_given_stances(kind: str) -> None:
    stage = stage_for(kind)
    play = perform(kind, stage)
    if kind in ("sit", "kneel"):
        return
    holding = stage.model is not None and kind not in ("put on hat", "take off hat")
    hands = hands_for(stage.model)
    for t, given in ((0.0, stage.before), (1.0, stage.after)):
        stance = play(t).actor.stance
        free = given.left is None and given.right is None
        if holding or not free:
            continue
        pose, plain = solve(FIGURE, stance), solve(FIGURE, given)
        for side in ("left", "right"):
            gap = hand_matrix(FIGURE, pose, side)[:, 3] - hand_matrix(FIGURE, plain, side)[:, 3]
            assert np.linalg.norm(gap) < 0.03, (kind, t, side, hands)


HELD = [("pick up", 0.56, 1.0), ("put down", 0.0, 0.54), ("put into", 0.0, 0.54), ("take out", 0.56, 1.0),
        ("carry", 0.0, 1.0), ("push", 0.0, 1.0), ("pour", 0.0, 1.0), ("pull", 0.3, 0.7)]  # fmt: skip


@pytest.mark.parametrize(("kind", "start", "end"), HELD)
def test_hands_stay_on_what_they_hold(kind: str, start: float, end: float) -> None:
    stage = stage_for(kind)
    assert stage.model is not None
    hands = "both" if kind == "pull" else hands_for(stage.model)
    grips = grips_of(stage.model, hands)
    play = perform(kind, stage)
    worst = 0.0
    for t in np.linspace(start, end, 25):
        moment = play(float(t))
        assert moment.thing is not None
        pose = solve(FIGURE, moment.actor.stance)
        fists = [
            hand_matrix(FIGURE, pose, s, (*moment.actor.at, 0.0), moment.actor.yaw)[:, 3] for s in ("left", "right")
        ]
        for grip in grips.values():
            mirrored = (-grip.at[0], -grip.at[1], grip.at[2])
            ways = [moment.thing[:, :3] @ np.array(p) + moment.thing[:, 3] for p in (grip.at, mirrored)]
            worst = max(worst, min(float(np.linalg.norm(w - f)) for w in ways for f in fists))
    assert worst < 0.05


@pytest.mark.parametrize("kind", ["walk", "carry", "push"])
def test_planted_feet_do_not_slide(kind: str) -> None:
    play = perform(kind, stage_for(kind))
    path = np.array([joints(FIGURE, play(k / 300)) for k in range(301)])
    for side in ("left", "right"):
        foot = path[:, BONES.index(f"{side} foot")]
        flat = np.abs(foot[:, 2] - FIGURE.measures.ankle) < 1e-4
        slip = np.linalg.norm(np.diff(foot[:, :2], axis=0), axis=1)[flat[1:] & flat[:-1]]
        assert len(slip) > 30
        assert slip.max() < 0.006
    assert math.dist(path[-1, 0, :2], path[0, 0, :2]) > 1.5


def test_a_walk_follows_its_path_and_ends_facing_as_told() -> None:
    corner, goal = (4.5, 2.0), (4.5, 4.0)
    play = perform("walk", Stage(FIGURE, AT, 90.0, path=(corner, goal), yaw_end=-45.0))
    end = play(1.0).actor
    assert end.at == pytest.approx(goal, abs=0.02)
    assert (end.yaw + 45.0) % 360.0 == pytest.approx(0.0, abs=0.5)
    near = min(math.dist(play(k / 50).actor.at, corner) for k in range(51))
    assert near < 0.35


def test_an_empty_path_turns_on_the_spot() -> None:
    play = perform("walk", Stage(FIGURE, AT, 10.0, path=(AT,), yaw_end=190.0))
    assert play(1.0).actor.at == pytest.approx(AT)
    assert play(1.0).actor.yaw % 360 == pytest.approx(190.0, abs=0.5)


def test_what_is_handed_over_changes_hands() -> None:
    stage = stage_for("hand over")
    play = perform("hand over", stage)
    moments = [play(t) for t in (0.0, 0.5, 1.0)]
    assert all(m.partner is not None and m.thing is not None for m in moments)
    far = [[math.dist(m.thing[:2, 3], at) for at in (stage.at, stage.partner_at)] for m in moments]  # type: ignore[index]
    assert far[0][0] < far[0][1]
    assert far[2][1] < far[2][0]
    path = np.array([play(k / 200).thing[:, 3] for k in range(201)])  # type: ignore[index]
    assert np.linalg.norm(np.diff(path, axis=0), axis=1).max() < 0.05


def test_a_thing_given_a_start_and_an_end_goes_from_one_to_the_other() -> None:
    stage = replace(stage_for("pick up"), end=ahead(0.2, 0.3, 1.0), after=Stance(right=Hand((0.2, 0.3, 1.1))))
    assert stage.start is not None
    play = perform("pick up", stage)
    assert np.allclose(play(0.0).thing, stage.start)  # type: ignore[arg-type]
    assert np.allclose(play(1.0).thing, stage.end)  # type: ignore[arg-type]


def test_a_low_thing_is_stooped_for_and_a_high_one_is_stretched_for() -> None:
    low = perform("pick up", replace(stage_for("take out"), start=ahead(0.05, 0.40, 0.0)))(0.5)
    high = perform("take down", replace(stage_for("take down"), start=ahead(0.05, 0.35, 1.95)))(0.5)
    head = BONES.index("head")
    assert joints(FIGURE, low)[head, 2] < 0.75 * FIGURE.measures.height
    assert joints(FIGURE, high)[head, 2] > 0.80 * FIGURE.measures.height


@pytest.mark.parametrize("family", ["door", "chest", "oven", "drawers"])
def test_a_hand_follows_the_handle_of_a_real_fixture(family: str) -> None:
    look = PropLook(family, (0.6, 0.2, 0.2), (0.3, 0.3, 0.5))
    track = handle_track(look, "open", 0.0, 1.0, placement((3.0, 3.0, 0.0), 180.0))
    assert len(track) > 5
    at, yaw = standing_spot(FIGURE, track[0], (0.0, -1.0))
    play = perform("open door", Stage(FIGURE, at, yaw, track=track))
    for t in (0.36, 0.45, 0.52):
        moment = play(t)
        fist = hand_matrix(FIGURE, solve(FIGURE, moment.actor.stance), "right", (*at, 0.0), yaw)[:, 3]
        reached = (track[0], *(p for p in track if moment.share > 0))
        assert min(math.dist(fist, p) for p in reached) < 0.12, (family, t)


def test_an_unmoving_fixture_has_no_track() -> None:
    look = PropLook("anvil", (0.6, 0.2, 0.2), (0.3, 0.3, 0.5))
    assert (
        handle_track(look, "open", 0.0, 1.0, placement()) == ()
        or len(set(handle_track(look, "open", 0, 1, placement()))) > 1
    )


@pytest.mark.parametrize("family", ["cup", "bucket", "crate", "sack", "barrow", "book", "lantern", "broom"])
def test_carried_things_are_held_by_their_grips(family: str) -> None:
    model = prop(family)
    where, stance = carried(FIGURE, model), carrying(FIGURE, model)
    pose = solve(FIGURE, stance)
    gaps = []
    for grip in grips_of(model, hands_for(model)).values():
        for p in (grip.at, (-grip.at[0], -grip.at[1], grip.at[2])):
            point = where[:, :3] @ np.array(p) + where[:, 3]
            gaps += [float(np.linalg.norm(hand_matrix(FIGURE, pose, s)[:, 3] - point)) for s in ("left", "right")]
    assert min(gaps) < 0.05


def test_own_space_and_world_are_inverse() -> None:
    assert to_own(AT, YAW, to_world(AT, YAW, (0.3, 0.7, 1.1))) == pytest.approx((0.3, 0.7, 1.1))
    at, yaw = standing_spot(FIGURE, (1.0, 1.0, 0.8), (0.0, -1.0))
    assert to_own(at, yaw, (1.0, 1.0, 0.8))[1] == pytest.approx(0.27 * FIGURE.measures.height)


def test_unknown_actions_and_missing_things_are_named() -> None:
    with pytest.raises(ContractError, match="juggle"):
        perform("juggle", Stage(FIGURE, AT, YAW))
    with pytest.raises(ContractError, match="thing"):
        perform("pick up", Stage(FIGURE, AT, YAW))
    with pytest.raises(ContractError, match="partner"):
        perform("hand over", Stage(FIGURE, AT, YAW, model=prop("cup")))


@pytest.mark.parametrize("hand", ["left", "right"])
def test_a_book_in_one_hand_shows_its_cover_ahead_and_aside(hand: str) -> None:
    """Level, it would show others no more than an edge; what lies on a plate must not slide off."""
    up = np.array([0.0, 0.0, 1.0])
    outwards = -1.0 if hand == "left" else 1.0
    for turn in (0.0, 70.0):
        x, y, z = carried(FIGURE, prop("book"), hand, turn)[:, :3] @ up
        assert min(x * outwards, y, z) > 0.4
        assert np.allclose(carried(FIGURE, prop("plate"), hand, turn)[:, :3] @ up, up)
