"""`dominium rehearse`: it sees the tests' Discord as it is, names each deviation, and cleans up."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiohttp
import pytest
from click.testing import CliRunner

from cli import main
from cli.rehearse import _plan, later, rehearsal
from cli.rehearse.facts import FACTS, expectations
from cli.rehearse.rehearsal import Observation, report
from cli.rehearse.stage import NAME, NEEDED, NotAllowedError, NotTriedError
from tests.cli.rehearsing import (
    HISTORY,
    MESSAGE,
    RIGHTS,
    Deviation,
    another,
    channels,
    findings,
    rehearsing,
    strays,
)
from tests.discord_facts import KNOWN, observations
from tests.loopback import BotProcess, LoggedRequest, Moment

ROOT = Path(__file__).parents[2]
THREADS = r"/channels/\d+/threads"


def refused(fact: str, path: str, status: int, code: int, *, method: str = "POST", **more: Any) -> Deviation:
    """A refusal by another status or code."""
    return Deviation(fact, method, path, status=status, code=code, **more)


def holds(text: str) -> Callable[[dict[str, Any]], bool]:
    """Return whether a body has this text somewhere."""
    return lambda body: text in json.dumps(body)


def without(*fields: str) -> Callable[[Any], Any]:
    """Leave fields out of an object, or of each in a list."""

    def change(body: Any) -> Any:
        if isinstance(body, list):
            return [change(one) for one in body]
        return {key: value for key, value in body.items() if key not in fields}

    return change


def with_data(**fields: Any) -> Callable[[Any], Any]:
    """Set fields of an event's data."""
    return lambda frame: frame | {"d": frame["d"] | fields}


def with_attachment(**fields: Any) -> Callable[[Any], Any]:
    """Set fields of a message's files."""
    return lambda body: body | {"attachments": [one | fields for one in body["attachments"]]}


def without_data(*fields: str) -> Callable[[Any], Any]:
    """Leave fields out of an event's data."""
    return lambda frame: frame | {"d": without(*fields)(frame["d"])}


def without_target(frame: Any) -> Any:
    """Leave the text out of the message that a command was used on."""
    for message in frame["d"]["data"].get("resolved", {}).get("messages", {}).values():
        message["content"] = ""
    return frame


def readable_replies(frame: Any) -> Any:
    """Give each reply a text that can be read."""
    return with_data(content="read")(frame) if frame["d"]["type"] == 19 else frame


