import pytest

from storyengine.errors import Misconfigured
from storyengine.previz.studio.fallibility import PROFILES, TABLE, Dice, rate


def test_a_perfect_executant_never_fails():
    assert not any(Dice("none", f"sample {k}").fails(kind) for k in range(200) for kind in TABLE)


@pytest.mark.parametrize("kind", TABLE)
def test_failures_come_at_their_rate(kind):
    count = sum(Dice("high", f"sample {k}").fails(kind) for k in range(4000))
    expected = rate("high", kind)
    assert abs(count / 4000 - expected) < 4 * (expected * (1 - expected) / 4000) ** 0.5 + 1e-9


def test_luck_belongs_to_the_sample():
    throws = [Dice("default", f"sample {k}").fails("wrong state", "door") for k in range(300)]
    assert throws == [Dice("default", f"sample {k}").fails("wrong state", "door") for k in range(300)]
    assert len(set(throws)) == 2


def test_conditioning_helps_except_in_the_flat_profile():
    for kind, failure in TABLE.items():
        for condition, factor in failure.when.items():
            if failure.rate * factor < 0.9:
                assert rate("default", kind, {condition}) == pytest.approx(failure.rate * factor)
            assert rate("flat", kind, {condition}) == failure.rate


def test_profiles_are_in_order_and_others_are_refused():
    order = [rate(profile, "identity drift") for profile in ("none", "low", "default", "high")]
    assert order == sorted(order)
    assert rate("flat", "identity drift") == rate("default", "identity drift")
    with pytest.raises(Misconfigured, match="Did you mean 'high'"):
        Dice("hihg", "")
    assert set(PROFILES) == {"none", "low", "default", "high", "flat"}
