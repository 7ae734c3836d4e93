"""Every prompt text, as a file with a version. A changed text gets a new version: it is part of a step's key."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template

from storyengine.errors import ContractError


@dataclass(frozen=True)
class Prompt:
    """A text with places for values, written `$name`."""

    name: str
    version: int
    template: str

    @property
    def label(self) -> str:
        """`planner@1`: what records call it."""
        return f"{self.name}@{self.version}"

    def fill(self, **values: str) -> str:
        """The text with its values. What a value holds is never filled again."""
        try:
            return Template(self.template).substitute(values)
        except (KeyError, ValueError) as error:
            raise ContractError(f"The prompt {self.label} cannot be filled: {error}.") from None


@cache
def read_prompt(name: str, version: int) -> Prompt:
    """A prompt from its file, `name-version.txt`."""
    file = resources.files(__package__).joinpath(f"{name}-{version}.txt")
    try:
        return Prompt(name, version, file.read_text(encoding="utf-8").strip())
    except FileNotFoundError:
        raise ContractError(f"There is no prompt {name}@{version}.") from None
