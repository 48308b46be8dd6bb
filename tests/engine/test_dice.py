"""Dice: the test vectors of docs/dice.md, fairness at the edges, and the offline script."""

from __future__ import annotations

import hashlib
import hmac
import importlib.util
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.dice import Dice, Sealed, commitment
from tests.rows import rows

SEALED = Sealed(bytes(range(32)), "F-7K2", "1001:11,22")
DOCS = Path(__file__).parents[2] / "docs"
GOLDEN = Path(__file__).parents[1] / "toy" / "golden" / "3.txt"

COMMITMENT = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
WORDS_1 = (
    106633219,
    3918276172,
    1170341292,
    951282336,
    3383172606,
    1939646504,
    3281024023,
    2483674864,
    1273468828,
)
SIXES_1 = (1, 4, 0, 0, 0, 2, 1, 4, 4, 5, 2, 2, 2, 3, 2, 4)
SHUFFLED_2 = (8, 0, 7, 1, 9, 3, 6, 4, 2, 5)
WORDS_3 = (1978783774, 2091195871, 3071834290, 3694419241, 3043762512, 4001692638, 4059864856, 1563614980)
BILLIONS_3 = (1978783774, 2091195871, 1563614980)


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_dice", DOCS / "verify_dice.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_published_vectors_hold() -> None:
    assert SEALED.commitment == commitment(bytes(range(32))) == COMMITMENT
    dice = SEALED.dice(1)
    assert tuple(dice.word() for _ in WORDS_1) == WORDS_1
    dice = SEALED.dice(1)
    assert tuple(dice.below(6) for _ in SIXES_1) == SIXES_1
    dice = SEALED.dice(1)
    assert tuple(dice.die() for _ in SIXES_1) == tuple(x + 1 for x in SIXES_1)
    assert SEALED.dice(2).shuffled(range(10)) == SHUFFLED_2
    dice = SEALED.dice(3)
    assert tuple(dice.word() for _ in WORDS_3) == WORDS_3
    dice = SEALED.dice(3)
    assert tuple(dice.below(3_000_000_000) for _ in BILLIONS_3) == BILLIONS_3, "five words are thrown away"


def test_the_vectors_are_published_as_they_are_tested() -> None:
    page = (DOCS / "dice.md").read_text("utf-8")
    assert COMMITMENT in page
    for numbers in (WORDS_1, SIXES_1, SHUFFLED_2, WORDS_3, BILLIONS_3):
        assert " ".join(map(str, numbers)) in page


def test_a_block_is_an_hmac_of_the_line_that_is_documented() -> None:
    dice = SEALED.dice(7)
    for block in range(3):
        digest = hmac.new(
            bytes(range(32)), f"dominium-dice-1\nF-7K2\n7\n1001:11,22\n{block}".encode(), hashlib.sha256
        ).digest()
        for at in range(0, 32, 4):
            assert dice.word() == int.from_bytes(digest[at : at + 4], "big")


@rows("other", [(b"x" * 32, "a", 1, "s"), (b"k" * 32, "b", 1, "s"), (b"k" * 32, "a", 2, "s")])
def test_each_draw_has_dice_of_its_own(other: tuple[bytes, str, int, str]) -> None:
    here = Dice(b"k" * 32, "a", 1, "s")
    there = Dice(*other)
    assert [here.word() for _ in range(8)] != [there.word() for _ in range(8)]
    assert Dice(b"k" * 32, "a", 1, "t").word() != Dice(b"k" * 32, "a", 1, "s").word()


class Scripted(Dice):
    """Dice with given words."""

    __slots__ = ("given",)

    def __init__(self, *words: int) -> None:
        super().__init__(b"", "", 0, "")
        self.given = list(words)

    def word(self) -> int:
        return self.given.pop(0)


@rows(
    "n, words, x",
    [
        (1, (2**32 - 1,), 0),
        (2, (2**32 - 1,), 1),
        (6, (2**32 - 5,), 5),  # 2**32 is 4 more than a multiple of 6: the last four are thrown away
        (6, (2**32 - 4, 2**32 - 1, 8), 2),
        (2**32, (2**32 - 1,), 2**32 - 1),
        (2**32 - 1, (2**32 - 1, 2**32 - 2), 2**32 - 2),
        (2**31 + 1, (2**31 + 1, 2**31), 2**31),
    ],
)
def test_words_past_the_last_multiple_are_skipped(n: int, words: tuple[int, ...], x: int) -> None:
    dice = Scripted(*words)
    assert dice.below(n) == x
    assert not dice.given


