"""A service with its store, clock and entropy, and helpers to get a match going."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache
from itertools import count
from typing import Any

from games.engine.match import fold, verify
from locales.catalogue import Catalogue
from matches.outbox.queue import Draft
from matches.ports import Store
from matches.results import Lobby, Person, Played, Refused
from matches.service import MatchService
from matches.store.rows import Commit, MatchRow, Place
from tests.fakes import FakeClock, FakeEntropy

ANN, BOB, CYD, DAN = (Person(n, name) for n, name in enumerate(("Ann", "Bob", "Cyd", "Dan"), 1))
SERVER = Place(900, 10)
DIRECT = Place(None, 11)


@dataclass
class World:
    """One run of the program after another on one store."""

    store: Store
    clock: FakeClock = field(default_factory=FakeClock)
    entropy: FakeEntropy = field(default_factory=FakeEntropy)
    settings: dict[str, Any] = field(default_factory=dict)
    rated: bool = False
    """Whether the matches that it makes are to count for ratings."""
    numbers: count[int] = field(default_factory=count)
    service: MatchService = field(init=False)

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """A crash, seen from the store: another service knows nothing that is not in it."""
        self.service = MatchService(self.store, self.clock, self.entropy, **self.settings)
        self.lobbies, self.play, self.queries = self.service.lobbies, self.service.play, self.service.queries
        self.computers, self.channels = self.service.computers, self.service.channels
        self.housekeeping, self.rematches = self.service.housekeeping, self.service.rematches

    @property
    def new(self) -> str:
        """A request that was never made."""
        return f"r{next(self.numbers)}"

    async def open_lobby(
        self, *people: Person, game: str = "toy", place: Place = SERVER, **how: Any
    ) -> MatchRow:
        """A lobby of the first person in which the others have sat down."""
        how.setdefault("seats", max(2, len(people)))
        how.setdefault("rated", self.rated)
        made = await self.service.lobbies.create(people[0], place, game, request=self.new, **how)
        for guest in people[1:]:
            made = await self.service.lobbies.join(opened(made).row.id, guest, request=self.new)
        return opened(made).row

    async def match(self, *people: Person, game: str = "toy", **how: Any) -> Played:
        """A match of these people that has just begun."""
        row = await self.open_lobby(*people, game=game, **how)
        return played(await self.service.lobbies.start(row.id, people[0].id, request=self.new))

    async def move(self, match_id: str, who: Person) -> Played:
        """The first legal move of a person."""
        text = (await self.service.queries.legal(match_id, who.id))[0]
        return played(await self.service.play.submit(match_id, who.id, text, request=self.new))

    async def play_out(self, match_id: str, *people: Person) -> Played:
        """First legal moves until it is over."""
        while True:
            seen = await self.service.queries.current(match_id)
            assert not isinstance(seen, Refused)
            seats = {self.service.queries.seat_of(seen.row, person.id): person for person in people}
            done = await self.move(match_id, seats[min(seen.match.to_act)])
            if done.match.ending:
                return done

    async def drafts(self, match_id: str) -> list[Draft]:
        """All messages that wait to be sent for a match, in order."""
        return [row.draft for row in await self.store.outbox_pending(match_id)]

    async def sent(self) -> None:
        """Empty the outbox, so that a test sees only what comes next."""
        for row in await self.store.outbox_pending():
            await self.store.outbox_sent(row.id, None)

    async def pass_time(self, **units: float) -> tuple[Lobby | Played, ...]:
        """Let time pass, then do what is due."""
        self.clock.advance(timedelta(**units))
        return await self.service.housekeeping.tick()

    async def check(self, match_id: str) -> None:
        """The laws of a match at rest: its log gives its row; once over, its draws are those it promised."""
        row = await self.store.match(match_id)
        assert row is not None
        entries = [logged.entry for logged in await self.store.log(match_id)]
        assert row.version == len(entries) - 1
        if not entries:
            assert row.status in ("lobby", "closed", "expired")
            return
        match = fold(entries)
        assert (row.status == "live") == (match.ending is None)
        assert (row.result is None) == (match.ending is None)
        if match.ending:
            assert verify(entries) == ()


def opened(answer: Lobby | Refused) -> Lobby:
    """Return the lobby; fails for a refusal."""
    assert isinstance(answer, Lobby), answer
    return answer


def played(answer: object) -> Played:
    """The answer, which is a change of a match."""
    assert isinstance(answer, Played), answer
    return answer


def refused(answer: object) -> str:
    """The key of the reason why not."""
    assert isinstance(answer, Refused), answer
    assert catalogue().say(answer.why), "strict: a missing text or value raises"
    return answer.why.key


@cache
def catalogue() -> Catalogue:
    """Return a strict catalogue."""
    return Catalogue(strict=True)


class Interposed:
    """A store before whose next commits something else happens: another process was quicker."""

    def __init__(self, store: Store, *events: Callable[[], Awaitable[object]]) -> None:
        self._store = store
        self._events = list(events)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def commit(self, commit: Commit) -> None:
        """Let the next event happen, then commit."""
        if self._events:
            await self._events.pop(0)()
        await self._store.commit(commit)
