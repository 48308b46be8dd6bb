"""Before the first turn: countries dealt or claimed, missions, armies placed in secret, capitals chosen.

Where all decide at once, their decisions are revealed after the last one.
"""

from __future__ import annotations

from collections import Counter

from games.domination.rules import facts, goals
from games.domination.rules.actions import Action
from games.domination.rules.position import (
    NEUTRAL,
    NOBODY,
    NONE,
    UNKNOWN,
    Law,
    MatchInfo,
    Phase,
    Position,
    State,
    even_start_armies,
    preceded,
    replace_at,
    start_armies,
    with_position,
)
from games.engine.dice import Dice
from games.engine.game import Fact, Step

_Facts = tuple[Fact, ...]


def begin(law: Law) -> State:
    """Return the empty map, to be dealt, or claimed in turn unless missions are played."""
    size, seats = len(law.atlas.countries), law.seats
    drafted = _drafted(law) and not law.neutral
    none, ready = (NONE,) * seats, (False,) * seats
    deck = tuple(range(len(law.atlas.cards)))
    info = MatchInfo(law, law.mode, 1, 0, (0,) * seats, len(deck), (), (), none, none, ready, NONE, None)
    phase: Phase = "claim" if drafted else "deal"
    position = Position(info, bytes((NOBODY,)) * size, (0,) * size, phase, 0, 0, None, False, 0)
    return State(position, tuple(UNKNOWN._replace(pool=start_pool(law, seat)) for seat in range(seats)), deck)


def _drafted(law: Law) -> bool:
    """Return whether the seats claim their countries."""
    return law.setup == "draft" and law.mode != "mission"


def start_pool(law: Law, seat: int) -> int:
    """Return the armies of a seat at the start."""
    more = even_start_armies(law.atlas, law.rules) if law.even and law.seats == 2 and seat == 1 else 0
    return start_armies(law.seats, len(law.atlas.countries)) + more


# --- chance ----------------------------------------------------------------------------------------------


def draw(state: State, kind: str, dice: Dice) -> tuple[int, ...]:
    """Draw the seat of each country, the mission of each seat, or the armies of each country.

    Countries are shuffled and given out in turn. The neutral army is dealt in behind the seats, with their
    number; where the others are claimed, it gets the first third, and all others go to NOBODY. Armies are put
    on random countries of their holders, one by one.
    """
    position, law = state.position, state.position.info.law
    if kind == "missions":
        return dice.shuffled(goals.missions_for(law.atlas, law.seats))[: law.seats]
    if kind == "spread":
        armies = list(position.armies)
        for holder, more in _spread_pools(state):
            held = position.held(holder)
            for _ in range(more if held else 0):
                armies[dice.pick(held)] += 1
        return tuple(armies)
    seats = [NOBODY] * len(law.atlas.countries)
    parts = law.seats + law.neutral
    for n, at in enumerate(dice.shuffled(range(len(seats)))):
        if not _drafted(law):
            seats[at] = n % parts
        elif n < len(seats) // parts:
            seats[at] = law.seats
    return tuple(seats)


def _spread_pools(state: State) -> list[tuple[int, int]]:
    """Return whose armies chance spreads, and how many: those of all, or of the neutral army only."""
    position, law = state.position, state.position.info.law
    by_chance = law.setup == "auto"
    found = [(seat, own.pool if by_chance else 0) for seat, own in enumerate(state.own)]
    if law.neutral:
        armies = start_armies(law.seats, len(position.owner)) - position.owner.count(NEUTRAL)
        found.append((NEUTRAL, max(0, armies)))
    return found


