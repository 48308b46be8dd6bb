"""Moves by message, button and menu, and what else a player does on the way."""
