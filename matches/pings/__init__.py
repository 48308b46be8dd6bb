"""Pings: what each person wants to be told, when, and by what way."""