def is_possible(state: State, kind: str, items: tuple[int, ...]) -> bool:
    """Return whether chance may draw this."""
    position = state.position
    law = position.info.law
    if kind == "missions":
        known = goals.missions_for(law.atlas, law.seats)
        return len(items) == law.seats == len(set(items)) and set(items) <= set(known)
    if len(items) != len(position.owner):
        return False
    if kind == "deal":
        parts = law.seats + law.neutral
        fair, more = divmod(len(items), parts)
        if _drafted(law):
            return Counter(items) == {law.seats: fair, NOBODY: len(items) - fair}
        return Counter(items) == {part: fair + (part < more) for part in range(parts) if fair or part < more}
    rows = [
        ([n for n, by in zip(items, position.owner, strict=True) if by == holder], armies)
        for holder, armies in _spread_pools(state)
    ]
    return all(min(row, default=1) >= 1 and sum(row) == (len(row) + n if row else 0) for row, n in rows)


def apply_deal(state: State, items: tuple[int, ...]) -> Step[State]:
    """Put one army on each country that was dealt; the others are to be claimed."""
    law = state.position.info.law
    own = tuple(own._replace(pool=max(0, own.pool - items.count(seat))) for seat, own in enumerate(state.own))
    owner = bytes(NEUTRAL if by == law.seats else by for by in items)
    armies = tuple(int(by != NOBODY) for by in items)
    after = with_position(state._replace(own=own), owner=owner, armies=armies)
    if NOBODY in owner:
        return Step(with_position(after, phase="claim"), facts.neutral(after.position, "holds"))
    return preceded(facts.dealt(after.position), _all_held(after))


def apply_missions(state: State, items: tuple[int, ...]) -> Step[State]:
    """Give each seat its mission."""
    own = tuple(own._replace(mission=n) for own, n in zip(state.own, items, strict=True))
    atlas = state.position.info.law.atlas
    reported = [fact for seat, n in enumerate(items) for fact in facts.mission(atlas, seat, n)]
    return preceded(tuple(reported), _start_placing(state._replace(own=own)))


def apply_spread(state: State, items: tuple[int, ...]) -> Step[State]:
    """Apply the spread armies: all of them, or the neutral army's before the players place theirs."""
    after = with_position(state, armies=items)
    if state.position.info.law.setup != "auto":
        return preceded(facts.neutral(after.position, "armed"), _start_secret_placing(after))
    own = tuple(own._replace(pool=0) for own in state.own)
    return preceded(facts.armed(after.position), _all_placed(after._replace(own=own)))


# --- claims ----------------------------------------------------------------------------------------------


def claim(state: State, seat: int, action: Action) -> Step[State]:
    """Queue a claim or finish queueing; then make claims as far as the queues go."""
    reported: _Facts = ()
    law = state.position.info.law
    if action.kind != "done":
        at = law.atlas.index[action.a]
        own = state.own[seat]
        state = state.with_secrets(seat, own._replace(wishes=(*own.wishes, at)))
        reported = facts.secret(law.atlas, seat, "wish", at)
    if action.kind == "queue":
        return Step(state, reported)
    return preceded(facts.ready(seat) + reported, make_claims(state.with_ready(seat)))


def make_claims(state: State) -> Step[State]:
    """Once all claimants are ready, let them claim in turn until a queue or the map is used up.

    Seats with empty queues then decide at the same time, so that none sees another's claims first.
    """
    position = state.position
    if not all(position.info.ready[seat] for seat in goals.claimants(position)):
        return Step(state)
    owner, armies, turn = bytearray(position.owner), list(position.armies), position.turn
    living = position.living()
    made: list[tuple[int, int]] = []
    while NOBODY in owner:
        if turn in living:
            at = next((at for at in state.own[turn].wishes if owner[at] == NOBODY), NONE)
            if at == NONE:
                break
            made.append((turn, at))
            owner[at], armies[at] = turn, 1
        turn = (turn + 1) % len(state.own)
    got = Counter(seat for seat, _ in made)
    own = tuple(
        each._replace(
            wishes=tuple(at for at in each.wishes if owner[at] == NOBODY), pool=max(0, each.pool - got[seat])
        )
        for seat, each in enumerate(state.own)
    )
    ready = tuple(done and bool(each.wishes) for done, each in zip(position.info.ready, own, strict=True))
    info = position.info._replace(ready=ready)
    after = position._replace(owner=bytes(owner), armies=tuple(armies), turn=turn, info=info)
    state = State(after, own, state.deck)
    if NOBODY not in owner:
        return preceded(facts.claimed(after, made), _all_held(state))
    empty = [seat for seat, done in enumerate(position.info.ready) if done and not ready[seat]]
    return Step(state, facts.claimed(after, made) + facts.lists_empty(empty))


