"""StoryEngine turns a story brief into a coherent multi-shot film.

The names below are the public ones; everything else may be rearranged. Those that make films come from
`storyengine.api` and are loaded when they are first used: they bring numpy, OpenCV and numba with them.
"""

from typing import TYPE_CHECKING, Any

from storyengine.check import Finding, Findings, check_plan, mend_plan
from storyengine.documents import parse as parse_document
from storyengine.errors import ExitCode, StoryEngineError
from storyengine.language import Claim, parse, render
from storyengine.plan import Catalog, SemanticPlan, plan_json, plan_schema, plan_yaml, read_plan
from storyengine.request import StoryRequest, read_request
from storyengine.state import Trajectory, World, is_visible, reduce, replay, whereabouts

__version__ = "0.1.0"

if TYPE_CHECKING:
    from storyengine.api import (
        cuts,
        export,
        forecast,
        make_film,
        make_plan,
        make_storyboard,
        pin,
        redo,
        restore_cut,
        status,
        unpin,
        verify,
        why,
    )

_API = (
    "cuts",
    "export",
    "forecast",
    "make_film",
    "make_plan",
    "make_storyboard",
    "pin",
    "redo",
    "restore_cut",
    "status",
    "unpin",
    "verify",
    "why",
)


def __getattr__(name: str) -> Any:
    if name in _API:
        from storyengine import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "Catalog",
    "Claim",
    "ExitCode",
    "Finding",
    "Findings",
    "SemanticPlan",
    "StoryEngineError",
    "StoryRequest",
    "Trajectory",
    "World",
    "check_plan",
    "cuts",
    "export",
    "forecast",
    "is_visible",
    "make_film",
    "make_plan",
    "make_storyboard",
    "mend_plan",
    "parse",
    "parse_document",
    "pin",
    "plan_json",
    "plan_schema",
    "plan_yaml",
    "read_plan",
    "read_request",
    "redo",
    "reduce",
    "render",
    "replay",
    "restore_cut",
    "status",
    "unpin",
    "verify",
    "whereabouts",
    "why",
]
