"""Kills a run of paid steps with SIGKILL, again and again, until it has finished; then counts the charges.

    python benchmarks/kill.py --kills 100 [--steps 450] [--direct 30] [--seed 1]

A paid service runs in a process of its own and is never killed. Two kinds of steps are bought from it:
jobs that can be found again by the name of their call, and direct answers that cannot. Half of the kills
come at a random moment, the others from the service itself: before it charges, after it charged, or right
after its answer has left, so that the run dies between the response and its commit.

Repeats are charges for the same call without a decision to pay again, and must be 0. A killed direct call is
ambiguous: it is listed with what really happened, and paid again only in the last run, which is told to.
"""

import argparse
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import anyio

# The service that the tests use; it belongs to them, and a second one here would drift away from it.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.runs.paid_service import Direct, JobsWithLookup, Running, running_service

from storyengine.runs.executor import LocalExecutor
from storyengine.runs.payment import never_repay, repay_all
from storyengine.runs.project import Project, journal_path, read_journal
from storyengine.runs.provider import Limits
from storyengine.runs.rows import CallState
from storyengine.runs.runner import Runner
from storyengine.runs.step import Done, From, Paid, Step

LIMITS = Limits(concurrency=4, poll_seconds=0.01, settle_seconds=0.1)
MOMENTS = ("before charge", "after charge", "after response")


def film(jobs: int, direct: int) -> list[Step]:
    """Jobs in chains of three, as shots wait for the tail before them; direct answers on their own."""
    steps = []
    for index in range(jobs):
        inputs = {"tail": From(f"clip {index - 1}")} if index % 3 else {}
        paid = Paid("jobs", "clips", 50_000)
        params = {"prompt": f"clip {index}"}
        steps.append(Step(kind="clip", version="1", slot=f"clip {index}", inputs=inputs, params=params, paid=paid))
    for index in range(direct):
        paid = Paid("direct", "dialogue", 50_000)
        params = {"prompt": f"line {index}"}
        steps.append(Step(kind="line", version="1", slot=f"line {index}", params=params, paid=paid))
    random.Random(0).shuffle(steps)
    return steps


def live(folder: Path, address: str, steps: list[Step], pay_again: bool) -> dict[str, str]:
    """One life of the run: from the start, or from wherever the last one died."""

    async def main() -> dict[str, str]:
        clients = [JobsWithLookup(address, "jobs", LIMITS), Direct(address, "direct", LIMITS)]
        with Project(folder) as project:
            async with LocalExecutor("threads") as executor:
                repay = repay_all if pay_again else never_repay
                async with Runner(project, executor, providers=clients, repay=repay) as runner:
                    results = await runner.run(steps)
        for client in clients:
            await client.close()
        return {slot: result.artifact.digest for slot, result in results.items() if isinstance(result, Done)}

    return anyio.run(main)


