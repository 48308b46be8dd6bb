"""Which component trees Discord takes, in messages and in modals.

https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.discord_facts import Limit
from tests.discord_rules.shapes import (
    Fault,
    Place,
    Shape,
    anything,
    array,
    bad_length,
    boolean,
    both,
    choice,
    items,
    nullable,
    number,
    record,
    required,
    snowflake,
    text,
    wrong_type,
)

V2_FLAG = 1 << 15
"""IS_COMPONENTS_V2: components are the whole message."""
ROW, BUTTON, MENU, INPUT, SECTION, TEXT, THUMBNAIL, GALLERY, FILE, SEPARATOR, CONTAINER, LABEL, RADIO = (
    *range(1, 5),
    *range(9, 15),
    17,
    18,
    21,
)
_MENUS = (3, 5, 6, 7, 8)
_IN_LABELS = (*_MENUS, INPUT, 19, RADIO, 22, 23)
_V2_TOP = (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR, CONTAINER)
_LINK, _PREMIUM = 5, 6
_MOST_V2, _MOST_V2_TEXT = Limit("large-layout"), Limit("long-layout")
_MOST_IN_ROW = Limit("six-buttons")
_MOST_ROWS = Limit("six-rows")

_id = nullable(number(0, (1 << 31) - 1))
_custom_id = text(Limit("long-custom-id"), 1)
_emoji_fields: dict[str, Shape] = {
    "id": nullable(snowflake),
    "name": nullable(text(32)),
    "animated": nullable(boolean),
}


def _unicode_emoji(value: Any, where: Place) -> Iterator[Fault]:
    """Accept an emoji of a server, which has an id, or one of Unicode: no letters, no ASCII."""
    if not isinstance(value, dict) or value.get("id"):
        return
    name = str(value.get("name") or "")
    if name.isascii() or any(one.isalpha() and one != "ℹ" for one in name):
        yield Fault(where, "COMPONENT_INVALID_EMOJI", "Invalid emoji")


_emoji = nullable(both(record(_emoji_fields), _unicode_emoji))
_media = record({"url": text(2048, 1)}, needed=["url"])
_alt = nullable(text(1024, 1))
_spoiler = nullable(boolean)

_option_fields: dict[str, Shape] = {
    "label": text(100, 1),
    "value": text(100, 1),
    "description": nullable(text(100)),
    "default": nullable(boolean),
}
_option = record(_option_fields | {"emoji": _emoji}, needed=["label", "value"])
_listed = record(_option_fields, needed=["label", "value"])
_menu_fields: dict[str, Shape] = {
    "type": anything,
    "id": _id,
    "custom_id": _custom_id,
    "placeholder": nullable(text(Limit("long-placeholder"))),
    "min_values": nullable(number(0, 25)),
    "max_values": nullable(number(1, 25)),
    "disabled": nullable(boolean),
    "required": nullable(boolean),
}
_fields: dict[int, Shape] = {
    ROW: record({"type": anything, "id": _id, "components": anything}, needed=["components"]),
    BUTTON: record(
        {
            "type": anything,
            "id": _id,
            "style": choice(1, 2, 3, 4, 5, 6),
            "custom_id": _custom_id,
            "label": nullable(text(Limit("long-label"))),
            "url": nullable(text(512, 1)),
            "sku_id": nullable(snowflake),
            "emoji": _emoji,
            "disabled": nullable(boolean),
        },
        needed=["style"],
    ),
    MENU: record(
        _menu_fields | {"options": array(_option, Limit("many-options"), 1)}, needed=["custom_id", "options"]
    ),
    **{
        kind: record(
            _menu_fields
            | {"default_values": nullable(array(anything, 25))}
            | ({"channel_types": nullable(array(number(0, 20), 20))} if kind == 8 else {}),
            needed=["custom_id"],
        )
        for kind in _MENUS[1:]
    },
    INPUT: record(
        {
            "type": anything,
            "id": _id,
            "custom_id": _custom_id,
            "style": choice(1, 2),
            "label": nullable(text(45, 1)),
            "value": nullable(text(4000)),
            "placeholder": nullable(text(100)),
            "required": nullable(boolean),
            "min_length": nullable(number(0, 4000)),
            "max_length": nullable(number(1, 4000)),
        },
        needed=["custom_id", "style"],
    ),
    SECTION: record(
        {"type": anything, "id": _id, "components": array(anything, 3, 1), "accessory": anything},
        needed=["components", "accessory"],
    ),
    TEXT: record({"type": anything, "id": _id, "content": text(4000, 1)}, needed=["content"]),
    THUMBNAIL: record(
        {"type": anything, "id": _id, "media": _media, "description": _alt, "spoiler": _spoiler},
        needed=["media"],
    ),
    GALLERY: record(
        {
            "type": anything,
            "id": _id,
            "items": array(
                record({"media": _media, "description": _alt, "spoiler": _spoiler}, needed=["media"]), 10, 1
            ),
        },
        needed=["items"],
    ),
    FILE: record({"type": anything, "id": _id, "file": _media, "spoiler": _spoiler}, needed=["file"]),
    SEPARATOR: record(
        {"type": anything, "id": _id, "divider": nullable(boolean), "spacing": nullable(choice(1, 2))}
    ),
    CONTAINER: record(
        {
            "type": anything,
            "id": _id,
            "components": array(anything, 40, 1),
            "accent_color": nullable(number(0, 0xFFFFFF)),
            "spoiler": _spoiler,
        },
        needed=["components"],
    ),
    RADIO: record(
        {
            "type": anything,
            "id": _id,
            "custom_id": _custom_id,
            "options": array(_listed, 10, 2),
            "required": nullable(boolean),
        },
        needed=["custom_id", "options"],
    ),
    LABEL: record(
        {
            "type": anything,
            "id": _id,
            "label": text(45, 1),
            "description": nullable(text(100, 1)),
            "component": anything,
        },
        needed=["label", "component"],
    ),
}
_inside: dict[int, tuple[int, ...]] = {
    ROW: (BUTTON, *_MENUS),
    SECTION: (TEXT,),
    CONTAINER: (ROW, SECTION, TEXT, GALLERY, FILE, SEPARATOR),
}


def _unknown_kind(where: Place, kinds: tuple[int, ...]) -> Fault:
    key, fact = "UNION_TYPE_CHOICES", "layout-without-flag" if kinds == (ROW,) else ""
    return Fault((*where, "type"), key, f'Value of field "type" must be one of {kinds}.', fact)


def _walk(
    component: Any, where: Place, kinds: tuple[int, ...]
) -> Iterator[tuple[Mapping[str, Any], Place] | Fault]:
    """Every component with its place, outer ones first; what stands where it can't is a fault."""
    if not isinstance(component, dict):
        yield wrong_type(where, "an object")
        return
    kind = component.get("type")
    if isinstance(kind, bool) or kind not in kinds:
        yield _unknown_kind(where, kinds)
        return
    yield component, where
    children = component.get("components")
    if kind in _inside and isinstance(children, list):
        for index, child in enumerate(children):
            yield from _walk(child, (*where, "components", index), _inside[kind])
    if kind == SECTION and component.get("accessory") is not None:
        yield from _walk(component["accessory"], (*where, "accessory"), (BUTTON, THUMBNAIL))
    if kind == LABEL and component.get("component") is not None:
        yield from _walk(component["component"], (*where, "component"), _IN_LABELS)


