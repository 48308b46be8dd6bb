"""The story of a finished match: who won how, what turned it, and what its chart shows."""

from matches.story.story import Story, story_of
from matches.story.turning_points import TurningPoint

__all__ = ["Story", "TurningPoint", "story_of"]
