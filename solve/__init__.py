"""Exact values of games small enough to be solved. The only package that uses NumPy."""