def _button(button: Mapping[str, Any], where: Place) -> Iterator[Fault]:
    style = button.get("style")
    needs = {_LINK: "url", _PREMIUM: "sku_id"}.get(style if isinstance(style, int) else 0, "custom_id")
    if button.get(needs) is None:
        yield required((*where, needs))
    for other in {"url", "sku_id", "custom_id"} - {needs}:
        if button.get(other) is not None:
            key = "BUTTON_COMPONENT_EXCLUSIVE"
            yield Fault((*where, other), key, f"A button of this style has {needs} alone")
    if style == _PREMIUM:
        if button.get("label") is not None or button.get("emoji") is not None:
            yield Fault(where, "BUTTON_COMPONENT_PREMIUM_LABEL", "A premium button has no label or emoji")
    elif not str(button.get("label") or "").strip() and button.get("emoji") is None:
        sentence = "A button must have either a label or an emoji"
        yield Fault(where, "BUTTON_COMPONENT_NO_LABEL", sentence, "empty-button")


def _menu(menu: Mapping[str, Any], where: Place) -> Iterator[Fault]:
    least = 1 if menu.get("min_values") is None else menu["min_values"]
    most = 1 if menu.get("max_values") is None else menu["max_values"]
    if not (isinstance(least, int) and isinstance(most, int)):
        return
    if least > most:
        key = "SELECT_COMPONENT_MIN_VALUES"
        yield Fault((*where, "min_values"), key, f"Must be less than or equal to max_values, {most}")
    options = menu.get("options")
    if menu["type"] not in (MENU, RADIO) or not isinstance(options, list):
        return
    if 0 < len(options) < most <= 25:
        yield bad_length((*where, "options"), most, 25)
    seen: set[Any] = set()
    for index, option in enumerate(one for one in options if isinstance(one, dict)):
        if str(option.get("value")) in seen:
            key = "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"
            sentence = "The specified option value is already used"
            yield Fault((*where, "options", index), key, sentence, "same-value")
        seen.add(str(option.get("value")))
    if sum(isinstance(one, dict) and one.get("default") is True for one in options) > most:
        key = "SELECT_COMPONENT_TOO_MANY_DEFAULTS"
        yield Fault((*where, "options"), key, "More options are chosen at first than may be chosen")


