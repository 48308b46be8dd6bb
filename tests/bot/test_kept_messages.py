"""Messages that are kept current, of each kind: one message, edited when it reads differently, never two.

A server's front page, its list of live matches, and the message of a tournament.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import discord
import pytest

from storage import SqliteStore
from tests.bot.ping_acts import direct
from tests.bot.stage import Stage, words_of
from tests.bot.test_server_panel import put
from tests.bot.test_showcase import choose, edits, minute, ours

pytestmark = pytest.mark.slow
UNUSABLE = [(403, 50001), (403, 50013), (404, 10003)]


@dataclass(frozen=True)
class Kept:
    """A kind of message: how it comes into the gallery, what changes it, and how it is recorded."""

    post: Callable[[Stage], Awaitable[Any]]
    change: Callable[[Stage], Awaitable[Any]]
    record: str
    """The call of the store that records the message."""


async def cup(stage: Stage) -> None:
    await stage.ann.slash(stage.gallery, "tournament create", title="x", game="focus", format="swiss")
    await stage.later(seconds=16)


KINDS = {
    "panel": Kept(
        lambda stage: put(stage, stage.gallery),
        lambda stage: stage.open(stage.ann, start=False),
        "note_showcase",
    ),
    "showcase": Kept(
        lambda stage: choose(stage, stage.gallery),
        lambda stage: stage.open(stage.ann, stage.ben),
        "note_showcase",
    ),
    "tournament": Kept(
        cup,
        lambda stage: stage.ann.slash(stage.gallery, "tournament computer", level="random"),
        "note_tournament_shown",
    ),
}
LISTS = ("panel", "showcase")
"""Those whose end is told to the people who can put it right."""


def the_message(stage: Stage) -> discord.Message:
    """The only message of ours in the gallery."""
    (found,) = ours(stage.gallery)
    return found


async def posted(stage: Stage, kind: str) -> discord.Message:
    """Post it."""
    await KINDS[kind].post(stage)
    return the_message(stage)


async def changed(stage: Stage, kind: str) -> None:
    """Change what it says, and let it be brought up to date."""
    await KINDS[kind].change(stage)
    await minute(stage)


def refuse(stage: Stage, status: int, code: int | None = None, **how: Any) -> None:
    """Let Discord refuse edits in the gallery."""
    path = f"/channels/{stage.gallery.id}/messages/*"
    about: dict[str, Any] = {} if code is None else {"code": code, "message": "No"}
    stage.env.inject_error("PATCH", path, status=status, **about, **how)


@pytest.mark.parametrize("kind", KINDS)
async def test_it_is_edited_when_it_reads_differently_and_not_otherwise(stage: Stage, kind: str) -> None:
    first = await posted(stage, kind)
    await minute(stage)
    await stage.restart()
    await minute(stage)
    assert edits(stage) == 0
    await changed(stage, kind)
    after = the_message(stage)
    assert after.id == first.id
    assert words_of(after) != words_of(first)
    assert edits(stage) == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_deleted_one_is_posted_anew(stage: Stage, kind: str) -> None:
    first = await posted(stage, kind)
    await stage.remove(first)
    await changed(stage, kind)
    assert the_message(stage).id != first.id


@pytest.mark.parametrize("kind", KINDS)
async def test_one_deleted_while_we_were_away_is_posted_anew(stage: Stage, kind: str) -> None:
    first = await posted(stage, kind)
    refuse(stage, 404, 10008)
    await changed(stage, kind)
    assert len(ours(stage.gallery)) == 2, "only the answer said that the first is gone"
    assert first.id in {message.id for message in ours(stage.gallery)}


@pytest.mark.parametrize("kind", KINDS)
async def test_one_too_old_to_be_edited_is_posted_anew(stage: Stage, kind: str) -> None:
    first = await posted(stage, kind)
    refuse(stage, 429, 30046)
    await changed(stage, kind)
    assert the_message(stage).id != first.id


@pytest.mark.parametrize("kind", KINDS)
async def test_killed_between_post_and_record_it_is_found_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    note = getattr(SqliteStore, KINDS[kind].record)

    async def dies(self: SqliteStore, *values: Any) -> Any:
        if kind == "tournament" or values[0].message is not None:
            raise OSError("the process was killed here")
        return await note(self, *values)

    monkeypatch.setattr(SqliteStore, KINDS[kind].record, dies)
    first = await posted(stage, kind)
    monkeypatch.undo()
    await stage.restart()
    await minute(stage)
    await changed(stage, kind)
    assert the_message(stage).id == first.id


@pytest.mark.parametrize("kind", KINDS)
async def test_an_outage_passes(stage: Stage, kind: str) -> None:
    first = await posted(stage, kind)
    refuse(stage, 503, times=2)
    await changed(stage, kind)
    await minute(stage)
    await minute(stage)
    assert the_message(stage).id == first.id
    assert words_of(the_message(stage)) != words_of(first)


@pytest.mark.parametrize("kind", LISTS)
async def test_a_list_is_edited_at_most_once_a_minute(stage: Stage, kind: str) -> None:
    await posted(stage, kind)
    await minute(stage)
    for _ in range(3):
        await KINDS[kind].change(stage)
        await stage.later(seconds=10)
    await stage.later(seconds=20)
    assert edits(stage) == 1
    await minute(stage)
    assert edits(stage) == 2


@pytest.mark.parametrize("kind", LISTS)
@pytest.mark.parametrize(("status", "code"), UNUSABLE)
async def test_a_channel_that_can_not_be_used_is_told_once_then_off(
    stage: Stage, kind: str, status: int, code: int
) -> None:
    await posted(stage, kind)
    refuse(stage, status, code, times=None)
    for _ in range(2):
        await changed(stage, kind)
        assert await stage.bot.context.store.showcases() == ()
    (told,) = [m.content for m in direct(stage.ann) if f"(error {code})" in m.content]
    assert f"in {stage.gallery.mention}" in told


@pytest.mark.parametrize(("status", "code"), UNUSABLE)
async def test_a_tournament_whose_channel_can_not_be_used_tries_again_with_its_next_change(
    stage: Stage, status: int, code: int
) -> None:
    first = await posted(stage, "tournament")
    refuse(stage, status, code)
    await changed(stage, "tournament")
    await minute(stage)
    assert edits(stage) == 1, "nothing is tried while nothing changes"
    await changed(stage, "tournament")
    assert the_message(stage).id == first.id
    assert words_of(the_message(stage)) != words_of(first)


@pytest.mark.parametrize("kind", LISTS)
async def test_a_picture_that_is_refused_leaves_the_text(stage: Stage, kind: str) -> None:
    if kind == "showcase":
        await stage.open(stage.ann, stage.ben)
    path = f"/channels/{stage.gallery.id}/messages"
    stage.env.inject_error("POST", path, status=400, code=40005, message="Too large")
    await KINDS[kind].post(stage)
    await minute(stage)
    assert not the_message(stage).attachments
