"""A stage for the bot: a simulated server, its people, a real database file, and a player who wins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import discord
from simcord.actors import MemberActor
from simcord.backend.models.message import AllowedMentions
from simcord.backend.serializers import message_payload
from simcord.builders import ChannelHandle, GuildHandle
from simcord.enums import ComponentType, InteractionType
from simcord.env import Env
from simcord.interactions import base_payload
from simcord.results import InteractionResult, to_discord_message
from simcord.types import HttpLogEntry

from bot.app import Dominium
from bot.messages.components import walk_components
from bot.platform.config import Config
from bot.platform.permissions import INVITE
from bot.platform.real_clock import DiscordClock
from games.engine.game import Seat
from games.engine.match import Match
from matches.ports import Store
from matches.store.rows import MatchRow
from tests.bot import shared
from tests.bot.patient_env import PatientEnv
from tests.bot.quiet_logs import no_person_is_logged
from tests.fakes import CountingStore, FakeEntropy, begin_file, open_at_once
from tests.openapi import simcord_errors

assert shared

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve")
LONG_AGO = "2024-02-29T12:00:00+00:00"
"""When the bot has joined a server that isn't to be greeted."""


def withhold(stage: Stage, *names: str) -> None:
    """Take these permissions from the bot and from everyone, and give all others."""
    rights = discord.Permissions(INVITE.value)
    rights.update(**dict.fromkeys(names, False))
    allow(stage.env, stage.guild, rights)
    everyone = stage.env.backend.guilds[stage.guild.id].roles[stage.guild.id]
    theirs = discord.Permissions(everyone.permissions)
    theirs.update(**dict.fromkeys(names, False))
    everyone.permissions = theirs.value


def allow(env: Env, guild: GuildHandle, wanted: discord.Permissions) -> None:
    """Give the bot's own role exactly these rights."""
    for role in env.backend.guilds[guild.id].roles.values():
        if role.managed:
            role.permissions = wanted.value


