"""The names of a match, its seats and its options in texts, and what people wrote, made safe to quote."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import discord

from bot.platform.discord_limits import MAX_CHOICE, MAX_THREAD_NAME
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import Seat
from games.engine.message import msg
from games.engine.normalization import is_invisible
from matches.store.rows import MatchRow, SeatRow
from matches.store.standing import Rating

_MAX_NAME = 32
_BLANK = "\u2800"
"""A pattern of Braille without dots, of which some make a name."""
_DOT = re.compile(r"(?<=\w)\.(?=\w)")
"""A dot within a word. Without it Discord makes no invitation of `discord.gg/...`."""
_BIDI = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Unicode's Bidi_Control characters: one of them can turn round the text that follows a name."""
_CONTROLS = dict.fromkeys((*range(0x20), *range(0x7F, 0xA0), *_BIDI))


def on_one_line(text: str) -> str:
    """Return a text on one line, without control characters. Joiners stay: words and emoji need them."""
    return " ".join(" ".join(text.split()).translate(_CONTROLS).split())


def plain_name(name: str) -> str:
    """Return a name on one line, shortened, for places without markdown such as menus and files."""
    shown = on_one_line(name)[:_MAX_NAME]
    return shown if any(map(_is_seen, shown)) else "?"


def _is_seen(char: str) -> bool:
    return not (char.isspace() or char == _BLANK or is_invisible(char))


def escaped_name(name: str) -> str:
    """Return a name as `plain_name`, escaped for messages: no markdown, mention, link or invitation works."""
    return escaped_text(plain_name(name))


def escaped_text(text: str) -> str:
    """Return a text of people on one line, escaped for messages as `escaped_name`."""
    flat = discord.utils.escape_mentions(on_one_line(text))
    escaped = discord.utils.escape_markdown(flat, ignore_links=False)
    escaped = escaped.replace("<", "\\<").replace("://", ":\\//")
    return _DOT.sub("\\.", escaped)


def as_code(text: str, most: int = 40) -> str:
    """Return a typed text to put between backticks: on one line, without backticks, at most `most` long."""
    return on_one_line(text.replace("`", "'"))[:most]


_MAX_PLAYER_NAME = 24


def game_title(row: MatchRow, reader: Reader) -> str:
    """Return the game's name."""
    return reader.say(msg(f"{row.game}.title"))


def seat_names(row: MatchRow, reader: Reader) -> Callable[[int], str]:
    """Return a function that names a seat: symbol, colour and occupant."""
    colour = colour_names(row, reader)
    if row.provenance.source == "study":  # one person plays all sides
        return colour
    return lambda seat: f"{colour(seat)} ({occupant_text(row.seats[seat], reader)})"


def colour_names(row: MatchRow, reader: Reader) -> Callable[[int], str]:
    """Return a function that names a seat where there is little room: symbol and colour."""
    game = registry.get(row.game)
    setup = game.setup(len(row.seats), row.options)

    def name(seat: int) -> str:
        look = game.look(setup, Seat(seat))
        return f"{look.symbol} {reader.say(look.name)}"

    return name


def occupant_text(seat: SeatRow, reader: Reader) -> str:
    """Return the name of a seat's occupant: a player, a computer's level, invited or open."""
    if seat.occupant == "computer":
        return reader.say(msg("bot.seat.computer", level=seat.level))
    if seat.occupant == "open":
        return reader.say(msg("bot.seat.open"))
    if seat.occupant == "invited":
        return reader.say(msg("bot.seat.invited", name=escaped_name(seat.name)))
    return escaped_name(seat.name)


def match_title(row: MatchRow, seat: int | None, reader: Reader) -> str:
    """Return a match as someone in a seat would name it: `Focus against Ben and a careful computer`."""
    if row.provenance.source == "study":
        return reader.say(msg("bot.fork.study_title", game=game_title(row, reader)))
    others = [each for each in row.seats if each.seat != seat]
    people = [occupant_text(each, reader) for each in others if each.occupant != "computer"]
    levels = Counter(each.level for each in others if each.occupant == "computer")
    who = (*people, *(computers_text(level, number, reader) for level, number in levels.items()))
    return reader.say(msg("bot.matches.against", game=game_title(row, reader), who=who))


def computers_text(level: str, number: int, reader: Reader) -> str:
    """Return computers of one level, as they are named in a list of players."""
    return reader.say(msg(f"ai.player.{level}", n=number))


def level_choices(
    levels: Iterable[str],
    reader: Reader,
    chosen: str = "",
    strengths: Mapping[str, Rating] | None = None,
    chances: Mapping[str, float] | None = None,
) -> list[discord.SelectOption]:
    """Return the choices of a menu of levels, with their strengths and the reader's chances, if given."""
    return [
        discord.SelectOption(
            label=reader.say(msg(f"ai.level.{level}"))[:MAX_CHOICE],
            value=level,
            description=_strength_text(level, reader, strengths or {}, chances or {}),
            default=level == chosen,
        )
        for level in levels
    ]


def _strength_text(
    level: str, reader: Reader, strengths: Mapping[str, Rating], chances: Mapping[str, float]
) -> str | None:
    if level not in strengths:
        return None
    points = round(strengths[level].points)
    if level not in chances:
        return reader.say(msg("bot.lobby.strength", points=points))
    return reader.say(
        msg("bot.lobby.chance", points=points, percent=min(99, max(1, round(100 * chances[level]))))
    )


def options_text(row: MatchRow, reader: Reader, *, chosen_only: bool = False) -> str:
    """Return the options in words; with `chosen_only` only those that differ from the usual ones."""
    parts, game = [], registry.get(row.game)
    for option in game.options:
        usual = option.usual(len(row.seats))
        value = row.options.get(option.key, usual)
        if chosen_only and value == usual:
            continue
        name = reader.say(msg(f"{row.game}.option.{option.key}"))
        choice = reader.say(game.choice(option.key, value))
        parts.append(name if value is True else f"{name}: {choice}")
    return " · ".join(parts)


def thread_name(row: MatchRow, reader: Reader) -> str:
    """Return the name of a match's thread: game, players, id; at most 100 characters."""
    players = " – ".join(
        occupant_text(seat, reader)
        if seat.occupant == "computer"
        else plain_name(seat.name)[:_MAX_PLAYER_NAME]
        for seat in row.seats
        if seat.occupant != "open"
    )
    return f"{game_title(row, reader)}: {players}"[: MAX_THREAD_NAME - len(row.id) - 3] + f" · {row.id}"