@given(st.integers(0, 20), st.integers(0, 9), st.binary(max_size=40))
def test_dice_rolled_together_are_those_rolled_one_by_one(n: int, before: int, secret: bytes) -> None:
    together, singly = Dice(secret, "m", 1, ""), Dice(secret, "m", 1, "")
    assert together.roll(before) == tuple(singly.die() for _ in range(before))
    assert together.roll(n) == tuple(singly.die() for _ in range(n))
    assert together.word() == singly.word()


def test_words_past_the_last_multiple_are_skipped_in_a_roll() -> None:
    dice = Scripted(2**32 - 4, 2**32 - 1, 8, 2**32 - 2, 2**32 - 5)
    assert dice.roll(2) == (3, 6)
    assert not dice.given


@rows("n", [0, -1, 2**32 + 1])
def test_drawing_below_an_invalid_number_is_refused(n: int) -> None:
    with pytest.raises(ValueError, match="cannot draw below"):
        SEALED.dice(1).below(n)


@given(st.integers(1, 2**32), st.binary(max_size=40))
def test_a_number_lies_below_its_bound(n: int, secret: bytes) -> None:
    assert 0 <= Dice(secret, "m", 1, "").below(n) < n


@given(st.lists(st.integers(), max_size=30), st.binary(min_size=1, max_size=8))
def test_a_shuffle_keeps_every_item(items: list[int], secret: bytes) -> None:
    dice = Dice(secret, "m", 1, "")
    assert Counter(dice.shuffled(items)) == Counter(items)
    if items:
        assert dice.pick(items) in items


def test_all_faces_and_all_orders_are_about_as_frequent() -> None:
    """Chi-squared with a fixed secret: far below what a biased die of this many rolls would give."""
    dice = SEALED.dice(99)
    faces = Counter(dice.die() for _ in range(6000))
    orders = Counter(dice.shuffled("abc") for _ in range(3000))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert sum((count - 1000) ** 2 / 1000 for count in faces.values()) < 20.5  # p = 0.001, 5 degrees
    assert len(orders) == 6
    assert sum((count - 500) ** 2 / 500 for count in orders.values()) < 20.5


def test_a_secret_is_never_shown_and_match_and_salt_are_lines() -> None:
    assert "0001" not in repr(SEALED)
    assert str(bytes(range(32))) not in repr(SEALED)
    for match, salt in (("a\nb", "s"), ("a", "s\n"), ("a", "\u2028"), ("a", "\ud800")):
        with pytest.raises(ValueError, match="single lines"):
            Sealed(b"x", match, salt)


def test_the_offline_script_agrees_with_a_true_record(script: ModuleType) -> None:
    text = GOLDEN.read_text("utf-8")
    assert script.verify(text) == []
    assert script.verify(text.replace("\n", "\r\n")) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("Match: ", "Match: X", "entry 1,"),
        ("Commit: ", "Commit: 0", "committed"),
        ("Salt: ", "Salt: x", "entry 1,"),
        ("/3]", "/4]", "roll"),
        ("Secret: ", "Secret: 00", "committed"),
        ("Secret: ", "Hidden: ", "no secret"),
        (" [", " (", "missing"),
        ("card", "carp", "checksum"),
    ],
)
def test_the_offline_script_finds_what_was_changed(script: ModuleType, old: str, new: str, says: str) -> None:
    text = GOLDEN.read_text("utf-8")
    assert old in text
    found = script.verify(text.replace(old, new))
    assert any(says in each for each in found), found
    assert "the checksum" in found


def test_the_offline_script_runs_alone(tmp_path: Path) -> None:
    for text, code in ((GOLDEN.read_text("utf-8"), 0), (GOLDEN.read_text("utf-8").replace("/3]", "/4]"), 1)):
        path = tmp_path / "record.txt"
        path.write_text(text, "utf-8")
        command = [sys.executable, "-I", str(DOCS / "verify_dice.py"), str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == code, done.stderr
        assert ("WRONG" in done.stdout) == bool(code)