@dataclass
class Stage:
    """One server with people, and the bot in it."""

    env: PatientEnv
    path: Path
    config: Config
    guild: GuildHandle
    channel: ChannelHandle
    gallery: ChannelHandle
    people: dict[str, MemberActor]
    entropy: FakeEntropy = field(default_factory=FakeEntropy)
    expected: list[BaseException] = field(default_factory=list)
    """Mistakes that a test made the bot make."""

    @property
    def bot(self) -> Dominium:
        """The running bot."""
        bot = self.env.bot
        assert isinstance(bot, Dominium)
        return bot

    def __getattr__(self, name: str) -> MemberActor:
        try:
            return self.__dict__["people"][name.capitalize()]  # type: ignore[no-any-return] # stage.ann
        except KeyError:
            raise AttributeError(name) from None

    def who(self, user: int | None) -> MemberActor:
        """The actor with that id."""
        return next(person for person in self.people.values() if person.id == user)

    async def restart(self) -> None:
        """The process ends and begins again on the same file."""
        await self.bot.close()
        bot = make_bot(self.path, self.config, self.entropy)
        await self.env.restart_bot(bot)

    async def missed(self, channel: ChannelHandle, author: MemberActor, text: str) -> None:
        """Write a message while the bot is down, then start it again."""
        await self.bot.close()
        self.env.backend.create_message(channel.id, author.id, text)
        await self.restart()

    async def later(self, *, hours: float = 0, seconds: float = 31) -> None:
        """Time passes: hours while the bot is down, seconds in which its pollers run."""
        if hours:
            await self.bot.close()
            self.env.backend.advance_clock(hours * 3600)
            await self.restart()
        await self.env.advance_time(seconds)

    async def deliver(self, match: str) -> None:
        """Deliver what a test has changed behind the bot's back, and let its computers finish."""
        await self.bot.context.delivery.finish(match)
        while running := [task for task in asyncio.all_tasks() if task.get_name() == f"computers of {match}"]:
            await asyncio.wait(running)

    async def row(self, match: str) -> MatchRow:
        """The match's row."""
        row = await self.bot.context.service.queries.row(match)
        assert row is not None
        return row

    async def match(self, match: str) -> Match:
        """Return the current match."""
        return await self.bot.context.service.queries.at(match, (await self.row(match)).version)

    @property
    def mention(self) -> str:
        """How the bot is mentioned."""
        assert self.bot.user is not None
        return f"<@{self.bot.user.id}>"

    def home(self, row: MatchRow) -> ChannelHandle:
        """The channel in which a match is played."""
        for channel in self.guild.channels.values():
            if channel.id == row.place.home:
                return channel
            for thread in channel.threads:
                if thread.id == row.place.home:
                    return thread
        raise AssertionError(f"no channel {row.place.home}")

    async def boards(self, match: str) -> list[discord.Message]:
        """The boards in the match's channel, oldest first: the bot's messages with a picture of it."""
        return await self.boards_in(self.home(await self.row(match)), match)

    async def boards_in(self, home: ChannelHandle, match: str) -> list[discord.Message]:
        """The same in one channel."""
        return [
            message
            for message in home.history()
            if message.author.bot and any(a.filename.startswith(f"{match}-") for a in message.attachments)
        ]

    async def open(
        self, *people: MemberActor, start: bool = True, **options: Any
    ) -> tuple[str, ChannelHandle]:
        """Open a lobby that the others join, and return the match's id and channel; `start` starts it."""
        host, *others = people
        options = {"game": "focus", "players": max(2, len(people))} | options
        known = {row.id for row in await self.bot.context.store.by_status("lobby")}
        await host.slash(self.channel, "play", **options)
        (row,) = [row for row in await self.bot.context.store.by_status("lobby") if row.id not in known]
        for person in others:
            await person.click(await self.lobby(row.id), label="Join")
        if start:
            await host.click(await self.lobby(row.id), label="Start")
        row = await self.row(row.id)
        return row.id, self.home(row)

    async def lobby(self, match: str) -> discord.Message:
        """Return the lobby's message."""
        row = await self.row(match)
        return next(m for m in self.channel.history() if m.id == row.lobby.message)

    async def press(self, person: MemberActor, message: discord.Message, verb: str) -> InteractionResult:
        """Press a button of a message as it was then, even if the message has changed."""
        (result,) = await self.press_all((person, message, verb))
        return result

    async def press_id(
        self,
        person: MemberActor,
        message: discord.Message,
        custom_id: str,
        at: ChannelHandle | None = None,
    ) -> InteractionResult:
        """Press a button of that id, as if the message had shown it, in its channel or another."""
        result = self._press(person, message, custom_id, [row_of(custom_id)], at)
        await self.env.settle()
        return result

    def _press(
        self,
        person: MemberActor,
        message: discord.Message,
        custom_id: str,
        rows: list[Any],
        at: ChannelHandle | None = None,
    ) -> InteractionResult:
        backend = self.env.backend
        record, payload = base_payload(
            backend,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=message.channel.id if at is None else at.id,
            guild_id=self.guild.id if at is None or at.guild is None else at.guild.id,
            user_id=person.id,
            data={"custom_id": custom_id, "component_type": ComponentType.BUTTON},
        )
        stored = backend.get_message(message.channel.id, message.id)
        payload["message"] = dict(message_payload(backend, stored)) | {"components": rows}
        record.source_message_id = message.id
        backend.emit("INTERACTION_CREATE", payload)
        return InteractionResult(self.env, record)

    async def press_all(
        self, *presses: tuple[MemberActor, discord.Message, str]
    ) -> tuple[InteractionResult, ...]:
        """Buttons pressed at the same moment; the bot sees them before it has answered any."""
        results = []
        for person, message, verb in presses:
            (custom_id,) = [i for i in button_ids(message) if i.startswith(f"domb:{verb}:")]
            rows = [row.to_dict() for row in message.components]
            results.append(self._press(person, message, custom_id, rows))
        await self.env.settle()
        return tuple(results)

    def post(
        self,
        person: MemberActor,
        channel: ChannelHandle,
        text: str,
        *,
        reply_to: discord.Message | None = None,
        ping: bool = True,
    ) -> discord.Message:
        """A message that the bot has not worked on yet when this returns; a reply's ping can be off."""
        backend, reference = self.env.backend, None
        if reply_to is not None:
            reference = {"channel_id": str(reply_to.channel.id), "message_id": str(reply_to.id)}
            reference = backend.normalize_message_reference(channel.id, reference)
        stored = backend.create_message(
            channel.id,
            person.id,
            text,
            reference=reference,
            allowed_mentions=AllowedMentions(replied_user=ping),
        )
        return to_discord_message(self.env, stored)

    async def remove(self, message: discord.Message) -> None:
        """A moderator deletes a message."""
        self.env.backend.delete_message(message.channel.id, message.id)
        await self.env.settle()

    def last_payload(self, person: MemberActor) -> dict[str, Any]:
        """Return the event by which the bot received a person's last message."""
        return next(
            payload
            for kind, name, payload in reversed(self.env.backend.transcript)
            if kind == "GATEWAY" and name == "MESSAGE_CREATE" and payload["author"]["id"] == str(person.id)
        )

    async def hears(self, channel: ChannelHandle, doing: Awaitable[Any]) -> list[discord.Message]:
        """What the bot says in a channel while something is done."""
        there = self.env.backend.messages.setdefault(channel.id, {})
        before = set(there)
        await doing
        new = [to_discord_message(self.env, there[number]) for number in sorted(set(there) - before)]
        return [message for message in new if message.author.bot]

    async def mover(self, match: str) -> MemberActor:
        """Who is to move."""
        row, now = await self.row(match), await self.match(match)
        (seat,) = now.to_act
        return self.who(row.seats[seat].user)

    async def waiting(self, match: str) -> MemberActor:
        """Return a player who is not to move."""
        row, now = await self.row(match), await self.match(match)
        return self.who(next(s.user for s in row.seats if s.seat not in now.to_act))


def row_of(custom_id: str) -> dict[str, Any]:
    """A row of components with a button of that id."""
    button = {"type": 2, "style": 2, "label": "?", "custom_id": custom_id}
    return {"type": 1, "components": [button]}


