"""The film as a timeline: written, and read back by the adapters that editors' tools use."""

import numpy as np
import opentimelineio as otio
import pytest

from storyengine.change.cuts import newest_cut
from storyengine.delivery.timeline import KEY, build_timeline, export_timeline
from storyengine.errors import InputError
from storyengine.media.clip import Clip
from storyengine.media.sound import RATE, has_sound, sound_of, with_sound
from storyengine.plan import SemanticPlan, plan_data
from tests.film.small_crew import SmallAnimator
from tests.film.test_pipeline import PLAN, make

from .conftest import HELD, SmallJudge, opinion


def film_plan(**delivery):
    data = plan_data(PLAN)
    data["request"]["delivery"] |= {"fps": 24, **delivery}
    return SemanticPlan.model_validate(data)


class Singing(SmallAnimator):
    """An animator whose clips have sound."""

    async def submit(self, request, call):
        job = await super().submit(request, call)
        if self.done[job]:
            wave = 0.3 * np.sin(2 * np.pi * 440 * np.arange(RATE // 2) / RATE)
            self.done[job] = with_sound(Clip.from_bytes(self.done[job]), np.stack([wave, wave]).astype(np.float32)).data
        return job


@pytest.fixture(scope="module")
def rough(tmp_path_factory):
    """Shot 3 has no take, shot 4 is degraded, and there is sound."""
    folder = tmp_path_factory.mktemp("rough")
    animator = Singing(refuses=lambda request: "pats her pockets" in request.prompt)
    film, *_ = make(folder, plan=film_plan(), animator=animator, judge=SmallJudge(opinion))
    assert 3 in film.degraded
    assert 4 in film.degraded
    return folder


def written(folder, to, form):
    plan, audits = newest_cut(folder)
    export_timeline(folder, plan, audits, to, [form])
    return to / f"film.{form}"


def test_otio_reads_back_with_every_marker(rough, tmp_path):
    plan, audits = newest_cut(rough)
    back = otio.adapters.read_from_file(str(written(rough, tmp_path, "otio")))
    assert back.is_equivalent_to(build_timeline(rough, plan, audits))
    pictures = back.video_tracks()[0]
    assert [clip.name for clip in pictures] == [f"shot {n:02d}" for n in range(1, 7)]
    for number, clip in enumerate(pictures, start=1):
        told = [dict(marker.metadata[KEY]) for marker in clip.markers]
        gates = [marker for marker in told if marker["kind"] == "gate"]
        assert [gate["mode"] for gate in gates] == [audits[number]["gate"]["mode"]]
        criteria = {marker["id"]: marker for marker in told if marker["kind"] == "criterion"}
        assert list(criteria) == [criterion["id"] for criterion in audits[number]["contract"]["criteria"]]
        missed = [list(marker["missed"]) for marker in told if marker["kind"] == "degradation"]
        assert missed == ([audits[number]["degraded"]] if audits[number]["degraded"] else [])
    fourth = {marker.metadata[KEY].get("statement"): marker for marker in pictures[3].markers}
    assert fourth[HELD].color == "RED"
    assert fourth[HELD].marked_range.start_time.value == 11


def test_every_shot_points_to_its_file_and_a_slate_to_none(rough, tmp_path):
    plan, audits = newest_cut(rough)
    files = export_timeline(rough, plan, audits, tmp_path)
    timeline = otio.adapters.read_from_file(str(tmp_path / "film.otio"))
    assert len(files) == 3 + 5
    for number, clip in enumerate(timeline.video_tracks()[0], start=1):
        if number == 3:
            assert isinstance(clip.media_reference, otio.schema.MissingReference)
            assert clip.source_range.duration.value == 12
        else:
            assert (tmp_path / clip.media_reference.target_url).is_file()
    sound = timeline.audio_tracks()[0]
    assert isinstance(sound[2], otio.schema.Gap)
    assert sound.duration() == timeline.video_tracks()[0].duration()


def test_edl_loads_in_its_adapter(rough, tmp_path):
    back = otio.adapters.read_from_file(str(written(rough, tmp_path, "edl")), rate=24)
    clips = list(back.tracks[0])
    assert [clip.name for clip in clips] == [f"shot {n:02d}" for n in range(1, 7)]
    assert [clip.duration().to_frames() for clip in clips] == [12] * 6
    assert any("GATE: REUSE" in marker.name for marker in clips[5].markers)


def test_fcpxml_loads_in_its_adapter(rough, tmp_path):
    back = otio.adapters.read_from_file(str(written(rough, tmp_path, "fcpxml")))
    pictures = back.video_tracks()[0]
    assert [clip.name for clip in pictures.find_clips()] == [f"shot {n:02d}" for n in range(1, 7)]
    assert pictures.duration().to_seconds() == pytest.approx(3.0)
    assert any(marker.name == "degraded" for clip in pictures.find_clips() for marker in clip.markers)


def test_sound_is_in_the_film_and_its_shots(rough):
    film = Clip.from_bytes((rough / "film.mp4").read_bytes())
    heard = sound_of([film])
    assert heard.shape[1] == 3 * RATE
    assert np.abs(heard[:, RATE // 10 : RATE // 3]).max() > 0.2
    assert np.abs(heard[:, int(1.1 * RATE) : int(1.4 * RATE)]).max() < 0.01  # the slate of shot 3
    assert has_sound(Clip.from_bytes((rough / "shots/01.mp4").read_bytes()))


def test_a_brief_without_sound_and_upright(tmp_path):
    plan = film_plan(audio=False, width=72, height=128)
    film, painter, *_ = make(tmp_path, plan=plan, animator=Singing())
    clip = Clip.from_bytes(film.path.read_bytes())
    assert (clip.width, clip.height) == (72, 128)
    assert not has_sound(clip)
    assert not has_sound(film.shot(1))
    openings = [request for request in painter.requests if "opening picture" in request.prompt]
    assert {(request.width, request.height) for request in openings} == {(72, 128)}
    assert "--aspect:72/128" in (tmp_path / "report.html").read_text()


def test_a_rate_without_time_code_is_told(smooth, tmp_path):
    plan, audits = newest_cut(smooth.folder)
    export_timeline(smooth.folder, plan, audits, tmp_path, ["otio"])
    with pytest.raises(InputError, match="12 frames a second has no EDL"):
        export_timeline(smooth.folder, plan, audits, tmp_path, ["edl"])
