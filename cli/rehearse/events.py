"""Facts on the gateway: what a new session gets, what events carry, and what a resumed one gets again.

https://docs.discord.com/developers/events/gateway
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

from cli.rehearse.facts import fact, yes
from cli.rehearse.stage import Json, RehearsalStage
from cli.rehearse.wire import DISPATCH, INVALID_SESSION, ClosedError, GatewayLine, gateway

_APART = 6.0
"""Seconds between two sessions; a bot may begin one every five ("Max Concurrency")."""


@contextlib.asynccontextmanager
async def _socket(stage: RehearsalStage) -> AsyncIterator[GatewayLine]:
    url = stage.given(await stage.rest("GET", "/gateway/bot"))["url"]
    async with gateway(stage.http, url, stage.token) as line:
        yield line


@contextlib.asynccontextmanager
async def session(stage: RehearsalStage) -> AsyncIterator[tuple[GatewayLine, Json]]:
    """Yield a session and what it got about the server."""
    async with _socket(stage) as line:
        await _identify(stage, line)
        yield line, await line.event("GUILD_CREATE", lambda payload: payload["id"] == str(stage.guild))


async def _identify(stage: RehearsalStage, line: GatewayLine, token: str | None = None) -> Json:
    await stage.pace.wait(_APART)
    return await line.identify(token)


@fact("READY names the session, where to resume it, and the servers as unavailable.")
async def _ready(stage: RehearsalStage) -> str:
    async with _socket(stage) as line:
        payload = await _identify(stage, line)
        session, where = bool(payload.get("session_id")), bool(payload.get("resume_gateway_url"))
        away = all(guild.get("unavailable") for guild in payload["guilds"])
        return f"session {yes(session)}, where {yes(where)}, unavailable {yes(away)}"


@fact("A new session gets each channel's last message, and of threads the active ones only.")
async def _told_of_channels(stage: RehearsalStage) -> str:
    active, idle = await stage.thread(), await stage.thread()
    stage.given(await stage.rest("PATCH", f"/channels/{idle['id']}", {"archived": True}))
    last = await stage.post("last")
    async with session(stage) as (_, payload):
        ours = next(one for one in payload["channels"] if one["id"] == stage.channel)
        threads = {one["id"] for one in payload["threads"]}
        return (
            f"last message {yes(ours.get('last_message_id') == last['id'])}, "
            f"active {yes(active['id'] in threads)}, archived {yes(idle['id'] in threads)}"
        )


@fact("The event of a message carries its server, the author as a member, and the nonce.")
async def _event_of_message(stage: RehearsalStage) -> str:
    async with session(stage) as (line, _):
        posted = await stage.post(nonce="rehearsal")
        payload = await line.event("MESSAGE_CREATE", lambda data: data["id"] == posted["id"])
        return ", ".join(f"{name} {yes(name in payload)}" for name in ("guild_id", "member", "nonce"))


@fact("The event of an edit carries the new text and when it was edited.")
async def _event_of_edit(stage: RehearsalStage) -> str:
    async with session(stage) as (line, _):
        posted = await stage.post()
        path = f"/channels/{stage.channel}/messages/{posted['id']}"
        stage.given(await stage.rest("PATCH", path, {"content": "edited"}))
        payload = await line.event("MESSAGE_UPDATE", lambda data: data["id"] == posted["id"])
        return f"{payload.get('content')}, time {yes(payload.get('edited_timestamp'))}"


@fact("The event of a deletion carries ids only.")
async def _event_of_deletion(stage: RehearsalStage) -> str:
    async with session(stage) as (line, _):
        posted = await stage.post()
        stage.given(await stage.rest("DELETE", f"/channels/{stage.channel}/messages/{posted['id']}"))
        return _fields(await line.event("MESSAGE_DELETE", lambda data: data["id"] == posted["id"]))


@fact("A thread that is archived is reported as changed.")
async def _event_of_archiving(stage: RehearsalStage) -> str:
    async with session(stage) as (line, _):
        made = await stage.thread()
        stage.given(await stage.rest("PATCH", f"/channels/{made['id']}", {"archived": True}))
        payload = await line.event("THREAD_UPDATE", lambda data: data["id"] == made["id"])
        return f"archived {yes(payload['thread_metadata']['archived'])}"


@fact("A thread that is deleted is reported in four fields.")
async def _event_of_deleted_thread(stage: RehearsalStage) -> str:
    stage.require("manage_threads")
    async with session(stage) as (line, _):
        made = await stage.thread()
        stage.given(await stage.rest("DELETE", f"/channels/{made['id']}"))
        return _fields(await line.event("THREAD_DELETE", lambda data: data["id"] == made["id"]))


def _fields(payload: Json) -> str:
    return ", ".join(sorted(payload))


@fact("A resumed session gets what it missed, in order, and then RESUMED.")
async def _resume(stage: RehearsalStage) -> str:
    async with session(stage) as (line, _):
        known, sequence = line.session, line.sequence
        await line.close(4000)
    missed = [(await stage.post(f"missed {number}"))["id"] for number in range(2)]
    async with _socket(stage) as line:
        await line.resume(known, sequence)
        await line.frame(lambda frame: frame["t"] == "RESUMED" or frame["op"] == INVALID_SESSION)
        payload = [one["d"]["id"] for one in line.events if one["t"] == "MESSAGE_CREATE"]
        last = line.events[-1]["t"] if line.events else "nothing"
        return f"in order {yes([one for one in payload if one in missed] == missed)}, last {last}"


@fact("A session that doesn't exist can't be resumed: op 9.")
async def _unknown_session(stage: RehearsalStage) -> str:
    async with _socket(stage) as line:
        await line.resume("0" * 32, 1)
        found = await line.frame(lambda frame: frame["op"] in (DISPATCH, INVALID_SESSION))
        return f"op {found['op']}, {found['d'] if found['op'] == INVALID_SESSION else found['t']}"


@fact("A session with a wrong token is closed with a code.")
async def _wrong_token_at_the_gateway(stage: RehearsalStage) -> str:
    async with _socket(stage) as line:
        try:
            await _identify(stage, line, "MTIz.wrong.token")
        except ClosedError as closed:
            return f"closed with {closed.code}"
        return "taken"
