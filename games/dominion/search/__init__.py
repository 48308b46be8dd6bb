"""Dominion made for searching: a state that is changed in place, its tables, weights and levels."""
