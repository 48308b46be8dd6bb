"""Look back at a match: replays, animations, analyses, dice, stories."""
