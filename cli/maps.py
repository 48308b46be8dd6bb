"""`dominium maps`: add, list and remove a server's maps, with the same checks as `/server add-map`.

Only one process owns the database: stop the bot first, or use `/server add-map`.
"""

from __future__ import annotations

from pathlib import Path

import click

from atlases import MAX_ZIPPED, LoadedMap, Upload
from bot.platform.real_clock import DiscordClock
from bot.platform.server_maps import (
    PendingMap,
    map_games,
    map_scene,
    map_value,
    read,
    smallest_setup,
    undrawn_names,
)
from cli.config import configuration
from cli.opening import in_store
from cli.terminal import Sorry, out
from cli.words import catalogue
from games.engine.game import AnyGame
from games.engine.maps import PLAIN_DECK, MapReader, ParsedMap
from games.engine.message import Msg, msg

_server = click.option("--server", type=click.IntRange(1), required=True, help="The server's id.")
_data = click.option(
    "--data", type=click.Path(path_type=Path), help="The database; by default, the one in the settings."
)


def taker() -> tuple[AnyGame, MapReader]:
    """Return the game that takes maps, and its reader."""
    return map_games()[0]


def _uploads(files: tuple[Path, ...]) -> list[Upload]:
    uploads = []
    for path in files:
        try:
            with path.open("rb") as file:
                data = file.read(MAX_ZIPPED + 1)
        except OSError as error:
            raise Sorry(f"{path} can't be read: {error.strerror}.") from error
        uploads.append(Upload(path.name, data))
    return uploads


def _say(message: Msg) -> str:
    return catalogue().say(message)


def _loaded(game: AnyGame, reader: MapReader, files: tuple[Path, ...], deck: str) -> LoadedMap[ParsedMap]:
    """Return the map in the files. Raises Sorry with everything that is wrong."""
    uploads = _uploads(files)
    found = read(game, reader, uploads, deck)
    if isinstance(found, tuple):
        lines = [_say(msg("maps.wrong", n=len(found))), *map(_say, found)]
        if not isinstance(read(game, reader, uploads, PLAIN_DECK), tuple):
            lines.append(f"{_say(msg('maps.plain'))} (--deck {PLAIN_DECK})")
        raise Sorry("\n".join(lines))
    return found


@click.group()
def command() -> None:
    """Add, list and remove a server's maps while the bot is stopped."""


@command.command(short_help="Check a map and add it.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@_server
@_data
@click.option("--check", is_flag=True, help="Only check the files; save nothing.")
@click.option(
    "--deck", default="", help=f"The .cards file to use, or '{PLAIN_DECK}': a card a country, two wild ones."
)
def add(files: tuple[Path, ...], server: int, data: Path | None, check: bool, deck: str) -> None:
    """Add the map in FILES (a .map, its .cards, picture and mask; or a zip) to a server."""
    game, reader = taker()
    loaded = _loaded(game, reader, files, deck)
    plan, console, value = loaded.parsed, out(), map_value(loaded.data)
    console.print(f"{plan.key}: {plan.title}")
    setup = smallest_setup(game, reader.option, value)
    undrawn = () if isinstance(setup, Msg) else undrawn_names(map_scene(game, setup), _say)
    for line in (*reader.describe(value), *undrawn, *loaded.notes):
        console.print(_say(line))
    if check:
        return
    row = PendingMap(server, game.key, 0, loaded).row(DiscordClock().now())
    if not in_store(data or configuration().store, lambda store: store.save_map(row)):
        raise Sorry("The server has reached its limit of maps. Remove one first.")
    console.print(f"added to server {server}")


@command.command(name="list", short_help="The maps of a server.")
@_server
@_data
def list_(server: int, data: Path | None) -> None:
    """List the maps of a server."""
    game, _ = taker()
    for info in in_store(data or configuration().store, lambda store: store.maps(server, game.key)):
        out().print(f"{info.key}: {info.title}, {info.at:%Y-%m-%d}")


@command.command(short_help="Remove a map.")
@click.argument("key")
@_server
@_data
def remove(key: str, server: int, data: Path | None) -> None:
    """Remove the map called KEY from a server. Matches on it go on, without its picture."""
    game, _ = taker()
    if not in_store(data or configuration().store, lambda store: store.drop_map(server, game.key, key)):
        raise Sorry(f"Server {server} has no map called {key}.")
    out().print(f"removed {key}")
