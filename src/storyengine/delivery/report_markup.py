"""HTML as nested calls. Text is escaped unless it is already markup, so that a story cannot write into the page."""

from __future__ import annotations

from html import escape

VOID = frozenset(("img", "link", "meta", "source"))


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | None
"""A child of an element: plain text, markup, or nothing."""


def el(tag: str, *children: Content, **attributes: str | int | bool | None) -> Markup:
    """An element. `class_` and `data_x` become `class` and `data-x`; True is a bare attribute, None and False none."""
    words = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        name = name.rstrip("_").replace("_", "-")
        words.append(name if value is True else f'{name}="{escape(str(value))}"')
    start = f"<{' '.join(words)}>"
    return Markup(start if tag in VOID else f"{start}{together(*children)}</{tag}>")


def together(*children: Content) -> Markup:
    """Children side by side."""
    return Markup(
        "".join(child if isinstance(child, Markup) else escape(child or "", quote=False) for child in children)
    )
