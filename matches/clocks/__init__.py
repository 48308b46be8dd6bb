"""Clocks of a match, computed from its log and what interrupted it. Nothing here is stored or counts down."""
