"""The front page: what there is to play, and the panels behind its first buttons.

What is chosen in a panel is carried by its buttons and menus, so that a panel works after a restart too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH, STYLE, settings_button
from bot.messages.components import Call, CallButton, CallMenu, Section
from bot.messages.lobby import lobby_link
from bot.messages.names import escaped_name, game_title, level_choices
from bot.messages.outgoing import Outgoing, panel
from bot.messages.presenter import Presenter
from bot.messages.watching import Shown, live_line
from bot.platform.discord_limits import MAX_CHOICE
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import AnyGame
from games.engine.message import msg
from games.engine.scene import Scene
from matches.store.rows import MatchRow

PANEL: Final = "panel"
"""The argument of the calls of a front page that stands in a channel, which distinguishes it from others."""
_LISTED: Final = 5
"""Maximum number of lobbies, and of live matches, that it lists."""


@dataclass(frozen=True, slots=True)
class SoloChoice:
    """A game, and the level of its computer players."""

    game: str
    level: str

    @property
    def arg(self) -> str:
        """The choice as the argument of a call."""
        return f"{self.game}.{self.level}"


async def front_panel(presenter: Presenter, reader: Reader, note: str = "", arg: str = "") -> Outgoing:
    """Return the front page: the games in a picture, and what to press first; `note` stands below its text.

    `arg` is the argument of the call of its first button.
    """
    say = reader.say
    games = [(_start(game), say(msg(f"{game.key}.title"))) for game in registry.all_games()]
    titles = tuple(title for _, title in games)
    picture = await presenter.pictures.board_sheet(games, reader)
    alt = say(msg("front.alt", games=titles))
    text = say(msg("front.text", n=len(titles)))
    items = (
        press("front_play", "front.button.play", reader, STYLE.primary, arg),
        press("front_solo", "front.button.solo", reader, STYLE.primary),
        press("learn", "front.button.learn", reader),
        press("mine", "bot.button.mine", reader),
        press("front_more", "front.button.more", reader),
    )
    return panel("\n".join(filter(None, (text, note))), reader, (("games.png", picture, alt),), items)


async def standing_panel(
    presenter: Presenter, reader: Reader, lobbies: Sequence[MatchRow], live: Sequence[Shown]
) -> Outgoing:
    """Return the front page as it stands in a channel: with open lobbies and live matches."""
    say, lines = reader.say, []
    parts = (
        ("front.panel.lobbies", [lobby_line(each, reader) for each in lobbies]),
        ("bot.showcase.head", [live_line(each, reader) for each in live]),
    )
    for head, listed in parts:
        if listed:
            lines += [say(msg(head, n=len(listed))), *listed[:_LISTED]]
        if len(listed) > _LISTED:
            lines.append(say(msg("bot.showcase.more", n=len(listed) - _LISTED)))
    return replace(await front_panel(presenter, reader, "\n".join(lines), PANEL), silent=True)


def lobby_line(row: MatchRow, reader: Reader) -> str:
    """Return an open lobby as a line of a list, with a link to its message."""
    names = tuple(escaped_name(seat.name) for seat in row.seats if seat.occupant == "person")
    free = sum(seat.occupant == "open" for seat in row.seats)
    return reader.say(
        msg("front.panel.lobby", n=free, game=game_title(row, reader), names=names, link=lobby_link(row))
    )


def solo_panel(
    reader: Reader, choices: Sequence[SoloChoice], first: SoloChoice, levels: Sequence[str]
) -> Outgoing:
    """Return the panel that starts a match against computers: a button for each game, and a menu of `levels`.

    `choices` has each game with its level; that of `first` stands out, and the menu shows its level. A game
    with another level shows that.
    """
    say = reader.say
    choice_of = {choice.game: choice for choice in choices}

    def other_level(key: str) -> str:
        level = choice_of[key].level
        return "" if level == first.level else f" ({say(msg(f'ai.player.{level}', n=1))})"

    sections = _games("solo_start", first.game, reader, lambda key: choice_of[key].arg, other_level)
    listed = level_choices(levels, reader, first.level)
    level = CallMenu.make(
        Call("solo_level", NO_MATCH, 0, first.arg), listed, say(msg("bot.lobby.pick_level"))
    )
    return panel(say(msg("front.solo")), reader, (), (level,), sections)


def play_panel(reader: Reader, key: str) -> Outgoing:
    """Return the panel that opens a lobby: a button for each game."""
    return panel(reader.say(msg("front.lobby")), reader, (), (), _games("play_open", key, reader, str))


def more_panel(reader: Reader) -> Outgoing:
    """Return what else there is: the rules of each game, help, one's settings, finished matches."""
    say = reader.say
    rules = [
        discord.SelectOption(label=say(msg(f"{game.key}.title"))[:MAX_CHOICE], value=game.key)
        for game in registry.all_games()
    ]
    items = (
        CallMenu.make(Call("front_rules", NO_MATCH, 0), rules, say(msg("front.rules"))),
        press("help", "bot.button.help", reader),
        settings_button(reader),
        press("front_finished", "front.button.finished", reader),
    )
    return panel(say(msg("front.more")), reader, (), items)


def press(
    verb: str, label: str, reader: Reader, style: discord.ButtonStyle = STYLE.secondary, arg: str = ""
) -> CallButton:
    """Return a button that is about no match; `label` is the key of its text."""
    return CallButton.make(Call(verb, NO_MATCH, 0, arg), reader.say(msg(label)), style)


def _games(
    verb: str,
    first: str,
    reader: Reader,
    arg: Callable[[str], str],
    more: Callable[[str], str] = lambda key: "",
) -> tuple[Section, ...]:
    """Return a section for each game: a few words, `more`, and its button; that of `first` stands out."""
    say, found = reader.say, []
    for game in registry.all_games():
        style = STYLE.success if game.key == first else STYLE.secondary
        button = CallButton.make(Call(verb, NO_MATCH, 0, arg(game.key)), say(msg(f"{game.key}.title")), style)
        pitch = say(msg(f"{game.key}.pitch"))
        found.append(Section(pitch[:1].upper() + pitch[1:] + more(game.key), button))
    return tuple(found)


def _start(game: AnyGame) -> Scene:
    """Return the first board of the smallest match."""
    return game.scene(game.view(game.start(game.setup(game.seats[0])).state, None), None)
