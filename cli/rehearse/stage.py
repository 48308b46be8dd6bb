"""Where a rehearsal takes place: channels of its own in one server, which it removes whatever happens.

Each channel has a mark in its topic that only this bot's token gives, so what an interrupted rehearsal left
is known at the next start, and nothing else is ever touched.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import aiohttp
from discord import Permissions

from cli.rehearse.wire import Rest, RestAnswer

NAME = "dominium-rehearsal"
COMMAND = "Rehearse"
TEXT, FORUM = 0, 15
MEMBER = 1
"""The kind of an overwrite that is for one member."""
NEEDED = ("view_channel", "send_messages", "read_message_history", "manage_channels")
WISHED = (
    "manage_roles",
    "manage_threads",
    "attach_files",
    "add_reactions",
    "create_public_threads",
    "send_messages_in_threads",
)

Json = dict[str, Any]


class NotTriedError(Exception):
    """A fact can't be tried; the text is the reason."""


class NotAllowedError(Exception):
    """The bot lacks rights without which nothing can be tried: `missing` names them."""

    def __init__(self, missing: tuple[str, ...]) -> None:
        super().__init__(", ".join(missing))
        self.missing = missing


@dataclass
class RehearsalTime:
    """The time of a rehearsal, in seconds."""

    now: Callable[[], float]
    wait: Callable[[float], Awaitable[None]]


