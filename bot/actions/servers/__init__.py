"""Servers: their maps, and a list of them for the operator."""
