"""Backends by name, imported on first use.

A third-party package offers one through an entry point in the group of its port:

    [project.entry-points."storyengine.painters"]
    watercolour = "my_package:make_painter"

The entry point is a factory: it takes the backend's options by keyword and returns an object with the port's
methods.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from storyengine.documents import did_you_mean
from storyengine.errors import Misconfigured, MissingDependency


class Port(Enum):
    """The four ports; the value is the group of their entry points."""

    TEXT = "storyengine.text_models"
    PAINTER = "storyengine.painters"
    ANIMATOR = "storyengine.animators"
    JUDGE = "storyengine.judges"

    @property
    def noun(self) -> str:
        return self.name.lower().replace("text", "text model")


BUILT_IN: dict[Port, dict[str, str]] = {
    Port.TEXT: {
        "openai": "storyengine.backends.openai:make_text_model",
        "google": "storyengine.backends.google:make_text_model",
        "openai-compatible": "storyengine.backends.openai_compatible:make_text_model",
    },
    Port.PAINTER: {"previz": "storyengine.previz.studio.painter:make_painter"},
    Port.ANIMATOR: {"previz": "storyengine.previz.studio.animator:make_animator"},
    Port.JUDGE: {"previz": "storyengine.previz.evaluator:make_judge"},
}
"""Our own backends: name → `module:factory`."""

EXTRAS: dict[str, str] = {}
"""The extra that installs a vendor's module: top-level module → extra."""


def available(port: Port) -> tuple[str, ...]:
    """The names of a port's backends, ours first."""
    theirs = sorted(point.name for point in _entry_points(port))
    return tuple(dict.fromkeys([*BUILT_IN[port], *theirs]))


def load(port: Port, name: str) -> Callable[..., Any]:
    """The factory of a backend. Imports its module now, and not before."""
    target = BUILT_IN[port].get(name)
    if target is None:
        target = next((point.value for point in _entry_points(port) if point.name == name), None)
    if target is None:
        names = available(port)
        raise Misconfigured(
            f"Unknown {port.noun} {name!r}{did_you_mean(name, names)}",
            next_step=f"Available: {', '.join(names) or 'none'}.",
        )
    return _import(port, name, target)


def _entry_points(port: Port) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=port.value))


def _import(port: Port, name: str, target: str) -> Callable[..., Any]:
    module, _, attribute = target.partition(":")
    try:
        factory: Callable[..., Any] = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in EXTRAS:
            raise MissingDependency(f"{missing}, which the {port.noun} {name!r} needs,", EXTRAS[missing]) from None
        raise Misconfigured(f"The {port.noun} {name!r} cannot be loaded: {error}.") from error
    except AttributeError:
        raise Misconfigured(f"The {port.noun} {name!r} points to {target!r}, which does not exist.") from None
    return factory
