"""Analyse a finished match: what each position was worth, which moves lost most, and how much was luck.

Each decision is appraised from the view of the seat that made it, so that nobody is blamed for what they
couldn't know. The loss of a move is the value of the best action less that of the played one, both before
the dice are rolled: nobody is blamed for luck either. Moves that were taken back are left out, and moves that
were made for a seat because its time was up count for nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import erfc, exp, hypot, inf, sqrt
from typing import Any, Final

from games.ai.appraisal import appraise
from games.ai.decisions import Decision, decisions_of
from games.ai.paired_samples import WORTH_TELLING
from games.ai.players_by_level import Levels
from games.ai.valued import Appraisal, Rated, line_texts
from games.engine.dice import Dice
from games.engine.game import AnyGame, Seat
from games.engine.match import Match
from games.engine.reasons import Reason, reasons
from games.engine.search import shares
from games.engine.values import Done

BEST_MOVE_TOLERANCE: Final = 1e-3
"""Largest loss with which a move still counts as a best one, by exact values: tables are rounded."""
SEARCH_TOLERANCE: Final = WORTH_TELLING
"""The same by estimated values."""
LEAST_EXACT_MISTAKE: Final = 5e-3
"""Largest loss by exact values that is no mistake: rounding feigns as much, but hardly ever more."""
LEAST_EVIDENCE: Final = 2.0
"""Standard errors that an estimated loss needs to be a mistake, however few moves there are."""
FALSE_DISCOVERIES: Final = 0.1
"""The part of all listed mistakes that may be none, where losses are estimated: see `significant`."""
MOST_MISTAKES: Final = 3
"""Maximum number of mistakes listed for each seat."""
_HARSHNESS: Final = 4.0
"""How quickly the accuracy of a move falls with its loss: 10 points of probability cost a third."""
_UNKNOWN_ERROR: Final = 0.3
"""Standard deviation where a position could only be glanced at."""
_FULL_EFFORT: Final = 100
"""Number of decisions up to which each gets the whole work of the level; more share that."""
_LEAST_EFFORT: Final = 0.02
LEVEL: Final = "hard"
"""The level whose work is done for each decision."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """A move that lost much, and what would have been better."""

    seat: Seat
    seq: int
    """Its log entry."""
    turn: int
    played: str
    value: float
    """The seat's share of the match after it."""
    best: str
    best_value: float
    error: float
    """Standard deviation of the loss from the truth; 0 if the values are exact."""
    actions: tuple[str, str]
    """The played and the better action as the log writes them."""
    line: tuple[tuple[Seat, str], ...]
    """The expected moves, beginning with the better one."""

    @property
    def loss(self) -> float:
        """The share of the match that the move gave away."""
        return self.best_value - self.value


@dataclass(frozen=True, slots=True)
class SeatReport:
    """How a seat played."""

    seat: Seat
    moves: int
    """Number of its decisions that could be judged."""
    best: int
    """How many of these were best ones."""
    accuracy: float | None
    """From 0 to 100; None if nothing could be judged."""
    mistakes: tuple[Mistake, ...]
    """The worst ones, beginning with the worst."""
    luck: float | None
    """The share of the match that dice and cards have given it in total; None where there were none."""
    luck_error: float
    unjudged: int = 0
    """Number of its decisions that couldn't be judged."""
    defaults: int = 0
    """Number of moves made for it because its time was up."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """A match in numbers."""

    teams: tuple[int, ...]
    """The team of each seat."""
    points: tuple[tuple[float, ...], ...]
    """The shares of all seats before each turn, and at the end."""
    errors: tuple[float, ...]
    """The standard deviation of each point from the truth."""
    seats: tuple[SeatReport, ...]
    source: str
    """What the values come from, as `appraisal.source_of` writes it."""

    @property
    def exact(self) -> bool:
        """Whether all values are exact."""
        return not any(self.errors)


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision and its appraisal."""

    decision: Decision
    appraisal: Appraisal

    @property
    def played(self) -> Rated | None:
        """The value of the action played."""
        return self.appraisal.also[0]

    @property
    def loss(self) -> float:
        """The share that the move gave away; 0 if it can't be judged.

        By samples that have chosen nothing it may be negative, as often as it is too large.
        """
        if self.played is None:
            return 0.0
        if self.played.behind is not None:
            return self.played.behind.loss
        return self.appraisal.value - self.played.shares[self.decision.seat]

    @property
    def error(self) -> float:
        """The standard deviation of the loss. The errors of both values have much in common: half counts."""
        best, played = self.appraisal.best, self.played
        if best is None or played is None:
            return 0.0
        return played.behind.error if played.behind is not None else hypot(best.error, played.error) / 2

    @property
    def evidence(self) -> float:
        """By how many standard deviations the move is known to be worse; infinite for exact values."""
        if self.played is not None and self.played.behind is not None:
            return self.played.behind.evidence
        return self.loss / self.error if self.error else inf if self.loss > 0.0 else 0.0

    @property
    def exact(self) -> bool:
        """Whether the loss is exact."""
        best, played = self.appraisal.best, self.played
        return best is not None and played is not None and best.exact and played.exact

    @property
    def counts(self) -> bool:
        """Whether it was the seat's own decision and can be judged."""
        return self.played is not None and not self.decision.default

    @property
    def is_best(self) -> bool:
        """Whether no move was better by more than the tolerance, as far as that is known."""
        if self.exact:
            return self.loss <= BEST_MOVE_TOLERANCE
        sampled = self.played is not None and self.played.behind is not None
        return self.loss <= SEARCH_TOLERANCE or (sampled and self.evidence < LEAST_EVIDENCE)