# --- armies and capitals, in secret ----------------------------------------------------------------------


def _all_held(state: State) -> Step[State]:
    """Continue after all countries are held."""
    if state.position.info.mode == "mission":
        return Step(with_position(state, phase="missions", turn=0))
    return _start_placing(state)


def _start_placing(state: State) -> Step[State]:
    """Let chance spread all armies or the neutral army's; else let the players place theirs."""
    law = state.position.info.law
    if law.setup == "auto" or law.neutral:
        return Step(with_position(state, phase="spread", turn=0))
    return _start_secret_placing(state)


def _start_secret_placing(state: State) -> Step[State]:
    """Let the players place their armies in secret."""
    position = state.position
    empty = (0,) * len(position.owner)
    living = position.living()
    own = tuple(own._replace(spread=empty, wishes=()) for own in state.own)
    ready = tuple(seat not in living or not each.pool for seat, each in enumerate(own))
    after = with_position(
        state._replace(own=own), phase="setup", turn=0, info=position.info._replace(ready=ready)
    )
    return reveal(after)


def place_secretly(state: State, seat: int, action: Action) -> Step[State]:
    """Place armies in secret."""
    atlas = state.position.info.law.atlas
    at, own = atlas.index[action.a], state.own[seat]
    own = own._replace(pool=own.pool - action.n, spread=replace_at(own.spread, at, own.spread[at] + action.n))
    after = state.with_secrets(seat, own)
    reported = facts.secret(atlas, seat, "put", at, n=action.n)
    return Step(after, reported) if own.pool else _ready(after, seat, reported)


def choose_capital(state: State, seat: int, action: Action) -> Step[State]:
    """Choose a capital in secret."""
    atlas = state.position.info.law.atlas
    at = atlas.index[action.a]
    after = state.with_secrets(seat, state.own[seat]._replace(pick=at))
    return _ready(after, seat, facts.secret(atlas, seat, "picked", at))


def _ready(state: State, seat: int, reported: _Facts) -> Step[State]:
    return preceded(facts.ready(seat) + reported, reveal(state.with_ready(seat)))


def reveal(state: State) -> Step[State]:
    """Reveal secret decisions if all seats that play have decided."""
    position = state.position
    if not all(position.info.ready[seat] for seat in position.living()):
        return Step(state)
    if position.phase == "capital":
        return _reveal_capitals(state)
    armies = tuple(map(sum, zip(position.armies, *(own.spread for own in state.own), strict=True)))
    own = tuple(own._replace(spread=(), pool=0) for own in state.own)
    after = with_position(state._replace(own=own), armies=armies)
    return preceded(facts.armed(after.position), _all_placed(after))


def _all_placed(state: State) -> Step[State]:
    """Continue after all armies are placed: with capitals, or the first turn."""
    position = state.position
    info = position.info._replace(ready=(False,) * position.info.law.seats)
    return Step(with_position(state, phase="capital" if info.mode == "capital" else "place", info=info))


def _reveal_capitals(state: State) -> Step[State]:
    """Reveal the capitals and remove their cards from the deck."""
    position = state.position
    atlas = position.info.law.atlas
    capitals = tuple(own.pick for own in state.own)
    deck = tuple(card for card in state.deck if atlas.cards[card].country not in set(capitals) - {NONE})
    ready = (False,) * len(capitals)
    info = position.info._replace(capitals=capitals, ready=ready, left=len(deck))
    own = tuple(own._replace(pick=NONE) for own in state.own)
    reported = [
        fact for seat, at in enumerate(capitals) if at != NONE for fact in facts.capital(atlas, seat, at)
    ]
    return Step(State(position._replace(info=info, phase="place"), own, deck), tuple(reported))
