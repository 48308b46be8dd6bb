"""Tournaments as people play them: sign-up, matches that start on their own, repairs."""
