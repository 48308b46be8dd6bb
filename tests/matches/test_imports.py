"""Records that people bring along: checked, kept as matches of theirs, and never played on."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.engine.match import verify
from games.engine.record import Record, RecordError, export, read
from matches.records import imports as module
from matches.records import verification
from matches.records.imports import ImportFault
from matches.results import Refused
from matches.store.rows import MatchRow
from tests.engine.toy_matches import opened as begun
from tests.engine.toy_matches import turn
from tests.matches.test_forks import over
from tests.matches.world import ANN, BOB, CYD, World, opened, played, refused
from tests.soak import examples

HEADERS = {"Date": "2026-03-01", "Seat 1": "Ada", "Seat 2": "A careful computer"}


def text(turns: int = 9, headers: dict[str, str] = HEADERS) -> str:
    """The record of a match of the toy game, over after three turns."""
    match = begun()
    for _ in range(turns):
        if match.ending is None:
            match = turn(match)
    return export(match.log, headers)


async def record_of(world: World, content: str) -> Record:
    found = await world.service.imports.read(content)
    assert isinstance(found, Record), found
    return found


async def kept(world: World, content: str, request: str = "i") -> MatchRow:
    row = await world.service.imports.keep(await record_of(world, content), ANN, request=request)
    assert isinstance(row, MatchRow), row
    return row


async def test_a_record_becomes_a_match_of_its_owner(world: World) -> None:
    row = await kept(world, text())
    assert (row.status, row.provenance.source, row.conditions.rated, row.host) == (
        "over",
        "import",
        False,
        ANN.id,
    )
    assert [(seat.user, seat.name) for seat in row.seats] == [
        (None, "Ada"),
        (None, "A careful computer"),
        (None, "Seat 3"),
    ]
    seen = await world.queries.current(row.id)
    assert not isinstance(seen, Refused)
    assert (seen.match.id, seen.match.hosting.recorded_as) == (row.id, "T-AAA")
    log = [one.entry for one in await world.store.log(row.id)]
    assert verify(log) == ()
    assert export(log, HEADERS) == text()
    came = await world.store.import_of(row.id)
    assert came is not None
    assert (came.headers, came.checksum) == (HEADERS, text().split()[-1])
    assert await world.store.by_user(ANN.id, ("over",)) == (row,)
    assert await world.store.by_user(BOB.id, ("over",)) == ()


async def test_the_same_record_gives_the_same_match_to_the_same_person(world: World) -> None:
    row = await kept(world, text())
    assert (await kept(world, text().replace("\n", "\r\n"), "again")).id == row.id
    assert (await kept(world, text(1), "other")).id != row.id
    theirs = await world.service.imports.keep(await record_of(world, text()), BOB, request="theirs")
    assert isinstance(theirs, MatchRow)
    assert theirs.id != row.id


async def test_an_unfinished_record_is_kept_but_never_played(world: World) -> None:
    row = await kept(world, text(1))
    assert (row.status, row.result) == ("over", None)
    service = world.service
    assert refused(await service.play.abort(row.id, ANN.id, request="a")) == "match.refuse.imported"
    assert refused(await service.play.submit(row.id, ANN.id, "card 1", request="b")) == (
        "match.refuse.imported"
    )
    assert refused(await service.rematches.open(row.id, ANN, request="c")) == "match.refuse.not_yours"
    assert await world.pass_time(days=400) == ()
    assert await world.queries.mine(ANN.id) == ()
    assert (await world.queries.row(row.id)) == row


@pytest.mark.parametrize("turns", [1, 9])
async def test_it_is_continued_from_any_move(world: World, turns: int) -> None:
    row = await kept(world, text(turns))
    lobby = opened(await world.service.forks.open(row, BOB, row.place, request="f", move=2)).row
    assert lobby.provenance.origin is not None
    assert (lobby.provenance.origin.match, lobby.provenance.origin.move) == (row.id, 2)
    for who in (ANN, CYD):
        await world.lobbies.join(lobby.id, who, request=world.new)
    started = played(await world.lobbies.start(lobby.id, BOB.id, request="s"))
    assert started.match.hosting.origin is not None
    assert started.match.hosting.origin.checksum == text(turns).split()[-1]
    end = await world.play_out(lobby.id, ANN, BOB, CYD)
    assert read(export(end.match.log)).match == end.match


async def test_the_record_of_a_match_played_here_is_that_match(world: World) -> None:
    source = await over(world)
    log = [one.entry for one in await world.store.log(source.id)]
    assert await world.service.imports.played_here(await record_of(world, export(log))) == source
    assert await world.service.imports.played_here(await record_of(world, text())) is None
    shorter = [entry for entry in log if entry.seq < 4]
    assert await world.service.imports.played_here(await record_of(world, export(shorter))) is None


async def test_a_record_is_no_way_to_guess_at_a_match_in_progress(world: World) -> None:
    """Someone could write what a match may hide into a record, and ask whether that is what is in its log."""
    row = (await world.match(ANN, BOB, game="toy", seats=2)).row
    log = [one.entry for one in await world.store.log(row.id)]
    record = await record_of(world, export(log))
    assert (await world.queries.row(row.id) or row).version == record.match.seq
    assert await world.service.imports.played_here(record) is None


async def test_a_doubled_request_and_the_limit(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    row = await kept(world, text())
    monkeypatch.setattr(module, "MAX_IMPORTS", 1)
    assert (await kept(world, text(), "again")).id == row.id
    more = await world.service.imports.keep(await record_of(world, text(1)), ANN, request="more")
    assert refused(more) == "match.import.many"


async def test_made_up_headers_are_kept_up_to_a_limit(world: World) -> None:
    bulk = {f"X{nth}": "y" * 60_000 for nth in range(15)} | {f"Z{nth}": "y" * 90 for nth in range(200)}
    row = await kept(world, text(headers={"Seat 1": "Ada", **bulk, "Seat 2": "Ben" * 5_000}))
    came = await world.store.import_of(row.id)
    assert came is not None
    assert 3_800 < sum(len(name) + len(value) for name, value in came.headers.items()) <= module.MAX_HEADERS
    assert came.headers["Seat 1"] == row.seats[0].name == "Ada"
    assert await world.store.size_of_imports(ANN.id) < 8_000
    log = [one.entry for one in await world.store.log(row.id)]
    assert read(export(log, came.headers)).match.seq == row.version


async def test_the_characters_of_all_imports_have_a_limit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = await kept(world, text())
    size = await world.store.size_of_imports(ANN.id)
    assert size > sum(len(one.entry.data) for one in await world.store.log(row.id))
    monkeypatch.setattr(module, "MAX_TOTAL", size)
    more = await world.service.imports.keep(await record_of(world, text(1)), ANN, request="more")
    assert refused(more) == "match.import.full"
    assert (await kept(world, text(), "again")).id == row.id, "what is there is found again"
    theirs = await world.service.imports.keep(await record_of(world, text(1)), BOB, request="theirs")
    assert isinstance(theirs, MatchRow)


async def test_what_is_wrong_is_said_with_its_line(world: World) -> None:
    found = await world.service.imports.read(text().replace("card", "cart", 1))
    assert isinstance(found, ImportFault)
    assert text().splitlines()[found.line - 1].startswith("2 ")
    assert found.why is not None


async def test_too_much_is_refused_with_its_line(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CHARACTERS", 100)
    assert await world.service.imports.read(text()) == ImportFault(1, "there are more than 100 characters")
    monkeypatch.setattr(module, "MAX_CHARACTERS", 10**6)
    monkeypatch.setattr(verification, "MAX_ENTRIES", 3)
    found = await world.service.imports.read(text())
    assert isinstance(found, ImportFault)
    assert text().splitlines()[found.line - 1].startswith("4 ")
    monkeypatch.setattr(verification, "MAX_ENTRIES", 10**4)
    monkeypatch.setattr(verification, "PATIENCE", -1.0)
    found = await world.service.imports.read(text())
    assert isinstance(found, ImportFault)
    assert text().splitlines()[found.line - 1].startswith("1 ")
    assert "too long" in found.reason


@settings(max_examples=examples(70), deadline=None)
@given(st.data())
def test_a_damaged_record_is_refused_or_read(data: st.DataObject) -> None:
    """Cuts, doubled parts and changed characters raise nothing but RecordError, with a line of the text."""
    content = text(data.draw(st.integers(0, 9)))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        end = min(len(content), at + data.draw(st.integers(0, 60)))
        piece = data.draw(
            st.sampled_from(
                ["", content[at:end] * 2, "\n", "\n\n", "9" * 5000, "[" * 3000, "Origin: {}", " !"]
            )
            | st.text(max_size=8)
        )
        content = content[:at] + piece + content[end:]
    line = 1
    try:
        record = read(content)
    except RecordError as error:
        line = error.line
    else:
        assert read(export(record.entries, record.headers)).match == record.match
    assert 1 <= line <= content.count("\n") + 2
