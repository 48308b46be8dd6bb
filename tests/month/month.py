"""The script of a month: who writes what, when, and what happens to the bot meanwhile.

Everything is chosen by one ``random.Random``. In calm hours people use all ways of moving and wait for the
board; while something is wrong they only write, each match in one channel, and never wait.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import discord
from simcord.builders import ChannelHandle, GuildHandle

from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import fold
from matches.clocks.control import TimeControl
from matches.spans import Span
from tests.loopback import BackendError, Person
from tests.month.clocks import follow_clock, near_the_end, see_to_clocks
from tests.month.stage import Stage, call_of
from tests.month.tables import Kind, Table

DAYS = 30
TABLES = 40
GUILDS = 12
NAMES = (
    "Ada", "Bea", "Cem", "Dora", "Emil", "Finn", "Gus", "Hana", "Ines", "Jon", "Kai", "Lea", "Mia", "Nils",
    "Olga", "Pia", "Quin", "Rosa", "Sami", "Tara", "Udo", "Vera", "Wim", "Xenia", "Yara", "Zoe",
)  # fmt: skip
TALK = (
    "good evening everybody", "has anybody seen my umbrella?", "I will be late tonight", "what a day",
    "the soup was excellent", "who is winning here?", "brb, the kettle is boiling", "lovely weather today",
    "let us meet on Saturday", "my train is late again", "hahaha", "that was a surprise", "no idea, sorry",
    "I have to think about this", "take your time", "somebody should water the plants",
)  # fmt: skip
NONSENSE = ("z99-z98", "xyzzy", "e4 to nowhere please", "attack the moon", "99")


@dataclass
class Month:
    """One month on one stage.

    Attributes:
        spoken: the messages that were meant for the bot.
        talked: those that weren't.
        notes: what happened, for the report of a failure.
    """

    stage: Stage
    dice: random.Random
    tables: list[Table] = field(default_factory=list)
    guilds: list[GuildHandle] = field(default_factory=list)
    rooms: dict[int, ChannelHandle] = field(default_factory=dict)
    forums: dict[int, ChannelHandle] = field(default_factory=dict)
    people: list[Person] = field(default_factory=list)
    spoken: set[int] = field(default_factory=set)
    talked: set[int] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    away: list[Span] = field(default_factory=list)
    """When people couldn't play, as far as that takes long."""
    hushed: set[int] = field(default_factory=set)
    """Channels in which nobody writes for now."""
    unseen: set[int] = field(default_factory=set)
    """Channels that the bot can't read now: only in those of its matches what is missed is read later."""
    known: set[int] = field(default_factory=set)
    """People who have written to the bot directly: a first direct message that is missed can't be found."""

    def __post_init__(self) -> None:
        self.clock_dice = random.Random(f"{self.stage.seed}/clocks")

    # --- the beginning --------------------------------------------------------------------------------

    def populate(self, guilds: int = GUILDS, people: int = len(NAMES)) -> None:
        """Make the servers and their people; each person is in some of them, each server has some people."""
        server = self.stage.server
        self.guilds = [server.create_guild(f"Club {number}") for number in range(guilds)]
        for guild in self.guilds:
            self.rooms[guild.id] = guild.create_text_channel("games")
            tags = self.dice.choice(((), ("Talk",), ("Talk", "Dominium")))
            self.forums[guild.id] = server.world.forums.create(
                guild, "matches", tags=tags, required=bool(tags)
            )
        self.people = [server.create_person(name) for name in NAMES[:people]]
        for number, guild in enumerate(self.guilds):
            members = self.dice.sample(self.people, min(8, len(self.people)))
            for person in members:
                person.join(guild)
            self.note(f"club {number}: {', '.join(person.name for person in members)}")

    def note(self, text: str) -> None:
        """Note what happens now."""
        self.notes.append(f"{self.stage.clock.now():%d %b %H:%M:%S} {text}")

    def members(self, guild: GuildHandle) -> list[Person]:
        """Return the people in a server."""
        return [person for person in self.people if guild.id in person.members]

    async def open_table(
        self, key: str, kind: Kind, room: ChannelHandle | None = None, clock: TimeControl | None = None
    ) -> Table:
        """Open and start a match, by commands and buttons, while nothing is wrong; in `room` if given."""
        dice, server = self.dice, self.stage.server
        game = registry.get(key)
        seats = dice.choice([count for count in game.seats if count <= 4] or [game.seats[0]])
        guild = dice.choice(self.guilds)
        host, *guests = dice.sample(self.members(guild), seats if kind != "direct" else min(seats, 4))
        given, room = room, self.rooms[guild.id]
        more: dict[str, Any] = {}
        if kind == "channel":
            room = given or guild.create_text_channel(f"table {len(self.tables)}")
            await self.stage.bot.context.preferences.save("guild", guild.id, {"place": "channel"})
        elif kind == "direct":
            room = host.dm
            for name, guest in zip(("friend", "friend2", "friend3"), guests, strict=False):
                more[name] = guest.user
        else:
            await self.stage.bot.context.preferences.save("guild", guild.id, {})
            if kind == "forum":
                more["channel"] = self.forums[guild.id]
        await host.slash(room, "play", answered=False, game=key, players=seats, **more)
        await self.stage.settle()
        row = self.stage.records.rows()[-1]
        if clock is not None:
            lobbies = self.stage.bot.context.service.lobbies
            await lobbies.set_clock(row.id, host.id, clock, request=f"clock {row.id}")
            await self.stage.settle()
        if kind == "forum":
            (room,) = [one for one in server.threads(self.forums[guild.id]) if one.id == row.thread]
        for guest in guests:
            there = guest.dm if kind == "direct" else room
            await guest.click(self._lobby(there, row.id), f"domb:join:{row.id}:-1", answered=False)
            await self.stage.settle()
        await host.click(self._lobby(room, row.id), f"domb:start:{row.id}:-1", answered=False)
        await self.stage.settle()
        row = next(one for one in self.stage.records.rows() if one.id == row.id)
        assert row.status == "live", f"{row.id} could not be started"
        found = {person.id: person for person in self.people}
        model = fold(self.stage.records.entries(row.id))
        secret = self.stage.records.ask("SELECT secret FROM matches WHERE id = ?", row.id)[0][0]
        table = Table(
            id=row.id,
            kind=kind,
            guild=None if kind == "direct" else guild,
            room=room,
            seats=[found[user or 0] for user in row.seats],
            model=model,
            sealed=Sealed(bytes.fromhex(secret), model.id, model.salt),
            clock=clock,
        )
        if kind == "thread":
            table.homes = [one for one in server.threads(room) if one.id == row.thread]
            assert table.homes, f"{row.id} has no thread"
        elif kind in ("channel", "forum"):
            table.homes = [room]
        self.tables.append(table)
        self.note(f"{table.id} begins ({kind}): {', '.join(person.name for person in table.seats)}")
        return table

    def _lobby(self, channel: ChannelHandle, match: str) -> discord.Message:
        return next(
            self.stage.server.world.read(one)
            for one in self.stage.posts_by_bot(channel.id)
            if (call_of(one) or ("", "", 0))[1] == match
        )

    # --- moves ----------------------------------------------------------------------------------------

    def playable(self) -> list[Table]:
        """Return the matches in which somebody can write a move now."""
        ending = near_the_end(self)
        return [one for one in self.tables if not (one.over or one.id in ending or self._hushed(one))]

    def _hushed(self, table: Table) -> bool:
        return table.home is not None and table.home.id in self.hushed

    def board(self, table: Table, person: Person) -> discord.Message | None:
        """Return the board of the current position, where that person sees it."""
        for message in reversed(self.stage.posts_by_bot(table.place_of(person).id)):
            found = call_of(message)
            if found is not None and found[1] == table.id:
                return self.stage.server.world.read(message) if found[2] == table.ends[-1] else None
        return None

    async def move(self, table: Table, *, calm: bool) -> None:
        """Let somebody who is to move write a legal move; by message and without waiting, unless calm."""
        dice = self.dice
        if table.wrote is None:
            follow_clock(self, table)
        if table.over or not (seats := sorted(table.model.to_act - table.model.seats.stand_ins)):
            return
        seat = dice.choice(seats)
        person = table.seats[seat]
        text = next(table.texts(seat, dice), None)
        if text is None:
            self.note(f"{table.id}: nothing that {person.name} could simply write")
            table.closed = True
            return
        place = table.place_of(person)
        if table.guild is not None and table.guild.id not in person.members:
            return
        route, board = dice.choice(self._routes(table, person, calm=calm)), self.board(table, person)
        if route == "dm" or (route in ("panel", "tap") and board is None):
            route, place = "dm", person.dm
        elif route == "elsewhere" and table.guild is not None:
            place = self.rooms[table.guild.id]
        if table.wrote is not None and table.wrote != place.id:
            return  # it may be read before what was written elsewhere
        self.note(f"{table.id}: {person.name} ({seat}) {route}: {text}")
        try:
            if route == "slash":
                more = {} if table.home is not None and dice.random() < 0.7 else {"match": table.id}
                await person.slash(place, "move", answered=False, move=text, **more)
            elif route == "panel" and board is not None:
                text = await self._by_panel(table, seat, person, board, text)
            elif route == "tap" and board is not None:
                text = await self._by_tap(table, seat, person, board, text)
            else:
                self._write(table, person, place, route, board, text)
        except BackendError as refused:
            self.note(f"  Discord refuses that: {refused}")
            return
        table.play(seat, text)
        if calm:
            await self.stage.settle()
            self.known.update((person.id,) if route == "dm" else ())
            self.check_log(table)
        else:
            table.wrote = place.id

    def _routes(self, table: Table, person: Person, *, calm: bool) -> list[str]:
        if table.home is None:
            routes = ["direct", "direct"]
        else:
            routes = ["mention", "mention"]
            if self.stage.content and self._only_match(table):
                routes += ["bare"] * 2
        if table.wrote is None and self.board(table, person) is not None:
            routes += ["reply"] * 3
        if table.home is not None and (calm or person.id in self.known):
            routes.append("dm")
        if table.guild is not None and self._may_write_elsewhere(table):
            routes.append("elsewhere")
        if calm and not self.is_closed(table):
            routes += ["slash", "panel", "tap"]
        return routes

    def _may_write_elsewhere(self, table: Table) -> bool:
        room = self.rooms[table.guild.id] if table.guild is not None else None
        return room is not None and room != table.home and room.id not in self.hushed | self.unseen

    def is_closed(self, table: Table) -> bool:
        """Return whether a match is in a thread where clients offer no commands and buttons."""
        if table.home is None or not table.home.is_thread:
            return False
        meta = table.home._channel.thread_metadata
        return self.stage.server.is_archived(table.home) or (meta is not None and meta.locked)

    def _only_match(self, table: Table) -> bool:
        return all(
            other is table or other.over or other.home is None or other.home.id != table.home.id  # type: ignore[union-attr]
            for other in self.tables
        )

    def _write(
        self,
        table: Table,
        person: Person,
        place: ChannelHandle,
        route: str,
        board: discord.Message | None,
        text: str,
    ) -> None:
        if route == "reply":
            sent = person.send(place, text, reply_to=board)
        elif route == "mention":
            sent = person.send(place, text, mention=True)
        elif route == "elsewhere":
            sent = person.send(place, f"{table.id} {text}", mention=True)
        elif route == "bare":
            sent = person.send(place, text)
        else:
            sent = person.send(place, f"{table.id} {text}")
        self.spoken.add(sent.id)
        table.written.append(sent.id)

    async def _by_panel(
        self, table: Table, seat: Seat, person: Person, board: discord.Message, text: str
    ) -> str:
        """Move by the private panel behind "Moves"; return the move chosen there."""
        panel = await person.click(board, f"domb:moves:{table.id}:{table.ends[-1]}", answered=False)
        await self.stage.settle()
        shown = panel.message or next(iter(panel.followups), None)
        if shown is not None:
            for row in shown.message.components:
                for child in getattr(row, "children", ()):
                    listed = [one.value for one in getattr(child, "options", ())]
                    wanted = [one for one in listed if table.counts(seat, one)]
                    if wanted and str(child.custom_id).startswith("doms:play:"):
                        chosen: str = self.dice.choice(wanted)
                        await person.select(shown, chosen, custom_id=child.custom_id, answered=False)
                        return chosen
        await person.slash(table.place_of(person), "move", answered=False, move=text, match=table.id)
        return text

    async def _by_tap(
        self, table: Table, seat: Seat, person: Person, board: discord.Message, text: str
    ) -> str:
        """Move by a button under the board; return its move."""
        head = f"domb:tap:{table.id}:{table.ends[-1]}:"
        taps = [
            str(child.custom_id)
            for row in board.components
            for child in getattr(row, "children", ())
            if str(child.custom_id).startswith(head)
        ]
        taps = [one for one in taps if table.counts(seat, one.removeprefix(head))]
        if not taps:
            await person.slash(table.place_of(person), "move", answered=False, move=text, match=table.id)
            return text
        chosen = self.dice.choice(taps)
        await person.click(board, chosen, answered=False)
        return chosen.removeprefix(head)

    # --- what isn't a move ----------------------------------------------------------------------------

    def talk(self, channel: ChannelHandle, people: Sequence[Person]) -> None:
        """Let somebody say something that isn't meant for the bot."""
        person = self.dice.choice(list(people))
        text = self.dice.choice(TALK)
        if self.dice.random() < 0.2:
            text = f"{self.dice.choice(list(people)).mention} {text}"
        last = self.stage.server.world.stored_messages(channel.id)[-1:]
        reply = None
        if last and last[0].author_id != self.stage.server.bot_id and self.dice.random() < 0.2:
            reply = self.stage.server.world.read(last[0])
        try:
            self.talked.add(person.send(channel, text, reply_to=reply).id)
        except BackendError as refused:
            self.note(f"  {person.name} can't talk there: {refused}")

    def mistake(self, table: Table, *, calm: bool) -> None:
        """Let somebody write to the bot what can't be played: nonsense, or a move out of turn."""
        if table.wrote is None:
            follow_clock(self, table)
        if table.over:
            return
        person = self.dice.choice(table.seats)
        place = table.place_of(person)
        if table.guild is not None and table.guild.id not in person.members:
            return
        text = self.dice.choice(NONSENSE)
        seat = Seat(table.seats.index(person))
        if seat not in table.model.to_act and self.dice.random() < 0.5:
            mover = self.dice.choice(sorted(table.model.to_act))
            text = next(table.texts(mover, self.dice), text)
        if any(table.counts(other, text) for other in table.model.to_act if table.seats[other] is person):
            return
        try:
            sent = person.send(place, f"{table.id} {text}", mention=table.home is not None)
        except BackendError as refused:
            self.note(f"  {person.name} can't write there: {refused}")
            return
        self.spoken.add(sent.id)
        table.wrote = None if calm else place.id
        self.note(f"{table.id}: {person.name} by mistake: {text}")

    def tables_in(self, guild: GuildHandle) -> list[Table]:
        """Return the matches that are played in a server."""
        return [table for table in self.playable() if table.guild is guild]

    def threads(self) -> list[Table]:
        """Return the matches that are played in threads."""
        return [one for one in self.playable() if one.home is not None and one.home.is_thread]

    def places(self) -> list[tuple[ChannelHandle, list[Person]]]:
        """Return the channels in which people talk, with those who do."""
        found = [(self.rooms[guild.id], self.members(guild)) for guild in self.guilds]
        found += [
            (table.home, self.members(table.guild))
            for table in self.tables
            if table.home is not None and table.guild is not None
        ]
        return [(room, people) for room, people in found if room.id not in self.hushed and people]

    async def live(self, acts: int, *, calm: bool, at: Sequence[Table] = ()) -> None:
        """Let people play and talk, for the greater part at some tables if there are any."""
        if calm:
            await see_to_clocks(self)
        for _ in range(acts):
            chance = self.dice.random()
            tables = self.playable()
            if (near := [one for one in tables if one in at]) and self.dice.random() < 0.7:
                tables = near
            if chance < 0.3 or not tables:
                self.talk(*self.dice.choice(self.places()))
            elif chance < 0.4:
                table = self.dice.choice(tables)
                if table.wrote is None:
                    self.mistake(table, calm=calm)
            else:
                await self.move(self.dice.choice(tables), calm=calm)
            self.stage.server.advance(self.dice.uniform(0.05, 20))
            if calm and self.dice.random() < 0.7:
                await self.stage.settle()
            elif self.dice.random() < 0.3:
                await self.stage.loop.idle()

    async def calm_down(self) -> None:
        """Wait until the bot has handled everything, and check what it made of it."""
        at_rest = await self.stage.settle(3600)
        assert at_rest, "the bot doesn't come to rest"
        for table in self.tables:
            if table.wrote is not None or table.clock is not None:
                table.wrote = None
                self.check_log(table)

    def check_log(self, table: Table) -> None:
        """Check that the bot's log is the model's."""
        follow_clock(self, table)
        log = self.stage.records.entries(table.id)
        if log != list(table.model.log):
            wanted = [entry.data for entry in table.model.log[1:]]
            found = [entry.data for entry in log[1:]]
            raise AssertionError(f"{table.id}: the log is {found}, and should be {wanted}")
