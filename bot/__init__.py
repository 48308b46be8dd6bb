"""Dominium on Discord: configuration, doors for moves, pictures and texts, the outbox's publisher."""
