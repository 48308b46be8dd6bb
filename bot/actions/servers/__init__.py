"""Servers: their maps, and those that the bot is in."""
