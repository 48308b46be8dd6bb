"""A match as the fold of its log.

The log is the only source of truth: folding its entries gives the match. Entry 0 starts it; each further
entry is one thing that a seat, chance or the host did. Whatever follows without anyone's decision (a draw of
chance, the reveal of the secret) is appended together with the entry that caused it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, TypeAlias, cast, get_args

from games.engine import registry
from games.engine.dice import Sealed, commitment
from games.engine.game import CHANCE, AnyGame, Fact, Outcome, Seat, Setup, Why
from games.engine.log import Change, CorruptLogError, Ending, Entry, Kind, Match, Request, in_force
from games.engine.message import Msg, Who, msg

__all__ = [
    "Change",
    "CorruptLogError",
    "Ending",
    "Entry",
    "Holder",
    "Kind",
    "Match",
    "Request",
    "abort",
    "advance",
    "ask_takeback",
    "begin",
    "decline",
    "fold",
    "in_force",
    "leave",
    "offer_draw",
    "play",
    "refuse",
    "substitute",
    "take_back",
    "undone_moves",
    "verify",
    "walk",
]

Holder: TypeAlias = Literal["person", "computer"]
"""Who takes over a seat."""


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
    return _settle(entry, *_open(entry), sealed)


def play(match: Match, seat: Seat, action: Any, sealed: Sealed) -> Change | Msg:
    """Play an action of a seat; return the reason if it is illegal or the seat is not to act."""
    if (why := refuse(match, seat, action)) is not None:
        return why
    entry = Entry(match.seq + 1, Kind.PLAY, seat, match.game.encode(action))
    return _settle(entry, *advance(match, entry), sealed)


def refuse(match: Match, seat: Seat, action: Any) -> Msg | None:
    """Return why the seat can't play this action now; None if it can."""
    if match.ending:
        return msg("match.refuse.over")
    if seat not in match.to_act:
        return msg("match.refuse.turn", next=tuple(Who(s) for s in sorted(match.to_act)))
    return match.game.refuse(match.state, seat, action)


def leave(match: Match, seat: Seat, why: Why, sealed: Sealed) -> Change | Msg:
    """Let a seat resign or time out."""
    return _request(match, Kind(why), seat, sealed)


