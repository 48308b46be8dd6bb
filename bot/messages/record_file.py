"""The text record of a match as a file."""

from __future__ import annotations

from dataclasses import replace

from bot.messages.outgoing import File
from bot.messages.quoting import plain
from bot.messages.seats import occupant
from bot.platform.readers import Reader
from games.engine import record
from games.engine.match import Match
from games.engine.message import msg
from matches.ports import MatchRow


def record_file(row: MatchRow, match: Match, reader: Reader) -> File:
    """Return the record, with the players' names in its headers."""
    english = replace(reader, language="en")  # a record reads the same everywhere
    names = {
        f"Seat {seat.seat + 1}": plain(seat.name) if seat.user else occupant(seat, english)
        for seat in row.seats
    }
    text = record.export(match.log, {"Date": row.created.date().isoformat(), **names})
    return f"{row.id}.txt", text.encode(), reader.say(msg("bot.record.alt", match=row.id))