def significant(evidence: Sequence[float], rate: float = FALSE_DISCOVERIES) -> frozenset[int]:
    """Return which of some losses are real, by their evidence in standard errors.

    Of many moves some seem bad by chance. At most the part `rate` of those returned is expected to be none
    (Benjamini and Hochberg, "Controlling the False Discovery Rate", 1995).
    """
    ordered = sorted(range(len(evidence)), key=lambda at: -evidence[at])
    last = 0
    for rank, at in enumerate(ordered, 1):
        by_chance = erfc(evidence[at] / sqrt(2.0)) / 2.0
        if evidence[at] >= LEAST_EVIDENCE and by_chance <= rate * rank / len(evidence):
            last = rank
    return frozenset(ordered[:last])


def mistakes_among(judged: Sequence[Judged]) -> list[Judged]:
    """Return the moves that have lost something by exact values, or significantly."""
    own = [each for each in judged if each.counts]
    exact = [each for each in own if each.exact and each.loss > LEAST_EXACT_MISTAKE]
    guessed = [each for each in own if not each.exact]
    real = significant([each.evidence for each in guessed])
    return [*exact, *(guessed[at] for at in sorted(real) if guessed[at].loss > 0.0)]


def sides_of(teams: Sequence[int]) -> tuple[tuple[Seat, ...], ...]:
    """Return the seats of each team, in the order of their first seats."""
    found: dict[int, list[Seat]] = {}
    for seat, team in enumerate(teams):
        found.setdefault(team, []).append(Seat(seat))
    return tuple(tuple(seats) for seats in found.values())


def effort_for(decisions: int) -> float:
    """Return the part of the level's work that each decision of a match gets, by their number."""
    return max(_LEAST_EFFORT, min(1.0, _FULL_EFFORT / max(1, decisions)))


