"""The texts about a match on a board: what happened, who is next, how it ended, the small print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bot.messages.buttons import STYLE, own_view
from bot.messages.components import Call, Press
from bot.messages.fact_text import by_mover, details, heard, names_its_seats, story
from bot.messages.outgoing import Outgoing
from bot.messages.seats import game_title, options_text, seat_names
from bot.platform.readers import Reader
from games.engine.game import AnyGame, Fact, Game, Seat, Setup
from games.engine.match import Kind, Match
from games.engine.message import Msg, Who, msg
from matches.ports import MatchRow, SeatRow

MAX_TOLD = 1200
"""Characters for what happened, so that who is next, and whatever else a board says, has room behind it."""
MAX_DETAILS = 1900
MAX_BRIEF = 260
"""Characters of about six lines on a phone: what is longer is told in short."""


def uses_chance(game: AnyGame, setup: Setup) -> bool:
    """Return whether chance has a part in a game, be it only who gets which seat."""
    return game.seats_by_lot(setup) or type(game).draw is not Game.draw


def chooses_in_secret(match: Match) -> bool:
    """Return whether seats now choose at the same time what others are not to see."""
    return match.game.hidden and len(match.to_act) > 1


def what_happened(
    row: MatchRow, match: Match, facts: Sequence[Fact], reader: Reader, *, brief: bool = True
) -> str:
    """Return what happened but for details, in at most five lines; a move names who made it.

    Where several seats moved one after the other, as computers do, each has a line. What would fill a phone's
    screen is told in short, if the game can; with `brief` false it is told in full.
    """
    names = seat_names(row, reader)
    news = heard(facts, reader.seat)
    movers = by_mover(news)
    if len(movers) > 1:
        most = (MAX_BRIEF if brief else MAX_TOLD) // len(movers)
        return "\n".join(_one_line(match, each, of, reader, names, most) for each, of in movers)
    line = story(news, lambda each: reader.say(each, names), MAX_TOLD)
    if brief and len(line) > MAX_BRIEF:
        line = story(match.game.recap(news), lambda each: reader.say(each, names), MAX_TOLD)
    decided = (entry for entry in reversed(match.log) if entry.kind not in (Kind.CHANCE, Kind.REVEAL))
    moved = next(decided)  # a log begins with its start, so that there is one
    if not line or moved.kind is not Kind.PLAY or moved.seat is None or names_its_seats(news, moved.seat):
        return line
    return reader.say(msg("bot.board.played", who=Who(moved.seat), what=line), names)


def _one_line(
    match: Match,
    mover: Seat | None,
    facts: Sequence[Fact],
    reader: Reader,
    names: Callable[[int], str],
    most: int,
) -> str:
    """One seat's part of a story, in short if it is longer than `most`."""

    def told(of: Sequence[Fact]) -> str:
        return story([replace(fact, line=0) for fact in of], lambda each: reader.say(each, names), MAX_TOLD)

    what = told(facts)
    if len(what) > most:
        what = told(match.game.recap(facts))
    if mover is None or not what or names_its_seats(facts, mover):
        return what
    return reader.say(msg("bot.board.played", who=Who(mover), what=what), names)


def hand_text(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return what only the reader's seat knows; empty where that is nothing."""
    if reader.seat is None:
        return ""
    names = seat_names(row, reader)
    known = match.game.hand(match.game.view(match.state, reader.seat), reader.seat)
    return "\n".join(reader.say(each, names) for each in known)


def fact_details(row: MatchRow, facts: Sequence[Fact], reader: Reader) -> str:
    """Return what happened, each detail on its own line; of what is too long, the beginning is left out."""
    names, news = seat_names(row, reader), heard(facts, reader.seat)
    return details(news, lambda each: reader.say(each, names), MAX_DETAILS)


def status_line(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return who is next, or how it ended."""
    if match.ending is not None:
        return result(row, match, reader)
    who = tuple(Who(seat) for seat in sorted(match.to_act))
    return reader.say(msg("bot.board.next", n=len(who), who=who), seat_names(row, reader))


def called(row: MatchRow, match: Match) -> tuple[int, ...]:
    """Return the ids of the people who are to act."""
    if match.ending is not None:
        return ()
    return _people(row.seats[seat] for seat in sorted(match.to_act) if seat >= 0)


def _people(seats: Iterable[SeatRow]) -> tuple[int, ...]:
    return tuple(seat.user for seat in seats if seat.occupant == "person" and seat.user is not None)


def pings(users: Sequence[int]) -> str:
    """Return mentions of users, to stand behind a text."""
    return "".join(f" <@{user}>" for user in users)


def result(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return how a match ended."""
    names = seat_names(row, reader)
    ending = match.ending
    if ending is None or ending.outcome is None:
        return reader.say(msg("bot.result.abort"))
    winners = tuple(Who(seat) for seat, rank in enumerate(ending.outcome.ranks) if rank == 1)
    why = reader.say(ending.outcome.why, names)
    if "who" in dict(ending.outcome.why.values):
        return f"**{why.rstrip('.')}.**"  # the reason names who won or drew: once is enough
    if len({match.setup.teams[who.seat] for who in winners}) > 1:
        line = reader.say(msg("bot.result.draw", who=winners), names)
    else:
        line = reader.say(msg("bot.result.win", who=winners, n=len(winners)), names)
    return f"{why} **{line}**"


def footer(row: MatchRow, match: Match, reader: Reader, *, hint: bool) -> str:
    """Return the small print: match, game, move, house rules; with `hint` how to go on from here."""
    count = msg("bot.board.move" if match.game.actions_are_moves else "bot.board.order", n=match.plays)
    parts = [f"`{row.id}`", game_title(row, reader), reader.say(count)]
    if options := options_text(row, reader, chosen_only=True):
        parts.append(options)
    if hint:
        parts.append(reader.say(_how_to_go_on(match)))
    return "-# " + " · ".join(parts)


def _how_to_go_on(match: Match) -> Msg:
    """From a board: openly, in secret, or not at all."""
    if match.ending:
        return msg("bot.board.over")
    secret = msg("bot.board.secret", view=own_view(match.game))
    return secret if chooses_in_secret(match) else msg("bot.board.how")


def notice(row: MatchRow, match: Match, facts: Sequence[Fact], reader: Reader) -> Outgoing:
    """Return a line without a picture: a draw was offered or declined. Offers have buttons to answer."""
    text = what_happened(row, match, facts, reader)
    items: tuple[Press, ...] = ()
    asked: tuple[int, ...] = ()
    if match.offers and not match.ending:
        asked = _people(row.seats[seat] for seat in sorted(match.playing - match.offers))
        agree, decline = msg("bot.button.agree"), msg("bot.button.decline_draw")
        items = (
            Press.make(Call("agree", row.id, match.seq), reader.say(agree), STYLE.success),
            Press.make(Call("refuse", row.id, match.seq), reader.say(decline)),
        )
        text += " " + " ".join(f"<@{user}>" for user in asked)
    return Outgoing(f"{text}\n-# `{row.id}`", (), items, asked)
