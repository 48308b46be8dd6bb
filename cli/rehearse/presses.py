"""Facts that take a person: presses, a form, a reply, a command on a message, a message that is forwarded.

https://docs.discord.com/developers/interactions/receiving-and-responding
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from cli.rehearse.events import session
from cli.rehearse.facts import fact, yes
from cli.rehearse.messages import ALT_TEXT, picture
from cli.rehearse.stage import COMMAND, NAME, Json, NotTriedError, RehearsalStage
from cli.rehearse.threads import archived
from cli.rehearse.wire import GatewayLine

BUTTON, IMPOSSIBLE, MESSAGE_COMMAND = "rehearsal:press", "rehearsal:impossible", 3
_ANSWER, _FORM = 4, 9
_SUBMITTED = 5
_EPHEMERAL = 1 << 6
_FORWARD = 1


def _pressable(label: str = "Press", custom_id: str = BUTTON) -> list[Json]:
    button = {"type": 2, "style": 1, "label": label, "custom_id": custom_id}
    return [{"type": 1, "components": [button]}]


@contextlib.asynccontextmanager
async def _watched(stage: RehearsalStage) -> AsyncIterator[GatewayLine]:
    """Yield a session that hears what the person does. Raises NotTriedError at once where nobody is there."""
    if not stage.with_person:
        raise NotTriedError("it wants a person: --with-me")
    async with session(stage) as (line, _):
        yield line


async def _asked(stage: RehearsalStage, number: int, words: str, **more: Any) -> Json:
    """Post what the person is to do."""
    stage.note(f"{number} of 6, in #{NAME}: {words}")
    return await stage.post(f"{number} of 6. {words}", **more)


async def _came(stage: RehearsalStage, line: GatewayLine, name: str, where: Callable[[Json], bool]) -> Json:
    """Return the event that the person brings about. Raises NotTriedError if it doesn't come."""
    try:
        return await line.event(name, where, patience=stage.patience)
    except TimeoutError:
        raise NotTriedError("nobody did what was asked") from None


async def _answer(stage: RehearsalStage, event: Json, kind: int, **data: Any) -> str:
    path = f"/interactions/{event['id']}/{event['token']}/callback"
    return (await stage.rest("POST", path, {"type": kind, "data": data})).verdict


def _is_press(posted: Json) -> Callable[[Json], bool]:
    return lambda event: (event.get("message") or {}).get("id") == posted["id"]


@fact("An answer to a press comes too late after three seconds.")
async def _late_answer(stage: RehearsalStage) -> str:
    async with _watched(stage) as line:
        posted = await _asked(
            stage, 1, "Press the button. It fails after some seconds.", components=_pressable()
        )
        event = await _came(stage, line, "INTERACTION_CREATE", _is_press(posted))
        await stage.pace.wait(3.5)
        return await _answer(stage, event, _ANSWER, content="late")


@fact("A form's title has 45 characters, a form 5 parts; it is opened, sent, and answered once.")
async def _form(stage: RehearsalStage) -> str:
    form = {"custom_id": "rehearsal:form", "title": "x" * 45, "components": [_entry("words")]}
    async with _watched(stage) as line:
        words = "Press the button, and send the form that opens."
        posted = await _asked(stage, 2, words, components=_pressable())
        event = await _came(stage, line, "INTERACTION_CREATE", _is_press(posted))
        parts = [_entry(f"words {number}") for number in range(6)]
        changes: list[Json] = [{"title": "x" * 46}, {"components": parts}, {}]
        found = [await _answer(stage, event, _FORM, **(form | change)) for change in changes]
        sent = await _came(stage, line, "INTERACTION_CREATE", lambda one: one["type"] == _SUBMITTED)
        found += [await _answer(stage, sent, _ANSWER, content="Thanks.", flags=_EPHEMERAL) for _ in range(2)]
        return ", ".join(found)


def _entry(custom_id: str) -> Json:
    entry = {"type": 4, "custom_id": custom_id, "style": 1, "label": "Any word", "required": False}
    return {"type": 1, "components": [entry]}


@fact("A reply without its ping mentions nobody; its text is empty without the right to read it.")
async def _quiet_reply(stage: RehearsalStage) -> str:
    async with _watched(stage) as line:
        posted = await _asked(stage, 3, "Reply to this message with any word, the ping (@) switched off.")
        told = await _came(
            stage,
            line,
            "MESSAGE_CREATE",
            lambda one: (one.get("message_reference") or {}).get("message_id") == posted["id"],
        )
        return f"type {told['type']}, mentions {len(told['mentions'])}, text {yes(told['content'])}"


@fact("A command on a message carries its text.")
async def _message_command(stage: RehearsalStage) -> str:
    if stage.with_person:
        await stage.offer(MESSAGE_COMMAND)
    async with _watched(stage) as line:
        posted = await _asked(stage, 4, f"Open this message's menu, and choose Apps, {COMMAND}.")
        event = await _came(
            stage, line, "INTERACTION_CREATE", lambda one: one["data"].get("target_id") == posted["id"]
        )
        told = event["data"]["resolved"]["messages"][posted["id"]]
        answered = await _answer(stage, event, _ANSWER, content="Thanks.", flags=_EPHEMERAL)
        return f"text {yes(told['content'] == posted['content'])}, {answered}"


@fact("A forwarded board carries a copy, whose text and picture take the right to read texts.")
async def _forward(stage: RehearsalStage) -> str:
    stage.require("attach_files")
    async with _watched(stage) as line:
        board = {"attachments": [{"id": 0, "description": ALT_TEXT}], "files": {"board.png": picture(8, 5)}}
        await _asked(stage, 5, "Forward this message to this channel.", **board)
        told = await _came(
            stage,
            line,
            "MESSAGE_CREATE",
            lambda one: (one.get("message_reference") or {}).get("type") == _FORWARD,
        )
        copies = told.get("message_snapshots") or []
        read, seen = (any(one["message"].get(part) for one in copies) for part in ("content", "attachments"))
        return f"copy {yes(copies)}, its text {yes(read)}, picture {yes(seen)}, text {yes(told['content'])}"


@fact("A press in an archived thread.")
async def _press_in_archived(stage: RehearsalStage) -> str:
    if not stage.with_person:
        raise NotTriedError("it wants a person: --with-me")
    path, posted = await archived(stage, components=_pressable())
    where = f"<#{path.rpartition('/')[2]}>"
    async with _watched(stage) as line:
        words = (
            f"Open {where}, an archived thread, and press its button; if that's impossible, press this one."
        )
        asked = await _asked(stage, 6, words, components=_pressable("Impossible", IMPOSSIBLE))
        pressed, other = _is_press(posted), _is_press(asked)
        event = await _came(stage, line, "INTERACTION_CREATE", lambda one: pressed(one) or other(one))
        answered = await _answer(stage, event, _ANSWER, content="Thanks.", flags=_EPHEMERAL)
        return f"pressed, {answered}" if pressed(event) else "impossible"
