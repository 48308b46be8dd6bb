"""What the watched backend adds to SimCord's: threads that fall asleep, records that come back."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from simcord.backend.models import AllowedMentions, Message, Overwrite, Reaction, SystemMessageMetadata
from simcord.enums import OverwriteType

from sandbox import worldfile
from sandbox.backend import WatchedBackend
from sandbox.worldfile import WorldFile, WorldFileError

DAY = 86400.0


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[WatchedBackend]:
    """A backend with nothing in it but the bot."""
    file = WorldFile(tmp_path / "sandbox.world")
    yield WatchedBackend(file, lambda _what, _channel, _message: None)
    file.close()


def test_a_thread_that_was_opened_again_stays_open_for_its_time(backend: WatchedBackend) -> None:
    guild = backend.create_guild("House")
    parent = backend.create_channel(guild.id, "games")
    thread = backend.create_thread(parent.id, "match", backend.bot_user.id)

    def archived() -> bool:
        return thread.thread_metadata is not None and thread.thread_metadata.archived

    backend.advance_clock(DAY - 60)
    backend.tidy()
    assert not archived()
    backend.advance_clock(60)
    backend.tidy()
    assert archived()
    backend.edit_channel(thread.id, {}, thread_metadata={"archived": False})
    backend.tidy()
    assert not archived()
    backend.advance_clock(DAY)
    backend.tidy()
    assert archived()


def test_a_locked_thread_is_not_opened_by_a_message(backend: WatchedBackend) -> None:
    guild = backend.create_guild("House")
    parent = backend.create_channel(guild.id, "games")
    thread = backend.create_thread(parent.id, "match", backend.bot_user.id)
    for locked in (False, True):
        state = {"archived": True, "locked": locked}
        backend.edit_channel(thread.id, {}, thread_metadata=state)
        backend.create_message(thread.id, backend.bot_user.id, "hello")
        assert thread.thread_metadata is not None
        assert thread.thread_metadata.archived is locked


def test_records_come_back_as_they_were(backend: WatchedBackend) -> None:
    guild = backend.create_guild("House")
    parent = backend.create_channel(guild.id, "games")
    parent.overwrites.append(Overwrite(guild.id, OverwriteType.ROLE, allow=1, deny=2))
    thread = backend.create_thread(parent.id, "match", backend.bot_user.id)
    message = Message(
        5,
        thread.id,
        7,
        "text",
        reactions=[Reaction("🎲", [7])],
        allowed_mentions=AllowedMentions(everyone=False, users=frozenset({7, 9}), roles=None),
        system_metadata=SystemMessageMetadata(channel_id=thread.id),
        components=[{"type": 1, "components": []}],
    )
    assert worldfile.thaw_message(worldfile.freeze_message(message)) == message
    for channel in (parent, thread):
        assert worldfile.thaw_channel(worldfile.freeze_channel(channel)) == channel
    assert worldfile.thaw_user(worldfile.freeze_user(backend.bot_user)) == backend.bot_user
    again = worldfile.thaw_guild(worldfile.freeze_guild(guild))
    assert (again.roles, again.members, again.name) == (guild.roles, guild.members, guild.name)


def test_uploads_are_a_mapping(tmp_path: Path) -> None:
    file = WorldFile(tmp_path / "sandbox.world")
    uploads = file.uploads
    uploads["a"] = b"\x00\xff"
    uploads["b"] = b""
    assert dict(uploads) == {"a": b"\x00\xff", "b": b""}
    del uploads["a"]
    with pytest.raises(KeyError):
        del uploads["a"]
    assert (len(uploads), uploads.get("a")) == (1, None)
    file.close()


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (sqlite3.SQLITE_BUSY, "in use by another sandbox"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "can't be written"),
        (sqlite3.SQLITE_CANTOPEN, "can't be written"),
        (sqlite3.SQLITE_FULL, "can't be used now"),
        (sqlite3.SQLITE_NOTADB, "is damaged"),
    ],
)
def test_why_a_world_cannot_be_opened_is_told_by_the_code_and_not_by_sqlites_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, says: str
) -> None:
    def fail(file: WorldFile) -> None:
        error = sqlite3.OperationalError("in other words")
        error.sqlite_errorcode = code
        raise error

    monkeypatch.setattr(WorldFile, "_open", fail)
    with pytest.raises(WorldFileError, match=says):
        WorldFile(tmp_path / "sandbox.world")
