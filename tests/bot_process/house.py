"""A server with people who play on while the bot is killed, and read access to the bot's database.

The log is compared with what the players did, and the channels with the log.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import random
import re
import signal
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

import discord
from simcord.builders import ChannelHandle, GuildHandle
from simcord.results import ResponseMessage

from bot.messages.components import walk_components
from bot.platform.permissions import INVITE
from games.engine.game import Done, Seat
from games.engine.match import Entry, Kind, Match, fold
from tests.bot.stage import words_of
from tests.bot_process.process import Nursery
from tests.bot_process.responses import judge_responses
from tests.fakes import begin_file
from tests.loopback import Answer, LoggedRequest, LoopbackDiscord, Moment, Person
from tests.openapi import loopback_errors

Hook = Callable[[Moment, LoggedRequest], Awaitable[bool | None]]
GREETING = "/server panel"
"""What is in the greeting of a server and in no other message."""
MOVE_ROUTES = ("reply", "mention", "bare", "slash", "menu")
BY_MESSAGE = ("reply", "mention", "role", "bare", "dm", "elsewhere")
_CALLBACK = "/interactions/{interaction_id}/{token}/callback"
_POST = "/channels/{channel_id}/messages"
ROUTES = {
    "callback": ("POST", _CALLBACK),
    "post": ("POST", _POST),
    "edit": ("PATCH", f"{_POST}/{{message_id}}"),
    "thread": ("POST", f"{_POST}/{{message_id}}/threads"),
    "history": ("GET", _POST),
}


@dataclass
class Row:
    """What the tests want to know of a match's row."""

    id: str
    status: str
    thread: int | None
    seats: tuple[int | None, ...]


class Records:
    """The bot's database, read beside the running bot by a connection that can't write."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with contextlib.closing(sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)) as db:
            return db.execute(query, values).fetchall()

    def rows(self) -> list[Row]:
        """All matches, oldest first."""
        query = """
        SELECT m.id, m.status, m.thread, s.user FROM matches AS m LEFT JOIN seats AS s ON s.match = m.id
        ORDER BY m.n, s.seat
        """
        return [
            Row(match, status, thread, tuple(user for *_, user in seats))
            for (match, status, thread), seats in itertools.groupby(self.ask(query), lambda row: row[:3])
        ]

    def entries(self, match: str) -> list[Entry]:
        """A match's log."""
        query = "SELECT seq, kind, seat, data FROM entries WHERE match = ? ORDER BY seq"
        return [
            Entry(seq, Kind(kind), None if seat is None else Seat(seat), data)
            for seq, kind, seat, data in self.ask(query, match)
        ]

    def waiting(self) -> int:
        """How many messages wait to be sent."""
        count: int = self.ask("SELECT count(*) FROM outbox")[0][0]
        return count


@dataclass
class Act:
    """Something a person does. `again` is for what the person sees fail: it is simply done once more."""

    do: Callable[[], Awaitable[None]]
    done: Callable[[], bool]
    again: bool


