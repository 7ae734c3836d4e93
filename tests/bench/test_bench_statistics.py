from pathlib import Path

from storyengine.bench.statistics import statistics_table

CARD = Path(__file__).parents[2] / "docs" / "benchmark.md"


def test_the_table_of_the_data_card_is_counted_from_the_stories(everything):
    shown = CARD.read_text("utf-8").partition("<!-- statistics -->\n")[2].partition("<!-- /statistics -->")[0]
    assert shown == statistics_table(everything)


def test_the_table_agrees_with_the_paper(everything):
    rows = dict(line.strip("| ").split(" | ", 1) for line in statistics_table(everything).splitlines()[2:])
    assert rows["Stories / shots"] == "20 / 200 | 20 / 200 | 20 / 200"
    assert rows["Location changes per story"] == "5–6 | 3–4 | 5–6"
    assert rows["Required / distractor events"] == "200 / 120 | – | –"
    assert rows["Anchored cuts / at a change of location"] == "– | 180 / 71 | –"
    assert rows["Same-location shot pairs / non-adjacent"] == "– | – | 415 / 340"
    assert rows["Lighting contrasts (luminance + colour temperature)"] == "– | – | 13 (11 + 2)"
