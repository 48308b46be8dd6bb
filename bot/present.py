"""Small looks around a match that more than one room of the bot needs."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import TYPE_CHECKING, Generic, TypeVar

import discord

import render
from bot.presenter import Presenter, Reader, plain
from games.engine import record, registry
from games.engine.match import Match
from games.engine.message import Who, msg
from matches.ports import MatchRow

if TYPE_CHECKING:
    from bot.app import Dominium

K = TypeVar("K", bound=Hashable)


class Recent(Generic[K]):
    """The last `size` keys that were seen."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._keys: OrderedDict[K, None] = OrderedDict()

    def add(self, key: K) -> bool:
        """Remember a key; whether it is new."""
        new = key not in self._keys
        self._keys[key] = None
        self._keys.move_to_end(key)
        if len(self._keys) > self._size:
            self._keys.popitem(last=False)
        return new

    def discard(self, key: K) -> None:
        """Forget a key."""
        self._keys.pop(key, None)

    def __contains__(self, key: K) -> bool:
        return key in self._keys


def present(app: Dominium, guild: int, user: int) -> tuple[int, int, int]:
    """That somebody is in a server, believed for six hours."""
    return guild, user, int(app.clock.now().timestamp()) // 21_600


def warm_up(presenter: Presenter, theme: str) -> None:
    """Draw and say once what the first move would else wait for: sprites, plural rules, lists.

    With the fewest seats only: what others share is drawn then, and a start is not to be felt.
    """
    for game in registry.all_games():
        for language in presenter.catalogue.languages:
            speak = presenter.speak(language)
            speak(msg("bot.board.next", n=1, who=(Who(0), Who(1))))
            scene = game.scene(game.view(game.start(game.setup(game.seats[0])).state, None), None)
            render.draw(scene, speak, theme=theme)


async def note_about_missing(app: Dominium, row: MatchRow, match: Match, reader: Reader) -> str:
    """A line when a player who is to move has left the server; Discord is asked once per person."""
    guild = row.place.guild
    if guild is None or match.ending:
        return ""
    away: list[Who] = []
    for seat in sorted(match.to_act):
        user = row.seats[seat].user if seat >= 0 else None
        if user is None or present(app, guild, user) in app.members:
            continue
        try:
            await app.http.get_member(guild, user)
        except discord.NotFound:
            away.append(Who(seat))
        except discord.HTTPException:
            continue  # not knowing is no reason to hold a board back
        else:
            app.members.add(present(app, guild, user))
    if not away:
        return ""
    names = app.presenter.names(row, reader.language)
    text = app.presenter.say(msg("bot.board.left", n=len(away), who=tuple(away)), reader.language, names)
    return f"-# {text}"


def record_file(app: Dominium, row: MatchRow, match: Match) -> tuple[tuple[str, bytes, str], ...]:
    """The text record of a match as a file, with the players' names in its headers."""
    names = {
        f"Seat {seat.seat + 1}": plain(seat.name) if seat.user else app.presenter.occupant(seat, "en")
        for seat in row.seats
    }
    headers = {"Date": row.created.date().isoformat(), **names}
    text = record.export(match.log, headers)
    title = app.presenter.say(msg("bot.record.alt", match=row.id), app.config.language)
    return ((f"{row.id}.txt", text.encode(), title),)
