"""A match as the fold of its log.

The log is the only source of truth: folding its entries gives the match. Entry 0 starts it; each further
entry is one thing that a seat, chance or the host did. Whatever follows without anyone's decision (a draw of
chance, the reveal of the secret) is appended together with the entry that caused it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from games.engine.dice import Sealed
from games.engine.fold import advance, fault_of, fold, undone_moves, walk
from games.engine.game import CHANCE, AnyGame, Fact, Seat, Setup, Why
from games.engine.log import (
    HINT_STEPS,
    Change,
    CorruptLogError,
    Ending,
    Entry,
    Holder,
    Kind,
    Match,
    TakebackRequest,
    in_force,
)
from games.engine.message import Msg, Who, msg
from games.engine.origin import Origin
from games.engine.rulings import MODERATOR, why_held
from games.engine.secret import reveal
from games.engine.start_entry import known_as, open_log, write_start

__all__ = [
    "HINT_STEPS",
    "Change",
    "CorruptLogError",
    "Ending",
    "Entry",
    "Holder",
    "Kind",
    "Match",
    "TakebackRequest",
    "abort",
    "advance",
    "ask_pause",
    "ask_takeback",
    "begin",
    "claim",
    "coach",
    "decline",
    "flag",
    "fold",
    "hint",
    "in_force",
    "known_as",
    "leave",
    "note_downtimes",
    "note_vacation",
    "offer_draw",
    "pause",
    "play",
    "play_default",
    "refuse",
    "remove",
    "resume",
    "rule",
    "substitute",
    "take_back",
    "undone_moves",
    "verify",
    "walk",
    "wrong_draws",
]


def begin(
    game: AnyGame,
    setup: Setup,
    sealed: Sealed,
    clock: Mapping[str, Any] | None = None,
    origin: Origin | None = None,
    computers: Mapping[str, Any] | None = None,
) -> Change:
    """Start a match. `clock` and `computers` are what the host wants to read again, as JSON objects.

    `origin` is where it begins.

    Raises ValueError if the game refuses the setup, CorruptLogError if no match can begin at the origin.
    """
    if (why := game.refuse_setup(setup)) is not None:
        raise ValueError(why.key)
    entry = write_start(game, setup, sealed, clock, origin, computers)
    return _settle(entry, *open_log(entry), sealed)


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
    if match.hosting.held:
        return why_held(match)
    if seat not in match.to_act:
        return msg("match.refuse.turn", next=tuple(Who(s) for s in sorted(match.to_act)))
    return match.game.refuse(match.state, seat, action)


def leave(match: Match, seat: Seat, why: Why, sealed: Sealed) -> Change | Msg:
    """Let a seat resign or time out."""
    return _request(match, Kind(why), seat, sealed)


def remove(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Let a moderator remove a seat, which counts as its resignation."""
    return _request(match, Kind.RESIGN, seat, sealed, MODERATOR)


def rule(match: Match, ruling: str, sealed: Sealed, seat: Seat | None = None) -> Change | Msg:
    """Record what a moderator decides.

    "pause", "end", "resume", "draw"; or for a seat "win", or "time" and seconds.
    """
    return _request(match, Kind.RULING, seat, sealed, ruling)


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


