"""Clocks, playing hours, zones, days, settings and ids are read as phones and keyboards write them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from matches.clocks.quantities import read_span
from matches.clocks.typed import read_clock, read_whole_clock
from matches.clocks.zones import find_zone, zone_names
from matches.ids import read_id
from matches.pings.settings import typed_digests, typed_quiet, typed_time
from matches.records.archive_days import read_days
from tests.fakes import START
from tests.laws.keyboards import SPELLINGS

SIGNS = ("stop", "ellipsis", "bullet", "brackets", "marks", "danda", "arrow", "hand", "vowel")
NAMES = [called for called in SPELLINGS if not any(sign in called for sign in SIGNS)]


def _zone(text: str) -> object:
    return find_zone(text, zone_names(), START)


def _whole(text: str) -> object:
    return read_whole_clock(text, zone_names(), START)


READERS: tuple[tuple[Callable[[str], object], str], ...] = (
    (read_clock, "24h + 12h max 5d"),
    (read_clock, "3 days a move"),
    (read_clock, "relaxed"),
    (read_span, "1d 12h"),
    (_whole, "3d from 9:00 to 22:00 Mon-Fri Europe/Berlin"),
    (_zone, "Europe/Istanbul"),
    (_zone, "UTC+2"),
    (read_days, "2026-11"),
    (typed_time, "8:30 pm"),
    (typed_quiet, "22-7"),
    (typed_digests, "8:00, 18:30"),
    (read_id, "f-7k2m9q"),
)


@pytest.mark.parametrize("called", NAMES)
def test_what_keyboards_write_is_read(called: str) -> None:
    for read, text in READERS:
        typed = SPELLINGS[called](text)
        assert read(typed) == read(text), (read, typed)
        assert read(text) not in (None, (), "")
