"""Check of `doctor`: whether the bot has its permissions in the channels where matches go on.

What it may do in a channel is computed from its roles and the channel's overwrites, as Discord does:
https://docs.discord.com/developers/topics/permissions#permission-overwrites
"""

from __future__ import annotations

import contextlib
import urllib.error
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import discord

from bot.platform.permissions import POSTING
from cli.findings import Finding
from cli.words import catalogue
from games.engine.message import msg
from matches.ports import StoreError
from storage.postgres import require_driver
from storage.reader import looked, reader

MOST_SERVERS = 100
"""Servers that are asked about; those with the most matches come first."""
SHOWN = 10
"""Servers named one by one."""
_IN_THREADS = tuple("send_messages_in_threads" if name == "send_messages" else name for name in POSTING)
_ADMINISTRATOR = discord.Permissions(administrator=True).value
_ALL = discord.Permissions.all().value


class LivePlace(NamedTuple):
    """Where a match is played: the channel, and whether in a thread of it."""

    guild: int
    channel: int
    in_thread: bool


class ApiReader(Protocol):
    """Reads from Discord's HTTP API."""

    def get(self, path: str) -> Any:
        """Return the JSON at a path. Raises OSError, a closed HTTPError among them, or ValueError."""


def live_places(data: Path | str) -> Counter[LivePlace]:
    """Return where live matches are played in servers, with their number; empty without a usable database."""
    if isinstance(data, str):
        with contextlib.suppress(StoreError):
            require_driver()
            from storage.postgres.inspection import live_homes

            return Counter(LivePlace(*home) for home in live_homes(data))
        return Counter()
    query = (
        "SELECT guild, channel, thread IS NOT NULL FROM matches WHERE status = 'live' AND guild IS NOT NULL"
    )
    with contextlib.suppress(StoreError, OSError), looked(data) as found, reader(data, found.access) as db:
        return Counter(
            LivePlace(guild, channel, bool(thread)) for guild, channel, thread in db.execute(query)
        )
    return Counter()


def permissions_in(
    guild: int, roles: Sequence[Mapping[str, Any]], member: Mapping[str, Any], channel: Mapping[str, Any]
) -> int:
    """Return the permissions of a member in a channel, as bits."""
    own = {str(guild), *member["roles"]}
    has = 0
    for role in roles:
        if role["id"] in own:
            has |= int(role["permissions"])
    if has & _ADMINISTRATOR:
        return _ALL
    overwrites = {each["id"]: each for each in channel.get("permission_overwrites", ())}
    for ids in ({str(guild)}, own - {str(guild)}, {member["user"]["id"]}):
        found = [overwrites[each] for each in ids if each in overwrites]
        for each in found:
            has &= ~int(each["deny"])
        for each in found:
            has |= int(each["allow"])
    return has


def matches(portal: ApiReader, data: Path | str, names: Mapping[int, str], me: str) -> Iterator[Finding]:
    """Yield the servers that lack permissions where matches go on; `names` has those the bot is in."""
    live = live_places(data)
    if not live:
        return
    servers: Counter[int] = Counter()
    for place, count in live.items():
        servers[place.guild] += count
    faults = 0
    for guild, count in servers.most_common(MOST_SERVERS):
        here = {place: live[place] for place in live if place.guild == guild}
        text = (
            _fault(portal, guild, here, me)
            if guild in names
            else f"the bot isn't in it, and {_matches(count)} can't go on"
        )
        if text:
            faults += 1
            if faults <= SHOWN:
                advice = "Grant it in the channel's settings (Permissions), or invite the bot again."
                yield Finding("warn", "matches", f"{names.get(guild, guild)}: {text}", advice)
    if faults > SHOWN:
        yield Finding("warn", "matches", f"{faults - SHOWN} more servers lack something", "Check those too.")
    if len(servers) > MOST_SERVERS:
        others = len(servers) - MOST_SERVERS
        yield Finding("ok", "matches", f"{others} servers with fewer matches weren't examined")
    if not faults:
        total = sum(servers.values())
        yield Finding(
            "ok", "matches", f"{_matches(total)} in progress, with all permissions in their channels"
        )


def _fault(portal: ApiReader, guild: int, here: Mapping[LivePlace, int], me: str) -> str:
    """Return what a server lacks for its matches; empty if nothing."""
    try:
        roles = portal.get(f"/guilds/{guild}/roles")
        member = portal.get(f"/guilds/{guild}/members/{me}")
        listed = {channel["id"]: channel for channel in portal.get(f"/guilds/{guild}/channels")}
    except (OSError, ValueError) as error:
        return f"can't be examined: {error}"
    lacking: dict[str, None] = {}
    where: dict[str, None] = {}
    count = 0
    for place, matches_here in here.items():
        channel = _channel(portal, place, listed)
        needed = _IN_THREADS if place.in_thread or channel.get("thread") else POSTING
        has = permissions_in(guild, roles, member, channel["parent"]) if channel else 0
        missing = (
            ["the channel itself"]
            if not channel
            else [_label(name) for name in needed if not has & _bit(name)]
        )
        if missing:
            count += matches_here
            lacking.update(dict.fromkeys(missing))
            where[f"#{channel['parent']['name']}" if channel else str(place.channel)] = None
    if not lacking:
        return ""
    return f"lacks {', '.join(lacking)} for {_matches(count)} in {', '.join(list(where)[:5])}"


def _channel(portal: ApiReader, place: LivePlace, listed: Mapping[str, Any]) -> dict[str, Any]:
    """Return the channel whose overwrites count, and whether it has the place as a thread; empty if gone."""
    if (known := listed.get(str(place.channel))) is not None:
        return {"parent": known, "thread": False}
    try:  # a match that was begun in a thread
        thread = portal.get(f"/channels/{place.channel}")
    except urllib.error.HTTPError:
        return {}
    parent = listed.get(str(thread.get("parent_id")))
    return {} if parent is None else {"parent": parent, "thread": True}


def _matches(count: int) -> str:
    return "1 match" if count == 1 else f"{count:,} matches"


def _bit(name: str) -> int:
    return discord.Permissions(**{name: True}).value


def _label(name: str) -> str:
    return catalogue().say(msg(f"bot.permission.{name}"))
