"""The benchmarks, small: they must run and end in one JSON line that says ok."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ["kill.py", "--kills", "8", "--steps", "60", "--direct", "6"],
        ["runs.py", "--resume", "60", "--graph", "30", "--journal", "500", "--no-ray"],
    ],
    ids=lambda words: words[0],
)
def test_a_small_run_is_ok(words):
    done = subprocess.run([sys.executable, BENCHMARKS / words[0], *words[1:]], capture_output=True, text=True)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["ok"], done.stdout
    assert done.returncode == 0
