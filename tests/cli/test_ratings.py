"""`dominium ratings rebuild` gives from the logs what matches gave when they ended, to the last bit."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from matches.people.moderation import Ruling, SeatHeld
from matches.ports import Store
from matches.results import Lobby, Person, Played
from matches.service import MatchService
from matches.store.rows import MatchRow, Place
from storage import open_either
from tests.cli.conftest import Run
from tests.fakes import FakeClock, FakeEntropy

PEOPLE = [Person(n, name) for n, name in enumerate(("Ann", "Ben", "Cleo", "Dan"), 1)]


async def fill(where: Path | str) -> None:
    """Some thirty matches that end in different ways, and one that goes on; Dan is forgotten."""
    clock, dice = FakeClock(), Random(4)
    store = await open_either(where, clock=clock)
    service = MatchService(store, clock, FakeEntropy(), max_open_per_user=100)
    for number in range(32):
        await play(service, number, dice.sample(PEOPLE, dice.choice((2, 2, 3))))
        clock.advance(timedelta(hours=dice.choice((0, 1, 30))))
    await against_computer(service)
    assert len(await store.by_status("over")) == 32
    await store.begin_erasure(4, -4, clock.now())
    assert await store.erase(4, clock.now(), even_playing=True)
    await store.close()


async def play(service: MatchService, number: int, people: list[Person]) -> None:
    """A match of the toy game."""
    place = Place((None, 8, 9)[number % 3], 90)
    how: dict[str, Any] = {"seats": len(people), "options": {"rounds": 2 + number % 2}, "rated": True}
    opened = await service.lobbies.create(people[0], place, "toy", request=f"o{number}", **how)
    assert isinstance(opened, Lobby)
    match = opened.row.id
    for guest in people[1:]:
        await service.lobbies.join(match, guest, request=f"j{number} {guest.id}")
    assert isinstance(await service.lobbies.start(match, people[0].id, request=f"s{number}"), Played)
    for step in range(0 if number % 7 == 3 else 2):
        for who in people:
            for text in (await service.queries.legal(match, who.id))[:1]:
                await service.play.submit(match, who.id, text, request=f"m{number} {step} {who.id}")
    if number in (7, 11):  # two and three seats, in a server, after two of three rounds
        row = await service.queries.row(match)
        assert row is not None
        assert row.place.guild is not None
        ruling = Ruling(row.place.guild, 77, "a quarrel", f"r{number}")
        held = SeatHeld(0, row.seats[0].user)
        moderation = service.moderation
        ended = await (
            moderation.award(match, ruling, held) if number == 7 else moderation.draw(match, ruling)
        )
        assert isinstance(ended, MatchRow), ended
        return
    for nth, who in enumerate(people[:-1] if number < 31 else ()):
        await service.play.resign(match, who.id, request=f"r{number} {nth}")


async def against_computer(service: MatchService) -> None:
    """A rated match against a computer whose strength is known."""
    place, ann = Place(8, 90), PEOPLE[0]
    opened = await service.lobbies.create(ann, place, "dominance", request="oc", rated=True)
    assert isinstance(opened, Lobby)
    match = opened.row.id
    await service.lobbies.add_computer(match, ann.id, request="ac", level="hard")
    assert isinstance(await service.lobbies.start(match, ann.id, request="sc"), Played)
    while not (legal := await service.queries.legal(match, ann.id)):
        await service.computers.run(match)
    assert isinstance(await service.play.submit(match, ann.id, legal[0], request="mc"), Played)
    assert isinstance(await service.play.resign(match, ann.id, request="rc"), Played)


def look(run: Run, *where: str, spoil: str = "") -> None:
    """Compare, while nothing differs."""
    done = run("ratings", "rebuild", *where)
    assert done.exit_code == 0, done.output
    assert "32 results" in done.output
    assert "as the logs give them" in done.output


async def standing(where: Path | str) -> object:
    """All ratings and results."""
    store: Store = await open_either(where, clock=FakeClock())
    found = [await store.ratings_of(user) for user in (1, 2, 3, -4)]
    results = [await store.match_result(row.id) for row in await store.by_status("over")]
    await store.close()
    return found, sorted(results, key=repr)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file that is filled once."""
    path = tmp_path_factory.mktemp("filled") / "x.sqlite3"
    asyncio.run(fill(path))
    return path


