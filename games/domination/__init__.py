"""Domination, the world conquest of yura.net, with rules by Conway Hui."""
