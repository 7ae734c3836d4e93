import pytest
from breaking import item, sheet

from storyengine.bench.c20_checks import check_c20
from storyengine.bench.sheet import LightContrast, LightSegment


def said(story) -> str:
    return "\n".join(str(finding) for finding in check_c20(story))


def lighting(story, **changes):
    return sheet(story, lighting=story.sheet.lighting.model_copy(update=changes))


@pytest.fixture(scope="session")
def single(everything):
    """A story with a single look."""
    return next(s for s in everything if s.sheet.lighting and s.sheet.lighting.contrast is None)


@pytest.fixture(scope="session")
def tinted(everything):
    """A story with a contrast in colour temperature."""
    return next(
        s
        for s in everything
        if s.sheet.lighting and s.sheet.lighting.contrast and s.sheet.lighting.contrast.relation in ("cooler", "warmer")
    )


def test_real_stories_have_no_findings(c20, single, tinted):
    assert said(c20) == said(single) == said(tinted) == ""


def test_numbers(c20, n20):
    assert "3 props; four or five" in said(sheet(c20, props=c20.sheet.props[:3]))
    assert "belong to other suites" in said(sheet(c20, events=n20.sheet.events))
    assert "have a lighting block" in said(sheet(c20, lighting=None))


def test_the_quote_stands_in_the_style(c20):
    assert "not part of the style" in said(lighting(c20, quote="a purple haze"))


def test_segments_cover_each_place_once(c20):
    a, b = (place.id for place in c20.sheet.places)
    only = (LightSegment(id="one", places=(a,)),)
    twice = (LightSegment(id="one", places=(a, b)), LightSegment(id="two", places=(b,)))
    assert "each of" in said(lighting(c20, segments=only))
    assert "each of" in said(lighting(c20, segments=twice))
    together = (LightSegment(id="one", places=(a, b)),)
    assert "a contrast stands between two segments" in said(lighting(c20, segments=together))
    assert "both places share one segment" in said(lighting(c20, contrast=None))


def test_a_contrast_agrees_with_the_light_of_the_places(c20, tinted):
    for story in (c20, tinted):
        contrast = story.sheet.lighting.contrast
        turned = LightContrast(place=contrast.than, relation=contrast.relation, than=contrast.place)
        assert f"is {contrast.relation} than" in said(lighting(story, contrast=turned))
        astray = LightContrast(place="attic", relation=contrast.relation, than=contrast.place)
        assert "it stands between 'attic'" in said(lighting(story, contrast=astray))


def test_a_single_look_is_the_same_light_in_both_places(single):
    place = single.sheet.places[0]
    other = "dark" if place.light.brightness != "dark" else "bright"
    light = place.light.model_copy(update={"brightness": other})
    changed = sheet(single, places=item(single.sheet.places, 0, light=light))
    assert "the light of the two places differs" in said(changed)
