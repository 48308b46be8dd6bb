"""An attack from its order to the armies that move in: chance rolls until the order's limit is reached."""

from __future__ import annotations

from games.domination.rules import facts
from games.domination.rules.actions import Action
from games.domination.rules.dice import ATTACK_DICE, losses
from games.domination.rules.position import NEUTRAL, NONE, Order, Own, Position, State, continents, replaced
from games.engine.dice import Dice
from games.engine.game import Fact, Step


def ordered(state: State, action: Action) -> State:
    """Return the state in which the attack begins."""
    place, own, deck = state
    table, owner, armies, _, turn, pool, _, taken, step = place
    index = table.law.atlas.index
    src, dst = index[action.a], index[action.b]
    order = Order(src, dst, action.how, action.n, armies[src], armies[dst], 0, 0)
    return State(Position(table, owner, armies, "roll", turn, pool, order, taken, step), own, deck)


def dice(position: Position) -> tuple[int, int]:
    """Return how many dice the attacker and the defender throw now."""
    order = position.order
    if order is None:
        return 0, 0
    most = order.n if order.how == "dice" else ATTACK_DICE
    armies = position.armies
    return min(most, armies[order.src] - 1), min(position.table.law.defence, armies[order.dst])


def draw_roll(position: Position, source: Dice) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Throw the dice of both sides."""
    ours, theirs = dice(position)
    return tuple([source.die() for _ in range(ours)]), tuple([source.die() for _ in range(theirs)])


def rolled(state: State, action: Action) -> Step[State]:
    """Apply a roll: the attack goes on, stops, or takes the country, which armies are then to move into."""
    place, own, deck = state
    table, owner, armies, _, turn, pool, order, taken, step = place
    if order is None:
        raise ValueError("dice fall in battles only")
    src, dst, how, n, began, against, rolls, _ = order
    lost, killed = losses(action.items, action.other)
    stacks = list(armies)
    ours = stacks[src] = stacks[src] - lost
    theirs = stacks[dst] = stacks[dst] - killed
    armies, rolls = tuple(stacks), rolls + 1
    order = Order(src, dst, how, n, began, against, rolls, len(action.items))
    said = facts.rolled(action.items, action.other)
    if not theirs:
        after = Position(table, owner, armies, "move", turn, pool, order, True, step)
        return _taken(State(after, own, deck), order, said)
    if (
        ours < 2
        or (how == "until" and ours <= n)
        or (how == "x" and rolls >= n)
        or (how == "lead" and ours - theirs < n)
        or how == "dice"
    ):
        said += facts.battle(table.law.atlas, order, ours, theirs, turn, owner[dst])
        return Step(
            State(Position(table, owner, armies, "attack", turn, pool, None, taken, step), own, deck), said
        )
    return Step(
        State(Position(table, owner, armies, "roll", turn, pool, order, taken, step), own, deck), said
    )


def _taken(state: State, order: Order, said: tuple[Fact, ...]) -> Step[State]:
    """Give the country to the attacker, with the victim's cards if it was their last one."""
    place = state.position
    seat = place.turn
    victim = place.owner[order.dst]
    atlas = place.table.law.atlas
    said += facts.battle(atlas, order, place.armies[order.src], 0, seat, victim)
    owner = place.owner[: order.dst] + bytes((seat,)) + place.owner[order.dst + 1 :]
    after = place._replace(owner=owner)
    if victim not in owner and victim == NEUTRAL:
        said += facts.NEUTRAL_FELL
    elif victim not in owner:
        cards = len(state.own[victim].hand)
        state, after = _inherited(state, after, seat, victim)
        said += facts.beaten(victim, cards)
    continent = atlas.countries[order.dst].continent
    if all(owner[at] == seat for at in atlas.of[continent]):
        held = continents(after, seat)
        said += facts.gained(atlas, [n for n in held if n != continent], held)
    return Step(state._replace(position=after), said)


def _inherited(state: State, place: Position, seat: int, victim: int) -> tuple[State, Position]:
    table = place.table
    won, lost = state.own[seat], state.own[victim]
    hand = tuple(sorted((*won.hand, *lost.hand)))
    own: list[Own] = list(state.own)
    own[seat], own[victim] = won._replace(hand=hand), lost._replace(hand=())
    table = table._replace(
        out=table.out if victim in table.out else (*table.out, victim),
        killers=replaced(table.killers, victim, seat),
        cards=replaced(replaced(table.cards, seat, len(hand)), victim, 0),
    )
    return state._replace(own=tuple(own)), place._replace(table=table)


def room(position: Position) -> tuple[int, int]:
    """Return the minimum and maximum of armies that may move into the country that was taken."""
    order = position.order
    if order is None:
        return 0, NONE
    return order.last, position.armies[order.src] - 1


def moved_in(state: State, n: int) -> tuple[State, tuple[Fact, ...]]:
    """Move `n` armies in and end the battle."""
    place = state.position
    order = place.order
    if order is None:
        raise ValueError("armies move in after a battle only")
    armies = list(place.armies)
    armies[order.src] -= n
    armies[order.dst] += n
    after = place._replace(armies=tuple(armies), order=None, phase="attack")
    return state._replace(position=after), facts.moved(place.table.law.atlas, order.dst, n)
