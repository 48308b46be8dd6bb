"""The story of a finished match: who won how, what turned it, and what its chart shows."""

from matches.story.story import Story, story_of
from matches.story.turning_points import TurningPoint, coach_words

__all__ = ["Story", "TurningPoint", "coach_words", "story_of"]
