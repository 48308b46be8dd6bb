"""Write and read text records of matches: headers, numbered entries, result, secret of the dice, checksum.

`docs/record.md` defines the format. Reading judges every entry as strictly as when it was played, checks
each draw against the revealed secret and, last, the checksum; errors name their line. A record contains the
whole log, hidden cards too, so that callers decide who may see the record of an unfinished match. The secret
of the dice is only in the log of a finished match.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from games.engine import registry
from games.engine.dice import Dice, Sealed
from games.engine.game import AnyGame, Done, Json, Partial, Seat, Setup
from games.engine.match import CorruptLogError, Entry, Kind, Match, advance, fold, walk
from games.engine.record_json import line_in_json, looks_like_json, to_text
from games.engine.record_text import (
    MAX_LENGTH,
    VERSION,
    WIDTH,
    ReadingLimits,
    RecordError,
    RecordLine,
    TooLateError,
    joined_lines,
    read_fields,
    wrapped,
)

__all__ = [
    "MAX_LENGTH", "VERSION", "WIDTH", "ReadingLimits", "Record", "RecordError", "TooLateError",
    "export", "read", "read_any",
]  # fmt: skip

_CHANCE, _NOBODY, _OPTION, _CLOCK, _COMPUTERS = "*", "-", "Option ", "Clock", "Computers"
_ORIGIN, _POSITION = "Origin", "Position"
_ADDED = (_CLOCK, _COMPUTERS, _ORIGIN, _POSITION)
"""Headers of the engine that only some matches have."""
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
        Kind.COACH,
        Kind.RULING,
    )
}


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its headers other than the engine's own, the log, the match after it, and its checksum."""

    headers: Mapping[str, str]
    entries: tuple[Entry, ...]
    match: Match
    checksum: str


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

    def roll(self, n: int) -> tuple[int, ...]:
        return tuple([self.die() for _ in range(n)])


# --- writing ------------------------------------------------------------------------------------------


def export(entries: Sequence[Entry], headers: Mapping[str, str] | None = None) -> str:
    """Return the record of a log; `headers` (players, dates) follow the engine's own.

    Unprintable characters are removed from header values. Raises CorruptLogError for an invalid log, and
    ValueError for a header name that isn't letters, digits and single spaces, or is reserved.
    """
    final = fold(entries)
    secret = entries[-1].data if entries[-1].kind is Kind.REVEAL else None
    sealed = Sealed(bytes.fromhex(secret), final.sealed_id, final.salt) if secret is not None else None
    head = json.loads(entries[0].data)
    lines = [VERSION, *_head_lines(final, head), *_header_lines(headers or {}), ""]
    for (before, _), (_, entry) in pairwise(zip(walk(entries), entries, strict=True)):
        if entry.kind is not Kind.REVEAL:
            lines.append(f"{entry.seq} {_entry_text(before[0], entry, sealed)}")
    lines += ["", f"Result: {_result(final)}"]
    if secret is not None:
        lines.append(f"Secret: {secret}")
    text = "".join(part + "\n" for line in lines for part in wrapped(line))
    return f"{text}Checksum: {checksum_of(text)}\n"


def checksum_of(text: str) -> str:
    """Return what a record ends with: the SHA-256 of its text above, in lower-case hexadecimal digits."""
    return hashlib.sha256(text.encode()).hexdigest()


def _head_lines(match: Match, head: Mapping[str, Any]) -> Iterator[str]:
    yield f"Game: {match.game.key}"
    yield f"Rules: {match.setup.rules}"
    yield f"Match: {match.sealed_id}"
    yield f"Seats: {' '.join(_codes(match.game, match.setup))}"
    for key, value in sorted(head["options"].items()):
        yield f"{_OPTION}{key}: {_json(value)}"
    yield f"Commit: {match.commit}"
    yield f"Salt: {match.salt}"
    if match.hosting.clock is not None:
        yield f"{_CLOCK}: {_json(dict(match.hosting.clock))}"
    if "computers" in head:
        yield f"{_COMPUTERS}: {_json(head['computers'])}"
    if match.hosting.origin is not None:
        yield f"{_ORIGIN}: {_json(match.hosting.origin.reference())}"
        yield f"{_POSITION}: {_json(match.hosting.origin.position)}"


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
        name not in (*_FIXED, *_LAST, *_ADDED)
        and words[0] != _OPTION.strip()
        and all(w.isascii() and w.isalnum() for w in words)
    )


