"""What people do in a match: move, resign, offer a draw, abort. The game parses the texts of moves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import takewhile
from typing import Any

from cachetools import LRUCache

from games.engine import match as engine
from games.engine import orders
from games.engine.dice import Sealed
from games.engine.game import Done, Partial, Rejected, Seat
from games.engine.match import Change, Entry, Kind, Match
from games.engine.message import Msg, msg
from games.engine.normalization import normalized
from games.engine.orders import Executed
from matches import occupants
from matches.core import Core, LoadedMatch
from matches.log.changes import AUTOMATIC, BOARD_KEPT, is_current
from matches.occupants import why_not_in_study
from matches.play import typed_text
from matches.play.late_presses import why_late
from matches.play.typed_text import move_in
from matches.results import Asked, Played, Refused, Tried, Warned
from matches.store.rows import MatchRow

_PLAYED = AUTOMATIC | BOARD_KEPT | {Kind.PLAY}
_Act = Callable[[Match, Seat, Sealed], Change | Msg]
_MAX_WARNINGS = 1024
"""Maximum number of remembered warnings; a forgotten one is given again."""
_UNANSWERED = timedelta(minutes=1)
"""How long the same move is asked about after one whose author had no answer."""


class Play:
    """What people do in a started match."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._warnings: LRUCache[tuple[str, int, int, str], str] = LRUCache(_MAX_WARNINGS)
        """The warnings given, by match, entry, seat and action, with the request that was warned."""
        self._unanswered: LRUCache[tuple[str, int], int] = LRUCache(_MAX_WARNINGS)
        """By match and user, the last entry of a move whose author may believe that it failed."""
        self._begun = core.now()

    async def submit(
        self,
        match_id: str,
        who: int,
        text: str,
        *,
        request: str,
        version: int | None = None,
        attempt: bool = False,
        row: MatchRow | None = None,
    ) -> Played | Asked | Warned | Tried | Refused:
        """Play the move in a text, or say why not. With `attempt`, or a `?` before it, only try it.

        `version` is the log entry that the person saw, for buttons and menus: if the position has changed
        since, the move is refused as stale. A move that the game warns about is played when it is submitted
        again by another request. `row` is the match's row if the caller has just read it.
        """
        bare, tries = typed_text.strip_markup(text)

        seen: list[LoadedMatch] = []

        def judge(loaded: LoadedMatch) -> Executed | Asked | Warned | Tried | Refused:
            seen[:] = [loaded]
            return self._read(loaded, who, bare, version, request, attempt=attempt or tries)

        result: Played | Asked | Warned | Tried | Refused
        result = await self._core.decide(match_id, who, request, judge, row=row)
        if isinstance(result, Refused) and result.chat and seen:
            asked = await _ask_about(seen[0], who, bare)
            return result if asked is None else asked
        return result

    def note_unanswered(self, match_id: str, who: int, version: int) -> None:
        """Note that a person may believe that their move, up to entry `version`, has failed."""
        self._unanswered[match_id, who] = version

    async def resign(
        self, match_id: str, who: int, *, request: str, version: int | None = None
    ) -> Played | Refused:
        """Resign; with more than two players the others play on."""
        return await self._act(
            match_id,
            who,
            request,
            version,
            lambda match, seat, sealed: engine.leave(match, seat, "resign", sealed),
        )

    async def offer_draw(
        self, match_id: str, who: int, *, request: str, version: int | None = None
    ) -> Played | Refused:
        """Offer a draw or agree to the open offer; the match is drawn when all remaining players agree."""
        return await self._act(match_id, who, request, version, engine.offer_draw, talk=True)

    async def decline_draw(
        self, match_id: str, who: int, *, request: str, version: int | None = None
    ) -> Played | Refused:
        """Decline a draw offer, or withdraw one's own."""
        return await self._act(match_id, who, request, version, _decline_draw, talk=True)

    async def abort(
        self, match_id: str, who: int, *, request: str, version: int | None = None
    ) -> Played | Refused:
        """End a match without a result before the first move; for its host and its players."""

        def judge(loaded: LoadedMatch) -> Change | Refused:
            if who != loaded.row.host and occupants.seat_of(loaded.row, who) is None:
                return Refused(msg("match.refuse.not_yours"))
            if (late := why_late(loaded.match, version)) is not None:
                return late
            change = engine.abort(loaded.match, loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    async def _act(
        self, match_id: str, who: int, request: str, version: int | None, act: _Act, *, talk: bool = False
    ) -> Played | Refused:
        def judge(loaded: LoadedMatch) -> Change | Refused:
            seat = occupants.seat_of(loaded.row, who)
            if seat is None:
                return Refused(msg("match.refuse.not_yours"))
            if talk and (why := why_not_in_study(loaded.row)) is not None:
                return Refused(why)
            late = why_late(loaded.match, version, talk=talk)
            if late is not None and not loaded.match.ending:
                return late
            change = act(loaded.match, Seat(seat), loaded.sealed)
            return Refused(change) if isinstance(change, Msg) else change

        return await self._core.decide(match_id, who, request, judge)

    def _read(
        self, loaded: LoadedMatch, who: int, text: str, version: int | None, request: str, *, attempt: bool
    ) -> Executed | Asked | Warned | Tried | Refused:
        """Return what a text does; of several reasons to refuse it, the most useful one."""
        match, game = loaded.match, loaded.match.game
        at = occupants.seat_of(loaded.row, who)
        if at is None:
            return Refused(msg("match.refuse.not_yours"), chat=True)
        if len(text) > game.max_text_length:
            return Refused(msg("match.refuse.long", limit=game.max_text_length), chat=True)
        seat = Seat(at)
        view = game.view(match.state, seat)
        parsed = game.parse(view, seat, text)
        chat = isinstance(parsed, Rejected) and parsed.chat
        if match.ending:
            return Refused(msg("match.refuse.over"), chat=chat)
        if (late := why_late(match, version)) is not None:
            return late
        if seat in match.seats.gone:
            return Refused(msg("match.refuse.gone"), chat=chat)
        near: tuple[str, ...] = ()
        if seat not in match.to_act:
            # the engine's own sentence about whose turn it is, whatever the action
            why = engine.refuse(match, seat, None) or msg("match.refuse.stale")
        elif isinstance(parsed, Rejected):
            why, near = parsed.why, parsed.near
        elif isinstance(parsed, Partial):
            return Asked(parsed.prompt, parsed.choices)
        elif (refusal := engine.refuse(match, seat, parsed.action)) is not None:
            why = refusal
        elif attempt:
            return _attempt(match, seat, view, parsed, text)
        else:
            again = self._may_be_again(loaded, who, seat, parsed)
            warned = self._warned(match, seat, view, parsed, text, request, again=again)
            done = warned or orders.play(match, seat, parsed, loaded.sealed)
            if not isinstance(done, Msg):
                return done
            why = done
        if loaded.moved_on and not chat:
            return Refused(msg("match.refuse.stale"), near, stale=True)
        return Refused(why, near, chat=chat)

    def _may_be_again(self, loaded: LoadedMatch, who: int, seat: Seat, done: Done[Any]) -> bool:
        """Return whether an action was just played by its author, who may not know that.

        That is so after an answer that failed, and after a move just before we were started again.
        """
        row, match = loaded.row, loaded.match
        if self._core.now() - row.updated > _UNANSWERED:
            return False
        known = self._unanswered.get((row.id, who), match.seq if row.updated < self._begun else -1)
        if not is_current(match.log, known):
            return False
        played = takewhile(lambda entry: entry.kind in _PLAYED, reversed(match.log[: known + 1]))
        return (seat, match.game.encode(done.action)) in {(entry.seat, entry.data) for entry in played}

    def _warned(
        self, match: Match, seat: Seat, view: Any, done: Done[Any], text: str, request: str, *, again: bool
    ) -> Warned | None:
        """Return the warning against an action, unless an earlier request has been warned about it."""
        game = match.game
        why = game.caution(view, seat, done.action)
        if again:
            why = msg("match.again") if why is None else why
        if why is None:
            return None
        asked = (match.id, match.seq, seat, game.encode(done.action))
        if self._warnings.setdefault(asked, request) != request:
            return None
        return Warned(why, text if done.script else game.format(view, done.action), match.seq)


async def _ask_about(loaded: LoadedMatch, who: int, text: str) -> Asked | None:
    """Return the question whether a move is meant that stands among a few words; None if it is talk."""
    match, at = loaded.match, occupants.seat_of(loaded.row, who)
    if at is None or match.ending or Seat(at) not in match.to_act:
        return None
    seat = Seat(at)
    reading = await move_in(match.game, match.game.view(match.state, seat), seat, text)
    return None if reading is None else Asked(msg("match.ask"), (reading,))


def _decline_draw(match: Match, seat: Seat, sealed: Sealed) -> Change | Msg:
    return (
        engine.decline(match, seat, sealed)
        if match.talk.offers or match.ending
        else msg("match.refuse.no_offer")
    )


def _attempt(match: Match, seat: Seat, view: Any, done: Done[Any], typed: str) -> Tried | Refused:
    """Return what a move would do, up to the first draw of chance; for several orders the game's forecast.

    It is tried on a state that the seat can know. If there is none, only say that the move is legal, because
    its consequences could reveal what is hidden.
    """
    game = match.game
    text = game.format(view, done.action)
    if forecast := game.forecast(view, seat, normalized(typed).text):
        return Tried(match, (), typed, game.caution(view, seat, done.action), forecast)
    guessed = game.guess(view, seat)
    if guessed is None:
        return Refused(msg("match.refuse.hidden", move=text))
    entry = Entry(match.seq + 1, Kind.PLAY, seat, game.encode(done.action))
    after, facts = engine.advance(replace(match, state=guessed), entry)
    return Tried(after, facts, text, game.caution(view, seat, done.action))