PERSONAL = ("late-answer", "form", "quiet-reply", "message-command", "forward")
CALLBACK = r"/interactions/.*/callback"
OTHERWISE = {
    "empty-post": "400 50035",
    "long-text": "1500, then 400 50035",
    "long-alt-text": "2000, then 400 50109",
    "large-file": "12, then 413 40005",
    "large-request": "400 40005",
    "long-nonce": "32, then 400 50035",
    "long-thread-name": "90, then 400 50035",
    "odd-archive-time": "400 50001",
    "six-buttons": "4, then 400 50035",
    "six-rows": "4, then 400 50035",
    "long-custom-id": "60, then 400 50035",
    "long-label": "34, then 400 50035",
    "empty-button": "200",
    "many-options": "20, then 400 50109",
    "long-placeholder": "100, then 400 50035",
    "large-layout": "30, then 400 50035",
    "long-layout": "3000, then 400 50035",
    "layout-with-text": "400 50109",
    "layout-without-flag": "400 50006",
    "same-custom-id": "400 50109",
    "same-value": "400 50109",
    "reply-to-deleted": "404 10008",
    "empty-edit": "400 50035",
    "gone-message": "404 10003, 403 50001, 404 10008",
    "unknown-channel": "403 50001",
    "unknown-server": "404 10004",
    "unknown-person": "400 50007",
    "unknown-interaction": "404 10015",
    "wrong-token": "403 0",
    "history": "[2, 3, 4], guild_id no, member no",
    "rate-headers": "Limit, Remaining, Reset-After",
    "limit": "429, wait yes, header yes, scope shared",
    "nonce-twice": "another",
    "nonce-elsewhere": "another",
    "nonce-unenforced": "same",
    "nonce-after-3-min": "another",
    "nonce-after-6-min": "same",
    "edits-of-old-messages": "12 edits, then 429 30047",
    "thread-of-message": "same id yes, then 403 50013",
    "thread-in-thread": "400 50035",
    "post-wakes": "400 50083, archived yes",
    "edit-in-archived": "200",
    "reaction-in-archived": "403 50083",
    "deletion-in-archived": "400 50083",
    "name-of-archived": "200",
    "waking": "403 50013",
    "locked-thread": "400 50083, 403 160005",
    "locked-for-managers": "403 160005",
    "own-thread": "403 50013, 200",
    "post-in-forum": "400 50024",
    "forum-tag": "400 50035",
    "silenced": "403 50001",
    "silenced-in-threads": "200, 403 50001",
    "no-history": "200, empty yes, reply 403 160002",
    "no-files": "403 50001",
    "no-new-threads": "403 50001",
    "unknown-session": "op 9, True",
    "wrong-token-at-the-gateway": "closed with 4003",
    "event-of-deleted-thread": "guild_id, id",
    "late-answer": "404 10015",
    "form": "400 50035, 400 50035, 204, 204, 409 40060",
}
"""Facts that the tests' Discord takes from a file, with words that differ from what is expected."""
DEVIATIONS = (
    refused("empty-post", HISTORY, 400, 50035, when=lambda body: body == {"content": ""}),
    Deviation("long-text", "POST", HISTORY, holds("x" * 2001), change=lambda body: {"id": "1"}),
    Deviation("picture", "POST", HISTORY, holds("by five"), change=with_attachment(description=None)),
    Deviation("picture", "GET", MESSAGE, change=with_attachment(content_type="application/octet-stream")),
    Deviation("picture-by-edit", "PATCH", MESSAGE, change=with_attachment(width=8)),
    Deviation(
        "withdrawal", "PATCH", MESSAGE, holds("your turn"), change=lambda body: body | {"mentions": [{}]}
    ),
    refused("large-request", HISTORY, 400, 50035, when=holds("files")),
    refused("long-label", HISTORY, 400, 50035, when=holds("x" * 61)),
    refused("long-alt-text", HISTORY, 400, 50006, when=holds("x" * 1025)),
    refused("large-file", HISTORY, 400, 40005, when=holds("large")),
    Deviation(
        "silent-flag", "POST", HISTORY, holds('"flags": 4096'), change=lambda body: body | {"flags": 0}
    ),
    Deviation("reply", "POST", HISTORY, holds("second"), change=lambda body: body | {"type": 0}),
    refused("reply-to-deleted", HISTORY, 400, 10008, when=holds('"content": "reply"')),
    refused("tolerant-reply", HISTORY, 400, 50035, when=holds("fail_if_not_exists")),
    refused("empty-edit", MESSAGE, 400, 50035, method="PATCH", when=lambda body: body == {"content": ""}),
    refused("gone-message", MESSAGE, 404, 10003, method="PATCH", when=holds("later")),
    refused("unknown-channel", "/channels/123456789012345678/messages", 403, 50001),
    refused("unknown-server", "/guilds/123456789012345678", 404, 10004, method="GET"),
    refused("unknown-person", "/users/@me/channels", 400, 50007),
    refused("unknown-interaction", "/interactions/.*", 404, 10015),
    Deviation("mention", "POST", HISTORY, holds("@everyone"), change=lambda body: body | {"mentions": []}),
    Deviation("history", "GET", HISTORY, change=lambda body: body[::-1] if isinstance(body, list) else body),
    Deviation("history", "GET", HISTORY, change=lambda body: [one | {"guild_id": "1"} for one in body]),
    Deviation("own-text", "GET", MESSAGE, change=lambda body: body | {"content": ""}),
    refused("six-buttons", HISTORY, 400, 50006, when=holds("rehearsal:5")),
    refused("same-custom-id", HISTORY, 200, 0, when=lambda body: json.dumps(body).count("rehearsal:1") == 2),
    refused("many-options", HISTORY, 400, 50001, when=holds("Choice 25")),
    Deviation("layout", "POST", HISTORY, holds("17"), change=lambda body: body | {"content": "a layout"}),
    refused("layout-with-text", HISTORY, 400, 50109, when=holds("beside")),
    refused("layout-by-edit", MESSAGE, 400, 50035, method="PATCH", when=holds("a layout")),
    refused("thread-of-message", rf"{MESSAGE}/threads", 400, 50035, when=holds("second")),
    refused("thread-in-thread", THREADS, 403, 50013, when=holds('"in"')),
    refused("odd-archive-time", THREADS, 400, 50001, when=holds("61")),
    refused(
        "edit-in-archived", MESSAGE, 403, 50083, method="PATCH", when=lambda body: body == {"content": "new"}
    ),
    refused("reaction-in-archived", rf"{MESSAGE}/reactions/.*", 400, 50001, method="PUT"),
    refused("waking", r"/channels/\d+", 400, 50083, method="PATCH", when=holds('"archived": false')),
    refused("locked-thread", HISTORY, 400, 160005, when=holds("late")),
    refused(
        "own-thread",
        r"/channels/\d+",
        403,
        50013,
        method="PATCH",
        when=lambda body: body == {"name": "renamed"},
    ),
    refused("post-in-forum", HISTORY, 400, 50024, when=holds("in a forum")),
    Deviation("forum-post", "POST", THREADS, holds("message"), change=lambda body: body | {"id": "5"}),
    refused("forum-tag", THREADS, 400, 50035, when=holds("first")),
    refused("silenced", HISTORY, 403, 50001, when=holds("x")),
    refused("no-files", HISTORY, 400, 50013, when=lambda body: body == {"content": "x"}),
    refused("no-new-threads", THREADS, 403, 50001, when=holds('"thread"')),
    Deviation("nonce-read-later", "POST", HISTORY, holds("nonce"), change=without("nonce")),
    Deviation("ready", event="READY", change=without_data("resume_gateway_url")),
    Deviation("told-of-channels", event="GUILD_CREATE", change=with_data(threads=[])),
    Deviation("event-of-message", event="MESSAGE_CREATE", change=without_data("nonce")),
    Deviation("event-of-edit", event="MESSAGE_UPDATE", change=without_data("content")),
    Deviation("event-of-deletion", event="MESSAGE_DELETE", change=lambda frame: None),
    Deviation("event-of-deleted-thread", event="THREAD_DELETE", change=with_data(name="thread")),
    Deviation("event-of-archiving", event="THREAD_UPDATE", change=lambda frame: None),
    Deviation("edits-of-old-messages", "PATCH", MESSAGE, holds("edit 7"), status=429, code=30046),
    refused("late-answer", CALLBACK, 404, 10015, when=holds('"late"')),
    refused("form", CALLBACK, 400, 50006, when=holds("x" * 46)),
    Deviation("quiet-reply", event="MESSAGE_CREATE", change=readable_replies),
    Deviation("message-command", event="INTERACTION_CREATE", change=without_target),
    Deviation("forward", event="MESSAGE_CREATE", change=without_data("message_snapshots")),
    Deviation("resume", event="RESUMED", change=lambda frame: frame | {"t": "READY"}),
)