@dataclass
class House:
    """The stage: two players, a gallery, and a bot that is restarted again and again."""

    server: LoopbackDiscord
    bots: Nursery
    path: Path
    seed: str
    shard: tuple[int, int] | None = None
    """The shard that the club belongs to, and the number of shards."""
    records: Records = field(init=False)
    played: dict[str, list[str]] = field(default_factory=dict)
    """What the players did, as the log's data, by match."""
    settings: dict[str, str] = field(default_factory=dict)
    """What each process of the bot is started with."""
    launches: int = 0
    elsewhere: GuildHandle = field(init=False, repr=False)
    """A server without the bot, where a test needs one."""

    def __post_init__(self) -> None:
        self.records = Records(self.path)
        self.dice = random.Random(self.seed)
        self.guild = self.server.create_guild("Club", shard=self.shard)
        self.room = self.guild.create_text_channel("games")
        self.gallery = self.guild.create_text_channel("gallery")
        self.people = {p.id: p for p in (self.server.create_person(n, self.guild) for n in ("Ann", "Ben"))}
        self.ann, self.ben = self.people.values()

    # --- the bot --------------------------------------------------------------------------------------

    async def start(self, kill: str = "nothing", **settings: str) -> None:
        """A new process of the bot, caught up."""
        self.launches += 1
        await self.bots.start(
            {
                "DISCORD_TOKEN": self.server.token,
                "DOMINIUM_DATA": str(self.path),
                "DOMINIUM_DISCORD_API": self.server.url,
                "DOMINIUM_MESSAGE_CONTENT": "yes",
                "DOMINIUM_TEST_SEED": f"{self.seed}/{self.launches}",
                "DOMINIUM_TEST_KILL": kill,
                "DOMINIUM_TEST_POLL": "0.1",
                **self.settings,
                **settings,
            }
        )

    async def quiet(self, state: Callable[[], bool] = lambda: True) -> None:
        """Wait until the database is in a state, and nothing waits to be sent."""
        await self.bots.wait_for(lambda: state() and not self.records.waiting(), "quiet")

    async def quiet_or_dead(self, state: Callable[[], bool]) -> None:
        """Wait until the bot has died, or has nothing left to do in that state."""
        await self.bots.wait_for(
            lambda: not self.bots.running or (state() and not self.records.waiting()), "quiet", alive=False
        )

    def kill_at(self, route: str, moment: Moment) -> Hook:
        """A hook that kills the bot at the next request of a route."""
        method, template = ROUTES[route]

        async def hook(now: Moment, request: LoggedRequest) -> bool | None:
            if now is not moment or (request.method, request.template) != (method, template):
                return None
            self.bots.signal(signal.SIGKILL)
            return False

        return hook

    async def struck(self, act: Act, kill: str) -> None:
        """Do something while the bot is killed at a step: `ROUTE@before`, or a step of its fuse."""
        route, at, when = kill.partition("@")
        if at:
            self.server.on_request = self.kill_at(route, Moment[when.upper()])
        else:
            await self.bots.arm()
        await act.do()
        status = await self.bots.wait()
        self.server.on_request = None
        assert status == -signal.SIGKILL

    async def recovered(self, act: Act) -> None:
        """After a new start: what a message did is done; what its author saw fail is done once more."""
        if not act.done():
            assert act.again, "a message was written, and nothing came of it"
            await act.do()
        await self.quiet(act.done)
        self.judge()

    # --- the people -----------------------------------------------------------------------------------

    def thread(self, match: str) -> ChannelHandle:
        """The match's thread."""
        ((home,),) = self.records.ask("SELECT thread FROM matches WHERE id = ?", match)
        return next(thread for thread in self.server.threads(self.room) if thread.id == home)

    def occupant(self, match: str, person: Person) -> str | None:
        """How a person is seated in a match: `invited` or `person`; nothing if they aren't."""
        query = "SELECT occupant FROM seats WHERE match = ? AND user = ?"
        return next((str(found) for (found,) in self.records.ask(query, match, person.id)), None)

    def now(self, match: str) -> Match:
        """Return the match as in the database."""
        return fold(self.records.entries(match))

    def mover(self, row: Row, match: Match) -> Person:
        """Who is to move."""
        (seat,) = match.to_act
        return self.people[row.seats[seat] or 0]

    def move(self, match_id: str, route: str) -> Act:
        """Return the act of a legal move of the player to move, by one route."""
        row = next(row for row in self.records.rows() if row.id == match_id)
        match = self.now(match_id)
        (seat,) = match.to_act
        view = match.game.view(match.state, seat)
        text = self.any_move(match_id)
        parsed = match.game.parse(view, seat, text)
        assert isinstance(parsed, Done)
        wire = match.game.encode(parsed.action)
        person, thread = self.mover(row, match), self.thread(match_id)
        board = self.boards(match_id)[-1]
        self.played.setdefault(match_id, []).append(wire)
        count = len(self.played[match_id])

        async def do() -> None:
            match route:
                case "reply":
                    person.send(thread, text, reply_to=board)
                case "mention":
                    person.send(thread, text, mention=True)
                case "role":
                    role = self.server.world.own_role(self.guild)
                    person.send(thread, f"<@&{role.id}> {text}")
                case "bare":
                    person.send(thread, text)
                case "dm":
                    person.send(person.dm, f"{match_id} {text}")
                case "elsewhere":
                    person.send(self.gallery, f"{match_id} {text}", mention=True)
                case "apps":
                    await person.apps(person.send(thread, text), "Play this", answered=False)
                case "slash":
                    await person.slash(thread, "move", answered=False, move=text)
                case _:
                    panel = await person.click(board, "Moves", answered=False)
                    shown = await self._answered(panel)
                    if shown is not None:
                        menu = _menu(shown.message, text)
                        if menu is None:  # few moves are buttons
                            tap = f"domb:tap:{match_id}:{match.seq}:{text}"
                            await person.click(shown, tap, answered=False)
                        else:
                            await person.select(shown, text, custom_id=menu, answered=False)

        def done() -> bool:
            return len(self.plays(match_id)) == count

        return Act(do, done, again=route not in BY_MESSAGE)

    def any_move(self, match_id: str) -> str:
        """A legal move as text, one that wasn't written before where there is a choice.

        After a kill the bot reads old messages again, and may draw what they would lead to: the picture of a
        move that is the same would be there before it is made.
        """
        match, before = self.now(match_id), self.played.get(match_id, ())
        (seat,) = match.to_act
        view = match.game.view(match.state, seat)
        legal = {
            match.game.format(view, one): match.game.encode(one) for one in match.game.actions(view, seat)
        }
        return self.dice.choice(sorted(text for text in legal if legal[text] not in before) or sorted(legal))

    async def _answered(self, panel: Answer) -> ResponseMessage | None:
        """The private panel, or nothing if the bot died before it answered."""
        first = asyncio.create_task(panel.acknowledge())
        death = asyncio.create_task(self.bots.wait())
        await asyncio.wait({first, death}, return_when=asyncio.FIRST_COMPLETED)
        for task in (first, death):
            task.cancel()
        await asyncio.gather(first, death, return_exceptions=True)
        return panel.message

    def plays(self, match: str) -> list[str]:
        """The moves in the log."""
        return [entry.data for entry in self.records.entries(match) if entry.kind is Kind.PLAY]

    def boards(self, match: str) -> list[discord.Message]:
        """The match's boards in its thread, oldest first."""
        return [one for one in self.server.messages(self.thread(match)) if calls(one)[:1]]

    # --- the judge ------------------------------------------------------------------------------------

    def judge(self, *, joined: bool = False) -> None:
        """Every move once in the log, every board once in its thread and in order, one of everything else.

        Where boards had to wait, those of several changes may be `joined`.
        """
        rows = self.records.rows()
        for row in rows:
            assert self.plays(row.id) == self.played.get(row.id, [])
            if row.thread is not None and row.status != "lobby":
                self._judge_thread(row, joined)
        posted = [words_of(one) for one in self._by_bot(self.room)]
        lobbies = [text.split("`")[1] for text in posted if text.startswith("## ")]
        assert lobbies == [row.id for row in rows]
        others = [text for text in posted if not text.startswith("## ")]
        assert sum(GREETING in text for text in others) <= 1, "a server is greeted once"
        to_start = [text.split("`")[1] for text in others if GREETING not in text]
        assert to_start == [row.id for row in rows if row.id in to_start and row.status == "lobby"]
        mirrors = [calls(one)[0][1] for one in self._by_bot(self.gallery)]
        assert sorted(mirrors) == sorted(m for (m,) in self.records.ask("SELECT match FROM watches"))

    def _judge_thread(self, row: Row, joined: bool) -> None:
        log = self.records.entries(row.id)
        wanted = ends(log)
        shown = self._by_bot(self.thread(row.id))
        told = [(calls(one)[0][1], calls(one)[0][2]) for one in shown]
        assert told == [(row.id, seq) for seq in wanted if not joined or (row.id, seq) in told]
        assert told[-1] == (row.id, wanted[-1])
        for board in shown[:-1]:
            assert board.mentions == [], "the turn is over: the ping is withdrawn"
        match = fold(log)
        ended = next((entry.seat for entry in reversed(log) if entry.seat is not None), None)
        others = {user for seat, user in enumerate(row.seats) if user is not None and seat != ended}
        called = others if match.ending else {self.mover(row, match).id}
        assert {user.id for user in shown[-1].mentions} == called, shown[-1].content

    def _by_bot(self, channel: ChannelHandle) -> list[discord.Message]:
        return [
            one
            for one in self.server.messages(channel)
            if one.author.id == self.server.bot_id and one.type is discord.MessageType.default
        ]

    def judge_requests(self) -> None:
        """What the bot sent is what Discord takes; each try of a message carried the same nonce."""
        assert self.server.gaps == []
        assert loopback_errors(self.server.requests) == []
        nonces: dict[tuple[str, str], set[str]] = {}
        used: dict[str, set[tuple[str, str]]] = {}
        for request in self.server.requests:
            if (request.method, request.template) == ROUTES["post"]:
                body = request.body
                named = re.search(r'"custom_id": "([^"]+)"', json.dumps(body))
                about = named[1] if named else body["content"]
                nonces.setdefault((request.path, about), set()).add(body["nonce"])
                if request.status == HTTPStatus.OK:  # what is refused uses up no nonce
                    used.setdefault(body["nonce"], set()).add((request.path, about))
        assert nonces
        assert [about for about, used in nonces.items() if len(used) > 1] == []
        assert [each for each in used.values() if len(each) > 1] == [], "another's nonce posts nothing"
        judge_responses(self.server.requests)


