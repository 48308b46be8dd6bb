"""The turning points of a match, as sentences: who led when, losses, marches, eliminations, mistakes."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10
from typing import Final

from games.ai.analysis import Analysis, Mistake, public_reason
from games.engine.game import Fact, Seat
from games.engine.match import Kind, Match, walk
from games.engine.message import Msg, Value, Who, msg
from games.engine.reasons import Reason
from games.engine.scene import Board
from matches.lookback.story_turns import StoryTurn, Throw

_MARGIN: Final = 0.05
"""By how much a team's share must exceed every other one's to take the lead, however exact shares are."""
_SURE: Final = 4.0
"""The same in errors of a share: two for the share, and what one side gains the other loses."""
_LUCKY: Final = 1 / 6 + 1e-9
"""Dice that come up more often aren't worth a line."""
_LEAST_LOSS: Final = 2.0
"""Smallest change that is shown even if another turn had as large a one."""
_SHORT_MARCH: Final = 2
"""Marches up to this number of squares or places aren't shown."""
_LEAST_MISTAKE: Final = 0.1
"""Smallest share of a match whose loss is shown."""


@dataclass(frozen=True, slots=True)
class Leads:
    """How often the lead changed, and how it came to the winners."""

    changes: int
    taken: int | None = None
    """The turn after which the winning team led until the end; None for a draw, and if it never led."""
    behind: bool = False
    """Whether another team was still clearly ahead when the match ended."""


def leads_of(
    points: Sequence[tuple[int, tuple[float, ...]]],
    teams: Sequence[int],
    winners: frozenset[int],
    errors: Sequence[float] = (),
) -> Leads:
    """Return who led, from (turn, shares of all seats) in order; `winners` are the teams in first place.

    `errors` has the standard deviation of each point's shares, if that is known.

    Shares are averaged over one turn of each seat, since who has just moved often looks better.
    """
    leader: int | None = None
    changes, since, ahead = 0, None, False
    for at, (turn, _) in enumerate(points):
        near = [shares for _, shares in points[max(0, at + 1 - len(teams)) : at + 1]]
        best, margin = _best([sum(row) / len(near) for row in zip(*near, strict=True)], teams)
        ahead = margin >= max(_MARGIN, _SURE * errors[at] if errors else 0.0)
        if ahead and best != leader:
            changes += leader is not None
            leader, since = best, turn
    if len(winners) != 1:
        return Leads(changes)
    if leader in winners:
        return Leads(changes, since)
    return Leads(changes, behind=ahead)


def _best(shares: Sequence[float], teams: Sequence[int]) -> tuple[int, float]:
    """Return the team with the largest share, and how much larger it is than the next."""
    by_team: dict[int, float] = {}
    for team, share in zip(teams, shares, strict=True):
        by_team[team] = max(by_team.get(team, 0.0), share)
    (best, most), (_, next_), *_ = sorted(by_team.items(), key=lambda item: -item[1])
    return best, most - next_


@dataclass(frozen=True, slots=True)
class TurningPoint:
    """Something that turned a match: the log entry, the turn, the seat, a sentence, and its importance."""

    seq: int
    turn: int
    seat: Seat | None
    text: Msg
    weight: float


def moment(match: Match, turn: StoryTurn) -> Msg:
    """Return the name of a turn: `Move 12, e4-e6`."""
    if turn.move:
        return msg("story.at.typed", n=turn.number, move=turn.move)
    return msg("story.at.move" if match.game.actions_are_moves else "story.at.turn", n=turn.number)


def amount(match: Match, value: float) -> Msg:
    """Return a number of what counts in the game: `12 countries`."""
    n: Value = int(value) if value == int(value) else f"{value:g}"
    return msg(f"{match.game.key}.material.count", n=n)


def turning_points(
    match: Match, turns: Sequence[StoryTurn], leads: Leads, analysis: Analysis | None = None
) -> tuple[TurningPoint, ...]:
    """Return all turning points of a finished match in the order in which they happened."""
    found = [*_lead(match, turns, leads), *_departures(match, turns), *_losses(match, turns)]
    found += [*_marches(match, turns), *_dice(match, turns), *_mistake(match, turns, analysis)]
    return tuple(sorted(found, key=lambda point: (point.seq, -point.weight)))


