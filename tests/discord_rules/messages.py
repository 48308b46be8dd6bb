"""Which messages Discord takes: posts, edits, answers to interactions, forms, choices.

https://docs.discord.com/developers/resources/message#create-message
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.discord_facts import Limit
from tests.discord_rules.components import V2_FLAG, message_components, modal
from tests.discord_rules.shapes import (
    Fault,
    Place,
    Shape,
    anything,
    array,
    boolean,
    choice,
    items,
    nullable,
    number,
    numeric,
    record,
    required,
    snowflake,
    text,
)

CONTENT_LIMIT = Limit("long-text")
EMBED_LIMIT = 6_000
FILE_LIMIT = Limit("large-file", 1024 * 1024)
"""Bytes of one file (Discord, "Uploading Files")."""
REQUEST_LIMIT = 25 * 1024 * 1024
"""Bytes of all files of a request."""
TOO_LARGE = "REQUEST_ENTITY_TOO_LARGE"
EMPTY = "MESSAGE_EMPTY"
_EPHEMERAL = 1 << 6
_POST_FLAGS = 1 << 2 | 1 << 12 | 1 << 13 | V2_FLAG
_WEBHOOK_FLAGS = _POST_FLAGS | _EPHEMERAL
_EDIT_FLAGS = 1 << 2 | V2_FLAG

_embed = record(
    {
        "type": nullable(choice("rich")),
        "title": nullable(text(256)),
        "description": nullable(text(4096)),
        "url": nullable(text(2048)),
        "timestamp": nullable(text(64)),
        "color": nullable(number(0, 0xFFFFFF)),
        "footer": nullable(
            record({"text": text(2048, 1), "icon_url": nullable(text(2048))}, needed=["text"])
        ),
        "image": nullable(record({"url": text(2048, 1)}, needed=["url"])),
        "thumbnail": nullable(record({"url": text(2048, 1)}, needed=["url"])),
        "author": nullable(
            record(
                {"name": text(256, 1), "url": nullable(text(2048)), "icon_url": nullable(text(2048))},
                needed=["name"],
            )
        ),
        "fields": nullable(
            array(
                record(
                    {"name": text(256, 1), "value": text(1024, 1), "inline": nullable(boolean)},
                    needed=["name", "value"],
                ),
                25,
            )
        ),
    }
)
_mentions = record(
    {
        "parse": nullable(array(choice("roles", "users", "everyone"), 3, unique=True)),
        "users": nullable(array(snowflake, 100, unique=True)),
        "roles": nullable(array(snowflake, 100, unique=True)),
        "replied_user": nullable(boolean),
    }
)
_attachment = record(
    {
        "id": snowflake,
        "filename": nullable(text(1024, 1)),
        "description": nullable(text(Limit("long-alt-text"))),
        "title": nullable(text(1024)),
        "duration_secs": anything,
        "waveform": nullable(text(400)),
        "is_spoiler": nullable(boolean),
    },
    needed=["id"],
)
_reference = record(
    {
        "type": nullable(choice(0, 1)),
        "message_id": snowflake,
        "channel_id": nullable(snowflake),
        "guild_id": nullable(snowflake),
        "fail_if_not_exists": nullable(boolean),
    },
    needed=["message_id"],
)


def _nonce(value: Any, where: Place) -> Iterator[Fault]:
    shape = text(Limit("long-nonce")) if isinstance(value, str) else number(-(1 << 63), (1 << 63) - 1)
    yield from shape(value, where)


_COMMON: dict[str, Shape] = {
    "content": nullable(text(CONTENT_LIMIT)),
    "embeds": nullable(array(_embed, 10)),
    "allowed_mentions": nullable(_mentions),
    "components": anything,
    "attachments": nullable(array(_attachment, 10)),
    "flags": nullable(number(0, (1 << 32) - 1)),
    "poll": anything,
    "tts": nullable(boolean),  # in edits too: discord.py always writes it, and Discord ignores it there
}
_POST = _COMMON | {
    "nonce": nullable(_nonce),
    "enforce_nonce": nullable(boolean),
    "message_reference": nullable(_reference),
    "sticker_ids": nullable(array(snowflake, 3)),
}
_WEBHOOK = _COMMON | {
    "username": nullable(text(80, 1)),
    "avatar_url": nullable(text(2048)),
    "thread_name": nullable(text(100)),
    "applied_tags": nullable(array(snowflake, 5)),
}


def _size(embed: Any) -> int:
    """The characters of an embed that count."""
    if not isinstance(embed, dict):
        return 0
    texts = [embed.get("title"), embed.get("description")]
    texts += [(embed.get(part) or {}).get(key) for part, key in (("footer", "text"), ("author", "name"))]
    for field in embed.get("fields") or ():
        texts += [field.get("name"), field.get("value")] if isinstance(field, dict) else []
    return sum(len(one) for one in texts if isinstance(one, str))


def _embeds(embeds: Any, where: Place) -> Iterator[Fault]:
    if not isinstance(embeds, list):
        return
    for index, embed in enumerate(embeds):
        if isinstance(embed, dict) and not embed.keys() - {"type", "color", "timestamp", "url"}:
            yield required((*where, index, "description"))
    if sum(map(_size, embeds)) > EMBED_LIMIT:
        key = "MAX_EMBED_SIZE_EXCEEDED"
        yield Fault(where, key, f"Embed size exceeds maximum size of {EMBED_LIMIT}")


def _exclusive(mentions: Any, where: Place) -> Iterator[Fault]:
    if not isinstance(mentions, dict):
        return
    for kind in ("users", "roles"):
        if kind in items(mentions.get("parse")) and mentions.get(kind):
            key = "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
            sentence = f'parse:["{kind}"] and {kind}: [ids...] are mutually exclusive.'
            yield Fault(where, key, sentence)


def _uploads(body: dict[str, Any], files: int | None, where: Place) -> Iterator[Fault]:
    """Files are numbered from 0; what an attachment describes must have come along."""
    if files is None:
        return
    for index, one in enumerate(items(body.get("attachments"))):
        given = str(one.get("id")) if isinstance(one, dict) else ""
        if given.isdecimal() and files <= int(given) < 1 << 22:
            key = "ATTACHMENT_NOT_FOUND"
            yield Fault((*where, index, "id"), key, f"Attachment data cannot be found: files[{given}]")


def _is_empty(body: dict[str, Any], files: int | None) -> bool:
    if files or (files is None and body.get("attachments")):
        return False
    if (body.get("message_reference") or {}).get("type") == 1:
        return False
    shown = ("embeds", "components", "sticker_ids", "poll")
    return not str(body.get("content") or "").strip() and not any(body.get(key) for key in shown)


def _message(
    body: Any, fields: dict[str, Shape], flags: int, where: Place, files: int | None, *, post: bool
) -> Iterator[Fault]:
    yield from record(fields)(body, where)
    if not isinstance(body, dict):
        return
    yield from _embeds(body.get("embeds"), (*where, "embeds"))
    yield from _exclusive(body.get("allowed_mentions"), (*where, "allowed_mentions"))
    yield from _uploads(body, files, (*where, "attachments"))
    given = body.get("flags")
    set_flags = given if isinstance(given, int) else 0
    if set_flags & ~flags:
        yield Fault((*where, "flags"), "MESSAGE_FLAGS_INVALID", f"Only {flags:#x} can be set here")
    yield from message_components(body.get("components"), (*where, "components"), flags=set_flags)
    if set_flags & V2_FLAG:
        for key in ("content", "embeds", "sticker_ids", "poll"):
            if body.get(key):
                name = "MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2"
                sentence = f"The '{key}' field cannot be used with IS_COMPONENTS_V2"
                yield Fault((*where, key), name, sentence, "layout-with-text")
    if post and _is_empty(body, files):
        yield Fault(where, EMPTY, "Cannot send an empty message", "empty-post")


def new_message(body: Any, where: Place = (), *, files: int | None = None) -> Iterator[Fault]:
    """Name what Discord would refuse in a post; ``files`` is the number of uploads, if it is known."""
    yield from _message(body, _POST, _POST_FLAGS, where, files, post=True)


def edited_message(body: Any, where: Place = (), *, files: int | None = None) -> Iterator[Fault]:
    """The same for an edit of a message. What is not named in it stays, so it may be empty."""
    yield from _message(body, _COMMON, _EDIT_FLAGS, where, files, post=False)


def webhook_message(body: Any, where: Place = (), *, files: int | None = None) -> Iterator[Fault]:
    """The same for a followup of an interaction, or a webhook's post."""
    yield from _message(body, _WEBHOOK, _WEBHOOK_FLAGS, where, files, post=True)


