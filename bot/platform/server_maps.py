"""Maps that servers have uploaded: read them, hold them for a preview, store them, find them again.

Games decide whether they accept maps and what their files mean; here a map is bytes, JSON and keys.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from cachetools import LRUCache

from atlases import LoadedMap, Upload, load
from games.engine import registry
from games.engine.game import AnyGame, Json, Setup, spell
from games.engine.maps import MapReader, ParsedMap
from games.engine.message import Msg, msg
from games.engine.scene import Ground, Scene
from matches.long_work import in_thread
from matches.ports import Store
from matches.store.rows import MapInfo, MapRow
from render import replaced_names

MAX_PENDING = 4
"""Maximum number of maps held in memory until their senders decide; one may have several megabytes."""
_MAX_CACHED_IMAGES = 4
"""Maximum number of maps whose picture and mask are cached."""


_MAX_NAMED = 8
"""Maximum number of names that a note lists."""


@dataclass(frozen=True, slots=True)
class PendingMap:
    """A map that was read for a server and a game, and not stored yet; `by` is the user who sent it."""

    guild: int
    game: str
    by: int
    loaded: LoadedMap[ParsedMap] = field(repr=False)

    def row(self, at: datetime) -> MapRow:
        """Return the map as it is stored."""
        one = self.loaded
        info = MapInfo(self.guild, self.game, one.parsed.key, one.parsed.title, self.by, at)
        return MapRow(info, one.data, one.picture, one.mask, one.ground)


def map_games() -> tuple[tuple[AnyGame, MapReader], ...]:
    """Return the games that accept uploaded maps, each with its map reader."""
    found = ((game, game.maps()) for game in registry.all_games())
    return tuple((game, reader) for game, reader in found if reader is not None)


def read(
    game: AnyGame, reader: MapReader, uploads: Sequence[Upload], deck: str = ""
) -> LoadedMap[ParsedMap] | tuple[Msg, ...]:
    """Return the map in an upload, or what is wrong with it. Blocks, up to a few seconds.

    `deck` as in `MapReader.read`.
    """
    loaded = load(uploads, partial(reader.read, deck=deck))
    if isinstance(loaded, tuple):
        return loaded
    if loaded.parsed.key in shipped(game, reader):
        return (msg("maps.taken", key=loaded.parsed.key),)
    value = map_value(loaded.data)
    if not game.admits(reader.option, value):
        return (msg("maps.unfit"),)
    setup = smallest_setup(game, reader.option, value)
    return (setup,) if isinstance(setup, Msg) else loaded


def shipped(game: AnyGame, reader: MapReader) -> Mapping[str, Json]:
    """Return the maps that come with the game, as option values by their keys."""
    option = next(option for option in game.options if option.key == reader.option)
    return {spell(choice): choice for choice in option.choices}


def map_value(data: str) -> Json:
    """Return the option value for the JSON of a stored map."""
    value: Json = json.loads(data)
    return value


def smallest_setup(game: AnyGame, option: str, value: Json) -> Setup | Msg:
    """Return the setup with the fewest seats that a map allows, or why there is none."""
    why: Msg | None = None
    for seats in game.seats:
        setup = game.setup(seats, {option: value})
        if (why := game.refuse_setup(setup)) is None:
            return setup
    return why or msg("maps.unfit")


def map_scene(game: AnyGame, setup: Setup, picture: bytes | None = None, mask: bytes | None = None) -> Scene:
    """Return the scene of a map before a match, with its picture and mask if they are given."""
    scene = game.scene(game.view(game.start(setup).state, None), None)
    return scene if picture is None and mask is None else with_images(scene, picture, mask)


def undrawn_names(scene: Scene, say: Callable[[Msg], str]) -> tuple[Msg, ...]:
    """Return a note about the names on a map whose letters pictures can't show, if there are any."""
    if not (names := replaced_names(scene.board, say)):
        return ()
    which = [f"{name} ({code})" for name, code in sorted(names.items())]
    shown = (*which[:_MAX_NAMED], *(["…"] if len(which) > _MAX_NAMED else []))
    return (msg("maps.undrawn", n=len(which), which=shown),)


