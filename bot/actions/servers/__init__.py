"""Servers: their maps, a list of them for the operator, and those that the bot has left."""
