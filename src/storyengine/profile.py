"""Who makes the film: which planner, painter, animator and judge. Keys are read from the environment alone."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator

from storyengine import documents
from storyengine.errors import InputError
from storyengine.wording import Line, Look, Value

EMBEDDED = "embedded"
"""The planner that works by rules, offline and free."""
PREVIZ = "previz"
"""The embedded studio: painter, animator and judge, offline and free."""


class Choice(Value):
    """One backend, by the name it is registered under."""

    backend: Line
    model: Look = ""
    """The provider's name for the model; empty for the backend's default."""
    base_url: Look = ""
    """Where the service is reached; empty for the provider's own address."""

    def options(self) -> dict[str, str]:
        """What the backend's factory is told: only what was chosen."""
        return self.model_dump(exclude={"backend"}, exclude_defaults=True)


def _by_name(value: Any) -> Any:
    return {"backend": value} if isinstance(value, str) else value


Chosen = Annotated[Choice, BeforeValidator(_by_name)]
"""A choice; a bare name is enough."""


class Profile(Value):
    """A choice for every part. Without any, everything is embedded: free, offline, deterministic."""

    planner: Chosen = Choice(backend=EMBEDDED)
    """Makes the plan: `embedded`, or a language model."""
    painter: Chosen = Choice(backend=PREVIZ)
    """Makes pictures: references and openings."""
    animator: Chosen = Choice(backend=PREVIZ)
    """Makes clips from openings."""
    judge: Chosen = Choice(backend=PREVIZ)
    """Holds pictures and clips against the plan."""


def read_profile(document: documents.Document) -> Profile:
    """Read a profile, or raise InputError listing every problem with file, line and field."""
    try:
        return documents.validate(Profile, document)
    except InputError as error:
        raise InputError(
            error.message,
            next_step="A line looks like `planner: openai`. Keys never stand here; set them in the environment.",
        ) from None
