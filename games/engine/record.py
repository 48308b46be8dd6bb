"""Write and read text records of matches: headers, numbered entries, result, secret of the dice, checksum.

`docs/record.md` defines the format. Reading judges every entry as strictly as when it was played, checks
each draw against the revealed secret and, last, the checksum; errors name their line. A record contains the
whole log, hidden cards too, so that callers decide who may see the record of an unfinished match. The secret
of the dice is only in the log of a finished match.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from games.engine import registry
from games.engine.dice import Dice, Sealed
from games.engine.game import AnyGame, Done, Json, Partial, Seat, Setup
from games.engine.match import CorruptLogError, Entry, Kind, Match, advance, fold, walk
from games.engine.message import Msg

VERSION = "Dominium record 1"
WIDTH = 100
"""Maximum length of a line, in characters; the rest follows on lines that begin with two spaces."""
MAX_LENGTH = 2_000_000
"""Maximum length of a record, in characters; no match of any game comes near it."""

_CHANCE, _NOBODY, _OPTION, _CLOCK = "*", "-", "Option ", "Clock"
_FIXED = ("Game", "Rules", "Match", "Seats", "Commit", "Salt")
_LAST = ("Result", "Secret", "Checksum")
_WORDS = {
    kind.value: kind
    for kind in (
        Kind.RESIGN,
        Kind.TIMEOUT,
        Kind.OFFER,
        Kind.ASK,
        Kind.DECLINE,
        Kind.TAKEBACK,
        Kind.SUBSTITUTE,
        Kind.FLAG,
        Kind.CLAIM,
        Kind.DEFAULT,
        Kind.PAUSE,
        Kind.RESUME,
        Kind.VACATION,
        Kind.HINT,
    )
}


class RecordError(ValueError):
    """A text that isn't a record of a match.

    `line` counts from 1; `why` is the game's own refusal, where it refused an entry, and `match` the match
    whose seats it names, if it had begun.
    """

    def __init__(self, line: int, reason: str, why: Msg | None = None, match: Match | None = None) -> None:
        super().__init__(f"line {line}: {reason}" + (f" ({why.key})" if why else ""))
        self.line = line
        self.reason = reason
        self.why = why
        self.match = match


@dataclass(frozen=True, slots=True)
class Record:
    """The contents of a record: headers other than the engine's own, the log, and the match after it."""

    headers: Mapping[str, str]
    entries: tuple[Entry, ...]
    match: Match


class _TracingDice(Dice):
    """Dice that collect each number they return, as (x, n) for x below n."""

    __slots__ = ("drawn",)

    def __init__(self, sealed: Sealed, seq: int) -> None:
        super().__init__(sealed.secret, sealed.match, seq, sealed.salt)
        self.drawn: list[tuple[int, int]] = []

    def below(self, n: int) -> int:
        x = super().below(n)
        self.drawn.append((x, n))
        return x


# --- writing ------------------------------------------------------------------------------------------


def export(entries: Sequence[Entry], headers: Mapping[str, str] | None = None) -> str:
    """Return the record of a log; `headers` (players, dates) follow the engine's own.

    Unprintable characters are removed from header values. Raises CorruptLogError for an invalid log, and
    ValueError for a header name that isn't letters, digits and single spaces, or is reserved.
    """
    final = fold(entries)
    secret = entries[-1].data if entries[-1].kind is Kind.REVEAL else None
    sealed = Sealed(bytes.fromhex(secret), final.id, final.salt) if secret is not None else None
    head = json.loads(entries[0].data)
    lines = [VERSION, *_head_lines(final, head), *_header_lines(headers or {}), ""]
    for (before, _), (_, entry) in pairwise(zip(walk(entries), entries, strict=True)):
        if entry.kind is not Kind.REVEAL:
            lines.append(f"{entry.seq} {_entry_text(before[0], entry, sealed)}")
    lines += ["", f"Result: {_result(final)}"]
    if secret is not None:
        lines.append(f"Secret: {secret}")
    text = "".join(part + "\n" for line in lines for part in _wrapped(line))
    return f"{text}Checksum: {_digest(text)}\n"


