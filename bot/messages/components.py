"""Buttons, menus and forms whose `custom_id` carries verb, match and entry number, so they survive restarts.

Nothing about a shown component is kept in memory. A press becomes a `Call`, which the client passes to the
handler of its verb (`on_component`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, cast

import discord

from bot.platform.discord_limits import MAX_BUTTON, MAX_CHOICE, MAX_CHOICES, MAX_TITLE

PREFIX = "dom"
PEOPLE = "people"
"""Where the extras of an interaction have the people chosen in a menu."""
_MOST_LISTED = 4
"""Maximum number of options of a form that stand below each other, instead of in a menu."""
_FULL_WIDTH = 5
"""Width of a menu, and of a row; buttons have a width of 1."""
MAX_TEXT = 40
"""Maximum length of a text that a button carries, in characters."""
_ID = r"(?P<verb>[a-z_]+):(?P<match>[A-Z]-[A-Z0-9]+|-):(?P<seq>-?[0-9]{1,12})(?::(?P<arg>[^:]*))?"


@dataclass(frozen=True, slots=True)
class Call:
    """What a component does: verb, match, the log entry its reader saw, an argument, and chosen values."""

    verb: str
    match: str
    seq: int
    arg: str = ""
    values: tuple[str, ...] = ()

    @property
    def custom_id(self) -> str:
        """The call as text; with its prefix at most 100 characters, Discord's limit."""
        tail = f":{self.arg}" if self.arg else ""
        return f"{self.verb}:{self.match}:{self.seq}{tail}"


def read_call(custom_id: str, values: Sequence[str] = ()) -> Call | None:
    """Return the call in a `custom_id` without its prefix; None if it isn't one."""
    found = re.fullmatch(_ID, custom_id)
    if found is None:
        return None
    return Call(found["verb"], found["match"], int(found["seq"]), found["arg"] or "", tuple(values))


def fits_in_button(text: str) -> bool:
    """Return whether a button's id can carry a text."""
    return 0 < len(text) <= MAX_TEXT and ":" not in text


def identifying_call(calls: Iterable[Call]) -> Call | None:
    """Return the call that identifies a message's match and entry: the first that isn't a quick move."""
    return next((call for call in calls if call.verb != "tap"), None)


def walk_components(components: Iterable[Any]) -> Iterator[Any]:
    """Yield the components of a message, with those that stand in others or beside them."""
    for each in components:
        yield each
        beside = getattr(each, "accessory", None)
        yield from walk_components((*getattr(each, "children", ()), *([] if beside is None else [beside])))


def find_identifying_call(components: Sequence[Any]) -> Call | None:
    """Return the call that identifies the match and entry of a message, from its components."""
    ids = (getattr(each, "custom_id", None) or "" for each in walk_components(components))
    calls = (read_call(each.removeprefix(f"{PREFIX}b:")) for each in ids if each.startswith(f"{PREFIX}b:"))
    return identifying_call(call for call in calls if call is not None)


class CallButton(discord.ui.DynamicItem[discord.ui.Button[Any]], template=rf"{PREFIX}b:{_ID}"):
    """A button that makes a call."""

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
        disabled: bool = False,
        row: int | None = None,
    ) -> CallButton:
        """Return a button to show."""
        custom_id = f"{PREFIX}b:{call.custom_id}"
        button: discord.ui.Button[Any] = discord.ui.Button(
            label=label[:MAX_BUTTON],
            style=style,
            custom_id=custom_id,
            disabled=disabled,
            row=row,
        )
        return cls(button, call)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> CallButton:
        """Rebuild a pressed button from its id."""
        call = Call(match["verb"], match["match"], int(match["seq"]), match["arg"] or "")
        return cls(cast("discord.ui.Button[Any]", item), call)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Pass the call to the handler of its verb."""
        await interaction.client.on_component(interaction, self.call)


class CallMenu(discord.ui.DynamicItem[discord.ui.Select[Any]], template=rf"{PREFIX}s:{_ID}"):
    """A menu that makes a call with the chosen text."""

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
    ) -> CallMenu:
        """Return a menu to show, of 1 to 25 options."""
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
    ) -> CallMenu:
        """Rebuild a used menu from its id."""
        call = Call(match["verb"], match["match"], int(match["seq"]), match["arg"] or "")
        return cls(cast("discord.ui.Select[Any]", item), call)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Pass the call, with the choice as its values, to the handler of its verb."""
        data = cast("dict[str, Any]", interaction.data or {})
        chosen = tuple(str(value) for value in data.get("values", ()))
        call = self.call
        await interaction.client.on_component(
            interaction, Call(call.verb, call.match, call.seq, call.arg, chosen)
        )


