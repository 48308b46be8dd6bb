"""Tests of Two Domains."""
