"""The course of a match: after the opening, in turn cards and armies, attacks, one last move, a card.

`play` accepts every action that the judge accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from games.domination.maps.atlas import Atlas
from games.domination.rules import battles, cards, endings, facts, goals, opening
from games.domination.rules.actions import Action
from games.domination.rules.position import (
    NONE,
    Own,
    Phase,
    Position,
    State,
    chart,
    reinforcements,
    replaced,
    with_own,
    with_place,
    with_table,
)
from games.engine.game import Fact, Step

_Facts: TypeAlias = tuple[Fact, ...]
FRESH, PLACED, SPOILS, RESUME = range(4)
"""The steps of the phase `place`; from RESUME on, in a vote, where play goes on after it."""
_TO_ATTACK, _AFTER_MOVE, _AT_END = range(RESUME, RESUME + 3)


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the state after a legal action, and the facts."""
    return _KINDS[action.kind](state, seat, action)


def _opened(step: Step[State]) -> Step[State]:
    """Begin the first turn once the opening is over."""
    if step.state.position.phase != "place":
        return step
    after = with_place(step.state, turn=step.state.position.table.law.seats - 1)
    more = next_turn(with_table(after, round=0))
    return Step(more.state, step.facts + more.facts)


# --- cards and armies ------------------------------------------------------------------------------------


def must_trade(position: Position, own: Own) -> bool:
    """Return whether the seat whose turn it is holds too many cards and must trade a set."""
    law = position.table.law
    most = law.hand
    return bool(most) and len(own.hand) >= most and bool(cards.sets(law.atlas, law.cards, own.hand))


def _place(state: State, seat: int, action: Action) -> Step[State]:
    place, own, deck = state
    table, owner, armies, phase, turn, pool, order, taken, step = place
    atlas = table.law.atlas
    at, n = atlas.index[action.a], action.n
    if phase == "setup":
        return _opened(opening.put(state, seat, action))
    armies = replaced(armies, at, armies[at] + n)
    after = State(
        Position(table, owner, armies, phase, turn, pool - n, order, taken, step or PLACED), own, deck
    )
    said = facts.placed(atlas, at, n)
    if pool > n:
        return Step(after, said)
    more = to_attack(after)
    return Step(more.state, said + more.facts)


def _trade(state: State, seat: int, action: Action) -> Step[State]:
    place = state.position
    law, table = place.table.law, place.table
    own, names = state.own[seat], cards.deck(law.atlas)
    three = chosen(law.atlas, own.hand, action.cards)
    kinds = tuple(names.kinds[card] for card in three)
    armies = cards.value(law.cards, kinds, table.traded)
    spots = [names.countries[card] for card in three if names.countries[card] != NONE]
    held = [at for at in spots if place.owner[at] == seat]
    extra = 2 * len(held) if law.bonus == "each" else 0
    bonus = law.atlas.index[action.b] if action.b else NONE
    stacks = replaced(place.armies, bonus, place.armies[bonus] + 2) if bonus != NONE else place.armies
    hand = tuple(card for card in own.hand if card not in three)
    table = table._replace(
        traded=table.traded + 1,
        cards=replaced(table.cards, seat, len(hand)),
        discard=tuple(sorted((*table.discard, *three))),
    )
    after = with_own(state, seat, own._replace(hand=hand))
    after = with_place(after, table=table, armies=stacks, pool=place.pool + armies + extra)
    return Step(restocked(after), facts.traded(law.atlas, action.cards, armies, bonus, extra))


