"""Ways through a match of Dominion: a script for two who play together, and hunters who play against all.

In the script a Soldier is surrounded, a Territory changes hands, an Emperor falls and is followed by his
Prince, who falls too. What Fate asks meanwhile is answered so that it goes on. As the test holds the match's
secret, it knows what Fate will say, and takes the shortest of many tries.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final

from games.dominion.board import INDEX
from games.dominion.moves import targets
from games.dominion.position import (
    ADMIRAL,
    ASSASSIN,
    EMPEROR,
    GENERAL,
    NOBODY,
    PRINCE,
    WARRIOR,
    Position,
    find_piece,
    kind_of,
    owner,
    relation_table,
)
from games.engine.dice import Sealed
from games.engine.game import Fact, Seat
from games.engine.match import Change, Match, play

NORTH, SOUTH = 0, 1
_HELD: Final = "?held"
"""Wait until the northern Soldier stands on f3."""
_SCRIPTS: Final = (
    "f11-f10 f10-f9 f9-f8 f8-f7 f7-f6 f6-f5 f5-f4 f4-f3 e12-d12 d12-d11",
    f"f3-f4 f4-e4 h3-h4 h4-g4 i3-i4 i4-h4 {_HELD} g4-f4 h4-g4 g2-m8 m8-i12 f2-f1 f1-a1 a1-a12 a12-e12",
)
_FINISH: Final = ("e12-e13", "e13-g13", "g13-g12")
"""The Emperor of the north falls as soon as his heir will be crowned, and then the heir."""
_IDLE: Final = (
    ["h11-h10", "h10-h11", "g11-g10", "g10-g11", "i11-i10", "i10-i11"],
    ["i2-j2", "j2-i2", "h2-i1", "i1-h2", "g1-h1", "h1-g1", "i2-i1"],
)
_KEEP: Final = frozenset(INDEX[at] for at in ("e2", "f2", "g2", "e3", "g3", "f12"))
"""Whose ranks are left alone, if anything else can be promoted or demoted."""
_COURT: Final = frozenset((PRINCE, GENERAL, ADMIRAL, WARRIOR, ASSASSIN))
_FAR: Final = 9
_LINGERS: Final = 0.05
"""How often something idle is done before the script goes on: Fate will say something else then."""
_MORE_TRIES: Final = 20
"""How many times as many ways are tried if the secret hides them all."""
_LOST: Final = 160
"""More actions than a good try takes."""
WANTED: Final = frozenset(("turned", "control", "fell_heir", "heir", "crowned", "fell", "out"))
"""What the duel has to bring about."""


def said(facts: tuple[Fact, ...]) -> set[str]:
    """What happened, by the last parts of its keys."""
    return {fact.msg.key.removeprefix("dominion.fact.") for fact in facts}


def duel(match: Match, sealed: Sealed, tries: int = 60) -> list[tuple[int, str]]:
    """Seats and texts of the shortest of many tries from the match's start to its end; fails if none is."""
    found: list[list[tuple[int, str]]] = []
    for number in range(_MORE_TRIES * tries):
        if found and number >= tries:
            break
        if course := _try(match, sealed, Random(number)):
            found.append(course)
    assert found, "no way through the script was found"
    return min(found, key=len)


def _try(match: Match, sealed: Sealed, random: Random) -> list[tuple[int, str]] | None:
    queues = [script.split() for script in _SCRIPTS]
    queues[SOUTH] += _FINISH
    course: list[tuple[int, str]] = []
    happened: set[str] = set()
    while not match.ending:
        seat = min(match.to_act)
        action = _choice(match, seat, sealed, queues[seat], random)
        if action is None or len(course) > _LOST:
            return None
        course.append((seat, match.game.format(match.game.view(match.state, seat), action)))
        change = play(match, seat, action, sealed)
        assert isinstance(change, Change)
        happened |= said(change.facts)
        match = change.match
    return course if happened >= WANTED else None


def _choice(match: Match, seat: Seat, sealed: Sealed, queue: list[str], random: Random) -> Any:
    """What the script says, or something idle; None where neither is possible."""
    place: Position = match.state.position
    view = match.game.view(match.state, seat)
    legal = {action.text: action for action in match.game.actions(view, seat)}
    if place.phase == "sergeants":
        return legal["sergeants i2 i3"] if seat == SOUTH else match.game.default(view, seat)
    if place.phase == "heir":
        return legal["stay"]
    if place.phase != "move":
        return min(legal.values(), key=lambda each: (_precious(place, each.a), random.random()))
    if queue and queue[0] == _HELD and owner(place.board[INDEX["f3"]]) == NORTH:
        queue.pop(0)
    if (
        queue
        and queue[0] in legal
        and random.random() >= _LINGERS
        and (queue[0] != _FINISH[1] or _crowns(match, seat, legal[queue[0]], sealed))
    ):
        return legal[queue.pop(0)]
    idle = [text for text in _IDLE[seat] if text in legal]
    if not idle and queue:
        return legal.get(queue.pop(0))
    return legal[random.choice(idle)] if idle else None


def _precious(place: Position, at: int) -> bool:
    return at in _KEEP or kind_of(place.board[at]) in (PRINCE, GENERAL)


def _crowns(match: Match, seat: Seat, action: Any, sealed: Sealed) -> bool:
    """Whether Fate would be with the heir if the Emperor were taken now, and would ask nothing before."""
    change = play(match, seat, action, sealed)
    return isinstance(change, Change) and change.match.state.position.phase == "heir"


# --- hunting ---------------------------------------------------------------------------------------------


def hunt(match: Match, seat: Seat, random: Random) -> Any:
    """A move towards the nearest enemy Emperor, or his heir; takes him where that is possible."""
    place: Position = match.state.position
    legal = list(match.game.actions(match.game.view(match.state, seat), seat))
    if place.phase != "move":
        return random.choice(legal)
    prey = _prey(place, seat)
    best: list[Any] = []
    least = _FAR + 1
    for action in legal:
        if action.b == prey:
            return action
        far = _steps(place, seat, action.a, action.b, prey)
        if far < least:
            least, best = far, []
        if far == least:
            best.append(action)
    return random.choice(best)


def _prey(place: Position, seat: int) -> int:
    """Where the first enemy's Emperor stands, or the heir of one who fell; the next seat's before others'."""
    seats = len(place.law.sides)
    for step in range(1, seats):
        other = (seat + step) % seats
        if place.law.camps[other] == place.law.camps[seat] or other in place.out:
            continue
        at = find_piece(place.board, other, EMPEROR)
        return at if at != NOBODY else find_piece(place.board, other, PRINCE)
    return NOBODY


def _steps(place: Position, seat: int, src: int, dst: int, prey: int) -> int:
    """How many moves a unit of the court needs to reach the prey once it went from src to dst; at most 9."""
    code = place.board[src]
    if kind_of(code) not in _COURT:
        return _FAR
    bare = bytearray(place.board)
    bare[src] = 0
    relations = relation_table(place.law.camps, seat)
    seen, edge = {dst}, [dst]
    for steps in range(1, _FAR):
        further: list[int] = []
        for at in edge:
            board = bytearray(bare)
            board[at] = code
            for to in targets(bytes(board), place.control, relations, seat, at):
                if to == prey:
                    return steps
                if to not in seen and not bare[to]:
                    seen.add(to)
                    further.append(to)
        edge = further
    return _FAR
