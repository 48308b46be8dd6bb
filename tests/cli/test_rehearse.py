"""`dominium rehearse`: it sees the tests' Discord as it is, names each deviation, and cleans up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli import main
from cli.rehearse import rehearsal
from cli.rehearse.facts import FACTS
from cli.rehearse.rehearsal import Observation, expectations, report
from cli.rehearse.stage import NAME, NEEDED, NotAllowedError, NotTriedError
from tests.cli.rehearsing import HISTORY, MESSAGE, RIGHTS, Deviation, channels, findings, rehearsing

OBSERVED = sorted((Path(__file__).parents[1] / "loopback" / "observed").glob("*.json"))
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
DEVIATIONS = (
    refused("empty-post", HISTORY, 400, 50035, when=lambda body: body == {"content": ""}),
    Deviation("long-text", "POST", HISTORY, holds("x" * 2001), change=lambda body: {"id": "1"}),
    Deviation(
        "alt-text", "POST", HISTORY, holds("eight by eight"), change=lambda body: body | {"attachments": [{}]}
    ),
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


@pytest.mark.asyncio
async def test_on_the_tests_discord_everything_is_the_same() -> None:
    async with rehearsing(with_person=True) as (server, stage):
        before = channels(server, stage)
        found = await findings(stage)
        assert server.world.backend.commands.get(stage.guild, {}) == {}
        assert channels(server, stage) == before
        assert server.gaps == []
    assert {one.fact.key: one.observed for one in found} == expectations()
    assert words(found)["same"] == [one.fact.key for one in found]
    assert len({one.key for one in FACTS}) == len(FACTS) == len(found)
    seen = json.dumps(report(found, "2026-01-02"))
    for secret in (server.token, str(stage.guild), stage.bot, stage.channel, "Dominium"):
        assert secret not in seen


@pytest.mark.asyncio
@pytest.mark.parametrize("deviation", DEVIATIONS, ids=lambda one: f"{one.fact}-{one.event or one.method}")
async def test_a_planted_deviation_is_named(deviation: Deviation, monkeypatch: pytest.MonkeyPatch) -> None:
    tried = PERSONAL if deviation.fact in PERSONAL else (deviation.fact,)
    monkeypatch.setattr(rehearsal, "FACTS", [one for one in FACTS if one.key in tried])
    wants_person = deviation.fact in PERSONAL
    async with rehearsing(deviation=deviation, with_person=wants_person) as (_, stage):
        assert words(await findings(stage))["different"] == [deviation.fact]
    async with rehearsing(with_person=wants_person) as (_, stage):
        assert words(await findings(stage))["same"] == list(tried)


@pytest.mark.asyncio
@pytest.mark.parametrize("steps", [0, 1, 30, 70])
async def test_what_an_interrupted_rehearsal_left_is_removed_at_the_next_start(steps: int) -> None:
    async with rehearsing() as (server, stage):
        before = channels(server, stage)
        tried = rehearsal.rehearse(stage)
        await anext(tried)
        for _ in range(steps):
            await anext(tried)
        left = channels(server, stage)
        assert NAME in left
        await stage.new_channel()  # after the last cleaning: as if killed here
        theirs = (await stage.rest("POST", f"/guilds/{stage.guild}/channels", {"name": NAME, "type": 0})).body
        await tried.aclose()
        await stage.new_channel()
        assert NAME in channels(server, stage)
        await stage.enter()
        assert channels(server, stage).count(NAME) == 2  # somebody else's of that name, and the new one
        await stage.leave()
        await stage.rest("DELETE", f"/channels/{theirs['id']}")
        assert channels(server, stage) == before


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


def untaught(path: Path) -> dict[str, tuple[str, str | None]]:
    """Return what Discord was seen to do otherwise than the tests' Discord, and what that does."""
    seen: dict[str, str] = json.loads(path.read_text("utf-8"))["observed"]
    known = expectations()
    return {key: (what, known.get(key)) for key, what in seen.items() if known.get(key) != what}


def test_the_tests_discord_does_what_discord_was_last_seen_to_do(tmp_path: Path) -> None:
    assert [untaught(path) for path in OBSERVED[-1:]] in ([], [{}])
    newer = tmp_path / "rehearsal-2026-01-02.json"
    newer.write_text(json.dumps({"observed": expectations() | {"locked-thread": "403 160005, 400 50083"}}))
    assert untaught(newer) == {"locked-thread": ("403 160005, 400 50083", "403 160005, 403 160005")}


@pytest.mark.asyncio
async def test_the_command_prints_each_fact_and_writes_what_was_seen(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(rehearsal, "FACTS", [one for one in FACTS if one.key in ("reply", "large-file")])
    deviation = Deviation("reply", "POST", HISTORY, holds("second"), change=lambda body: body | {"type": 0})
    async with rehearsing(deviation=deviation) as (server, stage):
        monkeypatch.setenv("DISCORD_TOKEN", server.token)
        asked = ["rehearse", "--server", str(stage.guild), "--yes", "--out", "seen.json"]
        ran = await asyncio.to_thread(CliRunner().invoke, main, asked)
    assert ran.exit_code == 1, ran.output
    lines = ran.output.splitlines()
    assert "same      large-file                  A file of more than 10 MiB is refused." in lines
    assert "different reply                       A reply has type 19 and carries what it answers." in lines
    assert "          Discord: type 0, carries yes; the tests' Discord: type 19, carries yes" in lines
    assert lines[-1] == "same: 1, different: 1, not tried: 0. Written to seen.json."
    seen = json.loads((tmp_path / "seen.json").read_text("utf-8"))
    assert seen["observed"] == {"large-file": "413 40005", "reply": "type 0, carries yes"}
