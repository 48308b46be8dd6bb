"""Records as JSON, for programs: the same contents as the text, turned into it and back without loss.

A JSON record holds nothing that the text doesn't, and nothing here knows the rules: what comes back is the
text, with the checksum of the text, and only `record.read` judges it. `docs/record.md` has the schema.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from games.engine.fields import Json
from games.engine.record_text import (
    MAX_LENGTH,
    VERSION,
    RecordError,
    RecordLine,
    joined_lines,
    read_fields,
    wrapped,
)

NUMBER: Final = 1
_NAMES: Final = {"game": "Game", "match": "Match", "commit": "Commit", "salt": "Salt"}
"""Parts that are texts, with their headers."""
_VALUES: Final = {
    "rules": "Rules",
    "clock": "Clock",
    "computers": "Computers",
    "origin": "Origin",
    "position": "Position",
}
"""Parts that are any JSON, with their headers."""
_PARTS: Final = frozenset(
    {"record", "seats", "options", "headers", "entries", "result", "secret", "checksum", *_NAMES, *_VALUES}
)
_ENTRY: Final = frozenset({"by", "does", "drawn"})
_OPTION: Final = "Option "


def looks_like_json(text: str) -> bool:
    """Return whether a text is to be read as JSON rather than as a text record."""
    return text.lstrip("\ufeff \t\r\n").startswith("{")


def to_json(text: str) -> str:
    """Return a valid text record as JSON, an entry a line."""
    lines = joined_lines(text)
    gaps = [at for at, line in enumerate(lines) if not line.text]
    head = {name: line.text for name, line in read_fields(lines[1 : gaps[0]]).items()}
    tail = {name: line.text for name, line in read_fields(lines[gaps[1] + 1 :]).items()}
    known = {*_NAMES.values(), *_VALUES.values(), "Seats"}
    data: dict[str, Json] = {
        "record": NUMBER,
        **{part: head[name] for part, name in _NAMES.items()},
        "seats": list(head["Seats"].split(" ")),
        "options": {k.removeprefix(_OPTION): json.loads(v) for k, v in head.items() if k.startswith(_OPTION)},
        **{part: json.loads(head[name]) for part, name in _VALUES.items() if name in head},
        "headers": {k: v for k, v in head.items() if k not in known and not k.startswith(_OPTION)},
        **{name.casefold(): value for name, value in tail.items()},
    }
    parts = [f" {_dump(part)}: {_dump(value)}" for part, value in data.items()]
    entries = [f"  {_dump(_entry(line))}" for line in lines[gaps[0] + 1 : gaps[1]]]
    parts.insert(-len(tail), ' "entries": [\n' + ",\n".join(entries) + "\n ]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _entry(line: RecordLine) -> dict[str, Json]:
    _, _, rest = line.text.partition(" ")
    by, _, does = rest.partition(" ")
    drawn: list[Json] | None = None
    if by == "*" and does.endswith("]"):
        does, _, numbers = does[:-1].rpartition(" [")
        drawn = [[int(part) for part in pair.split("/")] for pair in numbers.split()]
    return {"by": by, "does": does} | ({} if drawn is None else {"drawn": drawn})


def _dump(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=False)


def to_text(data: str) -> str:
    """Return the text of a JSON record.

    Raises RecordError if it can't be one; the line is that of the JSON where its syntax is wrong, else 1.
    """
    if len(data) > 2 * MAX_LENGTH:
        raise RecordError(1, f"a record as JSON has at most {2 * MAX_LENGTH} characters")
    try:
        found = json.loads(data.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise RecordError(error.lineno, f"this isn't JSON: {error.msg}") from error
    except (ValueError, RecursionError) as error:
        raise RecordError(1, "this isn't JSON that can be read") from error
    try:
        lines = list(_lines(_object(found, "the record")))
    except RecursionError as error:
        raise RecordError(1, "the record is nested too deeply") from error
    return "".join(part + "\n" for line in lines for part in wrapped(line))


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lines of the text, in the order in which Dominium writes them."""
    if unknown := data.keys() - _PARTS:
        raise RecordError(1, f"a record has no part {min(unknown)}")
    if data.get("record") != NUMBER or type(data["record"]) is not int:
        raise RecordError(1, f'a record as JSON has "record": {NUMBER}')
    yield VERSION
    yield f"Game: {_text(data, 'game')}"
    yield f"Rules: {_plain(_part(data, 'rules'))}"
    yield f"Match: {_text(data, 'match')}"
    yield f"Seats: {' '.join(_flat(seat, 'seats') for seat in _list(data, 'seats'))}"
    for key, value in sorted(_object(_part(data, "options"), "options").items()):
        yield f"{_OPTION}{_flat(key, 'options')}: {_plain(value)}"
    yield f"Commit: {_text(data, 'commit')}"
    yield f"Salt: {_text(data, 'salt')}"
    for part in ("clock", "computers", "origin", "position"):
        if part in data:
            yield f"{_VALUES[part]}: {_plain(data[part])}"
    for name, value in _object(data.get("headers", {}), "headers").items():
        yield f"{_flat(name, 'headers')}: {_flat(value, f'headers.{name}')}"
    yield ""
    for number, entry in enumerate(_list(data, "entries"), 1):
        yield _entry_line(number, entry)
    yield ""
    yield f"Result: {_text(data, 'result')}"
    if "secret" in data:
        yield f"Secret: {_text(data, 'secret')}"
    yield f"Checksum: {_text(data, 'checksum')}"


