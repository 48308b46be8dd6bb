"""The course of a match: after the opening, in turn cards and armies, attacks, one last move, a card.

`play` accepts every action that the judge accepts.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from games.domination.maps.atlas import Atlas
from games.domination.rules import battles, cards, facts, goals, opening
from games.domination.rules.actions import Action
from games.domination.rules.position import (
    NONE,
    Position,
    Secrets,
    State,
    map_tables,
    moved,
    preceded,
    reinforcements,
    replace_at,
    with_position,
)
from games.engine.game import Outcome, Setup, Step, Why, ranks
from games.engine.message import Who

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
    return preceded(step.facts, next_turn(after.with_info(round=0)))


# --- cards and armies ------------------------------------------------------------------------------------


def must_trade(position: Position, own: Secrets) -> bool:
    """Return whether the seat whose turn it is holds too many cards and must trade a set now."""
    law = position.info.law
    if not law.hand or len(own.hand) < law.hand or position.step == PLACED:
        return False
    return bool(cards.sets_in_hand(law.atlas, law.cards, own.hand))


def _place(state: State, seat: int, action: Action) -> Step[State]:
    if state.position.phase == "setup":
        return _after_opening(opening.place_secretly(state, seat, action))
    position, own, deck = state
    info, owner, armies, phase, turn, pool, attack, taken, step = position
    at, left = info.law.atlas.index[action.a], pool - action.n
    armies = replace_at(armies, at, armies[at] + action.n)
    position = Position(info, owner, armies, phase, turn, left, attack, taken, step or PLACED)
    after = State(position, own, deck)
    return preceded(facts.placed(info.law.atlas, at, action.n), Step(after) if left else to_attack(after))


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
    after = state.with_secrets(seat, own._replace(hand=hand))
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
    after = state.with_info(discard=(), left=len(info.discard))
    return after._replace(deck=info.discard)


def cannot_move(position: Position) -> bool:
    """Return whether the seat whose turn it is has no armies that could move anywhere."""
    borders, turn = map_tables(position.info.law.atlas).borders, position.turn
    for by, n, row in zip(position.owner, position.armies, borders, strict=True):
        if by == turn and n > 1 and row:
            return False
    return True


def to_attack(state: State) -> Step[State]:
    """Continue after all is placed: with a win, or attacks if any army can move."""
    return _goal_reached(state, _TO_ATTACK) or _resume(state, _TO_ATTACK)


# --- attacks ---------------------------------------------------------------------------------------------


def _attack(state: State, seat: int, action: Action) -> Step[State]:
    return Step(battles.begin_attack(state, action), facts.ordered(action.a, action.b, action.how, action.n))


def _roll(state: State, seat: int, action: Action) -> Step[State]:
    step = battles.resolve_roll(state, action)
    position = step.state.position
    if position.phase != "move":
        return step
    low, high = battles.move_in_range(position)
    won = goals.holds_everything(position, position.turn) or goals.is_last(position, position.turn)
    if low < high and not won:
        return step
    return preceded(step.facts, _moved(step.state, low))


def _moved(state: State, n: int) -> Step[State]:
    """Move armies in; the goal may be reached, or cards taken with a country may have to be traded."""
    after, reported = battles.move_in(state, n)
    return preceded(reported, _goal_reached(after, _AFTER_MOVE) or _resume(after, _AFTER_MOVE))


def _fortify(state: State, seat: int, action: Action) -> Step[State]:
    position = state.position
    atlas = position.info.law.atlas
    src, dst, n = atlas.index[action.a], atlas.index[action.b], action.n
    after = with_position(state, armies=moved(position.armies, src, dst, n))
    return preceded(facts.fortified(action.a, action.b, n), _goal_reached(after, _AT_END) or end_turn(after))


# --- the end of a turn -----------------------------------------------------------------------------------


def end_turn(state: State) -> Step[State]:
    """End the turn: a card for a seat that took a country, if one is left; then the next turn."""
    position, own, deck = state
    reported = facts.holdings(position, position.turn)
    if position.taken and deck:
        return Step(State(position._replace(phase="card"), own, deck), reported)
    return preceded(reported, next_turn(state))


def _card(state: State, seat: int, action: Action) -> Step[State]:
    position, turn = state.position, state.position.turn
    atlas, info = position.info.law.atlas, position.info
    names = cards.deck(atlas).names
    card = next(card for card in state.deck if names[card] == action.a)
    own = state.own[turn]
    after = state.with_secrets(turn, own._replace(hand=tuple(sorted((*own.hand, card)))))
    deck = tuple(each for each in state.deck if each != card)
    info = info._replace(left=len(deck), cards=replace_at(info.cards, turn, info.cards[turn] + 1))
    after = State(position._replace(info=info), after.own, deck)
    return preceded(facts.card_drawn(turn, action.a), next_turn(recycle_discard(after)))


def next_turn(state: State) -> Step[State]:
    """Begin the turn of the next seat that plays and can act; after the last round, score all."""
    position, own, deck = state
    info, owner, armies, _, turn, *_ = position
    while True:
        before, seats = turn, info.law.seats
        turn = next(n % seats for n in range(before + 1, before + seats + 1) if n % seats not in info.out)
        if turn <= before:
            info = info._replace(round=info.round + 1)
        state = State(Position(info, owner, armies, "place", turn, 0, None, False, FRESH), own, deck)
        if info.round > info.law.cap:
            return finish(state, "points", NONE)
        pool = reinforcements(state.position, turn)
        if pool or info.cards[turn] >= cards.SET_SIZE:
            return Step(with_position(state, pool=pool))
        if won := _goal_reached(state, _TO_ATTACK):
            return won
        if not cannot_move(state.position):
            return Step(with_position(state, phase="attack"))


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
        return finish(state, how, seat)
    info = position.info._replace(victor=seat, ready=(False,) * law.seats)
    reported = facts.report(f"won_{how}", facts.GOALS_LINE, who=Who(seat))
    return Step(with_position(state, phase="vote", info=info, step=resume), reported)


def _vote(state: State, seat: int, action: Action) -> Step[State]:
    if action.kind == "stop":
        return preceded(facts.report("stop"), _victor_wins(state))
    return preceded(facts.report("continue"), _after_vote(state.with_ready(seat)))


def _victor_wins(state: State) -> Step[State]:
    """End the match: the seat that reached the goal has won."""
    info = state.position.info
    return finish(state, "capitals" if info.mode == "capital" else "mission", info.victor)


def _after_vote(state: State) -> Step[State]:
    """Continue for all countries once every seat wants to go on."""
    position = state.position
    if not all(position.info.ready[seat] for seat in position.living()):
        return Step(state)
    info = position.info._replace(mode="domination", ready=(False,) * position.info.law.seats)
    after = with_position(state, info=info, phase="attack", step=FRESH)
    return preceded(facts.report("onward", facts.GOALS_LINE), _resume(after, position.step))


def _resume(state: State, where: int) -> Step[State]:
    """Continue after armies were placed, after they moved in, or after the last move."""
    if where == _AT_END:
        return end_turn(state)
    info, owner, armies, _, turn, _, _, taken, _ = state.position
    if where == _AFTER_MOVE:
        own, position = state.own[turn], Position(info, owner, armies, "place", turn, 0, None, taken, SPOILS)
        if len(own.hand) > info.law.hand and must_trade(position, own):
            return Step(state._replace(position=position))
    position = Position(info, owner, armies, "attack", turn, 0, None, taken, FRESH)
    after = State(position, state.own, state.deck)
    return end_turn(after) if cannot_move(position) else Step(after)


# --- the end of the match --------------------------------------------------------------------------------


def score(position: Position, seat: int) -> tuple[Fraction, int]:
    """Return countries + values of held continents + armies / 3, and the armies to break ties."""
    worth = position.info.law.atlas.continents
    armies = position.force(seat)
    held = sum(worth[n].value for n in position.continents_of(seat))
    return position.owner.count(seat) + held + Fraction(armies, 3), armies


def final_ranks(position: Position, winner: int) -> tuple[int, ...]:
    """Return the ranks by seat: the winner, if any; those that play, by score; the beaten, the last first."""
    info = position.info
    scores: dict[tuple[Fraction, int], set[int]] = {}
    for seat in position.living():
        if seat != winner:
            scores.setdefault(score(position, seat), set()).add(seat)
    tiers = [frozenset((winner,))] if winner != NONE else []
    tiers += [frozenset(scores[found]) for found in sorted(scores, reverse=True)]
    tiers += [frozenset((seat,)) for seat in reversed(info.out) if seat != winner]
    teams = tuple(range(info.law.seats))
    return ranks(Setup(info.law.seats, teams, {}), *tiers)


def finish(state: State, reason: str, winner: int) -> Step[State]:
    """End the match: the winner reached a goal or is the last seat; NONE ranks all by score."""
    position = state.position
    found = final_ranks(position, winner)
    winners = [seat for seat, rank in enumerate(found) if rank == 1]
    if winner == NONE:
        reason = "points" if len(winners) == 1 else "draw"
    info = position.info._replace(outcome=Outcome(found, facts.ending(reason, winners)))
    own = tuple(each._replace(wishes=(), pool=0, spread=(), pick=NONE) for each in state.own)
    state = state._replace(own=own)
    after = with_position(state, info=info, phase="over", attack=None, pool=0)
    tasks = [(seat, each.mission) for seat, each in enumerate(own) if each.mission != NONE]
    return Step(after, tuple(f for task in tasks for f in facts.had_mission(info.law.atlas, *task)))


# --- giving up -------------------------------------------------------------------------------------------


def forfeit(state: State, seat: int, why: Why = "resign") -> Step[State]:
    """Take a seat out. Its countries defend themselves; its cards go to the seat that takes the last one.

    Resigning and running out of time have the same consequences. Raises ValueError if the match is over or
    the seat doesn't play.
    """
    position = state.position
    if position.phase == "over" or seat not in position.living():
        raise ValueError(f"seat {seat} can't resign")
    state = state.with_info(out=(*position.info.out, seat))
    reported = facts.report("resigned", facts.FALLEN_LINE, who=Who(seat))
    return preceded(reported, _after_resignation(state, seat))


def _after_resignation(state: State, seat: int) -> Step[State]:
    position = state.position
    phase, living = position.phase, position.living()
    if phase == "move" and (position.turn == seat or len(living) == 1):
        state, _ = battles.move_in(state, battles.move_in_range(position)[0])
    if phase == "vote" and (seat == position.info.victor or len(living) == 1):
        return _victor_wins(state)  # a seat that leaves after winning has won
    if len(living) == 1:
        return finish(state, "last", living[0])
    if phase == "claim":
        return _after_opening(
            opening.make_claims(state.with_secrets(seat, state.own[seat]._replace(wishes=())))
        )
    if phase in ("setup", "capital"):
        return _after_opening(opening.reveal(state))
    if phase == "vote":
        return _after_vote(state)
    if position.turn == seat and phase in ("place", "attack", "roll", "move", "card"):
        return next_turn(state)
    return Step(state)


_HANDLERS: Final[dict[str, Callable[[State, int, Action], Step[State]]]] = {
    "deal": lambda state, _, action: _after_opening(opening.apply_deal(state, action.items)),
    "missions": lambda state, _, action: _after_opening(opening.apply_missions(state, action.items)),
    "spread": lambda state, _, action: _after_opening(opening.apply_spread(state, action.items)),
    **dict.fromkeys(("claim", "queue", "done"), lambda *given: _after_opening(opening.claim(*given))),
    "capital": lambda *given: _after_opening(opening.choose_capital(*given)),
    "place": _place,
    "trade": _trade,
    "keep": lambda state, *_: to_attack(state),
    "attack": _attack,
    "roll": _roll,
    "move": lambda state, _, action: _moved(state, action.n),
    "fortify": _fortify,
    "end": lambda state, *_: end_turn(state),
    "card": _card,
    "continue": _vote,
    "stop": _vote,
}
