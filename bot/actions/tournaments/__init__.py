"""Tournaments: what people press and what organisers order."""
