"""The estimate of a film, held against films that were really made."""

from storyengine.continuity.estimate import Span, cost, film_calls
from storyengine.grounding.sphere import PROBES
from tests.film.small_crew import SmallJudge
from tests.film.test_pipeline import PLAN, make

PLACES = len(PLAN.environments)


def asked(painter, animator, judge):
    return {"painter": len(painter.requests), "animator": len(animator.requests), "judge": len(judge.requests)}


def test_a_film_where_all_goes_well_takes_the_least(tmp_path):
    _, painter, animator, judge = make(tmp_path)
    least = {part: span.least for part, span in film_calls(PLAN, "film").items()}
    least["judge"] -= len(PROBES) * PLACES  # looking around is asked for by another verb
    assert asked(painter, animator, judge) == least


def test_a_film_where_nothing_is_ever_right_stays_within_the_most(tmp_path):
    judge = SmallJudge(lambda text, request, times: "FAIL")
    _, painter, animator, judge = make(tmp_path, judge=judge)
    made = asked(painter, animator, judge)
    for part, span in film_calls(PLAN, "film").items():
        assert span.least < made[part] <= span.most
    assert made["animator"] == film_calls(PLAN, "film")["animator"].most


def test_stopping_early_takes_less_and_money_is_calls_times_price():
    film, openings, references = (film_calls(PLAN, until) for until in ("film", "openings", "references"))
    assert film["animator"].least == 6
    assert openings["animator"] == references["animator"] == Span()
    assert openings["painter"] == references["painter"] + Span(6, 12)
    prices = {"painter": 20_000, "animator": 500_000, "judge": 0}
    expected = film["painter"].least * 20_000 + 6 * 500_000
    assert cost(film, prices).least == expected
