"""The computer players, and the evaluation of positions."""