def _head_lines(match: Match, head: Mapping[str, Any]) -> Iterator[str]:
    yield f"Game: {match.game.key}"
    yield f"Rules: {match.setup.rules}"
    yield f"Match: {match.id}"
    yield f"Seats: {' '.join(_codes(match.game, match.setup))}"
    for key, value in sorted(head["options"].items()):
        yield f"{_OPTION}{key}: {_json(value)}"
    yield f"Commit: {match.commit}"
    yield f"Salt: {match.salt}"
    if match.clock is not None:
        yield f"{_CLOCK}: {_json(dict(match.clock))}"


def _header_lines(headers: Mapping[str, str]) -> Iterator[str]:
    for name, value in headers.items():
        if not _free(name):
            raise ValueError(f"{name!r} can't be the name of a header")
        yield f"{name}: {''.join(char for char in value if char.isprintable()).strip()}"


def _entry_text(before: Match, entry: Entry, sealed: Sealed | None) -> str:
    game = before.game
    if entry.kind is Kind.CHANCE:
        drawn = "" if sealed is None else f" [{_drawn(before, entry.seq, sealed)[1]}]"
        return f"{_CHANCE} {entry.data}{drawn}"
    if entry.seat is None:
        return f"{_NOBODY} !{entry.kind.value} {entry.data}".rstrip()
    code = _codes(game, before.setup)[entry.seat]
    if entry.kind in (Kind.PLAY, Kind.DEFAULT):
        move = game.format(game.view(before.state, entry.seat), game.decode(entry.data))
        return f"{code} {move}" if entry.kind is Kind.PLAY else f"{code} !{entry.kind.value} {move}"
    return f"{code} !{entry.kind.value} {entry.data}".rstrip()


def _drawn(before: Match, seq: int, sealed: Sealed) -> tuple[str, str]:
    """Return what the secret gives for a draw: the encoded action, and the numbers drawn for it."""
    dice = _TracingDice(sealed, seq)
    wire = before.game.encode(before.game.draw(before.state, dice))
    return wire, " ".join(f"{x}/{n}" for x, n in dice.drawn)


def _result(match: Match) -> str:
    if match.ending is None:
        return "unfinished"
    outcome = match.ending.outcome
    return "aborted" if outcome is None else f"{' '.join(map(str, outcome.ranks))} by {match.ending.how}"


def _codes(game: AnyGame, setup: Setup) -> tuple[str, ...]:
    return tuple(game.look(setup, Seat(seat)).code for seat in range(setup.seats))


def _free(name: str) -> bool:
    words = name.split(" ")
    return (
        name not in (*_FIXED, *_LAST, _CLOCK)
        and words[0] != _OPTION.strip()
        and all(w.isascii() and w.isalnum() for w in words)
    )


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _wrapped(line: str) -> Iterator[str]:
    """Yield lines of at most WIDTH characters, broken before a space where possible."""
    indent = ""
    while len(indent) + len(line) > WIDTH:
        room = WIDTH - len(indent)
        cut = line.rfind(" ", 1, room + 1)
        if cut < room // 2:
            cut = room
        yield indent + line[:cut]
        line, indent = line[cut:], "  "
    yield indent + line


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


