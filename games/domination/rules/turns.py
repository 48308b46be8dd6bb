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
    Phase,
    Position,
    Secrets,
    State,
    map_tables,
    reinforcements,
    replace_at,
    with_info,
    with_position,
    with_secrets,
)
from games.engine.game import Fact, Step

_Facts: TypeAlias = tuple[Fact, ...]
FRESH, PLACED, SPOILS, RESUME = range(4)
"""The steps of the phase `place`; from RESUME on, in a vote, where play goes on after it."""
_TO_ATTACK, _AFTER_MOVE, _AT_END = range(RESUME, RESUME + 3)


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the state after a legal action, and the facts."""
    return _HANDLERS[action.kind](state, seat, action)


def _after_opening(step: Step[State]) -> Step[State]:
    """Begin the first turn once the opening is over."""
    if step.state.position.phase != "place":
        return step
    after = with_position(step.state, turn=step.state.position.info.law.seats - 1)
    more = next_turn(with_info(after, round=0))
    return Step(more.state, step.facts + more.facts)


# --- cards and armies ------------------------------------------------------------------------------------


def must_trade(position: Position, own: Secrets) -> bool:
    """Return whether the seat whose turn it is holds too many cards and must trade a set."""
    law = position.info.law
    most = law.hand
    return bool(most) and len(own.hand) >= most and bool(cards.sets_in_hand(law.atlas, law.cards, own.hand))


def _place(state: State, seat: int, action: Action) -> Step[State]:
    position, own, deck = state
    info, owner, armies, phase, turn, pool, attack, taken, step = position
    atlas = info.law.atlas
    at, n = atlas.index[action.a], action.n
    if phase == "setup":
        return _after_opening(opening.place_secretly(state, seat, action))
    armies = replace_at(armies, at, armies[at] + n)
    after = State(
        Position(info, owner, armies, phase, turn, pool - n, attack, taken, step or PLACED), own, deck
    )
    said = facts.placed(atlas, at, n)
    if pool > n:
        return Step(after, said)
    more = to_attack(after)
    return Step(more.state, said + more.facts)


def _trade(state: State, seat: int, action: Action) -> Step[State]:
    position = state.position
    law, info = position.info.law, position.info
    own, names = state.own[seat], cards.deck(law.atlas)
    three = cards_named(law.atlas, own.hand, action.cards)
    kinds = tuple(names.kinds[card] for card in three)
    armies = cards.set_value(law.cards, kinds, info.traded)
    spots = [names.countries[card] for card in three if names.countries[card] != NONE]
    held = [at for at in spots if position.owner[at] == seat]
    extra = 2 * len(held) if law.bonus == "each" else 0
    bonus = law.atlas.index[action.b] if action.b else NONE
    stacks = (
        replace_at(position.armies, bonus, position.armies[bonus] + 2) if bonus != NONE else position.armies
    )
    hand = tuple(card for card in own.hand if card not in three)
    info = info._replace(
        traded=info.traded + 1,
        cards=replace_at(info.cards, seat, len(hand)),
        discard=tuple(sorted((*info.discard, *three))),
    )
    after = with_secrets(state, seat, own._replace(hand=hand))
    after = with_position(after, info=info, armies=stacks, pool=position.pool + armies + extra)
    return Step(recycle_discard(after), facts.traded(law.atlas, action.cards, armies, bonus, extra))


def cards_named(atlas: Atlas, hand: tuple[int, ...], names: tuple[str, ...]) -> tuple[int, ...]:
    """Return the numbers of a hand's cards with these names, in order; shorter if some are missing."""
    wanted, found = list(names), []
    every = cards.deck(atlas).names
    for card in hand:
        if every[card] in wanted:
            wanted.remove(every[card])
            found.append(card)
    return tuple(found)


def recycle_discard(state: State) -> State:
    """Return the state with the traded cards as the deck if that is empty and cards are recycled."""
    info = state.position.info
    if state.deck or not info.law.recycle or not info.discard:
        return state
    after = with_info(state, discard=(), left=len(info.discard))
    return after._replace(deck=info.discard)


def _keep(state: State, seat: int, action: Action) -> Step[State]:
    return to_attack(state)


def cannot_move(position: Position) -> bool:
    """Return whether the seat whose turn it is has no armies that could move anywhere."""
    borders, turn = map_tables(position.info.law.atlas).borders, position.turn
    for by, n, row in zip(position.owner, position.armies, borders, strict=True):
        if by == turn and n > 1 and row:
            return False
    return True


