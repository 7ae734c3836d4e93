from hypothesis import given
from hypothesis import strategies as st

from storyengine.language.sections import read_sections, write_sections

lines = st.from_regex(r"[a-z][a-z .,']{0,30}[a-z]", fullmatch=True)
headings = st.sampled_from(["TASK", "MUST SHOW", "DO NOT COPY", "CAMERA AND LAYOUT", "EVENTS"])


@given(st.dictionaries(headings, lines | st.lists(lines, min_size=1, max_size=4), max_size=5))
def test_sections_read_back(sections):
    expected = {heading: [content] if isinstance(content, str) else content for heading, content in sections.items()}
    assert read_sections(write_sections(sections)) == expected


def test_empty_sections_are_left_out_and_free_text_is_kept():
    assert write_sections({"TASK": "Paint.", "PRESERVE": [], "STYLE": ""}) == "TASK: Paint."
    assert read_sections("a red barrow in a store") == {"": ["a red barrow in a store"]}
    assert read_sections("") == {}
