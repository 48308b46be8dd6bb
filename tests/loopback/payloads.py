"""The same message as Discord words it over REST, in an event and in an interaction.

Only MESSAGE_CREATE and MESSAGE_UPDATE say to which guild a message belongs and as which member its author
wrote it ("Message Create", https://docs.discord.com/developers/events/gateway-events#message-create). A
message that was asked for, an answered one, and one that hangs on an interaction say neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simcord.backend import Backend, serializers

from tests.discord_facts import listed

_MESSAGE_EVENTS = ("MESSAGE_CREATE", "MESSAGE_UPDATE")


def bare(value: Any) -> Any:
    """Return a JSON value in which no message names its guild or carries members."""
    if isinstance(value, list):
        return [bare(one) for one in value]
    if not isinstance(value, dict):
        return value
    is_message = "author" in value and "channel_id" in value
    left_out = {"guild_id", "member"} if is_message else set()
    if "message_id" in value:
        left_out = {"fail_if_not_exists"}  # it is for sending only
    return {key: bare(one) for key, one in value.items() if key not in left_out}


def event_payload(backend: Backend, event: str, payload: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what the gateway sends for an event of the world."""
    if event == "INTERACTION_CREATE":
        return bare(payload)  # type: ignore[no-any-return]
    if event == "GUILD_CREATE":
        return {**payload, "roles": tagged_roles(backend, int(payload["id"]), payload["roles"])}
    if event in ("GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE"):
        return {**payload, "role": tagged_roles(backend, int(payload["guild_id"]), [payload["role"]])[0]}
    if event == "THREAD_DELETE":
        return {key: payload[key] for key in listed("event-of-deleted-thread") if key in payload}
    if event not in _MESSAGE_EVENTS or "guild_id" not in payload:
        return payload
    members = _members(backend, int(payload["guild_id"]))
    sent = {**bare(payload), "guild_id": payload["guild_id"]}
    author = members.get(str(payload["author"]["id"])) if "author" in payload else None
    if author is not None and payload.get("webhook_id") is None:
        sent["member"] = author
    if "mentions" in payload:
        sent["mentions"] = [_with_member(user, members) for user in payload["mentions"]]
    return sent


def tagged_roles(
    backend: Backend, guild_id: int, roles: Iterable[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    """Return the roles of a guild with the tag that names the bot a managed role belongs to.

    https://docs.discord.com/developers/topics/permissions#role-object-role-tags-structure
    """
    members = backend.guilds[guild_id].members.values()
    bots = {
        str(role): str(member.user_id)
        for member in members
        if backend.users[member.user_id].bot
        for role in member.role_ids
    }
    return [
        {**role, "tags": {"bot_id": bots[role["id"]]}} if role["managed"] and role["id"] in bots else role
        for role in roles
    ]


def _members(backend: Backend, guild_id: int) -> dict[str, dict[str, Any]]:
    """The members of a guild as they stand in messages: without the user."""
    guild = backend.guilds[guild_id]
    found = {}
    for member in guild.members.values():
        payload = dict(serializers.member_payload(backend, guild, member))
        payload.pop("user", None)
        found[str(member.user_id)] = payload
    return found


def _with_member(user: Mapping[str, Any], members: Mapping[str, Any]) -> dict[str, Any]:
    member = members.get(str(user["id"]))
    return dict(user) if member is None else {**user, "member": member}
