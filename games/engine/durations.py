"""Lengths of time in words. Games and logs know how long something took, but never what time it is."""

from __future__ import annotations

from typing import Final

from games.engine.message import Msg, msg

_UNITS: Final = ((86_400, "days"), (3_600, "hours"), (60, "minutes"), (1, "seconds"))


def duration(seconds: int) -> Msg:
    """Return a time in its two largest units, such as `2 days 3 hours`; smaller ones are dropped."""
    parts: list[Msg] = []
    for unit, name in _UNITS:
        number, seconds = divmod(seconds, unit)
        if number or (name == "seconds" and not parts):
            parts.append(msg(f"match.time.{name}", n=number))
        elif parts:
            break
    return parts[0] if len(parts) == 1 else msg("match.time.both", larger=parts[0], smaller=parts[1])
