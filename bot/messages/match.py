"""The texts of a board's message: what happened, who is next, how it ended, the small print."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from bot.messages.buttons import STYLE, own_view_label
from bot.messages.clock import clock_line
from bot.messages.components import Call, CallButton
from bot.messages.facts import (
    FactGroup,
    by_mover,
    facts_for,
    full_text,
    is_private_draw,
    names_its_seats,
    summary,
)
from bot.messages.names import escaped_text, game_title, options_text, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine.game import AnyGame, Fact, Outcome, Seat, Setup
from games.engine.match import Kind, Match
from games.engine.message import Msg, Who, msg
from matches.absence.pauses import requested
from matches.absence.pauses import waiting_for as without_pause
from matches.absence.time_up import opponents
from matches.clocks.timekeeper import ClockFace, control_of
from matches.play.undo import waiting_for
from matches.store.rows import MatchRow, SeatRow
from matches.watching import UNTIL_END

MAX_SUMMARY = 1200
"""Maximum length of what happened, in characters: it leaves room for the rest of a board's message."""
MAX_DETAILS = 1900
"""Maximum length of the detailed facts, in characters."""
MAX_BRIEF = 260
"""Maximum length of what happened before it is shortened, in characters: about six lines on a phone."""


def uses_chance(game: AnyGame, setup: Setup) -> bool:
    """Return whether anything in a match is drawn or rolled, if only the seats."""
    return game.chance or game.seats_by_lot(setup)


def chooses_in_secret(match: Match) -> bool:
    """Return whether several seats are choosing in secret at the same time."""
    return match.game.hidden and len(match.to_act) > 1


def what_happened(
    row: MatchRow, match: Match, facts: Sequence[Fact], reader: Reader, *, brief: bool = True
) -> str:
    """Return what happened without details, in at most five lines; a move names who made it.

    If several seats have moved since the last board, as computers do, each gets a line. A text that would
    fill a phone's screen is shortened if the game can do so, unless `brief` is false.
    """
    names = seat_names(row, reader)
    news = facts_for(facts, reader.seat)
    movers = by_mover(news)
    if len(movers) > 1 or any(group.default for group in movers):
        most = (MAX_BRIEF if brief else MAX_SUMMARY) // len(movers)
        lines: list[str] = []
        for before, group in zip((None, *movers), movers, strict=False):
            named = group.default and before is not None and before.host
            line = turn_line(match, group, reader, names, most, named=named)
            if named:  # why it was played, and what
                lines[-1] = f"{lines[-1]}. {line}"
            else:
                lines.append(line)
        return "\n".join(lines)
    line = summary(news, lambda each: reader.say(each, names), MAX_SUMMARY)
    if brief and len(line) > MAX_BRIEF:
        news = list(match.game.recap(news))
        line = summary(news, lambda each: reader.say(each, names), MAX_SUMMARY)
    decided = (entry for entry in reversed(match.log) if entry.kind not in (Kind.CHANCE, Kind.REVEAL))
    moved = next(decided)  # a log begins with its start, so that there is one
    # On a board of several moves those of the last seat may not be shown.
    seat = next((group.seat for group in movers if group.seat is not None), moved.seat)
    if not line or moved.kind is not Kind.PLAY or seat is None:
        return line
    if is_private_draw(news) or names_its_seats(news, seat):
        return line
    return reader.say(msg("bot.board.played", who=Who(seat), what=line), names)


def turn_line(
    match: Match,
    group: FactGroup,
    reader: Reader,
    names: Callable[[int], str],
    most: int,
    limit: int = MAX_SUMMARY,
    *,
    named: bool = False,
) -> str:
    """Return what one seat did on one line; the game shortens it beyond `most` characters, `limit` cuts.

    `named` means that the seat has just been named.
    """

    def text_of(of: Iterable[Fact]) -> tuple[list[Fact], str]:
        level = [replace(fact, line=0) for fact in of]
        return level, summary(level, lambda each: reader.say(each, names), limit)

    seat = group.seat
    facts, what = text_of(group.facts)
    if len(what) > most:
        facts, what = text_of(match.game.recap(group.facts))
    if seat is not None and group.default:
        who = msg("bot.board.them") if named else Who(seat)
        if what and not names_its_seats(facts, seat):
            return reader.say(msg("bot.board.default", who=who, what=what), names)
        return f"{reader.say(msg('bot.board.default_closed', who=who), names)} {what}".rstrip()
    if seat is None or not what or names_its_seats(facts, seat):
        return what
    return reader.say(msg("bot.board.played", who=Who(seat), what=what), names)


