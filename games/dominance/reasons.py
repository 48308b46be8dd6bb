"""What an action of Dominance leads to: pieces taken and lost, spawns held, and the next action.

What may follow is found by playing it: by the other seat, and by the same one as if it had another turn.
"""

from __future__ import annotations

from games.dominance.actions import Action, Spawn
from games.dominance.board import BOARDS
from games.dominance.facts import DRAWS
from games.dominance.locks import held_spawns, lock_danger
from games.dominance.rules import State, legal, play
from games.engine.message import Who, msg
from games.engine.reasons import Effect

_WIN, _LOSS = 200.0, -100.0
_TAKEN, _FALLEN = 4.0, -4.0
_EXPOSED, _THREAT = -3.5, 1.0
_ENTERS, _SPAWN, _GUARDED = 0.4, 0.3, 0.08
_LOCK = -1.5


def effects(view: State, seat: int, action: Action) -> tuple[Effect, ...]:
    """Return what a legal action leads to."""
    state = view
    after, other = play(state, seat, action).state, 1 - seat
    if after.outcome is not None:
        if after.ended in DRAWS:
            return ()
        if after.turn == seat:
            return (Effect("wins", 1, _WIN, msg("dominance.reason.wins")),)
        return (Effect("gives_up", 1, _LOSS, msg("dominance.reason.gives_up", move=action.text)),)
    board = BOARDS[after.board]
    found: list[Effect] = []
    if taken := after.lost[other] - state.lost[other]:
        found.append(Effect("takes", taken, _TAKEN, msg("dominance.reason.takes", n=taken), counted=True))
    if after.lost[seat] > state.lost[seat]:
        found.append(Effect("falls", 1, _FALLEN, msg("dominance.reason.falls", move=action.text)))
    if isinstance(action, Spawn) and after.men[seat].bit_count() > state.men[seat].bit_count():
        found.append(Effect("enters", 1, _ENTERS, msg("dominance.reason.enters")))
    if held := held_spawns(board, after.men, after.guarded, seat).bit_count():
        found.append(Effect("holds", held, _SPAWN, msg("dominance.reason.holds", n=held), counted=True))
    if wide := after.guarded[seat].bit_count():
        sentence = msg("dominance.reason.dominates", n=wide)
        found.append(Effect("dominates", wide, _GUARDED, sentence, counted=True))
    if near := lock_danger(board, after.men, after.guarded, seat):
        sentence = msg("dominance.reason.lock", move=action.text, who=Who(other), n=near // 2)
        found.append(Effect("lock", near, _LOCK, sentence))
    found += _dangers(after, seat, action)
    most, best = _most_taken(after._replace(turn=seat), seat)
    if most:
        sentence = msg("dominance.reason.threatens", n=most, move=best)
        found.append(Effect("threatens", most, _THREAT, sentence, beside="takes"))
    return tuple(found)


def _dangers(after: State, seat: int, action: Action) -> list[Effect]:
    """Return what the other seat could do to the one that acted."""
    other = 1 - seat
    if after.turn != other:
        return []
    for reply in legal(after, other):
        end = play(after, other, reply).state
        if end.outcome is not None and end.ended not in DRAWS and end.turn == other:
            sentence = msg("dominance.reason.loses", move=action.text, who=Who(other), reply=reply.text)
            return [Effect("loses", 1, _LOSS, sentence)]
    most, reply_text = _most_taken(after, other)
    if not most:
        return []
    sentence = msg("dominance.reason.exposes", move=action.text, who=Who(other), n=most, reply=reply_text)
    return [Effect("exposes", most, _EXPOSED, sentence)]


def _most_taken(state: State, seat: int) -> tuple[int, str]:
    """Return the most pieces that a seat could take now without losing its attacker, and how."""
    most, text = 0, ""
    for action in legal(state, seat):
        after = play(state, seat, action).state
        taken = after.lost[1 - seat] - state.lost[1 - seat]
        if taken > most and after.lost[seat] == state.lost[seat]:
            most, text = taken, action.text
    return most, text
