"""What is fixed about the benchmark: its index, its plans, its clauses. Facts of the design, not of the data.

The data is held to this page by `verify`; nothing here is computed from the stories.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from storyengine.request import Delivery

VERSION: Final = "1.0.0"
"""The version of the benchmark. A story may change only together with it."""

Suite = Literal["N20", "T20", "C20"]
Category = Literal["Store", "Food", "Transit", "Workshop", "Control Room"]

SUITES: Final[tuple[Suite, ...]] = ("N20", "T20", "C20")
CATEGORIES: Final[tuple[Category, ...]] = ("Store", "Food", "Transit", "Workshop", "Control Room")
SHOTS: Final = 10

TITLES: Final[Mapping[Suite, Mapping[Category, tuple[str, ...]]]] = {
    "N20": {
        "Store": ("Greenhouse Vent Crank", "Icehouse Block Tongs", "Kiln Shelf Load", "Seedhouse Drill"),
        "Food": ("Bakehouse Peel Rack", "Brewery Mash Rake", "Cheeseroom Turning", "Dairy Churn Belt"),
        "Transit": ("Cablecar Gripman", "Drydock Caisson", "Lockgate Paddle", "Tollhouse Barrier"),
        "Workshop": ("Cooperage Hoop", "Forge Quench Tank", "Ropewalk Traveller", "Sailloft Bolt Rope"),
        "Control Room": ("Observatory Dome", "Powerhouse Switchboard", "Pumproom Telegraph", "Signal Lamp Room"),
    },
    "T20": {
        "Store": ("Bonded Store Seal", "Greenhouse Vent Crank", "Icehouse Block Tongs", "Kiln Shelf Load"),
        "Food": ("Bakehouse Peel Rack", "Brewery Mash Rake", "Dairy Churn Belt", "Saltworks Pan Rake"),
        "Transit": ("Ferry Slip Ramp", "Funicular Haul Room", "Lockgate Paddle", "Tramshed Pit Road"),
        "Workshop": (
            "Bindery Nipping Press",
            "Forge Quench Tank",
            "Glassworks Annealing Lehr",
            "Sailloft Bolt Rope",
        ),
        "Control Room": (
            "Lighthouse Watch Room",
            "Pumphouse Governor",
            "Signal Lamp Room",
            "Telegraph Relay Room",
        ),
    },
    "C20": {
        "Store": ("Kiln Watcher", "Orchard Grafter", "Tide Recorder", "Wheel Turner"),
        "Food": ("Hop Picker", "Press House", "Salt Raker", "Smoke Curer"),
        "Transit": ("Bridge Keeper", "Diver Tender", "Net Braider", "Slipway Greaser"),
        "Workshop": ("Furnace Charger", "Glass Gatherer", "Lock Fitter", "Press Setter"),
        "Control Room": ("Bell Ringer", "Gauge Reader", "Lamp Trimmer", "Signal Fitter"),
    },
}

SHARED_SETTINGS: Final[frozenset[str]] = frozenset(
    (
        "Greenhouse Vent Crank",
        "Icehouse Block Tongs",
        "Kiln Shelf Load",
        "Bakehouse Peel Rack",
        "Brewery Mash Rake",
        "Dairy Churn Belt",
        "Lockgate Paddle",
        "Forge Quench Tank",
        "Sailloft Bolt Rope",
        "Signal Lamp Room",
    )
)
"""The settings that occur in both N20 and T20, with different briefs and sheets."""

PLANS: Final[Mapping[Suite, tuple[str, ...]]] = {
    "N20": ("AAABBABAAB", "AABAABBABB", "ABBAABAABA", "AABABBABBA"),
    "T20": ("ABBAAABBAA", "AABBAABBBA", "AAABBBAABB", "AABBBAAABB"),
    "C20": ("AAABBABAAB", "AABBAAABAB", "ABAAABBAAB", "ABBABAABBA"),
}
"""The location plans in use, A being the place of the first shot."""

_FORBIDDEN_EVERYWHERE = (
    "on-screen text",
    "logos and watermarks",
    "split screens",
    "frozen frames",
    "more than one location within a shot",
    "montage or time-lapse compression",
    "speed ramping",
    "flashback treatments",
    "a visible film crew",
    "direct address to the camera",
    "aerial viewpoints",
)
FORBIDDEN: Final[Mapping[Suite, tuple[str, ...]]] = {
    "N20": _FORBIDDEN_EVERYWHERE,
    "T20": (*_FORBIDDEN_EVERYWHERE, "extreme close-ups of isolated body parts"),
    "C20": (
        *_FORBIDDEN_EVERYWHERE,
        "a second person",
        "bystanders",
        "reflections of people",
        "depictions of people",
    ),
}

DELIVERY: Final = Delivery(width=1280, height=720, fps=24, durations=(4.0, 6.0, 8.0), audio=False)

CLAUSES: Final[Mapping[Suite, tuple[str, ...]]] = {
    "N20": (
        "All ten of the following have to take place in view of the camera, and each must be legible as a CHANGE "
        "rather than as someone beside an object.",
        "How the remaining steps are spread over the ten shots is left to you.",
    ),
    "T20": (
        "Each cut hangs on one thing that is clearly in frame on both sides of it.",
        "Which shot gets which job is left to you, provided every anchor sits where it is named and no one-way "
        "change is ever undone.",
    ),
    "C20": (
        "This one person is in all ten shots, and nobody else is in any of them.",
        "The film keeps coming back to both places, so a room seen again must be the same room, with the same "
        "walls, the same fittings and the same floor.",
        "In every shot the face and the clothing must be legible; where the person stands and in what order the "
        "work is done is left to you.",
    ),
}
"""The only sentences that stories may share."""

CHARACTERS: Final[Mapping[Suite, int]] = {"N20": 2, "T20": 2, "C20": 1}
"""Named characters per story."""


@dataclass(frozen=True)
class Entry:
    """One line of the index."""

    story: str
    suite: Suite
    category: Category
    title: str


def story_id(suite: Suite, title: str) -> str:
    """`n20-bakehouse-peel-rack`: the name of the story's folder."""
    return f"{suite.lower()}-{re.sub(r'[^a-z0-9]+', '-', title.lower())}"


ENTRIES: Final[Mapping[str, Entry]] = {
    story_id(suite, title): Entry(story_id(suite, title), suite, category, title)
    for suite, categories in TITLES.items()
    for category, titles in categories.items()
    for title in titles
}
"""The whole index by story, in its order: suite, category, title."""

MINI: Final[tuple[str, ...]] = (
    "n20-seedhouse-drill",
    "n20-bakehouse-peel-rack",
    "n20-drydock-caisson",
    "n20-cooperage-hoop",
    "n20-pumproom-telegraph",
    "t20-bonded-store-seal",
    "t20-brewery-mash-rake",
    "t20-tramshed-pit-road",
    "t20-glassworks-annealing-lehr",
    "t20-signal-lamp-room",
    "c20-orchard-grafter",
    "c20-smoke-curer",
    "c20-net-braider",
    "c20-lock-fitter",
    "c20-bell-ringer",
)
"""The fifteen stories that development may look at: one per suite and category, with no setting in two suites
of the set, every location plan, and every kind of lighting block among them."""
