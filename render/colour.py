"""Colours as sRGB triples of 0 to 255, with mixing and contrast.

Contrast is measured as in the Web Content Accessibility Guidelines (WCAG 2.2).
"""

from __future__ import annotations

from typing import TypeAlias

RGB: TypeAlias = tuple[int, int, int]

BLACK: RGB = (0, 0, 0)
WHITE: RGB = (255, 255, 255)


def rgb(code: str) -> RGB:
    """Return the colour written as `#rrggbb`. Raises ValueError for any other text."""
    if len(code) != 7 or code[0] != "#":
        raise ValueError(f"not a colour: {code!r}")
    value = int(code[1:], 16)
    return value >> 16, value >> 8 & 255, value & 255


def mix(one: RGB, other: RGB, share: float) -> RGB:
    """Return `one` with a `share` (0 to 1) of `other`, mixed channel by channel."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def luminance(colour: RGB) -> float:
    """Return the relative luminance, 0 (black) to 1 (white). Source: WCAG 2.2, "relative luminance"."""
    linear = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: RGB, other: RGB) -> float:
    """Return the contrast ratio, 1 to 21. Source: WCAG 2.2, "contrast ratio"."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def clearest(on: RGB, *among: RGB) -> RGB:
    """Return the colour among `among` with the highest contrast to `on`; the first of equals."""
    return max(among, key=lambda colour: contrast(colour, on))