@dataclass
class RehearsalStage:
    """A server, the bot in it, and the channel where most is tried."""

    http: aiohttp.ClientSession
    rest: Rest
    pace: RehearsalTime
    guild: int
    token: str
    with_person: bool = False
    """Whether a person does what the bot asks for."""
    patience: float = 300.0
    """Seconds to wait for them."""
    old_edits: bool = False
    """Whether to wait for a message to become old."""
    note: Callable[[str], None] = lambda words: None
    """Prints for a person at the terminal what to do, or what is waited for."""
    bot: str = ""
    name: str = ""
    left: int = 0
    """How many channels an earlier rehearsal left."""
    clean: bool = False
    """Whether everything that was made is removed."""
    rights: Permissions = field(default_factory=Permissions)
    channel: str = ""
    begun: dict[str, tuple[str, str, float]] = field(default_factory=dict)
    """Messages that are to be repeated later: nonce, id and time of posting, by the fact's key."""

    # ------------------------------------------------------------------ beginning and end

    async def look(self) -> None:
        """Find out who the bot is, what it may do, and what an earlier rehearsal left. Changes nothing.

        Raises NotAllowedError naming missing rights, NotTriedError if the server isn't one of the bot's.
        """
        me = await self.rest("GET", "/users/@me")
        member = await self.rest("GET", f"/guilds/{self.guild}/members/{me.body.get('id')}")
        if not me.ok or not member.ok:
            raise NotTriedError(f"the bot isn't in this server, or its token is wrong ({member.verdict})")
        self.bot, self.name = me.body["id"], me.body["username"]
        roles = {*member.body["roles"], str(self.guild)}
        value = 0
        for role in self.given(await self.rest("GET", f"/guilds/{self.guild}/roles")):
            value |= int(role["permissions"]) if role["id"] in roles else 0
        self.rights = Permissions.all() if Permissions(value).administrator else Permissions(value)
        if missing := self.lacks(NEEDED):
            raise NotAllowedError(missing)
        self.left = len(await self._ours())

    def lacks(self, rights: tuple[str, ...]) -> tuple[str, ...]:
        """Return which of these rights the bot doesn't have."""
        return tuple(right for right in rights if not getattr(self.rights, right))

    async def enter(self) -> None:
        """Remove what an earlier rehearsal left, and make the channel. Raises as `look`."""
        if not self.bot:
            await self.look()
        if not await self.leave():
            raise NotTriedError("what an earlier rehearsal left can't be removed")
        self.channel = (await self.new_channel())["id"]

    @property
    def mark(self) -> str:
        """The topic of all channels of a rehearsal of this bot in this server."""
        secret = hmac.new(self.token.encode(), str(self.guild).encode(), hashlib.sha256).hexdigest()[:24]
        return f"A rehearsal by `dominium rehearse`, which removes this channel. {secret}"

    async def leave(self) -> bool:
        """Remove all channels that carry the mark, and the command; return whether that worked."""
        try:
            paths = [f"/channels/{channel}" for channel in await self._ours()]
            commands = await self._commands()
            known = self.given(await self.rest("GET", commands))
            paths += [f"{commands}/{one['id']}" for one in known if one["name"] == COMMAND]
            gone = [await self.rest("DELETE", path) for path in paths]
        except (NotTriedError, aiohttp.ClientError):
            return False
        return all(answer.ok for answer in gone)

    async def _ours(self) -> list[str]:
        found = self.given(await self.rest("GET", f"/guilds/{self.guild}/channels"))
        return [one["id"] for one in found if one.get("topic") == self.mark]

    async def _commands(self) -> str:
        application = self.given(await self.rest("GET", "/applications/@me"))["id"]
        return f"/applications/{application}/guilds/{self.guild}/commands"

    async def offer(self, kind: int) -> None:
        """Offer a command of this kind in the server. Raises NotTriedError if refused."""
        self.given(await self.rest("POST", await self._commands(), {"name": COMMAND, "type": kind}))

    # ------------------------------------------------------------------ making

    @staticmethod
    def given(answer: RestAnswer) -> Any:
        """Return the body of what was only done to try something else. Raises NotTriedError if refused."""
        if not answer.ok:
            raise NotTriedError(f"what comes before it was answered with {answer.verdict}")
        return answer.body

    def require(self, *rights: str) -> None:
        """Raise NotTriedError, naming them, for rights that the bot hasn't."""
        if missing := self.lacks(rights):
            raise NotTriedError(f"the bot lacks {', '.join(missing)}")

    async def new_channel(self, kind: int = TEXT, **more: Any) -> Json:
        """Make a channel with the mark. Raises NotTriedError if refused."""
        made = {"name": NAME, "type": kind, "topic": self.mark, **more}
        body: Json = self.given(await self.rest("POST", f"/guilds/{self.guild}/channels", made))
        return body

    async def forbid(self, *rights: str) -> str:
        """Make another channel, in which the bot lacks these rights, and return its id.

        Raises NotTriedError where the bot may not set rights, or has all of them as an administrator.
        """
        self.require("manage_roles", *rights)
        if self.rights.administrator:
            raise NotTriedError("the bot is an administrator, to whom nothing can be forbidden")
        channel: str = (await self.new_channel())["id"]
        await self.post("before", channel=channel)
        await self.deny(channel, *rights)
        return channel

    async def deny(self, channel: str, *rights: str) -> None:
        """Take exactly these rights from the bot in a channel; none gives all back. Raises NotTriedError."""
        denied = Permissions(**dict.fromkeys(rights, True)).value
        path = f"/channels/{channel}/permissions/{self.bot}"
        self.given(await self.rest("PUT", path, {"type": MEMBER, "allow": "0", "deny": str(denied)}))

    async def post(
        self,
        content: str = "rehearsal",
        *,
        channel: str = "",
        files: Mapping[str, bytes] | None = None,
        **more: Any,
    ) -> Json:
        """Post a message that only serves to try something else. Raises NotTriedError if refused."""
        body: Json = self.given(await self.send({"content": content, **more}, channel=channel, files=files))
        return body

    async def send(
        self, body: Json, *, channel: str = "", files: Mapping[str, bytes] | None = None
    ) -> RestAnswer:
        """Return the answer to a message."""
        return await self.rest("POST", f"/channels/{channel or self.channel}/messages", body, files=files)

    async def thread(self, *, channel: str = "", name: str = "rehearsal") -> Json:
        """Make a thread without a message. Raises NotTriedError if refused."""
        self.require("create_public_threads", "send_messages_in_threads")
        path = f"/channels/{channel or self.channel}/threads"
        body: Json = self.given(await self.rest("POST", path, {"name": name, "type": 11}))
        return body