def _choice_value(value: Any, where: Place) -> Iterator[Fault]:
    yield from (text(100) if isinstance(value, str) else numeric)(value, where)


_choices = record(
    {
        "choices": array(
            record(
                {"name": text(100, 1), "name_localizations": anything, "value": _choice_value},
                needed=["name", "value"],
            ),
            25,
        )
    },
    needed=["choices"],
)


def callback(body: Any, where: Place = (), *, files: int | None = None) -> Iterator[Fault]:
    """The same for the first answer to an interaction."""
    kinds = choice(1, 4, 5, 6, 7, 8, 9, 12)
    yield from record({"type": kinds, "data": anything}, needed=["type"])(body, where)
    if not isinstance(body, dict):
        return
    kind, data, inside = body.get("type"), body.get("data"), (*where, "data")
    if kind == 4:
        yield from _message({} if data is None else data, _COMMON, _WEBHOOK_FLAGS, inside, files, post=True)
    elif kind == 7 and data is not None:
        yield from _message(data, _COMMON, _WEBHOOK_FLAGS, inside, files, post=False)
    elif kind == 5:
        yield from nullable(record({"flags": nullable(number(0, 1 << 16))}))(data, inside)
    elif kind == 8:
        yield from _choices(data, inside)
    elif kind == 9:
        yield from modal(data, inside)


def file_sizes(sizes: list[int]) -> Iterator[Fault]:
    """Name uploads that are too large or too many."""
    if len(sizes) > 10:
        yield Fault(("files",), "MAX_ATTACHMENTS_EXCEEDED", "No more than 10 files")
    for index, size in enumerate(sizes):
        if size > int(FILE_LIMIT):
            words = f"{size} bytes, more than {int(FILE_LIMIT)}"
            yield Fault(("files", index), TOO_LARGE, words, "large-file")
    if sum(sizes) > REQUEST_LIMIT:
        words = f"{sum(sizes)} bytes, more than {REQUEST_LIMIT}"
        yield Fault(("files",), TOO_LARGE, words, "large-request")
