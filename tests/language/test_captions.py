import pytest
from hypothesis import given
from hypothesis import strategies as st

from storyengine.demo import demo_plan
from storyengine.language import parse, render
from storyengine.language.captions import caption, read_caption, read_catalog, slug
from storyengine.plan import Catalog

from ..strategies import catalogs, speakable_catalogs
from .test_sentences import claims

PLAN = demo_plan()
CATALOG = Catalog.of(PLAN)


def test_captions_as_they_are_written():
    assert caption(CATALOG.entities["locker"]) == (
        "the grey locker (thing; container, fixed; door shut or open, contents hidden when shut): "
        "a tall grey steel locker with air slots in its door"
    )
    assert caption(CATALOG.entities["mina"]).startswith("Mina (person): a student")
    assert caption(CATALOG.environments["classroom"]).startswith(
        "the classroom (place; by the front desks | in the doorway; with blackboard, tall windows; bright warm light): "
    )


@given(catalogs())
def test_captions_read_back(catalog):
    for entity in catalog.entities.values():
        again = read_caption(caption(entity))
        plain = {"id": slug(entity.name), "aliases": ()}
        attributes = tuple(a.model_copy(update={"one_way": False}) for a in entity.attributes)
        assert again == entity.model_copy(update={**plain, "attributes": attributes})
    for place in catalog.environments.values():
        assert caption(read_caption(caption(place))) == caption(place)


@given(st.data())
def test_sentences_keep_their_meaning_for_who_only_has_captions(data):
    """A backend that gets captions and a sentence understands the same claim, under ids of its own."""
    catalog = data.draw(speakable_catalogs)
    told = read_catalog([caption(s) for s in (*catalog.entities.values(), *catalog.environments.values())])
    sentence = render(data.draw(claims(catalog)), catalog)
    claim = parse(sentence, told)
    assert claim is not None
    if claim.claim != "only_people":  # named in the order of ids, which differ here
        assert render(claim, told) == sentence


@pytest.mark.parametrize("line", ["", "Mina", "a red bag", "Mina (wizard): tall", "the desk (thing; door shut)"])
def test_other_lines_are_no_captions(line):
    assert read_caption(line) is None
