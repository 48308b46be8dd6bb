"""What moderators decide about a match: entries of the kind RULING, without a seat or about one.

`pause` and `end` hold the match: nobody is to act, and its clocks stop. An `end` gives no result and keeps
the secret, so that `resume` lets the match go on from there, as after a pause. `win`, of a seat, and `draw`
decide the result instead: the match is over like any other. `time` gives a seat more time.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final, cast

from games.engine.game import Fact, Outcome, Seat
from games.engine.log import Ending, Entry, Kind, Match, Talk
from games.engine.message import Msg, Who, duration, msg

MODERATOR: Final = "moderator"
"""The data of a RESIGN by which a moderator removes a seat."""
_TIME: Final = re.compile(r"time ([1-9][0-9]{0,9})")
_RESULTS: Final = ("win", "draw")
_ALWAYS: Final = frozenset({Kind.RULING, Kind.DOWNTIME, Kind.VACATION})
"""Kinds that a held match can have as well."""


def seconds_given(entries: Iterable[Entry]) -> dict[int, int]:
    """Return the seconds that entries give to seats."""
    found: dict[int, int] = {}
    for entry in entries:
        if entry.seat is not None and (seconds := _seconds(entry)):
            found[int(entry.seat)] = found.get(int(entry.seat), 0) + seconds
    return found


def _seconds(entry: Entry) -> int:
    found = _TIME.fullmatch(entry.data) if entry.kind is Kind.RULING else None
    return 0 if found is None else int(found[1])


def fault_while_held(match: Match, entry: Entry) -> tuple[Msg, str] | None:
    """Return why an entry can't be made in a match that a moderator has paused or ended; None elsewhere."""
    if not match.hosting.held or entry.kind in _ALWAYS:
        return None
    removed = entry.kind is Kind.RESIGN and entry.data == MODERATOR
    if match.hosting.held == "pause" and (removed or entry.kind is Kind.SUBSTITUTE):
        return None
    return why_held(match), "a moderator has stopped the match"


def why_held(match: Match) -> Msg:
    """Return the refusal of whatever people want to do in a held match."""
    return msg("match.refuse.held" if match.hosting.held == "pause" else "match.refuse.held_ended")


def fault_of_ruling(match: Match, entry: Entry) -> tuple[Msg, str] | None:
    """Return why a ruling can't be made now; None if it can."""
    if _seconds(entry):
        if match.hosting.clock is None:
            return msg("match.refuse.no_clock"), "there is no clock"
        if match.hosting.held == "end":
            return why_held(match), "a moderator has ended the match"
        if entry.seat not in match.playing:
            return msg("match.refuse.seat_gone", who=Who(entry.seat or 0)), "that seat doesn't play"
        return None
    known = ("win",) if entry.seat is not None else ("pause", "end", "resume", "draw")
    if entry.data not in known:
        return msg("match.refuse.stale"), f"no moderator can {entry.data}"
    if entry.data in _RESULTS:
        return _fault_of_result(match, entry)
    if entry.data == "resume":
        stopped = match.hosting.held or match.talk.paused
        return None if stopped else (msg("match.refuse.not_paused"), "the match isn't stopped")
    if match.hosting.held == "end" or match.hosting.held == entry.data:
        return msg(f"match.refuse.held_already_{match.hosting.held}"), "a moderator has done that already"
    return None


def _fault_of_result(match: Match, entry: Entry) -> tuple[Msg, str] | None:
    if match.hosting.held == "end":
        return why_held(match), "a moderator has ended the match"
    if entry.seat is not None and entry.seat not in match.playing:
        return msg("match.refuse.seat_out", who=Who(entry.seat)), "that seat doesn't play"
    return None


def withdraws_offers(entry: Entry) -> bool:
    """Return whether an entry is a ruling by which offers and requests lapse."""
    return entry.kind is Kind.RULING and not _seconds(entry)


def ruled(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after a ruling, and its facts."""
    if seconds := _seconds(entry):
        who = Who(cast("Seat", entry.seat))
        return match, (Fact(msg("match.fact.ruling_time", who=who, time=duration(seconds))),)
    if entry.data in _RESULTS:
        return _decided(match, entry)
    key = "reopen" if entry.data == "resume" and match.hosting.held == "end" else entry.data
    hosting = replace(match.hosting, held="" if entry.data == "resume" else entry.data)
    return replace(match, hosting=hosting, talk=Talk()), (Fact(msg(f"match.fact.ruling_{key}")),)


def _decided(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match with the result that a moderator gives it: a seat's team is first, or all who play."""
    teams = match.setup.teams
    first = frozenset(teams[seat] for seat in (match.playing if entry.seat is None else (entry.seat,)))
    winners = tuple(Who(Seat(seat)) for seat, team in enumerate(teams) if team in first)
    ranks = tuple(1 if team in first else len(winners) + 1 for team in teams)
    ending = Ending("ruling", Outcome(ranks, msg("match.outcome.ruling")))
    after = replace(match, ending=ending, hosting=replace(match.hosting, held=""), talk=Talk())
    return after, (Fact(msg(f"match.fact.ruling_{entry.data}", who=winners)),)
