"""Checks of `doctor` that ask Discord, with the token: identity, intents, permissions down to channels.

Asks only when there is a token, reads only, and never shows it. (https://discord.com/developers/docs/reference)

What the bot may do in a channel is computed from its roles and the channel's overwrites, as Discord does:
https://docs.discord.com/developers/topics/permissions#permission-overwrites
"""

from __future__ import annotations

import contextlib
import json
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import discord

from bot.platform.application import install_link
from bot.platform.config import application_id
from bot.platform.permissions import INVITE, POSTING, THREADS
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


API = "https://discord.com/api/v10"
ADMINISTRATOR = discord.Permissions(administrator=True).value
MESSAGE_CONTENT = 1 << 18 | 1 << 19
"""Flags of an application: approved, or for bots in fewer than a hundred servers."""
PAGE = 200
"""Servers of a page, the most that Discord lists at a time."""
NO_CONTENT = 204
DRIFT = timedelta(seconds=10)


@cache
def needed() -> Mapping[str, int]:
    """Return the permissions that the bot needs, by Discord's names.

    https://discord.com/developers/docs/topics/permissions
    """
    return {_label(name): _bit(name) for name in (*POSTING, *THREADS)}


def shape(token: str) -> Finding:
    """Return whether the token looks like one: three parts, the first the bot's id."""
    where = "Copy it again from the developer portal (Bot, Reset Token) into DISCORD_TOKEN."
    if not token:
        text = "none: `dominium run` uses the local Discord"
        return Finding("warn", "token", text, "To go online, set DISCORD_TOKEN in .env.")
    try:
        application = application_id(token)
    except ValueError as error:
        return Finding("fail", "token", str(error), where)
    return Finding("ok", "token", f"well formed, for the application {application}")


class Portal:
    """Reads from Discord's HTTP API."""

    def __init__(self, token: str, api: str = "") -> None:
        self._token = token
        self._api = f"{api.rstrip('/')}/api/v10" if api else API
        self.date: datetime | None = None
        """Discord's time at the last answer."""

    def get(self, path: str) -> Any:
        """Return the JSON at a path. Raises OSError, a closed HTTPError among them, or ValueError."""
        return self._ask("GET", path)

    def leave(self, guild: int) -> None:
        """Leave a server. Raises as `get`."""
        self._ask("DELETE", f"/users/@me/guilds/{guild}")

    def _ask(self, method: str, path: str) -> Any:
        request = urllib.request.Request(  # noqa: S310 - https, or the loopback of the settings
            self._api + path,
            method=method,
            headers={
                "Authorization": f"Bot {self._token}",
                "User-Agent": f"DiscordBot (dominium, {version('dominium')})",
            },
        )
        try:
            answer = urllib.request.urlopen(request, timeout=10)  # noqa: S310 - as above
        except urllib.error.HTTPError as error:
            error.close()
            raise
        with answer:
            if stamp := answer.headers.get("Date"):
                self.date = parsedate_to_datetime(stamp)
            return None if answer.status == NO_CONTENT else json.load(answer)


def all_guilds(portal: Portal, *, with_counts: bool = False) -> list[dict[str, Any]]:
    """Return all servers of the bot, with the number of members if asked, page by page.

    Raises as `Portal.get`.
    """
    counts = "&with_counts=true" if with_counts else ""
    found: list[dict[str, Any]] = []
    after = "0"
    while True:
        page = portal.get(f"/users/@me/guilds?limit={PAGE}&after={after}{counts}")
        found += page
        if len(page) < PAGE:
            return found
        after = page[-1]["id"]


def look(
    portal: Portal, now: datetime, *, wants_content: bool, data: Path | str | None = None
) -> Iterator[Finding]:
    """Yield a finding for each of: identity, clock, intents, user installs, permissions, live matches.

    `data` is the bot's database, a file or a URL, if there is one to read those places from.
    """
    try:
        application = portal.get("/oauth2/applications/@me")
        me = portal.get("/users/@me")
        guilds = all_guilds(portal)
    except urllib.error.HTTPError as error:
        if error.code == 401:
            advice = "Reset it in the developer portal and put the new one into DISCORD_TOKEN."
            yield Finding("fail", "Discord", "it refuses the token", advice)
        else:
            yield Finding("warn", "Discord", f"it answers {error.code}", "Try again in a few minutes.")
        return
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        yield Finding("warn", "Discord", f"it can't be reached: {reason}", "Check the network and the proxy.")
        return
    yield Finding("ok", "Discord", f"{me['username']}, in {len(guilds)} servers")
    if portal.date is not None and abs(now - portal.date) > DRIFT:
        off = abs(now - portal.date).total_seconds()
        yield Finding("warn", "clock", f"this machine is {off:,.0f} s off", "Switch on time synchronisation.")
    yield intents(int(application.get("flags") or 0), wants_content=wants_content)
    yield user_install(application)
    yield from permissions(guilds, str(application["id"]))
    if data is not None:
        names = {int(guild["id"]): str(guild["name"]) for guild in guilds}
        yield from matches(portal, data, names, str(me["id"]))


def intents(flags: int, *, wants_content: bool) -> Finding:
    """Return a finding: whether the message-content intent is as the settings require."""
    granted = bool(flags & MESSAGE_CONTENT)
    if wants_content and not granted:
        advice = (
            "Switch it on in the portal (Bot, Message Content Intent), or set DOMINIUM_MESSAGE_CONTENT=no."
        )
        return Finding(
            "fail", "intents", "message content is required, but not granted: the bot can't connect", advice
        )
    if granted and not wants_content:
        advice = "To read plain moves in threads, set DOMINIUM_MESSAGE_CONTENT=yes."
        return Finding("ok", "intents", "message content is granted, but not used", advice)
    used = "message content is used" if wants_content else "no privileged ones"
    return Finding("ok", "intents", used)


def user_install(application: Mapping[str, Any]) -> Finding:
    """Return whether people can add the bot to their own account, with the link if they can."""
    if "1" in (application.get("integration_types_config") or {}):
        link = install_link(application["id"])
        return Finding("ok", "user install", f"people can add the bot to their own account: {link}")
    advice = "To let them, switch on User Install in the portal (Installation), then restart the bot."
    return Finding("ok", "user install", "people can't add the bot to their own account", advice)


def permissions(guilds: list[dict[str, Any]], application: str) -> Iterator[Finding]:
    """Yield what is missing on each server; channels may deny more, which can't be seen here."""
    if not guilds:
        link = f"https://discord.com/oauth2/authorize?client_id={application}&scope=bot+applications.commands"
        yield Finding(
            "warn", "servers", "the bot is in none", f"Invite it: {link}&permissions={INVITE.value}"
        )
        return
    short = 0
    for guild in guilds:
        has = int(guild["permissions"])
        missing = [] if has & ADMINISTRATOR else [name for name, bit in needed().items() if not has & bit]
        if missing:
            short += 1
            if short <= SHOWN:
                advice = "Grant it to the bot's role (Server Settings, Roles)."
                yield Finding("warn", "permissions", f"{guild['name']} lacks {', '.join(missing)}", advice)
    if short > SHOWN:
        yield Finding(
            "warn", "permissions", f"{short - SHOWN} more servers lack permissions", "Check those too."
        )
    if not short:
        yield Finding("ok", "permissions", "complete on every server; single channels may still deny some")
