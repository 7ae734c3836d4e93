"""Runs commands as a user would: the installed program over real pipes, or its `main` where a start would cost more."""

import json
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from unittest.mock import patch

from storyengine.cli.main import main

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


def installed(*words, cwd=None, timeout=100):
    """Run `storyengine words…` in a process of its own, with plain output."""
    result = subprocess.run(
        [PROGRAM, *map(str, words)], capture_output=True, text=True, cwd=cwd, timeout=timeout, stdin=subprocess.DEVNULL
    )
    return Ran(result.returncode, result.stdout, result.stderr)


def storyengine(*words, cwd="."):
    """Run `storyengine words…` in this process."""
    code, argv = 0, ["storyengine", *map(str, words)]
    with chdir(cwd), redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err, patch("sys.argv", argv):
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
    return Ran(code, out.getvalue(), err.getvalue())
