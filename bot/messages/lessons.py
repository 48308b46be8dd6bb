"""The messages of lessons: the overview, a step with its board, and the comment on an answer.

A step's buttons and menu carry its game and number, so that a lesson goes on after a restart.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Final, Protocol

import discord

from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallButton, CallForm, CallMenu
from bot.messages.front_panel import press
from bot.messages.names import as_code
from bot.messages.outgoing import Outgoing
from bot.messages.presenter import Presenter
from bot.messages.scenes import with_text_board
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import AnyGame, Seat
from games.engine.lessons import Answer, Right, Wrong, damage_of, position_of, solutions
from games.engine.message import Msg, msg
from games.engine.scene import Scene
from games.engine.teaching import LessonStep
from matches.store.lessons import LessonProgress

log = logging.getLogger(__name__)

LONGEST_MOVE: Final = 100
"""Maximum length of a typed answer, in characters."""


class Task(Protocol):
    """What is asked of a learner: a step of a game."""

    @property
    def game(self) -> AnyGame:
        """The game."""

    @property
    def step(self) -> LessonStep:
        """Its position, and what answers it."""


@dataclass(frozen=True, slots=True)
class LessonPlace:
    """A step of a game's lessons; `at` is its number, from 0."""

    game: AnyGame
    at: int

    @property
    def step(self) -> LessonStep:
        """The step."""
        return self.game.lessons[self.at]

    @property
    def last(self) -> bool:
        """Whether it is the last one."""
        return self.at + 1 == len(self.game.lessons)

    def arg(self, at: int | None = None) -> str:
        """Return the place, or another step of the game, as the argument of a call."""
        return f"{self.game.key}.{self.at if at is None else at}"


@cache
def whole_lessons(game: AnyGame) -> bool:
    """Return whether all lessons of a game can be taught; what is damaged is logged."""
    damage = [f"{step.key}: {why}" for step in game.lessons if (why := damage_of(game, step))]
    if damage:
        log.warning("the lessons of %s are left out: %s", game.key, "; ".join(damage))
    return not damage


def taught_games() -> tuple[AnyGame, ...]:
    """Return the games with lessons that aren't damaged."""
    return tuple(game for game in registry.all_games() if game.lessons and whole_lessons(game))


def solved_steps(game: AnyGame, progress: LessonProgress | None) -> int:
    """Return how many steps of a game are done; a step that no longer exists counts by its number."""
    if progress is None:
        return 0
    keys = [step.key for step in game.lessons]
    nth = keys.index(progress.step) if progress.step in keys else progress.nth
    return min(nth + 1, len(keys))


def overview(reader: Reader, done: Mapping[str, LessonProgress]) -> Outgoing:
    """Return the list of lessons with a person's progress, and a menu to go on."""
    lines, options = [reader.say(msg("learn.overview"))], list[discord.SelectOption]()
    for game in taught_games():
        title, n, of = (
            reader.say(msg(f"{game.key}.title")),
            solved_steps(game, done.get(game.key)),
            len(game.lessons),
        )
        begun = msg("learn.finished", n=of) if n == of else msg("learn.some", done=n, n=of)
        far = reader.say(begun if n else msg("learn.fresh", n=of))
        lines.append(f"- **{title}**: {far}")
        options.append(
            discord.SelectOption(label=title[:MAX_CHOICE], description=far[:MAX_CHOICE], value=game.key)
        )
    menu = CallMenu.make(Call("learn_game", NO_MATCH, 0), options, reader.say(msg("learn.pick")))
    return Outgoing("\n".join(lines), (), (menu, press("puzzle", "learn.button.puzzles", reader)))


async def step_panel(
    presenter: Presenter, reader: Reader, place: LessonPlace, moves: Sequence[str], note: Sequence[str] = ()
) -> Outgoing:
    """Return a step: `note` on the last answer, task, board, and the moves to choose from."""
    game, step = place.game, place.step
    text = [_head(place, reader), *note, reader.say(msg(f"{game.key}.lesson.{step.key}"))]
    items: list[Any] = [
        move_menu(Call("learn_move", NO_MATCH, 0, place.arg()), moves, reader),
        press("learn_type", "learn.button.type", reader, STYLE.primary, place.arg()),
    ]
    if place.at:
        items.append(_turn(place.arg(place.at - 1), "learn.button.back", reader))
    if not place.last:
        items.append(_turn(place.arg(place.at + 1), "learn.button.skip", reader))
    items.append(press("learn", "learn.button.all", reader))
    return await with_board(presenter, reader, task_scene(place), "\n".join(text), tuple(items))


