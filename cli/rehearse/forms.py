"""Facts on components and layouts: what is refused, and what a layout leaves out.

https://docs.discord.com/developers/components/reference
"""

from __future__ import annotations

from typing import Any

from cli.rehearse.facts import fact, limit, yes
from cli.rehearse.stage import RehearsalStage
from cli.rehearse.wire import RestAnswer

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


@limit("A row has a limit of buttons.", 10)
async def _six_buttons(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_rows([_button(number) for number in range(size)]))


@limit("A message has a limit of rows.", 10)
async def _six_rows(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_rows(*([_button(number)] for number in range(size))))


@fact("Two components with the same custom id are refused.")
async def _same_custom_id(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([_button(1), _button(1)]))).verdict


@limit("A custom id has a limit of characters.", 200)
async def _long_custom_id(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_rows([_button(1, custom_id="x" * size)]))


@limit("A button's label has a limit of characters.", 200)
async def _long_label(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_rows([_button(1, label="x" * size)]))


@fact("A button without label and emoji is refused.")
async def _empty_button(stage: RehearsalStage) -> str:
    return (await stage.send(_rows([{"type": 2, "style": 2, "custom_id": "rehearsal"}]))).verdict


@limit("A menu has a limit of options.", 50)
async def _many_options(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_menu(*map(str, range(size))))


@fact("Two options of a menu with the same value are refused.")
async def _same_value(stage: RehearsalStage) -> str:
    return (await stage.send(_menu("one", "one"))).verdict


@limit("A menu's placeholder has a limit of characters.", 300)
async def _long_placeholder(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_menu("one", "two", placeholder="x" * size))


@fact("A layout is taken; its message has no content.")
async def _layout(stage: RehearsalStage) -> str:
    answer = await stage.send(_in_layout({"type": 17, "components": [_text("a layout")]}))
    body = stage.given(answer)
    return f"{answer.verdict}, content {yes(body['content'])}, flag {yes(body['flags'] & _LAYOUT)}"


@fact("A layout with content beside it is refused.")
async def _layout_with_text(stage: RehearsalStage) -> str:
    return (await stage.send(_in_layout(_text("a layout"), content="beside"))).verdict


@limit("A layout has a limit of components.", 80)
async def _large_layout(stage: RehearsalStage, size: int) -> RestAnswer:
    return await stage.send(_in_layout(*(_text(str(number)) for number in range(size))))


@limit("A layout has a limit of characters.", 8000)
async def _long_layout(stage: RehearsalStage, size: int) -> RestAnswer:
    halves = (size // 2, size - size // 2)
    return await stage.send(_in_layout(*(_text("x" * half) for half in halves if half)))


@fact("The parts of a layout without its flag are refused.")
async def _layout_without_flag(stage: RehearsalStage) -> str:
    return (await stage.send({"components": [_text("a layout")]})).verdict


@fact("An edit can turn a message into a layout.")
async def _layout_by_edit(stage: RehearsalStage) -> str:
    posted = await stage.post()
    path = f"/channels/{stage.channel}/messages/{posted['id']}"
    return (await stage.rest("PATCH", path, _in_layout(_text("a layout"), content=None))).verdict
