"""The command line: thin front ends that read files, call the rooms and print."""

from storyengine.cli.main import main

__all__ = ["main"]
