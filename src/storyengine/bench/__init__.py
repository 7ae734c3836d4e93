"""The 60-story benchmark: briefs that methods see, sheets that they never do."""
