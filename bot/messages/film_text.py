"""The words of an animation: what each frame says, and the card with the result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.messages.fact_text import facts_for, summary
from bot.messages.match import winners_line
from bot.messages.quoting import plain_name
from bot.messages.scenes import frame, turned
from bot.messages.seats import game_title
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.lookback.film_plan import CLOSING, OPENING, PlannedFrame
from matches.lookback.since import Moment
from matches.store.rows import MatchRow
from render import EndCard, FilmFrame

_LONGEST: Final = 90
"""Length beyond which a game shortens what happened, in characters: two lines below a board."""


def colours_of(match: Match, reader: Reader) -> Callable[[Msg], str]:
    """Return a function that says messages with seats by their colours, without symbols and markdown."""

    def name(seat: int) -> str:
        return reader.say(match.game.look(match.setup, Seat(seat)).name)

    return lambda message: reader.say(message, name)


def opening_frame(moment: Moment, plays: int, reader: Reader) -> FilmFrame:
    """Return the frame of the position before a stretch."""
    caption = msg("bot.film.after", n=plays) if plays else msg("bot.film.opening")
    return FilmFrame(frame(moment.match, (), reader.seat), OPENING, reader.voice(caption))


def film_frame(moment: Moment, planned: PlannedFrame, reader: Reader, *, last: bool) -> FilmFrame:
    """Return a frame with what happened; the `last` one is held, as no card follows it."""
    match, news = moment.match, facts_for(moment.facts, reader.seat)
    say = colours_of(match, reader)
    what = summary(news, say, _LONGEST)
    if len(what) > _LONGEST:
        what = summary(match.game.recap(news), say, _LONGEST)
    text = " · ".join(what.splitlines())
    caption = reader.voice(msg("bot.film.caption", at=planned.step.plays, what=text))
    length = planned.milliseconds + (CLOSING if last else 0)
    return FilmFrame(frame(match, moment.facts, reader.seat), length, caption, planned.step.by)


def from_side(made: FilmFrame, match: Match, reader: Reader, side: str) -> FilmFrame:
    """Return a frame as seen from a seat's side: "" the reader's own, "-" the public one."""
    if not side:
        return made
    seat = next((seat for seat in range(match.setup.seats) if str(seat) == side), None)
    scene = turned(made.scene, match, None if seat is None else Seat(seat))
    return FilmFrame(scene, made.milliseconds, made.caption, made.by)


def end_card_of(row: MatchRow, match: Match, reader: Reader) -> EndCard | None:
    """Return the card with the result of a match; None while it is in progress."""
    ending = match.ending
    if ending is None:
        return None
    title = f"{game_title(row, reader)} · {row.id}"
    if ending.outcome is None:
        seats = tuple((seat.seat, "", _player(row, seat.seat, reader)) for seat in row.seats)
        return EndCard(title, reader.voice(msg("bot.result.abort")), seats, CLOSING)
    say, outcome = colours_of(match, reader), ending.outcome
    why = say(outcome.why)
    if (winners := winners_line(outcome, match.setup)) is not None:
        why = f"{why}. {say(winners)}"
    order = sorted(range(len(outcome.ranks)), key=lambda seat: (outcome.ranks[seat], seat))
    places = tuple(
        (seat, reader.voice(msg("bot.film.place", n=outcome.ranks[seat])), _player(row, seat, reader))
        for seat in order
    )
    return EndCard(title, why, places, CLOSING)


def _player(row: MatchRow, seat: int, reader: Reader) -> str:
    """Return who held a seat at the end, without markdown."""
    held = row.seats[seat]
    if held.occupant == "computer":
        return reader.say(msg("bot.seat.computer", level=held.level))
    return plain_name(held.name) if held.occupant == "person" else ""