def words(found: list[Observation]) -> dict[str, list[str]]:
    """Return the keys of facts by what was found."""
    kinds: dict[str, list[str]] = {"same": [], "different": [], "not tried": []}
    for finding in found:
        kinds[finding.word].append(finding.fact.key)
    return kinds


@dataclass
class Rehearsed:
    """A rehearsal of all facts with a person, where nothing is planted."""

    found: list[Observation]
    secrets: tuple[str, ...]
    strays: list[str]
    """What a next start wouldn't have removed, had the rehearsal been killed at any of its requests."""
    touched: list[str]
    """Requests to channels that aren't the rehearsal's own."""
    left: list[str]


@pytest.fixture(scope="module")
def rehearsed() -> Rehearsed:
    """Rehearse once for all tests of this file."""
    return asyncio.run(_rehearsed())


async def _rehearsed() -> Rehearsed:
    async with rehearsing(with_person=True) as (server, stage):
        others, before = set(server.world.backend.channels), channels(server, stage)
        found_strays: list[str] = []

        async def look(moment: Moment, request: LoggedRequest) -> None:
            found_strays.extend(strays(server, stage, others))

        server.on_request = look
        found = await findings(stage)
        assert server.gaps == []
        touched = [one.path for one in server.requests if any(f"/{theirs}" in one.path for theirs in others)]
        left = channels(server, stage)
        left.remove(*before)
        left += [str(one) for one in server.world.backend.commands.get(stage.guild, {}).values()]
        assert len(server.requests) < 500
        secrets = (server.token, str(stage.guild), stage.bot, stage.channel, "Dominium")
        return Rehearsed(found, secrets, found_strays, touched, left)