# --- reading ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def read(text: str, step: Callable[[int], None] = lambda line: None) -> Record:
    """Parse and verify a record. Raises RecordError, naming the line, if anything is wrong.

    `step` is called with the number of each line of an entry and may raise to end the reading.
    """
    if len(text) > MAX_LENGTH:
        raise RecordError(1, f"a record has at most {MAX_LENGTH} characters")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") + "\n"
    lines = _joined(text)
    if lines[0].text != VERSION:
        raise RecordError(1, f"a record begins with {VERSION!r}")
    gaps = [at for at, line in enumerate(lines) if not line.text]
    if len(gaps) != 2:
        raise RecordError(lines[-1].number, "there must be one empty line before the entries and one after")
    head = _fields(lines[1 : gaps[0]])
    tail = _fields(lines[gaps[1] + 1 :])
    match = _start(head)
    draws: list[_Draw] = []
    for line in lines[gaps[0] + 1 : gaps[1]]:
        step(line.number)
        match = _advance(match, line, draws)
    match = _finish(match, tail, lines[-1].number, draws)
    above, mark, digest = text.rpartition("Checksum: ")
    if not mark or lines[-1].text != f"Checksum: {_digest(above)}" or digest != f"{_digest(above)}\n":
        raise RecordError(lines[-1].number, "the checksum does not match: something above was changed")
    free = {name: value.text for name, value in head.items() if _free(name)}
    return Record(free, match.log, match)


def _joined(text: str) -> list[_Line]:
    """Join continuation lines; return logical lines with the number of their first physical line."""
    joined: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
        if not line.isprintable():
            raise RecordError(number, "there is an unprintable character")
        if line.startswith("  ") and joined and joined[-1][1][0]:
            joined[-1][1].append(line[2:])
        else:
            joined.append((number, [line]))
    return [_Line(number, "".join(parts)) for number, parts in joined]


def _fields(lines: Sequence[_Line]) -> dict[str, _Line]:
    """Parse `Name: value` lines by name."""
    found: dict[str, _Line] = {}
    for line in lines:
        name, colon, value = line.text.partition(":")
        if not colon or (value and not value.startswith(" ")):
            raise RecordError(line.number, "a header is a name, a colon, a space and a value")
        if name in found:
            raise RecordError(line.number, f"{name} is given twice")
        found[name] = _Line(line.number, value[1:])
    return found


def _start(head: Mapping[str, _Line]) -> Match:
    for name, line in head.items():
        if name not in (*_FIXED, _CLOCK) and not name.startswith(_OPTION) and not _free(name):
            raise RecordError(line.number, f"{name!r} can't be the name of a header")
    if missing := [name for name in _FIXED if name not in head]:
        raise RecordError(2, f"a record has the header {missing[0]}")
    try:
        game = registry.get(head["Game"].text)
    except KeyError as error:
        raise RecordError(head["Game"].number, f"there is no game {head['Game'].text}") from error
    codes = head["Seats"].text.split(" ")
    if len(codes) not in game.seats:
        raise RecordError(head["Seats"].number, f"no {game.key} has {len(codes)} seats")
    start = {
        "game": game.key,
        "rules": _value(head["Rules"]),
        "seats": len(codes),
        "options": {k.removeprefix(_OPTION): _value(v) for k, v in head.items() if k.startswith(_OPTION)},
        "match": head["Match"].text,
        "salt": head["Salt"].text,
        "commit": head["Commit"].text,
    } | ({"clock": _value(head[_CLOCK])} if _CLOCK in head else {})
    try:
        match = fold([Entry(0, Kind.START, None, _json(start))])
    except CorruptLogError as error:
        raise RecordError(head["Game"].number, error.reason, error.why) from error
    if tuple(codes) != (right := _codes(game, match.setup)):
        raise RecordError(head["Seats"].number, f"the seats are {' '.join(right)}")
    return match


def _value(line: _Line) -> Json:
    try:
        value: Json = json.loads(line.text)
        canonical = _json(value)
    except (ValueError, RecursionError) as error:
        raise RecordError(line.number, "the value isn't valid JSON") from error
    if canonical != line.text:
        raise RecordError(line.number, f"the value must be written as {canonical}")
    return value


@dataclass(frozen=True, slots=True)
class _Draw:
    """A draw of chance, to be checked once the secret is known."""

    line: int
    before: Match
    entry: Entry
    numbers: str | None


