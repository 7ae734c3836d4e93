"""Where things are put in a place."""

from storyengine.previz.appearance import prop_look
from storyengine.previz.places import build_place
from storyengine.previz.props import build
from storyengine.previz.studio.sets import site_for
from tests.previz.places.test_places import ROOM, ZONES


def test_small_things_are_put_on_tables_and_stools_on_the_floor():
    place = build_place(ROOM, ZONES, seed=4)
    zones = [zone for zone, spot in place.spots.items() if spot.tops]
    assert zones
    for zone in zones:
        assert site_for(place, zone, build(prop_look("cup")), ()).z > 0.3
        assert site_for(place, zone, build(prop_look("potter's wheel")), ()).z == 0.0
