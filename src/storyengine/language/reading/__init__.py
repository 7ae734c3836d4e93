"""The reader: understanding English without a model. The one place where free text becomes typed values.

    tokens → phrases, verb groups → clauses → interpret (readings, statements) → sentence → brief

`read_sentence` reads one sentence, `read_brief` a whole brief. Both are pure and deterministic.
"""

from storyengine.language.reading.brief import read_brief
from storyengine.language.reading.directions import Anchor, OrderHint
from storyengine.language.reading.light import PlaceLight
from storyengine.language.reading.persons import Person
from storyengine.language.reading.phrases import NounPhrase
from storyengine.language.reading.readings import Reading, Statement
from storyengine.language.reading.sentence import SentenceReading, read_sentence
from storyengine.language.reading.told import BriefEvent, BriefReading, UnreadSentence
from storyengine.language.reading.verbs import Act

__all__ = [
    "Act",
    "Anchor",
    "BriefEvent",
    "BriefReading",
    "NounPhrase",
    "OrderHint",
    "Person",
    "PlaceLight",
    "Reading",
    "SentenceReading",
    "Statement",
    "UnreadSentence",
    "read_brief",
    "read_sentence",
]
