"""Tests of what operators run the bot with."""
