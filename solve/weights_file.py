"""Put numbers into the module of a game's weights; everything else in it stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping


def with_weights(text: str, weights: Mapping[str, int]) -> str:
    """Return the text of a module with other numbers in the dictionary `WEIGHTS`.

    Raises ValueError unless each name stands in it exactly once, on a line of its own.
    """
    head, begin, rest = text.partition("\nWEIGHTS: Final")
    body, end, tail = rest.partition("\n}")
    if not begin or not end:
        raise ValueError("it has no WEIGHTS")
    for name, weight in weights.items():
        body, times = re.subn(
            rf'^(    "{re.escape(name)}": )-?\d+,$', rf"\g<1>{weight},", body, flags=re.MULTILINE
        )
        if times != 1:
            raise ValueError(f"its WEIGHTS have no line for {name}")
    return head + begin + body + end + tail


def with_odds(text: str, scale: float, spread: float) -> str:
    """Return the text of a module with another `ODDS_SCALE` and `SPREAD`. Raises ValueError without them."""
    for name, number in (("ODDS_SCALE", scale), ("SPREAD", spread)):
        text, times = re.subn(rf"^({name}: Final = )[\d.]+$", rf"\g<1>{number:.1f}", text, flags=re.MULTILINE)
        if times != 1:
            raise ValueError(f"it has no {name}")
    return text
