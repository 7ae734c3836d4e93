"""What grows and what hangs about a room: plants, trees, pictures, signs."""

from __future__ import annotations

import math

from storyengine.previz.props.kit import (
    CREAM,
    WHITE,
    WOOD,
    Draft,
    at,
    bar,
    bent,
    drum,
    hollow,
    mix,
    shade,
)
from storyengine.previz.props.model import Axes, family
from storyengine.previz.render import Mesh, merged, placement, shapes


@family((0.6, 0.6, 0.75), axes=("wet", "fill"), surface="clay", colour=(0.72, 0.42, 0.29), accent=(0.32, 0.52, 0.27))
def plant(d: Draft, s: Axes) -> None:
    """Leaves in a clay pot; dry, they droop."""
    d.add(
        "pot",
        lambda: d.own(
            merged(
                [
                    hollow([(0.1, 0), (0.14, 0.22), (0.155, 0.22), (0.155, 0.26)], 0.012, d.body),
                    drum(0.135, 0.02, (0.3, 0.22, 0.16), 0.22),
                ]
            )
        ),
    )
    droop = 1 - s.get("wet", s.get("fill", 1.0)) > 0.5
    tone = mix(d.accent, (0.62, 0.55, 0.3), 0.7) if droop else d.accent

    def leaves() -> Mesh:
        out = []
        for k in range(11):
            a, reach = k * 2.4, 0.13 + 0.1 * ((k * 7) % 5) / 5
            top = (0.22 if droop else 0.5) + 0.22 * (1 - k / 11)
            tip = (reach * 1.5 * math.cos(a), reach * 1.5 * math.sin(a), top)
            out.append(bent([(0, 0, 0.24), (tip[0] * 0.4, tip[1] * 0.4, 0.45), tip], 0.006, shade(tone, 0.8)))
            out.append(
                at(
                    shapes.ellipsoid((0.1, 0.05, 0.015), shade(tone, 0.85 + 0.05 * (k % 5)), 12, 6),
                    *tip,
                    yaw=-math.degrees(a),
                    roll=(35 if droop else -15),
                )
            )
        return merged(out)

    d.add(f"leaves {droop}", leaves)
    d.grip((0.15, 0, 0.2), (0, 1, 0), (1, 0, 0))


@family(
    (1.1, 1.1, 2.1),
    axes=("broken", "fill", "loaded"),
    surface="wood",
    colour=(0.36, 0.54, 0.28),
    accent=(0.45, 0.33, 0.24),
    carry="fixed",
)
def tree(d: Draft, s: Axes) -> None:
    """A small tree; loaded or full, it bears fruit; broken, a limb hangs."""
    d.add(
        "trunk",
        lambda: d.of(
            "wood",
            merged(
                [
                    bent([(0, 0, 0), (0.04, 0.02, 0.5), (0, 0, 1.1)], 0.07, d.accent),
                    bent([(0, 0, 0.9), (0.25, 0.05, 1.3), (0.4, 0.1, 1.5)], 0.035, d.accent),
                    bent([(0, 0, 0.9), (-0.2, -0.05, 1.35), (-0.3, 0, 1.6)], 0.035, d.accent),
                ]
            ),
        ),
    )
    tops = [
        (0, 0, 1.65, 0.42),
        (0.36, 0.05, 1.5, 0.3),
        (-0.34, 0.02, 1.55, 0.32),
        (0.05, 0.25, 1.4, 0.3),
        (0, -0.25, 1.45, 0.3),
    ]
    bald = s.get("broken", 0.0) > 0.5
    d.add(
        f"crown {bald}",
        lambda: merged(
            [
                at(shapes.ellipsoid((r, r, r * 0.85), shade(d.body, 0.85 + 0.07 * k), 14, 9), x, y, z)
                for k, (x, y, z, r) in enumerate(tops[2 if bald else 0 :])
            ]
        ),
    )
    if bald:
        d.add(
            "limb",
            lambda: merged(
                [
                    bar((0.25, 0.1, 1.25), (0.5, 0.2, 0.25), 0.035, d.accent),
                    at(shapes.ellipsoid((0.3, 0.25, 0.22), shade(d.body, 0.8)), 0.55, 0.22, 0.2),
                ]
            ),
        )
    if max(s.get("fill", 0.0), s.get("loaded", 0.0)) > 0.3:
        d.add(
            "fruit",
            lambda: merged(
                [
                    at(
                        shapes.sphere(0.055, (0.84, 0.25, 0.18), 10, 6),
                        0.4 * math.sin(k * 2.1),
                        0.36 + 0.05 * math.cos(k),
                        1.35 + 0.5 * ((k * 5) % 7) / 7,
                    )
                    for k in range(9)
                ]
            ),
        )


@family(
    (0.7, 0.06, 0.55),
    axes=("turned",),
    surface="wood",
    colour=(0.70, 0.54, 0.26),
    accent=(0.42, 0.56, 0.62),
    wall=True,
    carry="two hands front",
)
def picture(d: Draft, s: Axes) -> None:
    """A framed landscape, hanging; turned, it hangs crooked. Its back is against the wall."""
    pose = placement((0, 0, 0.275), roll=14 * s.get("turned", 0.0))
    d.add(
        "frame",
        lambda: d.own(
            merged(
                [at(shapes.box((0.7, 0.05, 0.06), d.body, 0.012), z=z) for z in (-0.245, 0.245)]
                + [at(shapes.box((0.06, 0.05, 0.43), d.body, 0.012), x) for x in (-0.32, 0.32)]
            )
        ),
        pose,
    )
    d.add(
        "canvas",
        lambda: merged(
            [
                at(shapes.box((0.6, 0.02, 0.45), mix(d.accent, WHITE, 0.45))),
                at(shapes.box((0.6, 0.022, 0.2), mix(d.accent, (0.35, 0.45, 0.25), 0.7)), z=-0.12),
                at(shapes.cylinder(0.05, 0.024, (0.95, 0.85, 0.5), 18), 0.14, 0, 0.1, pitch=90),
                at(
                    shapes.extruded([(-0.28, 0), (-0.05, 0.17), (0.12, 0)], 0.024, shade(d.accent, 0.6)),
                    -0.02,
                    0.012,
                    -0.03,
                    pitch=90,
                ),
            ]
        ),
        pose,
    )
    d.grip((-0.35, 0, 0.27), (0, 0, 1), (-1, 0, 0))
    d.grip((0.35, 0, 0.27), (0, 0, 1), (1, 0, 0))


@family((0.9, 0.12, 1.5), axes=("turned",), surface="wood", accent=CREAM, carry="two hands front")
def sign(d: Draft, s: Axes) -> None:
    """A board on a post with an arrow, no writing."""
    d.add("post", lambda: d.of("wood", bar((0, -0.02, 0), (0, -0.02, 1.5), 0.04, WOOD)))
    turn = placement(yaw=180 * s.get("turned", 0.0))
    d.add("board", lambda: d.own(merged([at(shapes.box((0.9, 0.04, 0.42), d.body, 0.01), y=0.03, z=1.2)])), turn)
    d.add(
        "arrow",
        lambda: at(
            shapes.extruded(
                [(-0.3, -0.05), (0.08, -0.05), (0.08, -0.14), (0.32, 0), (0.08, 0.14), (0.08, 0.05), (-0.3, 0.05)],
                0.02,
                d.accent,
            ),
            y=0.07,
            z=1.2,
            pitch=90,
        ),
        turn,
    )
    d.grip((0, -0.02, 0.9), (0, 0, 1), (0, -1, 0))
