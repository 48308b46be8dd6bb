"""The clock that the people of a match agree on: a bank of time, what a turn adds to it, and its limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time, timedelta
from typing import Any, Final, Literal, TypeAlias, cast, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from matches.clocks.hours import PlayingHours

Acts: TypeAlias = Literal["claim", "automatic"]
"""Who acts when time is up: an opponent, who may claim, or the host automatically."""
Follows: TypeAlias = Literal["default", "computer", "loss"]
"""What follows: the game's safe default move, a computer in the seat, or the loss of the match."""

MIN_BANK: Final = timedelta(minutes=1)
"""Least time that a clock begins with."""
MAX_BANK: Final = timedelta(days=60)
"""Maximum time that a clock can ever show."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A bank that every seat starts with, refilled by `increment` after each of its turns, up to `cap`.

    Three days for each move are a bank of three days with an increment and a cap of three days. Raises
    ValueError for a bank under a minute or over 60 days, and a cap below the bank or above 60 days.
    """

    bank: timedelta
    increment: timedelta = timedelta()
    cap: timedelta = MAX_BANK
    hours: PlayingHours | None = None
    vacations: bool = True
    """Whether vacations of its people stop their clocks."""
    acts: Acts = "claim"
    follows: Follows = "default"

    def __post_init__(self) -> None:
        if not MIN_BANK <= self.bank <= self.cap <= MAX_BANK:
            raise ValueError("a bank is at least a minute, and at most its cap, which is at most 60 days")
        if not timedelta() <= self.increment <= self.cap:
            raise ValueError("an increment is at most the cap")

    @property
    def per_move(self) -> bool:
        """Whether each turn has the same time, whatever the ones before have used."""
        return self.increment >= self.cap


def per_move(each: timedelta, **more: Any) -> TimeControl:
    """Return the clock that gives every turn the same time. Raises ValueError as TimeControl."""
    return TimeControl(each, each, each, **more)


PRESETS: Final[Mapping[str, TimeControl | None]] = {
    "none": None,
    "relaxed": per_move(timedelta(days=3)),
    "weekly": per_move(timedelta(days=7)),
    "steady": TimeControl(timedelta(hours=24), timedelta(hours=12), timedelta(days=5)),
    "evening": TimeControl(
        timedelta(minutes=10), timedelta(seconds=15), timedelta(minutes=20), acts="automatic", follows="loss"
    ),
}
"""The clocks that a lobby offers by name."""


def to_json(control: TimeControl) -> dict[str, Any]:
    """Return a clock as JSON: times in whole seconds, playing hours as on the wall."""
    hours = control.hours
    return {
        "bank": _seconds(control.bank),
        "increment": _seconds(control.increment),
        "cap": _seconds(control.cap),
        "hours": None
        if hours is None
        else {
            "zone": hours.zone.key,
            "opens": hours.opens.isoformat("minutes"),
            "closes": hours.closes.isoformat("minutes"),
            "days": sorted(hours.days),
        },
        "vacations": control.vacations,
        "acts": control.acts,
        "follows": control.follows,
    }


def from_json(data: Mapping[str, Any]) -> TimeControl:
    """Return the clock of `to_json`. Raises ValueError, KeyError or TypeError for anything else."""
    hours = data["hours"]
    if data["acts"] not in get_args(Acts) or data["follows"] not in get_args(Follows):
        raise ValueError("unknown words for what happens when time is up")
    return TimeControl(
        timedelta(seconds=data["bank"]),
        timedelta(seconds=data["increment"]),
        timedelta(seconds=data["cap"]),
        None
        if hours is None
        else PlayingHours(
            time_zone(hours["zone"]),
            time.fromisoformat(hours["opens"]),
            time.fromisoformat(hours["closes"]),
            frozenset(hours["days"]),
        ),
        bool(data["vacations"]),
        cast("Acts", data["acts"]),
        cast("Follows", data["follows"]),
    )


def time_zone(name: str) -> ZoneInfo:
    """Return a time zone by its IANA name, such as Europe/Berlin. Raises ValueError if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, ValueError) as error:
        raise ValueError(f"there is no time zone {name!r}") from error


def _seconds(span: timedelta) -> int:
    return span // timedelta(seconds=1)
