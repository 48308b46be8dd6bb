"""No sentence about a match names anyone twice, as "Red (Ann): Red (Ann) has decided" does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from bot.messages.match import fact_details, status_line, what_happened
from bot.platform.reader_settings import Reader
from games.engine.game import Fact, Seat
from games.engine.match import Change, Match, decline, flag, leave, offer_draw, play_default, substitute
from games.engine.message import Msg
from locales import Catalogue
from matches.store.rows import SeatRow
from tests.laws.courses import Course
from tests.soak import SOAK
from tests.storage.rows import lobby

NAMES = ("Ada", "Ben", "Cem", "Dora", "Emil", "Finn")
CATALOGUE = Catalogue(strict=True)
_ENDS = re.compile(r"\n| · |(?<=[\w)])\. ")
"""Where a sentence of a board's text ends."""


def named_twice(text: str) -> list[str]:
    """Return the sentences in which a name stands more than once."""
    parts = _ENDS.split(text)
    return [part for part in parts if any(part.count(f"({name})") > 1 for name in NAMES)]


def spans(played: Course) -> Iterator[tuple[Match, Sequence[Fact]]]:
    """Yield matches after one to four entries, with what happened in them."""
    step = max(1, len(played.stops) // (60 if SOAK else 16))
    for at in range(0, len(played.stops), step):
        for several in (1, 2, 4):
            last = played.stops[max(0, at - several + 1) : at + 1]
            yield last[-1].match, [fact for stop in last for fact in stop.facts]


def interrupted(played: Course) -> Iterator[tuple[Match, Sequence[Fact]]]:
    """Yield matches in which someone, after a move or without one, gives up, is late, or offers a draw."""
    sealed = played.sealed
    for stop in played.some(6 if SOAK else 4):
        for seat in map(Seat, range(played.case.seats)):
            ways: list[Change | Msg] = [
                leave(stop.match, seat, "resign", sealed),
                leave(stop.match, seat, "timeout", sealed),
                substitute(stop.match, seat, "computer", sealed),
            ]
            for first, then in ((offer_draw, decline), (flag, play_default)):
                ways.append(done := first(stop.match, seat, sealed))
                if isinstance(done, Change):
                    ways.append(then(done.match, seat, sealed))
            for done in ways:
                if isinstance(done, Change):
                    yield done.match, done.facts
                    yield done.match, (*stop.facts, *done.facts)


def test_nobody_is_named_twice_in_a_sentence(played: Course) -> None:
    case = played.case
    seats = tuple(SeatRow(at, "person", 100 + at, NAMES[at]) for at in range(case.seats))
    row = replace(lobby(), game=case.key, seats=seats, options=dict(case.setup.options))
    for match, facts in (*spans(played), *interrupted(played)):
        for viewer in (None, Seat(0), Seat(1)):
            reader = Reader(CATALOGUE, seat=viewer)
            for brief in (True, False):
                assert not named_twice(what_happened(row, match, facts, reader, brief=brief))
            assert not named_twice(fact_details(row, facts, reader))
            assert not named_twice(status_line(row, match, reader))
