"""The computer players, and how good a position is for a seat."""
