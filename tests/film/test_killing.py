"""A film that is killed again and again comes out as if nothing had happened."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.mark.slow
def test_killed_six_times_the_film_has_the_same_bytes_and_nothing_was_ordered_twice():
    command = [sys.executable, BENCHMARKS / "film_kill.py", "--kills", "6", "--per-film", "6"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["kills"] == 6, done.stderr
    assert figures["films that differ"] == figures["orders repeated"] == figures["calls begun again"] == 0
