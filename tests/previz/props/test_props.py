"""Every family builds in every state, stands on the ground, keeps its meshes, and shows its states."""

from __future__ import annotations

import numpy as np
import pytest

from storyengine.previz.appearance import prop_look
from storyengine.previz.looks import PropLook
from storyengine.previz.props import AXES, FAMILIES, PropModel, build, build_at
from storyengine.previz.props.sheet import portrait, studio
from storyengine.previz.render import Mesh, Renderer, placement


def look_of(family: str) -> PropLook:
    return PropLook(family, (0.6, 0.3, 0.2), (0.2, 0.3, 0.5), FAMILIES[family].surface)


def sound(mesh: Mesh) -> bool:
    """Finite numbers, faces that name vertices of the mesh, textures that exist."""
    finite = all(np.isfinite(a).all() for a in (mesh.vertices, mesh.normals, mesh.uv, mesh.colours))
    return bool(
        finite
        and mesh.faces.max() < len(mesh.vertices)
        and mesh.texture_of.max() < max(len(mesh.textures), 1)
        and np.linalg.norm(mesh.normals, axis=1).min() > 0.1
        and mesh.colours.min() >= 0
        and mesh.colours.max() <= 1
    )


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_state_of_every_family_builds(family: str) -> None:
    look, own = look_of(family), FAMILIES[family].axes
    states = [((axis, value),) for axis in AXES if axis in own for value in (0.0, 0.4, 1.0)]
    strange = tuple((axis, 1.0) for axis in AXES if axis not in own)
    for state in (*states, strange):
        model = build_at(look, state)
        assert model.parts
        assert all(sound(part.mesh) and np.isfinite(part.matrix).all() for part in model.parts)


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_it_rests_on_the_ground_or_hangs(family: str) -> None:
    model = build_at(look_of(family))
    low, high = model.bounds()
    if model.hangs:
        assert high[2] == pytest.approx(0.0, abs=0.03)
        assert low[2] < -0.3
    else:
        assert low[2] == pytest.approx(0.0, abs=0.04)
    assert model.size == FAMILIES[family].size
    for axis, size in zip(range(3), model.size, strict=True):
        assert high[axis] - low[axis] == pytest.approx(size, rel=0.3, abs=0.1)


def extent(model: PropModel) -> np.ndarray:
    return np.concatenate([p.mesh.vertices @ p.matrix[:, :3].T + p.matrix[:, 3] for p in model.parts])


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_each_axis_that_a_family_claims_shows(family: str) -> None:
    """The two ends of an axis differ in parts, poses or glow. What a lid hides shows once it is open."""
    look = look_of(family)
    for axis in FAMILIES[family].axes:
        assert axis in AXES
        seen = [
            differ(build_at(look, ((axis, 0.0), *lid)), build_at(look, ((axis, 1.0), *lid)))
            for lid in ((), (("open", 1.0),))
            if axis != "open" or not lid
        ]
        assert any(seen), f"{family}: {axis} cannot be seen"


def differ(one: PropModel, other: PropModel) -> bool:
    names = [[(part.name, part.glow) for part in model.parts] for model in (one, other)]
    return names[0] != names[1] or not np.allclose(extent(one), extent(other))


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_hands_reach_its_grips_and_things_its_rests(family: str) -> None:
    model = build_at(look_of(family))
    low, high = (np.array(x) for x in model.bounds())
    for grip in model.grips:
        assert np.all(np.array(grip.at) > low - 0.12)
        assert np.all(np.array(grip.at) < high + 0.12)
        assert np.linalg.norm(grip.along) > 0.5
    for rest in model.rests:
        assert rest.low[0] < rest.high[0]
        assert low[2] - 0.01 <= rest.z <= high[2] + 0.05
    if model.carry == "push":
        assert len(model.grips) == 2


def test_a_swinging_door_keeps_its_meshes() -> None:
    look = prop_look("oak door")
    first, later = build_at(look, (("open", 0.1),)), build_at(look, (("open", 0.7),))
    assert [p.mesh for p in first.parts] == [p.mesh for p in later.parts]
    leaf, moved = (next(p for p in m.parts if p.name.startswith("leaf")) for m in (first, later))
    assert not np.allclose(leaf.matrix, moved.matrix)
    assert build_at(look, (("open", 0.1001),)) is first


def test_states_in_words() -> None:
    bin_ = prop_look("meal bin", "a waist-high wooden bin with a hinged lid")
    full = build(bin_, ("thrown back", "full of coal"))
    contents = next(p for p in full.parts if p.name.startswith("contents"))
    assert contents.mesh.colours.max() < 0.3
    assert not any(p.name.startswith("contents") for p in build(bin_, ("thrown back", "empty")).parts)


def test_a_state_can_be_a_colour() -> None:
    arm = prop_look("signal arm", "a broad plank two paces long")
    assert build(arm, ("painted red",)).look.colour != build(arm, ("dull white",)).look.colour