def missing_ground(scene: Scene) -> Ground | None:
    """Return the reference to the picture and mask of a scene's map if they have yet to be fetched."""
    ground = scene.board.ground
    return None if ground is None or ground.loaded else ground


def with_images(scene: Scene, picture: bytes | None, mask: bytes | None) -> Scene:
    """Return the scene with the picture and mask of its map."""
    if scene.board.ground is None:
        return scene
    ground = replace(scene.board.ground, loaded=True, picture=picture or b"", mask=mask or b"")
    return replace(scene, board=scene.board.with_ground(ground))


class ServerMaps:
    """The uploaded maps of all servers: those in the store, and those that wait to be stored."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._images: LRUCache[str, tuple[bytes | None, bytes | None]] = LRUCache(_MAX_CACHED_IMAGES)
        self._pending: LRUCache[str, PendingMap] = LRUCache(MAX_PENDING)
        self._reading = asyncio.Lock()
        self._count = 0

    async def listed(self, guild: int | None, game: str) -> tuple[MapInfo, ...]:
        """Return the maps of a server for a game, in order of their keys."""
        return () if guild is None else await self._store.maps(guild, game)

    async def row(self, guild: int | None, game: str, key: str) -> MapRow | None:
        """Return a map of a server; None if it has no such map."""
        return None if guild is None else await self._store.stored_map(guild, game, key)

    async def named(self, guild: int | None, game: str, words: Sequence[str]) -> Mapping[str, Json]:
        """Return the maps that words such as `map=pond` name, as option values by key."""
        found: dict[str, Json] = {}
        if (reader := registry.get(game).maps()) is None:
            return found
        for word in words:
            option, _, key = word.partition("=")
            if option == reader.option and (row := await self.row(guild, game, key)) is not None:
                found[key] = map_value(row.data)
        return found

    # --- uploads ------------------------------------------------------------------------------------

    async def read(
        self, game: AnyGame, reader: MapReader, uploads: Sequence[Upload], deck: str = ""
    ) -> LoadedMap[ParsedMap] | tuple[Msg, ...]:
        """Call the function `read` in a thread, for one map at a time."""
        async with self._reading:
            return await in_thread(read, game, reader, uploads, deck)

    def hold(self, found: PendingMap) -> str:
        """Hold a map until its sender decides, one for each person, and return a token for the button."""
        for token, other in list(self._pending.items()):
            if (other.guild, other.by) == (found.guild, found.by):
                del self._pending[token]
        self._count += 1
        token = f"{found.loaded.parsed.key}.{self._count}"
        self._pending[token] = found
        return token

    def pending(self, token: str, guild: int | None, user: int) -> PendingMap | None:
        """Return the pending map of a token if this user sent it to this server."""
        found = self._pending.get(token)
        return found if found is not None and (found.guild, found.by) == (guild, user) else None

    async def keep(self, token: str, at: datetime) -> bool:
        """Store a pending map; False if the server has too many. Raises KeyError for an unknown token."""
        row = self._pending[token].row(at)
        if not await self._store.save_map(row):
            return False
        del self._pending[token]
        self._images.clear()
        return True

    async def drop(self, guild: int, game: str, key: str) -> bool:
        """Remove a map, and return whether there was one. Its matches continue without the picture."""
        self._images.clear()
        return await self._store.drop_map(guild, game, key)

    def forget(self) -> None:
        """Read the maps from the store again: another process has changed some."""
        self._images.clear()

    # --- pictures and masks -------------------------------------------------------------------------

    async def with_map_images(self, scene: Scene) -> Scene:
        """Return the scene with the picture and mask of its map, if they are stored."""
        ground = missing_ground(scene)
        if ground is None:
            return scene
        drawn = self._images.get(ground.key)
        if drawn is None and (drawn := await self._store.map_images(ground.key)) is not None:
            self._images[ground.key] = drawn
        return scene if drawn is None else with_images(scene, *drawn)
