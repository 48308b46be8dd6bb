"""The front page: what there is to play, and the panels behind its first buttons.

What is chosen in a panel is carried by its buttons and menus, so that a panel works after a restart too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH, STYLE, settings_button
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.lobby import lobby_link
from bot.messages.outgoing import File, Outgoing
from bot.messages.presenter import Presenter
from bot.messages.quoting import escaped_name
from bot.messages.seats import game_title
from bot.messages.watching import Shown, live_line
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.game import AnyGame
from games.engine.message import msg
from games.engine.scene import Scene
from matches.store.rows import MatchRow

PANEL: Final = "panel"
"""The argument of the calls of a front page that stands in a channel, which tells it from others."""
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
    return Outgoing("\n".join(filter(None, (text, note))), (("games.png", picture, alt),), items)


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


async def solo_panel(
    presenter: Presenter, reader: Reader, choice: SoloChoice, listed: list[discord.SelectOption]
) -> Outgoing:
    """Return the panel that starts a match against computers: game, `listed` levels, and one button."""
    say, game = reader.say, registry.get(choice.game)
    items = (
        _game_menu("solo_game", choice.arg, choice.game, reader),
        CallMenu.make(Call("solo_level", NO_MATCH, 0, choice.arg), listed, say(msg("bot.lobby.pick_level"))),
        press("solo_start", "front.button.start", reader, STYLE.success, choice.arg),
    )
    return Outgoing(_game_text(game, reader), await _picture(presenter, game, reader), items)


async def play_panel(presenter: Presenter, reader: Reader, key: str) -> Outgoing:
    """Return the panel that opens a lobby: the game, and one button."""
    game = registry.get(key)
    items = (
        _game_menu("play_game", key, key, reader),
        press("play_open", "front.button.open", reader, STYLE.success, key),
    )
    text = f"{_game_text(game, reader)}\n{reader.say(msg('front.lobby'))}"
    return Outgoing(text, await _picture(presenter, game, reader), items)


def more_panel(reader: Reader) -> Outgoing:
    """Return what else there is: the rules of each game, help, one's settings, finished matches."""
    say = reader.say
    rules = [
        discord.SelectOption(label=say(msg(f"{game.key}.title"))[:100], value=game.key)
        for game in registry.all_games()
    ]
    items = (
        CallMenu.make(Call("front_rules", NO_MATCH, 0), rules, say(msg("front.rules"))),
        press("help", "bot.button.help", reader),
        settings_button(reader),
        press("front_finished", "front.button.finished", reader),
    )
    return Outgoing(say(msg("front.more")), (), items)


def press(
    verb: str, label: str, reader: Reader, style: discord.ButtonStyle = STYLE.secondary, arg: str = ""
) -> CallButton:
    """Return a button that is about no match; `label` is the key of its text."""
    return CallButton.make(Call(verb, NO_MATCH, 0, arg), reader.say(msg(label)), style)


def _game_menu(verb: str, arg: str, chosen: str, reader: Reader) -> CallMenu:
    """Return the menu of the games, each with a few words on it."""
    say = reader.say
    listed = [
        discord.SelectOption(
            label=say(msg(f"{game.key}.title"))[:100],
            description=say(msg(f"{game.key}.pitch"))[:100],
            value=game.key,
            default=game.key == chosen,
        )
        for game in registry.all_games()
    ]
    return CallMenu.make(Call(verb, NO_MATCH, 0, arg), listed, say(msg("front.game")))


def _game_text(game: AnyGame, reader: Reader) -> str:
    return f"**{reader.say(msg(f'{game.key}.title'))}**\n{reader.say(msg(f'{game.key}.tagline'))}"


async def _picture(presenter: Presenter, game: AnyGame, reader: Reader) -> tuple[File, ...]:
    """Return the board of a game at its start; nothing for those who read boards as text."""
    if reader.text:
        return ()
    return (await presenter.pictures.file(_start(game), reader, f"{game.key}.png"),)


def _start(game: AnyGame) -> Scene:
    """Return the first board of the smallest match."""
    return game.scene(game.view(game.start(game.setup(game.seats[0])).state, None), None)
