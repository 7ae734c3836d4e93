"""Runs commands as a user would: the installed program, in a folder of its own, over real pipes."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAM = Path(sys.executable).with_name("storyengine")


@dataclass(frozen=True)
class Ran:
    code: int
    stdout: str
    stderr: str

    @property
    def json(self):
        """The one line of JSON on stdout; fails when there is more or less than that."""
        (line,) = self.stdout.splitlines()
        return json.loads(line)


def storyengine(*words, cwd=None, timeout=100):
    """Run `storyengine words…` with plain output."""
    result = subprocess.run(
        [PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=timeout, stdin=subprocess.DEVNULL
    )
    return Ran(result.returncode, result.stdout, result.stderr)
