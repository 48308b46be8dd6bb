"""The text of a plan is split into steps, and its lines are followed along a log, without any game."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.game import Seat
from games.engine.log import Entry, Kind
from games.engine.message import Msg
from matches.plans.grammar import MAX_STEPS, MAX_TEXT, TypedStep, read_beginning, read_line, written
from matches.plans.lines import MAX_LINES, due_lines, follow, from_here, remaining, with_line
from matches.store.plans import Line, NamedMove, PlanStep

ME, THEM, THIRD = 0, 1, 2


def steps(text: str) -> tuple[TypedStep, ...]:
    read = read_line(text)
    assert not isinstance(read, Msg), read
    return read


def refused(text: str) -> str:
    read = read_line(text)
    assert isinstance(read, Msg), read
    return read.key.removeprefix("plan.refuse.")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("e4-e6: c3-c5", [(("e4-e6",), False, "c3-c5")]),
        (
            "e4-e6:c3-c5;d4-d5 :b2-b3;",
            [(("e4-e6",), False, "c3-c5"), (("d4-d5",), False, "b2-b3")],
        ),
        ("`if e4-e6: then c3-c5`", [(("e4-e6",), False, "c3-c5")]),
        ("a, b: c\n d: e", [(("a", "b"), False, "c"), (("d",), False, "e")]),
        ("a, any: c", [(("a",), True, "c")]),
        ("*: c", [((), True, "c")]),
        ("ANY：place ukr 3；attack ukr mea; end", [((), True, "place ukr 3; attack ukr mea; end")]),
        ("any: place ukr: 3", [((), True, "place ukr: 3")]),
    ],
)
def test_texts_are_split_into_steps(text: str, read: list[tuple[tuple[str, ...], bool, str]]) -> None:
    assert steps(text) == tuple(TypedStep(*one) for one in read)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "colon"),
        ("e4-e6", "colon"),
        ("e4-e6; c3-c5", "colon"),
        (": c3-c5", "no_condition"),
        ("if: c3-c5", "no_condition"),
        ("e4-e6:", "no_reply"),
        ("e4-e6: then ", "no_reply"),
        ("any, e4-e6: c3", "any"),
        ("any, any: c3", "any"),
        ("; ".join(["a: b"] * (MAX_STEPS + 1)), "steps"),
        ("a: " + "b" * MAX_TEXT, "long"),
    ],
)
def test_other_texts_are_refused(text: str, why: str) -> None:
    assert refused(text) == why


@given(st.text(alphabet="ab:;,* any\n`", max_size=40))
def test_any_text_is_read(text: str) -> None:
    read = read_line(text)
    read_beginning(text)
    if not isinstance(read, Msg):
        assert all(step.reply and (step.moves or step.rest) for step in read)


def test_what_is_being_typed() -> None:
    begun = read_beginning("a: b; c, d")
    assert begun is not None
    assert (begun.steps, begun.moves) == ((TypedStep(("a",), False, "b"),), ("c",))
    assert (begun.head, begun.word, begun.replying) == ("a: b; c,", "d", False)
    begun = read_beginning("a, any: x")
    assert begun is not None
    assert (begun.moves, begun.rest, begun.head, begun.word, begun.replying) == (
        ("a",),
        True,
        "a, any:",
        "x",
        True,
    )


# --- lines ----------------------------------------------------------------------------------------------


def step(condition: str, reply: str, *, seat: int = THEM) -> PlanStep:
    """`a b *` names two moves and lets others follow."""
    words = condition.split()
    moves = tuple(NamedMove(seat, word, word) for word in words if word != "*")
    return PlanStep(moves, "*" in words, reply, reply)


def line(*pairs: str) -> Line:
    return tuple(step(*pair.split(":")) for pair in pairs)


def log(*moves: str) -> list[Entry]:
    """`x` is a move of theirs, `=x` one of ours, and other entries by their kinds, such as `!offer`."""
    entries = []
    for seq, move in enumerate(moves):
        if move.startswith("!"):
            entries.append(Entry(seq, Kind(move[1:]), Seat(THEM)))
        elif move.startswith("="):
            entries.append(Entry(seq, Kind.PLAY, Seat(ME), move[1:]))
        else:
            entries.append(Entry(seq, Kind.PLAY, Seat(THEM), move))
    return entries


def test_a_line_comes_true_step_by_step() -> None:
    lines = (line("a:b", "c:d"),)
    assert not due_lines(lines, ())
    here = follow(lines, log("a"), ME)
    due = due_lines(here.lines, here.moves)
    assert due[0][0].reply == "b"
    assert remaining(due) == (line("c:d"),)
    assert remaining(remaining(due)) == ()
    assert follow(lines, log("x"), ME).lines == ()


@pytest.mark.parametrize(
    ("entries", "broken"),
    [
        (("a", "=b"), ""),
        (("a", "=x"), "moved"),
        (("=b",), "moved"),
        (("!takeback",), "takeback"),
        (("!resign",), "left"),
        (("!timeout",), "left"),
        (("!offer", "!decline", "!ask", "!chance", "!substitute"), ""),
    ],
)
def test_what_breaks_lines(entries: tuple[str, ...], broken: str) -> None:
    here = follow((line("a:b", "c:d"),), log(*entries), ME)
    assert here.broken == broken
    assert bool(here.lines) == (not broken)


def test_the_most_exact_condition_decides() -> None:
    lines = (line("*:x"), line("a *:y"), line("a b:z"))
    for moves, reply in ((("c",), "x"), (("a",), "y"), (("a", "c"), "y"), (("a", "b"), "z"), (("b",), "x")):
        here = follow(lines, log(*moves), ME)
        assert due_lines(here.lines, here.moves)[0][0].reply == reply


def test_alternatives_share_their_beginning() -> None:
    lines = with_line((line("a:b", "c:d"),), line("a:b", "e:f"))
    assert isinstance(lines, tuple)
    assert len(lines) == 2
    here = follow(lines, log("a"), ME)
    assert remaining(due_lines(here.lines, here.moves)) == (line("c:d"), line("e:f"))
    longer = with_line(lines, line("a:b", "c:d", "g:h"))
    assert isinstance(longer, tuple)
    assert set(longer) == {line("a:b", "e:f"), line("a:b", "c:d", "g:h")}
    for more, why in (("a:b", "known"), ("a:x", "clash")):
        answer = with_line(longer, line(more))
        assert isinstance(answer, Msg)
        assert answer.key == f"plan.refuse.{why}"
    deep = with_line(longer, line("a:b", "c:x"))
    assert isinstance(deep, Msg)
    full = tuple(line(f"{n}:b") for n in range(MAX_LINES))
    assert isinstance(with_line(full, line("a:b")), Msg)


def test_lines_go_on_from_here() -> None:
    lines = (line("*:x"), line("a b:z"), line("a *:y"))
    assert from_here(lines, ((THEM, "a"),)) == (line("b:z"), line("*:y"), line("*:x"))
    assert from_here((line("a:b"),), ((THEM, "a"),)) == (), "others move before it could be due"


@pytest.mark.slow
@given(
    st.lists(st.sampled_from("ab"), min_size=1, max_size=3),
    st.booleans(),
    st.lists(st.sampled_from("ab"), max_size=4),
)
def test_a_condition_holds_exactly_if_the_moves_are_the_named_ones(
    named: list[str], rest: bool, made: list[str]
) -> None:
    lines = (line(f"{' '.join(named + ['*'] * rest)}:r"),)
    here = follow(lines, log(*made), ME)
    holds = made[: len(named)] == named if rest else made == named
    assert bool(due_lines(here.lines, here.moves)) == holds
    if holds:
        assert here.lines == lines


def test_a_line_is_written_as_it_is_typed() -> None:
    assert written(line("a b *:c", "d:e")) == "a, b, any: c; d: e"
    assert written(line("*:e")) == "any: e"