def _advance(match: Match, line: _Line, draws: list[_Draw]) -> Match:
    """Return the match after one entry line; append it to `draws` if chance made it."""
    number, _, rest = line.text.partition(" ")
    who, _, text = rest.partition(" ")
    if number != str(match.seq + 1):
        raise RecordError(line.number, f"entry {match.seq + 1} was expected")
    seq = match.seq + 1
    if who == _CHANCE:
        wire, bracket, numbers = text.rpartition(" [") if text.endswith("]") else (text, "", "")
        entry = Entry(seq, Kind.CHANCE, None, wire)
        draws.append(_Draw(line.number, match, entry, numbers[:-1] if bracket else None))
    elif who == _NOBODY:
        word, _, data = text.partition(" ")
        if text == f"!{Kind.ABORT.value}":
            entry = Entry(seq, Kind.ABORT)
        elif word == f"!{Kind.DOWNTIME.value}":
            entry = Entry(seq, Kind.DOWNTIME, None, data)
        else:
            raise RecordError(line.number, "nobody can do that")
    elif who not in (codes := _codes(match.game, match.setup)):
        raise RecordError(line.number, f"there is no seat {who}")
    else:
        entry = _seat_entry(match, Seat(codes.index(who)), seq, text, line.number)
    try:
        return advance(match, entry)[0]
    except CorruptLogError as error:
        raise RecordError(line.number, error.reason, error.why, match) from error


def _seat_entry(match: Match, seat: Seat, seq: int, text: str, line: int) -> Entry:
    """Parse an entry of a seat: `!` and a keyword of the engine, or a move as people write it."""
    if text.startswith("!"):
        word, _, data = text[1:].partition(" ")
        if word not in _WORDS:
            raise RecordError(line, f"no seat can {word}")
        if (kind := _WORDS[word]) is not Kind.DEFAULT:
            return Entry(seq, kind, seat, data)
        return _move(match, kind, seat, seq, data, line)
    return _move(match, Kind.PLAY, seat, seq, text, line)


def _move(match: Match, kind: Kind, seat: Seat, seq: int, text: str, line: int) -> Entry:
    if seat not in match.to_act:
        raise RecordError(line, "the seat is not to act")
    game = match.game
    found = game.parse(game.view(match.state, seat), seat, text)
    if isinstance(found, Done):
        return Entry(seq, kind, seat, game.encode(found.action))
    if isinstance(found, Partial):
        raise RecordError(line, "the move is unfinished")
    raise RecordError(line, "the move is refused", found.why, match)


def _finish(match: Match, tail: Mapping[str, _Line], last: int, draws: Sequence[_Draw]) -> Match:
    """Check the result and every draw; return the match with its secret revealed, if the record has it."""
    for name, line in tail.items():
        if name not in _LAST:
            raise RecordError(line.number, f"{name} is not allowed after the entries")
    if "Result" not in tail:
        raise RecordError(last, "the result is missing")
    if tail["Result"].text != _result(match):
        raise RecordError(tail["Result"].number, f"the entries give {_result(match)}")
    secret = tail.get("Secret")
    if secret is None:
        for draw in draws:
            if draw.numbers is not None:
                raise RecordError(draw.line, "the numbers of a draw are only allowed with the secret")
        return match
    try:
        match, _ = advance(match, Entry(match.seq + 1, Kind.REVEAL, None, secret.text))
    except CorruptLogError as error:
        raise RecordError(secret.number, error.reason) from error
    sealed = Sealed(bytes.fromhex(secret.text), match.id, match.salt)
    for draw in draws:
        wire, numbers = _drawn(draw.before, draw.entry.seq, sealed)
        if (wire, numbers) != (draw.entry.data, draw.numbers):
            raise RecordError(draw.line, f"the secret gives {wire} [{numbers}]")
    return match
