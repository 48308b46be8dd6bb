"""What a person wants to be notified of in their matches. Kept as JSON under `pings` in their settings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import time
from typing import Any, Final, Literal, TypeAlias, TypeVar, cast, get_args
from zoneinfo import ZoneInfo

from games.engine.message import Msg
from games.engine.normalization import folded
from matches.clocks.control import time_zone
from matches.clocks.hours import span_readings, which_words
from matches.store.pings import MAX_REMINDER

Style: TypeAlias = Literal["every", "looked", "digest", "none"]
"""`every` move, one until they have `looked`, a `digest` at their times of day, or `none`."""
Where: TypeAlias = Literal["thread", "dm"]
"""A mention where the match is played, or a direct message."""

KEY: Final = "pings"
MAX_TYPED: Final = 200
"""Maximum length of a typed setting, in characters. A pattern's worst text is as long."""
MAX_DIGESTS: Final = 6
"""Maximum number of digests that a person gets in a day."""
_MAX_LEFT: Final = int(MAX_REMINDER.total_seconds()) // 3600
_MAX_INTERVAL: Final = 7 * 24
_UTC: Final = ZoneInfo("UTC")
_DAY: Final = 24 * 60
_MIN_LOUD: Final = 60
"""The least of a day that quiet hours leave, in minutes."""
_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?\s*(am|pm)?")
_UNTIL = re.compile(r"-|to|until|bis")
_OFF = frozenset({"", "off", "none", "no", "never", "-"})


@dataclass(frozen=True, slots=True)
class QuietHours:
    """No pings from `start` to `end` on the wall, each day; over midnight if `end` is earlier.

    Raises ValueError unless an hour a day is left.
    """

    start: time
    end: time

    def __post_init__(self) -> None:
        minutes = (self.start.hour - self.end.hour) * 60 + self.start.minute - self.end.minute
        if minutes % _DAY < _MIN_LOUD:
            raise ValueError("quiet hours leave at least an hour a day")


@dataclass(frozen=True, slots=True)
class PingSettings:
    """What a person wants. The defaults are those of someone who has set nothing."""

    style: Style = "every"
    where: Where = "thread"
    zone: ZoneInfo = _UTC
    quiet: QuietHours | None = None
    digests: tuple[time, ...] = (time(8), time(18))
    """Times of day, in order."""
    reminders: tuple[int, ...] = (24, 8, 1)
    """Hours left at which to remind, longest first."""
    interval: int = 0
    """Hours between reminders while they are to move; 0 for none."""
    next_up: bool = False
    """Whether to notify them that they move after the one who is to move."""
    alone: bool = False
    """Whether to notify them that all others have decided, and wait for them."""

    def to_json(self) -> dict[str, Any]:
        """Return the settings as JSON."""
        return {
            "style": self.style,
            "where": self.where,
            "zone": self.zone.key,
            "quiet": None if self.quiet is None else [_wall(self.quiet.start), _wall(self.quiet.end)],
            "digests": [_wall(at) for at in self.digests],
            "reminders": list(self.reminders),
            "interval": self.interval,
            "next_up": self.next_up,
            "alone": self.alone,
        }


def read_settings(made: Mapping[str, Any]) -> PingSettings:
    """Return what a person's settings say of pings; the default for each value that is missing or broken."""
    data, usual = made.get(KEY), PingSettings()
    if not isinstance(data, dict):
        return usual
    return PingSettings(
        style=_one_of(data.get("style"), get_args(Style), usual.style),
        where=_one_of(data.get("where"), get_args(Where), usual.where),
        zone=_zone(data.get("zone")),
        quiet=_quiet(data.get("quiet")),
        digests=_times(data.get("digests")) or usual.digests,
        reminders=_reminders(data.get("reminders"), usual.reminders),
        interval=_hours(data.get("interval"), _MAX_INTERVAL),
        next_up=data.get("next_up") is True,
        alone=data.get("alone") is True,
    )


def with_settings(made: Mapping[str, Any], pings: PingSettings) -> dict[str, Any]:
    """Return a person's settings with these about pings."""
    return {**made, KEY: pings.to_json()}


# --- what people type -------------------------------------------------------------------------------------


def typed_time(text: str) -> time | None:
    """Return a time of day such as `8`, `8:30`, `20h15` or `8 pm`; None if it isn't one."""
    found = _TIME.fullmatch(_plain(text))
    if found is None:
        return None
    hour, minute, half = int(found[1]), int(found[2] or 0), found[3]
    if half is not None:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    hour %= 24 if (hour, minute) == (24, 0) else 100
    return time(hour, minute) if hour < 24 and minute < 60 else None


def typed_quiet(text: str) -> QuietHours | Literal["off"] | Msg | None:
    """Return quiet hours such as `22-7` or `10 pm to 7:30 am`, `off` for none; None if it isn't that.

    What has several readings is answered by the question which of them is meant.
    """
    plain = _plain(text)
    if plain in _OFF:
        return "off"
    start, *end = _UNTIL.split(plain, maxsplit=1)
    spans = span_readings(start.strip(), end[0].strip()) if end else ()
    possible = tuple(span for span in spans if _quiet_hours(*span) is not None)
    return which_words(possible) if len(possible) > 1 else _quiet_hours(*possible[0]) if possible else None


def typed_digests(text: str) -> tuple[time, ...] | None:
    """Return times of day such as `8:00 18:30`, in order; None if it isn't one to six of them."""
    parts = [part for part in re.split(r" ?[,;] ?| (?!am|pm)", _plain(text)) if part not in ("", "and")]
    found = [typed_time(part) for part in parts]
    times = sorted({at for at in found if at is not None})
    return tuple(times) if 1 <= len(times) <= MAX_DIGESTS and None not in found else None


def _plain(text: str) -> str:
    """Return a text as it is compared; one that is too long for any setting is none."""
    return folded(text) if len(text) <= MAX_TYPED else "?"


# --- reading what is stored -------------------------------------------------------------------------------

_T = TypeVar("_T")


def _one_of(value: object, choices: tuple[Any, ...], usual: _T) -> _T:
    return cast("_T", value) if value in choices else usual


def _zone(value: object) -> ZoneInfo:
    try:
        return time_zone(value) if isinstance(value, str) else _UTC
    except ValueError:
        return _UTC


def _times(value: object) -> tuple[time, ...]:
    found = [_time(each) for each in value] if isinstance(value, list) else []
    return tuple(sorted({at for at in found if at is not None}))[:MAX_DIGESTS]


def _time(value: object) -> time | None:
    try:
        at = time.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return None if at is None else time(at.hour, at.minute)


def _quiet(value: object) -> QuietHours | None:
    if not isinstance(value, list) or len(value) != 2:
        return None
    return _quiet_hours(_time(value[0]), _time(value[1]))


def _quiet_hours(start: time | None, end: time | None) -> QuietHours | None:
    try:
        return None if start is None or end is None else QuietHours(start, end)
    except ValueError:
        return None


def _reminders(value: object, usual: tuple[int, ...]) -> tuple[int, ...]:
    if not isinstance(value, list):
        return usual
    return tuple(sorted({hours for each in value if (hours := _hours(each, _MAX_LEFT))}, reverse=True))


def _hours(value: object, most: int) -> int:
    right = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= most
    return cast("int", value) if right else 0


def _wall(at: time) -> str:
    return at.isoformat("minutes")
