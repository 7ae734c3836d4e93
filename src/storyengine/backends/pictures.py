"""Pictures as providers take them."""

from __future__ import annotations

import base64


def mime_type(image: bytes) -> str:
    """By the first bytes; ports carry PNG or JPEG."""
    return "image/jpeg" if image.startswith(b"\xff\xd8") else "image/png"


def base64_text(image: bytes) -> str:
    return base64.b64encode(image).decode("ascii")


def data_url(image: bytes) -> str:
    return f"data:{mime_type(image)};base64,{base64_text(image)}"