class CallPeople(discord.ui.DynamicItem[discord.ui.UserSelect[Any]], template=rf"{PREFIX}u:{_ID}"):
    """A menu of people that makes a call with their ids; the people are in the interaction's extras."""

    def __init__(self, select: discord.ui.UserSelect[Any], call: Call) -> None:
        super().__init__(select)
        self.call = call

    @classmethod
    def make(cls, call: Call, placeholder: str, most: int) -> CallPeople:
        """Return a menu to show, in which 1 to `most` people can be chosen, at most 25."""
        select: discord.ui.UserSelect[Any] = discord.ui.UserSelect(
            custom_id=f"{PREFIX}u:{call.custom_id}",
            placeholder=placeholder[:150],
            max_values=max(1, min(most, MAX_CHOICES)),
        )
        return cls(select, call)

    @classmethod
    async def from_custom_id(
        cls, interaction: discord.Interaction[Any], item: discord.ui.Item[Any], match: re.Match[str], /
    ) -> CallPeople:
        """Rebuild a used menu from its id."""
        call = Call(match["verb"], match["match"], int(match["seq"]), match["arg"] or "")
        return cls(cast("discord.ui.UserSelect[Any]", item), call)

    async def callback(self, interaction: discord.Interaction[Any]) -> Any:
        """Pass the call, with the ids as its values, to the handler of its verb."""
        people = self.item.values
        interaction.extras[PEOPLE] = tuple(people)
        ids = tuple(str(person.id) for person in people)
        call = self.call
        await interaction.client.on_component(
            interaction, Call(call.verb, call.match, call.seq, call.arg, ids)
        )


Component: TypeAlias = CallButton | CallMenu | CallPeople
"""What a message can have under it."""


def layout(*items: Component | discord.ui.Button[Any]) -> discord.ui.View | None:
    """Return a Discord view of these items; None if there are none."""
    if not items:
        return None
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    return view


class Section(NamedTuple):
    """A part of a panel: a text, and the button beside it."""

    text: str
    button: CallButton


def panel_layout(
    text: str,
    pictures: Sequence[tuple[str, str]],
    sections: Sequence[Section],
    items: Sequence[Component | discord.ui.Button[Any]],
    accent: int | None,
) -> discord.ui.LayoutView:
    """Return a layout: pictures by the names of their files, with alt texts, a text, sections, rows of items.

    `accent` is the colour of the edge of its box; without one it has no box.
    """
    parts: list[discord.ui.Item[Any]] = []
    if pictures:
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
        for name, alt in pictures:
            gallery.add_item(media=f"attachment://{name}", description=alt or None)
        parts.append(gallery)
    if text:
        parts.append(discord.ui.TextDisplay(text))
    parts += [discord.ui.Section(each.text, accessory=each.button) for each in sections]
    for row in _rows(items):
        parts.append(discord.ui.ActionRow(*row))
    view = discord.ui.LayoutView(timeout=None)
    if accent is None:
        for part in parts:
            view.add_item(part)
    else:
        view.add_item(discord.ui.Container(*parts, accent_colour=accent))
    return view


def _rows(
    items: Sequence[Component | discord.ui.Button[Any]],
) -> list[list[Component | discord.ui.Button[Any]]]:
    """Return items in rows: a menu has one to itself, and buttons that name other rows don't share one."""
    found: list[list[Component | discord.ui.Button[Any]]] = []
    for item in items:
        last = found[-1] if found else []
        fits = bool(last) and last[0].width < _FULL_WIDTH > len(last) and item.width < _FULL_WIDTH
        if fits and item.row == last[0].row:
            last.append(item)
        else:
            found.append([item])
    return found


