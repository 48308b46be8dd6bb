"""Outlines for glyphs, in the unit square: x to the right, y upwards."""

from __future__ import annotations

from math import cos, radians, sin
from typing import TypeAlias

Outline: TypeAlias = tuple[tuple[float, float], ...]


def box(left: float, bottom: float, right: float, top: float) -> Outline:
    """Return a rectangle."""
    return ((left, bottom), (right, bottom), (right, top), (left, top))


def arc(x: float, y: float, radius: float, start: float = 0, end: float = 360, corners: int = 48) -> Outline:
    """Return an arc of a circle between two angles in degrees; by default the whole circle."""
    angles = (radians(start + (end - start) * n / corners) for n in range(corners + (end - start < 360)))
    return tuple((round(x + radius * cos(a), 4), round(y + radius * sin(a), 4)) for a in angles)
