import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyengine.backends import Box
from storyengine.grounding.camera import Wish, holds, solve
from storyengine.grounding.sphere import PROBES, Extent, Look, direction, extent, joined, project, turn
from storyengine.plan import SpatialIntent

yaws, pitches = st.floats(-180, 180), st.floats(-60, 60)
looks = st.builds(Look, yaws, st.floats(-40, 40), st.floats(30, 100), st.sampled_from([1.0, 16 / 9, 9 / 16]))


@given(looks, st.floats(0.02, 0.98), st.floats(0.02, 0.98))
def test_projecting_a_direction_gives_the_point_back(look, x, y):
    again = project(look, *direction(look, x, y))
    assert again == pytest.approx((x, y), abs=1e-6)


def test_the_middle_of_a_probe_is_its_own_direction():
    assert direction(PROBES["right"], 0.5, 0.5) == pytest.approx((90, 0))
    assert direction(PROBES["left"], 0.5, 0.5) == pytest.approx((-90, 0))
    assert direction(PROBES["front"], 1.0, 0.5) == pytest.approx((45, 0))
    assert project(PROBES["front"], 180, 0) is None


def test_a_thing_cut_by_a_probes_edge_is_joined():
    left = extent(PROBES["front"], Box(0.8, 0.4, 0.2, 0.2))
    right = extent(PROBES["right"], Box(0.0, 0.4, 0.2, 0.2))
    whole = joined(left, right)
    assert whole.yaw == pytest.approx(45, abs=1)
    assert whole.half_width > left.half_width + right.half_width - 1


extents = st.builds(Extent, yaws, st.floats(-20, 20), st.floats(1, 12), st.floats(1, 10))


@given(
    st.lists(st.tuples(extents, st.integers(0, 3)), max_size=5),
    st.sampled_from(["wide", "medium", "tight"]),
    st.integers(0, 6),
)
def test_what_the_solver_claims_to_hold_is_in_the_frame(items, framing, number):
    wishes = [Wish(f"w{i}", where, importance) for i, (where, importance) in enumerate(items)]
    solved = solve(wishes, SpatialIntent(framing=framing), 16 / 9, number)
    by_name = {wish.name: wish.extent for wish in wishes}
    assert set(solved.held) | set(solved.dropped) == set(by_name)
    for name in solved.held:
        assert holds(solved.look, by_name[name])


def test_nothing_is_dropped_when_all_fits_and_the_least_important_first_when_not():
    action, near, far = Extent(10, -5, 10, 10), Extent(25, 0, 5, 5), Extent(170, 0, 5, 5)
    fits = solve([Wish("action", action, 0), Wish("near", near, 2)], SpatialIntent(), 16 / 9, 0)
    assert fits.dropped == ()
    spread = solve([Wish("action", action, 0), Wish("far", far, 2), Wish("near", near, 1)], SpatialIntent(), 16 / 9, 0)
    assert spread.dropped == ("far",)


def test_successive_shots_of_a_place_stand_half_a_metre_apart():
    wish = [Wish("action", Extent(30, 0, 10, 10), 0)]
    stations = [solve(wish, SpatialIntent(), 16 / 9, n).view for n in range(5)]
    for i, one in enumerate(stations):
        for other in stations[i + 1 :]:
            assert math.hypot(one.right - other.right, one.forward - other.forward) >= 0.5


@given(st.floats(-1000, 1000))
def test_turns_stay_within_half_a_circle(angle):
    assert -180 <= turn(angle) <= 180
