"""The texts of hints: what to look at, the move, why; and who has used how many."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bot.messages.geography import geography_of
from bot.messages.names import as_code, seat_names
from bot.platform.reader_settings import Reader
from games.ai.advice import Advice, RatedMove
from games.engine.game import Seat
from games.engine.match import HINT_STEPS, Match
from games.engine.message import Msg, Who, msg
from games.engine.reasons import Reason
from games.engine.scene import Mark, Scene
from matches.play.hints import Hint
from matches.store.rows import MatchRow

_ROUGH = 0.1
"""Standard error of a share from which it is called a rough estimate."""


def hint_marks(hint: Hint) -> tuple[Mark, ...]:
    """Return what to mark on the board: from the second step on the whole move."""
    match = hint.match
    marks = match.game.action_marks(match.game.view(match.state, hint.seat), hint.advice.best.action)
    return marks if hint.step > 1 else tuple(mark for mark in marks if mark.kind == "from")


def hint_lines(hint: Hint, scene: Scene, reader: Reader) -> list[str]:
    """Return the text of the steps that are shown, line by line."""
    names = seat_names(hint.row, reader)

    def say(message: Msg) -> str:
        return reader.say(message, names)

    match, advice = hint.match, hint.advice
    lines = [say(look_at(match, hint.seat, advice.best, scene, reader.say))]
    if hint.step > 1:
        lines.append(say(msg("bot.hint.move", move=f"**`{as_code(advice.best.text, 100)}`**")))
    if hint.step >= HINT_STEPS:
        other = "" if advice.rival is None else advice.rival.text
        lines += [f"- {say(line)}" for line in differences(advice.reasons, advice.best.text, other)]
        lines += [say(line) for line in expectations(advice)]
    lines.append(f"-# {say(msg('bot.hint.foot', step=hint.step, steps=HINT_STEPS, match=match.id))}")
    return lines


def look_at(match: Match, seat: Seat, best: RatedMove, scene: Scene, say: Callable[[Msg], str]) -> Msg:
    """Return what to look at: where the move begins, or on which part of the board it is."""
    game = match.game
    marks = game.action_marks(game.view(match.state, seat), best.action)
    geography = geography_of(scene, say)
    for mark in marks:
        if mark.kind == "from":
            return msg("bot.hint.look", place=geography.spoken(mark.at))
    if marks and (part := geography.part_with(marks[0].at)):
        return msg("bot.hint.look_along", part=part)
    others = sorted(set(range(match.setup.seats)) - {seat})
    return msg("bot.hint.compare", who=tuple(Who(Seat(each)) for each in others if each in match.playing))


def differences(why: Sequence[Reason], better: str, other: str) -> list[Msg]:
    """Return why a move is better than another, in the terms of the game."""
    texts = {True: other, False: better}
    return [
        msg(
            "bot.hint.beside",
            said=each.sentence,
            move=f"`{as_code(texts[each.good], 60)}`",
            n=round(each.other),
        )
        if each.counted and each.other
        else each.sentence
        for each in why
    ]


def expectations(advice: Advice) -> list[Msg]:
    """Return why the move is best: what should follow, and what it is worth beside the obvious one.

    That a move wins, or that nothing saves the position, is stated only of what is proved.
    """
    best, rival = advice.best, advice.rival
    found: list[Msg] = []
    if advice.line:
        moves = tuple(
            msg("bot.hint.ply", who=Who(seat), move=f"`{as_code(text, 60)}`") for seat, text in advice.line
        )
        found.append(msg("bot.hint.line", moves=moves))
    if best.certain:
        found.append(msg("bot.hint.wins" if best.share else "bot.hint.loses"))
    else:
        kind = "exact" if best.exact else "rough" if best.error >= _ROUGH else "about"
        found.append(msg(f"bot.hint.chance_{kind}", percent=_percent(best)))
    if rival is not None:
        move = f"`{as_code(rival.text, 100)}`"
        found.append(
            msg("bot.hint.rival", move=move, percent=_percent(rival))
            if advice.loss
            else msg("bot.hint.as_good", move=move)
        )
    return found


def _percent(move: RatedMove) -> Msg | str:
    """Return a move's share in whole percent; only what is proved is 0 or 100."""
    n = round(100 * move.share)
    if move.certain or 0 < n < 100:
        return f"{n} %"
    return msg("bot.hint.over" if n else "bot.hint.under")


def hints_used(row: MatchRow, match: Match, reader: Reader) -> tuple[str, ...]:
    """Return for each seat that has used hints how many, and in how many of them it saw the move."""
    names = seat_names(row, reader)
    return tuple(
        reader.say(msg("bot.hint.used_by", who=Who(seat), n=counts[0], moves=counts[1]), names)
        for seat, counts in sorted(match.help.hints.items())
        if counts[0]
    )


def hints_line(row: MatchRow, match: Match, reader: Reader) -> str:
    """Return who has used how many hints, and to whom the coach has spoken; empty if there is none of it."""
    used, names = hints_used(row, match, reader), seat_names(row, reader)
    lines = [reader.say(msg("bot.hint.used", who=used))] if used else []
    for seat, remarks in sorted(match.help.coached.items()):
        lines.append(reader.say(msg("bot.coach.used", who=Who(seat), n=len(remarks)), names))
    return " ".join(lines)