@pytest.fixture
def path(filled: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(filled, tmp_path))


def test_of_a_file(run: Run, path: Path) -> None:
    look(run, "--database", str(path))


def test_progress_is_shown_on_a_terminal_and_only_there(
    run: Run, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ("ratings", "rebuild", "--database", str(path))
    quiet = run(*command)
    assert quiet.stderr == ""
    monkeypatch.setenv("FORCE_COLOR", "1")  # as if stderr were a terminal
    monkeypatch.setattr("cli.ratings.SHOWN_EACH", 10)
    seen = run(*command)
    assert "30/?" in seen.stderr, "of 32 matches"
    assert "matches" in seen.stderr
    assert seen.stdout == quiet.stdout
    monkeypatch.setenv("TERM", "dumb")
    assert run(*command).stderr == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "named"),
    [
        ("UPDATE ratings SET mu = mu + 1 WHERE user = 1 AND scope = 0", "toy 2"),
        ("UPDATE rating_changes SET new_mu = new_mu - 1 WHERE user = 2", "W-"),
        ("UPDATE match_results SET place = 9 WHERE user = 3", "W-"),
        ("DELETE FROM match_results WHERE user = 3", "W-"),
        ("DELETE FROM ratings", "toy 3"),
    ],
)
def test_what_differs_is_named_and_replaced(run: Run, path: Path, spoil: str, named: str) -> None:
    before = asyncio.run(standing(path))
    with closing(sqlite3.connect(path)) as db, db:
        assert db.execute(spoil).rowcount
    done = run("ratings", "rebuild", "--database", str(path))
    assert done.exit_code == 2
    assert named in done.output
    assert "--write" in done.output
    assert run("ratings", "rebuild", "--write", "--database", str(path)).exit_code == 0
    assert asyncio.run(standing(path)) == before
    look(run, "--database", str(path))


def test_beside_a_bot_that_runs_nothing_is_replaced(run: Run, path: Path) -> None:
    async def meanwhile() -> None:
        store = await open_either(path, clock=FakeClock())
        await asyncio.to_thread(look, run, "--database", str(path))
        done = await asyncio.to_thread(run, "ratings", "rebuild", "--write", "--database", str(path))
        await store.close()
        assert done.exit_code == 2
        assert "in use" in done.output or "uses it" in done.output or "open" in done.output

    asyncio.run(meanwhile())


@pytest.mark.slow
def test_postgresql_gives_the_same_as_a_file(
    run: Run, path: Path, ready_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(fill(ready_database))
    assert asyncio.run(standing(ready_database)) == asyncio.run(standing(path))
    monkeypatch.setenv("DATABASE_URL", ready_database)
    look(run)
    assert run("ratings", "rebuild", "--write").exit_code == 0
    assert asyncio.run(standing(ready_database)) == asyncio.run(standing(path))


def test_what_ratings_predict_is_printed_for_each_number_of_sides(run: Run) -> None:
    done = run("ratings", "calibrate", "--people", "20", "--matches", "6")
    assert done.exit_code == 0, done.output
    heads = [line for line in done.output.splitlines() if "rank correlation" in line]
    assert [line.partition(" (")[0] for line in heads[:2]] == ["2 seats", "3 seats"]
    assert any(line.startswith("4 seats in teams of 2 (") for line in heads)
    assert done.output.count("predicted") >= len(heads) - 1
    again = run("ratings", "calibrate", "--people", "20", "--matches", "6")
    assert again.output == done.output, "the same seed"