def hand_text(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return what only the reader's seat knows; empty for spectators and in open games."""
    if reader.seat is None:
        return ""
    names = seat_names(row, reader)
    known = match.game.hand(match.game.view(match.state, reader.seat), reader.seat)
    return "\n".join(reader.say(each, names) for each in known)


def fact_details(row: MatchRow, facts: Sequence[Fact], reader: Reader) -> str:
    """Return what happened with all details, a line for each; the beginning is dropped if it is too long."""
    names, news = seat_names(row, reader), facts_for(facts, reader.seat)
    return full_text(news, lambda each: reader.say(each, names), MAX_DETAILS)


def reason_line(reason: str, reader: Reader) -> str:
    """Return the reason of a moderator, without mentions or markdown that work."""
    return reader.say(msg("bot.moderation.reason", reason=escaped_text(reason)))


def status_line(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return who is next, or how it ended."""
    if match.ending is not None:
        return result_text(row, match, reader)
    if match.hosting.held:
        return reader.say(msg("bot.board.held" if match.hosting.held == "pause" else "bot.board.held_ended"))
    who = tuple(Who(seat) for seat in sorted(match.to_act))
    return reader.say(msg("bot.board.next", n=len(who), who=who), seat_names(row, reader))


def delay_text(row: MatchRow, reader: Reader, key: str = "note") -> str:
    """Return by how much others see a match late, by the text of that key; empty if they don't."""
    if not row.conditions.delay:
        return ""
    last = row.conditions.delay == UNTIL_END
    return reader.say(
        msg(f"bot.delay.{key}_end") if last else msg(f"bot.delay.{key}", n=row.conditions.delay)
    )


def users_to_act(row: MatchRow, match: Match) -> tuple[int, ...]:
    """Return the ids of the users who are to act."""
    if match.ending is not None:
        return ()
    return _users(row, (seat for seat in match.to_act if seat >= 0))


def _users(row: MatchRow, seats: Iterable[Seat]) -> tuple[int, ...]:
    return _people(row.seats[seat] for seat in sorted(seats))


def _people(seats: Iterable[SeatRow]) -> tuple[int, ...]:
    return tuple(seat.user for seat in seats if seat.occupant == "person" and seat.user is not None)


def mentions(users: Sequence[int]) -> str:
    """Return mentions of users, to append to a text."""
    return "".join(f" <@{user}>" for user in users)


def result_text(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return why and how a match ended, and who won."""
    names = seat_names(row, reader)
    ending = match.ending
    if ending is None or ending.outcome is None:
        return reader.say(msg("bot.result.abort"))
    why, winners = reader.say(ending.outcome.why, names), winners_line(ending.outcome, match.setup)
    return f"**{why}.**" if winners is None else f"{why}. **{reader.say(winners, names)}**"


def winners_line(outcome: Outcome, setup: Setup) -> Msg | None:
    """Return who won or drew; None if the reason of the outcome already names them."""
    if "who" in dict(outcome.why.values):
        return None
    first = tuple(Who(seat) for seat, rank in enumerate(outcome.ranks) if rank == 1)
    if len({setup.teams[who.seat] for who in first}) > 1:
        return msg("bot.result.draw", who=first)
    return msg("bot.result.win", who=first, n=len(first))


def computer_resigned(row: MatchRow, match: Match) -> bool:
    """Return whether a match is over because a computer has given up."""
    last = next(entry for entry in reversed(match.log) if entry.kind is not Kind.REVEAL)
    if match.ending is None or last.kind is not Kind.RESIGN or last.seat is None:
        return False
    return row.seats[last.seat].occupant == "computer"


def needs_no_footer(row: MatchRow, match: Match) -> bool:
    """Return whether a board in its own channel needs no small print: it is known, and has nothing to add."""
    known = (
        match.plays > 0
        and match.ending is None
        and row.provenance.source == "played"
        and not row.publicity.public
    )
    return known and not chooses_in_secret(match)


def short_footer(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return move number and match, to follow the line about who is to move."""
    count = msg("bot.board.move" if match.game.actions_are_moves else "bot.board.order", n=match.plays)
    return f" · {reader.say(count)} · `{row.id}`"


def names_first_player(match: Match, facts: Sequence[Fact]) -> bool:
    """Return whether the facts of a start say no more than who begins, as the line of who is to move does."""
    begun = all(entry.kind in (Kind.START, Kind.CHANCE) for entry in match.log)
    if not begun or len(match.to_act) != 1 or len(facts) != 1:
        return False
    (seat,) = match.to_act
    return dict(facts[0].msg.values) == {"who": Who(seat)}


def footer(row: MatchRow, match: Match, reader: Reader, *, hint: bool, first: Sequence[str] = ()) -> str:
    """Return the small print: match, game, move number, options; with `hint` also how to move.

    `first` is what the first board has to say besides.
    """
    count = msg("bot.board.move" if match.game.actions_are_moves else "bot.board.order", n=match.plays)
    parts = [f"`{row.id}`", game_title(row, reader), reader.say(count), *first]
    if options := options_text(row, reader, chosen_only=True):
        parts.append(options)
    if row.provenance.source == "study":
        parts.append(reader.say(msg("bot.fork.study_foot")))
    if row.publicity.public:
        parts.append(reader.say(msg("bot.board.public")))
    if hint:
        parts.append(reader.say(_how_to_go_on(match)))
    return "-# " + " · ".join(parts)


def _how_to_go_on(match: Match) -> Msg:
    """Return how to move from a board: openly, in secret, or not at all."""
    if match.ending:
        return msg("bot.board.over")
    secret = msg("bot.board.secret", view=own_view_label(match.game))
    return secret if chooses_in_secret(match) else msg("bot.board.how")


def notice(
    row: MatchRow,
    match: Match,
    facts: Sequence[Fact],
    reader: Reader,
    face: ClockFace | None = None,
    reason: str = "",
) -> Outgoing:
    """Return a message without a picture: something was asked for, offered or declined, or time is up.

    What is open has buttons to answer it, and calls those who are to. `face` has the clocks, if they are
    known, to say for how long a vacation has stopped one; `reason` is that of a moderator.
    """
    text = what_happened(row, match, facts, reader)
    last = match.log[-1]
    items: tuple[CallButton, ...] = ()
    asked: tuple[int, ...] = ()

    def answers(agree: Call, refuse: Call, label: str) -> tuple[CallButton, ...]:
        return (
            CallButton.make(agree, reader.say(msg(label)), STYLE.success),
            CallButton.make(refuse, reader.say(msg("bot.button.decline_draw"))),
        )

    if match.ending is None and last.kind is Kind.FLAG and last.seat is not None:
        control, against = control_of(match), opponents(match, last.seat)
        if control is not None and control.acts == "claim":
            text += ". " + reader.say(msg(f"bot.claim.may_{control.follows}"))
            asked, claim = _users(row, against), Call("claim", row.id, match.seq, str(last.seat))
            if reader.seat is None or reader.seat in against:
                items = (CallButton.make(claim, reader.say(msg("bot.button.claim")), STYLE.primary),)
    elif last.kind is Kind.VACATION and (clock := clock_line(row, face, reader)):
        text += f". {clock}"
    elif match.ending is None and last.kind is Kind.PAUSE and (request := requested(match)) is not None:
        asked = _users(row, without_pause(row, match))
        calls = Call("pause_agree", row.id, request), Call("pause_refuse", row.id, request)
        items = answers(*calls, "bot.button.pause_agree")
    elif match.ending is None and match.talk.asked is not None and last.kind is Kind.ASK:
        asked, seq = _users(row, waiting_for(row, match)), match.talk.asked.seq
        calls = Call("undo_agree", row.id, seq), Call("undo_refuse", row.id, seq)
        items = answers(*calls, "bot.button.undo_agree")
    elif match.ending is None and match.talk.offers and last.kind not in (Kind.RESUME, Kind.PAUSE, Kind.FLAG):
        asked = _users(row, match.playing - match.talk.offers)
        calls = Call("agree", row.id, match.seq), Call("refuse", row.id, match.seq)
        items = answers(*calls, "bot.button.agree")
    elif match.ending is None and last.kind is Kind.COACH and last.data not in ("on", "off"):
        items = (
            CallButton.make(Call("coach_why", row.id, match.seq), reader.say(msg("bot.button.hint_3"))),
            CallButton.make(Call("coach_back", row.id, match.seq), reader.say(msg("bot.button.undo_yes"))),
        )
    elif last.kind is Kind.RULING:
        text += ".\n" + reason_line(reason, reader)
        if match.hosting.held or (clock := clock_line(row, face, reader)):
            text += "\n" + (status_line(row, match, reader) if match.hosting.held else clock)
    text += mentions(asked)
    return Outgoing(f"{text}\n-# `{row.id}`", (), items, asked)
