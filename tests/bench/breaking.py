"""Small changes to frozen stories."""

from storyengine.bench.story import Story
from storyengine.wording import Value


def brief(story: Story, /, **changes) -> Story:
    return story.model_copy(update={"brief": story.brief.model_copy(update=changes)})


def sheet(story: Story, /, **changes) -> Story:
    return story.model_copy(update={"sheet": story.sheet.model_copy(update=changes)})


def item(values: tuple, position: int, **changes) -> tuple:
    """The values with one of them changed."""
    changed: Value = values[position].model_copy(update=changes)
    return (*values[:position], changed, *values[position + 1 :]) if position >= 0 else (*values[:-1], changed)


def reworded(story: Story, old: str, new: str) -> Story:
    """The idea with words replaced; they must be there."""
    idea = " ".join(story.brief.idea.split())
    assert old in idea, f"{old!r} is not in the idea of {story.id}"
    return brief(story, idea=idea.replace(old, new))


def without_look(story: Story, look: str) -> Story:
    folded, idea = look.casefold(), " ".join(story.brief.idea.split())
    start = idea.casefold().index(folded)
    return brief(story, idea=idea[:start] + "something" + idea[start + len(look) :])
