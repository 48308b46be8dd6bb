"""The messages of puzzles: which games have some, a puzzle with its board, and the comment on an answer.

Buttons and menus carry the game and the puzzle's key, so that a puzzle goes on after a restart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import discord

from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallForm, CallMenu
from bot.messages.front_panel import press
from bot.messages.lessons import (
    answer_lines,
    answered_scene,
    move_menu,
    offered_moves,
    task_scene,
    task_text,
    typed_form,
    with_board,
)
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.presenter import Presenter
from bot.platform.discord_limits import MAX_CHOICE
from bot.platform.puzzle_files import shipped_puzzles
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import AnyGame
from games.engine.lessons import Answer, Right, Wrong, position_of
from games.engine.message import Msg, msg
from games.engine.puzzles import Puzzle, played_difficulty, step_of, why
from games.engine.teaching import LessonStep, PuzzleChoice
from games.engine.values import Done
from matches.long_work import in_thread
from matches.ports import Store
from matches.store.lessons import DailySolver, PuzzleResult

STARS: Final = "★"
DAILY: Final = "puzzle_daily"
"""The verb of the button of a daily puzzle, by which its message is found again."""
_LEAST_TRIES: Final = 5
"""Number of people from which on it is shown how they fared."""
_NAMED: Final = 20
"""Maximum number of people who are named as solvers."""


@dataclass(frozen=True, slots=True)
class PuzzlePlace:
    """A puzzle of a game, with the step that judges answers to it."""

    game: AnyGame
    puzzle: Puzzle
    step: LessonStep
    tries: int = 0
    """How many people have answered it, and how many of them right at once."""
    solves: int = 0
    daily: int = 0
    """Its number as the daily puzzle of a server; 0 if it isn't played as such."""

    @property
    def arg(self) -> str:
        """Return the place as the argument of a call."""
        number = f".{self.daily}" if self.daily else ""
        return f"{self.game.key}.{self.puzzle.key}{number}"

    @property
    def level(self) -> int:
        """Return how hard it is, from 1 to 5, by the search and by how people have fared."""
        return played_difficulty(self.puzzle.difficulty, self.tries, self.solves)


async def puzzle_place(store: Store, key: str, puzzle: str, daily: int = 0) -> PuzzlePlace | None:
    """Return a puzzle of a game as people have fared with it; None if this version doesn't have it."""
    if key not in registry.KEYS:
        return None
    count = await store.puzzle_count(key, puzzle)

    def found() -> PuzzlePlace | None:
        game, one = registry.get(key), shipped_puzzles(key).get(puzzle)
        if one is None:
            return None
        return PuzzlePlace(game, one, step_of(game, one), count.tries, count.solves, daily)

    return await in_thread(found)


def streak(results: Sequence[PuzzleResult]) -> int:
    """Return how many puzzles in a row were solved with the first answer, up to the latest."""
    count = 0
    for each in reversed(results):
        if not each.solved:
            break
        count += 1
    return count


def puzzle_overview(reader: Reader, counts: Mapping[str, int], results: Sequence[PuzzleResult]) -> Outgoing:
    """Return the games with puzzles, how many of them a person has tried and solved, and a menu to go on.

    `counts` has the number of puzzles of each game.
    """
    lines, options = [reader.say(msg("puzzle.overview"))], list[discord.SelectOption]()
    for key, of in counts.items():
        mine = [each for each in results if each.game == key]
        title, solved = reader.say(msg(f"{key}.title")), sum(each.solved for each in mine)
        tried = msg("puzzle.tried", done=min(len(mine), of), n=of, won=solved)
        far = reader.say(tried if mine else msg("puzzle.fresh", n=of))
        lines.append(f"- **{title}**: {far}")
        options.append(
            discord.SelectOption(label=title[:MAX_CHOICE], description=far[:MAX_CHOICE], value=key)
        )
    items: list[Any] = []
    if options:
        items.append(CallMenu.make(Call("puzzle_game", NO_MATCH, 0), options, reader.say(msg("learn.pick"))))
    else:
        lines.append(reader.say(msg("puzzle.none")))
    items.append(press("learn", "learn.button.all", reader))
    return Outgoing("\n".join(lines), (), tuple(items))


