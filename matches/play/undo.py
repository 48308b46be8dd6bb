"""Take moves back: one's own last change at once while nothing has come of it, otherwise by consent.

Free is what nobody has acted on, no dice were drawn for, and nothing hidden was seen through. Who takes over
a seat takes the position as it stands, so that counts as acting on it. One change is taken back as a whole,
so never a part of what one message ordered. After that all others who play have to agree; computers do,
unless dice or hidden things have come of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine import match as engine
from games.engine.game import Seat
from games.engine.match import Change, Entry, Kind, Match, TakebackRequest, fold
from games.engine.message import Msg, Who, msg
from matches import occupants
from matches.core import Core, LoadedMatch, stale
from matches.log.changes import ChangeSpan, change_spans, is_current
from matches.log.replay import MAX_INLINE
from matches.long_work import long_in_thread
from matches.occupants import is_study
from matches.results import Played, Refused
from matches.store.rows import Logged, MatchRow

_LEFT = frozenset({Kind.RESIGN, Kind.TIMEOUT})


@dataclass(frozen=True, slots=True)
class Takeback:
    """What a seat may take back: the entry to return to, and the moves in words that this undoes."""

    to: int
    moves: tuple[str, ...]
    version: int
    """The last entry of the position on which it was offered."""
    others: frozenset[Seat] = frozenset()
    """The seats of people who have to agree; empty if it is free."""


def possible_takeback(
    match: Match, log: Sequence[Logged], seat: Seat, people: frozenset[Seat]
) -> Takeback | Msg:
    """Return what a seat may take back, or why nothing.

    `log` is that of the match, `people` are the seats that people hold.
    """
    if match.ending:
        return msg("match.refuse.over")
    if seat not in match.playing:
        return msg("match.refuse.gone")
    spans = _spans_in_force(log)
    own = next((n for n in reversed(range(len(spans))) if _by(log, spans[n], seat)), None)
    if own is None or spans[own].last < _seated_at(log, seat):
        return msg("match.refuse.takeback")
    span, later = spans[own], spans[own + 1 :]
    if any(log[each.first].entry.kind in _LEFT for each in later):
        return msg("match.refuse.takeback_left")
    entries = [each.entry for each in log]
    to = span.first - 1
    others = (match.playing & people) - {seat}
    after = [log[each.first].entry for each in later]
    after += [entry for entry in entries[span.last + 1 :] if entry.seat in others and _is_arrival(entry)]
    if (why := _why_not_free(match, entries, span, seat, after)) is None:
        own_moves = _moves(fold(entries[: span.first]), entries[span.first : span.last + 1], seat)
        return Takeback(to, own_moves, match.seq)
    if not others and why.key != "match.refuse.takeback_acted":
        return why
    return Takeback(to, engine.undone_moves(match, to), match.seq, others)


def last_of_study(match: Match, log: Sequence[Logged]) -> Takeback | Msg:
    """Return the last change of a study, which its owner may always take back, or that there is none."""
    if match.ending:
        return msg("match.refuse.over")
    if not (spans := _spans_in_force(log)):
        return msg("match.refuse.takeback")
    to = spans[-1].first - 1
    return Takeback(to, engine.undone_moves(match, to), match.seq)


def _why_not_free(
    match: Match, entries: Sequence[Entry], span: ChangeSpan, seat: Seat, later: Sequence[Entry]
) -> Msg | None:
    """Return what has come of a change, the most lasting first; None if nothing has."""
    if any(entry.kind is Kind.CHANCE for entry in entries[span.first :]):
        return msg("match.refuse.takeback_dice")
    own = entries[span.first : span.last + 1]
    if match.game.hidden and (later or _shows_hidden(fold(entries[: span.first]), match, own, seat)):
        return msg("match.refuse.takeback_seen")
    if later:
        return msg("match.refuse.takeback_acted", who=Who(seat if later[0].seat is None else later[0].seat))
    return None


class Undo:
    """Takes moves back."""

    def __init__(self, core: Core) -> None:
        self._core = core

    async def offer(self, match_id: str, who: int) -> Takeback | Refused:
        """Return what a person may take back, or why nothing. Changes nothing."""
        loaded = await self._core.load(match_id)
        return loaded if isinstance(loaded, Refused) else await self._judge(loaded, who)

    async def take_back(
        self, match_id: str, who: int, *, request: str, version: int | None = None
    ) -> Played | Refused:
        """Take back a person's last change, or ask the others to agree if that is needed.

        `version` is that of the offer they saw; None for any.
        """
        offered = await self.offer(match_id, who)

        def judge(loaded: LoadedMatch) -> Change | Refused:
            if isinstance(offered, Refused):
                return offered
            seen = offered.version if version is None else min(version, offered.version)
            if not is_current(loaded.match.log, seen):
                return stale()
            seat = occupants.seat_of(loaded.row, who)
            if seat is None:
                return Refused(msg("match.refuse.not_yours"))
            act = engine.ask_takeback if offered.others else engine.take_back
            change = act(loaded.match, Seat(seat), offered.to, loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    async def agree(self, match_id: str, who: int, *, request: str, asked: int) -> Played | Refused:
        """Agree to the request that entry `asked` made; the last one who agrees takes back."""

        def judge(loaded: LoadedMatch) -> Change | Refused:
            found = _answerable(loaded, who, asked)
            if isinstance(found, Refused):
                return found
            match, (seat, known) = loaded.match, found
            change = engine.ask_takeback(match, seat, known.to, loaded.sealed)
            if isinstance(change, Change) and not waiting_for(loaded.row, change.match):
                change = engine.take_back(match, known.seat, known.to, loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    async def decline(self, match_id: str, who: int, *, request: str, asked: int) -> Played | Refused:
        """Decline the request that entry `asked` made, or withdraw one's own."""

        def judge(loaded: LoadedMatch) -> Change | Refused:
            found = _answerable(loaded, who, asked)
            if isinstance(found, Refused):
                return found
            change = engine.decline(loaded.match, found[0], loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    async def _judge(self, loaded: LoadedMatch, who: int) -> Takeback | Refused:
        seat = occupants.seat_of(loaded.row, who)
        if seat is None:
            return Refused(msg("match.refuse.not_yours"))
        log = (await self._core.store.log(loaded.row.id))[: loaded.match.seq + 1]
        people = occupants.person_seats(loaded.row)

        def judged() -> Takeback | Msg:
            if is_study(loaded.row):
                return last_of_study(loaded.match, log)
            return possible_takeback(loaded.match, log, Seat(seat), people)

        found = await long_in_thread(judged) if len(log) > MAX_INLINE else judged()
        return Refused(found) if isinstance(found, Msg) else found


def _answerable(loaded: LoadedMatch, who: int, asked: int) -> tuple[Seat, TakebackRequest] | Refused:
    """Return a person's seat and the request that entry `asked` made, if it is still open."""
    seat = occupants.seat_of(loaded.row, who)
    if seat is None:
        return Refused(msg("match.refuse.not_yours"))
    if (known := loaded.match.talk.asked) is None or known.seq != asked:
        return Refused(msg("match.refuse.no_request"))
    return Seat(seat), known


def waiting_for(row: MatchRow, match: Match) -> frozenset[Seat]:
    """Return the seats of people who have yet to agree to the open request to take moves back."""
    return (
        frozenset()
        if match.talk.asked is None
        else (match.playing & occupants.person_seats(row)) - match.talk.asked.agreed
    )


def _spans_in_force(log: Sequence[Logged]) -> list[ChangeSpan]:
    """Return the changes of the position that no takeback has undone, without the start; oldest first."""
    last = log[-1].entry.seq
    standing = {entry.seq for entry in engine.in_force([each.entry for each in log], last)}
    return [span for span in change_spans(log, last) if span.position and span.first in standing]


def _seated_at(log: Sequence[Logged], seat: Seat) -> int:
    """Return the entry by which a seat's holder has come; 0 if they have begun."""
    came = (one.entry.seq for one in reversed(log) if one.entry.seat == seat and _is_arrival(one.entry))
    return next(came, 0)


def _is_arrival(entry: Entry) -> bool:
    return entry.kind is Kind.SUBSTITUTE


def _by(log: Sequence[Logged], span: ChangeSpan, seat: Seat) -> bool:
    entry = log[span.first].entry
    return entry.kind is Kind.PLAY and entry.seat == seat


def _shows_hidden(before: Match, after: Match, entries: Sequence[Entry], seat: Seat) -> bool:
    """Return whether a change may have shown its author something that was hidden.

    It hasn't if it was a secret choice and others are still to make theirs, or if the author sees now what
    they would see after it from a state that they could imagine before.
    """
    if len(before.to_act) > 1 and after.to_act == before.to_act - {seat}:
        return False
    game = before.game
    state = game.guess(game.view(before.state, seat), seat)
    for entry in entries:
        if state is None or game.refuse(state, seat, action := game.decode(entry.data)) is not None:
            return True
        state = game.apply(state, seat, action).state
    return bool(game.view(state, seat) != game.view(after.state, seat))


def _moves(before: Match, entries: Sequence[Entry], seat: Seat) -> tuple[str, ...]:
    """Return the moves of a change as their author wrote them, more or less."""
    game, match, moves = before.game, before, []
    for entry in entries:
        moves.append(game.format(game.view(match.state, seat), game.decode(entry.data)))
        match, _ = engine.advance(match, entry)
    return tuple(moves)