def _entry_line(number: int, entry: Any) -> str:
    path = f"entries[{number - 1}]"
    found = _object(entry, path)
    if unknown := found.keys() - _ENTRY:
        raise RecordError(1, f"{path} has no part {min(unknown)}")
    line = f"{number} {_flat(found.get('by'), f'{path}.by')} {_flat(found.get('does'), f'{path}.does')}"
    if "drawn" not in found:
        return line
    pairs = found["drawn"]
    if not isinstance(pairs, list) or not all(_is_pair(pair) for pair in pairs):
        raise RecordError(1, f"{path}.drawn is a list of pairs of numbers")
    return f"{line} [{' '.join(f'{x}/{n}' for x, n in pairs)}]"


def _is_pair(pair: Any) -> bool:
    return isinstance(pair, list) and [type(each) for each in pair] == [int, int] and max(pair) < 10**18


def _part(data: Mapping[str, Any], name: str) -> Any:
    if name not in data:
        raise RecordError(1, f"{name} is missing")
    return data[name]


def _text(data: Mapping[str, Any], name: str) -> str:
    return _flat(_part(data, name), name)


def _flat(value: Any, path: str) -> str:
    """Return a text of one line."""
    if not isinstance(value, str) or not value.isprintable():
        raise RecordError(1, f"{path[:60]} is a text of one line")
    return value


def _list(data: Mapping[str, Any], name: str) -> list[Any]:
    value = _part(data, name)
    if not isinstance(value, list):
        raise RecordError(1, f"{name} is a list")
    return value


def _object(value: Any, path: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise RecordError(1, f"{path} is an object")
    return value


def _plain(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


# --- where something is wrong ---------------------------------------------------------------------------


def line_in_json(data: str, text: str, line: int) -> int:
    """Return the line of a JSON record in which a line of its text stands, as closely as possible."""
    start = next(each for each in reversed(joined_lines(text)) if each.number <= line)
    number, _, rest = start.text.partition(" ")
    if number.isascii() and number.isdecimal() and rest:
        return _line_of_entry(data, int(number))
    name = start.text.partition(":")[0]
    part = next((key for key, header in (_NAMES | _VALUES).items() if header == name), name.casefold())
    for wanted in (f'"{part}"', f'"{name.removeprefix(_OPTION)}"'):
        if (at := data.find(wanted)) >= 0:
            return 1 + data.count("\n", 0, at)
    return 1


def _line_of_entry(data: str, number: int) -> int:
    """Return the line in which an entry begins."""
    decoder = json.JSONDecoder()
    at = data.find("[", data.find('"entries"')) + 1
    for count in range(1, number + 1):
        while at < len(data) and data[at] in " \t\r\n,":
            at += 1
        if count == number:
            break
        try:
            _, at = decoder.raw_decode(data, at)
        except (ValueError, RecursionError):
            return 1
    return 1 + data.count("\n", 0, at)
