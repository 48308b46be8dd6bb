"""A match as the fold of its log.

The log is the only source of truth: folding its entries gives the match. Entry 0 starts it; each further
entry is one thing that a seat, chance or the host did. Whatever follows without anyone's decision (a draw of
chance, the reveal of the secret) is appended together with the entry that caused it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from games.engine import registry
from games.engine.dice import Sealed, commitment
from games.engine.game import CHANCE, AnyGame, Fact, Outcome, Seat, Setup, Why
from games.engine.message import Msg, Who, msg


class Kind(StrEnum):
    """The kind of a log entry."""

    START = "start"
    PLAY = "play"
    CHANCE = "chance"
    RESIGN = "resign"
    TIMEOUT = "timeout"
    OFFER = "offer"
    """A seat offers a draw, or agrees to one."""
    DECLINE = "decline"
    ABORT = "abort"
    TAKEBACK = "takeback"
    SUBSTITUTE = "substitute"
    REVEAL = "reveal"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a match's log: its number from 0, its kind, the seat that made it, and its data.

    `data` is one line: JSON for START, the encoded action for PLAY and CHANCE, the number of the last entry
    to stay in force for TAKEBACK, the secret in hex for REVEAL, and empty for all other kinds.
    """

    seq: int
    kind: Kind
    seat: Seat | None = None
    data: str = ""


class CorruptLogError(ValueError):
    """A log that no match can have written.

    `seq` is the first entry that can't be; `why` is the game's own refusal, where it refused the entry.
    """

    def __init__(self, seq: int, reason: str, why: Msg | None = None) -> None:
        super().__init__(f"entry {seq}: {reason}" + (f" ({why.key})" if why else ""))
        self.seq = seq
        self.reason = reason
        self.why = why


@dataclass(frozen=True, slots=True)
class Ending:
    """How a match ended: "outcome" (of the game), "draw" (by agreement) or "abort" (without an outcome)."""

    how: str
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class Match:
    """A match folded from its log up to entry `seq`."""

    game: AnyGame
    id: str
    setup: Setup
    commit: str
    salt: str
    state: Any
    seq: int
    plays: int = 0
    """Number of decisions that seats have made."""
    gone: frozenset[Seat] = frozenset()
    """Seats that resigned or ran out of time."""
    offers: frozenset[Seat] = frozenset()
    """Seats that currently offer or agree to a draw."""
    ending: Ending | None = None
    log: tuple[Entry, ...] = ()

    @property
    def to_act(self) -> frozenset[Seat]:
        """The seats to act; empty once the match is over."""
        return frozenset() if self.ending else self.game.to_act(self.state)

    @property
    def playing(self) -> frozenset[Seat]:
        """The seats still in the match: neither gone nor eliminated."""
        every = frozenset(Seat(s) for s in range(self.setup.seats))
        return every - self.gone - self.game.eliminated(self.state)


@dataclass(frozen=True, slots=True)
class Change:
    """The effect of one request: the match after it, the entries to append, and the facts in order."""

    match: Match
    entries: tuple[Entry, ...]
    facts: tuple[Fact, ...]


def begin(game: AnyGame, setup: Setup, sealed: Sealed) -> Change:
    """Start a match. Raises ValueError if the game refuses the setup."""
    if (why := game.refuse_setup(setup)) is not None:
        raise ValueError(why.key)
    head = {
        "game": game.key,
        "rules": setup.rules,
        "seats": setup.seats,
        "options": dict(setup.options),
        "match": sealed.match,
        "salt": sealed.salt,
        "commit": sealed.commitment,
    }
    entry = Entry(0, Kind.START, None, json.dumps(head, ensure_ascii=False, sort_keys=True))
    match, facts = _open(entry)
    return _settle(match, [entry], list(facts), sealed)


def play(match: Match, seat: Seat, action: Any, sealed: Sealed) -> Change | Msg:
    """Play an action of a seat; return the reason if it is illegal or the seat is not to act."""
    if (why := refuse(match, seat, action)) is not None:
        return why
    return _append(match, Entry(match.seq + 1, Kind.PLAY, seat, match.game.encode(action)), sealed)


