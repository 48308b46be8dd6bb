"""Answer questions about positions: this is all that is done for them in a worker process, too."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from games.ai.appraisal import Appraisal, Question, appraise
from games.ai.first_sight import tempting_actions
from games.ai.levels import Levels
from games.engine.dice import Dice
from matches.thinking.ports import AppraisalJob
from matches.thinking.turns import DroppedError, Patience


def answer_question(job: AppraisalJob, levels: Levels, patience: Patience) -> Appraisal:
    """Return the answer to a question. Raises DroppedError.

    What is seen of the state is the seat's view, as far as hidden things are concerned.
    """
    game, seat = job.game, job.seat
    view = game.view(job.state, seat)
    tempting = tempting_actions(game, view, seat, job.tempting, Dice(job.seed, job.key, 0, "first sight"))
    also = (*job.also, *(action for action in tempting if action not in job.also))
    own = _own_choice(job, view) if job.tempting else None
    if own is not None and own not in also:
        also = (*also, own)
    question = Question(game, view, seat, job.teams, also, job.level, job.effort)
    found = appraise(question, levels, Dice(job.seed, job.key, 0, "appraisal"), patience.stop(job.seconds))
    if patience.dropped():
        raise DroppedError
    rated = None if own is None else found.also[also.index(own)]
    return found if rated is None else replace(found, best=rated, line=((seat, own),))


def _own_choice(job: AppraisalJob, view: Any) -> Any:
    """Return what the game's own computer player would do, where the game has one and no search.

    It plans whole turns, so that it sees more than the evaluation of single actions.
    """
    game = job.game
    players = {} if game.levels() else game.computers()
    if not players:
        return None
    player = players.get(job.level) or players[list(players)[-1]]
    return player.choose(game, view, job.seat, Dice(job.seed, job.key, 0, "computer"))
