"""Answer questions about positions: this is all that is done for them in a worker process, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.ai.appraisal import Appraisal, Question, appraise
from games.ai.one_ply_values import tempting_actions
from games.ai.players import budget_of, search
from games.ai.players_by_level import Levels
from games.engine.dice import Dice
from games.engine.game import InterruptiblePlayer
from games.engine.search import Stop
from matches.thinking.jobs import AppraisalJob
from matches.thinking.turns import DroppedError, Patience


def answer_question(job: AppraisalJob, levels: Levels, patience: Patience) -> Appraisal:
    """Return the answer to a question. Raises DroppedError.

    What is seen of the state is the seat's view, as far as hidden things are concerned.
    """
    game, seat = job.game, job.seat
    view = game.view(job.state, seat)
    tempting = tempting_actions(game, view, seat, job.tempting, Dice(job.seed, job.key, 0, "first sight"))
    also = (*job.also, *(action for action in tempting if action not in job.also))
    own = _own_choice(job, view, patience.stop(job.seconds)) if job.tempting else None
    if own is not None and own not in also:
        also = (*also, own)
    question = Question(game, view, seat, job.teams, also, job.level, job.effort, consults=own is None)
    found = appraise(question, levels, Dice(job.seed, job.key, 0, "appraisal"), patience.stop(job.seconds))
    if patience.dropped():
        raise DroppedError
    rated = None if own is None else found.also[also.index(own)]
    return found if rated is None else replace(found, best=rated, line=((seat, own),))


def _own_choice(job: AppraisalJob, view: Any, stop: Stop) -> Any:
    """Return what a player would do that sees more than values do; None if that is nothing else.

    A game's best computer plans whole turns. A search that presses makes progress where values stay alike.
    """
    game = job.game
    if level := game.levels().get(job.level):
        dice = Dice(job.seed, job.key, 0, "progress")
        state = game.search_state(view, job.seat, dice)
        if state is None or state.turn != job.seat or not state.press():
            return None
        budget = budget_of(state, level).scaled(job.effort)
        return state.action(search(state, budget, dice, stop=stop).move)
    players = {} if game.levels() else game.computers()
    if not players:
        return None
    dice, player = Dice(job.seed, job.key, 0, "computer"), list(players.values())[-1]
    if isinstance(player, InterruptiblePlayer):
        return player.decide(game, view, job.seat, dice, stop)
    return player.choose(game, view, job.seat, dice)
