"""A database with rows in every table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matches.ports import Store
from matches.results import Lobby, Person
from matches.service import MatchService
from matches.spans import Span
from matches.store.clocks import IdleState, Vacation
from matches.store.follows import FollowRow
from matches.store.lessons import DailyPuzzle, LessonProgress, PuzzleResult
from matches.store.moderation import ModerationRow
from matches.store.operation import ErrorGroup
from matches.store.plans import NamedMove, PlanRow, PlanStep
from matches.store.rows import Commit, Place, Watch
from matches.store.seats import SeatOffer
from matches.store.servers import Showcase
from storage import open_store
from tests.fakes import START, FakeClock, FakeEntropy
from tests.storage.contract_maps import brought
from tests.storage.rows import draft, lobby
from tests.storage.tour import HOUR, tour


async def fill_everything(path: Path) -> None:
    """Make a file with rows in every table of people's."""
    store: Any = await open_store(path, clock=FakeClock())
    for match in ("M-7", "M-20"):
        await store.create(Commit(lobby(match, host=7), START))
    for step in tour().values():
        await step(store)
    live = await store.match(await play(store))
    await store.note_idle(live.id, live.version, IdleState(True, START))
    await store.save_map(brought(guild=7))
    await store.offer_seat(SeatOffer("M-7", 0, 1, 1, None, False), draft(), START)
    await store.save_plan(PlanRow("M-7", 0, 1, 0, ((PlanStep((NamedMove(0, "a", "a"),), False, "b", "b"),),)))
    await store.add_vacation(Vacation(9, Span(START, START + HOUR), False))
    await store.follow(FollowRow("M-7", 7, "daily", START, 0, due=START), 50)
    await store.moderate(ModerationRow(1, 100, "forbid", "spam", START, person=8))
    await store.block(7, 8, START, 50)
    await store.watch(Watch("M-7", 9, 1))
    await store.outbox_drop(await store.outbox_add(draft(), START), "x")
    await store.save_showcase(Showcase(1, 2, 100, START))
    await store.save_showcase(Showcase(1, 2, 100, START, kind="panel"))
    gone = await store.outbox_add(draft(), START)
    await store.outbox_sent(gone, None)
    await store.note_errors((ErrorGroup("bot.app:close:12", "KeyError", 1, START, START, "1.0"),))
    await store.note_lesson(LessonProgress(7, "focus", "move", 0, START))
    await store.add_daily_puzzle(DailyPuzzle(1, 2, "focus", "0123456789ab", START))
    await store.note_puzzle(PuzzleResult(7, "focus", "0123456789ab", solved=True, at=START), (1, 2))
    await store.claim_greeting(1, START)
    await store.close()


async def play(store: Store) -> str:
    """A match that has begun, and its id."""
    service = MatchService(store, FakeClock(), FakeEntropy())
    opened = await service.lobbies.create(Person(1, "Ann"), Place(9, 90), "two_domains", request="open")
    assert isinstance(opened, Lobby)
    await service.lobbies.join(opened.row.id, Person(2, "Ben"), request="join")
    await service.lobbies.start(opened.row.id, 1, request="start")
    await service.play.offer_draw(opened.row.id, 1, request="offer")
    return opened.row.id
