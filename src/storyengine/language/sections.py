"""Prompts for pictures and clips are written in sections: a heading in capitals, then lines.

    TASK: Paint the first frame of a shot.
    MUST SHOW:
    - Mina is in frame.

Written and read in one place, so that what is asked for and what the embedded studio understands cannot drift apart.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

_HEADING = re.compile(r"([A-Z][A-Z ]{2,40}):(?: (.*))?")


def write_sections(sections: Mapping[str, str | Sequence[str]]) -> str:
    """Text from sections; empty ones are left out."""
    parts = []
    for heading, content in sections.items():
        if isinstance(content, str):
            if content:
                parts.append(f"{heading}: {content}")
        elif content:
            parts.append("\n".join([f"{heading}:", *(f"- {line}" for line in content)]))
    return "\n".join(parts)


def read_sections(text: str) -> dict[str, list[str]]:
    """Sections of a text, each as its lines; what stands before the first heading is under the empty one."""
    sections: dict[str, list[str]] = {}
    heading = ""
    for line in text.splitlines():
        match = _HEADING.fullmatch(line.strip())
        if match:
            heading = match[1]
            sections.setdefault(heading, [])
            line = match[2] or ""
        content = line.strip().removeprefix("- ").strip()
        if content:
            sections.setdefault(heading, []).append(content)
    return sections
