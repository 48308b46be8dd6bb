"""SimCord's models as JSON records, and back with the same ids.

`thaw_x(freeze(x))` equals `x` for everything a sandbox world keeps. Polls and stickers are not part
of such a world and are left out.
"""

from __future__ import annotations

import dataclasses
from typing import Any

from simcord.backend.models import (
    AllowedMentions,
    Channel,
    Guild,
    Member,
    Message,
    Overwrite,
    Reaction,
    Role,
    SystemMessageMetadata,
    ThreadMetadata,
    User,
)
from simcord.enums import OverwriteType

_GUILD_FIELDS = (
    "id",
    "name",
    "owner_id",
    "description",
    "system_channel_id",
    "rules_channel_id",
    "public_updates_channel_id",
    "preferred_locale",
)


def _plain(value: Any) -> Any:
    """Sets as sorted lists, keys as text: what JSON can say."""
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(value)
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value


def freeze_user(user: User) -> dict[str, Any]:
    """Return a user as a JSON object."""
    return dataclasses.asdict(user)


def thaw_user(data: dict[str, Any]) -> User:
    """Return the user of `freeze_user`."""
    return User(**data)


def freeze_guild(guild: Guild) -> dict[str, Any]:
    """Return a guild with its roles and members; its channels are records of their own."""
    data: dict[str, Any] = {name: getattr(guild, name) for name in _GUILD_FIELDS}
    data["roles"] = [dataclasses.asdict(role) for role in guild.roles.values()]
    data["members"] = [dataclasses.asdict(member) for member in guild.members.values()]
    return data


def thaw_guild(data: dict[str, Any]) -> Guild:
    """Return the guild of `freeze_guild`, still without its channels."""
    guild = Guild(**{name: data[name] for name in _GUILD_FIELDS})
    guild.roles = {role["id"]: Role(**role) for role in data["roles"]}
    guild.members = {member["user_id"]: Member(**member) for member in data["members"]}
    return guild


def freeze_channel(channel: Channel) -> dict[str, Any]:
    """Return a channel, thread or direct channel as a JSON object."""
    data: dict[str, Any] = _plain(dataclasses.asdict(channel))
    return data


def thaw_channel(data: dict[str, Any]) -> Channel:
    """Return the channel of `freeze_channel`."""
    meta = data["thread_metadata"]
    overwrites = [{**entry, "type": OverwriteType(entry["type"])} for entry in data["overwrites"]]
    return Channel(
        **{
            **data,
            "overwrites": [Overwrite(**entry) for entry in overwrites],
            "thread_metadata": None if meta is None else ThreadMetadata(**meta),
            "thread_members": {int(user): since for user, since in data["thread_members"].items()},
        }
    )


def freeze_message(message: Message) -> dict[str, Any]:
    """Return a message as a JSON object; the bytes of its attachments are kept apart."""
    data: dict[str, Any] = _plain(dataclasses.asdict(dataclasses.replace(message, poll=None, stickers=[])))
    return data


def _ids(value: list[int] | None) -> frozenset[int] | None:
    return None if value is None else frozenset(value)


def thaw_message(data: dict[str, Any]) -> Message:
    """Return the message of `freeze_message`."""
    policy, system = data["allowed_mentions"], data["system_metadata"]
    return Message(
        **{
            **data,
            "reactions": [Reaction(**entry) for entry in data["reactions"]],
            "allowed_mentions": AllowedMentions(
                **{**policy, "users": _ids(policy["users"]), "roles": _ids(policy["roles"])}
            ),
            "system_metadata": None if system is None else SystemMessageMetadata(**system),
        }
    )
