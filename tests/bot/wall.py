"""What a poster sees of Discord and of the bot: a channel with its messages, and what is refused next."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord

from bot.messages.components import PREFIX, Call
from bot.messages.outgoing import Outgoing
from matches.outbox.base import Message
from matches.outbox.messages import BoardMessage
from matches.outbox.queue import Draft, OutboxRow
from tests.fakes.hand_set import START

ME, SOMEONE = 1, 2
MATCH = "F-7K2"
INHERITED = 10
TEXT = Outgoing("It's your move.")


def refusal(status: int, code: int = 0) -> discord.HTTPException:
    """An answer of Discord, as the library raises it."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    if status >= 500:
        kind = discord.DiscordServerError
    answer: Any = SimpleNamespace(status=status, reason="")
    return kind(answer, {"code": code, "message": ""})


@dataclass
class Wall:
    """A channel as Discord keeps it: what stands in it, and what is refused next."""

    id: int = 7
    messages: list[Any] = field(default_factory=list)
    refusals: dict[str, list[BaseException]] = field(default_factory=dict)
    done: list[tuple[str, int]] = field(default_factory=list)
    """What was sent, edited and deleted, in order."""
    searches: int = 0
    nonces: list[object] = field(default_factory=list)

    def put(self, id: int, author: int, calls: Iterable[Call] = (), content: str = "") -> Any:  # noqa: A002 - as Discord names it
        """A message that stands here."""
        items = [SimpleNamespace(custom_id=f"{PREFIX}b:{call.custom_id}") for call in calls]
        made = SimpleNamespace(
            id=id, author=SimpleNamespace(id=author), components=items, content=content, channel=self
        )
        self.messages = sorted((*self.messages, made), key=lambda each: each.id)
        return made

    def _take(self, verb: str, message: int) -> None:
        if waiting := self.refusals.get(verb):
            raise waiting.pop(0)
        self.done.append((verb, message))

    async def send(self, *, nonce: object = None, content: str, **_: object) -> Any:
        """Post a message."""
        made = max((each.id for each in self.messages), default=0) + 1
        self._take("send", made)
        self.nonces.append(nonce)
        return self.put(made, ME, content=content)

    def get_partial_message(self, message: int) -> Any:
        """A message that can be edited and deleted unseen."""

        async def edit(**_: object) -> None:
            self._take("edit", message)

        async def delete() -> None:
            self._take("delete", message)

        return SimpleNamespace(edit=edit, delete=delete)

    async def history(
        self, *, limit: int, before: Any = None, after: Any = None, oldest_first: bool | None = None
    ) -> AsyncIterator[Any]:
        """Its messages, in the library's order."""
        self.searches += 1
        found = [
            each
            for each in self.messages
            if (before is None or each.id < before.id) and (after is None or each.id > after.id)
        ]
        first = after is not None if oldest_first is None else oldest_first
        for each in (found if first else found[::-1])[:limit]:
            yield each


class World:
    """What a poster sees of the bot: servers, the store, people's wishes, the library."""

    def __init__(self) -> None:
        self.posts: list[Any] = []
        self.waiting: tuple[OutboxRow, ...] = ()
        self.callable: frozenset[int] = frozenset()
        self.left: frozenset[int] = frozenset()
        self.woken: list[tuple[int, bool]] = []
        self.wake_fails: discord.HTTPException | None = None
        self.took: list[tuple[str, float]] = []
        self.counted: list[str] = []
        self.noted: list[tuple[int, int]] = []
        self.shards = SimpleNamespace(in_time=True)
        self.user: Any = SimpleNamespace(id=ME)
        self.ctx: Any = SimpleNamespace(
            discord=SimpleNamespace(
                client=SimpleNamespace(
                    user=self.user,
                    create_dm=self.create_dm,
                    get_partial_messageable=lambda place, guild_id=None: (place, guild_id),
                    http=SimpleNamespace(edit_channel=self.edit_channel),
                ),
                guilds=SimpleNamespace(shards=self.shards, has_left=lambda guild: guild in self.left),
            ),
            store=SimpleNamespace(
                posts=self.find_posts, outbox_pending=self.outbox_pending, by_user=self.by_user
            ),
            service=SimpleNamespace(pings=SimpleNamespace(may_be_called=self.may_be_called)),
            preferences=SimpleNamespace(get=self.get, save=self.save),
            operation=SimpleNamespace(
                counters=SimpleNamespace(took=lambda *what: self.took.append(what), add=self.counted.append)
            ),
        )

    async def find_posts(self, match: str) -> list[Any]:
        """The recorded posts of a match."""
        assert match == MATCH
        return self.posts

    async def outbox_pending(self, match: str) -> tuple[OutboxRow, ...]:
        """What waits of a match."""
        assert match == MATCH
        return self.waiting

    async def may_be_called(self, users: Iterable[int]) -> frozenset[int]:
        """Those who want pings now."""
        return self.callable & frozenset(users)

    async def create_dm(self, person: Any) -> Any:
        """The channel of somebody's direct messages."""
        return SimpleNamespace(id=person.id + 1000)

    async def edit_channel(self, thread: int, *, archived: bool) -> None:
        """Open or close a thread."""
        if self.wake_fails is not None:
            raise self.wake_fails
        self.woken.append((thread, archived))

    async def by_user(self, user: int) -> bool:
        """Everybody plays."""
        return user > 0

    async def get(self, kind: str, user: int) -> dict[str, Any]:
        """Nobody has settings."""
        assert kind == "user"
        assert user
        return {}

    async def save(self, kind: str, user: int, made: dict[str, Any]) -> None:
        """Keep where somebody is written to."""
        assert kind == "user"
        self.noted.append((user, made["direct"][0]))


BOARD = BoardMessage(3, 4)


def row(
    number: int = INHERITED + 1,
    message: Message = BOARD,
    *,
    tries: int = 0,
    user: int | None = None,
    lane: str = MATCH,
) -> OutboxRow:
    """A row of the outbox, by default one that this process tries for the first time."""
    draft = Draft(message, MATCH, lane, user)  # type: ignore[arg-type] # of every kind
    return OutboxRow(number, draft, f"nonce {number}", START, START, tries)