def kill_until_finished(
    folder: Path, service: Running, steps: list[Step], kills: int, seed: int
) -> tuple[Counter, int]:
    """Returns how many lives ended how, and how many charges had not been written down when one ended."""
    chance = random.Random(seed)
    ends: Counter = Counter()
    rescued = 0
    before = len(service.charges())
    while sum(ends.values()) < kills:
        child = multiprocessing.get_context("fork").Process(target=live, args=(folder, service.address, steps, False))
        charged = len(service.charges())
        left = len(steps) - (charged - before)
        lives = kills - sum(ends.values())
        # Spread the kills over the whole run: each life gets about its share of what is left to buy, and
        # where little is left, it is killed soon after its start.
        share = chance.randint(0, max(0, 2 * left // lives - LIMITS.concurrency))
        scarce = left < LIMITS.concurrency * lives
        moment = "random" if scarce else chance.choice((*MOMENTS, "random", "random", "random"))
        service.kill_caller(moment, after=charged + share)
        child.start()
        if moment == "random":
            if share:
                wait_for_charges(service, charged + share, child)
            child.join(chance.uniform(0, 0.1))
            child.kill()
        child.join()
        if child.exitcode == 0:
            break
        ends[moment] += 1
        print(f"\rkilled {sum(ends.values())} times, {charged - before} charges", end="", file=sys.stderr)
        rescued += charged_without_job(folder, service)
    service.kill_caller("never", after=0)
    return ends, rescued


def charged_without_job(folder: Path, service: Running) -> int:
    """Jobs that the dead run was charged for and had no time to write down: only a look-up finds them."""
    if not journal_path(folder).exists():
        return 0
    with read_journal(folder) as journal:
        intents = {c.name for c in journal.calls() if c.state is CallState.INTENT and c.provider == "jobs"}
    return len(intents & set(service.charges()))


def wait_for_charges(service: Running, wanted: int, child: multiprocessing.Process) -> None:
    while child.is_alive() and len(service.charges()) < wanted:
        time.sleep(0.005)


def explain_ambiguous(folder: Path, charges: Counter) -> list[dict]:
    with read_journal(folder) as journal:
        unsure = [call for call in journal.calls() if call.state is CallState.AMBIGUOUS]
    return [
        {
            "step": call.slot,
            "call": call.name[:12],
            "in truth": "charged" if charges[call.name] else "not charged",
            "reason": call.reason,
        }
        for call in unsure
    ]


def main() -> int:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--kills", type=int, default=100)
    words.add_argument("--steps", type=int, default=450, help="jobs that can be looked up")
    words.add_argument("--direct", type=int, default=30, help="direct answers that cannot")
    words.add_argument("--seed", type=int, default=1)
    chosen = words.parse_args()
    steps = film(chosen.steps, chosen.direct)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as place, running_service(delay=0.02) as service:
        calm, killed = Path(place, "calm"), Path(place, "killed")
        wanted = live(calm, service.address, steps, False)
        undisturbed = len(service.charges())
        ends, rescued = kill_until_finished(killed, service, steps, chosen.kills, chosen.seed)
        live(killed, service.address, steps, False)
        charges = Counter(service.charges()[undisturbed:])
        ambiguous = explain_ambiguous(killed, charges)
        before_repay = sum(charges.values())
        found = live(killed, service.address, steps, True)
        charges = Counter(service.charges()[undisturbed:])
        with read_journal(killed) as journal:
            calls = journal.calls()
    per_step = Counter(call.key for call in calls for _ in range(charges[call.name]))
    decided = Counter(call.key for call in calls if call.state is CallState.AMBIGUOUS and charges[call.name])
    repeats = sum(count - 1 - decided[key] for key, count in per_step.items() if count > 1)
    unknown = sum(charges.values()) - sum(charges[call.name] for call in calls)
    figures = {
        "name": "kill",
        "steps": len(steps),
        "kills": sum(ends.values()),
        "kills by moment": dict(ends),
        "charges": sum(charges.values()),
        "charges before the decision to repay": before_repay,
        "charged but not written down at death": rescued,
        "repeats": repeats,
        "charges the journal does not know": unknown,
        "ambiguous": len(ambiguous),
        "ambiguous and charged": sum(item["in truth"] == "charged" for item in ambiguous),
        "paid twice on request": sum(decided.values()),
        "finished steps": len(found),
        "other digests than undisturbed": sum(wanted.get(slot) != digest for slot, digest in found.items()),
        "seconds": round(time.monotonic() - began, 1),
    }
    figures["ok"] = (
        repeats == 0
        and unknown == 0
        and len(found) == len(wanted) == len(steps)
        and figures["other digests than undisturbed"] == 0
        and figures["kills"] >= chosen.kills
        and figures["charges"] == len(steps) + figures["paid twice on request"]
    )
    for name, figure in figures.items():
        print(f"{name:>38}  {figure}")
    for item in ambiguous:
        print(f"  ambiguous: {item['step']} (call {item['call']}): {item['in truth']}; {item['reason']}")
    print(json.dumps({**figures, "each ambiguous call": ambiguous}))
    return 0 if figures["ok"] else 1


if __name__ == "__main__":
    sys.exit(main())
