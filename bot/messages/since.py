"""Write what has happened since the reader looked: a line for each turn, and a count of those before."""

from __future__ import annotations

from bot.messages.fact_text import Told
from bot.messages.match import MAX_BRIEF, MAX_SUMMARY, status_line, turn_line
from bot.messages.outgoing import Outgoing
from bot.messages.pictures import with_text_board
from bot.messages.replays import Replay
from bot.messages.scenes import frame
from bot.messages.seats import seat_names
from bot.platform.readers import Reader
from games.engine.message import msg
from matches.lookback.since import Absence
from matches.store.rows import MatchRow


def absence_lines(row: MatchRow, absence: Absence, reader: Reader) -> str:
    """Return a heading and a line for each turn; one sentence if nothing has happened."""
    if not absence.turns:
        key = "bot.since.nothing" if absence.own else "bot.since.nothing_yet"
        return reader.say(msg(key, match=row.id))
    names = seat_names(row, reader)
    key = "round" if reader.seat is None else "you" if absence.own else "start"
    lines = [reader.say(msg(f"bot.since.{key}", match=row.id))]
    if absence.earlier:
        lines.append(reader.say(msg("bot.since.earlier", n=absence.earlier)))
    limit = MAX_SUMMARY // len(absence.turns)
    most = min(MAX_BRIEF, limit)
    told = [Told(turn.by, list(turn.facts)) for turn in absence.turns]
    lines += [turn_line(absence.match, each, reader, names, most, limit) for each in told]
    return "\n".join(lines)


def absence_message(row: MatchRow, absence: Absence, reader: Reader, film: Replay | None) -> Outgoing:
    """Return what has happened with its animation; without one, with the board as text."""
    lines = absence_lines(row, absence, reader)
    text = f"{lines}\n{status_line(row, absence.match, reader)}"
    if film is not None:
        return Outgoing(text, ((f"{row.id}.gif", film.data, film.alt),))
    last = absence.moments[-1]
    return Outgoing(*with_text_board(frame(last.match, last.facts, reader.seat), reader, text))
