"""The reader: understanding English without a model."""

from storyengine.language.reading.interpret import Reading, Statement
from storyengine.language.reading.sentence import SentenceReading, read_sentence

__all__ = ["Reading", "SentenceReading", "Statement", "read_sentence"]
