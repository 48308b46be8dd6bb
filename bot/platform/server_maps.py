"""Maps that servers uploaded: read with care, kept only on demand, found again by option and by picture.

Which games take maps, and what their files mean, is said by the games; here it is bytes, JSON and keys.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from cachetools import LRUCache

from atlases import Loaded, Upload, load
from games.engine import registry
from games.engine.game import AnyGame, Json, Setup, spell
from games.engine.maps import MapReader, ParsedMap
from games.engine.message import Msg, msg
from games.engine.scene import Ground, Map, Scene
from matches.ports import MapInfo, MapRow, Store

WAITING = 4
"""Maps that were read and may still be kept, at most; a map may have some megabytes."""
_GROUNDS = 4
"""Maps of which picture and mask are held in memory."""


@dataclass(frozen=True, slots=True)
class Found:
    """A map that was read, for a server and a game, and who brought it."""

    guild: int
    game: str
    by: int
    loaded: Loaded[ParsedMap] = field(repr=False)

    def row(self, at: datetime) -> MapRow:
        """What is kept of it."""
        one = self.loaded
        info = MapInfo(self.guild, self.game, one.plan.key, one.plan.title, self.by, at)
        return MapRow(info, one.data, one.picture, one.mask, one.ground)


def takers() -> tuple[tuple[AnyGame, MapReader], ...]:
    """The games that take maps of others, each with its reader."""
    found = ((game, game.maps()) for game in registry.all_games())
    return tuple((game, reader) for game, reader in found if reader is not None)


def read(game: AnyGame, reader: MapReader, uploads: Sequence[Upload]) -> Loaded[ParsedMap] | tuple[Msg, ...]:
    """The map in what was sent, or what is wrong with it. Blocks, up to a few seconds at the limits."""
    loaded = load(uploads, reader.read)
    if isinstance(loaded, tuple):
        return loaded
    if loaded.plan.key in shipped(game, reader):
        return (msg("maps.taken", key=loaded.plan.key),)
    value = value_of(loaded.data)
    if not game.admits(reader.option, value):
        return (msg("maps.unfit"),)
    setup = smallest(game, reader.option, value)
    return (setup,) if isinstance(setup, Msg) else loaded


def shipped(game: AnyGame, reader: MapReader) -> Mapping[str, Json]:
    """Return the maps that every server has, by their keys."""
    option = next(option for option in game.options if option.key == reader.option)
    return {spell(choice): choice for choice in option.choices}


def value_of(data: str) -> Json:
    """A kept map as the value of its option."""
    value: Json = json.loads(data)
    return value


def smallest(game: AnyGame, option: str, value: Json) -> Setup | Msg:
    """The smallest match that can be played on a map, else why none can."""
    why: Msg | None = None
    for seats in game.seats:
        setup = game.setup(seats, {option: value})
        if (why := game.refuse_setup(setup)) is None:
            return setup
    return why or msg("maps.unfit")


def shown(game: AnyGame, setup: Setup, picture: bytes | None = None, mask: bytes | None = None) -> Scene:
    """The map before a match on it, with its picture and mask where they are at hand."""
    scene = game.scene(game.view(game.start(setup).state, None), None)
    return scene if picture is None and mask is None else laid(scene, picture, mask)


def bare(scene: Scene) -> Ground | None:
    """What the scene's author drew, if its bytes are still to be found."""
    ground = scene.board.ground if isinstance(scene.board, Map) else None
    return None if ground is None or ground.loaded else ground


def laid(scene: Scene, picture: bytes | None, mask: bytes | None) -> Scene:
    """The scene with the bytes of what lies under its map."""
    if not isinstance(scene.board, Map) or scene.board.ground is None:
        return scene
    ground = replace(scene.board.ground, loaded=True, picture=picture or b"", mask=mask or b"")
    return replace(scene, board=replace(scene.board, ground=ground))


class ServerMaps:
    """The maps of all servers, in front of the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._grounds: LRUCache[str, tuple[bytes | None, bytes | None]] = LRUCache(_GROUNDS)
        self._waiting: LRUCache[str, Found] = LRUCache(WAITING)
        self._reading = asyncio.Lock()
        self._count = 0

    async def listed(self, guild: int | None, game: str) -> tuple[MapInfo, ...]:
        """The maps of a server for a game, by their keys."""
        return () if guild is None else await self._store.maps(guild, game)

    async def row(self, guild: int | None, game: str, key: str) -> MapRow | None:
        """A map of a server."""
        return None if guild is None else await self._store.stored_map(guild, game, key)

    async def named(self, guild: int | None, game: str, words: Sequence[str]) -> Mapping[str, Json]:
        """The maps that words such as `map=pond` name, as the option's value by its key."""
        found: dict[str, Json] = {}
        if (reader := registry.get(game).maps()) is None:
            return found
        for word in words:
            option, _, key = word.partition("=")
            if option == reader.option and (row := await self.row(guild, game, key)) is not None:
                found[key] = value_of(row.data)
        return found

    # --- maps on their way in -----------------------------------------------------------------------

    async def read(
        self, game: AnyGame, reader: MapReader, uploads: Sequence[Upload]
    ) -> Loaded[ParsedMap] | tuple[Msg, ...]:
        """As the function of that name, in a thread, one map at a time."""
        async with self._reading:
            return await asyncio.to_thread(read, game, reader, uploads)

    def wait(self, found: Found) -> str:
        """Hold a map until somebody wants it kept; what a button calls it by. One for each person."""
        for token, other in list(self._waiting.items()):
            if (other.guild, other.by) == (found.guild, found.by):
                del self._waiting[token]
        self._count += 1
        token = f"{found.loaded.plan.key}.{self._count}"
        self._waiting[token] = found
        return token

    def waiting(self, token: str, guild: int | None, user: int) -> Found | None:
        """What waits under that name, for whoever brought it."""
        found = self._waiting.get(token)
        return found if found is not None and (found.guild, found.by) == (guild, user) else None

    async def keep(self, token: str, at: datetime) -> bool:
        """Keep what waits; False if there is no room. KeyError if nothing waits."""
        row = self._waiting[token].row(at)
        if not await self._store.save_map(row):
            return False
        del self._waiting[token]
        self._grounds.clear()
        return True

    async def drop(self, guild: int, game: str, key: str) -> bool:
        """Remove a map; whether there was one. Matches on it go on, without its picture."""
        self._grounds.clear()
        return await self._store.drop_map(guild, game, key)

    # --- their pictures -----------------------------------------------------------------------------

    async def whole(self, scene: Scene) -> Scene:
        """The scene with what its map's author drew, if that is kept anywhere."""
        ground = bare(scene)
        if ground is None:
            return scene
        drawn = self._grounds.get(ground.key)
        if drawn is None and (drawn := await self._store.drawn(ground.key)) is not None:
            self._grounds[ground.key] = drawn
        return scene if drawn is None else laid(scene, *drawn)
