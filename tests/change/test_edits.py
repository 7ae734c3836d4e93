"""Editing one event redoes exactly the shots that it touches, and the rest of the film stays the same to the byte."""

import random
import shutil

import pytest

from storyengine.check import check_plan
from storyengine.continuity.film import SEED_STEP
from storyengine.continuity.gate import Mode
from storyengine.plan import Catalog
from storyengine.prompts import pictures

from .ten_shots import PLACES, PLAN, forecast, make, random_edit


def demands(plan, takes):
    """What the contract of each shot asks of painter and animator, without a journal: texts and pictures."""
    catalog = Catalog.of(plan)
    asked = {}
    for take in takes:
        contract = take.contract
        pictures_given = (contract.context.view, *(binding.asset for binding in contract.context.bindings))
        asked[contract.shot] = {
            "opening": (pictures.opening(plan, catalog, contract), pictures_given),
            "clip": (pictures.video(plan, catalog, contract), pictures_given),
        }
    return asked


def expected_changes(before, after, old_plan, new_plan):
    """Shots whose contract asks for something else, or that go on from a tail that changed; in story order."""
    old, new = demands(old_plan, before), demands(new_plan, after)
    changed = set()
    for number, take in enumerate(after, start=1):
        follows = number > 1 and PLACES[number - 1] == PLACES[number - 2]
        tail = follows and number - 1 in changed
        match take.gate.mode:
            case Mode.REUSE:
                opening = tail
            case Mode.REFERENCE:
                opening = tail or old[number]["opening"] != new[number]["opening"]
            case Mode.FRESH:
                opening = old[number]["opening"] != new[number]["opening"]
        if opening or old[number]["clip"] != new[number]["clip"]:
            changed.add(number)
    return changed


def edit_and_compare(base, folder, seed):
    original, before = base
    plan = random_edit(random.Random(seed))
    if plan == PLAN or check_plan(plan).blocking:
        return None
    shutil.copytree(original, folder)
    foreseen = forecast(folder, plan)
    after = make(folder, plan)
    changed = {shot for shot, clip in after.clips.items() if clip != before.clips[shot]}
    assert changed == expected_changes(before.film.takes, after.film.takes, PLAN, plan)
    assert set(foreseen.changing) == changed
    assert all(shot.causes for shot in foreseen.shots if shot.fate == "made")
    assert {request.seed // SEED_STEP for request in after.animator.requests} == changed
    for shot in set(after.clips) - changed:
        name = f"shots/{shot:02d}.mp4"
        assert (folder / name).read_bytes() == (original / name).read_bytes()
    return changed


def test_the_ten_shots_use_every_gate_mode(base):
    modes = [take.gate.mode for take in base[1].film.takes]
    assert modes == [Mode.FRESH, *[Mode.REUSE] * 3, Mode.FRESH, *[Mode.REFERENCE] * 2, *[Mode.FRESH] * 3]
    assert base[1].film.degraded == ()


def test_an_edited_event_redoes_what_it_touches(base, tmp_path):
    assert edit_and_compare(base, tmp_path / "film", seed=2) is not None


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_fifty_random_edits(base, tmp_path):
    sizes = []
    seed = 100
    while len(sizes) < 50:
        changed = edit_and_compare(base, tmp_path / "film", seed)
        seed += 1
        if changed is not None:
            sizes.append(len(changed))
            shutil.rmtree(tmp_path / "film")
    assert min(sizes) <= 2
    assert max(sizes) >= 4