def _json(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


# --- reading ------------------------------------------------------------------------------------------


def read(text: str, limits: ReadingLimits | None = None) -> Record:
    """Parse and verify a record. Raises RecordError, naming the line, if anything is wrong or too much."""
    if len(text) > MAX_LENGTH:
        raise RecordError(1, f"a record has at most {MAX_LENGTH} characters")
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").rstrip("\n") + "\n"
    lines = joined_lines(text)
    if lines[0].text != VERSION:
        raise RecordError(1, f"a record begins with {VERSION!r}")
    gaps = [at for at, line in enumerate(lines) if not line.text]
    if len(gaps) != 2:
        raise RecordError(lines[-1].number, "there must be one empty line before the entries and one after")
    head = read_fields(lines[1 : gaps[0]])
    tail = read_fields(lines[gaps[1] + 1 :])
    match = _start(head)
    draws: list[_Draw] = []
    for count, line in enumerate(lines[gaps[0] + 1 : gaps[1]], 1):
        if limits is not None and count > limits.entries:
            raise RecordError(line.number, f"there are more than {limits.entries} entries")
        _check_time(limits, line.number)
        match = _advance(match, line, draws)
    match = _finish(match, tail, lines[-1].number, draws, limits)
    above, mark, digest = text.rpartition("Checksum: ")
    checksum = checksum_of(above)
    if not mark or lines[-1].text != f"Checksum: {checksum}" or digest != f"{checksum}\n":
        raise RecordError(lines[-1].number, "the checksum does not match: something above was changed")
    free = {name: value.text for name, value in head.items() if _free(name)}
    return Record(free, match.log, match, checksum)


def read_any(data: str, limits: ReadingLimits | None = None) -> Record:
    """Parse and verify a record, as text or as JSON. Raises RecordError, naming its own line."""
    if not looks_like_json(data):
        return read(data, limits)
    text = to_text(data)
    try:
        return read(text, limits)
    except RecordError as error:
        line = line_in_json(data, text, error.line)
        raise type(error)(line, error.reason, error.why, error.match) from error


def _check_time(limits: ReadingLimits | None, line: int) -> None:
    if limits is not None and limits.is_late():
        raise TooLateError(line, "checking the record has taken too long")


def _start(head: Mapping[str, RecordLine]) -> Match:
    for name, line in head.items():
        if name not in (*_FIXED, *_ADDED) and not name.startswith(_OPTION) and not _free(name):
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
    } | {name.casefold(): _value(head[name]) for name in _ADDED if name in head}
    try:
        match = fold([Entry(0, Kind.START, None, _json(start))])
    except RecursionError as error:
        raise RecordError(head["Game"].number, "the headers are nested too deeply") from error
    except CorruptLogError as error:
        at = _ORIGIN if _ORIGIN in head and _begins(start) else "Game"
        raise RecordError(head[at].number, error.reason, error.why) from error
    if tuple(codes) != (right := _codes(game, match.setup)):
        raise RecordError(head["Seats"].number, f"the seats are {' '.join(right)}")
    return match


def _begins(start: Mapping[str, Any]) -> bool:
    """Return whether a match can begin like this, but for its origin."""
    plain = {key: value for key, value in start.items() if key not in ("origin", "position")}
    try:
        fold([Entry(0, Kind.START, None, _json(plain))])
    except CorruptLogError:
        return False
    return True


def _value(line: RecordLine) -> Json:
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
    """A draw of chance, to be checked once the secret is known; the match before it is without its log."""

    line: int
    before: Match
    entry: Entry
    numbers: str | None


def _advance(match: Match, line: RecordLine, draws: list[_Draw]) -> Match:
    """Return the match after one entry line; append it to `draws` if chance made it."""
    number, _, rest = line.text.partition(" ")
    who, _, text = rest.partition(" ")
    if number != str(match.seq + 1):
        raise RecordError(line.number, f"entry {match.seq + 1} was expected")
    seq = match.seq + 1
    if who == _CHANCE:
        wire, bracket, numbers = text.rpartition(" [") if text.endswith("]") else (text, "", "")
        entry = Entry(seq, Kind.CHANCE, None, wire)
        draws.append(_Draw(line.number, replace(match, log=()), entry, numbers[:-1] if bracket else None))
    elif who == _NOBODY:
        word, _, data = text.partition(" ")
        if text == f"!{Kind.ABORT.value}":
            entry = Entry(seq, Kind.ABORT)
        elif word in (f"!{Kind.DOWNTIME.value}", f"!{Kind.RULING.value}"):
            entry = Entry(seq, Kind(word[1:]), None, data)
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


def _finish(
    match: Match,
    tail: Mapping[str, RecordLine],
    last: int,
    draws: Sequence[_Draw],
    limits: ReadingLimits | None,
) -> Match:
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
        _check_time(limits, draw.line)
        wire, numbers = _drawn(draw.before, draw.entry.seq, sealed)
        if (wire, numbers) != (draw.entry.data, draw.numbers):
            raise RecordError(draw.line, f"the secret gives {wire} [{numbers}]")
    return match