def _row(row: Mapping[str, Any], where: Place) -> Iterator[Fault]:
    children = row.get("components")
    if not isinstance(children, list):
        yield wrong_type((*where, "components"), "an array")
        return
    most = int(_MOST_IN_ROW)
    if not 1 <= len(children) <= most:
        yield bad_length((*where, "components"), 1, _MOST_IN_ROW)
    width = 0
    for index, child in enumerate(children):
        width += most if isinstance(child, dict) and child.get("type") in (*_MENUS, INPUT) else 1
        if width > most:
            key = "COMPONENT_LAYOUT_WIDTH_EXCEEDED"
            yield Fault(
                (*where, "components", index), key, "The specified component exceeds the maximum width"
            )


def _input(box: Mapping[str, Any], where: Place) -> Iterator[Fault]:
    least, most = box.get("min_length") or 0, box.get("max_length") or 4000
    if isinstance(least, int) and isinstance(most, int) and least > most:
        yield Fault((*where, "min_length"), "TEXT_INPUT_MIN_LENGTH", "Must not be greater than max_length")
    value = box.get("value")
    if isinstance(value, str) and value and isinstance(most, int) and len(value) > most:
        yield bad_length((*where, "value"), 0, most)
    if where[-1] != "component" and box.get("label") is None:
        yield required((*where, "label"))


def _tree(components: Any, where: Place, kinds: tuple[int, ...]) -> Iterator[Fault]:
    """The faults of each component by itself, and what must be unique among all of them."""
    custom_ids: set[str] = set()
    ids: set[int] = set()
    for index, top in enumerate(components):
        for found in _walk(top, (*where, index), kinds):
            if isinstance(found, Fault):
                yield found
                continue
            component, place = found
            kind = component["type"]
            yield from _fields.get(kind, anything)(component, place)
            if kind == ROW:
                yield from _row(component, place)
            elif kind == BUTTON:
                yield from _button(component, place)
            elif kind in (*_MENUS, RADIO):
                yield from _menu(component, place)
            elif kind == INPUT:
                yield from _input(component, place)
            custom_id = component.get("custom_id")
            if isinstance(custom_id, str):
                if custom_id in custom_ids:
                    key = "COMPONENT_CUSTOM_ID_DUPLICATED"
                    sentence = "Component custom id cannot be duplicated"
                    yield Fault((*place, "custom_id"), key, sentence, "same-custom-id")
                custom_ids.add(custom_id)
            number_given = component.get("id")
            if isinstance(number_given, int) and number_given:
                if number_given in ids:
                    yield Fault((*place, "id"), "COMPONENT_ID_DUPLICATED", "Component id is not unique")
                ids.add(number_given)


