import subprocess
import sys

import pytest
from pydantic import ValidationError

from storyengine.bench.briefs import brief_text, load_brief, story_ids
from storyengine.bench.index import MINI
from storyengine.bench.story import load_story, stories
from storyengine.errors import InputError


def test_stories_come_in_the_order_of_the_index():
    assert len(story_ids()) == 60
    assert [story.id for story in stories("T20", mini=True)] == [story for story in MINI if story.startswith("t20")]
    assert story_ids(mini=True) == MINI


def test_a_story_is_a_frozen_value(n20):
    with pytest.raises(ValidationError):
        n20.sheet = n20.sheet
    assert load_story(n20.id) == n20
    assert load_brief(n20.id) == n20.brief


def test_an_unknown_story_suggests_the_nearest():
    with pytest.raises(InputError, match="Did you mean 'n20-bakehouse-peel-rack'"):
        load_story("n20-bakehouse-peel-rak")
    with pytest.raises(InputError, match="bench list"):
        brief_text("../../etc/passwd")


def test_briefs_load_without_any_sheet():
    program = (
        "import sys; from storyengine.bench.briefs import load_brief; load_brief('c20-bell-ringer');"
        "print([name for name in sys.modules if name.startswith('storyengine.bench')])"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "storyengine.bench.briefs" in loaded
    assert "sheet" not in loaded
