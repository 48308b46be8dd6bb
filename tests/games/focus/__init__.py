"""Tests of Focus."""
