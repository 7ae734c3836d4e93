from collections import Counter
from itertools import pairwise

from storyengine.bench.index import CATEGORIES, ENTRIES, FORBIDDEN, MINI, PLANS, SHARED_SETTINGS, SUITES, TITLES


def test_the_index_has_sixty_stories_in_fifty_settings():
    assert len(ENTRIES) == 60
    assert len({entry.title for entry in ENTRIES.values()}) == 50


def test_the_settings_of_two_suites_are_those_of_the_design():
    n20, t20, c20 = ({title for titles in TITLES[suite].values() for title in titles} for suite in SUITES)
    assert n20 & t20 == SHARED_SETTINGS
    assert not (n20 | t20) & c20


def test_the_mini_set_has_one_story_per_suite_and_category_and_no_setting_twice():
    entries = [ENTRIES[story] for story in MINI]
    assert Counter((e.suite, e.category) for e in entries) == {(s, c): 1 for s in SUITES for c in CATEGORIES}
    assert len({entry.title for entry in entries}) == 15


def test_plans_have_the_changes_of_place_that_the_totals_force():
    changes = {suite: [sum(a != b for a, b in pairwise(p)) for p in PLANS[suite]] for suite in SUITES}
    assert [set(changes[suite]) for suite in SUITES] == [{5, 6}, {3, 4}, {5, 6}]
    assert all(plan.startswith("A") and len(plan) == 10 for plans in PLANS.values() for plan in plans)


def test_forbidden_items_per_suite():
    assert [len(FORBIDDEN[suite]) for suite in SUITES] == [11, 12, 15]
    assert all(FORBIDDEN[suite][:11] == FORBIDDEN["N20"] for suite in SUITES)
