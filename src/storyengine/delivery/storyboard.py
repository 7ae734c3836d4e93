"""A storyboard as one printable sheet: the opening of every shot with its place, length and events."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from storyengine.media.picture import Picture
from storyengine.plan import SemanticPlan

COLUMNS, CELL, GAP, WORDS = 3, 480, 24, 96
INK, PALE, PAPER = (40, 40, 44), (120, 120, 124), (250, 248, 244)


def sheet(plan: SemanticPlan, openings: Sequence[Picture]) -> Picture:
    """All openings on one sheet, in reading order."""
    delivery = plan.request.delivery
    height = round(CELL * delivery.height / delivery.width)
    rows = -(-len(openings) // COLUMNS)
    size = (GAP + COLUMNS * (CELL + GAP), 70 + rows * (height + WORDS + GAP))
    card = Image.new("RGB", size, PAPER)
    draw = ImageDraw.Draw(card)
    draw.text((GAP, 22), plan.title or plan.request.title or "Storyboard", fill=INK, font=ImageFont.load_default(28))
    places = {place.id: place.name for place in plan.environments}
    for position, picture in enumerate(openings):
        left = GAP + position % COLUMNS * (CELL + GAP)
        top = 70 + position // COLUMNS * (height + WORDS + GAP)
        card.paste(Image.fromarray(picture.resize(CELL, height).pixels), (left, top))
        shot = plan.shots[position]
        heading = f"{position + 1} · {places[shot.environment]} · {shot.seconds:g} s"
        draw.text((left, top + height + 8), heading, fill=INK, font=ImageFont.load_default(16))
        lines = textwrap.wrap(" ".join(event.action for event in shot.events), 66)[:4]
        words = "\n".join(lines)
        draw.text((left, top + height + 30), words, fill=PALE, font=ImageFont.load_default(13), spacing=3)
    return Picture(np.asarray(card, np.uint8).copy())
