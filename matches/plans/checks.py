"""Check a line of a plan on the positions to come, before it is stored.

The moves of the others and the replies are played on a position that the planner can know (`Game.guess`),
each read by the game's own parser and judged by its own rules. What a plan can be follows from the game:

- Focus and Dominance have neither dice nor secrets after the start: lines may be several turns long.
- In Two Domains and Dominion dice may come between: such a position isn't known yet. A line ends with the
  reply to it, which is tried on positions that may come, and read again when it is played.
- In Domination (the conquest) the others' turns are long and full of dice: `any: place ukr 3; end` has the
  orders for one's own next turn, tried in the same way.
- While choices are secret nothing can be checked, and so nothing is planned.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from games.engine.dice import SECRET_BYTES, Dice
from games.engine.game import CHANCE, AnyGame, Done, Partial, Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, Who, msg
from games.engine.orders import too_late
from matches.plans.grammar import ANY, Beginning, TypedStep
from matches.results import Refused
from matches.store.plans import Line, NamedMove, PlanStep

_MAX_NEAR = 4
_MAX_QUOTED = 100
"""Maximum length of a typed text in a refusal, in characters."""
_MAX_ANSWERS = 400
"""Maximum number of moves of one other seat after each of which a reply is tried."""
_COURSES = 8
"""How many courses of the game up to the planner's turn are tried."""
_MAX_DECISIONS = 250
"""Maximum number of decisions in one of these courses."""
_MAX_CHOICES = 256
"""Maximum number of legal moves among which one is picked there."""


@dataclass(frozen=True, slots=True)
class _Played:
    """Moves that were played on a position, and the position after them."""

    moves: tuple[NamedMove, ...]
    state: Any


def check_line(match: Match, seat: Seat, typed: Sequence[TypedStep]) -> Line | Refused:
    """Return a line that begins in the match's current position, or why it can't be planned.

    The seat isn't to act. Costs up to a second in games with long turns: call it in a worker thread.
    """
    game = match.game
    state = _known_state(match, seat)
    if state is None:
        return Refused(msg("plan.refuse.hidden"))
    line: list[PlanStep] = []
    for number, step in enumerate(typed):
        others = _others_play(game, state, seat, step.moves)
        if isinstance(others, Refused):
            return others
        acting = game.to_act(others.state)
        if why := _why_no_turn(others, seat, acting, rest=step.rest):
            return Refused(why)
        if seat in acting:
            found = _known_reply(game, others.state, seat, step.reply)
            if isinstance(found, Refused):
                return found
            reply, wire, state = found
            line.append(PlanStep(others.moves, False, reply, wire))
            continue
        if number + 1 < len(typed):
            return Refused(msg("plan.refuse.further", move=_short(step.reply)))
        tried = _possible_reply(game, others.state, seat, step.reply, only_chance=not step.rest)
        if tried is None:
            return Refused(msg("plan.refuse.never" if step.rest else "plan.refuse.between"))
        if isinstance(tried, Refused):
            return tried
        line.append(PlanStep(others.moves, step.rest, tried))
    return tuple(line)


def legal_words(match: Match, seat: Seat, typed: Beginning) -> Iterator[str]:
    """Yield the moves that may stand where the last word of a text is, as long as the position is known."""
    state = _known_state(match, seat)
    for step in typed.steps if state is not None else ():
        others = _others_play(match.game, state, seat, step.moves)
        if isinstance(others, Refused) or seat not in match.game.to_act(others.state):
            return
        found = _known_reply(match.game, others.state, seat, step.reply)
        if isinstance(found, Refused):
            return
        state = found[2]
    if state is None or (typed.rest and not typed.replying):
        return
    others = _others_play(match.game, state, seat, typed.moves)
    if isinstance(others, Refused):
        return
    acting = match.game.to_act(others.state)
    if len(acting) == 1 and CHANCE not in acting and (seat in acting) == typed.replying:
        (mover,) = acting
        view = match.game.view(others.state, mover)
        yield from (match.game.format(view, action) for action in match.game.actions(view, mover))
        if not typed.replying:
            yield ANY


def _short(text: str) -> str:
    """Return a typed text to quote in a refusal."""
    return text if len(text) <= _MAX_QUOTED else f"{text[: _MAX_QUOTED - 1]}…"


def _known_state(match: Match, seat: Seat) -> Any | None:
    """Return a state that the seat can know; None while several choose in secret."""
    game = match.game
    if len(match.to_act) > 1:
        return None
    return game.guess(game.view(match.state, seat), seat)


def _others_play(game: AnyGame, state: Any, seat: Seat, texts: Sequence[str]) -> _Played | Refused:
    """Play the moves that a condition names, each by the seat to act."""
    moves: list[NamedMove] = []
    for text in texts:
        acting = game.to_act(state)
        if not acting:
            return Refused(msg("plan.refuse.over"))
        if CHANCE in acting:
            return Refused(msg("plan.refuse.chance", move=_short(text)))
        if seat in acting:
            return Refused(msg("plan.refuse.yours", move=_short(text)))
        if len(acting) > 1:
            return Refused(msg("plan.refuse.hidden"))
        (other,) = acting
        played = _play(game, state, other, text)
        if isinstance(played, Partial):
            return Refused(msg("plan.refuse.half", move=_short(text)), played.choices[:_MAX_NEAR])
        if isinstance(played, Rejected):
            return Refused(
                msg("plan.refuse.move", who=Who(other), move=_short(text)), played.near[:_MAX_NEAR]
            )
        moves += played.moves
        state = played.state
    return _Played(tuple(moves), state)


