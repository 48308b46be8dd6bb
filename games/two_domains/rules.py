"""The rules of Two Domains: positions, legal actions, and their effects.

`refuse` alone decides legality, and `play` accepts every action that it allows. Every action is completed in
one place, `_complete`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from games.engine.game import CHANCE, Fact, Outcome, Step, Why
from games.engine.message import Msg, msg
from games.two_domains import facts
from games.two_domains.actions import ARMY, CAPITAL, CITY, FIRST, KING, ROLLS, TOWN, VILLAGE, Action
from games.two_domains.domain import START, domain
from games.two_domains.facts import Reason

BATTLE_FAIL_FACE: Final = 1
"""The roll that loses a battle: a king. The symbol is missing from the rule text; docs/rules explains how it
was inferred."""
VERSION: Final = 2
"""The newest version of the rules. In version 1 the side with more dice wins at the limit, so that waiting
against a single king, which has no turns, is a certain win. In version 2 the limit is a draw."""
LIMIT: Final = 500
"""Number of completed actions, both sides together, that ends the game: a house rule."""

Roll: TypeAlias = Literal["", "first", "gather", "battle", "endurance"]
"""What chance is to decide: nothing, the first player, or one of three kinds of rolls."""

BEATEN: Final = {ARMY: CITY, CAPITAL: TOWN, CITY: VILLAGE}
"""The faces that targets become in a battle with a roll; all others are removed."""
CONVERTED: Final = {ARMY: VILLAGE}
"""The faces that targets become in a battle with Cultural Consensus; all others are removed."""


class State(NamedTuple):
    """A position. Nothing is hidden."""

    domains: tuple[str, str]
    """The faces of each seat's dice from Home to Front."""
    turn: int
    """The seat whose action it is, or CHANCE before the first; once it is over, the seat that acted last."""
    roll: Roll
    """What chance is to decide now; empty if a seat is to act."""
    completed: int
    """Number of completed actions of both seats, each with its roll; skipped turns don't count."""
    ended: Reason | None
    outcome: Outcome | None
    rules: int
    """The version of the rules."""

    def __repr__(self) -> str:
        """Return a short form; `position_json.dump` has everything."""
        red, blue = self.domains
        return f"State({red} v {blue}, turn={self.turn}, {self.ended or self.roll or self.completed})"


def start(rules: int) -> State:
    """Return five villages each, before chance has chosen the first player."""
    return State((START, START), CHANCE, "first", 0, None, None, rules)


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Return every legal action: growth from Home on, gather, mobilise, battle; for chance all draws."""
    if state.ended is not None:
        return ()
    if state.roll:
        if seat != CHANCE:
            return ()
        return FIRST if state.roll == "first" else ROLLS
    return domain(state.domains[seat]).actions if seat == state.turn else ()


# --- legality -------------------------------------------------------------------------------------------


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Return why the action is illegal for the seat now; None if it is legal."""
    if seat == state.turn and not state.roll and action.text in domain(state.domains[seat]).allowed:
        return None if state.ended is None else msg("two_domains.refuse.over")
    if (why := not_now(state, seat)) is not None:
        return why
    if seat == CHANCE:
        due = "first" if state.roll == "first" else "roll"
        return None if action.kind == due else msg("two_domains.refuse.chance")
    return _why_not(state.domains[seat], action)


def not_now(state: State, seat: int) -> Msg | None:
    """Return why the seat can't act at all now; None if it is to act."""
    if state.ended is not None:
        return msg("two_domains.refuse.over")
    if state.roll:
        return None if seat == CHANCE else msg("two_domains.refuse.chance")
    if seat == state.turn:
        return None
    if seat in (0, 1) and len(state.domains[seat]) == 1:
        return msg("two_domains.refuse.endurance")
    return msg("two_domains.refuse.turn", who=facts.SEAT_NAMES[state.turn])


def _why_not(dice: str, action: Action) -> Msg:
    own = domain(dice)
    if action.kind == "grow":
        return why_no_growth(dice, action.n)
    if action.kind == "mobilise":
        return msg("two_domains.refuse.mobilise")
    if action.kind != "battle":
        return msg("two_domains.refuse.dice")
    missing: list[Msg] = []
    if not own.vigilant:
        missing.append(msg("two_domains.missing.army", face=facts.A_FACE[dice[-1]]))
    if not own.kings:
        missing.append(msg("two_domains.missing.no_king"))
    elif own.kings > 1:
        missing.append(msg("two_domains.missing.kings", n=own.kings))
    if own.capitals > 1:
        missing.append(msg("two_domains.missing.capitals", n=own.capitals))
    return msg("two_domains.refuse.battle", missing=tuple(missing))


def why_no_growth(dice: str, at: int) -> Msg:
    """Return why the die at a place can't grow, or that there is no such die."""
    own = domain(dice)
    if not 1 <= at <= own.size:
        return msg("two_domains.refuse.place", at=at, n=own.size)
    face = dice[at - 1]
    if face == KING:
        return msg("two_domains.refuse.king", at=at)
    if face == ARMY:
        return msg("two_domains.refuse.army", at=at)
    if face == CITY:
        return msg("two_domains.refuse.city", at=at, n=own.capitals)
    if not own.kings:
        return msg("two_domains.refuse.no_king", at=at)
    return msg("two_domains.refuse.kings", at=at, n=own.kings)


