"""StoryEngine turns a story brief into a coherent multi-shot film."""

__version__ = "0.1.0"
