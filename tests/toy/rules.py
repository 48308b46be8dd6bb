"""The rules of Three Walkers: state, view, actions, and the judge, which only needs a view.

Chance deals three cards to each seat. In each round everyone puts down one card face down. Then all are
turned over, chance rolls a three-sided die, and the walker with the highest card moves that far. After the
last round the farthest walker wins; in pairs, the better one of a team counts.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from games.engine.game import CHANCE, Fact, Seat, Step, Why
from games.engine.grid import name
from games.engine.message import Msg, Who, msg
from games.engine.scene import Mark

HAND = 3
DIE = 3
FILES = 1 + HAND * DIE
KINDS = ("deal", "card", "roll")

Phase = Literal["deal", "choose", "roll", "over"]


@dataclass(frozen=True, slots=True)
class Action:
    """An action: chance makes `deal` (all cards) and `roll`, and seats make `card`."""

    kind: str
    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class State:
    """The state. `hands` and the cards in `down` are hidden until they are turned over."""

    teams: tuple[int, ...]
    rounds: int
    phase: Phase
    round: int
    hands: tuple[tuple[int, ...], ...]
    down: tuple[int | None, ...]
    at: tuple[int, ...]
    gone: frozenset[int]


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know: the counts and places of all, and one's own cards."""

    viewer: Seat | None
    teams: tuple[int, ...]
    phase: Phase
    round: int
    counts: tuple[int, ...]
    to_act: frozenset[Seat]
    hand: tuple[int, ...]
    shown: tuple[int | None, ...]
    at: tuple[int, ...]
    gone: frozenset[int]


def start(teams: tuple[int, ...], rounds: int) -> State:
    """Return the state before the deal."""
    n = len(teams)
    return State(teams, rounds, "deal", 1, ((),) * n, (None,) * n, (0,) * n, frozenset())


def to_act(state: State) -> frozenset[Seat]:
    """Return all seats that have not put down a card; between rounds, chance."""
    if state.phase == "choose":
        free = (Seat(s) for s, card in enumerate(state.down) if card is None and s not in state.gone)
        return frozenset(free)
    return frozenset() if state.phase == "over" else frozenset({CHANCE})


def view(state: State, viewer: Seat | None) -> View:
    """Return the view, with own cards only; cards on the table are shown once all have chosen."""
    mine = viewer if viewer is not None and 0 <= viewer < len(state.teams) else None
    open_ = state.phase != "choose"
    shown = tuple(card if open_ or seat == mine else None for seat, card in enumerate(state.down))
    hand = () if mine is None else state.hands[mine]
    counts = tuple(len(cards) for cards in state.hands)
    return View(
        viewer,
        state.teams,
        state.phase,
        state.round,
        counts,
        to_act(state),
        hand,
        shown,
        state.at,
        state.gone,
    )


def judge(seen: View, seat: Seat, action: Action) -> Msg | None:
    """Return why a seat can't do this, judged by its own view; None if it can."""
    if seat not in seen.to_act or seat == CHANCE:
        return msg("toy.refuse.turn")
    if action.kind != "card" or len(action.numbers) != 1:
        return msg("toy.refuse.kind")
    if action.numbers[0] not in seen.hand:
        return msg("toy.refuse.card", card=action.numbers[0], hand=seen.hand)
    return None


def judge_chance(state: State, action: Action) -> Msg | None:
    """Return why chance can't do this; None if it can."""
    deck = list(range(1, HAND * len(state.teams) + 1))
    due = {"deal": "deal", "roll": "roll"}.get(state.phase)
    if action.kind != due:
        return msg("toy.refuse.turn")
    fine = (
        sorted(action.numbers) == deck if due == "deal" else action.numbers in {(n + 1,) for n in range(DIE)}
    )
    return None if fine else msg("toy.refuse.kind")


def apply(state: State, seat: Seat, action: Action) -> Step[State]:
    """Return the state after an action that the judge allows."""
    seats = range(len(state.teams))
    if action.kind == "deal":
        hands = tuple(tuple(sorted(action.numbers[s * HAND : s * HAND + HAND])) for s in seats)
        facts = (Fact(msg("toy.fact.dealt", cards=hands[s]), to=frozenset({Seat(s)})) for s in seats)
        begun = Fact(msg("toy.fact.begin", n=state.rounds))
        return Step(replace(state, phase="choose", hands=hands), (begun, *facts))
    if action.kind == "roll":
        return _walk(state, action.numbers[0])
    card = action.numbers[0]
    hands = tuple(tuple(c for c in cards if s != seat or c != card) for s, cards in enumerate(state.hands))
    down = tuple(card if s == seat else other for s, other in enumerate(state.down))
    facts_of_choice = (
        Fact(msg("toy.fact.ready", who=Who(seat))),
        Fact(msg("toy.fact.card", card=card), to=frozenset({seat})),
    )
    return _turn_over(replace(state, hands=hands, down=down), facts_of_choice)


def forfeit(state: State, seat: Seat, why: Why) -> Step[State]:
    """Remove the seat and its cards, unseen; once only one team is left, the game is over."""
    gone = state.gone | {seat}
    hands = tuple(() if s == seat else cards for s, cards in enumerate(state.hands))
    down = tuple(None if s == seat else card for s, card in enumerate(state.down))
    after = replace(state, gone=gone, hands=hands, down=down)
    fact = Fact(msg("toy.fact.left", who=Who(seat)))
    if len({team for s, team in enumerate(state.teams) if s not in gone}) < 2:
        return Step(replace(after, phase="over"), (fact,))
    return _turn_over(after, (fact,))


def _turn_over(state: State, facts: tuple[Fact, ...]) -> Step[State]:
    if state.phase != "choose" or to_act(state):
        return Step(state, facts)
    cards = tuple(
        Fact(msg("toy.fact.shown", who=Who(s), card=card))
        for s, card in enumerate(state.down)
        if card is not None
    )
    return Step(replace(state, phase="roll"), (*facts, *cards))


def _walk(state: State, roll: int) -> Step[State]:
    _, seat = max((card, s) for s, card in enumerate(state.down) if card is not None)
    at = tuple(file + roll if s == seat else file for s, file in enumerate(state.at))
    marks = (Mark("from", name(state.at[seat], seat)), Mark("to", name(at[seat], seat)))
    last = state.round == state.rounds
    after = replace(
        state,
        phase="over" if last else "choose",
        round=state.round if last else state.round + 1,
        down=(None,) * len(state.teams),
        at=at,
    )
    return Step(after, (Fact(msg("toy.fact.walk", who=Who(seat), n=roll), marks, line=1),))
