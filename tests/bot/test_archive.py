"""Finished matches, found again: page by page, filtered, looked at, and packed into one file."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from io import BytesIO
from typing import Any, get_args
from zipfile import ZipFile

import discord
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from simcord.builders import ChannelHandle

from bot.actions.records import archive as archive_file
from bot.messages.archive import ArchiveView, read_archive_view
from bot.messages.record_file import ArchiveFile, record_entry
from games.engine import record, registry
from matches.results import Played
from matches.store.archive import ArchiveMark, ArchiveQuery, ArchiveResult
from tests.bot.acts import rows_of
from tests.bot.stage import Stage, legal, shown, text_of
from tests.bot.test_match_access import begun, private_thread
from tests.bot.test_places import manager
from tests.fakes import START
from tests.storage.rows import lobby

pytestmark = pytest.mark.slow

TIMES = st.integers(1, 7_000_000_000_000).map(
    lambda ms: datetime.fromtimestamp(0, UTC) + timedelta(milliseconds=ms)
)
DAYS = st.none() | TIMES.map(lambda at: at.replace(hour=0, minute=0, second=0, microsecond=0))
MARKS = st.none() | st.builds(ArchiveMark, TIMES, st.sampled_from(["F-ABC234", "D-2HGATX"]))
QUERIES = st.builds(
    ArchiveQuery,
    game=st.none() | st.sampled_from([game.key for game in registry.all_games()]),
    opponent=st.none() | st.integers(1, 2**63 - 1),
    result=st.none() | st.sampled_from(get_args(ArchiveResult)),
    since=DAYS,
    until=DAYS,
)


@given(QUERIES, MARKS, st.booleans())
def test_a_button_carries_what_was_asked_for(
    query: ArchiveQuery, mark: ArchiveMark | None, newer: bool
) -> None:
    view = ArchiveView(query, mark, newer and mark is not None)
    assert read_archive_view(view.text) == view
    assert len(f"domb:archive:-:0:{view.text}") <= 100


@given(st.text(max_size=60) | st.text("0z.", min_size=5, max_size=60))
@example(".zzzzzzzzzzzzz......")
def test_what_no_button_of_ours_carries_is_read_all_the_same(text: str) -> None:
    view = read_archive_view(text)
    assert (view.query.opponent or 0) < 2**63


def test_a_clock_before_zip_files_does_no_harm() -> None:
    early = replace(lobby("F-7K2M9Q"), updated=datetime(1970, 1, 1, tzinfo=UTC))
    assert record_entry(early).date_time[0] == 1980


def test_a_file_takes_what_fits_and_says_so() -> None:
    small = ArchiveFile(limit=3000)
    rows = [lobby(f"F-{number}") for number in range(30)]
    assert not small.add([(row, "x" * 400) for row in rows])
    assert 1 < small.count < 30
    data = small.finish()
    assert len(data) <= 3000
    names = ZipFile(BytesIO(data)).namelist()
    assert names == [f"{START.date()} F-{number}.txt" for number in range(small.count)]


async def finished(stage: Stage, game: str, *, moves: int = 2) -> str:
    """A match of Ann and Ben that Ann gave up."""
    match, _ = await stage.open(stage.ann, stage.ben, game=game)
    play = stage.bot.context.service.play
    for number in range(moves):
        mover = await stage.mover(match)
        text = legal(await stage.match(match))[0]
        assert isinstance(await play.submit(match, mover.id, text, request=f"{match}{number}"), Played)
    assert isinstance(await play.resign(match, stage.ann.id, request=f"end {match}"), Played)
    await stage.later(seconds=60)
    return match


async def test_they_are_found_by_what_one_remembers(stage: Stage) -> None:
    focus = await finished(stage, "focus")
    other = await finished(stage, "dominance")
    live, _ = await stage.open(stage.ann, stage.ben)

    async def ask(**options: Any) -> Any:
        return await stage.ann.slash(stage.channel, "matches finished", **options)

    everything = shown(await ask())
    assert everything.content.startswith("Your finished matches, the latest first:")
    assert everything.content.index(other) < everything.content.index(focus)
    assert live not in everything.content
    assert f"lost: Focus against Ben `{focus}`" in everything.content
    assert live in text_of(await stage.ann.slash(stage.channel, "matches mine"))
    only = text_of(await ask(game="focus", opponent=stage.ben.user))
    assert focus in only
    assert other not in only
    assert "against" in only.splitlines()[1]
    assert "No finished match of yours fits that." in text_of(await ask(result="won"))
    assert "**won**" in text_of(await stage.ben.slash(stage.channel, "matches finished", result="won"))
    assert "No finished match" in text_of(await stage.eve.slash(stage.channel, "matches finished"))
    assert "No finished match" in text_of(await ask(until="2020"))
    assert focus in text_of(await ask(since="2020-01"))
    assert "tomorrow isn't a day" in text_of(await ask(since="tomorrow")).replace("`", "")
    replay = shown(await stage.ann.select(everything, [focus]))
    assert "The start" in replay.content
    direct = text_of(await stage.ann.user.slash("matches finished"))
    assert focus in direct


async def test_a_day_with_two_readings_is_asked_about(stage: Stage) -> None:
    year = stage.bot.context.clock.now().year
    said = text_of(await stage.ann.slash(stage.channel, "matches finished", since="5/6"))
    assert said == (f"That can be read in 2 ways: `{year}-06-05` or `{year}-05-06`. Type the one you mean.")
    known = text_of(await stage.ann.slash(stage.channel, "matches finished", since="25/12"))
    assert known.startswith("No finished match of yours fits that.\n-# since <t:")


async def test_pages_there_and_back_after_a_restart(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.actions.records.archive.PAGE", 1)
    ids = [await finished(stage, "focus", moves=0) for _ in range(3)]
    page = shown(await stage.ann.slash(stage.channel, "matches finished"))
    assert ids[2] in page.content
    assert rows_of(page)[-1] == ["Older"]
    await stage.restart()
    page = shown(await stage.ann.click(page, label="Older"))
    assert ids[1] in page.content
    assert rows_of(page)[-1] == ["Newer", "Older"]
    page = shown(await stage.ann.click(page, label="Older"))
    assert ids[0] in page.content
    assert rows_of(page)[-1] == ["Newer"]
    page = shown(await stage.ann.click(page, label="Newer"))
    assert ids[1] in page.content


async def test_finished_matches_are_suggested_while_typing(stage: Stage) -> None:
    match = await finished(stage, "toy", moves=0)

    async def suggested(text: str) -> list[Any]:
        found = await stage.ann.autocomplete(stage.channel, "replay record", "match", text)
        return [choice["value"] for choice in found]

    assert await suggested("") == await suggested(match[:3].lower()) == await suggested(match[2:5]) == [match]
    for text in ("ß", "\x00", "%", "a b", "f" * 100):  # PostgreSQL refuses a zero in a text
        assert await suggested(text) == []


async def packed(message: discord.Message) -> dict[str, str]:
    """The records in the file of a message."""
    (file,) = message.attachments
    with ZipFile(BytesIO(await file.read())) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


async def test_ones_own_records_in_one_file(stage: Stage) -> None:
    ids = [await finished(stage, game, moves=0) for game in ("focus", "two_domains", "toy")]
    await stage.open(stage.ann, stage.ben)
    message = shown(await stage.ann.slash(stage.channel, "matches archive"))
    assert "The records of your 3 finished matches." in message.content
    texts = await packed(message)
    assert [name.split()[1] for name in texts] == [f"{each}.txt" for each in reversed(ids)]
    for text in texts.values():
        assert record.read(text).match.ending is not None
        assert "Ann" in text
    assert "No finished match" in text_of(await stage.eve.slash(stage.channel, "matches archive"))
    await stage.ann.slash(stage.channel, "matches archive")
    assert "a lot of archives" in text_of(await stage.ann.slash(stage.channel, "matches archive"))


async def test_what_does_not_fit_is_named(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive_file, "MAX_MATCHES", 1)
    monkeypatch.setattr(archive_file, "_BATCH", 1)
    ids = [await finished(stage, "focus", moves=0) for _ in range(2)]
    message = shown(await stage.ann.slash(stage.channel, "matches archive"))
    assert list(await packed(message)) == [f"{(await stage.row(ids[1])).updated.date()} {ids[1]}.txt"]
    assert "There are more" in message.content


async def test_a_servers_records_are_for_those_who_manage_it(stage: Stage) -> None:
    match = await finished(stage, "focus")
    refused = text_of(await stage.eve.slash(stage.channel, "matches archive", whose="server"))
    assert "Only those who manage this server" in refused
    elsewhere = text_of(await stage.ann.user.slash("matches archive", whose="server"))
    assert "There is no server here" in elsewhere
    manager(stage)
    message = shown(await stage.ann.slash(stage.gallery, "matches archive", whose="server"))
    assert len(await packed(message)) == 1
    assert match in next(iter(await packed(message)))


async def ended(stage: Stage, place: ChannelHandle) -> str:
    """A match of Ann and Ben, played and given up in a thread."""
    match = await begun(stage, place)
    assert isinstance(
        await stage.bot.context.service.play.resign(match, stage.ann.id, request=f"end {match}"), Played
    )
    await stage.later(seconds=60)
    return match


async def test_matches_in_private_threads_are_for_those_who_see_the_thread(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await ended(stage, private_thread(stage, stage.ann, stage.ben, stage.cleo))
    manager(stage, stage.cleo, stage.dan)
    left = "One match is left out"
    none = text_of(await stage.dan.slash(stage.gallery, "matches archive", whose="server"))
    assert none.startswith("No finished match of this server that you can see")
    assert left in none
    member = shown(await stage.cleo.slash(stage.gallery, "matches archive", whose="server"))
    assert match in next(iter(await packed(member)))
    assert left not in member.content
    other = await finished(stage, "toy", moves=0)
    message = shown(await stage.dan.slash(stage.gallery, "matches archive", whose="server"))
    assert [name.split()[1] for name in await packed(message)] == [f"{other}.txt"]
    assert left in message.content
    monkeypatch.setattr(archive_file, "MAX_THREADS", 0)  # so many that Discord isn't asked
    assert left in text_of(await stage.cleo.slash(stage.gallery, "matches archive", whose="server"))
