"""Tests of Dominance."""