def analyse(
    match: Match,
    levels: Levels,
    source: str,
    *,
    level: str = LEVEL,
    effort: float | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Analysis | None:
    """Analyse a finished match here and now; `progress` gets the number of decisions done, and of all.

    Return None if the match has no result or nobody moved. `effort` is a factor for the level's work.
    """
    decisions = decisions_of(match) if has_result(match) else ()
    if not decisions:
        return None
    judged: list[Judged] = []
    work = effort_for(len(decisions)) if effort is None else effort
    for number, decision in enumerate(decisions):
        progress(number, len(decisions))
        dice = Dice(b"analysis", match.id, decision.seq, "")
        judged.append(Judged(decision, appraise(decision.question(match, level, work), levels, dice)))
    progress(len(decisions), len(decisions))
    return summarise(match, judged, source)


def has_result(match: Match) -> bool:
    """Return whether a match is over and has a result."""
    return match.ending is not None and match.ending.outcome is not None


def glance(decision: Decision, match: Match) -> Appraisal:
    """Return an appraisal without values, for a decision whose position couldn't be thought about."""
    sides = len(set(match.setup.teams))
    return Appraisal(decision.seat, None, (), (None,), (1.0 / sides,) * match.setup.seats)


def summarise(match: Match, judged: Sequence[Judged], source: str) -> Analysis:
    """Return the analysis of a finished match from the appraisals of all its decisions, in order.

    Raises ValueError without a result or without moves.
    """
    if match.ending is None or match.ending.outcome is None or not judged:
        raise ValueError("a match without a result or without moves can't be analysed")
    teams, result = match.setup.teams, shares(match.ending.outcome.ranks, match.setup.teams)
    firsts = [
        each for at, each in enumerate(judged) if not at or each.decision.turn != judged[at - 1].decision.turn
    ]
    points = (*(each.appraisal.shares for each in firsts), result)
    errors = (*(_point_error(each.appraisal) for each in firsts), 0.0)
    luck, luck_error = _luck(match, judged, result)
    mistakes = mistakes_among(judged)
    reports = tuple(
        _report(match, Seat(seat), judged, mistakes, None if luck is None else luck[seat], luck_error)
        for seat in range(len(teams))
    )
    return Analysis(teams, points, errors, reports, source)


def _point_error(appraisal: Appraisal) -> float:
    return _UNKNOWN_ERROR if appraisal.best is None else appraisal.best.error


def _report(
    match: Match,
    seat: Seat,
    judged: Sequence[Judged],
    mistakes: Sequence[Judged],
    luck: float | None,
    luck_error: float,
) -> SeatReport:
    mine = [each for each in judged if each.decision.seat == seat]
    own = [each for each in mine if each.counts]
    clearest = sorted(
        (each for each in mistakes if each.decision.seat == seat),
        key=lambda each: (-each.evidence, -each.loss),
    )
    worst = sorted(clearest[:MOST_MISTAKES], key=lambda each: -each.loss)
    accuracies = [accuracy_of(each.loss) for each in own]
    return SeatReport(
        seat,
        len(own),
        sum(each.is_best for each in own),
        min(100.0, sum(accuracies) / len(own)) if own else None,
        tuple(_mistake(match, each) for each in worst),
        luck,
        luck_error,
        sum(each.played is None and not each.decision.default for each in mine),
        sum(each.decision.default for each in mine),
    )


def accuracy_of(loss: float) -> float:
    """Return the accuracy of a move: 100 for one that loses nothing, 0 at the least.

    It is above 100 for a loss that samples have made negative, so that the mean over many moves is right.
    """
    return 100.0 * exp(-_HARSHNESS * loss)


def _mistake(match: Match, judged: Judged) -> Mistake:
    game, decision, best, played = match.game, judged.decision, judged.appraisal.best, judged.played
    if best is None or played is None:
        raise ValueError("what can't be judged is no mistake")
    view = game.view(decision.state, decision.seat)
    return Mistake(
        decision.seat,
        decision.seq,
        decision.turn,
        game.format(view, decision.action),
        played.shares[decision.seat],
        game.format(view, best.action),
        best.shares[decision.seat],
        0.0 if judged.exact else judged.error,
        (game.encode(decision.action), game.encode(best.action)),
        line_texts(game, decision.state, judged.appraisal.line),
    )


def _luck(
    match: Match, judged: Sequence[Judged], result: tuple[float, ...]
) -> tuple[tuple[float, ...] | None, float]:
    """Return what chance has given each seat in total, and its standard error; None where nothing was drawn.

    Luck is the value after a draw less the value expected before it. The error follows from how much the
    values change where nothing was drawn, which is the noise of the values alone.
    """
    settled = match.game.outcome(match.state) is not None and not match.seats.gone
    total = [0.0] * len(result)
    draws, noise, errors = 0, list[float](), list[float]()
    for at, each in enumerate(judged):
        last = at + 1 == len(judged)
        if each.played is None or each.decision.departed or (last and not settled):
            continue
        after = result if last else judged[at + 1].appraisal.shares
        if not last and judged[at + 1].appraisal.best is None:
            continue
        changes = [now - then for now, then in zip(after, each.played.shares, strict=True)]
        if each.decision.chance:
            draws += 1
            errors.append(0.0 if last else _point_error(judged[at + 1].appraisal))
            errors.append(each.played.error)
            total = [sum(pair) for pair in zip(total, changes, strict=True)]
        else:
            noise += changes
    if not draws:
        return None, 0.0
    if not any(errors):
        return tuple(total), 0.0
    typical = sum(errors) / len(errors)
    if len(noise) >= 4 * len(result):
        typical = sqrt(sum(change * change for change in noise) / len(noise))
    return tuple(total), typical * sqrt(draws)


def mistake_reasons(game: AnyGame, state: Any, mistake: Mistake) -> tuple[Reason, ...]:
    """Return why the better move was better, from what its seat knew in the state before the mistake."""
    return _reasons(game, game.view(state, mistake.seat), mistake)


def public_reason(game: AnyGame, state: Any, mistake: Mistake) -> Reason | None:
    """Return the weightiest reason that everyone may know; None if there is none.

    It follows from a spectator's view: there is none for a move that a spectator couldn't have thought of,
    such as a trade of cards.
    """
    seen, own, seat = game.view(state, None), game.view(state, mistake.seat), mistake.seat
    if game.hidden:
        for action in map(game.decode, mistake.actions):
            read = game.parse(seen, seat, game.format(own, action))
            if not isinstance(read, Done) or read.action != action:
                return None
    return next(iter(_reasons(game, seen, mistake)), None)


def _reasons(game: AnyGame, view: Any, mistake: Mistake) -> tuple[Reason, ...]:
    played, better = (game.decode(each) for each in mistake.actions)
    return reasons(game, view, mistake.seat, better, played, max(0.0, mistake.loss))