def finished_panel(reader: Reader, key: str) -> Outgoing:
    """Return what a person sees who has tried all puzzles of a game."""
    finished = msg("puzzle.finished", game=msg(f"{registry.get(key).key}.title"))
    return Outgoing(reader.say(finished), (), (press("puzzle", "puzzle.button.all", reader),))


async def puzzle_panel(
    presenter: Presenter, reader: Reader, place: PuzzlePlace, moves: Sequence[str], note: Sequence[str] = ()
) -> Outgoing:
    """Return a puzzle: `note` on the last answer, its task, the board, and the moves to choose from."""
    text = [_head(place, reader), *note, task_text(place, reader, await in_thread(_task, place, "puzzle"))]
    items: tuple[Any, ...] = (
        move_menu(Call("puzzle_move", NO_MATCH, 0, place.arg), moves, reader),
        press("puzzle_type", "learn.button.type", reader, STYLE.primary, place.arg),
        press("puzzle_show", "puzzle.button.show", reader, arg=place.arg),
        press("puzzle", "puzzle.button.all", reader),
    )
    return await with_board(presenter, reader, task_scene(place), "\n".join(text), items)


async def solved_panel(
    presenter: Presenter,
    reader: Reader,
    place: PuzzlePlace,
    right: Right,
    head: Msg,
    row: int,
) -> Outgoing:
    """Return the answer: `head` is about how it was found, then what sets it apart from the next best move.

    The board is that after it. `row` is the streak: of puzzles, or of days if it is a daily one.
    """
    game, step = place.game, place.step
    view = game.view(position_of(game, step), step.seat)
    rival = game.format(view, game.decode(place.puzzle.rival))
    text, choice = [_head(place, reader), task_text(place, reader, head)], await in_thread(_choice, place)
    text += [f"- {task_text(place, reader, each)}" for each in await in_thread(_because, place, choice)]
    if choice is None:
        percent = round(100 * place.puzzle.margin)
        text.append(task_text(place, reader, msg("puzzle.rival", move=f"`{as_code(rival, 60)}`", n=percent)))
    if place.tries >= _LEAST_TRIES:
        share = round(100 * place.solves / place.tries)
        text.append(reader.say(msg("puzzle.fared", n=place.tries, percent=share)))
    if row > 1:
        text.append(reader.say(msg("puzzle.daily.streak" if place.daily else "puzzle.streak", n=row)))
    items = (
        press("puzzle_next", "puzzle.button.next", reader, STYLE.primary, game.key),
        press("puzzle", "puzzle.button.all", reader),
    )
    return await with_board(presenter, reader, answered_scene(place, right), "\n".join(text), items)


async def daily_message(
    presenter: Presenter,
    reader: Reader,
    place: PuzzlePlace,
    before: PuzzlePlace | None,
    solvers: Sequence[DailySolver],
) -> Outgoing:
    """Return the message of a daily puzzle, with the solution of the one before and who has solved that."""
    text = [
        reader.say(msg("puzzle.daily.head", n=place.daily)),
        _head(place, reader),
        task_text(place, reader, await in_thread(_task, place, "puzzle.daily")),
    ]
    if before is not None:
        reasons = (await in_thread(lambda: _because(before, _choice(before))))[:1]
        title = msg(f"{before.game.key}.title")
        text.append(
            reader.say(msg("puzzle.daily.before", n=before.daily, game=title, said=best_move(before)))
        )
        text += [f"- {task_text(before, reader, each)}" for each in reasons]
        text.append(_solvers_line(reader, solvers))
    text.append(reader.say(msg("puzzle.daily.foot")))
    items = (
        press(DAILY, "puzzle.button.solve", reader, STYLE.primary, place.arg),
        press("puzzle", "puzzle.button.more", reader),
    )
    return replace(
        await with_board(presenter, reader, task_scene(place), "\n".join(text), items), silent=True
    )


