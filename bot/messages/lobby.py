"""The texts and buttons of a lobby's message: game, seats, options, how to take a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.messages.buttons import STYLE
from bot.messages.clock import moment
from bot.messages.components import Call, CallButton
from bot.messages.lobby_clock import clock_lines
from bot.messages.match import delay_text, uses_chance
from bot.messages.names import game_title, occupant_text, options_text
from bot.messages.outgoing import Outgoing
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.dice import commitment
from games.engine.game import Seat, Setup
from games.engine.message import Msg, duration, msg
from matches.lobby.lobby_rules import draws_lots, is_rated
from matches.occupants import is_full
from matches.store.rows import MatchRow, Terms
from matches.store.standing import MatchLength

COMMITMENT_CHARS = 8
"""Number of hex digits of the dice commitment that are shown; a button shows all 64."""


def lobby_lines(
    row: MatchRow, setup: Setup, reader: Reader, length: MatchLength | None, kept: Mapping[int, int]
) -> list[str]:
    """Return the text of a lobby, line by line; `length` is that of finished matches like it, if known.

    `kept` has the share of matches that people have played to their end, in percent, where it is known.
    """
    say, game = reader.say, registry.get(row.game)
    lines = [f"## {game_title(row, reader)} · `{row.id}`", say(msg(f"{row.game}.tagline"))]
    if row.provenance.origin is not None:
        lines.append(
            say(msg("bot.fork.origin", move=row.provenance.origin.move, match=row.provenance.origin.match))
        )
    out = () if row.provenance.origin is None else row.provenance.origin.out
    for seat in row.seats:
        look = game.look(setup, Seat(seat.seat))
        line = f"{look.symbol} **{say(look.name)}**: {occupant_text(seat, reader)}"
        if seat.occupant == "invited" and seat.user is not None:
            line += f" <@{seat.user}>"
        if seat.user is not None and seat.user == row.host:
            line += " · " + say(msg("bot.seat.host"))
        if seat.user is not None and seat.user in kept:
            line += " · " + say(msg("bot.seat.kept", percent=kept[seat.user]))
        if seat.seat in out:
            line += " · " + say(msg("bot.fork.out"))
        lines.append(line)
    lines.append("-# " + (options_text(row, reader, chosen_only=True) or say(msg("bot.lobby.usual"))))
    lines += clock_lines(row, reader)
    if is_rated(row):
        lines.append("-# " + say(msg("bot.lobby.rated")))
    elif not row.conditions.hints:
        lines.append("-# " + say(msg("bot.lobby.no_hints")))
    if row.conditions.delay:
        lines.append("-# " + delay_text(row, reader, "lobby"))
    if row.status == "lobby" and (terms := terms_text(row.lobby.terms, reader)):
        lines.append("-# " + say(msg("bot.lobby.terms.for", terms=terms)))
    if row.status == "lobby":
        if row.lobby.starts_full:
            lines.append("-# " + say(msg("bot.lobby.starts_full")))
        if (takes := length_text(row, length)) is not None:
            lines.append("-# " + say(takes))
        if row.lobby.expires is not None:
            when = moment(row.lobby.expires)
            lines.append("-# " + say(msg("bot.lobby.expires", when=when)))
        if draws_lots(row, game, setup):
            lines.append("-# " + say(msg("bot.lobby.lots")))
        if (advice := game.advice(setup)) is not None:
            lines.append("-# " + say(advice))
        if game.has_dice:
            sealed = commitment(bytes.fromhex(row.secret))
            lines.append("-# " + say(msg("bot.lobby.fair", commit=sealed[:COMMITMENT_CHARS])))
    else:
        lines.append(say(msg(f"bot.lobby.{row.status}")))
    lines.append("-# " + say(msg(f"{row.game}.credit")))
    return lines


def terms_text(terms: Terms, reader: Reader) -> str:
    """Return whom a lobby is for; empty if it is for everyone."""
    parts = []
    if terms.kept:
        parts.append(msg("bot.lobby.terms.kept", percent=terms.kept))
    if terms.least and terms.most:
        parts.append(msg("bot.lobby.terms.between", least=terms.least, most=terms.most))
    elif terms.least:
        parts.append(msg("bot.lobby.terms.least", least=terms.least))
    elif terms.most:
        parts.append(msg("bot.lobby.terms.most", most=terms.most))
    return "; ".join(map(reader.say, parts))


def length_text(row: MatchRow, length: MatchLength | None) -> Msg | None:
    """Return how long a match takes: as finished ones did, else as in contests of computers; None if unknown.

    A match that begins in the middle of another one is none of those.
    """
    game = registry.get(row.game)
    if row.provenance.origin is not None:
        return None
    kind = "moves" if game.actions_are_moves else "decisions"
    if length is not None:
        moves, time = msg(f"bot.lobby.takes.{kind}", n=length.moves), duration(length.seconds)
        return msg("bot.lobby.takes.people", moves=moves, time=time, n=length.matches)
    known = game.lengths.get(game.family(len(row.seats), row.options))
    if known is None:
        return None
    return msg("bot.lobby.takes.computers", moves=msg(f"bot.lobby.takes.{kind}", n=known))


def sealed_button(row: MatchRow, reader: Reader) -> tuple[CallButton, ...]:
    """Return the button that shows the proof of fair dice or lots; nothing in games without chance."""
    game = registry.get(row.game)
    if not uses_chance(game, game.setup(len(row.seats), row.options)):
        return ()
    label = msg("bot.button.sealed" if game.has_dice else "bot.button.sealed_lots")
    return (CallButton.make(Call("sealed", row.id, -1), reader.say(label)),)


def people_invited(row: MatchRow) -> tuple[int, ...]:
    """Return the ids of the users whose invitations are open."""
    return tuple(s.user for s in row.seats if s.occupant == "invited" and s.user is not None)


def invitation(row: MatchRow, users: Sequence[int], reader: Reader) -> Outgoing | None:
    """Return the message that calls those of the users who are still invited; None if nobody is."""
    guests = tuple(user for user in people_invited(row) if user in users)
    if row.status != "lobby" or not guests:
        return None
    link = lobby_link(row)
    who = tuple(f"<@{guest}>" for guest in guests)
    text = msg("bot.lobby.invited", who=who, game=msg(f"{row.game}.title"), match=row.id, link=link)
    return Outgoing(reader.say(text), ping=guests)


def full_lobby(row: MatchRow, host: int, reader: Reader) -> Outgoing | None:
    """Return the message that calls a host to start a full lobby; None if it isn't full, or not theirs."""
    if (row.status, row.host) != ("lobby", host) or not is_full(row):
        return None
    who, link = f"<@{host}>", lobby_link(row)
    text = msg("bot.lobby.full", host=who, game=msg(f"{row.game}.title"), match=row.id, link=link)
    start = CallButton.make(Call("start", row.id, -1), reader.say(msg("bot.button.start")), STYLE.primary)
    return Outgoing(reader.say(text), items=(start,), ping=(host,))


