"""Exact values of games small enough to be solved. The only room that calculates with NumPy."""
