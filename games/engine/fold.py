"""Fold the log of a match: the match after each entry, and the facts of the entry.

What offers, rulings and coaches do is in `offers`, `rulings` and `coaching`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import cast, get_args

from games.engine.coaching import coached, may_coach
from games.engine.game import CHANCE, Fact, Seat, Why
from games.engine.log import (
    HINT_STEPS,
    CorruptLogError,
    Ending,
    Entry,
    Holder,
    Kind,
    Match,
    Talk,
    in_force,
)
from games.engine.message import Msg, Who, duration, msg
from games.engine.offers import (
    OFFERS,
    by_seat,
    draw_offered,
    fault_of_offer,
    moves_undone,
    offers_declined,
    takeback_asked,
    without_offers,
    without_request,
)
from games.engine.rulings import MODERATOR, fault_of_ruling, fault_while_held, ruled, withdraws_offers
from games.engine.secret import revealed
from games.engine.start_entry import open_log


def fold(entries: Iterable[Entry]) -> Match:
    """Return the match after a whole log. Raises CorruptLogError, naming the entry, for an invalid log."""
    last: Match | None = None
    for match, _ in walk(entries):
        last = match
    if last is None:
        raise CorruptLogError(0, "the log is empty")
    return last


def walk(entries: Iterable[Entry]) -> Iterable[tuple[Match, tuple[Fact, ...]]]:
    """Yield the match after each entry, with the facts of that entry."""
    match: Match | None = None
    for entry in entries:
        match, facts = open_log(entry) if match is None else advance(match, entry)
        yield match, facts


def advance(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after one more entry, and its facts. Raises CorruptLogError for an invalid entry."""
    if entry.seq != match.seq + 1:
        raise CorruptLogError(entry.seq, f"entry {match.seq + 1} was expected")
    if match.ending and (entry.kind is not Kind.REVEAL or match.log[-1].kind is Kind.REVEAL):
        raise CorruptLogError(entry.seq, "the match is over")
    if CHANCE in match.to_act and entry.kind is not Kind.CHANCE:
        raise CorruptLogError(entry.seq, "a draw of chance was expected")
    if entry.kind is Kind.START:
        raise CorruptLogError(entry.seq, "the match has started already")
    if entry.kind in _SEATLESS and entry.seat is not None:
        raise CorruptLogError(entry.seq, f"no seat writes {entry.kind}")
    if entry.kind in _BARE and entry.data:
        raise CorruptLogError(entry.seq, f"{entry.kind} carries no data")
    if entry.kind in _REQUESTS and (fault := fault_of(match, entry)) is not None:
        raise CorruptLogError(entry.seq, fault[1])
    after, facts = _KINDS[entry.kind](match, entry)
    return replace(after, seq=entry.seq, log=(*match.log, entry)), facts


def fault_of(match: Match, entry: Entry) -> tuple[Msg, str] | None:
    """Return why an entry other than a move can't be made now: the refusal, and the reason for errors."""
    kind, seat = entry.kind, entry.seat
    if match.ending:
        return msg("match.refuse.over"), "the match is over"
    if (fault := fault_while_held(match, entry)) is not None or kind is Kind.RULING:
        return fault or fault_of_ruling(match, entry)
    if kind is Kind.RESIGN and entry.data not in ("", MODERATOR):
        return msg("match.refuse.stale"), f"resign carries no data such as {entry.data}"
    if kind is Kind.ABORT and match.plays:
        return msg("match.refuse.abort"), "a match that has begun can't be aborted"
    if kind not in _SEATLESS and seat not in match.playing:
        return msg("match.refuse.gone"), f"seat {seat} does not play"
    if kind in OFFERS:
        return fault_of_offer(match, entry)
    if kind is Kind.SUBSTITUTE and entry.data not in ("", *get_args(Holder)):
        return msg("match.refuse.stale"), f"no {entry.data} takes over a seat"
    if kind is Kind.PAUSE and match.talk.paused:
        return msg("match.refuse.paused"), "the match is paused already"
    if kind is Kind.PAUSE and not entry.data and seat in match.talk.pausing:
        return msg("match.refuse.pause_asked"), f"seat {seat} agrees already"
    if kind is Kind.PAUSE and entry.data not in ("", "on"):
        return msg("match.refuse.paused"), "a pause is asked for, or on"
    if kind is Kind.RESUME and not match.talk.paused and not match.talk.pausing:
        return msg("match.refuse.not_paused"), "the match isn't paused"
    if kind is Kind.FLAG and seat not in match.to_act:
        return msg("match.refuse.no_flag"), f"seat {seat} is not to act"
    if kind is Kind.HINT and seat not in match.to_act:
        next_ = tuple(Who(each) for each in sorted(match.to_act))
        return msg("match.refuse.turn", next=next_), f"seat {seat} is not to act"
    if kind is Kind.HINT and entry.data not in _STEPS:
        return msg("match.refuse.stale"), f"a hint has no step {entry.data}"
    if kind is Kind.COACH and not may_coach(match, entry):
        return msg("match.refuse.stale"), f"the coach of seat {seat} can't do this now: {entry.data}"
    if kind is Kind.CLAIM and entry.data not in {str(s) for s in match.to_act if s != seat}:
        return msg("match.refuse.no_flag"), f"seat {entry.data} is not to act"
    if kind in _NOTES and _SECONDS[kind].fullmatch(entry.data) is None:
        return msg("match.refuse.stale"), f"{kind} needs how many seconds it took"
    return None


