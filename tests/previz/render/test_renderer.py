"""The renderer on one small room: coverage, truth buffers, shadows, panoramas, sameness."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from storyengine.errors import ContractError, InputError
from storyengine.media.panorama import view as panorama_view
from storyengine.media.picture import Picture
from storyengine.previz.render import (
    Camera,
    Instance,
    Lamp,
    Material,
    Renderer,
    Room,
    Sky,
    Sun,
    Texture,
    View,
    bake,
    fingerprint,
    ground,
    placement,
    shapes,
    shell,
    shoot,
)
from storyengine.runs.digest import digest_bytes

# The first test of a fresh machine compiles the kernels.
pytestmark = pytest.mark.timeout(600)

W, H = 320, 180
BALL = shapes.sphere(0.25, (0.8, 0.2, 0.2))


def ball(x=2.0, y=1.0, z=0.25, **more):
    return Instance(BALL, placement((x, y, z)), id=9, **more)


def look(station, target, fov=70.0):
    return Camera.looking_at(station, target, fov)


def test_no_pixel_is_left_uncovered_from_any_pose(renderer):
    random = np.random.default_rng(1)
    for _ in range(60):
        station = tuple(random.uniform((0.2, 0.2, 0.2), (3.8, 2.8, 2.3)))
        camera = Camera(station, random.uniform(0, 360), random.uniform(-85, 85), random.uniform(15, 120))
        assert renderer.draw(View(camera, (ball(),)), W, H).uncovered == 0


def test_ids_and_depth_tell_the_truth(renderer):
    camera = Camera((2, 0.2, 0.25), 0, 0, 60)
    frame = renderer.draw(View(camera, (ball(),)), W, H, truth=True)
    assert frame.ids is not None
    assert frame.depth is not None
    assert frame.ids[H // 2, W // 2] == 9
    assert abs(frame.depth[H // 2, W // 2] - 0.55) < 0.01
    assert set(np.unique(frame.ids)) <= {0, 1, 2, 3, 9}
    plain = renderer.draw(View(camera), W, H, truth=True)
    assert plain.ids is not None
    assert plain.ids[H // 2, W // 2] == 1


def test_things_appear_where_the_camera_projects_them(renderer):
    camera = look((0.6, 0.3, 1.6), (2.2, 1.4, 0.4))
    frame = renderer.draw(View(camera, (ball(2.4, 1.2, 0.3),)), W, H, truth=True)
    rows, columns = np.nonzero(frame.ids == 9)
    x, y, _ = camera.project(np.array([[2.4, 1.2, 0.3]]), W, H)[0]
    assert abs(columns.mean() - x) < 3
    assert abs(rows.mean() - y) < 3


def test_edges_are_smooth(renderer):
    camera = Camera((2, 0.2, 0.25), 0, 0, 60)
    ids = renderer.draw(View(camera, (ball(),)), W, H, truth=True).ids
    plain = Renderer(renderer._baked, ink=0.0).draw(View(camera, (ball(),)), W, H).pixels.astype(int)
    edge = np.zeros((H, W), bool)
    edge[:, 1:] = (ids[:, 1:] == 9) != (ids[:, :-1] == 9)
    redness = plain[..., 0] - plain[..., 2]
    inside, outside = np.median(redness[ids == 9]), np.median(redness[ids == 0])
    part = (redness[edge] - outside) / (inside - outside)
    assert ((part > 0.15) & (part < 0.85)).mean() > 0.2


def test_a_ball_darkens_the_floor_under_and_behind_it(renderer):
    camera = look((2, 0.3, 2.0), (2, 1.1, 0.0), 60)
    with_ball = renderer.draw(View(camera, (ball(z=0.3),)), W, H, truth=True)
    without = renderer.draw(View(camera), W, H)
    floor = with_ball.ids == 0
    change = without.pixels.astype(int).sum(-1) - with_ball.pixels.astype(int).sum(-1)
    assert change[floor].max() > 60
    assert change[floor].min() > -25


def test_shadowless_things_leave_the_room_as_it_is(renderer):
    camera = look((2, 0.3, 2.0), (2, 1.1, 0.0), 60)
    thing = ball(z=0.3, casts_shadow=False)
    frame = renderer.draw(View(camera, (thing,)), W, H, truth=True)
    without = renderer.draw(View(camera), W, H).pixels
    far = np.ones((H, W), bool)
    rows, columns = np.nonzero(frame.ids == 9)
    far[max(rows.min() - 2, 0) : rows.max() + 3, max(columns.min() - 2, 0) : columns.max() + 3] = False
    assert np.array_equal(frame.pixels[far], without[far])


def test_ink_darkens_outlines_only(renderer):
    camera = Camera((2, 0.2, 0.6), 0, -5, 60)
    inked = renderer.draw(View(camera, (ball(),)), W, H).pixels.astype(int)
    plain = Renderer(renderer._baked, ink=0.0).draw(View(camera, (ball(),)), W, H).pixels.astype(int)
    changed = np.abs(inked - plain).sum(-1) > 0
    assert 0.001 < changed.mean() < 0.12
    assert (inked <= plain + 1).all()


def test_a_mirrored_instance_still_faces_outwards(renderer):
    wedge = shapes.extruded([(0, 0), (0.5, 0), (0, 0.3)], 0.4, (0.3, 0.5, 0.7))
    camera = look((2, 0.2, 1.0), (2, 1.2, 0.3))
    sizes = []
    for flip in (1.0, -1.0):
        thing = Instance(wedge, placement((2, 1.2, 0), scale=(flip, 1, 1)), id=9)
        sizes.append(int((renderer.draw(View(camera, (thing,)), W, H, truth=True).ids == 9).sum()))
    assert min(sizes) > 0.5 * max(sizes)


def test_a_panorama_agrees_with_direct_views(renderer):
    station = (2.0, 1.2, 1.4)
    whole = renderer.panorama(station, (ball(),), width=2048)
    assert whole.uncovered == 0
    for yaw, pitch in ((0, 0), (135, -20), (250, 10)):
        direct = renderer.draw(View(Camera(station, yaw, pitch, 70), (ball(),)), 640, 360).pixels.astype(float)
        taken = panorama_view(Picture(whole.pixels), yaw, pitch, 70, 640, 360).pixels
        assert np.abs(taken - direct).mean() < 4


def test_textured_meshes_repeat_their_picture(renderer):
    checks = np.zeros((8, 8, 3), np.uint8)
    checks[:4, :4] = checks[4:, 4:] = 255
    card = shapes.quad(1.0, 1.0, (1, 1, 1)).textured(Texture(checks), (4, 4))
    camera = Camera((2, 0.4, 1.0), 0, 0, 60)
    frame = renderer.draw(View(camera, (Instance(card, placement((2, 1.2, 1.0)), id=9),)), W, H, truth=True)
    values = frame.pixels[frame.ids == 9].mean(axis=1)
    assert (values < 60).mean() > 0.3
    assert (values > 120).mean() > 0.3
    odd = shapes.quad(1, 1).textured(Texture(np.zeros((6, 8, 3), np.uint8)))
    with pytest.raises(ContractError, match="powers of two"):
        renderer.draw(View(camera, (Instance(odd, placement()),)), W, H)


def test_brightness_and_open_sky(room):
    dark = Renderer(bake(replace(room, brightness=0.2)))
    bright = Renderer(bake(room))
    camera = look((0.4, 0.4, 1.6), (2.5, 2.0, 0.8))
    assert dark.draw(View(camera), W, H).pixels.mean() < 0.75 * bright.draw(View(camera), W, H).pixels.mean()
    grass = Material("grass", (0.50, 0.56, 0.40))
    field = Room(ground(6, 6, grass), sky=Sky(sun=Sun(200, 40)), stage=((0, 0, 0), (6, 6, 3)))
    seen = Renderer(bake(field)).draw(View(Camera((3, 1, 1.6), 0, 5, 70)), W, H, truth=True)
    assert seen.uncovered == 0
    assert {0, -2} <= set(np.unique(seen.ids))


def test_absurd_wishes_are_refused(renderer):
    camera = Camera((2, 1, 1.4), 0)
    for size in ((0, 0), (15, 90), (321, 180), (100_000, 180)):
        with pytest.raises(InputError, match="cannot be drawn"):
            renderer.draw(View(camera), *size)
    with pytest.raises(InputError, match="field of view"):
        renderer.draw(View(Camera((2, 1, 1.4), 0, 0, 179)), W, H)
    with pytest.raises(InputError, match="panorama"):
        renderer.panorama((2, 1, 1), width=1001)
    with pytest.raises(InputError, match="no surface pattern"):
        bake(Room(ground(2, 2, Material("velvet", (1, 1, 1)))))


def test_a_shot_is_the_frames_in_order(baked):
    def view_at(i):
        return View(look((1.0, 0.4, 1.4), (2, 2, 0.5)), (ball(1.2 + 0.05 * i, 1.2),))

    clip = shoot(baked, view_at, 13, width=W, height=H)
    again = shoot(baked, view_at, 13, width=W, height=H)
    assert clip.digest == again.digest
    assert len(clip.frames) == 13
    last = Renderer(baked).draw(view_at(12), W, H).pixels.astype(int)
    assert np.abs(clip.frames[12].pixels.astype(int) - last).mean() < 4


def test_an_error_in_one_frame_ends_the_shot(baked):
    def view_at(i):
        if i == 3:
            raise RuntimeError("no such pose")
        return View(Camera((1, 1, 1), 0))

    with pytest.raises(RuntimeError, match="no such pose"):
        shoot(baked, view_at, 8, width=W, height=H)


def test_equal_rooms_have_equal_fingerprints(room):
    assert fingerprint(room) == fingerprint(replace(room))
    assert fingerprint(room) != fingerprint(replace(room, brightness=0.4))


def print_of_picture() -> str:
    plaster = Material("plaster", (0.8, 0.77, 0.7))
    walls = shell(4, 3, 2.5, Material("planks", (0.6, 0.49, 0.38)), plaster, (plaster,) * 4)
    things = (Instance(shapes.sphere(0.25, (0.8, 0.2, 0.2)), placement((2, 1.5, 0.25)), id=9),)
    view = View(Camera.looking_at((0.5, 0.4, 1.5), (2.4, 1.8, 0.5), 70), things)
    drawn = Renderer(bake(Room(walls, lamps=(Lamp((2, 1.2, 2.2)),)))).draw(view, 320, 180)
    return digest_bytes(drawn.packed.tobytes())


def test_two_processes_draw_the_same_bytes():
    script = "from tests.previz.render.test_renderer import print_of_picture; print(print_of_picture())"
    other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert other.strip() == print_of_picture()


def test_a_resting_camera_gives_the_same_pictures_as_a_new_one(renderer):
    camera = look((0.6, 0.3, 1.6), (2.2, 1.4, 0.4))
    resting = Renderer(renderer._baked)
    table = Instance(shapes.box((0.6, 0.6, 0.4), (0.5, 0.4, 0.3)), placement((1.4, 1.6, 0.2)), id=12)
    for k in range(7):
        things = (ball(1.5 + 0.1 * k), table if k < 5 else replace(table, matrix=placement((1.4, 1.7, 0.2))))
        view = View(camera, things)
        kept = resting.draw(view, W, H, truth=True)
        new = Renderer(renderer._baked).draw(view, W, H, truth=True)
        assert np.array_equal(kept.ids, new.ids)
        assert np.array_equal(kept.depth, new.depth)
        apart = np.abs(kept.pixels.astype(int) - new.pixels)
        assert (apart > 1).mean() < 0.02
        assert (apart > 8).mean() < 0.002  # the shadow on a pixel of a standing thing's edge is that of one surface
    assert resting._rest is not None
    assert set(resting._rest.plated) == set()  # the table stirred