def message_components(components: Any, where: Place = (), *, flags: int = 0) -> Iterator[Fault]:
    """Name what Discord would refuse in a message's components; null and [] take them away."""
    if components is None:
        return
    if not isinstance(components, list):
        yield wrong_type(where, "an array")
        return
    if not flags & V2_FLAG:
        if len(components) > int(_MOST_ROWS):
            yield bad_length(where, 0, _MOST_ROWS)
        yield from _tree(components, where, (ROW,))
        return
    yield from _tree(components, where, _V2_TOP)
    everything = [
        one[0] for top in components for one in _walk(top, (), _V2_TOP) if not isinstance(one, Fault)
    ]
    if len(everything) > int(_MOST_V2):
        key = "COMPONENT_MAX_TOTAL_COMPONENTS_EXCEEDED"
        sentence = f"The maximum number of components in a message is {int(_MOST_V2)}"
        yield Fault(where, key, sentence, _MOST_V2.fact)
    shown = sum(len(one["content"]) for one in everything if isinstance(one.get("content"), str))
    if shown > int(_MOST_V2_TEXT):
        key = "COMPONENT_DISPLAYABLE_TEXT_SIZE_EXCEEDED"
        sentence = f"Total size of displayable text exceeds the maximum of {int(_MOST_V2_TEXT)}"
        yield Fault(where, key, sentence, _MOST_V2_TEXT.fact)


def modal(data: Any, where: Place = ()) -> Iterator[Fault]:
    """Name what Discord would refuse in a modal."""
    fields: dict[str, Shape] = {
        "custom_id": _custom_id,
        "title": text(45, 1),
        "components": array(anything, 5, 1),
    }
    yield from record(fields, needed=fields)(data, where)
    components = data.get("components") if isinstance(data, dict) else None
    if not isinstance(components, list):
        return
    inside = (*where, "components")
    for index, one in enumerate(components):
        if not isinstance(one, dict) or one.get("type") != ROW:
            yield from _modal_part(one, (*inside, index))
    boxes = [one for one in components if isinstance(one, dict)]
    for index, row in enumerate(boxes):
        if row.get("type") != ROW:
            continue
        children = row.get("components")
        if not isinstance(children, list) or len(children) != 1:
            yield bad_length((*inside, index, "components"), 1, 1)
            continue
        if not isinstance(children[0], dict) or children[0].get("type") != INPUT:
            yield _unknown_kind((*inside, index, "components", 0), (INPUT,))
            continue
        yield from _fields[INPUT](children[0], (*inside, index, "components", 0))
        yield from _input(children[0], (*inside, index, "components", 0))
    yield from _doubled(components, inside)


def _modal_part(part: Any, where: Place) -> Iterator[Fault]:
    """A label with what it holds, or a text; custom ids are compared by `_doubled`."""
    if not isinstance(part, dict) or part.get("type") not in (LABEL, TEXT):
        yield _unknown_kind(where, (ROW, TEXT, LABEL))
        return
    for fault in _tree([part], where[:-1], (LABEL, TEXT)):
        yield Fault((*where, *fault.where[len(where) :]), fault.key, fault.text)
    held = part.get("component")
    if isinstance(held, dict) and held.get("disabled"):
        yield Fault((*where, "component", "disabled"), "MODAL_COMPONENT_DISABLED", "Can't be disabled here")


def _doubled(components: list[Any], where: Place) -> Iterator[Fault]:
    seen: set[str] = set()
    for index, part in enumerate(components):
        if not isinstance(part, dict):
            continue
        held = part.get("component") or next(iter(items(part.get("components"))), None)
        custom_id = held.get("custom_id") if isinstance(held, dict) else None
        if custom_id is None:
            continue
        if str(custom_id) in seen:
            key = "COMPONENT_CUSTOM_ID_DUPLICATED"
            yield Fault((*where, index), key, "Component custom id cannot be duplicated")
        seen.add(str(custom_id))
