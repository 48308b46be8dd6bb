"""Colours as sRGB triples of 0..255, and how they mix and contrast.

Contrast is measured as the Web Content Accessibility Guidelines (WCAG 2.2) do.
"""

from __future__ import annotations

from typing import TypeAlias

RGB: TypeAlias = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)


def rgb(code: str) -> RGB:
    """Read `#rrggbb`. Raises ValueError for anything else."""
    if len(code) != 7 or code[0] != "#":
        raise ValueError(f"not a colour: {code!r}")
    value = int(code[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def mix(one: RGB, other: RGB, share: float) -> RGB:
    """Blend `share` (0..1) of `other` into `one`, channel by channel."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def luminance(colour: RGB) -> float:
    """Relative luminance, 0 (black) to 1 (white). Source: WCAG 2.2, "relative luminance"."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: RGB, other: RGB) -> float:
    """Contrast ratio, 1 to 21. Source: WCAG 2.2, "contrast ratio"."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def clearest(on: RGB, *among: RGB) -> RGB:
    """Return the colour of `among` that stands out most from `on`; the first of equals."""
    return max(among, key=lambda colour: contrast(colour, on))
