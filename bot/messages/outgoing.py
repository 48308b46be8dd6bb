"""A message to be sent, as a value: text, files, components, and whom it may ping."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord

from bot.messages.components import Choose, Press, layout

MAX_CONTENT = 2000
"""Characters of a message, as Discord counts them."""
_MAX_ALT = 1024

File: TypeAlias = tuple[str, bytes, str]
"""A file: name, bytes, alt text."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be sent; `ping` are the ids of the users it may mention."""

    content: str
    files: tuple[File, ...] = ()
    items: tuple[Press | Choose, ...] = ()
    ping: tuple[int, ...] = ()
    silent: bool = False
    """Whether it is posted without a notification."""

    def fields(self) -> dict[str, Any]:
        """Return keyword arguments for `send`: fresh file objects each time, so that it can be retried."""
        fields: dict[str, Any] = {
            "content": self.content[:MAX_CONTENT],
            "files": self.attachments(),
            "allowed_mentions": self.mentions(),
        }
        if (view := layout(*self.items)) is not None:
            fields["view"] = view
        if self.silent:
            fields["silent"] = True
        return fields

    def edit_fields(self) -> dict[str, Any]:
        """Return keyword arguments for `edit`: files and components of before are replaced, or removed."""
        fields = self.fields()
        fields["attachments"] = fields.pop("files")
        fields.pop("silent", None)
        fields.setdefault("view", None)
        return fields

    def attachments(self) -> list[discord.File]:
        """Return the files, ready to be read from the start."""
        return [
            discord.File(io.BytesIO(data), filename=name, description=alt[:_MAX_ALT] or None)
            for name, data, alt in self.files
        ]

    def mentions(self) -> discord.AllowedMentions:
        """Return exactly the users to be pinged, nobody else."""
        return discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(user) for user in self.ping],
        )
