"""Commands run in this process through `main`, as the installed program does."""

import json
import os
import pty
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from storyengine.cli.main import main


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self):
        """The one JSON line that stdout must be."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


@pytest.fixture
def run(monkeypatch, capsys):
    def run(*words) -> Result:
        monkeypatch.setattr(sys, "argv", ["storyengine", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        captured = capsys.readouterr()
        return Result(end.value.code or 0, captured.out, captured.err)

    return run


@pytest.fixture
def type_in():
    """Run the installed program on a real terminal and type the answers; returns its exit code and what it showed."""

    def type_in(typed: str, *words, cwd: Path) -> tuple[int, str]:
        master, terminal = pty.openpty()
        program = [Path(sys.executable).with_name("storyengine"), *map(str, words)]
        process = subprocess.Popen(program, cwd=cwd, stdin=terminal, stdout=terminal, stderr=terminal)
        os.close(terminal)
        os.write(master, typed.encode())
        seen = b""
        while True:
            try:
                seen += os.read(master, 4096)
            except OSError:  # the other side of the terminal is closed: the program has ended
                break
        os.close(master)
        return process.wait(), seen.decode()

    return type_in