# --- effects --------------------------------------------------------------------------------------------


def play(state: State, seat: int, action: Action) -> Step[State]:
    """Return the position after a legal action, and what happened."""
    kind = action.kind
    if kind == "roll":
        return _rolled(state, action.n)
    if kind == "first":
        return Step(State(state.domains, action.n, "", 0, None, None, state.rules), facts.FIRST[action.n])
    mine, theirs = state.domains[seat], state.domains[1 - seat]
    if kind == "grow":
        at = action.n
        return _complete(state, domain(mine).grown[at], theirs, facts.grows(seat, at, mine[at - 1]))
    if kind == "gather":
        return _await_roll(state, "gather", facts.GATHERS[seat])
    if kind == "mobilise":
        return _complete(state, domain(mine).ordered, theirs, facts.mobilises(seat, mine))
    if len(theirs) == 1:
        return _await_roll(state, "endurance", facts.attacks(seat, len(mine), theirs[-1]))
    if not domain(mine).capitals:
        return _await_roll(state, "battle", facts.attacks(seat, len(mine), theirs[-1]))
    target = theirs[-1]
    what = facts.overruns(seat, len(mine), len(theirs), target)
    return _complete(state, mine[:-1] + CITY, theirs[:-1] + CONVERTED.get(target, ""), what)


def _await_roll(state: State, roll: Roll, what: tuple[Fact, ...]) -> Step[State]:
    """Return the position in which chance is to roll before the action is complete."""
    return Step(State(state.domains, state.turn, roll, state.completed, None, None, state.rules), what)


def _rolled(state: State, face: int) -> Step[State]:
    seat = state.turn
    mine, theirs = state.domains[seat], state.domains[1 - seat]
    failed = face == BATTLE_FAIL_FACE
    if state.roll == "gather":
        return _complete(state, f"{mine[0]}{face}{mine[2:]}", theirs, facts.gathers(seat, mine[1], face))
    if state.roll == "endurance":
        if not failed:
            return _complete(state, f"{mine[:-1]}{face}", "", facts.kills(seat, len(mine), face))
        # The die is an army again and stands at the Gathering Place of a domain of two: its Front.
        return _complete(state, mine[:-1], theirs + ARMY, facts.pledges(seat, len(mine), face))
    target = theirs[-1]
    after = target if failed else BEATEN.get(target, "")
    what = facts.battles(seat, len(mine), len(theirs), target, after, face)
    return _complete(state, f"{mine[:-1]}{face}", theirs[:-1] + after, what)


def _complete(state: State, mine: str, theirs: str, what: tuple[Fact, ...]) -> Step[State]:
    """Complete an action: check for Kingly Endurance and the ends of the game, and find who acts next.

    No action causes Civil War on the other side, since none adds a king or an army to four dice or more.
    """
    seat, completed = state.turn, state.completed + 1
    other = 1 - seat
    was, now = domain(state.domains[seat]).scenarios, domain(mine).scenarios
    if was is not now and theirs:
        what += facts.scenario_facts(was, now)
    if len(mine) == 1:
        what += facts.endures(seat, mine)
        mine = KING
    if len(theirs) == 1 < len(state.domains[other]):
        what += facts.endures(other, theirs)
        theirs = KING
    domains = (theirs, mine) if seat else (mine, theirs)
    if (reason := _end(mine, theirs, completed, state.rules)) is not None:
        outcome = conclude(domains, seat, reason)
        return Step(State(domains, seat, "", completed, reason, outcome, state.rules), what)
    if len(theirs) == 1:
        other, what = seat, what + facts.SKIPPED[other]
    return Step(State(domains, other, "", completed, None, None, state.rules), what)


def _end(mine: str, theirs: str, completed: int, rules: int) -> Reason | None:
    """Return how a completed action ended the game, given the actor's domain and the other; None if not."""
    if not theirs:
        return "emptied"
    if domain(mine).civil_war:
        return "civil_war"
    if completed < LIMIT:
        return None
    if rules > 1:
        return "limit"
    return "even" if len(mine) == len(theirs) else "dice"


def conclude(domains: tuple[str, str], turn: int, reason: Reason) -> Outcome:
    """Return the result of a game that was played to its end; `turn` is the seat that acted last."""
    if reason in facts.DRAWS:
        return facts.outcome(reason, None)
    if reason == "civil_war":
        return facts.outcome(reason, 1 - turn)
    return facts.outcome(reason, 0 if len(domains[0]) > len(domains[1]) else 1)


def resign(state: State, seat: int, why: Why) -> Step[State]:
    """Let a seat resign or run out of time; the other one wins.

    Raises ValueError if the game is over or there is no such seat; no match lets that happen.
    """
    if state.ended is not None or seat not in (0, 1):
        raise ValueError(f"seat {seat} can't resign")
    return Step(state._replace(roll="", ended="left", outcome=facts.outcome("left", 1 - seat)))