def flag(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Record that the time of a seat is up. When that is so is up to the host."""
    return _request(match, Kind.FLAG, seat, sealed)


def claim(match: Match, seat: Seat, late: Seat, sealed: Sealed) -> Change | Msg:
    """Record that a seat claims what was agreed on for the time of `late` being up."""
    return _request(match, Kind.CLAIM, seat, sealed, str(late))


def play_default(match: Match, seat: Seat, sealed: Sealed, stand_in: Any = None) -> Change | Msg:
    """Play the game's safe default action for a seat, or `stand_in` if it knows none.

    Return the reason if there is neither.
    """
    if match.ending or seat not in match.to_act:
        return msg("match.refuse.turn", next=tuple(Who(s) for s in sorted(match.to_act)))
    action = match.game.default(match.game.view(match.state, seat), seat)
    if action is None:
        action = stand_in
    if action is None:
        return msg("match.refuse.no_default")
    if (why := match.game.refuse(match.state, seat, action)) is not None:
        return why
    entry = Entry(match.seq + 1, Kind.DEFAULT, seat, match.game.encode(action))
    return _settle(entry, *advance(match, entry), sealed)


def ask_pause(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Ask for a pause, or agree to one. Who has to agree is up to the host, who then calls `pause`."""
    return _request(match, Kind.PAUSE, seat, sealed)


def pause(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """Pause the match, `seat` being the last who agreed. A move or `resume` ends the pause."""
    return _request(match, Kind.PAUSE, seat, sealed, "on")


def resume(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    """End a pause, or withdraw what was asked for."""
    return _request(match, Kind.RESUME, seat, sealed)


def hint(match: Match, seat: Seat, step: int, sealed: Sealed) -> Change | Msg:
    """Record that a seat is shown a step of a hint, from 1 to HINT_STEPS. It changes nothing else."""
    return _request(match, Kind.HINT, seat, sealed, str(step))


def coach(match: Match, seat: Seat, data: str, sealed: Sealed) -> Change | Msg:
    """Record that a seat's coach is switched "on" or "off", or its remark (`CoachRemark.data`)."""
    return _request(match, Kind.COACH, seat, sealed, data)


def note_downtimes(match: Match, seconds: Sequence[int], sealed: Sealed) -> Change | Msg:
    """Record that nobody could play, once for each of these times, and that this time is given back.

    The entry changes no clock: the host computes clocks from the downtimes that it has measured.
    """
    return _request(match, Kind.DOWNTIME, None, sealed, " ".join(map(str, seconds)))


def note_vacation(match: Match, seat: Seat, seconds: int, sealed: Sealed) -> Change | Msg:
    """Record that a vacation of a seat's holder began automatically. It changes no clock, either."""
    return _request(match, Kind.VACATION, seat, sealed, str(seconds))


def _request(match: Match, kind: Kind, seat: Seat | None, sealed: Sealed, data: str = "") -> Change | Msg:
    """Append an entry other than a move, or return why it can't be made now."""
    entry = Entry(match.seq + 1, kind, seat, data)
    fault = fault_of(match, entry)
    return _settle(entry, *advance(match, entry), sealed) if fault is None else fault[0]


def verify(entries: Sequence[Entry]) -> tuple[str, ...]:
    """Check every draw of a finished log against the revealed secret; return the errors found."""
    if fold(entries).log[-1].kind is not Kind.REVEAL:
        return ("the secret is not revealed: the match is not over",)
    return tuple(
        f"entry {entry.seq}: the log has {entry.data}, the secret gives {drawn}"
        for entry, drawn in wrong_draws(entries)
    )


def wrong_draws(entries: Sequence[Entry]) -> Iterator[tuple[Entry, str]]:
    """Yield the draws that don't follow from the secret that ends a valid log, each with what does."""
    secret, sealed, before = entries[-1].data, None, None
    for match, _ in walk(entries):
        entry = match.log[-1]
        if entry.kind is Kind.CHANCE and before is not None:
            sealed = sealed or Sealed(bytes.fromhex(secret), match.sealed_id, match.salt)
            drawn = match.game.encode(match.game.draw(before.state, sealed.dice(entry.seq)))
            if drawn != entry.data:
                yield entry, drawn
        before = match


def _settle(entry: Entry, match: Match, facts: tuple[Fact, ...], sealed: Sealed) -> Change:
    """Add what follows without a decision: draws of chance, and the secret once the match is over."""
    entries = [entry]
    while CHANCE in match.to_act or (match.ending and entries[-1].kind is not Kind.REVEAL):
        if match.ending:
            entries.append(reveal(match, sealed))
        else:
            seq = match.seq + 1
            action = match.game.draw(match.state, sealed.dice(seq))
            entries.append(Entry(seq, Kind.CHANCE, None, match.game.encode(action)))
        match, more = advance(match, entries[-1])
        facts += more
    return Change(match, tuple(entries), facts)
