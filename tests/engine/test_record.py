"""Records line by line: what each part means, and the line that an error names."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import (
    Change,
    Kind,
    Match,
    abort,
    ask_pause,
    ask_takeback,
    begin,
    claim,
    coach,
    decline,
    flag,
    hint,
    leave,
    note_downtimes,
    note_vacation,
    offer_draw,
    pause,
    play_default,
    remove,
    resume,
    rule,
    substitute,
    take_back,
)
from games.engine.match import play as play_action
from games.engine.message import Msg
from games.engine.record import VERSION, RecordError, export, read
from tests.rows import rows
from tests.toy import GAME

GOLDEN = Path(__file__).parents[1] / "toy" / "golden" / "3.txt"
SEALED = Sealed(b"r" * 32, "T-REC", "5:6,7")
A, B, C = Seat(0), Seat(1), Seat(2)


def sealed_again(text: str) -> str:
    above = text.rpartition("Checksum: ")[0]
    return f"{above}Checksum: {hashlib.sha256(above.encode()).hexdigest()}\n"


def refused_at(text: str) -> int | None:
    """Return the line at which a text is refused, if it is."""
    try:
        read(text)
    except RecordError as error:
        return error.line
    return None


def done(change: Change | Msg) -> Match:
    assert isinstance(change, Change)
    return change.match


def _move_of(match: Match, seat: Seat) -> int:
    return next(entry.seq for entry in match.log if entry.kind is Kind.PLAY and entry.seat == seat)


def eventful() -> Match:
    """Return a match with every kind of log entry."""
    match = begin(GAME, GAME.setup(3), SEALED, {"bank": 60, "hours": None}).match
    match = done(offer_draw(match, A, SEALED))
    match = done(decline(match, B, SEALED))
    for seat in (A, B, C):
        match = done(play_action(match, seat, next(GAME.actions(GAME.view(match.state, seat), seat)), SEALED))
    match = done(ask_takeback(match, A, 5, SEALED))
    match = done(take_back(match, B, 4, SEALED))
    match = done(substitute(match, C, "computer", SEALED))
    match = done(ask_pause(match, A, SEALED))
    match = done(pause(match, B, SEALED))
    match = done(resume(match, C, SEALED))
    match = done(note_downtimes(match, (5400, 90), SEALED))
    for ruling in ("pause", "resume", "end", "resume"):
        match = done(rule(match, ruling, SEALED))
    late = min(match.to_act)
    match = done(rule(match, "time 3600", SEALED, late))
    match = done(note_vacation(match, late, 90000, SEALED))
    match = done(hint(match, late, 2, SEALED))
    match = done(coach(match, B, "on", SEALED))
    match = done(coach(match, B, f"{_move_of(match, B)} 25 card 2", SEALED))
    match = done(flag(match, late, SEALED))
    match = done(claim(match, B if late != B else A, late, SEALED))
    match = done(play_default(match, late, SEALED))
    match = done(leave(match, A, "timeout", SEALED))
    return done(remove(match, B, SEALED))


def test_a_record_has_every_kind_of_log_entry() -> None:
    match = eventful()
    text = export(match.log, {"Player A": "Ada"})
    kinds = (
        "A !offer",
        "B !decline",
        "A !ask 5",
        "B !takeback 4",
        "C !substitute computer",
        "A !pause",
        "B !pause on",
        "C !resume",
        "- !downtime 5400 90",
        "- !ruling pause",
        "- !ruling end",
        "- !ruling resume",
        "B !ruling time 3600",
        "B !vacation 90000",
        "B !hint 2",
        "B !coach on",
        f"B !coach {_move_of(match, B)} 25 card 2",
        "B !flag",
        "A !claim 1",
        "A !timeout",
        "B !resign moderator",
    )
    for line in kinds:
        assert f" {line}\n" in text
    assert " B !default " in text
    assert '\nClock: {"bank": 60, "hours": null}\n' in text
    assert read(text).match.hosting.clock == {"bank": 60, "hours": None}
    assert text.startswith(
        f"{VERSION}\nGame: toy\nRules: 1\nMatch: T-REC\nSeats: A B C\nOption pairs: false\n"
    )
    assert "\nPlayer A: Ada\n" in text
    assert "\nResult: 3 2 1 by outcome\n" in text or "\nResult: 2 2 1 by outcome\n" in text
    assert {entry.kind for entry in read(text).entries} == set(Kind) - {Kind.ABORT}


def test_an_aborted_match_and_a_drawn_one() -> None:
    match = begin(GAME, GAME.setup(2), SEALED).match
    text = export(done(abort(match, SEALED)).log)
    assert "\n2 - !abort\n\nResult: aborted\nSecret: " in text
    assert read(text).match.ending == done(abort(match, SEALED)).ending
    drawn = done(offer_draw(done(offer_draw(match, A, SEALED)), B, SEALED))
    assert "\nResult: 1 1 by draw\n" in export(drawn.log)
    assert "\nResult: unfinished\nChecksum: " in export(match.log)


LINES: dict[str, tuple[str, str, int, str]] = {
    "version": ("record 1", "record 2", 1, "begins with"),
    "game": ("Game: toy", "Game: tic", 2, "no game tic"),
    "rules": ("Rules: 1", "Rules: one", 3, "valid JSON"),
    "rules padded": ("Rules: 1", "Rules:  1", 3, "written as 1"),
    "rules other": ("Rules: 1", "Rules: 2", 2, "match.setup.rules"),
    "match gone": ("Match: ", "March: ", 2, "the header Match"),
    "seats few": ("Seats: A B C", "Seats: A", 5, "1 seats"),
    "seats turned": ("Seats: A B C", "Seats: B A C", 5, "A B C"),
    "option": ("Option rounds: 2", "Option rounds: 7", 2, "match.setup.options"),
    "option nested": ("Option rounds: 2", "Option rounds: " + "[" * 9000, 7, "valid JSON"),
    "option unknown": ("Option rounds", "Option round", 2, "match.setup.options"),
    "header twice": ("Option rounds: 2", "Option pairs: false", 7, "given twice"),
    "no header": ("Option rounds: 2", "Option rounds 2", 7, "a name, a colon"),
    "odd header": ("Event: ", "E-vent: ", 10, "name of a header"),
    "header of the end": ("Event: ", "Result: ", 10, "name of a header"),
    "unprintable": ("Golden", "Gol\tden", 10, "unprintable"),
    "no gap": ("\n\n1 *", "\n1 *", 23, "empty line"),
    "chance": ("1 * deal ", "1 * dead ", 12, "not an action"),
    "numbers": ("1 * deal ", "1 A deal ", 12, "not to act"),
    "missing entry": ("\n3 ", "\n4 ", 14, "entry 3 was expected"),
    "padded entry": ("\n3 ", "\n03 ", 14, "entry 3 was expected"),
    "no seat": ("\n2 ", "\n2 X", 13, "no seat"),
    "no word": ("card", "!card", 13, "no seat can"),
    "illegal": ("card", "card 9", 13, "toy.refuse"),
    "unfinished move": ("\n2 B card 9", "\n2 B card", 13, "unfinished"),
    "nobody": ("\n2 ", "\n2 - ", 13, "nobody can"),
    "result": ("Result: ", "Result: 1 ", 22, "the entries give"),
    "no result": ("Result: ", "Resort: ", 22, "not allowed after"),
    "secret": ("Secret: ", "Secret: 0", 23, "hexadecimal"),
    "other secret": ("Secret: ", "Secret: 00", 23, "committed"),
    "no secret": ("Secret: ", "Hidden: ", 23, "not allowed after"),
    "drawn": ("/3]", "/4]", 16, "the secret gives"),
    "nothing drawn": (" [", " (", 12, "not an action"),
}


@rows("name", LINES)
def test_the_line_that_is_wrong_is_named(name: str) -> None:
    old, new, line, reason = LINES[name]
    text = GOLDEN.read_text("utf-8")
    assert old in text
    for changed in (text.replace(old, new, 1), sealed_again(text.replace(old, new, 1))):
        with pytest.raises(RecordError) as found:
            read(changed)
        assert reason in str(found.value)
        assert found.value.line == line
        assert str(found.value).startswith(f"line {line}: {found.value.reason}")


def test_what_only_the_checksum_can_tell() -> None:
    text = GOLDEN.read_text("utf-8")
    last = text.count("\n")
    changed = text.replace("Golden match", "Golden watch")
    for each in (changed, text.replace("Checksum: ", "Checksum: 0"), text.replace("Checksum: ", "Checksum:")):
        with pytest.raises(RecordError) as found:
            read(each)
        assert found.value.line == last
    assert read(sealed_again(changed)).headers["Event"] == "Golden watch"


def test_a_record_without_its_secret_shows_no_numbers() -> None:
    text = GOLDEN.read_text("utf-8")
    without = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("Secret"))
    with pytest.raises(RecordError, match="line 12: the numbers of a draw") as found:
        read(sealed_again(without))
    assert found.value.line == 12


def test_texts_that_are_not_records_are_refused() -> None:
    for text in (
        "",
        "\n",
        "x",
        VERSION,
        f"{VERSION}\n\n\n",
        "  ",
        "\ufeff",
        "\x00" * 9,
        "\ud800",
        "a" * 2_000_001,
    ):
        with pytest.raises(RecordError):
            read(text)


def test_what_editors_and_mail_do_to_a_record_does_no_harm() -> None:
    text = GOLDEN.read_text("utf-8")
    entries = read(text).entries
    for same in (f"\ufeff{text}", text.replace("\n", "\r\n"), f"{text}\n\n", text.rstrip("\n")):
        assert read(same).entries == entries


@rows("name", ["Game", "Option x", "Secret", "Checksum", "", "a:b", "a  b", "é", "a\nb", " a"])
def test_a_header_has_a_plain_name_of_its_own(name: str) -> None:
    with pytest.raises(ValueError, match="name of a header"):
        export(eventful().log, {name: "x"})


@pytest.mark.slow
@given(
    st.dictionaries(st.from_regex(r"[A-Z][a-z]{2,9}[0-9]", fullmatch=True), st.text(max_size=300), max_size=3)
)
def test_any_header_value_goes_in_and_comes_out_printable(headers: dict[str, str]) -> None:
    log = begin(GAME, GAME.setup(2), SEALED).match.log
    text = export(log, headers)
    assert all(len(line) <= 100 for line in text.split("\n"))
    kept = {k: "".join(char for char in v if char.isprintable()).strip() for k, v in headers.items()}
    assert read(text).headers == kept


@given(st.integers(0, 900), st.integers(0, 900), st.text(max_size=12))
def test_a_spliced_record_is_refused_or_read(start: int, length: int, middle: str) -> None:
    text = GOLDEN.read_text("utf-8")
    spliced = text[:start] + middle + text[start + length :]
    line = refused_at(spliced)
    assert (line is None and read(spliced) == read(text)) or (line or 0) in range(1, spliced.count("\n") + 2)