def differing(rehearsed: Rehearsed) -> dict[str, tuple[str | None, str]]:
    """Return the facts in which the tests' Discord differs, with what it does and what Discord does."""
    seen = expectations() | {fact: one.what for fact, one in observations().items()}
    found = {one.fact.key: one.observed for one in rehearsed.found}
    return {one.key: (found[one.key], seen[one.key]) for one in FACTS if found[one.key] != seen[one.key]}


def test_the_tests_discord_does_what_discord_does(rehearsed: Rehearsed) -> None:
    assert differing(rehearsed) == {}


def test_what_was_seen_on_discord_are_facts_of_a_rehearsal() -> None:
    assert observations().keys() <= expectations().keys() == {one.key for one in FACTS}
    assert len({one.key for one in FACTS}) == len(FACTS)


def test_with_nothing_planted_everything_is_the_same_and_removed(rehearsed: Rehearsed) -> None:
    assert words(rehearsed.found)["same"] == [one.fact.key for one in rehearsed.found]
    assert len(rehearsed.found) == len(FACTS)
    assert (rehearsed.strays, rehearsed.touched, rehearsed.left) == ([], [], [])


def test_the_file_has_no_ids_names_and_tokens(rehearsed: Rehearsed) -> None:
    odd = Observation(FACTS[0], None, None, f"no answer at /channels/{rehearsed.secrets[3]}/messages")
    seen = json.dumps(report([*rehearsed.found, odd], "2026-01-02"))
    assert [secret for secret in rehearsed.secrets if secret in seen] == []


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda one: f"{one.fact}-{one.event or one.method}")
async def test_a_planted_deviation_is_named(deviation: Deviation, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = PERSONAL if deviation.fact in PERSONAL else (deviation.fact,)
    monkeypatch.setattr(rehearsal, "FACTS", [one for one in FACTS if one.key in tried])
    wants_person = deviation.fact in PERSONAL
    async with rehearsing(deviation=deviation, with_person=wants_person) as (_, stage):
        kinds = words(await findings(stage))
    assert kinds["different"] == [deviation.fact]
    assert sorted(kinds["same"]) == sorted({*tried} - {deviation.fact})


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("fact", OTHERWISE)
async def test_the_tests_discord_takes_another_value_from_a_file(
    fact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = PERSONAL if fact in PERSONAL else (fact,)
    monkeypatch.setattr(rehearsal, "FACTS", [one for one in FACTS if one.key in tried])
    monkeypatch.setitem(KNOWN, fact, OTHERWISE[fact])
    async with rehearsing(with_person=fact in PERSONAL) as (_, stage):
        found = {one.fact.key: one.observed for one in await findings(stage)}
    assert found[fact] == OTHERWISE[fact]


@pytest.mark.slow
@pytest.mark.asyncio
@pytest.mark.parametrize("requests", [8, 20, 90, 220])
async def test_what_a_killed_rehearsal_left_is_removed_at_the_next_start(requests: int) -> None:
    async with rehearsing() as (server, stage):
        before = channels(server, stage)

        async def die(moment: Moment, request: LoggedRequest) -> bool:
            return request.number < requests

        server.on_request = die
        with contextlib.suppress(aiohttp.ClientError):
            await findings(stage)
        assert not stage.clean
        left = channels(server, stage)
        assert left != before
        server.on_request = None
        again = another(stage)
        await again.look()
        assert again.left == left.count(NAME) - len(before)
        await again.enter()
        assert channels(server, stage) == [*before, NAME]
        assert await again.leave()
        assert channels(server, stage) == before == [NAME]


@pytest.mark.process
@pytest.mark.asyncio
async def test_what_is_stopped_by_ctrl_c_is_removed_at_once_and_what_is_killed_at_the_next_start() -> None:
    async with rehearsing() as (server, stage):
        command = [sys.executable, "-m", "cli", "rehearse", "--server", str(stage.guild), "--yes"]
        env = {"DISCORD_TOKEN": server.token, "DOMINIUM_DISCORD_API": server.url, "PYTHONPATH": str(ROOT)}
        process = BotProcess(server, command, env)
        await process.start(connected=False)
        await server.wait_until(lambda: len(channels(server, stage)) == 2, "the channel")
        await process.kill()
        last = len(server.requests) - 1
        await process.start(connected=False)
        await process.wait_for_line(lambda line: line.endswith("removed first: 1."))
        await server.wait_for_request(lambda one: one.path.endswith("/messages"), after=last)
        assert channels(server, stage) == [NAME, NAME]
        process.signal(signal.SIGINT)
        assert await process.wait() == 1
        assert process.output[-1] == "Stopped."
        assert channels(server, stage) == [NAME]


@pytest.mark.parametrize("special", [False, True])
def test_what_will_be_done_is_said_before(*, special: bool) -> None:
    stage: Any = SimpleNamespace(
        name="Club",
        guild=5,
        with_person=special,
        left=2 * special,
        lacks=lambda _: ("manage_threads",) * special,
    )
    for said in (
        "The bot lacks manage threads: what takes these rights isn't tried.",
        "Channels left by an earlier rehearsal, which are removed first: 2.",
        f"It begins with six requests to you, in #{NAME}.",
    ):
        assert (said in _plan(stage).splitlines()) == special


@pytest.mark.asyncio
@pytest.mark.parametrize("right", NEEDED)
async def test_a_missing_right_is_named(right: str) -> None:
    async with rehearsing(tuple(one for one in RIGHTS if one != right)) as (_, stage):
        with pytest.raises(NotAllowedError, match=right):
            await findings(stage)


@pytest.mark.asyncio
async def test_what_wants_other_rights_is_not_tried() -> None:
    async with rehearsing(NEEDED) as (_, stage):
        found = await findings(stage)
    kinds = words(found)
    assert kinds["different"] == []
    assert {"late-answer", "press-in-archived"} <= set(kinds["not tried"])  # nobody is there
    assert {"silenced", "thread-of-message", "large-file"} <= set(kinds["not tried"])
    assert (
        next(one.reason for one in found if one.fact.key == "no-files")
        == "the bot lacks manage_roles, attach_files"
    )


@pytest.mark.asyncio
async def test_another_server_is_not_entered() -> None:
    async with rehearsing() as (_, stage):
        stage.guild += 1
        with pytest.raises(NotTriedError, match="isn't in this server"):
            await findings(stage)


def test_without_a_token_nothing_begins(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(main, ["rehearse", "--server", "5", "--yes"])
    assert ran.exit_code == 2
    assert "There is no DISCORD_TOKEN" in ran.output


def test_what_can_not_be_taken_from_a_file_fails_by_its_name(
    rehearsed: Rehearsed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = {"reply": "type 0, carries yes", "long-text": "nothing came", "empty-post": "400 50006"}
    text = json.dumps({"date": "2026-01-02", "observed": seen})
    (tmp_path / "rehearsal-2026-01-02.json").write_text(text)
    monkeypatch.setitem(globals(), "observations", partial(observations, tmp_path))
    assert set(differing(rehearsed)) == {"reply", "long-text"}


@pytest.mark.asyncio
async def test_the_command_prints_each_fact_and_writes_what_was_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    tried = [one for one in FACTS if one.key in ("reply", "large-file", "forum-tag")]
    monkeypatch.setattr(rehearsal, "FACTS", tried)
    monkeypatch.setattr(later, "FACTS", tried)
    deviation = Deviation("reply", "POST", HISTORY, holds("second"), change=lambda body: body | {"type": 0})
    async with rehearsing(deviation=deviation) as (server, stage):
        monkeypatch.setenv("DISCORD_TOKEN", server.token)
        asked = ["rehearse", "--server", str(stage.guild), "--yes", "--out", "seen.json"]
        ran = await asyncio.to_thread(CliRunner().invoke, main, asked)
    assert ran.exit_code == 1, ran.output
    lines = ran.output.splitlines()
    assert f"Dominium tries {len(FACTS)} facts on Discord, in the server {stage.guild}. It" in lines
    assert "same      large-file                 10, then 413 40005" in lines
    told = (
        "different reply                      type 0, carries yes; the tests' Discord: type 19, carries yes"
    )
    assert lines[lines.index(told) + 1] == "          A reply has type 19 and carries what it answers."
    assert lines[-1] == "same: 2, different: 1, not tried: 0. Written to seen.json."
    seen = json.loads((tmp_path / "seen.json").read_text("utf-8"))
    assert seen["observed"] == {
        "reply": "type 0, carries yes",
        "large-file": "10, then 413 40005",
        "forum-tag": "400 40067",
    }
