"""Lobbies, from their creation or a fork to the start of the match, and who may sit down with whom."""
