"""Look back at a match: steps, films, moments, analyses, dice, its story."""