async def right_panel(presenter: Presenter, reader: Reader, place: LessonPlace, right: Right) -> Outgoing:
    """Return what a right answer shows, with the board after it, and the way on."""
    game, step = place.game, place.step
    text = [
        _head(place, reader),
        reader.say(msg("learn.right", said=msg(f"{game.key}.lesson.{step.key}.right"))),
    ]
    if place.last:
        title = msg(f"{game.key}.title")
        text.append(reader.say(msg("learn.end", game=title)))
        items = [press("front_solo", "front.button.solo", reader, STYLE.primary)]
    else:
        items = [_turn(place.arg(place.at + 1), "learn.button.next", reader, STYLE.primary)]
    items += [_turn(place.arg(), "learn.button.again", reader), press("learn", "learn.button.all", reader)]
    return await with_board(presenter, reader, answered_scene(place, right), "\n".join(text), tuple(items))


def move_form(reader: Reader, place: LessonPlace) -> CallForm:
    """Return the form to type a move."""
    title = msg("learn.form", game=msg(f"{place.game.key}.title"))
    return typed_form(Call("learn_typed", NO_MATCH, 0, place.arg()), title, reader)


def answer_lines(reader: Reader, place: Task, answer: Answer, wrong: str = "learn.wrong") -> tuple[str, ...]:
    """Return the comment on an answer that isn't right; `wrong` is the text of a legal move."""
    if isinstance(answer, Msg):
        return (f"> {task_text(place, reader, answer)}",)
    if not isinstance(answer, Wrong):
        raise TypeError("a right answer needs no explanation")
    found = [msg(wrong, move=f"`{as_code(answer.move, 60)}`")]
    found += [
        msg("learn.better", said=each.sentence) if each.good else each.sentence for each in answer.reasons
    ]
    return tuple(f"> {task_text(place, reader, each)}" for each in found)


def offered_moves(place: Task, among: Sequence[Any] | None = None) -> tuple[str, ...]:
    """Return moves for the menu of a step: all of them, or of many some, with a right one among them.

    `among` are the legal actions that are meant, if they aren't all.
    """
    game, step = place.game, place.step
    view = game.view(position_of(game, step), step.seat)
    meant = game.actions(view, step.seat) if among is None else among
    every = list(dict.fromkeys(game.format(view, each) for each in meant))
    if len(every) <= MAX_CHOICES:
        return tuple(every)
    right = {game.format(view, each) for each in solutions(game, step)}
    first = next(each for each in every if each in right)
    others = [each for each in every if each not in right]
    part = others[:: max(1, -(-len(others) // (MAX_CHOICES - 1)))][: MAX_CHOICES - 1]
    kept = {first, *part}
    return tuple(each for each in every if each in kept)


@cache
def lesson_moves(place: LessonPlace) -> tuple[str, ...]:
    """Return the moves for the menu of a step; they are found once."""
    return offered_moves(place)


def task_text(place: Task, reader: Reader, message: Msg) -> str:
    """Return a message in which seats have the names that the game gives them."""
    setup = place.game.setup(place.step.seats)
    return reader.say(message, lambda seat: reader.say(place.game.look(setup, Seat(seat)).name))


def task_scene(place: Task) -> Scene:
    """Return the scene of a step, as its seat sees it."""
    view = place.game.view(position_of(place.game, place.step), place.step.seat)
    return place.game.scene(view, place.step.seat)


def answered_scene(place: Task, right: Right) -> Scene:
    """Return the scene after a right answer, with the marks of what happened."""
    scene = place.game.scene(place.game.view(right.state, place.step.seat), place.step.seat)
    return replace(scene, marks=scene.marks + tuple(mark for fact in right.facts for mark in fact.marks))


def move_menu(call: Call, moves: Sequence[str], reader: Reader) -> CallMenu:
    """Return a menu of moves to answer with."""
    listed = [discord.SelectOption(label=move[:MAX_CHOICE], value=move[:MAX_CHOICE]) for move in moves]
    return CallMenu.make(call, listed, reader.say(msg("learn.move")))


def typed_form(call: Call, title: Msg, reader: Reader) -> CallForm:
    """Return the form to type a move as an answer."""
    asked = ("move", reader.say(msg("bot.form.move")), "")
    return CallForm(call, reader.say(title), asked, longest=LONGEST_MOVE)


def _head(place: LessonPlace, reader: Reader) -> str:
    title = msg(f"{place.game.key}.title")
    return reader.say(msg("learn.head", game=title, at=place.at + 1, n=len(place.game.lessons)))


def _turn(arg: str, label: str, reader: Reader, style: discord.ButtonStyle = STYLE.secondary) -> CallButton:
    """Return a button to a step; the label's key decides which, so that no two of a message are alike."""
    return CallButton.make(Call("learn_step", NO_MATCH, 0, arg), reader.say(msg(label)), style)


async def with_board(
    presenter: Presenter, reader: Reader, scene: Scene, text: str, items: tuple[Any, ...]
) -> Outgoing:
    """Return a text with a board: a picture, or words for those who read."""
    if reader.text:
        return Outgoing(*with_text_board(scene, reader, text), items)
    return Outgoing(text, (await presenter.pictures.file(scene, reader, "lesson.png"),), items)