def button_ids(message: discord.Message) -> list[str]:
    """The ids of a message's buttons."""
    return [
        str(child.custom_id)
        for child in walk_components(message.components)
        if isinstance(child, discord.Button)
    ]


def best(match: Match) -> str:
    """A good move as text: what a greedy player would do."""
    (seat,) = match.to_act
    game, state = match.game, match.state
    view = game.view(state, seat)

    def worth(action: Any) -> float:
        return game.evaluate(game.view(game.apply(state, seat, action).state, seat), seat)

    return game.format(view, max(game.actions(view, seat), key=worth))


def legal(match: Match) -> list[str]:
    """All legal moves as texts."""
    (seat,) = match.to_act
    view = match.game.view(match.state, Seat(seat))
    return [match.game.format(view, action) for action in match.game.actions(view, seat)]


def make_bot(path: Path, config: Config, entropy: FakeEntropy) -> Dominium:
    """Return the real bot, with repeatable randomness."""

    async def opened() -> Store:
        store: Any = CountingStore(await open_at_once(path, DiscordClock()))
        return cast("Store", store)

    return Dominium(config, opened, entropy=entropy)


@asynccontextmanager
async def set_stage(tmp_path: Path, **settings: Any) -> AsyncIterator[Stage]:
    """The bot on a simulated server with five people and three channels."""
    path = tmp_path / "dominium.sqlite3"
    settings.setdefault("silence_seconds", 10**9)  # time jumps here: that is no downtime
    settings = {"thinkers": 0, "answer_seconds": 0} | settings
    config = Config(token="", data=path, always_sync=True, **settings)
    entropy = FakeEntropy()
    await begin_file(path)
    bot = make_bot(path, config, entropy)
    env = PatientEnv(bot)
    await env.start()
    try:
        guild = env.create_guild("Club")
        env.backend.guilds[guild.id].members[env.backend.bot_user.id].joined_at = LONG_AGO
        allow(env, guild, INVITE)
        channel = guild.create_text_channel("games")
        gallery = guild.create_text_channel("spectators")
        people = {name: guild.add_member(env.create_user(name)) for name in NAMES}
        stage = Stage(env, path, config, guild, channel, gallery, people, entropy)
        with no_person_is_logged([person.id for person in people.values()]):
            yield stage
            await env.join()
        assert simcord_errors(env.http_requests) == []
        assert bad_manners(env.http_requests) == []
        if env.errors != stage.expected:
            env.raise_errors()
    finally:
        await env.bot.close()
        await env.shutdown()


def bad_manners(requests: Iterable[HttpLogEntry]) -> list[str]:
    """Return messages that are too long, or could ping anyone but those they mention on purpose."""
    wrong = []
    for request in requests:
        body = request.json if isinstance(request.json, dict) else {}
        message = body.get("data", {}) if request.path.endswith("/callback") else body
        content = message.get("content") if isinstance(message, dict) else None
        if content is None:
            continue
        where = f"{request.method} {request.path}: {content[:200]!r}"
        allowed = message.get("allowed_mentions")
        if len(content) > 2000 or not content:
            wrong.append(f"{len(content)} signs in {where}")
        if allowed is None or allowed.get("parse") or allowed.get("roles") or allowed.get("replied_user"):
            wrong.append(f"may ping {allowed}: {where}")
        elif any(f"<@{user}>" not in content for user in allowed.get("users", ())):
            wrong.append(f"pings {allowed} unseen: {where}")
        if any(not file.get("description") for file in message.get("attachments", ()) if "filename" in file):
            wrong.append(f"a file without a description in {where}")
    return wrong


async def computer(who: Any, lobby: discord.Message, level: str = "beginner") -> None:
    """Seat a computer player of a level, in the lobby of a game with several levels."""
    asks = shown(await who.click(lobby, label="Add computer"))
    await who.select(asks, [level])


def shown(result: Any) -> discord.Message:
    """The message with which an interaction was answered, first answer or first followup."""
    answers = [a for a in (result.response, *result.followups) if a is not None]
    assert answers, "the interaction has no answer"
    message = answers[-1].message
    assert isinstance(message, discord.Message)
    return message


def menu_with(message: discord.Message, value: str) -> str:
    """The id of the menu that offers a value."""
    for each in walk_components(message.components):
        if any(option.value == value for option in getattr(each, "options", ())):
            return str(each.custom_id)
    raise AssertionError(f"no menu offers {value}")


def text_of(result: Any) -> str:
    """What an interaction answered, first answer and followups, as one text."""
    parts = [] if result.response is None else [result.response]
    return "\n".join(
        words_of(each.message) if isinstance(each.message, discord.Message) else each.content
        for each in (*parts, *result.followups)
    )


def words_of(message: discord.Message) -> str:
    """What a message says: its content, or the texts of its layout."""
    parts = walk_components(message.components)
    texts = [each.content for each in parts if isinstance(each, discord.TextDisplay)]
    return "\n".join(texts) or message.content
