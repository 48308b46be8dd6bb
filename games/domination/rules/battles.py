"""An attack from its order to the armies that move in: chance rolls until the order's limit is reached."""

from __future__ import annotations

from games.domination.rules import facts
from games.domination.rules.actions import Action
from games.domination.rules.battle_odds import MAX_ATTACK_DICE, losses
from games.domination.rules.position import (
    NEUTRAL,
    NONE,
    OngoingAttack,
    Position,
    Secrets,
    State,
    moved,
    replace_at,
)
from games.engine.dice import Dice
from games.engine.game import Fact, Step


def begin_attack(state: State, action: Action) -> State:
    """Return the state in which the attack begins."""
    position, own, deck = state
    info, owner, armies, _, turn, pool, _, taken, step = position
    index = info.law.atlas.index
    src, dst = index[action.a], index[action.b]
    attack = OngoingAttack(src, dst, action.how, action.n, armies[src], armies[dst], 0, 0)
    return State(Position(info, owner, armies, "roll", turn, pool, attack, taken, step), own, deck)


def _ongoing(position: Position) -> OngoingAttack:
    if position.attack is None:
        raise ValueError("dice fall in battles only")
    return position.attack


def dice_counts(position: Position) -> tuple[int, int]:
    """Return how many dice the attacker and the defender throw now. Raises ValueError outside a battle."""
    attack = _ongoing(position)
    most = attack.n if attack.how == "dice" else MAX_ATTACK_DICE
    armies = position.armies
    return min(most, armies[attack.src] - 1), min(position.info.law.defence, armies[attack.dst])


def draw_roll(position: Position, source: Dice) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Throw the dice of both sides."""
    ours, theirs = dice_counts(position)
    return source.roll(ours), source.roll(theirs)


def resolve_roll(state: State, action: Action) -> Step[State]:
    """Apply a roll: the attack goes on, stops, or takes the country, which armies are then to move into.

    Raises ValueError outside a battle.
    """
    position, own, deck = state
    info, owner, armies, _, turn, pool, _, taken, step = position
    src, dst, how, n, began, against, rolls, _ = _ongoing(position)
    lost, killed = losses(action.items, action.other)
    stacks = list(armies)
    ours = stacks[src] = stacks[src] - lost
    theirs = stacks[dst] = stacks[dst] - killed
    armies, rolls = tuple(stacks), rolls + 1
    attack = OngoingAttack(src, dst, how, n, began, against, rolls, len(action.items))
    reported = facts.rolled(action.items, action.other)
    if not theirs:
        after = Position(info, owner, armies, "move", turn, pool, attack, True, step)
        return _take_country(State(after, own, deck), attack, reported)
    if stops(how, n, ours, theirs, rolls):
        reported += facts.battle(info.law.atlas, attack, ours, theirs, turn, owner[dst])
        after = Position(info, owner, armies, "attack", turn, pool, None, taken, step)
    else:
        after = Position(info, owner, armies, "roll", turn, pool, attack, taken, step)
    return Step(State(after, own, deck), reported)


def stops(how: str, n: int, ours: int, theirs: int, rolls: int) -> bool:
    """Return whether an attack with a stop as in `actions.StopRule` ends with these armies, after rolls."""
    return (
        ours < 2
        or (how == "until" and ours <= n)
        or (how == "x" and rolls >= n)
        or (how == "lead" and ours - theirs < n)
        or (how == "dice" and rolls > 0)
    )


def _take_country(state: State, attack: OngoingAttack, reported: tuple[Fact, ...]) -> Step[State]:
    """Give the country to the attacker, with the victim's cards if it was their last one."""
    position = state.position
    seat = position.turn
    victim = position.owner[attack.dst]
    atlas = position.info.law.atlas
    reported += facts.battle(atlas, attack, position.armies[attack.src], 0, seat, victim)
    owner = position.owner[: attack.dst] + bytes((seat,)) + position.owner[attack.dst + 1 :]
    after = position._replace(owner=owner)
    if victim not in owner and victim == NEUTRAL:
        reported += facts.report("neutral_fell", facts.FALLEN_LINE)
    elif victim not in owner:
        cards = len(state.own[victim].hand)
        state, after = _inherit_cards(state, after, seat, victim)
        reported += facts.beaten(victim, cards)
    continent = atlas.countries[attack.dst].continent
    if all(owner[at] == seat for at in atlas.countries_of[continent]):
        held = after.continents_of(seat)
        reported += facts.gained(atlas, [n for n in held if n != continent], held)
    return Step(state._replace(position=after), reported)


def _inherit_cards(state: State, position: Position, seat: int, victim: int) -> tuple[State, Position]:
    info = position.info
    won, lost = state.own[seat], state.own[victim]
    hand = tuple(sorted((*won.hand, *lost.hand)))
    own: list[Secrets] = list(state.own)
    own[seat], own[victim] = won._replace(hand=hand), lost._replace(hand=())
    info = info._replace(
        out=info.out if victim in info.out else (*info.out, victim),
        killers=replace_at(info.killers, victim, seat),
        cards=replace_at(replace_at(info.cards, seat, len(hand)), victim, 0),
    )
    return state._replace(own=tuple(own)), position._replace(info=info)


def move_in_range(position: Position) -> tuple[int, int]:
    """Return the minimum and maximum of armies that may move into the country that was taken."""
    attack = position.attack
    if attack is None:
        return 0, NONE
    return attack.last, position.armies[attack.src] - 1


def move_in(state: State, n: int) -> tuple[State, tuple[Fact, ...]]:
    """Move `n` armies in and end the battle. Raises ValueError if nothing was taken."""
    position = state.position
    attack = position.attack
    if attack is None:
        raise ValueError("armies move in after a battle only")
    armies = moved(position.armies, attack.src, attack.dst, n)
    after = position._replace(armies=armies, attack=None, phase="attack")
    return state._replace(position=after), facts.moved(position.info.law.atlas, attack.dst, n)
