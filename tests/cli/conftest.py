"""Commands run in this process through `main`, as the installed program does."""

import json
import sys
from dataclasses import dataclass

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
