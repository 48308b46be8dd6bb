"""The texts of pings: which match, what is to be decided, how much time is left, where the board is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import discord

from bot.messages.buttons import settings_button
from bot.messages.components import Call, CallButton
from bot.messages.match import result_text, what_happened
from bot.messages.outgoing import MAX_CONTENT, Outgoing
from bot.messages.seats import match_title, seat_names
from bot.platform.readers import Reader
from games.engine.game import Fact, Partial, Seat
from games.engine.match import Match
from games.engine.message import msg
from matches.outbox.messages import PingReason
from matches.store.ping_rows import PingRow, TurnKind
from matches.store.rows import MatchRow

_MAX_NEWS = 160
"""Maximum length of what happened in one match of a digest, in characters."""
_MAX_IN_DIGEST = 10


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


@dataclass(frozen=True, slots=True)
class DigestItem:
    """A match in a digest: what it waits for, what happened since its reader's last move, and the board."""

    row: MatchRow
    match: Match
    seat: int
    kind: TurnKind | None
    began: datetime
    facts: Sequence[Fact]
    link: str
    deadline: datetime | None = None

    @property
    def urgency(self) -> tuple[bool, float, float]:
        """Sorts by deadline, those without a clock behind, then by how long the match has waited."""
        late = self.kind != "turn", self.deadline.timestamp() if self.deadline else float("inf")
        return (*late, self.began.timestamp())


def digest_message(
    items: Sequence[DigestItem], number: int, reader_of: Reader, readers: Sequence[Reader]
) -> Outgoing:
    """Return a digest, the most urgent match first; `readers` are those of the items, with their seats.

    `number` tells the message from other digests.
    """
    pairs = sorted(zip(items, readers, strict=True), key=lambda pair: pair[0].urgency)
    head = reader_of.say(msg("bot.digest.head", n=len(items)))
    most = MAX_CONTENT - 120
    lines, left = [head], len(pairs)
    for item, reader in pairs[:_MAX_IN_DIGEST]:
        line = _digest_line(item, reader)
        if sum(map(len, lines)) + len(lines) + len(line) > most:
            break
        lines.append(line)
        left -= 1
    if left:
        lines.append(reader_of.say(msg("bot.digest.more", n=left)))
    return Outgoing("\n".join(lines), (), (settings_button(reader_of, number=-number),))


def _digest_line(item: DigestItem, reader: Reader) -> str:
    title = match_title(item.row, item.seat, reader)
    if item.match.ending is not None:
        state = result_text(item.row, item.match, reader)
    else:
        state = reader.say(msg(f"bot.digest.{item.kind or 'waits'}"))
    lines = [f"- `{item.row.id}` {title}: {state} {item.link}"]
    if item.deadline is not None:
        lines.append(f"  {deadline_text(item.deadline, reader)}")
    news = " ".join(what_happened(item.row, item.match, item.facts, reader).split())
    if news:
        lines.append(f"  {news if len(news) <= _MAX_NEWS else news[: _MAX_NEWS - 1] + '…'}")
    return "\n".join(lines)
