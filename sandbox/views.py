"""What the page is sent: Discord's own message objects, made safe to show to one person.

Nothing leaves here that this person could not see; addresses of uploads point at this server.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simcord.backend import serializers
from simcord.backend.access import channel_accessible
from simcord.backend.cdn import CDN_BASE
from simcord.backend.models import Channel, Message
from simcord.enums import ChannelType
from simcord.interactions import command_leaves

from sandbox.backend import WatchedBackend
from sandbox.world import World

_PAGE = 50  # messages sent at once
_UPLOAD = re.compile(r"/attachments/(\d{1,20})/(\d{1,20})/([^/]{1,260})\Z")
PICTURES = frozenset({"image/png", "image/gif", "image/jpeg", "image/webp"})
"""Pictures a browser may show in place; everything else is downloaded."""


def _local(value: Any) -> Any:
    """Return the same tree with SimCord's upload addresses turned into paths of this server."""
    if isinstance(value, Mapping):
        return {
            key: item.removeprefix(CDN_BASE)
            if key in {"url", "proxy_url"} and isinstance(item, str) and item.startswith(CDN_BASE)
            else _local(item)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_local(item) for item in value]
    return value


def upload(backend: WatchedBackend, path: str) -> bytes | None:
    """Return the bytes behind an address that `message` gave out."""
    return backend.cdn.get(CDN_BASE + path) if _UPLOAD.match(path) else None


def _user(backend: WatchedBackend, user_id: int) -> dict[str, Any]:
    user = backend.users[user_id]
    return {"id": str(user.id), "name": user.name, "shown": user.global_name or user.name, "bot": user.bot}


def message(backend: WatchedBackend, stored: Message, person: int) -> dict[str, Any]:
    """Return a message in Discord's own form, plus its author in a form that is easy to show."""
    payload: dict[str, Any] = _local(serializers.message_payload(backend, stored, for_user=person))
    payload["author"] = _user(backend, stored.author_id)
    meta = stored.interaction_metadata
    if meta is not None:
        payload["interaction"] = {
            "user": _user(backend, int(meta["user"]["id"])),
            "name": meta.get("name"),
        }
    payload.pop("interaction_metadata", None)
    reference = payload.pop("referenced_message", None)
    if reference is not None:
        target = backend.messages[stored.channel_id].get(int(reference["id"]))
        if target is not None and target.visible_to(person):
            payload["replied"] = {
                "id": str(target.id),
                "author": _user(backend, target.author_id),
                "content": target.content,
            }
    payload["pings_me"] = person in stored.ping_user_ids
    if stored.system_metadata is not None and stored.system_metadata.channel_id is not None:
        payload["about"] = str(stored.system_metadata.channel_id)
    return payload


def can_read(backend: WatchedBackend, channel_id: int, person: int) -> bool:
    """Return whether this person may read that channel."""
    return channel_accessible(backend, channel_id, person, history=True)


def history(backend: WatchedBackend, channel_id: int, person: int, before: int | None) -> dict[str, Any]:
    """Return the newest messages (older than `before`), oldest first, and whether there are more."""
    seen = [
        stored
        for number, stored in sorted(backend.messages.get(channel_id, {}).items())
        if stored.visible_to(person) and (before is None or number < before)
    ]
    return {
        "messages": [message(backend, stored, person) for stored in seen[-_PAGE:]],
        "more": len(seen) > _PAGE,
    }


def _last(backend: WatchedBackend, channel: Channel, person: int) -> str | None:
    shelf = backend.messages.get(channel.id, {})
    return next((str(number) for number in reversed(shelf) if shelf[number].visible_to(person)), None)


def channels(world: World, person: int) -> list[dict[str, Any]]:
    """Return the channels, threads and the direct channel this person has."""
    backend, found = world.backend, []
    for channel in backend.channels.values():
        if not can_read(backend, channel.id, person):
            continue
        meta = channel.thread_metadata
        direct = channel.type == ChannelType.DM
        found.append(
            {
                "id": str(channel.id),
                "kind": "direct" if direct else "thread" if channel.is_thread else "channel",
                "name": backend.bot_user.name if direct else channel.name,
                "topic": channel.topic,
                "parent": str(channel.parent_id) if channel.parent_id else None,
                "archived": meta is not None and meta.archived,
                "last": _last(backend, channel, person),
            }
        )
    return found


def hello(world: World, person: int) -> dict[str, Any]:
    """Return everything that a page needs before it opens a channel."""
    backend = world.backend
    return {
        "me": _user(backend, person),
        "roles": [
            {"id": str(role.id), "name": role.name}
            for role in backend.guilds[world.guild.id].roles.values()
            if not role.managed
        ],
        "people": [_user(backend, handle.id) for handle in world.people()],
        "bot": _user(backend, backend.bot_user.id),
        "server": world.guild.name,
        "channels": channels(world, person),
        "now": clock(world),
    }


def clock(world: World) -> int:
    """Return the instant in the world, in milliseconds since 1970."""
    return int(world.now().timestamp() * 1000)


def commands(backend: WatchedBackend, channel_id: int, person: int) -> list[dict[str, Any]]:
    """Return the slash commands this person has there, subcommands as commands of their own."""
    return [
        {
            "name": " ".join(path),
            "description": leaf.get("description", ""),
            "options": [_option(option) for option in leaf.get("options") or []],
        }
        for command in backend.visible_commands(user_id=person, channel_id=channel_id)
        for path, leaf in command_leaves(command)
    ]


def _option(option: Mapping[str, Any]) -> dict[str, Any]:
    kept = ("name", "description", "type", "required", "choices", "autocomplete")
    bounds = ("min_value", "max_value", "min_length", "max_length", "channel_types")
    return {key: option[key] for key in (*kept, *bounds) if option.get(key) is not None}
