"""The rules of Two Domains: what a position is, what may be done in it, and what follows.

`refuse` is the only judge of legality; `play` is total after it. Every completed action is judged in one
place, `_complete`.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from games.engine.game import CHANCE, Fact, Outcome, Step
from games.engine.message import Msg, msg
from games.two_domains import facts
from games.two_domains.actions import FIRST, ROLLS, Action
from games.two_domains.domain import ARMY, CAPITAL, CITY, KING, START, TOWN, VILLAGE, domain
from games.two_domains.facts import Reason

BATTLE_FAIL_FACE: Final = 1
"""The roll that loses a battle: a king. The text's symbol is lost; docs/rules says how it was found."""
VERSION: Final = 2
"""The newest version of the rules. In version 1 whoever has more dice wins at the limit, so that waiting
against a single king, which has no turn, wins for certain. In version 2 the limit is a draw."""
LIMIT: Final = 500
"""Completed actions of both sides together after which the game is over: a house rule."""

Roll: TypeAlias = Literal["", "first", "gather", "battle", "endurance"]
"""What chance has to decide: nothing, who plays first, or one of the three rolls."""

BEATEN: Final = {ARMY: CITY, CAPITAL: TOWN, CITY: VILLAGE}
"""What a battle with a roll makes of a target; all others are removed."""
CONVERTED: Final = {ARMY: VILLAGE}
"""What a battle with Cultural Consensus makes of a target; all others are removed."""


class State(NamedTuple):
    """A position. All of it is open to everybody."""

    domains: tuple[str, str]
    """The faces of each seat's dice from Home to Front."""
    turn: int
    """The seat whose action it is, or CHANCE before the first; once it is over, who acted last."""
    roll: Roll
    """What chance decides now; empty if a seat does."""
    completed: int
    """Actions that both seats have completed, rolls included; skipped turns are none."""
    ended: Reason | None
    outcome: Outcome | None
    rules: int
    """The version of the rules that the match is played by."""

    def __repr__(self) -> str:
        """Short and readable."""
        red, blue = self.domains
        return f"State({red} v {blue}, turn={self.turn}, {self.ended or self.roll or self.completed})"


def start(rules: int) -> State:
    """Five villages each, before chance has named who plays first."""
    return State((START, START), CHANCE, "first", 0, None, None, rules)


def legal(state: State, seat: int) -> tuple[Action, ...]:
    """Every legal action: growth from Home on, gather, mobilise, battle; for chance all it may draw."""
    if state.ended is not None:
        return ()
    if state.roll:
        if seat != CHANCE:
            return ()
        return FIRST if state.roll == "first" else ROLLS
    return domain(state.domains[seat]).actions if seat == state.turn else ()


# --- the judge ------------------------------------------------------------------------------------------


def refuse(state: State, seat: int, action: Action) -> Msg | None:
    """Why the seat may not do this now; None if it may."""
    if seat == state.turn and not state.roll and action.text in domain(state.domains[seat]).allowed:
        return None if state.ended is None else msg("two_domains.refuse.over")
    if (why := not_now(state, seat)) is not None:
        return why
    if seat == CHANCE:
        due = "first" if state.roll == "first" else "roll"
        return None if action.kind == due else msg("two_domains.refuse.chance")
    return _why_not(state.domains[seat], action)


def not_now(state: State, seat: int) -> Msg | None:
    """Why the seat can't do anything at all now; None if it is to act."""
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
        missing.append(msg("two_domains.missing.army", face=facts.A[dice[-1]]))
    if not own.kings:
        missing.append(msg("two_domains.missing.no_king"))
    elif own.kings > 1:
        missing.append(msg("two_domains.missing.kings", n=own.kings))
    if own.capitals > 1:
        missing.append(msg("two_domains.missing.capitals", n=own.capitals))
    return msg("two_domains.refuse.battle", missing=tuple(missing))


def why_no_growth(dice: str, at: int) -> Msg:
    """Why the die at a place can't grow, be there such a die or not."""
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


# --- what follows ---------------------------------------------------------------------------------------


def play(state: State, seat: int, action: Action) -> Step[State]:
    """The position after a legal action, and what happened."""
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
        return _wait(state, "gather", facts.GATHERS[seat])
    if kind == "mobilise":
        return _complete(state, domain(mine).ordered, theirs, facts.mobilises(seat, mine))
    if len(theirs) == 1:
        return _wait(state, "endurance", facts.attacks(seat, len(mine), theirs[-1]))
    if not domain(mine).capitals:
        return _wait(state, "battle", facts.attacks(seat, len(mine), theirs[-1]))
    target = theirs[-1]
    what = facts.overruns(seat, len(mine), len(theirs), target)
    return _complete(state, mine[:-1] + CITY, theirs[:-1] + CONVERTED.get(target, ""), what)


def _wait(state: State, roll: Roll, what: tuple[Fact, ...]) -> Step[State]:
    """Chance has to roll before the action is complete."""
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
    """Judge a completed action: Kingly Endurance, the ends, and whose turn it is."""
    seat, completed = state.turn, state.completed + 1
    other = 1 - seat
    before = state.domains
    was, now = domain(before[seat]).scenarios, domain(mine).scenarios
    if was is not now and theirs:
        what += facts.changes(was, now)
    if len(mine) < 2 or len(theirs) < 2 or completed >= LIMIT or "civil_war" in now:
        return _at_the_edge(state, mine, theirs, what)
    domains = (theirs, mine) if seat else (mine, theirs)
    return Step(State(domains, other, "", completed, None, None, state.rules), what)


def _at_the_edge(state: State, mine: str, theirs: str, what: tuple[Fact, ...]) -> Step[State]:
    """The same where a domain has one die or none, in Civil War, and at the limit.

    No action brings Civil War to the other side: it never adds a king or an army to four dice or more.
    """
    seat, completed = state.turn, state.completed + 1
    other = 1 - seat
    if len(mine) == 1:
        what += facts.endures(seat, mine)
        mine = KING
    if len(theirs) == 1 and len(state.domains[other]) > 1:
        what += facts.endures(other, theirs)
        theirs = KING
    after = state._replace(
        domains=(theirs, mine) if seat else (mine, theirs), turn=other, roll="", completed=completed
    )
    if (reason := _end(mine, theirs, completed, state.rules)) is not None:
        outcome = conclude(after.domains, seat, reason)
        return Step(after._replace(turn=seat, ended=reason, outcome=outcome), what)
    if len(theirs) > 1:
        return Step(after, what)
    return Step(after._replace(turn=seat), what + facts.SKIPPED[other])


def _end(mine: str, theirs: str, completed: int, rules: int) -> Reason | None:
    """How a completed action ends the game, by the lines of who acted and of the other side, if it does."""
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
    """The result of a game that ended by itself; `turn` is who acted last."""
    if reason in facts.DRAWN:
        return facts.outcome(reason, None)
    if reason == "civil_war":
        return facts.outcome(reason, 1 - turn)
    return facts.outcome(reason, 0 if len(domains[0]) > len(domains[1]) else 1)


def resign(state: State, seat: int) -> Step[State]:
    """A seat gives up or is out of time, and the other one wins.

    Raises ValueError if the game is over or there is no such seat, which no match lets happen.
    """
    if state.ended is not None or seat not in (0, 1):
        raise ValueError(f"seat {seat} can't resign")
    return Step(state._replace(roll="", ended="left", outcome=facts.outcome("left", 1 - seat)))
