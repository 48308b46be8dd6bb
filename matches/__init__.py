"""Matches of people and computers: lobbies, moves, endings. Asynchronous; knows neither Discord nor SQL."""
