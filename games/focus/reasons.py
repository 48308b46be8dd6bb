"""What a move of Focus leads to: piles won and lost, captures, reserves, and what the next move may do.

What may follow is found by playing it: a turn that ends the game wins it, unless it is a draw. The next seat
is asked what it could do, then the mover, as if it had another turn at once: that is what it threatens.
"""

from __future__ import annotations

from games.engine.message import Msg, Who, msg
from games.engine.reasons import Effect
from games.focus.actions import Action, FirstPlayer, Move, Reserve
from games.focus.board import BITS, PILE, SPACES
from games.focus.facts import DRAWS
from games.focus.rules import State, legal, play

_WIN, _LOSS = 200.0, -100.0
_CAPTURE = 3.0
_KEPT = 2.5
"""Weight of an own piece that comes to the reserve."""
_COVERED = 0.8
_LEFT = -0.8
_EXPOSED = -0.6
"""Weights of each piece in a pile that is covered, left to an opponent, or may be covered next."""
_THREAT = 0.7
_SPENT = -1.0
_FEW = 4
"""Number of piles and reserves from which on it is worth telling how few an opponent has left."""
_CONFINED = 1.5


def effects(view: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return what a legal action leads to."""
    state = view
    if isinstance(action, FirstPlayer):
        return ()
    after = play(state, seat, action).state
    if after.ended is not None:
        return () if after.ended in DRAWS else (Effect("wins", 1, _WIN, msg("focus.reason.wins")),)
    found = _gains(state, after, seat, action)
    if isinstance(action, Move) and (left := PILE[after.board[action.src]]):
        other = state.variant.seat_of[left[-1]]
        if _against(state, seat, other):
            sentence = msg(
                "focus.reason.leaves", move=action.text, who=Who(other), n=len(left), at=action.source
            )
            found.append(Effect("leaves", len(left), _LEFT, sentence))
    found += _dangers(after, seat, action)
    found += _threats(after, seat)
    return tuple(found)


def _against(state: State, seat: int, other: int) -> bool:
    teams = state.variant.teams
    return teams[other] != teams[seat] and other not in state.resigned


def _gains(before: State, after: State, seat: int, action: Move | Reserve) -> list[Effect]:
    """Return what the move itself takes and costs."""
    found: list[Effect] = []
    if taken := sum(after.captured[seat]) - sum(before.captured[seat]):
        sentence = msg("focus.reason.captures", n=taken)
        found.append(Effect("captures", taken, _CAPTURE, sentence, counted=True))
    spent = isinstance(action, Reserve) and not before.thirteenth[seat]
    if kept := after.reserve[seat] - before.reserve[seat] + spent:
        found.append(Effect("keeps", kept, _KEPT, msg("focus.reason.keeps", n=kept), counted=True))
    if spent:
        found.append(Effect("spends", 1, _SPENT, msg("focus.reason.spends", move=action.text)))
    under = PILE[before.board[action.dst]]
    if under and _against(before, seat, before.variant.seat_of[under[-1]]):
        who = Who(before.variant.seat_of[under[-1]])
        sentence = msg("focus.reason.covers", who=who, n=len(under), at=action.target)
        found.append(Effect("covers", len(under), _COVERED, sentence))
    if before.variant.seats == 2:
        least = after.controls[1 - seat].bit_count() + after.reserve[1 - seat]
        if least <= _FEW:
            sentence = msg("focus.reason.confines", who=Who(1 - seat), n=least)
            found.append(Effect("confines", _FEW + 1 - least, _CONFINED, sentence))
    return found


def _dangers(after: State, seat: int, action: Move | Reserve) -> list[Effect]:
    """Return what the next seat could do to the mover."""
    other = after.turn
    if not _against(after, seat, other):
        return []
    best, at = 0, -1
    for reply in legal(after, other):
        if isinstance(reply, FirstPlayer):
            continue
        height = len(PILE[after.board[reply.dst]]) if BITS[reply.dst] & after.controls[seat] else 0
        if height > best:
            best, at = height, reply.dst
    values: dict[str, Msg | str | int | Who] = {"move": action.text, "who": Who(other)}
    if (winner := _winning(after, other)) is not None:
        return [Effect("loses", 1, _LOSS, msg("focus.reason.loses", **values, reply=winner.text))]
    if not best:
        return []
    sentence = msg("focus.reason.exposes", **values, n=best, at=SPACES[at])
    return [Effect("exposes", best, _EXPOSED, sentence)]


def _threats(after: State, seat: int) -> list[Effect]:
    """Return what the mover could do next, if nobody did anything against it."""
    again = after._replace(turn=seat, past=())
    if (winning := _winning(again, seat)) is not None:
        sentence = msg("focus.reason.threatens_win", move=winning.text)
        return [Effect("threatens_win", 1, 2.0, sentence)]
    best, text = 0, ""
    for action in legal(again, seat):
        taken = sum(play(again, seat, action).state.captured[seat]) - sum(after.captured[seat])
        if taken > best:
            best, text = taken, action.text
    if not best:
        return []
    sentence = msg("focus.reason.threatens", n=best, move=text)
    return [Effect("threatens", best, _THREAT, sentence, beside="captures")]


def _winning(state: State, seat: int) -> Action | None:
    """Return an action with which the seat to act wins at once; None if it has none."""
    for action in legal(state, seat):
        ended = play(state, seat, action).state.ended
        if ended is not None and ended not in DRAWS:
            return action
    return None