def lobby_link(row: MatchRow) -> str:
    """Return the address of a lobby's message; in direct messages only its host can open it."""
    where = "@me" if row.place.guild is None else row.place.guild
    return f"https://discord.com/channels/{where}/{row.lobby_channel}/{row.lobby.message}"


def lobby_items(row: MatchRow, reader: Reader) -> tuple[CallButton, ...]:
    """Return the buttons under an open lobby."""

    def press(verb: str, label: Msg, style: STYLE, *, off: bool = False) -> CallButton:
        return CallButton.make(Call(verb, row.id, -1), reader.say(label), style, disabled=off)

    invited = any(seat.occupant == "invited" for seat in row.seats)
    free = any(seat.occupant == "open" for seat in row.seats)
    join = msg("bot.button.accept") if invited and not free else msg("bot.button.join")
    away = msg("bot.button.decline") if invited else msg("bot.button.leave")
    return (
        press("join", join, STYLE.success, off=not (invited or free)),
        press("leave", away, STYLE.secondary),
        press("invite", msg("bot.button.invite"), STYLE.secondary, off=not free),
        press("computer", msg("bot.button.computer"), STYLE.secondary, off=not free),
        press("options", msg("bot.button.options"), STYLE.secondary),
        press("clock_panel", msg("bot.lobby_clock.button.clock"), STYLE.secondary),
        press("start", msg("bot.button.start"), STYLE.primary, off=invited or free),
        *sealed_button(row, reader),
    )
