"""What is shown to someone who has started a match: where it is, and their moves if they are to move."""

from __future__ import annotations

from dataclasses import replace

from bot.actions.play.move_menu import moves_panel
from bot.actions.play.private_views import private_board
from bot.context import Context
from bot.messages.match import status_line
from bot.messages.outgoing import Outgoing
from bot.messages.quoting import escaped_name
from bot.messages.seats import computers_text, game_title
from bot.outbound.board_links import board_words
from bot.platform.readers import Reader
from games.engine.game import Seat
from games.engine.message import Value, msg
from matches.store.rows import MatchRow


async def first_move(ctx: Context, row: MatchRow, user: int, reader: Reader) -> Outgoing:
    """Return where a match is, and if this person is to move, the board with the moves to choose from."""
    seat = ctx.service.queries.seat_of(row, user)
    reader = replace(reader, seat=None if seat is None else Seat(seat))
    link = await board_words(ctx, row, reader)
    values = {
        "match": row.id,
        "game": game_title(row, reader),
        "who": _others(row, user, reader),
        "link": link,
    }
    head = reader.say(msg("front.begun" if row.place.guild is not None else "front.begun_direct", **values))
    match = await ctx.service.queries.at(row.id, row.version)
    if reader.seat not in match.to_act:
        return Outgoing(f"{head}\n{status_line(row, match, reader)}")
    moves = await moves_panel(ctx, row, user, reader)
    files = () if row.place.guild is None else (await private_board(ctx, row, reader)).files
    return replace(moves, content=f"{head}\n{moves.content}", files=files)


def _others(row: MatchRow, user: int, reader: Reader) -> Value:
    """Return whom a person plays against: people by name, computers by their number and level."""
    people = [
        escaped_name(seat.name) for seat in row.seats if seat.occupant == "person" and seat.user != user
    ]
    levels = [seat.level for seat in row.seats if seat.occupant == "computer"]
    computers = [computers_text(levels[0] or "", len(levels), reader)] if levels else []
    return (*people, *computers)