def _play(game: AnyGame, state: Any, seat: Seat, text: str) -> _Played | Partial | Rejected:
    """Play all orders of a text, up to the first draw of chance."""
    moves: list[NamedMove] = []
    view = game.view(state, seat)
    read = game.parse(view, seat, text)
    while isinstance(read, Done):
        action = read.action
        moves.append(NamedMove(seat, game.encode(action), game.format(view, action)))
        if why := game.refuse(state, seat, action):  # on a guess a view may allow what the state doesn't
            return Rejected(why)
        state = game.apply(state, seat, action).state
        if read.script is None:
            break
        if seat not in (acting := game.to_act(state)):
            late = None if CHANCE in acting else too_late(read.script, over=not acting)
            if late is not None and late.refused:
                return Rejected(late.why)
            break
        view = game.view(state, seat)
        read = game.resume(view, seat, read.script)
    return _Played(tuple(moves), state) if isinstance(read, Done) else read


def _why_no_turn(others: _Played, seat: Seat, acting: frozenset[Seat], *, rest: bool) -> Msg | None:
    """Return why a reply can't follow these moves; None if it is the seat's turn then, or may be."""
    if not acting:
        return msg("plan.refuse.over")
    if seat in acting and not others.moves:
        return msg("plan.refuse.yours", move=ANY)
    if rest or seat in acting or CHANCE in acting:
        return None
    return msg("plan.refuse.more", who=Who(min(acting)))


def _known_reply(game: AnyGame, state: Any, seat: Seat, text: str) -> tuple[str, str, Any] | Refused:
    """Return a reply as it is written, as the log stores it if it is one action, and the state after it."""
    view = game.view(state, seat)
    read = game.parse(view, seat, text)
    if isinstance(read, Done) and (why := game.caution(view, seat, read.action)) is not None:
        return Refused(msg("plan.refuse.caution", move=game.format(view, read.action), why=why))
    played = _play(game, state, seat, text)
    if not isinstance(played, _Played) or not isinstance(read, Done):
        return _refused_reply(played if isinstance(played, Partial | Rejected) else read, text)
    if read.script is None:
        return played.moves[0].text, played.moves[0].wire, played.state
    return text, "", played.state


def _refused_reply(read: Done[Any] | Partial | Rejected, text: str) -> Refused:
    if isinstance(read, Rejected):
        return Refused(msg("plan.refuse.reply", move=_short(text), why=read.why), read.near[:_MAX_NEAR])
    choices = read.choices[:_MAX_NEAR] if isinstance(read, Partial) else ()
    return Refused(msg("plan.refuse.half", move=_short(text)), choices)


def _possible_reply(
    game: AnyGame, state: Any, seat: Seat, text: str, *, only_chance: bool
) -> str | Refused | None:
    """Return a reply to a position that isn't known yet, as it is written, if it is possible in one.

    None if no such position was found.
    """
    refused: Refused | None = None
    for position in _turns_to_come(game, state, seat, only_chance=only_chance):
        view = game.view(position, seat)
        read = game.parse(view, seat, text)
        if isinstance(read, Done):
            return game.format(view, read.action) if read.script is None else text
        refused = refused or _refused_reply(read, text)
        if isinstance(read, Rejected) and read.chat:
            break  # it isn't a move anywhere
    return refused


def _turns_to_come(game: AnyGame, state: Any, seat: Seat, *, only_chance: bool) -> Iterator[Any]:
    """Yield positions in which the seat may be to act next; with `only_chance` no one else moves before.

    First those one move of another away, then those at the end of some courses, calm ones and random ones.
    """
    acting = game.to_act(state)
    if not only_chance and len(acting) == 1 and CHANCE not in acting:
        (other,) = acting
        for action in islice(game.actions(game.view(state, other), other), _MAX_ANSWERS):
            after = game.apply(state, other, action).state
            if seat in game.to_act(after):
                yield after
    for number in range(_COURSES):
        dice = Dice(bytes(SECRET_BYTES), "plan", number, "")
        found = _course(game, state, seat, dice, calm=number % 2 == 0, only_chance=only_chance)
        if found is not None:
            yield found


def _course(
    game: AnyGame, state: Any, seat: Seat, dice: Dice, *, calm: bool, only_chance: bool
) -> Any | None:
    """Return the position of the seat's next turn on one course; None if that never comes."""
    for _ in range(_MAX_DECISIONS):
        acting = game.to_act(state)
        if not acting:
            return None
        if seat in acting:
            return state
        if (mover := min(acting)) == CHANCE:
            action = game.draw(state, dice)
        elif only_chance:
            return None
        else:
            view = game.view(state, mover)
            action = game.default(view, mover) if calm or dice.below(2) else None
            if action is None:
                action = dice.pick(tuple(islice(game.actions(view, mover), _MAX_CHOICES)))
        state = game.apply(state, mover, action).state
    return None
