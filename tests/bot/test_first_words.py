"""What a command answers in private at first fits a phone's screen: every command, in every game.

What doesn't fit is one press further. A board in text and a list that was asked for by its name are no
first words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from random import Random
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.actors import MemberActor

from bot.outbound.overviews import MAX_FIRST, visible_length
from games.engine import registry
from tests.bot.acts import last_board
from tests.bot.stage import Stage, legal, shown, words_of
from tests.bot.test_match_access import COMMANDS
from tests.bot.test_moderation import give
from tests.bot.test_places import manager
from tests.soak import sampled

pytestmark = pytest.mark.slow

MOVES = 10
"""How many moves are played in the match that is asked about."""
OF_A_GAME = ("learn rules", "learn lesson", "learn puzzle", "ranking top", "matches finished", "play")
"""Commands that are asked with the name of a game."""
OF_WATCHERS = ("ask board", "ask odds", "ask hand", "ask hint", "match undo", "move", "replay steps")
"""Commands that someone who watches asks too."""
PLAIN: dict[str, dict[str, Any]] = {
    "games": {},
    "help": {},
    "learn maps": {},
    "matches mine": {},
    "matches archive": {},
    "ranking profile": {},
    "replay position": {"text": "nothing"},
    "server log": {},
    "server operator": {"do": "status"},
    "server panel": {},
    "server remove-map": {"map": "none"},
    "server settings": {},
    "settings blocks": {},
    "settings me": {},
    "settings privacy": {},
    "settings vacation automatic": {"switch": "on"},
    "settings vacation end": {},
    "settings vacation show": {},
    "settings vacation take": {"days": 3},
    "tournament create": {"title": "Cup", "game": "focus", "format": "swiss"},
    "tournament join": {},
    "tournament standings": {},
    "tournament log": {},
    "tournament computer": {"level": "easy"},
    "tournament start": {},
    "tournament result": {"pairing": 1, "won": "first"},
    "tournament time": {"pairing": 1, "more": 24},
    "tournament replace": {"entrant": 1},
    "tournament agreement": {"entrant": 1},
    "tournament remove": {"entrant": 1},
    "tournament deadline": {"hours": 3},
    "tournament state": {"to": "paused"},
    "tournament leave": {},
    "moderate match": {},
    "moderate player": {},
}
"""The other commands, with the options that they need."""
WITH_FILES = {"matches import", "server add-map"}
"""Commands that take a file: test_record_import and test_maps read their answers."""
TEXT_BOARD = "```"
_SHOWN_AS = (
    (re.compile(r"<[#@][!&]?[0-9]+>"), "#channel"),
    (re.compile(r"<t:[0-9]+:[a-zA-Z]>"), "in 23 hours"),
)
"""What Discord shows instead of ids and times."""


async def test_all_commands_are_asked(stage: Stage) -> None:
    listed = [one for one in stage.bot.tree.walk_commands() if isinstance(one, app_commands.Command)]
    known = {*COMMANDS, *OF_A_GAME, *PLAIN, *WITH_FILES}
    assert {one.qualified_name for one in listed} == known


def first_words(result: Any) -> list[str]:
    """Return what is said in private, without boards in text."""
    answers = [each for each in (result.response, *result.followups) if each is not None]
    found = [each.message for each in answers if isinstance(each.message, discord.Message)]
    texts = [words_of(each) for each in found if each.flags.ephemeral]
    return [text.split(TEXT_BOARD)[-1] for text in texts]


def visible(text: str) -> int:
    """Return the number of characters that are seen of a text."""
    for pattern, shown_as in _SHOWN_AS:
        text = pattern.sub(shown_as, text)
    return visible_length(text)


def too_long(asked: str, texts: Iterable[str]) -> list[str]:
    """Return the texts that are no first words, each after what was asked."""
    return [f"{asked}: {visible(text)}: {text}" for text in texts if visible(text) > MAX_FIRST]


async def asked(stage: Stage, who: MemberActor, where: Any, command: str, /, **options: Any) -> list[str]:
    """Ask with a command, and return what is too long in the answer."""
    result = await who.slash(where, command, **options)
    return too_long(f"/{command} {options}", first_words(result))


async def played(stage: Stage, game: str, moves: int = MOVES) -> tuple[str, Any]:
    """Start a match of Ann and Ben in which some moves have been made; its id and thread."""
    match, thread = await stage.open(stage.ann, stage.ben, game=game)
    random, service = Random(7), stage.bot.context.service
    for nth in range(moves):
        now = await stage.match(match)
        if now.ending is not None:
            break
        for seat in sorted(now.to_act):
            user = (await stage.row(match)).seats[seat].user
            view = now.game.view(now.state, seat)
            texts = [now.game.format(view, each) for each in islice(now.game.actions(view, seat), 50)]
            await service.play.submit(match, user or 0, random.choice(texts), request=f"{match} {nth} {seat}")
    await stage.deliver(match)
    return match, thread


@pytest.mark.parametrize("game", sampled(registry.KEYS, ["dominion", "domination"]))
async def test_whatever_is_asked_about_a_match_fits_a_screen(stage: Stage, game: str) -> None:
    for person in stage.people.values():  # names as long as Discord takes them
        stage.env.backend.guilds[stage.guild.id].members[person.id].nick = f"{person.name} {'n' * 27}"
    match, thread = await played(stage, game)
    long: list[str] = []
    board = await last_board(stage, match)
    for who in (await stage.mover(match), await stage.waiting(match), stage.cleo):
        more = await who.click(board, label="More")
        long += too_long("More", first_words(more))
        long += too_long("Moves", first_words(await who.click(board, label="Moves")))
    for command, options in COMMANDS.items():
        if command in ("match resign", "match seat give"):
            continue
        long += await asked(stage, await stage.mover(match), thread, command, match=match, **options)
        if command in OF_WATCHERS:
            long += await asked(stage, stage.cleo, thread, command, match=match, **options)
    give(stage, stage.eve, manage_messages=True)
    long += await asked(stage, stage.eve, thread, "moderate match")
    for command in OF_A_GAME:
        long += await asked(stage, stage.ann, stage.channel, command, game=game)
    sure = await stage.ann.slash(thread, "match resign", match=match)
    long += too_long("resign", first_words(sure))
    if "Yes, I resign" in str(shown(sure).components):
        await stage.ann.click(shown(sure), label="Yes, I resign")
    for command in ("ask board", "replay steps", "replay story", "replay dice", "replay verify", "help"):
        options = {} if command == "help" else {"match": match}
        long += await asked(stage, stage.cleo, thread, command, **options)
    assert long == []


async def test_whatever_is_asked_elsewhere_fits_a_screen(stage: Stage) -> None:
    manager(stage)
    give(stage, stage.ann, manage_messages=True)
    long: list[str] = []
    for game in registry.KEYS:
        await stage.open(stage.ann, stage.ben, game=game)
    for command, options in PLAIN.items():
        more: dict[str, Any] = dict(options)
        if command in ("moderate player", "tournament replace"):
            more["user" if command == "moderate player" else "who"] = stage.cleo
        long += await asked(stage, stage.ann, stage.channel, command, **more)
    long += await asked(stage, stage.ann, stage.channel, "settings privacy", do="erase")
    assert long == []


@pytest.mark.parametrize("game", ["focus", "dominance", "two_domains"])
async def test_a_board_is_two_lines(stage: Stage, game: str) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game=game)
    who, small = (await last_board(stage, match)).content.splitlines()
    assert "to move." in who
    assert small.startswith(f"-# `{match}` · ")
    mover = await stage.mover(match)
    await mover.slash(thread, "move", move=legal(await stage.match(match))[0])
    happened, then = (await last_board(stage, match)).content.splitlines()
    assert f"({mover.name}): " in happened
    assert then.endswith(f" · move 1 · `{match}`")