def to_attack(state: State) -> Step[State]:
    """Continue after all is placed: with a win, or attacks if any army can move."""
    if (won := _goal_reached(state, _TO_ATTACK)) is not None:
        return won
    return _resume(state, _TO_ATTACK)


# --- attacks ---------------------------------------------------------------------------------------------


def _attack(state: State, seat: int, action: Action) -> Step[State]:
    return Step(battles.begin_attack(state, action), facts.ordered(action.a, action.b, action.how, action.n))


def _roll(state: State, seat: int, action: Action) -> Step[State]:
    step = battles.resolve_roll(state, action)
    position = step.state.position
    if position.phase != "move":
        return step
    low, high = battles.move_in_range(position)
    if (
        low < high
        and not goals.holds_everything(position, position.turn)
        and not goals.is_last(position, position.turn)
    ):
        return step
    more = _moved(step.state, low)
    return Step(more.state, step.facts + more.facts)


def _move(state: State, seat: int, action: Action) -> Step[State]:
    return _moved(state, action.n)


def _moved(state: State, n: int) -> Step[State]:
    """Move armies in; the goal may be reached, or cards taken with a country may have to be traded."""
    after, said = battles.move_in(state, n)
    won = _goal_reached(after, _AFTER_MOVE)
    more = _resume(after, _AFTER_MOVE) if won is None else won
    return Step(more.state, said + more.facts)


def _fortify(state: State, seat: int, action: Action) -> Step[State]:
    position = state.position
    atlas = position.info.law.atlas
    src, dst, n = atlas.index[action.a], atlas.index[action.b], action.n
    armies = list(position.armies)
    armies[src] -= n
    armies[dst] += n
    after = with_position(state, armies=tuple(armies))
    won = _goal_reached(after, _AT_END)
    more = end_turn(after) if won is None else won
    return Step(more.state, facts.fortified(atlas, src, dst, n) + more.facts)


# --- the end of a turn -----------------------------------------------------------------------------------


def _end(state: State, seat: int, action: Action) -> Step[State]:
    return end_turn(state)


def end_turn(state: State) -> Step[State]:
    """End the turn: a card for a seat that took a country, if one is left; then the next turn."""
    position, own, deck = state
    said = facts.holdings(position, position.turn)
    if position.taken and deck:
        return Step(State(position._replace(phase="card"), own, deck), said)
    more = next_turn(state)
    return Step(more.state, said + more.facts)


def _card(state: State, seat: int, action: Action) -> Step[State]:
    position, turn = state.position, state.position.turn
    atlas, info = position.info.law.atlas, position.info
    names = cards.deck(atlas).names
    card = next(card for card in state.deck if names[card] == action.a)
    own = state.own[turn]
    after = with_secrets(state, turn, own._replace(hand=tuple(sorted((*own.hand, card)))))
    deck = tuple(each for each in state.deck if each != card)
    info = info._replace(left=len(deck), cards=replace_at(info.cards, turn, info.cards[turn] + 1))
    after = State(position._replace(info=info), after.own, deck)
    more = next_turn(recycle_discard(after))
    return Step(more.state, facts.card_drawn(turn, action.a) + more.facts)


def next_turn(state: State) -> Step[State]:
    """Begin the turn of the next seat that plays and can act; after the last round, score all."""
    position, own, deck = state
    info, owner, armies, _, turn, *_ = position
    while True:
        before, seats = turn, info.law.seats
        turn = (turn + 1) % seats
        while turn in info.out:
            turn = (turn + 1) % seats
        if turn <= before:
            info = info._replace(round=info.round + 1)
        position = Position(info, owner, armies, "place", turn, 0, None, False, FRESH)
        if info.round > info.law.cap:
            return endings.finish(State(position, own, deck), "points", NONE)
        pool = reinforcements(position, turn)
        if pool or info.cards[turn] >= cards.SET_SIZE:
            return Step(
                State(Position(info, owner, armies, "place", turn, pool, None, False, FRESH), own, deck)
            )
        state = State(position, own, deck)
        if (won := _goal_reached(state, _TO_ATTACK)) is not None:
            return won
        if not cannot_move(position):
            return Step(State(position._replace(phase="attack"), own, deck))


# --- goals, and going on after them ----------------------------------------------------------------------