def refuse(match: Match, seat: Seat, action: Any) -> Msg | None:
    """Return why the seat can't play this action now; None if it can."""
    if match.ending:
        return msg("match.refuse.over")
    if seat not in match.to_act:
        return msg("match.refuse.turn", next=tuple(Who(s) for s in sorted(match.to_act)))
    return match.game.refuse(match.state, seat, action)


def leave(match: Match, seat: Seat, why: Why, sealed: Sealed) -> Change | Msg:
    """Let a seat resign or time out."""
    if (refusal := _refuse_seat(match, seat)) is not None:
        return refusal
    kind = Kind.RESIGN if why == "resign" else Kind.TIMEOUT
    return _append(match, Entry(match.seq + 1, kind, seat), sealed)


def offer_draw(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Offer a draw or agree to one. It needs all seats still playing; a move withdraws all offers."""
    if (refusal := _refuse_seat(match, seat)) is not None:
        return refusal
    if seat in match.offers:
        return msg("match.refuse.offered")
    return _append(match, Entry(match.seq + 1, Kind.OFFER, seat), sealed)


def decline_draw(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Decline a draw or withdraw one's own offer; either cancels all offers."""
    if (refusal := _refuse_seat(match, seat)) is not None:
        return refusal
    if not match.offers:
        return msg("match.refuse.no_offer")
    return _append(match, Entry(match.seq + 1, Kind.DECLINE, seat), sealed)


def abort(match: Match, sealed: Sealed) -> Change | Msg:
    """End the match without a result; only possible before the first move."""
    if match.ending:
        return msg("match.refuse.over")
    if match.plays:
        return msg("match.refuse.abort")
    return _append(match, Entry(match.seq + 1, Kind.ABORT), sealed)


def take_back(match: Match, seat: Seat, to: int, sealed: Sealed) -> Change | Msg:
    """Return to the position after entry `to`. Whether a seat may ask for it is up to the host."""
    if (refusal := _refuse_seat(match, seat)) is not None:
        return refusal
    if not 0 <= to < match.seq:
        return msg("match.refuse.takeback")
    return _append(match, Entry(match.seq + 1, Kind.TAKEBACK, seat, str(to)), sealed)


def substitute(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Record that someone else takes over the seat; the position stays the same."""
    if (refusal := _refuse_seat(match, seat)) is not None:
        return refusal
    return _append(match, Entry(match.seq + 1, Kind.SUBSTITUTE, seat), sealed)


def _refuse_seat(match: Match, seat: Seat) -> Msg | None:
    """Return why a seat can't do anything but move; None if it can."""
    if match.ending:
        return msg("match.refuse.over")
    return None if seat in match.playing else msg("match.refuse.gone")


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
        if match is None:
            match, facts = _open(entry)
        else:
            match, facts = advance(match, entry)
        yield match, facts


def advance(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match after one more entry, and its facts. Raises CorruptLogError for an invalid entry."""
    if entry.seq != match.seq + 1:
        raise CorruptLogError(entry.seq, f"entry {match.seq + 1} was expected")
    if match.ending and (entry.kind is not Kind.REVEAL or match.log[-1].kind is Kind.REVEAL):
        raise CorruptLogError(entry.seq, "the match is over")
    if CHANCE in match.to_act and entry.kind is not Kind.CHANCE:
        raise CorruptLogError(entry.seq, "a draw of chance was expected")
    if entry.kind in _SEATLESS and entry.seat is not None:
        raise CorruptLogError(entry.seq, f"no seat does what {entry.kind} says")
    if entry.kind in _BARE and entry.data:
        raise CorruptLogError(entry.seq, f"{entry.kind} carries no data")
    after, facts = _KINDS[entry.kind](match, entry)
    return replace(after, seq=entry.seq, log=(*match.log, entry)), facts


def verify(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Check every draw of a finished log against the revealed secret; return the errors found."""
    final = fold(entries)
    revealed = [entry for entry in entries if entry.kind is Kind.REVEAL]
    if not revealed:
        return ("the secret is not revealed: the match is not over",)
    sealed = Sealed(bytes.fromhex(revealed[-1].data), final.id, final.salt)
    wrong = []
    before: Match | None = None
    for (match, _), entry in zip(walk(entries), entries, strict=True):
        if entry.kind is Kind.CHANCE and before is not None:
            drawn = match.game.encode(match.game.draw(before.state, sealed.dice(entry.seq)))
            if drawn != entry.data:
                wrong.append(f"entry {entry.seq}: the log has {entry.data}, the secret gives {drawn}")
        before = match
    return tuple(wrong)


# --- one function per kind: the match after the entry, and its facts ----------------------------------


_HEAD = frozenset({"game", "rules", "seats", "options", "match", "salt", "commit"})


def _open(entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    if entry.seq != 0 or entry.kind is not Kind.START:
        raise CorruptLogError(entry.seq, "a log begins with entry 0, start")
    try:
        head = json.loads(entry.data)
        if head.keys() != _HEAD or json.dumps(head, ensure_ascii=False, sort_keys=True) != entry.data:
            raise ValueError("the start is not in canonical form")
        game = registry.get(head["game"])
        if type(head["seats"]) is not int or head["seats"] not in game.seats:
            raise ValueError(f"no {game.key} has {head['seats']} seats")
        setup = replace(game.setup(head["seats"], head["options"]), rules=head["rules"])
        match_id, commit, salt = head["match"], head["commit"], head["salt"]
        if not all(isinstance(text, str) and text.isprintable() for text in (match_id, commit, salt)):
            raise TypeError("match, commit and salt are texts of one line")
        why = game.refuse_setup(setup)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CorruptLogError(0, f"the start can't be read ({type(error).__name__}: {error})") from error
    if why is not None:
        raise CorruptLogError(0, "the start is refused", why)
    step = game.start(setup)
    return Match(game, match_id, setup, commit, salt, step.state, 0, log=(entry,)), step.facts


def _finish(match: Match) -> Match:
    outcome = match.game.outcome(match.state)
    return match if outcome is None else replace(match, ending=Ending("outcome", outcome), offers=frozenset())


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
    human = entry.kind is Kind.PLAY
    offers = frozenset[Seat]() if human else match.offers
    facts = tuple(replace(fact, by=seat) for fact in step.facts) if human else step.facts
    return _finish(replace(match, state=step.state, plays=match.plays + human, offers=offers)), facts


def _left(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = _playing(match, entry)
    why: Why = "resign" if entry.kind is Kind.RESIGN else "timeout"
    step = match.game.forfeit(match.state, seat, why)
    after = replace(match, state=step.state, gone=match.gone | {seat}, offers=frozenset[Seat]())
    return _finish(after), (Fact(msg(f"match.fact.{why}", who=Who(seat))), *step.facts)


def _offered(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = _playing(match, entry)
    if seat in match.offers:
        raise CorruptLogError(entry.seq, f"seat {seat} agrees already")
    offers = match.offers | {seat}
    if not match.playing <= offers:
        return replace(match, offers=offers), (Fact(msg("match.fact.offer", who=Who(seat))),)
    share = frozenset(match.setup.teams[s] for s in match.playing)
    ranks = tuple(1 if team in share else len(share) + 1 for team in match.setup.teams)
    ending = Ending("draw", Outcome(ranks, msg("match.outcome.draw")))
    fact = Fact(msg("match.fact.agree", who=Who(seat)))
    return replace(match, offers=frozenset[Seat](), ending=ending), (fact,)


def _declined(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = _playing(match, entry)
    if not match.offers:
        raise CorruptLogError(entry.seq, "no draw is offered")
    return replace(match, offers=frozenset[Seat]()), (Fact(msg("match.fact.decline", who=Who(seat))),)


def _aborted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    if match.plays:
        raise CorruptLogError(entry.seq, "a match that has begun can't be aborted")
    return replace(match, ending=Ending("abort", None)), (Fact(msg("match.fact.abort")),)


def _taken_back(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = _playing(match, entry)
    earlier = {str(past.seq): past.seq for past in match.log[:-1]}
    if entry.data not in earlier:
        raise CorruptLogError(entry.seq, f"there is no entry {entry.data} to go back to")
    to = earlier[entry.data]
    before = _in_force(match.log, to)
    return replace(before, log=match.log), (Fact(msg("match.fact.takeback", who=Who(seat), to=to)),)


def _in_force(log: Sequence[Entry], to: int) -> Match:
    """Return the match after entry `to`, replaying only the entries that are in force there."""
    chain: list[Entry] = []
    while to > 0:
        if log[to].kind is Kind.TAKEBACK:
            to = int(log[to].data)
        else:
            chain.append(log[to])
            to -= 1
    match, _ = _open(log[0])
    for entry in reversed(chain):
        match, _ = _KINDS[entry.kind](match, entry)
    return match


def _substituted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = _playing(match, entry)
    return match, (Fact(msg("match.fact.substitute", who=Who(seat))),)


def _revealed(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    if not match.ending:
        raise CorruptLogError(entry.seq, "the secret is revealed at the end only")
    try:
        secret = bytes.fromhex(entry.data)
    except ValueError as error:
        raise CorruptLogError(entry.seq, "the secret is not a hexadecimal number") from error
    if secret.hex() != entry.data:
        raise CorruptLogError(entry.seq, "the secret is not written in plain lower-case digits")
    if commitment(secret) != match.commit:
        raise CorruptLogError(entry.seq, "the secret is not the one that was committed to")
    return match, ()


_SEATLESS = frozenset({Kind.CHANCE, Kind.ABORT, Kind.REVEAL})
_BARE = frozenset({Kind.RESIGN, Kind.TIMEOUT, Kind.OFFER, Kind.DECLINE, Kind.ABORT, Kind.SUBSTITUTE})
_KINDS: dict[Kind, Callable[[Match, Entry], tuple[Match, tuple[Fact, ...]]]] = {
    Kind.PLAY: _played,
    Kind.CHANCE: _played,
    Kind.RESIGN: _left,
    Kind.TIMEOUT: _left,
    Kind.OFFER: _offered,
    Kind.DECLINE: _declined,
    Kind.ABORT: _aborted,
    Kind.TAKEBACK: _taken_back,
    Kind.SUBSTITUTE: _substituted,
    Kind.REVEAL: _revealed,
    Kind.START: lambda match, entry: _refuse_second_start(entry),
}


def _refuse_second_start(entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    raise CorruptLogError(entry.seq, "the match has started already")


def _playing(match: Match, entry: Entry) -> Seat:
    if entry.seat is None or entry.seat not in match.playing:
        raise CorruptLogError(entry.seq, f"seat {entry.seat} does not play")
    return entry.seat


def _append(match: Match, entry: Entry, sealed: Sealed) -> Change:
    after, facts = advance(match, entry)
    return _settle(after, [entry], list(facts), sealed)


def _settle(match: Match, entries: list[Entry], facts: list[Fact], sealed: Sealed) -> Change:
    """Let chance draw while it is to act, and reveal the secret once the match is over."""
    while CHANCE in match.to_act:
        seq = match.seq + 1
        action = match.game.draw(match.state, sealed.dice(seq))
        entries.append(Entry(seq, Kind.CHANCE, None, match.game.encode(action)))
        match, more = advance(match, entries[-1])
        facts.extend(more)
    if match.ending:
        entries.append(Entry(match.seq + 1, Kind.REVEAL, None, sealed.secret.hex()))
        match, more = advance(match, entries[-1])
        facts.extend(more)
    return Change(match, tuple(entries), tuple(facts))
