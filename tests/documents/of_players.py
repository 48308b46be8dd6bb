"""What players choose from: clocks, pings, options of games, levels of computers."""

from __future__ import annotations

from typing import Any, cast

from bot.actions.people.ping_settings import EXTRAS, REMINDERS, STYLES, WHERES
from bot.actions.people.settings_panel import QUIET_EXAMPLE
from bot.platform.reader_settings import Reader
from cli.strengths import interval
from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.game import AnyGame, Option, Oracle
from games.engine.levels import LEVELS, MANNERS
from games.engine.message import msg
from games.engine.strengths import Strength, strengths
from locales import Catalogue
from matches.clocks.control import PRESETS
from matches.clocks.words import preset_words, time_up_words
from matches.pings.settings import PingSettings
from tests.documents.pages import table

_SAY = Reader(Catalogue(strict=True)).say


def clocks() -> str:
    """The clocks that a lobby offers by name, and what follows when time is up."""
    rows = [
        (_SAY(preset_words(name)), "" if clock is None else _SAY(time_up_words(clock)))
        for name, clock in PRESETS.items()
    ]
    return table(("clock", "when time is up"), rows)


def pings() -> str:
    """The settings of pings; what someone has who has set nothing is in bold."""
    usual = PingSettings()
    usually: set[str] = {usual.style, usual.where}
    usually |= {key for key, value in REMINDERS.items() if value == (usual.reminders, usual.interval)}
    usually |= {key for key, value in EXTRAS.items() if value == (usual.next_up, usual.alone)}
    rows = []
    for name, choices in (("style", STYLES), ("where", WHERES), ("reminders", REMINDERS), ("extras", EXTRAS)):
        words = [_SAY(msg(f"bot.pings.choice.{each}")) for each in choices]
        marked = (
            f"**{word}**" if each in usually else word for each, word in zip(choices, words, strict=True)
        )
        rows.append((_SAY(msg(f"bot.pings.{name}")), " · ".join(marked)))
    times = ", ".join(at.isoformat("minutes") for at in usual.digests)
    for name, held in (
        ("quiet", _SAY(msg("bot.pings.no_quiet"))),
        ("digests", times),
        ("zone", usual.zone.key),
    ):
        about = _SAY(msg(f"bot.pings.about.{name}"))
        example = f" · {QUIET_EXAMPLE}" if name == "quiet" else ""
        rows.append((_SAY(msg(f"bot.pings.form.{name}")), f"**{held}**{example}. {about}"))
    return table(("setting", "choices"), rows)


def _choices(game: AnyGame, option: Option) -> str:
    words = []
    for choice in option.choices:
        word = _SAY(game.choice(option.key, choice))
        words.append(f"**{word}**" if choice == option.default else word)
    seats = f" ({', '.join(map(str, option.seats))} players)" if option.seats else ""
    return " · ".join(words) + seats


def options_of_games() -> str:
    """The options of each game's lobby; what it has unless another one is chosen is in bold."""
    rows = [
        (_SAY(msg(f"{key}.title")), _SAY(msg(f"{key}.option.{option.key}")), _choices(game, option))
        for key in registry.KEYS
        for game in (registry.get(key),)
        for option in game.options
    ]
    return table(("game", "option", "choices"), rows)


def levels() -> str:
    """The levels of computers that each game offers, with its table of exact values if it has one."""
    solved = {
        key: cast("Oracle", cast("Any", None)) for key in registry.KEYS if registry.get(key).judgements()
    }
    found = Levels(solved)
    rows = []
    for key in registry.KEYS:
        words = (f"`{name}`" for name in found.names(key))
        rows.append((_SAY(msg(f"{key}.title")), ", ".join(words)))
    return table(("game", "levels, weakest first"), rows)


def strengths_of_levels() -> str:
    """The strength of each measured level, with its interval, by game and family."""
    rows = []
    for key in registry.KEYS:
        for family, players in strengths(key).items():
            cells = []
            for names in (*((level,) for level in LEVELS[:-1]), (LEVELS[-1], "perfect")):
                found = next((players[name] for name in names if name in players), None)
                cells.append("–" if found is None else _with_interval(found))
            rows.append((_SAY(msg(f"{key}.title")), f"`{family}`", *cells))
    return table(("game", "family", *LEVELS[:-1], "expert, perfect"), rows)


def _with_interval(one: Strength) -> str:
    low, high = interval(one)
    return f"{one.points:.0f}" if low == high else f"{one.points:.0f} ({low} to {high})"


def manners() -> str:
    """When the computers of each level resign, and when they offer a draw."""
    rows = []
    for names in (*((level,) for level in LEVELS[:-1]), (LEVELS[-1], "perfect")):
        found = {MANNERS.get(name) for name in names}
        assert len(found) == 1, "levels of one row behave alike"
        (one,) = found
        resigns = one is not None and one.resigns_below
        rows.append(
            (
                ", ".join(names),
                f"after {one.resigns_after} hopeless turns in a row" if one and resigns else "never",
                f"after {one.offers_after} even turns without progress" if one else "never",
            )
        )
    return table(("level", "resigns", "offers a draw"), rows)
