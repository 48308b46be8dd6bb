"""The texts of pings: which match, what is to be decided, how much time is left, where the board is."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import discord

from bot.messages.buttons import NO_MATCH, settings_button
from bot.messages.components import Call, CallButton
from bot.messages.match import result_text
from bot.messages.names import match_title, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.readers import Reader
from games.engine.game import Partial, Seat
from games.engine.match import Match
from games.engine.message import msg
from matches.outbox.messages import PingReason
from matches.store.pings import PingRow
from matches.store.rows import MatchRow


def deadline_text(deadline: datetime, reader: Reader) -> str:
    """Return when time is up, as Discord's time stamps."""
    when, at = discord.utils.format_dt(deadline, "R"), discord.utils.format_dt(deadline, "f")
    return reader.say(msg("bot.ping.left", when=when, at=at))


def ping_message(
    row: MatchRow,
    match: Match,
    of: PingRow,
    reason: PingReason,
    reader: Reader,
    *,
    number: int,
    link: str,
    deadline: datetime | None,
    direct: bool,
    closed: bool = False,
) -> Outgoing:
    """Return a message that only pings someone; `direct` messages are read by them alone.

    `reader` is the person's for those, and has no seat otherwise. `closed` says that they wanted a direct
    message and take none. `number` tells the message from all others of the match.
    """
    title = match_title(row, of.seat, reader)
    said = msg(f"bot.ping.{reason if of.kind == 'turn' else of.kind}", match=row.id, title=title)
    lines = [f"{reader.say(said)} {link}"]
    if match.ending is not None:
        lines.append(result_text(row, match, reader))
    elif of.kind == "turn":
        lines.append(to_decide(row, match, Seat(of.seat), reader))
        if deadline is not None:
            lines.append(deadline_text(deadline, reader))
    if closed:
        lines.append("-# " + reader.say(msg("bot.ping.closed")))
    content = "\n".join(line for line in lines if line)
    ping = () if direct else (of.user,)
    if ping:
        content = f"<@{of.user}> {content}"
    return Outgoing(content, (), ping_buttons(row, of, number, reader), ping)


def ping_buttons(row: MatchRow, of: PingRow, number: int, reader: Reader) -> tuple[CallButton, ...]:
    """Return the buttons of a ping: the match's view, to be pinged again later, and the settings."""
    view = CallButton.make(Call("view", row.id, -number, "ping"), reader.say(msg("bot.button.view")))
    if of.kind == "result":
        return view, settings_button(reader)
    return (
        view,
        CallButton.make(Call("snooze", row.id, of.turn, "60"), reader.say(msg("bot.button.snooze_hour"))),
        CallButton.make(
            Call("snooze", row.id, of.turn, "morning"), reader.say(msg("bot.button.snooze_morning"))
        ),
        settings_button(reader),
    )


def to_decide(row: MatchRow, match: Match, seat: Seat, reader: Reader) -> str:
    """Return what a seat is to decide, as far as the reader may know."""
    read = match.game.parse(match.game.view(match.state, reader.seat), seat, "")
    return reader.say(read.prompt, seat_names(row, reader)) if isinstance(read, Partial) else ""


# --- digests ----------------------------------------------------------------------------------------------


def digest_message(lines: Sequence[str], left: int, number: int, reader: Reader) -> Outgoing:
    """Return a digest from the lines of an overview, and how many matches were left out.

    `number` tells the message from other digests.
    """
    shown = [*lines, reader.say(msg("bot.matches.more", n=left))] if left else lines
    mine = CallButton.make(Call("mine", NO_MATCH, -number), reader.say(msg("bot.button.mine")))
    return Outgoing("\n".join(shown), (), (mine, settings_button(reader, number=-number)))