def test_what_the_look_is_full_of_shows_until_a_state_says_otherwise() -> None:
    bucket = prop_look("chip bucket", "a zinc bucket full of oak shavings")
    assert any(p.name.startswith("contents") for p in build(bucket).parts)
    assert not any(p.name.startswith("contents") for p in build(bucket, ("empty",)).parts)


def test_a_raised_lid_is_an_open_lid() -> None:
    look = look_of("chest")
    assert np.allclose(extent(build_at(look, (("raised", 1.0),))), extent(build_at(look, (("open", 1.0),))))


def lid_of(model: PropModel) -> np.ndarray:
    return next(part.matrix for part in model.parts if part.name == "lid")


@pytest.mark.parametrize("state", ["full", "empty"])
def test_what_is_full_or_empty_stands_open_unless_it_is_said_to_be_shut(state: str) -> None:
    look = look_of("chest")
    assert np.allclose(lid_of(build(look, (state,))), lid_of(build(look, ("open",))))
    assert np.allclose(lid_of(build(look, (state, "shut"))), lid_of(build(look, ("shut",))))


def test_what_is_full_is_heaped_over_the_rim() -> None:
    look = look_of("barrel")
    top = {state: extent(build(look, (state,)))[:, 2].max() for state in ("empty", "half full", "full")}
    assert top["full"] > top["half full"] == top["empty"]


def test_size_and_number() -> None:
    one, big = look_of("jar"), PropLook("jar", (0.5, 0.5, 0.5), (0.2, 0.2, 0.2), size=2.0)
    assert np.allclose(np.array(build_at(big).size), 2 * np.array(build_at(one).size))
    several = PropLook("jar", (0.5, 0.5, 0.5), (0.2, 0.2, 0.2), count=5)
    assert len(build_at(several).parts) == 5 * len(build_at(PropLook("jar", (0.5, 0.5, 0.5), (0.2, 0.2, 0.2))).parts)


def test_an_unknown_family_is_a_plain_box() -> None:
    assert build_at(look_of("box")).size == build_at(PropLook("zeppelin", (0.6, 0.3, 0.2), (0.2, 0.3, 0.5))).size


@pytest.mark.slow
def test_states_are_seen_in_pictures() -> None:
    """Drawn small, the ends of telling states differ in more than a few pixels."""
    renderer = Renderer(studio())
    pairs = (
        ("lantern", "lit"),
        ("door", "open"),
        ("bucket", "fill"),
        ("jug", "broken"),
        ("chest", "dirty"),
        ("box", "mark"),
    )
    for family, axis in pairs:
        look = look_of(family)
        off = portrait(renderer, build_at(look), 48)
        on = portrait(renderer, build_at(look, ((axis, 1.0),)), 48)
        changed = (np.abs(off.astype(int) - on.astype(int)).max(axis=2) > 24).mean()
        assert changed > 0.01, f"{family} {axis}"


def test_instances_share_one_identity() -> None:
    model = build_at(look_of("barrow"))
    instances = model.instances(placement(at=(2.0, 3.0, 0.0), yaw=40), id=7)
    assert {instance.id for instance in instances} == {7}
    assert len(instances) == len(model.parts)


def test_shards_stay_on_the_floor_when_a_broken_jug_is_taken_up():
    jug = build(prop_look("blue jug", "a blue jug"), ("broken",))
    lying = len(jug.instances(placement(), 1))
    assert len(jug.instances(placement(), 1, lifted=True)) == lying - 1


@pytest.mark.parametrize("family", ["jug", "rake", "lamp", "table", "sack", "paper"])
@pytest.mark.parametrize("state", ["mended", "counted"])
def test_a_band_follows_the_outline(family: str, state: str) -> None:
    """A seam or a ribbon goes around a thing closely: it is hardly larger than what it goes around."""
    plain, banded = build(look_of(family)), build(look_of(family), (state,))
    extra = [part for part in banded.parts if part.name not in {part.name for part in plain.parts}]
    assert len(extra) == 1
    low, high = plain.bounds()
    points = extra[0].mesh.vertices @ extra[0].matrix[:, :3].T + extra[0].matrix[:, 3]
    margin = 0.04 * (np.array(high) - np.array(low)).max() + 0.01
    assert (points >= np.array(low) - margin).all()
    assert (points <= np.array(high) + margin).all()
    assert len(np.unique(extra[0].mesh.colours, axis=0)) == 1


@pytest.mark.parametrize("family", ["tank", "table"])
def test_a_lid_opens_on_what_has_none_of_its_own(family: str) -> None:
    look = look_of(family)
    plain, opened = ({part.name for part in build(look, (state,)).parts} for state in ("lid shut", "lid open"))
    assert opened - plain == {"lid", "dark inside"}
