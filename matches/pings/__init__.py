"""Pings: what each person wants to be notified of, when, and by what way."""