def _goal_reached(state: State, resume: int) -> Step[State] | None:
    """End the match or start a vote if the seat whose turn it is has reached a goal; else None."""
    position = state.position
    seat = position.turn
    how = goals.reached(position, seat, state.own[seat].mission)
    if not how:
        return None
    law = position.info.law
    if how in ("all", "last") or law.onward == "end":
        return endings.finish(state, how, seat)
    info = position.info._replace(victor=seat, ready=(False,) * law.seats)
    return Step(with_position(state, phase="vote", info=info, step=resume), facts.won(seat, how))


def _vote(state: State, seat: int, action: Action) -> Step[State]:
    if action.kind == "stop":
        step = _victor_wins(state)
        return Step(step.state, facts.VOTED["stop"] + step.facts)
    ready = state.position.info.ready
    step = _after_vote(with_info(state, ready=(*ready[:seat], True, *ready[seat + 1 :])))
    return Step(step.state, facts.VOTED["continue"] + step.facts)


def _victor_wins(state: State) -> Step[State]:
    """End the match: the seat that reached the goal has won."""
    info = state.position.info
    return endings.finish(state, "capitals" if info.mode == "capital" else "mission", info.victor)


def _after_vote(state: State) -> Step[State]:
    """Continue for all countries once every seat wants to go on."""
    position = state.position
    if not all(position.info.ready[seat] for seat in position.living()):
        return Step(state)
    info = position.info._replace(mode="domination", ready=(False,) * position.info.law.seats)
    after = with_position(state, info=info, phase="attack", step=FRESH)
    step = _resume(after, position.step)
    return Step(step.state, (facts.ONWARD, *step.facts))


def _resume(state: State, where: int) -> Step[State]:
    """Continue after armies were placed, after they moved in, or after the last move."""
    position, own, deck = state
    if where == _AT_END:
        return end_turn(state)
    phase: Phase = "attack"
    step = FRESH
    if where == _AFTER_MOVE:
        hand = own[position.turn]
        if len(hand.hand) > position.info.law.hand and must_trade(position, hand):
            phase, step = "place", SPOILS
    info, owner, armies, _, turn, _, _, taken, _ = position
    after = State(Position(info, owner, armies, phase, turn, 0, None, taken, step), own, deck)
    return end_turn(after) if phase == "attack" and cannot_move(after.position) else Step(after)


# --- giving up -------------------------------------------------------------------------------------------


def forfeit(state: State, seat: int) -> Step[State]:
    """Take a seat out. Its countries defend themselves; its cards go to the seat that takes the last one.

    Raises ValueError if the match is over or the seat doesn't play.
    """
    position = state.position
    if position.phase == "over" or seat not in position.living():
        raise ValueError(f"seat {seat} can't resign")
    state = with_info(state, out=(*position.info.out, seat))
    step = _after_resignation(state, seat)
    return Step(step.state, facts.resigned(seat) + step.facts)


def _after_resignation(state: State, seat: int) -> Step[State]:
    position = state.position
    phase, living = position.phase, position.living()
    if phase == "move" and (position.turn == seat or len(living) == 1):
        state, _ = battles.move_in(state, battles.move_in_range(position)[0])
    if phase == "vote" and (seat == position.info.victor or len(living) == 1):
        return _victor_wins(state)  # a seat that leaves after winning has won
    if len(living) == 1:
        return endings.finish(state, "last", living[0])
    if phase == "claim":
        return _after_opening(
            opening.make_claims(with_secrets(state, seat, state.own[seat]._replace(wishes=())))
        )
    if phase in ("setup", "capital"):
        return _after_opening(opening.reveal(state))
    if phase == "vote":
        return _after_vote(state)
    if position.turn == seat and phase in ("place", "attack", "roll", "move", "card"):
        return next_turn(with_position(state, attack=None))
    return Step(state)


_HANDLERS: Final[dict[str, Callable[[State, int, Action], Step[State]]]] = {
    "deal": lambda state, _, action: _after_opening(opening.apply_deal(state, action.items)),
    "missions": lambda state, _, action: _after_opening(opening.apply_missions(state, action.items)),
    "spread": lambda state, _, action: _after_opening(opening.apply_spread(state, action.items)),
    **dict.fromkeys(("claim", "queue", "done"), lambda *given: _after_opening(opening.claim(*given))),
    "capital": lambda *given: _after_opening(opening.choose_capital(*given)),
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