def offer_draw(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Offer a draw or agree to one. It needs all seats still playing; a move withdraws all offers."""
    return _request(match, Kind.OFFER, seat, sealed)


def ask_takeback(match: Match, seat: Seat, to: int, sealed: Sealed) -> Change | Msg:
    """Ask to return to the position after entry `to`, or agree to that. A move withdraws the request.

    Who has to agree is up to the host, who then takes back by `take_back`.
    """
    return _request(match, Kind.ASK, seat, sealed, str(to))


def decline(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Decline a draw or a takeback, or withdraw one's own: it cancels all offers and requests."""
    return _request(match, Kind.DECLINE, seat, sealed)


def abort(match: Match, sealed: Sealed) -> Change | Msg:
    """End the match without a result; only possible before the first move."""
    return _request(match, Kind.ABORT, None, sealed)


def take_back(match: Match, seat: Seat, to: int, sealed: Sealed) -> Change | Msg:
    """Return to the position after entry `to`. Whether a seat may ask for it is up to the host."""
    return _request(match, Kind.TAKEBACK, seat, sealed, str(to))


def substitute(match: Match, seat: Seat, holder: Holder, sealed: Sealed) -> Change | Msg:
    """Record that someone else takes over the seat, "person" or "computer"; the position stays the same.

    What its former holder offered or agreed to is withdrawn.
    """
    return _request(match, Kind.SUBSTITUTE, seat, sealed, holder)


def _request(match: Match, kind: Kind, seat: Seat | None, sealed: Sealed, data: str = "") -> Change | Msg:
    """Append an entry other than a move, or return why it can't be made now."""
    entry = Entry(match.seq + 1, kind, seat, data)
    fault = _fault(match, entry)
    return _settle(entry, *advance(match, entry), sealed) if fault is None else fault[0]


def _fault(match: Match, entry: Entry) -> tuple[Msg, str] | None:
    """Return why an entry other than a move can't be made now: the refusal, and the reason for errors."""
    kind, seat = entry.kind, entry.seat
    if match.ending:
        return msg("match.refuse.over"), "the match is over"
    if kind is Kind.ABORT and match.plays:
        return msg("match.refuse.abort"), "a match that has begun can't be aborted"
    if kind is not Kind.ABORT and seat not in match.playing:
        return msg("match.refuse.gone"), f"seat {seat} does not play"
    if kind is Kind.OFFER and seat in match.offers:
        return msg("match.refuse.offered"), f"seat {seat} agrees already"
    if kind is Kind.DECLINE and not match.offers and match.asked is None:
        return msg("match.refuse.no_offer"), "nothing is offered"
    if kind is Kind.ASK and (open_ := match.asked) and str(open_.to) == entry.data and seat in open_.agreed:
        return msg("match.refuse.asked"), f"seat {seat} agrees already"
    if kind is Kind.SUBSTITUTE and entry.data not in ("", *get_args(Holder)):
        return msg("match.refuse.stale"), f"no {entry.data} takes over a seat"
    if kind in (Kind.ASK, Kind.TAKEBACK) and entry.data not in map(str, range(match.seq)):
        return msg("match.refuse.takeback"), f"there is no entry {entry.data} to go back to"
    return None


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
        match, facts = _open(entry) if match is None else advance(match, entry)
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
        raise CorruptLogError(entry.seq, f"no seat does what {entry.kind} says")
    if entry.kind in _BARE and entry.data:
        raise CorruptLogError(entry.seq, f"{entry.kind} carries no data")
    if entry.kind in _REQUESTS and (fault := _fault(match, entry)) is not None:
        raise CorruptLogError(entry.seq, fault[1])
    after, facts = _KINDS[entry.kind](match, entry)
    return replace(after, seq=entry.seq, log=(*match.log, entry)), facts


def verify(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Check every draw of a finished log against the revealed secret; return the errors found."""
    final = fold(entries)
    if final.log[-1].kind is not Kind.REVEAL:
        return ("the secret is not revealed: the match is not over",)
    sealed = Sealed(bytes.fromhex(final.log[-1].data), final.id, final.salt)
    wrong = []
    for (before, _), (_, entry) in pairwise(zip(walk(entries), entries, strict=True)):
        if entry.kind is Kind.CHANCE:
            drawn = final.game.encode(final.game.draw(before[0].state, sealed.dice(entry.seq)))
            if drawn != entry.data:
                wrong.append(f"entry {entry.seq}: the log has {entry.data}, the secret gives {drawn}")
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
    offers, asked = (frozenset[Seat](), None) if human else (match.offers, match.asked)
    facts = tuple(replace(fact, by=seat) for fact in step.facts) if human else step.facts
    after = replace(match, state=step.state, plays=match.plays + human, offers=offers, asked=asked)
    return _finish(after), facts


def _by_seat(key: str, entry: Entry) -> Fact:
    return Fact(msg(f"match.fact.{key}", who=Who(cast("Seat", entry.seat))))


def _left(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat = cast("Seat", entry.seat)
    why: Why = "resign" if entry.kind is Kind.RESIGN else "timeout"
    step = match.game.forfeit(match.state, seat, why)
    gone = match.gone | {seat}
    after = replace(match, state=step.state, gone=gone, offers=frozenset[Seat](), asked=None)
    return _finish(after), (_by_seat(why, entry), *step.facts)


def _offered(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    offers = match.offers | {cast("Seat", entry.seat)}
    if not match.playing <= offers:
        return replace(match, offers=offers), (_by_seat("offer", entry),)
    share = frozenset(match.setup.teams[s] for s in match.playing)
    ranks = tuple(1 if team in share else len(share) + 1 for team in match.setup.teams)
    ending = Ending("draw", Outcome(ranks, msg("match.outcome.draw")))
    return replace(match, offers=frozenset[Seat](), ending=ending), (_by_seat("agree", entry),)


def _asked(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat, to = cast("Seat", entry.seat), int(entry.data)
    if (known := match.asked) is not None and known.to == to:
        return replace(match, asked=replace(known, agreed=known.agreed | {seat})), (
            _by_seat("ask_agree", entry),
        )
    asked = Request(seat, to, entry.seq, frozenset({seat}))
    return replace(match, asked=asked), (_undoing("ask", match, seat, to),)


def _declined(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    key = "decline" if match.offers else "ask_decline"
    return replace(match, offers=frozenset[Seat](), asked=None), (_by_seat(key, entry),)


def _aborted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    return replace(match, ending=Ending("abort", None)), (Fact(msg("match.fact.abort")),)


def _taken_back(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    seat, to = cast("Seat", entry.seat), int(entry.data)
    told = _undoing("takeback", match, seat, to)
    back = _in_force(match.log, to)
    return replace(back, log=match.log, asked=None, stand_ins=match.stand_ins), (told,)


def undone_moves(match: Match, to: int) -> tuple[str, ...]:
    """Return the moves that going back to entry `to` would undo, without secret ones."""
    kept, chain = in_force(match.log, to), in_force(match.log, match.seq)
    return _open_moves(_in_force(match.log, to), chain[len(kept) :]) if chain[: len(kept)] == kept else ()


def _undoing(key: str, match: Match, seat: Seat, to: int) -> Fact:
    if not (moves := undone_moves(match, to)):
        return Fact(msg(f"match.fact.{key}_closed", who=Who(seat)))
    return Fact(msg(f"match.fact.{key}", who=Who(seat), moves=moves))


def _in_force(log: Sequence[Entry], to: int) -> Match:
    """Return the match after entry `to`, replaying only the entries that are in force there."""
    match, _ = _open(log[0])
    for entry in in_force(log, to):
        if entry.kind is not Kind.ASK:
            match, _ = _KINDS[entry.kind](match, entry)
    return match


def _open_moves(match: Match, entries: Iterable[Entry]) -> tuple[str, ...]:
    """Return the moves among entries that follow a match, but for secret ones: those of several at once."""
    moves: list[str] = []
    for entry in entries:
        if entry.kind is Kind.PLAY and entry.seat is not None:
            game = match.game
            if len(match.to_act) == 1 or not game.hidden:
                moves.append(game.format(game.view(match.state, entry.seat), game.decode(entry.data)))
        if entry.kind is not Kind.ASK:
            match, _ = _KINDS[entry.kind](match, entry)
    return tuple(moves)


def _substituted(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    if not entry.data:  # early logs don't say who came
        return match, (_by_seat("substitute", entry),)
    seat, asked = cast("Seat", entry.seat), match.asked
    if asked is not None:
        asked = None if asked.seat == seat else replace(asked, agreed=asked.agreed - {seat})
    came = match.stand_ins | {seat} if entry.data == "computer" else match.stand_ins - {seat}
    after = replace(match, offers=match.offers - {seat}, asked=asked, stand_ins=came)
    return after, (_by_seat(f"substitute_{entry.data}", entry),)


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
_BARE = frozenset({Kind.RESIGN, Kind.TIMEOUT, Kind.OFFER, Kind.DECLINE, Kind.ABORT})
_REQUESTS = _BARE | {Kind.ASK, Kind.TAKEBACK, Kind.SUBSTITUTE}
_KINDS: dict[Kind, Callable[[Match, Entry], tuple[Match, tuple[Fact, ...]]]] = {
    Kind.PLAY: _played,
    Kind.CHANCE: _played,
    Kind.RESIGN: _left,
    Kind.TIMEOUT: _left,
    Kind.OFFER: _offered,
    Kind.ASK: _asked,
    Kind.DECLINE: _declined,
    Kind.ABORT: _aborted,
    Kind.TAKEBACK: _taken_back,
    Kind.SUBSTITUTE: _substituted,
    Kind.REVEAL: _revealed,
}


def _settle(entry: Entry, match: Match, facts: tuple[Fact, ...], sealed: Sealed) -> Change:
    """Add what follows without a decision: draws of chance, and the secret once the match is over."""
    entries = [entry]
    while CHANCE in match.to_act or (match.ending and entries[-1].kind is not Kind.REVEAL):
        seq = match.seq + 1
        if match.ending:
            entries.append(Entry(seq, Kind.REVEAL, None, sealed.secret.hex()))
        else:
            action = match.game.draw(match.state, sealed.dice(seq))
            entries.append(Entry(seq, Kind.CHANCE, None, match.game.encode(action)))
        match, more = advance(match, entries[-1])
        facts += more
    return Change(match, tuple(entries), facts)
