"""Facts on components and layouts: what is refused, and what a layout leaves out.

https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

from typing import Any

from cli.rehearse.facts import fact, yes
from cli.rehearse.stage import RehearsalStage

_LAYOUT = 1 << 15
Json = dict[str, Any]


def _button(number: int, **more: Any) -> Json:
    return {"type": 2, "style": 2, "label": "Press", "custom_id": f"rehearsal:{number}", **more}


def _rows(*rows: list[Json]) -> Json:
    return {"content": "components", "components": [{"type": 1, "components": row} for row in rows]}


def _menu(*values: str, **more: Any) -> Json:
    options = [{"label": f"Choice {number}", "value": value} for number, value in enumerate(values)]
    return _rows([{"type": 3, "custom_id": "rehearsal:menu", "options": options, **more}])


def _in_layout(*parts: Json, **more: Any) -> Json:
    return {"flags": _LAYOUT, "components": list(parts), **more}


def _text(text: str) -> Json:
    return {"type": 10, "content": text}


@fact("A row holds five buttons; six are refused.")
async def _six_buttons(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([_button(number) for number in range(6)]))).verdict


@fact("A message holds five rows; six are refused.")
async def _six_rows(stage: RehearsalStage) -> str:
    return (await stage.send(_rows(*([_button(number)] for number in range(6))))).verdict


@fact("Two components with the same custom id are refused.")
async def _same_custom_id(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([_button(1), _button(1)]))).verdict


@fact("A custom id of more than 100 characters is refused.")
async def _long_custom_id(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([_button(1, custom_id="x" * 101)]))).verdict


@fact("A button's label of more than 80 characters is refused.")
async def _long_label(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([_button(1, label="x" * 81)]))).verdict


@fact("A button without label and emoji is refused.")
async def _empty_button(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([{"type": 2, "style": 2, "custom_id": "rehearsal"}]))).verdict


@fact("A menu has 25 options; 26 are refused.")
async def _many_options(stage: RehearsalStage) -> str:
    return (await stage.send(_menu(*map(str, range(26))))).verdict


@fact("Two options of a menu with the same value are refused.")
async def _same_value(stage: RehearsalStage) -> str:
    return (await stage.send(_menu("one", "one"))).verdict


@fact("A menu's placeholder of more than 150 characters is refused.")
async def _long_placeholder(stage: RehearsalStage) -> str:
    return (await stage.send(_menu("one", "two", placeholder="x" * 151))).verdict


@fact("A layout is taken; its message has no content.")
async def _layout(stage: RehearsalStage) -> str:
    answer = await stage.send(_in_layout({"type": 17, "components": [_text("a layout")]}))
    body = stage.given(answer)
    return f"{answer.verdict}, content {yes(body['content'])}, flag {yes(body['flags'] & _LAYOUT)}"


@fact("A layout with content beside it is refused.")
async def _layout_with_text(stage: RehearsalStage) -> str:
    return (await stage.send(_in_layout(_text("a layout"), content="beside"))).verdict


@fact("A layout of more than 40 components is refused.")
async def _large_layout(stage: RehearsalStage) -> str:
    return (await stage.send(_in_layout(*(_text(str(number)) for number in range(41))))).verdict


@fact("A layout of more than 4,000 characters is refused.")
async def _long_layout(stage: RehearsalStage) -> str:
    return (await stage.send(_in_layout(_text("x" * 2001), _text("x" * 2000)))).verdict


@fact("The parts of a layout without its flag are refused.")
async def _layout_without_flag(stage: RehearsalStage) -> str:
    return (await stage.send({"components": [_text("a layout")]})).verdict


@fact("An edit can turn a message into a layout.")
async def _layout_by_edit(stage: RehearsalStage) -> str:
    posted = await stage.post()
    path = f"/channels/{stage.channel}/messages/{posted['id']}"
    return (await stage.rest("PATCH", path, _in_layout(_text("a layout"), content=None))).verdict
