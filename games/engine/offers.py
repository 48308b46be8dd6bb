"""Offers of a draw, and requests to take moves back: when they may be made, and what they do to a match.

A seat that makes the same offer, or request, as another agrees to it. A draw is agreed when every seat that
plays has offered one; moves that all agree to take back are taken back by an entry of the host.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, cast

from games.engine.game import Fact, Outcome, Seat
from games.engine.log import Ending, Entry, Kind, Match, TakebackRequest
from games.engine.message import Msg, Who, msg

OFFERS: Final = frozenset({Kind.OFFER, Kind.ASK, Kind.DECLINE, Kind.TAKEBACK})


def fault_of_offer(match: Match, entry: Entry) -> tuple[Msg, str] | None:
    """Return why an entry of OFFERS can't be made now; None if it can."""
    kind, seat = entry.kind, entry.seat
    if kind is Kind.OFFER and seat in match.talk.offers:
        return msg("match.refuse.offered"), f"seat {seat} agrees already"
    if kind is Kind.DECLINE and not match.talk.offers and match.talk.asked is None:
        return msg("match.refuse.no_offer"), "nothing is offered"
    if (
        kind is Kind.ASK
        and (open_ := match.talk.asked)
        and str(open_.to) == entry.data
        and seat in open_.agreed
    ):
        return msg("match.refuse.asked"), f"seat {seat} agrees already"
    if kind in (Kind.ASK, Kind.TAKEBACK) and entry.data not in map(str, range(match.seq)):
        return msg("match.refuse.takeback"), f"there is no entry {entry.data} to go back to"
    return None


def draw_offered(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after an offer of a draw, which ends it if all agree, and the fact."""
    offers = match.talk.offers | {cast("Seat", entry.seat)}
    if not match.playing <= offers:
        return replace(match, talk=replace(match.talk, offers=offers)), (by_seat("offer", entry),)
    share = frozenset(match.setup.teams[s] for s in match.playing)
    ranks = tuple(1 if team in share else len(share) + 1 for team in match.setup.teams)
    ending = Ending("draw", Outcome(ranks, msg("match.outcome.draw")))
    return replace(without_offers(match), ending=ending), (by_seat("agree", entry),)


def takeback_asked(
    match: Match, entry: Entry, undone_moves: Callable[[Match, int], Sequence[str]]
) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after a request to take moves back, and the fact.

    `undone_moves` returns the moves that going back to an entry would undo.
    """
    seat, to = cast("Seat", entry.seat), int(entry.data)
    if (known := match.talk.asked) is not None and known.to == to:
        request, fact = replace(known, agreed=known.agreed | {seat}), by_seat("ask_agree", entry)
    else:
        request = TakebackRequest(seat, to, entry.seq, frozenset({seat}))
        fact = moves_undone("ask", seat, undone_moves(match, to))
    return replace(match, talk=replace(match.talk, asked=request)), (fact,)


def moves_undone(key: str, seat: Seat, moves: Sequence[str]) -> Fact:
    """Return the fact `match.fact.{key}` about moves that a seat takes back; `{key}_closed` without any."""
    if not moves:
        return Fact(msg(f"match.fact.{key}_closed", who=Who(seat)))
    return Fact(msg(f"match.fact.{key}", who=Who(seat), moves=tuple(moves)))


def offers_declined(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after a seat has declined what was offered and asked, and the fact."""
    key = "decline" if match.talk.offers else "ask_decline"
    return without_request(without_offers(match)), (by_seat(key, entry),)


def without_offers(match: Match) -> Match:
    """Return the match without the offers of its seats."""
    return replace(match, talk=replace(match.talk, offers=frozenset[Seat]()))


def without_request(match: Match) -> Match:
    """Return the match without the request to take moves back."""
    return replace(match, talk=replace(match.talk, asked=None))


def by_seat(key: str, entry: Entry) -> Fact:
    """Return the fact `match.fact.{key}` about the seat of an entry, which has one."""
    return Fact(msg(f"match.fact.{key}", who=Who(cast("Seat", entry.seat))))