# --- one function per kind: the match after the entry, and its facts ----------------------------------


def _finish(match: Match) -> Match:
    outcome = match.game.outcome(match.state)
    return match if outcome is None else replace(without_offers(match), ending=Ending("outcome", outcome))


def _played(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = CHANCE if entry.kind is Kind.CHANCE else entry.seat
    if seat is None or seat not in match.to_act:
        raise CorruptLogError(entry.seq, f"seat {seat} is not to act")
    try:
        action = match.game.decode(entry.data)
    except ValueError as error:
        raise CorruptLogError(entry.seq, str(error)) from error
    if (why := match.game.refuse(match.state, seat, action)) is not None:
        raise CorruptLogError(entry.seq, f"{entry.data} is refused", why)
    step = match.game.apply(match.state, seat, action)
    if entry.kind is Kind.CHANCE:
        return _finish(replace(match, state=step.state)), step.facts
    seats, default = match.seats, entry.kind is Kind.DEFAULT
    if not default and seat in seats.late:
        seats = replace(seats, late={each: times for each, times in seats.late.items() if each != seat})
    after = replace(match, state=step.state, plays=match.plays + 1, seats=seats, talk=Talk())
    return _finish(after), tuple(replace(fact, by=seat, default=default) for fact in step.facts)


def _left(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = cast("Seat", entry.seat)
    why: Why = "resign" if entry.kind is Kind.RESIGN else "timeout"
    step = match.game.forfeit(match.state, seat, why)
    seats = replace(match.seats, gone=match.seats.gone | {seat})
    after = replace(without_offers(match), state=step.state, seats=seats)
    return _finish(without_request(after)), (
        by_seat("removed" if entry.data == MODERATOR else why, entry),
        *step.facts,
    )


def _aborted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    return replace(match, ending=Ending("abort", None)), (Fact(msg("match.fact.abort")),)


def _taken_back(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat, to = cast("Seat", entry.seat), int(entry.data)
    fact = moves_undone("takeback", seat, undone_moves(match, to))
    back = _in_force(match.log, to)
    seats = replace(back.seats, stand_ins=match.seats.stand_ins)
    talk = replace(match.talk, offers=back.talk.offers, asked=None)
    return replace(back, seats=seats, talk=talk, help=match.help, log=match.log), (fact,)


def undone_moves(match: Match, to: int) -> tuple[str, ...]:
    """Return the moves that going back to entry `to` would undo, without secret ones."""
    kept, chain = in_force(match.log, to), in_force(match.log, match.seq)
    if chain[: len(kept)] != kept:
        return ()
    return _open_moves(_in_force(match.log, to), _lasting(match.log, chain[len(kept) :]))


def _in_force(log: Sequence[Entry], to: int) -> Match:
    """Return the match after entry `to`, replaying only the entries that are in force there."""
    match, _ = open_log(log[0])
    for entry in _lasting(log, in_force(log, to)):
        match, _ = _KINDS[entry.kind](match, entry)
    return match


def _lasting(log: Sequence[Entry], entries: Iterable[Entry]) -> Iterator[Entry]:
    """Yield those of a log's entries whose effect comes back with a position.

    What a former holder of a seat has offered doesn't, nor that they were late, nor any offer from before a
    ruling.
    """
    came = {entry.seat: entry.seq for entry in log if entry.kind is Kind.SUBSTITUTE and entry.data}
    ruled_at = max((entry.seq for entry in log if withdraws_offers(entry)), default=0)
    for entry in entries:
        lapsed = max(came.get(entry.seat, 0), ruled_at if entry.kind is Kind.OFFER else 0)
        if entry.kind not in _TALK and (entry.kind not in _PERSONAL or entry.seq > lapsed):
            yield entry


def _open_moves(match: Match, entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the moves among entries that follow a match, but for secret ones: those of several at once."""
    moves: list[str] = []
    for entry in entries:
        if entry.kind in _MOVES and entry.seat is not None:
            game = match.game
            if len(match.to_act) == 1 or not game.hidden:
                moves.append(game.format(game.view(match.state, entry.seat), game.decode(entry.data)))
        match, _ = _KINDS[entry.kind](match, entry)
    return tuple(moves)


def _substituted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    if not entry.data:  # early logs don't say who came
        return match, (by_seat("substitute", entry),)
    seat, asked = cast("Seat", entry.seat), match.talk.asked
    if asked is not None:
        asked = None if asked.seat == seat else replace(asked, agreed=asked.agreed - {seat})
    others, late = match.seats.stand_ins - {seat}, match.seats.late
    seats = replace(
        match.seats,
        stand_ins=others | {seat} if entry.data == "computer" else others,
        late={each: times for each, times in late.items() if each != seat},
    )
    talk = replace(
        match.talk, offers=match.talk.offers - {seat}, asked=asked, pausing=match.talk.pausing - {seat}
    )
    return replace(match, seats=seats, talk=talk), (by_seat(f"substitute_{entry.data}", entry),)


def _flagged(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = cast("Seat", entry.seat)
    late = {**match.seats.late, seat: match.seats.late.get(seat, 0) + 1}
    return replace(match, seats=replace(match.seats, late=late)), (by_seat("flag", entry),)


def _claimed(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    claimant, late = Who(cast("Seat", entry.seat)), Who(Seat(int(entry.data)))
    return match, (Fact(msg("match.fact.claim", who=claimant, late=late)),)


def _paused(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    if entry.data:
        return _with_pause(match, frozenset(), paused=True), (by_seat("pause", entry),)
    pausing = match.talk.pausing | {cast("Seat", entry.seat)}
    key = "pause_agree" if match.talk.pausing else "pause_ask"
    return _with_pause(match, pausing, paused=match.talk.paused), (by_seat(key, entry),)


def _with_pause(match: Match, pausing: frozenset[Seat], *, paused: bool) -> Match:
    """Return the match with those who ask for a pause, and whether there is one."""
    return replace(match, talk=replace(match.talk, pausing=pausing, paused=paused))


def _resumed(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    key = "resume" if match.talk.paused else "pause_decline"
    return _with_pause(match, frozenset(), paused=False), (by_seat(key, entry),)


def _noted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    times = [int(each) for each in entry.data.split(" ")]
    time = duration(sum(times))
    if entry.kind is Kind.VACATION:
        return match, (Fact(msg("match.fact.vacation", who=Who(cast("Seat", entry.seat)), time=time)),)
    return match, (Fact(msg("match.fact.downtime", n=len(times), time=time)),)


def _hinted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat, step = cast("Seat", entry.seat), int(entry.data)
    seen = match.help.hints.get(seat, (0,) * HINT_STEPS)
    more = tuple(times + (at == step) for at, times in enumerate(seen, 1))
    return replace(match, help=replace(match.help, hints={**match.help.hints, seat: more})), ()


_SEATLESS = frozenset({Kind.CHANCE, Kind.ABORT, Kind.DOWNTIME, Kind.REVEAL})
_SECONDS = {
    Kind.DOWNTIME: re.compile(r"[1-9][0-9]{0,9}( [1-9][0-9]{0,9})*"),
    Kind.VACATION: re.compile(r"[1-9][0-9]{0,9}"),
}
_NOTES = frozenset(_SECONDS)
"""Kinds that only record what has happened to clocks."""
_BARE = frozenset(
    {
        *(Kind.TIMEOUT, Kind.OFFER, Kind.DECLINE, Kind.ABORT),
        *(Kind.FLAG, Kind.RESUME),
    }
)
_STEPS = frozenset(map(str, range(1, HINT_STEPS + 1)))
_REQUESTS = frozenset(Kind) - {Kind.START, Kind.PLAY, Kind.DEFAULT, Kind.CHANCE, Kind.REVEAL}
_MOVES = frozenset({Kind.PLAY, Kind.DEFAULT})
_TALK = _NOTES | {Kind.ASK, Kind.PAUSE, Kind.RESUME, Kind.HINT, Kind.COACH, Kind.RULING}
"""Kinds whose effect doesn't come back with the position of a takeback."""
_PERSONAL = frozenset({Kind.OFFER, Kind.FLAG})
"""Kinds that concern the holder of a seat."""
_KINDS: dict[Kind, Callable[[Match, Entry], tuple[Match, tuple[Fact, ...]]]] = {
    Kind.PLAY: _played,
    Kind.DEFAULT: _played,
    Kind.CHANCE: _played,
    Kind.RESIGN: _left,
    Kind.TIMEOUT: _left,
    Kind.OFFER: draw_offered,
    Kind.ASK: partial(takeback_asked, undone_moves=undone_moves),
    Kind.DECLINE: offers_declined,
    Kind.ABORT: _aborted,
    Kind.TAKEBACK: _taken_back,
    Kind.SUBSTITUTE: _substituted,
    Kind.FLAG: _flagged,
    Kind.CLAIM: _claimed,
    Kind.PAUSE: _paused,
    Kind.RESUME: _resumed,
    Kind.DOWNTIME: _noted,
    Kind.VACATION: _noted,
    Kind.HINT: _hinted,
    Kind.COACH: coached,
    Kind.RULING: ruled,
    Kind.REVEAL: revealed,
}
