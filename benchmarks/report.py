"""The report of a film of 200 shots: how large the page is, how long it takes to write and to open in a real browser.

    python benchmarks/report.py [--shots 200] [--opened 5]

Every shot has the four candidates of a shot that was hard to get. Media are not counted: the page holds none, and
pictures are loaded when they come into view. Opening is from the request to the end of the page's load event, in
headless Chromium with an empty cache; the slowest of several counts. Bars: 5 MB, 2 s.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.delivery.browser import PROGRAM, browser
from tests.delivery.conftest import Made, opinion, wordy
from tests.film.small_crew import SmallJudge
from tests.film.test_pipeline import PLAN, make

from storyengine.delivery.report import write_report
from storyengine.plan import SemanticPlan, plan_data

LARGEST, LONGEST = 5_000_000, 2.0
LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def long_film(made: Made, shots: int) -> tuple[SemanticPlan, list]:
    data = plan_data(made.plan)
    hardest = max((take for take in made.takes if take.chosen), key=lambda take: len(take.candidates))
    data["shots"] = (data["shots"] * (shots // len(data["shots"]) + 1))[:shots]
    for shot in data["shots"]:
        shot["anchors"] = []
    data["request"]["shots"] = shots
    takes = [
        replace(hardest, contract=hardest.contract.model_copy(update={"shot": number + 1})) for number in range(shots)
    ]
    return SemanticPlan.model_validate(data), takes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=int, default=200)
    parser.add_argument("--opened", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "film"
        film, *_ = make(folder, judge=SmallJudge(opinion, wordy))
        made = Made(folder, PLAN, film.takes)
        plan, takes = long_film(made, options.shots)
        write_report(folder, plan, takes, made.read)  # small pictures are made once, and are media
        began = time.perf_counter()
        page = write_report(folder, plan, takes, made.read)
        writing = time.perf_counter() - began
        size = page.stat().st_size
        opened = []
        if PROGRAM is not None:
            for _ in range(options.opened):
                with browser() as window:
                    window.size(1280, 900)
                    window.open(page)
                    window.until(f"{LOADED} > 0")
                    opened.append(window.value(LOADED) / 1000)
                    complaints = list(window.complaints)
                    assert not complaints, complaints
    candidates = len(takes[0].candidates)
    print(f"{options.shots} shots, {candidates} candidates each: {size / 1e6:.2f} MB, written in {writing:.2f} s")
    if opened:
        print(f"opened in {statistics.median(opened):.2f} s (median of {len(opened)}), at most {max(opened):.2f} s")
    else:
        print("no Chromium is installed: not opened")
    ok = size < LARGEST and bool(opened) and max(opened) < LONGEST
    figures = {"shots": options.shots, "bytes": size, "write_s": round(writing, 3)}
    figures |= {"open_s": [round(seconds, 3) for seconds in opened], "bars": {"bytes": LARGEST, "open_s": LONGEST}}
    print(json.dumps({"name": "report", **figures, "ok": ok}))
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
