"""A message to send, as a value: text, files, components, and whom it may ping."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Any, TypeAlias

import discord

from bot.messages.components import Component, Section, layout, panel_layout
from bot.platform.discord_limits import MAX_ALT, MAX_CONTENT
from bot.platform.reader_settings import Reader

File: TypeAlias = tuple[str, bytes, str]
"""A file: name, bytes, alt text."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to send; `ping` has the ids of the users it may mention."""

    content: str
    files: tuple[File, ...] = ()
    items: tuple[Component, ...] = ()
    ping: tuple[int, ...] = ()
    silent: bool = False
    """Whether it is posted without a notification."""
    links: tuple[discord.ui.Button[Any], ...] = ()
    """Buttons that open a web address, under the other items."""
    layout: bool = False
    """Whether it is a layout: its pictures stand above its text. It notifies nobody, and stays one."""
    accent: int | None = None
    """Colour of the edge of a layout."""
    sections: tuple[Section, ...] = ()
    """Texts with a button beside each, between the text and the items."""

    def fields(self) -> dict[str, Any]:
        """Return keyword arguments for `send`: fresh file objects each time, so that it can be retried."""
        fields: dict[str, Any] = {
            "content": self.content[:MAX_CONTENT],
            "files": self.attachments(),
            "allowed_mentions": self.mentions(),
        }
        if self.layout:
            del fields["content"]
            pictures = [(name, alt[:MAX_ALT]) for name, _, alt in self.files]
            items = (*self.items, *self.links)
            fields["view"] = panel_layout(self.content, pictures, self.sections, items, self.accent)
        elif (view := layout(*self.items, *self.links)) is not None:
            fields["view"] = view
        if self.silent:
            fields["silent"] = True
        return fields

    def edit_fields(self) -> dict[str, Any]:
        """Return keyword arguments for `edit`, which replace or remove the earlier files and components."""
        fields = self.fields()
        fields["attachments"] = fields.pop("files")
        fields.pop("silent", None)
        if self.layout:  # the message may be older than its layout
            fields["content"] = None
        fields.setdefault("view", None)
        return fields

    def attachments(self) -> list[discord.File]:
        """Return new file objects, to be read from the start."""
        return [
            discord.File(io.BytesIO(data), filename=name, description=alt[:MAX_ALT] or None)
            for name, data, alt in self.files
        ]

    def mentions(self) -> discord.AllowedMentions:
        """Return the permission to mention exactly the users in `ping`."""
        return discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(user) for user in self.ping],
        )


def panel(
    text: str,
    reader: Reader,
    files: tuple[File, ...] = (),
    items: tuple[Component, ...] = (),
    sections: tuple[Section, ...] = (),
    links: tuple[discord.ui.Button[Any], ...] = (),
) -> Outgoing:
    """Return a panel in the colour of the reader's theme."""
    return Outgoing(text, files, items, links=links, layout=True, accent=reader.accent, sections=sections)