def chosen(atlas: Atlas, hand: tuple[int, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the numbers of a hand's cards with these names, in order; shorter if some are missing."""
    wanted, found = list(names), []
    every = cards.deck(atlas).names
    for card in hand:
        if every[card] in wanted:
            wanted.remove(every[card])
            found.append(card)
    return tuple(found)


def restocked(state: State) -> State:
    """Return the state with the traded cards as the deck if that is empty and cards are recycled."""
    table = state.position.table
    if state.deck or not table.law.recycle or not table.discard:
        return state
    after = with_table(state, discard=(), left=len(table.discard))
    return after._replace(deck=table.discard)


def _keep(state: State, seat: int, action: Action) -> Step[State]:
    return to_attack(state)


def idle(position: Position) -> bool:
    """Return whether the seat whose turn it is has no armies that could move anywhere."""
    borders, turn = chart(position.table.law.atlas).borders, position.turn
    for by, n, row in zip(position.owner, position.armies, borders, strict=True):
        if by == turn and n > 1 and row:
            return False
    return True


def to_attack(state: State) -> Step[State]:
    """Continue after all is placed: with a win, or attacks if any army can move."""
    if (won := _won(state, _TO_ATTACK)) is not None:
        return won
    return _resume(state, _TO_ATTACK)


# --- attacks ---------------------------------------------------------------------------------------------


def _attack(state: State, seat: int, action: Action) -> Step[State]:
    return Step(battles.ordered(state, action), facts.ordered(action.a, action.b, action.how, action.n))


def _roll(state: State, seat: int, action: Action) -> Step[State]:
    step = battles.rolled(state, action)
    place = step.state.position
    if place.phase != "move":
        return step
    low, high = battles.room(place)
    if low < high and not goals.conquered(place, place.turn) and not goals.alone(place, place.turn):
        return step
    more = _moved(step.state, low)
    return Step(more.state, step.facts + more.facts)


def _move(state: State, seat: int, action: Action) -> Step[State]:
    return _moved(state, action.n)


def _moved(state: State, n: int) -> Step[State]:
    """Move armies in; the goal may be reached, or cards taken with a country may have to be traded."""
    after, said = battles.moved_in(state, n)
    won = _won(after, _AFTER_MOVE)
    more = _resume(after, _AFTER_MOVE) if won is None else won
    return Step(more.state, said + more.facts)


def _fortify(state: State, seat: int, action: Action) -> Step[State]:
    place = state.position
    atlas = place.table.law.atlas
    src, dst, n = atlas.index[action.a], atlas.index[action.b], action.n
    armies = list(place.armies)
    armies[src] -= n
    armies[dst] += n
    after = with_place(state, armies=tuple(armies))
    won = _won(after, _AT_END)
    more = end_turn(after) if won is None else won
    return Step(more.state, facts.fortified(atlas, src, dst, n) + more.facts)


# --- the end of a turn -----------------------------------------------------------------------------------


def _end(state: State, seat: int, action: Action) -> Step[State]:
    return end_turn(state)


def end_turn(state: State) -> Step[State]:
    """End the turn: a card for a seat that took a country, if one is left; then the next turn."""
    place, own, deck = state
    said = facts.standing(place, place.turn)
    if place.taken and deck:
        return Step(State(place._replace(phase="card"), own, deck), said)
    more = next_turn(state)
    return Step(more.state, said + more.facts)


def _card(state: State, seat: int, action: Action) -> Step[State]:
    place, turn = state.position, state.position.turn
    atlas, table = place.table.law.atlas, place.table
    names = cards.deck(atlas).names
    card = next(card for card in state.deck if names[card] == action.a)
    own = state.own[turn]
    after = with_own(state, turn, own._replace(hand=tuple(sorted((*own.hand, card)))))
    deck = tuple(each for each in state.deck if each != card)
    table = table._replace(left=len(deck), cards=replaced(table.cards, turn, table.cards[turn] + 1))
    after = State(place._replace(table=table), after.own, deck)
    more = next_turn(restocked(after))
    return Step(more.state, facts.drew(turn, action.a) + more.facts)


def next_turn(state: State) -> Step[State]:
    """Begin the turn of the next seat that plays and can act; after the last round, score all."""
    place, own, deck = state
    table, owner, armies, _, turn, *_ = place
    while True:
        before, seats = turn, table.law.seats
        turn = (turn + 1) % seats
        while turn in table.out:
            turn = (turn + 1) % seats
        if turn <= before:
            table = table._replace(round=table.round + 1)
        place = Position(table, owner, armies, "place", turn, 0, None, False, FRESH)
        if table.round > table.law.cap:
            return endings.finish(State(place, own, deck), "points", NONE)
        pool = reinforcements(place, turn)
        if pool or table.cards[turn] >= cards.SET:
            return Step(
                State(Position(table, owner, armies, "place", turn, pool, None, False, FRESH), own, deck)
            )
        state = State(place, own, deck)
        if (won := _won(state, _TO_ATTACK)) is not None:
            return won
        if not idle(place):
            return Step(State(place._replace(phase="attack"), own, deck))


# --- goals, and going on after them ----------------------------------------------------------------------


def _won(state: State, resume: int) -> Step[State] | None:
    """End the match or start a vote if the seat whose turn it is has reached a goal; else None."""
    place = state.position
    seat = place.turn
    how = goals.reached(place, seat, state.own[seat].mission)
    if not how:
        return None
    law = place.table.law
    if how in ("all", "last") or law.onward == "end":
        return endings.finish(state, how, seat)
    table = place.table._replace(victor=seat, ready=(False,) * law.seats)
    return Step(with_place(state, phase="vote", table=table, step=resume), facts.won(seat, how))


def _vote(state: State, seat: int, action: Action) -> Step[State]:
    if action.kind == "stop":
        step = _stopped(state)
        return Step(step.state, facts.VOTED["stop"] + step.facts)
    ready = state.position.table.ready
    step = _counted(with_table(state, ready=(*ready[:seat], True, *ready[seat + 1 :])))
    return Step(step.state, facts.VOTED["continue"] + step.facts)


def _stopped(state: State) -> Step[State]:
    """End the match: the seat that reached the goal has won."""
    table = state.position.table
    return endings.finish(state, "capitals" if table.mode == "capital" else "mission", table.victor)


def _counted(state: State) -> Step[State]:
    """Continue for all countries once every seat wants to go on."""
    place = state.position
    if not all(place.table.ready[seat] for seat in place.living()):
        return Step(state)
    table = place.table._replace(mode="domination", ready=(False,) * place.table.law.seats)
    after = with_place(state, table=table, phase="attack", step=FRESH)
    step = _resume(after, place.step)
    return Step(step.state, (facts.ONWARD, *step.facts))


def _resume(state: State, where: int) -> Step[State]:
    """Continue after armies were placed, after they moved in, or after the last move."""
    place, own, deck = state
    if where == _AT_END:
        return end_turn(state)
    phase: Phase = "attack"
    step = FRESH
    if where == _AFTER_MOVE:
        hand = own[place.turn]
        if len(hand.hand) > place.table.law.hand and must_trade(place, hand):
            phase, step = "place", SPOILS
    table, owner, armies, _, turn, _, _, taken, _ = place
    after = State(Position(table, owner, armies, phase, turn, 0, None, taken, step), own, deck)
    return end_turn(after) if phase == "attack" and idle(after.position) else Step(after)


# --- giving up -------------------------------------------------------------------------------------------


def forfeit(state: State, seat: int) -> Step[State]:
    """Take a seat out. Its countries defend themselves; its cards go to the seat that takes the last one.

    Raises ValueError if the match is over or the seat doesn't play.
    """
    place = state.position
    if place.phase == "over" or seat not in place.living():
        raise ValueError(f"seat {seat} can't resign")
    state = with_table(state, out=(*place.table.out, seat))
    step = _without(state, seat)
    return Step(step.state, facts.resigned(seat) + step.facts)


def _without(state: State, seat: int) -> Step[State]:
    place = state.position
    phase, living = place.phase, place.living()
    if phase == "move" and (place.turn == seat or len(living) == 1):
        state, _ = battles.moved_in(state, battles.room(place)[0])
    if phase == "vote" and (seat == place.table.victor or len(living) == 1):
        return _stopped(state)  # a seat that leaves after winning has won
    if len(living) == 1:
        return endings.finish(state, "last", living[0])
    if phase == "claim":
        return _opened(opening.claims(with_own(state, seat, state.own[seat]._replace(wishes=()))))
    if phase in ("setup", "capital"):
        return _opened(opening.reveal(state))
    if phase == "vote":
        return _counted(state)
    if place.turn == seat and phase in ("place", "attack", "roll", "move", "card"):
        return next_turn(with_place(state, order=None))
    return Step(state)


_KINDS: Final[dict[str, Callable[[State, int, Action], Step[State]]]] = {
    "deal": lambda state, _, action: _opened(opening.deal(state, action.items)),
    "missions": lambda state, _, action: _opened(opening.give_missions(state, action.items)),
    "spread": lambda state, _, action: _opened(opening.spread(state, action.items)),
    **dict.fromkeys(("claim", "queue", "done"), lambda *given: _opened(opening.claim(*given))),
    "capital": lambda *given: _opened(opening.choose(*given)),
    "place": _place,
    "trade": _trade,
    "keep": _keep,
    "attack": _attack,
    "roll": _roll,
    "move": _move,
    "fortify": _fortify,
    "end": _end,
    "card": _card,
    "continue": _vote,
    "stop": _vote,
}