def calls(message: discord.Message) -> list[tuple[str, str, int]]:
    """Verb, match and entry number of a message's buttons."""
    found = []
    for each in walk_components(message.components):
        kind, *call = str(getattr(each, "custom_id", None)).split(":")
        if kind == "domb":
            found.append((call[0], call[1], int(call[2])))
    return found


def let_manage(house: House, *people: Person) -> None:
    """Give people the right to manage the server."""
    role = house.guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
    for person in people:
        house.server.world.backend.guilds[house.guild.id].members[person.id].role_ids.append(role.id)


def ends(log: list[Entry]) -> list[int]:
    """The entry with which each change of a match ended: there is a board for each."""
    began = [entry.seq for entry in log if entry.kind not in (Kind.CHANCE, Kind.REVEAL)]
    return [*(seq - 1 for seq in began[1:]), len(log) - 1]


def _menu(panel: discord.Message, text: str) -> str | None:
    """Return the id of the menu that offers a move; None without one."""
    for row in panel.components:
        for child in getattr(row, "children", ()):
            if any(option.value == text for option in getattr(child, "options", ())):
                return str(child.custom_id)
    return None


@contextlib.asynccontextmanager
async def open_house(
    path: Path, seed: str, *, content: bool = True, shard: tuple[int, int] | None = None
) -> AsyncIterator[House]:
    """A house without a bot yet, with an empty database; at the end all requests of its bots are judged.

    ``content`` is whether the message content intent is switched on for the bot. ``shard`` is the one that
    the club belongs to, and the number of shards.
    """
    approved = discord.Intents.default()
    approved.message_content = content
    async with LoopbackDiscord(approved=approved, invited=INVITE) as server, Nursery(server) as bots:
        house = House(server, bots, path / "dominium.sqlite3", seed, shard)
        if shard is None:
            await begin_file(house.path)
        yield house
        house.judge_requests()
