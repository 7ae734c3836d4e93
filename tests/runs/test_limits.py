import anyio
import pytest

from storyengine.errors import BudgetExhausted, InputError
from storyengine.runs.ledger import Ledger, Line, dollars, micro_dollars
from storyengine.runs.limits import Pace, Resources
from storyengine.runs.rows import Call, CallState


def test_resources_are_never_exceeded_and_everybody_gets_a_turn():
    resources = Resources({"cpu": 3, "gpu": 1})
    held = {"cpu": 0, "gpu": 0}
    peaks = {"cpu": 0, "gpu": 0}
    served = []

    async def user(index, needs):
        async with resources.hold(needs):
            for name, amount in needs.items():
                held[name] += amount
                peaks[name] = max(peaks[name], held[name])
            await anyio.sleep(0.001)
            for name, amount in needs.items():
                held[name] -= amount
            served.append(index)

    async def main():
        async with anyio.create_task_group() as tasks:
            for index in range(30):
                needs = [{"cpu": 1}, {"cpu": 3}, {"cpu": 1, "gpu": 1}][index % 3]
                tasks.start_soon(user, index, needs)

    anyio.run(main)
    assert sorted(served) == list(range(30))
    assert peaks == {"cpu": 3, "gpu": 1}


def test_a_cancelled_waiter_gives_its_place_away():
    async def main():
        resources = Resources({"cpu": 1})
        async with resources.hold({"cpu": 1}), anyio.create_task_group() as tasks:

            async def impatient():
                with anyio.move_on_after(0.01):
                    async with resources.hold({"cpu": 1}):
                        raise AssertionError("it was not free")

            tasks.start_soon(impatient)
        with anyio.fail_after(1):
            async with resources.hold({"cpu": 1}):
                return True

    assert anyio.run(main)


def test_pace_spaces_starts_evenly():
    async def main():
        pace = Pace(200)
        starts = []

        async def one():
            await pace.turn()
            starts.append(anyio.current_time())

        async with anyio.create_task_group() as tasks:
            for _ in range(20):
                tasks.start_soon(one)
        return starts

    starts = sorted(anyio.run(main))
    # No burst: any twenty starts take at least nineteen gaps, however late the machine is.
    assert starts[-1] - starts[0] >= 19 / 200 - 0.01


def call(name, state, estimate, actual=None, stage="clips", provider="veo"):
    return Call(name, name, 1, name, provider, stage, state, None, None, None, estimate, actual, "", 1, 0.0)


def test_the_ledger_reserves_settles_and_groups():
    ledger = Ledger(cap=100)
    ledger.require(60, "a")
    ledger.note(call("a", CallState.INTENT, 60))
    with pytest.raises(BudgetExhausted, match="Raise the cap"):
        ledger.require(41, "b")
    ledger.note(call("a", CallState.SUBMITTED, 60))
    assert ledger.exposure == 60
    ledger.note(call("a", CallState.DONE, 60, actual=50))
    ledger.require(50, "b")
    ledger.note(call("b", CallState.AMBIGUOUS, 30))
    ledger.note(call("c", CallState.INTENT, 5, stage="library", provider="gpt"))
    ledger.note(call("d", CallState.REFUSED, 9, actual=0, stage="library", provider="gpt"))
    assert (ledger.spent, ledger.exposure) == (50, 85)
    assert ledger.lines() == [
        Line("clips", "veo", calls=2, estimate=90, actual=50, reserved=0, uncertain=30),
        Line("library", "gpt", calls=2, estimate=14, actual=0, reserved=5, uncertain=0),
    ]


@pytest.mark.parametrize(
    ("text", "micros"), [("2.50", 2_500_000), ("$0.000001", 1), (0.1, 100_000), ("0", 0), (3, 3_000_000)]
)
def test_money_is_read_exactly(text, micros):
    assert micro_dollars(text) == micros


@pytest.mark.parametrize("text", ["much", "-1", "nan", "inf", ""])
def test_what_is_no_money_is_refused(text):
    with pytest.raises(InputError):
        micro_dollars(text)


@pytest.mark.parametrize(("micros", "text"), [(2_500_000, "$2.50"), (1, "$0.000001"), (0, "$0.00"), (40_000, "$0.04")])
def test_money_is_written_exactly(micros, text):
    assert dollars(micros) == text
    assert micro_dollars(text) == micros
