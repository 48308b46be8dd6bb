"""Clocks that ran out, pauses, vacations, and matches that fell asleep."""