def _solvers_line(reader: Reader, solvers: Sequence[DailySolver]) -> str:
    """Return who has solved a daily puzzle; they are named without being pinged."""
    if not solvers:
        return reader.say(msg("puzzle.daily.nobody"))
    people = [
        reader.say(msg("puzzle.daily.solver", n=each.streak, who=f"<@{each.user}>"))
        for each in solvers[:_NAMED]
    ]
    if more := len(solvers) - _NAMED if len(solvers) > _NAMED else 0:
        people.append(reader.say(msg("puzzle.daily.others", n=more)))
    return reader.say(msg("puzzle.daily.solved", names=tuple(people)))


def puzzle_form(reader: Reader, place: PuzzlePlace) -> CallForm:
    """Return the form to type a move."""
    title = msg("learn.form", game=msg(f"{place.game.key}.title"))
    return typed_form(Call("puzzle_typed", NO_MATCH, 0, place.arg), title, reader)


def best_move(place: PuzzlePlace) -> Msg:
    """Return the best move of a puzzle as a message that quotes it."""
    game, step = place.game, place.step
    view = game.view(position_of(game, step), step.seat)
    best = game.format(view, game.decode(place.puzzle.best))
    return msg("puzzle.best", move=f"`{as_code(best, 60)}`")


def _head(place: PuzzlePlace, reader: Reader) -> str:
    stars = STARS * place.level
    title, kind = msg(f"{place.game.key}.title"), msg(f"{place.game.key}.puzzle.{place.puzzle.kind}")
    return reader.say(msg("puzzle.head", game=title, kind=kind, level=stars))


def _task(place: PuzzlePlace, texts: str) -> Msg:
    """Return what is asked: for the best move of all, or for the best one for a task."""
    choice = _choice(place)
    if choice is None:
        return msg(f"{texts}.task", who=_you(place))
    return msg(f"{texts}.part", who=_you(place), task=choice.task)


def _choice(place: PuzzlePlace) -> PuzzleChoice | None:
    view = place.game.view(position_of(place.game, place.step), place.step.seat)
    return place.game.puzzle_choice(view, place.step.seat)


def _because(place: PuzzlePlace, choice: PuzzleChoice | None) -> list[Msg]:
    """Return why the best move is better than its rival; of a task, the chances of both."""
    game, puzzle = place.game, place.puzzle
    if choice is None:
        return [each.sentence for each in why(game, puzzle)]
    best, rival = game.decode(puzzle.best), game.decode(puzzle.rival)
    view = game.view(position_of(game, place.step), place.step.seat)
    n, m = (_percent(choice.chance(each)) for each in (best, rival))
    return [msg("puzzle.chances", n=n, move=f"`{as_code(game.format(view, rival), 60)}`", m=m)]


def wrong_lines(reader: Reader, place: PuzzlePlace, found: Answer) -> tuple[str, ...]:
    """Return the comment on an answer that isn't right; of a task, its chance instead of other reasons."""
    choice = _choice(place)
    if choice is None or not isinstance(found, Wrong):
        return answer_lines(reader, place, found, "puzzle.wrong")
    game, seat = place.game, place.step.seat
    lines = answer_lines(reader, place, replace(found, reasons=()), "puzzle.wrong")
    read = game.parse(game.view(position_of(game, place.step), seat), seat, found.move)
    if not isinstance(read, Done) or read.action not in choice.moves:
        return lines  # with other numbers it has another chance
    n, m = (_percent(choice.chance(each)) for each in (game.decode(place.puzzle.best), read.action))
    return (*lines, f"> {task_text(place, reader, msg('puzzle.less', n=n, m=m))}")


def _percent(chance: float) -> int:
    """Return a chance as a whole percentage; only certainties are 0 or 100."""
    return max(1, min(99, round(100 * chance))) if 0.0 < chance < 1.0 else round(100 * chance)


def puzzle_moves(place: PuzzlePlace) -> tuple[str, ...]:
    """Return moves for the menu of a puzzle, a right one among them."""
    choice = _choice(place)
    return offered_moves(place, None if choice is None else choice.moves)


def _you(place: PuzzlePlace) -> Msg:
    return place.game.look(place.game.setup(place.step.seats), place.step.seat).name
