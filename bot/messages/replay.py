"""The message of a replay: a position of a match, what led to it, and buttons to step on.

What is shown follows from the message's own buttons: entry, side, theme, and whether it steps by turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

import render
from bot.messages.components import Call, CallButton, CallForm, CallMenu, Component, FormField
from bot.messages.facts import facts_for, full_text
from bot.messages.match import status_line, what_happened
from bot.messages.names import game_title, seat_names
from bot.messages.outgoing import Outgoing
from bot.messages.picture_cache import Pictures
from bot.messages.scenes import scene_for, sides_of_board, turned, with_text_board
from bot.platform.discord_limits import MAX_CHOICE, MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.game import Seat
from games.engine.message import Msg, Value, Who, msg
from matches.lookback.key_moments import KeyMoment
from matches.lookback.playback import Timeline
from matches.lookback.since import Moment
from matches.lookback.steps import ReplayStep, step_at
from matches.store.rows import MatchRow

NO_BOARD: Final = -2
"""The entry in the calls of replays: no board has it, so that a replay is never taken for a board."""
_MAX_DICE: Final = 500
"""Maximum length of the rolls, in characters."""
_SEPARATOR: Final = "."


@dataclass(frozen=True, slots=True)
class ReplayView:
    """What a replay shows: the position after the step of `entry`, from a side, in a theme.

    `side` is "" for the reader's own, "-" for the public one, or a seat; `theme` is "" for the reader's own.
    `finer` steps by single decisions. `owner` is who may step through a public replay, 0 for a private one.
    """

    entry: int = 0
    side: str = ""
    theme: str = ""
    finer: bool = False
    owner: int = 0

    @property
    def text(self) -> str:
        """The view for the id of a component."""
        owner = str(self.owner) if self.owner else ""
        return _SEPARATOR.join((str(self.entry), self.side, self.theme, "f" if self.finer else "", owner))

    def step_in(self, line: Timeline) -> tuple[Sequence[ReplayStep], int]:
        """Return the steps to go by, and the index of the one that is shown."""
        steps = line.steps if self.finer else line.turns
        return steps, step_at(steps, self.entry)


def read_view(arg: str) -> tuple[str, ReplayView]:
    """Return the key and the view in the argument of a call; the start for what no button of ours has."""
    key, *parts = arg.split(_SEPARATOR)
    if len(parts) != 5:
        return key, ReplayView()
    entry, side, theme, finer, owner = parts
    return key, ReplayView(
        int(entry[:9]) if entry.isdecimal() else 0,
        side[:2],
        theme if theme in render.THEMES else "",
        finer == "f",
        int(owner[:20]) if owner.isdecimal() else 0,
    )


def replay_call(verb: str, row: MatchRow, view: ReplayView, key: str = "") -> Call:
    """Return the call of a component of a replay; `key` distinguishes those of one verb."""
    return Call(verb, row.id, NO_BOARD, f"{key}{_SEPARATOR}{view.text}")


async def replay_message(
    row: MatchRow,
    line: Timeline,
    moment: Moment,
    moments: Sequence[KeyMoment],
    view: ReplayView,
    reader: Reader,
    pictures: Pictures,
    *,
    showable: bool,
    why: Msg | None = None,
) -> Outgoing:
    """Return the message of a position; `showable` adds the button that shows it to everyone.

    `why` is why the mistake that it shows was one.
    """
    if view.theme:
        reader = replace(reader, theme=view.theme)
    scene = scene_for(moment.match, reader.seat, moment.facts)
    sides = sides_of_board(moment.match)
    if view.side:
        seat = int(view.side) if view.side.isdecimal() else None
        seat = None if seat is None or seat >= moment.match.setup.seats else seat
        scene = turned(scene, moment.match, None if seat is None else Seat(seat))
    text = replay_text(row, line, moment, view, reader, why)
    items = _items(row, line, moments, view, reader, sides, showable=showable)
    if reader.text:
        content, files = with_text_board(scene, reader, text)
        return Outgoing(content, files, items)
    name = f"{row.id}-replay-{moment.match.seq}.png"
    return Outgoing(text, (await pictures.file(scene, reader, name),), items)


def replay_text(
    row: MatchRow,
    line: Timeline,
    moment: Moment,
    view: ReplayView,
    reader: Reader,
    why: Msg | None = None,
) -> str:
    """Return where a position is in its match, what led to it with its dice, and who is next."""
    steps, at = view.step_in(line)
    names = seat_names(row, reader)
    lines = [reader.say(_where(line, steps, at)), what_happened(row, moment.match, moment.facts, reader)]
    rolls = [fact for fact in facts_for(moment.facts, reader.seat) if fact.detail]
    if rolls:
        dice = full_text(rolls, lambda each: reader.say(each, names), _MAX_DICE)
        lines += [f"-# {roll}" for roll in dice.splitlines()]
    if why is not None:
        lines.append(reader.say(why, names))
    lines.append(status_line(row, moment.match, reader))
    parts = [f"`{row.id}`", game_title(row, reader)]
    if line.match.ending is None:
        key = "unfinished" if row.provenance.source == "import" else "live"
        parts.append(reader.say(msg(f"bot.replay.{key}")))
    if view.owner:
        parts.append(reader.say(msg("bot.replay.whose", who=f"<@{view.owner}>")))
    lines.append("-# " + " · ".join(parts))
    return "\n".join(filter(None, lines))[:MAX_CONTENT]


def _where(line: Timeline, steps: Sequence[ReplayStep], at: int) -> Msg:
    number, most = steps[at].plays, most_moves(line)
    if at == 0:
        return msg("bot.replay.start", n=most)
    moves = line.match.game.actions_are_moves
    if steps is line.turns and len(line.turns) != len(line.steps):
        key = "bot.replay.turn_move" if moves else "bot.replay.turn"
        return msg(key, turn=at, turns=len(steps) - 1, at=number, n=most)
    return msg("bot.replay.move" if moves else "bot.replay.order", at=number, n=most)


def most_moves(line: Timeline) -> int:
    """Return the highest number that a move of the match has had."""
    return max(step.plays for step in line.steps)


# --- buttons, menu and forms ----------------------------------------------------------------------------


def _items(
    row: MatchRow,
    line: Timeline,
    moments: Sequence[KeyMoment],
    view: ReplayView,
    reader: Reader,
    sides: Sequence[Seat | None],
    *,
    showable: bool,
) -> tuple[Component, ...]:
    steps, at = view.step_in(line)
    last = len(steps) - 1

    def button(key: str, to: ReplayView, at_row: int, *, verb: str = "step", on: bool = True) -> CallButton:
        label = reader.say(msg(f"bot.replay.button.{key}"))
        return CallButton.make(replay_call(verb, row, to, key), label, disabled=not on, row=at_row)

    def step(key: str, to: int) -> CallButton:
        there = min(max(to, 0), last)
        return button(key, replace(view, entry=steps[there].last), 0, on=there != at)

    found: list[Component] = [
        step("first", 0),
        step("back", at - 1),
        step("forward", at + 1),
        step("last", last),
        button("jump", view, 0, verb="step_jump", on=last > 0),
    ]
    if moments:
        options = _moment_options(row, line, moments, steps[at], reader)
        hint = reader.say(msg("bot.replay.moments"))
        found.append(CallMenu.make(replay_call("step_moment", row, view), options, hint, row=1))
    if not view.owner:
        if len(sides) > 1:
            found.append(button("turn", replace(view, side=_next_side(view, reader, sides)), 2))
        found.append(button("theme", replace(view, theme=_next_theme(reader)), 2))
    if len(line.steps) != len(line.turns):
        found.append(button("coarser" if view.finer else "finer", replace(view, finer=not view.finer), 2))
    if last > 0:
        found.append(button("film", replace(view, owner=0), 2, verb="film_form"))
    if showable and not view.owner:
        found.append(button("show", view, 2, verb="step_show"))
    return tuple(found)


def _next_side(view: ReplayView, reader: Reader, sides: Sequence[Seat | None]) -> str:
    """Return the side after the one that is shown, of those that look different."""
    shown = reader.seat if not view.side else int(view.side) if view.side.isdecimal() else None
    at = sides.index(Seat(shown)) if shown is not None and Seat(shown) in sides else 0
    following = sides[(at + 1) % len(sides)]
    return "-" if following is None else str(following)


def _next_theme(reader: Reader) -> str:
    return render.THEMES[(render.THEMES.index(reader.theme) + 1) % len(render.THEMES)]


def _moment_options(
    row: MatchRow, line: Timeline, moments: Sequence[KeyMoment], shown: ReplayStep, reader: Reader
) -> list[discord.SelectOption]:
    names, options = seat_names(row, reader), []
    for moment in moments:
        number = line.steps[step_at(line.steps, moment.entry)].plays
        who = "" if moment.seat is None else Who(moment.seat)
        amount: dict[str, Value] = {"n": moment.n} if moment.kind in ("capture", "mistake") else {}
        what = msg(f"bot.replay.moment.{moment.kind}", at=number, who=who, **amount)
        label = reader.say(what, names)
        here = shown.first <= moment.entry <= shown.last
        options.append(
            discord.SelectOption(
                label=label.replace("\\", "")[:MAX_CHOICE], value=str(moment.entry), default=here
            )
        )
    return options


def jump_form(row: MatchRow, view: ReplayView, reader: Reader) -> CallForm:
    """Return the form that asks for the number of a move."""
    field = FormField(
        "at",
        reader.say(msg("bot.replay.form.move")),
        help=reader.say(msg("bot.replay.form.help")),
    )
    title = reader.say(msg("bot.replay.form.title"))
    return CallForm(replay_call("step_number", row, view), title, field, longest=10)


def film_form(row: MatchRow, view: ReplayView, reader: Reader) -> CallForm:
    """Return the form that asks which part of a match is to be animated."""
    field = FormField(
        "part",
        reader.say(msg("bot.replay.form.stretch")),
        reader.say(msg("bot.replay.form.example")),
        required=False,
    )
    return CallForm(
        replay_call("film", row, view), reader.say(msg("bot.replay.form.film")), field, longest=40
    )
