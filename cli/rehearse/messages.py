"""Facts on messages: limits, replies, edits, what is gone, and what a reader of the history sees.

https://docs.discord.com/developers/resources/message
"""

from __future__ import annotations

import struct
import zlib

from cli.rehearse.facts import fact, limit, yes
from cli.rehearse.stage import Json, NotTriedError, RehearsalStage
from cli.rehearse.wire import RestAnswer

ALT_TEXT = "A board of eight by five."


def picture(width: int, height: int) -> bytes:
    """Return a grey PNG of this many pixels."""
    rows = (b"\0" + b"\x80" * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


_NOWHERE = "123456789012345678"
_MEBIBYTE = 1 << 20


@fact("A message without anything in it is refused.")
async def _empty_post(stage: RehearsalStage) -> str:
    return (await stage.send({"content": ""})).verdict


@limit("A text has a limit of characters.", 4000)
async def _long_text(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send({"content": "x" * size})


@fact("A picture comes back with its kind, its size in pixels and its alt text.")
async def _picture(stage: RehearsalStage) -> str:
    posted = await _post_picture(stage)
    found = stage.given(await stage.rest("GET", f"/channels/{stage.channel}/messages/{posted['id']}"))
    return ", then ".join(_seen(one["attachments"]) for one in (posted, found))


@fact("An edit puts another picture in the place of the first.")
async def _picture_by_edit(stage: RehearsalStage) -> str:
    posted = await _post_picture(stage)
    body = {"attachments": [{"id": 0, "description": "The next board."}]}
    path = f"/channels/{stage.channel}/messages/{posted['id']}"
    edited = await stage.rest("PATCH", path, body, files={"next.png": picture(6, 2)})
    return _seen(stage.given(edited)["attachments"])


async def _post_picture(stage: RehearsalStage) -> Json:
    stage.require("attach_files")
    return await stage.post(
        attachments=[{"id": 0, "description": ALT_TEXT}], files={"board.png": picture(8, 5)}
    )


def _seen(attachments: list[Json]) -> str:
    """Return what is known of a message's pictures."""
    return " and ".join(
        f"{one.get('filename')} {one.get('content_type')} {one.get('width')} by {one.get('height')}: "
        f"{one.get('description')}"
        for one in attachments
    )


@limit("An alt text has a limit of characters.", 2048)
async def _long_alt_text(stage: RehearsalStage, size: int) -> RestAnswer:
    stage.require("attach_files")
    sent = {"attachments": [{"id": 0, "description": "x" * size}]}
    return await stage.send(sent, files={"board.png": picture(8, 5)})


@limit("A file has a limit of MiB.", 24)
async def _large_file(stage: RehearsalStage, size: int) -> RestAnswer:
    stage.require("attach_files")
    return await stage.send({"content": "large"}, files={"large.bin": bytes(size * _MEBIBYTE)})


@fact("The files of a request together have a limit: 27 MiB in three files are refused.")
async def _large_request(stage: RehearsalStage) -> str:
    stage.require("attach_files")
    files = {f"{number}.bin": bytes(9 * _MEBIBYTE) for number in range(3)}
    return (await stage.send({"content": "files"}, files=files)).verdict


@fact("A message keeps the flag that it notifies nobody.")
async def _silent_flag(stage: RehearsalStage) -> str:
    return yes((await stage.post(flags=1 << 12))["flags"] & 1 << 12)


@fact("A reply has type 19 and carries what it answers.")
async def _reply(stage: RehearsalStage) -> str:
    first = await stage.post("first")
    found = await stage.post("second", message_reference={"message_id": first["id"]})
    answered = found.get("referenced_message") or {}
    return f"type {found['type']}, carries {yes(answered.get('id') == first['id'])}"


@fact("A reply to a message that is gone is refused.")
async def _reply_to_deleted(stage: RehearsalStage) -> str:
    return (await _answer_deleted(stage, {})).split(",")[0]


@fact("With fail_if_not_exists false it is posted.")
async def _tolerant_reply(stage: RehearsalStage) -> str:
    return await _answer_deleted(stage, {"fail_if_not_exists": False})


async def _answer_deleted(stage: RehearsalStage, more: dict[str, bool]) -> str:
    gone = await stage.post("gone")
    stage.given(await stage.rest("DELETE", f"/channels/{stage.channel}/messages/{gone['id']}"))
    answer = await stage.send({"content": "reply", "message_reference": {"message_id": gone["id"], **more}})
    return f"{answer.verdict}, type {answer.body.get('type')}"


@fact("An edit that leaves nothing of a message is refused.")
async def _empty_edit(stage: RehearsalStage) -> str:
    posted = await stage.post()
    path = f"/channels/{stage.channel}/messages/{posted['id']}"
    return (await stage.rest("PATCH", path, {"content": ""})).verdict


@fact("Reading, editing and deleting a message that is gone are refused.")
async def _gone_message(stage: RehearsalStage) -> str:
    posted = await stage.post()
    path = f"/channels/{stage.channel}/messages/{posted['id']}"
    stage.given(await stage.rest("DELETE", path))
    answers = [await stage.rest(method, path, body) for method, body in _TOUCHES]
    return ", ".join(answer.verdict for answer in answers)


_TOUCHES = (("GET", None), ("PATCH", {"content": "later"}), ("DELETE", None))


@fact("A channel that doesn't exist is unknown.")
async def _unknown_channel(stage: RehearsalStage) -> str:
    return (await stage.send({"content": "nowhere"}, channel=_NOWHERE)).verdict


@fact("A server that doesn't exist, or isn't the bot's.")
async def _unknown_server(stage: RehearsalStage) -> str:
    return (await stage.rest("GET", f"/guilds/{_NOWHERE}")).verdict


@fact("A person who doesn't exist takes no direct messages.")
async def _unknown_person(stage: RehearsalStage) -> str:
    return (await stage.rest("POST", "/users/@me/channels", {"recipient_id": _NOWHERE})).verdict


@fact("A wrong token is refused.")
async def _wrong_token(stage: RehearsalStage) -> str:
    return (await stage.rest("GET", "/users/@me", token="MTIz.wrong.token", hasty=True)).verdict  # noqa: S106


@fact("An answer to an interaction that doesn't exist is refused.")
async def _unknown_interaction(stage: RehearsalStage) -> str:
    path = f"/interactions/{_NOWHERE}/{'x' * 60}/callback"
    return (await stage.rest("POST", path, {"type": 4, "data": {"content": "late"}})).verdict


@fact("A message lists whom it mentions, with and without a ping; @everyone needs the right to it.")
async def _mention(stage: RehearsalStage) -> str:
    text = f"<@{stage.bot}> @everyone"
    silent = await stage.post(text, allowed_mentions={"parse": []})
    named = await stage.post(text, allowed_mentions={"users": [stage.bot]})
    sent = [len(one["mentions"]) for one in (silent, named)]
    return f"{sent[0]} and {sent[1]}, everyone {yes(silent['mention_everyone'] or named['mention_everyone'])}"


@fact("An edit takes a mention out of a message, and puts one in.")
async def _withdrawal(stage: RehearsalStage) -> str:
    """Withdraw a ping as the product does when a turn is over: the text stays, the mention goes."""
    called = {"users": [stage.bot]}
    posted = await stage.post(f"<@{stage.bot}> your turn", allowed_mentions=called)
    path = f"/channels/{stage.channel}/messages/{posted['id']}"
    without = {"content": "your turn", "allowed_mentions": {"parse": []}}
    withdrawn = stage.given(await stage.rest("PATCH", path, without))
    later = stage.given(await stage.rest("GET", path))
    anew = {"content": f"<@{stage.bot}> again", "allowed_mentions": called}
    again = stage.given(await stage.rest("PATCH", path, anew))
    sent = [len(one["mentions"]) for one in (posted, withdrawn, later, again)]
    return f"mentions {sent}, text {later['content']}"


@fact("`after` gives the messages next to it, newest first; without server and member.")
async def _history(stage: RehearsalStage) -> str:
    first = await stage.post("1")
    later = [(await stage.post(str(number)))["id"] for number in range(2, 6)]
    path = f"/channels/{stage.channel}/messages?after={first['id']}&limit=3"
    found = stage.given(await stage.rest("GET", path))
    order = [later.index(one["id"]) + 2 if one["id"] in later else 0 for one in found]
    return f"{order}, guild_id {yes('guild_id' in found[0])}, member {yes('member' in found[0])}"


@fact("The bot reads its own messages whatever its intents.")
async def _own_text(stage: RehearsalStage) -> str:
    posted = await stage.post("own words")
    found = stage.given(await stage.rest("GET", f"/channels/{stage.channel}/messages/{posted['id']}"))
    return str(found["content"])


@fact("An answer carries its route's limit in headers.")
async def _rate_headers(stage: RehearsalStage) -> str:
    answer = await stage.send({"content": "headers"})
    names = ("Bucket", "Limit", "Remaining", "Reset", "Reset-After")
    return ", ".join(name for name in names if f"X-RateLimit-{name}" in answer.headers) or "none"


@fact("Beyond a route's limit there is 429 with how long to wait and whose limit it is.")
async def _limit(stage: RehearsalStage) -> str:
    for number in range(8):
        body = {"content": f"quick {number}"}
        answer = await stage.rest("POST", f"/channels/{stage.channel}/messages", body, hasty=True)
        if answer.status == 429:
            seconds = answer.body.get("retry_after") if isinstance(answer.body, dict) else None
            await stage.pace.wait(float(seconds or 1))
            scope = answer.headers.get("X-RateLimit-Scope")
            return f"429, wait {yes(seconds)}, header {yes('Retry-After' in answer.headers)}, scope {scope}"
    raise NotTriedError("eight messages at once met no limit")