def _lead(match: Match, turns: Sequence[StoryTurn], leads: Leads) -> Iterator[TurningPoint]:
    outcome = match.ending.outcome if match.ending else None
    if outcome is None or (leads.taken is None and not leads.behind):
        return
    winners = tuple(Who(seat) for seat, rank in enumerate(outcome.ranks) if rank == 1)
    if leads.behind:
        text = msg("story.lead.behind", who=winners, n=len(winners))
        yield TurningPoint(turns[-1].last, turns[-1].number, None, text, 90)
        return
    turn = turns[leads.taken or 0]
    if not turn.number:
        yield TurningPoint(0, 0, None, msg("story.lead.always", who=winners), 45)
        return
    text = msg(f"story.lead.{'taken' if leads.changes else 'kept'}", at=moment(match, turn), who=winners)
    yield TurningPoint(turn.last, turn.number, Seat(winners[0].seat), text, 80 if leads.changes else 55)


def _departures(match: Match, turns: Sequence[StoryTurn]) -> Iterator[TurningPoint]:
    """Yield who was eliminated or left, except where that was the end of the match."""
    if len(set(match.setup.teams)) < 3:
        return
    out: frozenset[Seat] = frozenset()
    for turn in turns:
        gone = {seat for _, seat, _ in turn.left}
        for seat in sorted(turn.eliminated - out - gone):
            key = "story.out.by" if turn.seat is not None and turn.seat != seat else "story.out.alone"
            names: dict[str, Value] = {"by": Who(turn.seat or 0)} if key == "story.out.by" else {}
            text = msg(key, at=moment(match, turn), who=Who(seat), **names)
            yield TurningPoint(turn.last, turn.number, seat, text, 60)
        for seq, seat, kind in turn.left:
            key = "story.out.resigned" if kind is Kind.RESIGN else "story.out.late"
            text = msg(key, at=moment(match, turn), who=Who(seat))
            yield TurningPoint(seq, turn.number, seat, text, 50)
        out |= turn.eliminated | gone


def _losses(match: Match, turns: Sequence[StoryTurn]) -> Iterator[TurningPoint]:
    """Yield the largest loss of what counts in one turn, of those that a seat survived."""
    changes: list[tuple[float, int, Seat]] = []
    fatal = 0.0
    for at in range(1, len(turns)):
        gone = {seat for _, seat, _ in turns[at].left}
        for seat, (was, now) in enumerate(zip(turns[at - 1].material, turns[at].material, strict=True)):
            if 0 < now < was and seat not in gone:  # a seat with nothing was eliminated, or the match ended
                changes.append((was - now, at, Seat(seat)))
            else:
                fatal = max(fatal, was - now)
    if not changes:
        return
    size, at, seat = max(changes, key=lambda change: (change[0], -change[1]))
    if size < _LEAST_LOSS and sum(change[0] == size for change in changes) > 1:
        return
    turn, earlier = turns[at], turns[at - 1].material
    whole = sum(earlier) or 1.0
    text = msg(
        "story.loss_survived" if fatal >= size else "story.loss",
        at=moment(match, turn),
        who=Who(seat),
        before=amount(match, earlier[seat]),
        after=amount(match, turn.material[seat]),
    )
    yield TurningPoint(turn.last, turn.number, seat, text, 50 + 40 * size / whole)


def _marches(match: Match, turns: Sequence[StoryTurn]) -> Iterator[TurningPoint]:
    """Yield the longest march: the most places conquered in one turn, or the longest move on squares."""
    board = match.game.scene(match.game.view(match.state, None), None).board
    lengths = [(march_length(board, turn.facts), -turn.number) for turn in turns[1:]]
    length, number = max(lengths, default=(0, 0))
    if length <= _SHORT_MARCH or sum(each == length for each, _ in lengths) > 1:
        return
    turn = turns[-number]
    key = "story.march.conquests" if board.armies else "story.march.squares"
    text = msg(key, at=moment(match, turn), who=Who(turn.seat or 0), n=length)
    yield TurningPoint(turn.last, turn.number, turn.seat, text, 30)


