"""Matches of people and computers, from the lobby to the end. Asynchronous; without Discord and SQL."""
