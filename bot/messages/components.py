"""Buttons and menus whose `custom_id` carries verb, match and entry number: they work after any restart.

Nothing about a shown component is kept in memory. A press becomes a `Call`, which the client hands to the
handler of its verb (`on_component`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import discord

PREFIX = "dom"
_LONGEST = 40
"""Signs of a text that a button carries."""
_ID = r"(?P<verb>[a-z_]+):(?P<match>[A-Z]-[A-Z0-9]+|-):(?P<seq>-?\d+)(?::(?P<arg>[^:]*))?"


@dataclass(frozen=True, slots=True)
class Call:
    """What a component stands for: the verb, its match, the entry its reader saw, and an argument."""

    verb: str
    match: str
    seq: int
    arg: str = ""
    values: tuple[str, ...] = ()

    @property
    def custom_id(self) -> str:
        """At most 100 characters, as Discord wants."""
        tail = f":{self.arg}" if self.arg else ""
        return f"{self.verb}:{self.match}:{self.seq}{tail}"


def read(custom_id: str, values: Sequence[str] = ()) -> Call | None:
    """The call that a `custom_id` (less its prefix and kind) carries, or None."""
    found = re.fullmatch(_ID, custom_id)
    if found is None:
        return None
    return Call(found["verb"], found["match"], int(found["seq"]), found["arg"] or "", tuple(values))


def tappable(text: str) -> bool:
    """Whether a button can carry a text in its id."""
    return 0 < len(text) <= _LONGEST and ":" not in text


def telling(calls: Iterable[Call]) -> Call | None:
    """The call that tells whose message it is: the first one that no game has put there."""
    return next((call for call in calls if call.verb != "tap"), None)


def find_call(components: Sequence[Any]) -> Call | None:
    """The telling call among a message's components: whose board it is, and of which entry."""
    ids = (
        getattr(child, "custom_id", None) or ""
        for row in components
        for child in getattr(row, "children", ())
    )
    calls = (read(each.removeprefix(f"{PREFIX}b:")) for each in ids if each.startswith(f"{PREFIX}b:"))
    return telling(call for call in calls if call is not None)


class Press(discord.ui.DynamicItem[discord.ui.Button[Any]], template=rf"{PREFIX}b:{_ID}"):
    """A button."""

    def __init__(self, button: discord.ui.Button[Any], call: Call) -> None:
        super().__init__(button)
        self.call = call

    @classmethod
    def make(
        cls,
        call: Call,
        label: str,
        style: discord.ButtonStyle = discord.ButtonStyle.secondary,
        *,
        emoji: str | None = None,
        disabled: bool = False,
        row: int | None = None,
    ) -> Press:
        """A button to be shown."""
        custom_id = f"{PREFIX}b:{call.custom_id}"
        button: discord.ui.Button[Any] = discord.ui.Button(
            label=label[:80], style=style, custom_id=custom_id, emoji=emoji, disabled=disabled, row=row
        )
        return cls(button, call)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Press:
        """Rebuild a pressed button from its id."""
        call = Call(match["verb"], match["match"], int(match["seq"]), match["arg"] or "")
        return cls(cast("discord.ui.Button[Any]", item), call)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Hand the press to the handler of its verb."""
        await interaction.client.on_component(interaction, self.call)


class Choose(discord.ui.DynamicItem[discord.ui.Select[Any]], template=rf"{PREFIX}s:{_ID}"):
    """A menu of texts."""

    def __init__(self, select: discord.ui.Select[Any], call: Call) -> None:
        super().__init__(select)
        self.call = call

    @classmethod
    def make(
        cls,
        call: Call,
        options: Sequence[discord.SelectOption],
        placeholder: str,
        *,
        row: int | None = None,
    ) -> Choose:
        """A menu to be shown; 1 to 25 options."""
        select: discord.ui.Select[Any] = discord.ui.Select(
            custom_id=f"{PREFIX}s:{call.custom_id}",
            options=list(options),
            placeholder=placeholder[:150],
            row=row,
        )
        return cls(select, call)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> Choose:
        """Rebuild a used menu from its id."""
        call = Call(match["verb"], match["match"], int(match["seq"]), match["arg"] or "")
        return cls(cast("discord.ui.Select[Any]", item), call)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Hand the choice to the handler of its verb."""
        data = cast("dict[str, Any]", interaction.data or {})
        chosen = tuple(str(value) for value in data.get("values", ()))
        call = self.call
        await interaction.client.on_component(
            interaction, Call(call.verb, call.match, call.seq, call.arg, chosen)
        )


def layout(*items: Press | Choose) -> discord.ui.View | None:
    """A view of these items, or None for no items."""
    if not items:
        return None
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view


class Ask(discord.ui.Modal):
    """A form of text inputs; what is sent is read by `submitted_form`."""

    def __init__(self, call: Call, title: str, *inputs: tuple[str, str, str]) -> None:
        super().__init__(title=title[:45], custom_id=f"{PREFIX}m:{call.custom_id}", timeout=900)
        for key, label, placeholder in inputs:
            box: discord.ui.TextInput[Any] = discord.ui.TextInput(
                custom_id=key, placeholder=placeholder[:100], required=True, max_length=100
            )
            self.add_item(discord.ui.Label(text=label[:45], component=box))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Do nothing: `submitted_form` reads the raw event, so that forms work after a restart too."""


def _texts(components: Any) -> list[str]:
    found: list[str] = []
    for part in components if isinstance(components, list) else [components]:
        if not isinstance(part, dict):
            continue
        if "value" in part:
            found.append(str(part["value"]))
        for inner in ("components", "component"):
            if inner in part:
                found.extend(_texts(part[inner]))
    return found


def submitted_form(interaction: discord.Interaction[Any]) -> Call | None:
    """The call of a submitted form, with its texts as values; None for other interactions."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return None
    data = cast("dict[str, Any]", interaction.data or {})
    custom_id = str(data.get("custom_id", ""))
    if not custom_id.startswith(f"{PREFIX}m:"):
        return None
    return read(custom_id.removeprefix(f"{PREFIX}m:"), _texts(data.get("components", [])))
