"""Look back at a match: steps, stretches, moments, analyses, dice, its story."""