def march_length(board: Board, facts: Sequence[Fact]) -> int:
    """Return how far a turn went: places conquered on a map, squares from start to goal; 0 elsewhere."""
    if board.armies:
        return sum(
            mark.kind == "changed"
            for fact in facts
            if any(mark.kind == "arrow" for mark in fact.marks)
            for mark in fact.marks
        )
    longest = 0
    for fact in facts:
        ends = {mark.kind: mark.at for mark in fact.marks if mark.kind in ("from", "to")}
        if len(ends) == 2:
            longest = max(longest, board.distance(*ends.values()))
    return longest


def _dice(match: Match, turns: Sequence[StoryTurn]) -> Iterator[TurningPoint]:
    """Yield the luckiest and the unluckiest throw, each by the chance of one at least as extreme."""
    throws = [(throw, turn) for turn in turns for throw in turn.throws]
    if not throws:
        return
    lucky = min(throws, key=lambda pair: pair[0].fortune.better)
    unlucky = min(throws, key=lambda pair: pair[0].fortune.worse)
    for key, (throw, turn) in (("best", lucky), ("worst", unlucky)):
        chance = throw.fortune.better if key == "best" else throw.fortune.worse
        if 0.0 < chance <= _LUCKY:
            text = msg(
                f"story.dice.{key}",
                at=moment(match, turn),
                who=Who(throw.fortune.seat),
                what=text_of(throw),
                n=len(throws),
                odds=odds_text(chance),
            )
            weight = 30 + 10 * log10(1 / chance)
            yield TurningPoint(throw.seq, turn.number, throw.fortune.seat, text, weight)


def text_of(throw: Throw) -> Msg:
    """Return what came of a throw, in the words of its facts."""
    facts = [fact.msg for fact in throw.facts if not fact.detail] or [fact.msg for fact in throw.facts]
    return facts[0] if facts else msg("story.dice.thrown")


def odds_text(chance: float) -> Msg:
    """Return a probability as people say it: `1 time in 240`."""
    return msg("story.odds", n=round(1 / chance)) if chance > 1e-6 else msg("story.odds_never")


def _mistake(match: Match, turns: Sequence[StoryTurn], analysis: Analysis | None) -> Iterator[TurningPoint]:
    """Yield the costliest mistake, if the match has been analysed."""
    listed = [each for seat in analysis.seats for each in seat.mistakes] if analysis is not None else []
    worst: Mistake | None = max(listed, key=lambda each: each.loss, default=None)
    if worst is None or worst.loss < max(_LEAST_MISTAKE, 2 * worst.error) or worst.turn >= len(turns):
        return
    turn = turns[worst.turn]
    values: dict[str, Value] = {"at": moment(match, turn), "who": Who(worst.seat)}
    values["points"] = str(round(100 * worst.loss))
    if worst.error:
        text = msg("story.mistake_about", error=str(max(1, round(100 * worst.error))), **values)
    else:
        text = msg("story.mistake", **values)
    if (why := _mistake_why(match, worst)) is not None:
        text = msg("story.explained", said=text, why=why)
    yield TurningPoint(worst.seq, worst.turn, worst.seat, text, 60 + 40 * worst.loss)


def _mistake_why(match: Match, mistake: Mistake) -> Msg | None:
    """Return why another move was better, as all may know it; None if there is nothing to say of it.

    It takes as long as replaying the match up to the mistake.
    """
    before, _ = deque(walk(match.log[: mistake.seq]), maxlen=1).pop()
    reason = public_reason(match.game, before.state, mistake)
    return None if reason is None else coach_words(mistake.seat, reason)


def coach_words(seat: Seat, reason: Reason) -> Msg:
    """Return a reason in a sentence to others: reasons speak to the seat that made the mistake."""
    return msg(f"story.coach.{'good' if reason.good else 'bad'}", who=Who(seat), said=reason.sentence)
