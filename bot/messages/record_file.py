"""The text record of a match as a file."""

from __future__ import annotations

from dataclasses import replace

from bot.messages.outgoing import File
from bot.messages.quoting import plain_name
from bot.messages.seats import occupant_text
from bot.platform.readers import Reader
from games.engine import record
from games.engine.match import Match
from games.engine.message import msg
from matches.rows import MatchRow


def record_file(row: MatchRow, match: Match, reader: Reader) -> File:
    """Return the record, with the players' names in its headers."""
    english = replace(reader, language="en")  # records don't depend on the reader's language
    names = {
        f"Seat {seat.seat + 1}": plain_name(seat.name) if seat.user else occupant_text(seat, english)
        for seat in row.seats
    }
    text = record.export(match.log, {"Date": row.created.date().isoformat(), **names})
    return f"{row.id}.txt", text.encode(), reader.say(msg("bot.record.alt", match=row.id))
