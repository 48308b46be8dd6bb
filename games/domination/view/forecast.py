"""A dry run of a script: each order with the chance that the script gets this far. Nothing is played.

Each battle counts as won with the expected number of armies left; the chances of all battles so far are
multiplied. If the orders can't continue even then, the last line gives the reason.
"""

from __future__ import annotations

from typing import Final

from games.domination.commands import notation
from games.domination.commands.prompts import OrderContext, context_of, write
from games.domination.rules import actions, judge, turns
from games.domination.rules.actions import Action
from games.domination.rules.judge import guess_state
from games.domination.rules.position import State, View, replace_at, with_position
from games.domination.view.attack_odds import AttackOdds, action_odds, percent
from games.engine.game import CHANCE, Done, Rejected
from games.engine.message import Msg, msg
from games.engine.orders import too_late

MAX_LINES: Final = 20
"""Maximum number of lines; further orders are only counted."""
_MAX_ORDERS: Final = 500
"""Maximum number of orders that are tried."""
_EXPECTED_WIN: Final = 0.5
"""Minimum chance to win from which on a few rolls count as a win."""


def forecast(view: View, seat: int, text: str) -> tuple[Msg, ...]:
    """Return the probable course of a text's orders, one line each; nothing for one order without dice."""
    result = notation.parse(view, seat, text)
    state = guess_state(view, seat)
    if (
        not isinstance(result, Done)
        or state is None
        or (result.script is None and result.action.kind != "attack")
    ):
        return ()
    lines: list[Msg] = []
    so_far = 1.0
    while isinstance(result, Done):
        context = context_of(judge.view(state, seat), seat)
        if result.action.kind == "attack":
            found = action_odds(context, result.action)
            strict = result.action.how in ("until", "lead")
            so_far *= found.wins if strict else 1.0
            lines.append(_battle(result.action, found, so_far))
            if found.wins <= 0.0 and strict:
                return _shortened(lines)
            state = _after_attack(state, context, result.action, found)
        else:
            lines.append(msg("domination.forecast.order", order=write(result.action)))
            state = turns.play(state, seat, result.action).state
        script, acting = result.script, judge.to_act(state.position)
        if script is None or len(lines) > _MAX_ORDERS or CHANCE in acting:
            return _shortened(lines)
        if seat not in acting:
            if (late := too_late(script, over=not acting)) is not None:
                lines.append(msg("domination.forecast.stop", why=late.why))
            return _shortened(lines)
        result = notation.resume(judge.view(state, seat), seat, script)
    if isinstance(result, Rejected):
        lines.append(msg("domination.forecast.stop", why=result.why))
    return _shortened(lines)


def _shortened(lines: list[Msg]) -> tuple[Msg, ...]:
    """Return the lines, the last ones replaced by their number if there are too many."""
    if len(lines) <= MAX_LINES:
        return tuple(lines)
    return (*lines[: MAX_LINES - 1], msg("domination.forecast.more", n=len(lines) - MAX_LINES + 1))


def _battle(action: Action, found: AttackOdds, so_far: float) -> Msg:
    """Return an attack's line: its own chance, the armies left, and the chance of all so far."""
    return msg(
        "domination.forecast.attack",
        order=write(action),
        percent=percent(found.wins),
        left=judge.armies_words(round(found.left)),
        total=percent(so_far),
    )


def _after_attack(state: State, context: OrderContext, action: Action, found: AttackOdds) -> State:
    """Return the expected state after an attack: won, or after a few rolls perhaps with losses only."""
    seat, index = context.seat, context.atlas.index
    src, dst = index[action.a], index[action.b]
    armies = state.position.armies
    if action.how in ("x", "dice") and found.wins < _EXPECTED_WIN:
        ours = max(1, min(armies[src], round(found.remain)))
        theirs = max(1, min(armies[dst], round(found.against)))
        return with_position(state, armies=replace_at(replace_at(armies, src, ours), dst, theirs))
    left = max(2, min(armies[src], round(found.left)))
    state = with_position(state, armies=replace_at(replace_at(armies, src, left), dst, 1))
    state = turns.play(state, seat, actions.attack(action.a, action.b, "until", 1)).state
    return turns.play(state, seat, actions.roll((6,) * min(3, left - 1), (1,))).state
