"""Small tools: cleaning up typed texts, ids, locks."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.message import Who, msg
from games.engine.notation import MAX_LENGTH
from matches.ids import ALPHABET, new_id, read_id
from matches.locks import Locks
from matches.play.typed_text import completions, strip_markup, without_separators
from tests.fakes import FakeEntropy
from tests.matches.world import catalogue


@pytest.mark.parametrize(
    ("typed", "bare", "tries"),
    [
        ("e4-e6", "e4-e6", False),
        ("  **e4-e6** ", "e4-e6", False),
        ("?e4-e6", "e4-e6", True),
        ("`? e4-e6`", "e4-e6", True),
        ("??", "", True),
        ("e4>e6", "e4>e6", False),
        ("> e4-e6", "e4-e6", False),
        ("+c4", "+c4", False),
        ("e4-e6?", "e4-e6?", False),
        ("||+c4||", "+c4", False),
        ("", "", False),
        ("place **ala** 12", "place ala 12", False),
        ("place ala 1||2||", "place ala 1 2", False),
        ("place ala 1__2", "place ala 1 2", False),
        ("place ala 1``2", "place ala 1 2", False),
        ("place ala 1**__2", "place ala 1 2", False),
    ],
)
def test_markup_goes_and_the_question_mark_tries(typed: str, bare: str, tries: bool) -> None:
    assert strip_markup(typed) == (bare, tries)


@given(st.text(max_size=4000))
def test_any_text_can_be_read(text: str) -> None:
    bare, _ = strip_markup(text)
    assert len(bare) <= len(text)
    assert bare == bare.strip(" *_~|\n\u200b")
    assert len(without_separators(text)) <= 3 * MAX_LENGTH, "case folding makes three signs of one at most"


def test_long_texts_stay_long() -> None:
    assert len(strip_markup("`a`" * 4000)[0]) > MAX_LENGTH


def test_beginnings_come_before_what_is_contained() -> None:
    moves = ("e4-e6", "d4-e4", "e4-e5", "+e4")
    assert completions("E4", moves, 25) == ("e4-e6", "e4-e5", "d4-e4", "+e4")
    assert completions("e4 > e", moves, 25) == ("e4-e6", "e4-e5")
    assert completions("", moves, 2) == ("e4-e6", "d4-e4")
    assert completions("+", moves, 2) == ("+e4",)
    assert completions("xyzzy", moves, 2) == ()


@given(st.integers(0, 40), st.text(max_size=8))
def test_ids_can_be_read_back_in_any_case(attempt: int, seed: str) -> None:
    made = new_id("F", FakeEntropy(seed), attempt)
    assert len(made) == 2 + 6 + attempt // 4
    assert set(made[2:]) <= set(ALPHABET)
    for typed in (made, made.lower(), made.replace("-", ""), f" {made} "):
        assert read_id(typed) == made


def test_ids_are_too_many_to_be_guessed() -> None:
    made = new_id("F", FakeEntropy(), 0)
    assert len(ALPHABET) ** len(made[2:]) > 500_000_000


@pytest.mark.parametrize("typed", ["F-7K2", "f7k2", "#f 7k2", "F-7K2M"])
def test_ids_of_older_matches_are_read(typed: str) -> None:
    assert read_id(typed) in ("F-7K2", "F-7K2M")


def test_ids_have_no_characters_that_look_alike() -> None:
    assert not set("01OILU") & set(ALPHABET)
    assert len(set(ALPHABET)) == len(ALPHABET) == 30


async def test_a_lock_lets_one_in_and_is_gone_with_the_last() -> None:
    locks, inside, order = Locks(), asyncio.Event(), list[str]()

    async def first() -> None:
        async with locks.hold("a") as held:
            inside.set()
            assert not held.moved_on
            await asyncio.sleep(0)
            order.append("first")
            held.changed()

    async def second() -> None:
        await inside.wait()
        async with locks.hold("a") as held:
            assert held.moved_on
            order.append("second")

    async def other() -> None:
        async with locks.hold("b"):
            order.append("other")

    await asyncio.gather(first(), second(), other())
    assert sorted(order) == ["first", "other", "second"]
    assert order[-1] == "second"
    assert len(locks) == 0


async def test_who_gives_up_waiting_leaves_no_lock_behind() -> None:
    locks, holding, done = Locks(), asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        async with locks.hold("a"):
            holding.set()
            await done.wait()

    async def wait() -> None:
        async with locks.hold("a"):
            pytest.fail("it was cancelled")

    holder, waiter = asyncio.create_task(hold()), asyncio.create_task(wait())
    await holding.wait()
    await asyncio.sleep(0)
    waiter.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiter
    assert len(locks) == 1
    done.set()
    await holder
    assert len(locks) == 0


def test_reasons_are_sentences_with_their_values_in_them() -> None:
    reasons = {
        msg("lobby.refuse.not_full", n=1): "1 seat is",
        msg("lobby.refuse.not_full", n=2): "2 seats are",
        msg("lobby.refuse.waiting", who=(Who(1),)): "Ann",
        msg("lobby.refuse.taken", who=Who(1)): "Ann",
        msg("lobby.refuse.seats", seats=9, possible=(2, 3)): "2",
        msg("match.refuse.hidden", move="card 3"): "card 3",
        msg("match.refuse.turn", next=(Who(0), Who(1))): "Ann",
        msg("match.refuse.stale"): "moved on",
        msg("match.refuse.mirrors", n=10): "10",
    }
    for reason, part in reasons.items():
        assert part in catalogue().say(reason, names=lambda seat: ("Bob", "Ann")[seat])