class FormField(NamedTuple):
    """A text input of a form, with what it holds at first and a line of help."""

    key: str
    label: str
    placeholder: str = ""
    value: str = ""
    help: str = ""
    required: bool = True


class FormOption(NamedTuple):
    """A choice in a form, what it does in words, and whether it is chosen at first."""

    value: str
    label: str
    about: str
    chosen: bool

    def fields(self) -> dict[str, Any]:
        """Return keyword arguments for an option of discord.py."""
        label, about = self.label[:MAX_CHOICE], self.about[:MAX_CHOICE]
        return {"label": label, "value": self.value, "description": about, "default": self.chosen}


class FormChoice(NamedTuple):
    """A choice in a form, of 2 to 25 options: they stand below each other, or in a menu if they are many."""

    key: str
    label: str
    options: Sequence[FormOption]
    help: str = ""

    def item(self) -> discord.ui.Item[Any]:
        """Return the component that offers the options, in which one must be chosen."""
        if len(self.options) <= _MOST_LISTED:
            listed = [discord.RadioGroupOption(**each.fields()) for each in self.options]
            return discord.ui.RadioGroup(custom_id=self.key, options=listed, required=True)
        options = [discord.SelectOption(**each.fields()) for each in self.options]
        return discord.ui.Select(custom_id=self.key, options=options, required=True)


class CallForm(discord.ui.Modal):
    """A form of text inputs and choices that makes a call; `submitted_form` reads what was entered."""

    def __init__(
        self,
        call: Call,
        title: str,
        *inputs: FormField | FormChoice | tuple[str, str, str],
        longest: int = MAX_CHOICE,
        filled: Mapping[str, str] | None = None,
    ) -> None:
        """`longest` is the maximum length of each text, in characters; `filled` has the values of some."""
        super().__init__(title=title[:MAX_TITLE], custom_id=f"{PREFIX}m:{call.custom_id}", timeout=900)
        for each in inputs:
            field = each if isinstance(each, FormChoice) else FormField(*each)
            if isinstance(field, FormChoice):
                held = field.item()
            else:
                held = _text_input(field, longest, filled or {})
            help_text = field.help[:MAX_CHOICE] or None
            self.add_item(
                discord.ui.Label(text=field.label[:MAX_TITLE], component=held, description=help_text)
            )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        """Do nothing: `submitted_form` reads the raw event, so that forms work after a restart too."""


def _text_input(field: FormField, longest: int, filled: Mapping[str, str]) -> discord.ui.TextInput[Any]:
    return discord.ui.TextInput(
        custom_id=field.key,
        placeholder=field.placeholder[:MAX_CHOICE],
        default=(field.value or filled.get(field.key, ""))[:longest] or None,
        required=field.required,
        max_length=longest,
    )


def _texts(components: Any) -> list[str]:
    """Return what was entered in each part of a form, in order; of a menu what was chosen first."""
    found: list[str] = []
    for part in components if isinstance(components, list) else [components]:
        if not isinstance(part, dict):
            continue
        if "value" in part:
            found.append(str(part["value"] or ""))
        elif "values" in part:
            found.append(str(next(iter(part["values"]), "")))
        for inner in ("components", "component"):
            if inner in part:
                found.extend(_texts(part[inner]))
    return found


def submitted_form(interaction: discord.Interaction[Any]) -> Call | None:
    """Return the call of a submitted form, with its texts as values; None for other interactions."""
    if interaction.type is not discord.InteractionType.modal_submit:
        return None
    data = cast("dict[str, Any]", interaction.data or {})
    custom_id = str(data.get("custom_id", ""))
    if not custom_id.startswith(f"{PREFIX}m:"):
        return None
    return read_call(custom_id.removeprefix(f"{PREFIX}m:"), _texts(data.get("components", [])))
