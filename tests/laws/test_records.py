"""Laws of records: every match of every game survives a round trip; a changed record is refused."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from importlib.resources import files

import pytest

from games.engine import registry
from games.engine.game import Seat
from games.engine.match import Kind, fold, verify
from games.engine.record import WIDTH, RecordError, export, read
from tests.laws.courses import Course
from tests.laws.fuzz import wire_mutants
from tests.laws.golden import folder
from tests.soak import SOAK

pytestmark = pytest.mark.slow

HEADERS = {"Player A": "Ada", "Started": "2026-03-01", "Long": "x" * 150 + " y" * 150, "Empty": ""}


def sealed_again(text: str) -> str:
    """Return the text with a matching checksum."""
    above = text.rpartition("Checksum: ")[0]
    return f"{above}Checksum: {hashlib.sha256(above.encode(errors='replace')).hexdigest()}\n"


def test_a_match_goes_into_a_record_and_back(played: Course) -> None:
    text = export(played.log, HEADERS)
    found = read(text)
    assert found.entries == played.log
    assert found.headers == HEADERS
    assert found.match == played.final
    assert export(found.entries, found.headers) == text
    assert max(map(len, text.splitlines())) <= WIDTH
    assert read(text.replace("\n", "\r\n")).entries == played.log


def test_an_unfinished_match_keeps_its_secret(played: Course) -> None:
    secret = played.log[-1].data
    for stop in played.some(4 if SOAK else 3):
        text = export(stop.match.log, {})
        assert secret not in text
        assert "Secret" not in text
        assert read(text).entries == stop.match.log


def test_a_changed_line_is_refused(played: Course) -> None:
    text = export(played.log, {})
    lines = text.splitlines(keepends=True)
    some = 5 if len(lines) < 300 else 3  # each is read from the start
    for at in range(0, len(lines), max(1, len(lines) // some)):
        changed = [*lines[:at], lines[at].rstrip("\n") + "7\n", *lines[at + 1 :]]
        with pytest.raises(RecordError) as found:
            read("".join(changed))
        assert 1 <= found.value.line <= len(lines)
        with pytest.raises(RecordError):
            read("".join([*lines[:at], *lines[at + 1 :]]))


def test_an_illegal_entry_is_named_even_with_a_matching_checksum(played: Course) -> None:
    text = export(played.log, {})
    lines = text.splitlines(keepends=True)
    start = lines.index("\n") + 1
    first = next(entry.seq for entry in played.log if entry.kind is Kind.PLAY)
    code = played.case.game.look(played.case.setup, Seat(0)).code
    # An entry may take several lines, because the numbers of its draw are long.
    number = 1 + next(n for n, line in enumerate(lines) if n >= start and line.startswith(f"{first} "))
    for bad in (f"{first} {code} zz\n", f"{first + 1} {code} x\n", f"{first} - !abort x\n", f"{first} ? x\n"):
        with pytest.raises(RecordError) as found:
            read(sealed_again("".join([*lines[: number - 1], bad, *lines[number:]])))
        assert found.value.line == number


def test_a_damaged_record_is_refused_and_nothing_else(played: Course) -> None:
    text = export(played.log[: 8 if len(played.log) > 40 else None], {"Player A": "Ada"})
    lines = text.splitlines(keepends=True)
    for at in range(0, len(lines), 2):
        for mutant in list(wire_mutants(lines[at]))[:8]:
            changed = "".join([*lines[:at], mutant, *lines[at + 1 :]])
            for each in (changed, sealed_again(changed)):
                with suppress(RecordError):
                    found = read(each)
                    assert fold(found.entries) == found.match


@pytest.mark.parametrize("key", [game.key for game in registry.all_games()])
def test_the_golden_records_of_a_game_still_say_the_same(key: str) -> None:
    found = sorted(folder(key).glob("*.txt"))
    assert found, f"{key} has no golden record in {folder(key)}"
    seats, versions = set(), set()
    for path in found:
        text = path.read_text("utf-8")
        assert len(text) < 12_000, "goldens are read in reviews"
        record = read(text)
        seats.add(record.match.setup.seats)
        versions.add(record.match.setup.rules)
        assert record.match.ending is not None
        assert record.match.game.key == key
        assert verify(record.entries) == ()
        assert export(record.entries, record.headers) == text
    assert seats == set(registry.get(key).seats), "one golden at least for each number of seats"
    assert versions == set(range(1, registry.get(key).rules + 1)), "and for each version of the rules"


@pytest.mark.parametrize("key", [game.key for game in registry.all_games()])
def test_a_game_has_its_own_texts(key: str) -> None:
    texts = files(registry.package(key)) / "texts"
    assert (texts / "en.toml").is_file() or (texts / "en").is_dir()
