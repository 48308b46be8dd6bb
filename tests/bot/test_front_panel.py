"""The front page: from `/games` to the first move by buttons alone, counted press by press."""

from __future__ import annotations

from dataclasses import replace

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle
from simcord.results import to_discord_message

from bot.actions.watching import matches_list
from bot.messages.components import walk_components
from bot.messages.front_panel import SoloChoice, front_panel, more_panel, play_panel, solo_panel
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.dice import Dice
from games.engine.message import msg
from matches.lobby import lobby_rules
from matches.store.rows import MatchRow, SeatRow
from tests.bot.acts import last_board
from tests.bot.lobby_acts import labels, open_lobby
from tests.bot.stage import Stage, menu_with, shown, text_of, withhold, words_of
from tests.bot.test_match_panel import MAX_FIRST

pytestmark = pytest.mark.slow
FIRST = registry.all_games()[0].key
BY_LOT = "dominance"
"""A game whose seats are drawn."""


async def front(stage: Stage, channel: ChannelHandle | None = None) -> discord.Message:
    """Return the front page as Ann sees it."""
    return shown(await stage.ann.slash(channel or stage.channel, "games"))


def title(stage: Stage, game: str) -> str:
    """Return the name of a game, which is the label of its button."""
    return stage.bot.context.readers.default.say(msg(f"{game}.title"))


def offered(message: discord.Message, *, chosen: bool = False) -> list[str]:
    """Return the values in the menus of a message, or those that are chosen."""
    return [
        option.value
        for child in walk_components(message.components)
        for option in getattr(child, "options", ())
        if option.default or not chosen
    ]


async def press_a_move(who: MemberActor, panel: discord.Message) -> None:
    """Play a move that a panel offers: in a menu, or as a button."""
    if moves := offered(panel):
        await who.select(panel, moves[:1], custom_id=menu_with(panel, moves[0]))
    else:
        await who.click(panel, label=min(labels(panel) - {"Type a move", "Odds"}))


async def test_the_front_page_is_private_and_shows_every_game(stage: Stage) -> None:
    page = await front(stage)
    assert page.flags.ephemeral
    assert labels(page) == {"Play", "Against the computer", "Learn", "My matches", "More"}
    (picture,) = page.attachments
    for game in registry.all_games():
        assert stage.bot.context.readers.default.say(msg(f"{game.key}.title")) in (picture.description or "")


@pytest.mark.parametrize("game", ["focus", "dominance", "two_domains", "dominion", "domination"])
async def test_three_presses_lead_to_the_first_move_against_a_computer(stage: Stage, game: str) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    begun = shown(await stage.ann.click(panel, label=title(stage, game)))
    (row,) = await stage.bot.context.store.by_status("live")
    assert row.game == game
    assert row.lobby.use_thread
    assert all(seat.level == "easy" for seat in row.seats if seat.user is None)
    now = await stage.match(row.id)
    (picture,) = begun.attachments
    assert picture.filename == f"{row.id}-{now.seq}.png"
    assert len(words_of(begun)) <= MAX_FIRST
    await press_a_move(stage.ann, begun)
    assert (await stage.match(row.id)).plays > now.plays


async def test_a_panel_of_before_a_restart_still_starts(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    await stage.restart()
    await stage.ann.click(panel, label=title(stage, FIRST))
    assert len(await stage.bot.context.store.by_status("live")) == 1


def first_choice(panel: discord.Message) -> list[str | None]:
    """Return the buttons that stand out in a panel."""
    return [
        each.label
        for each in walk_components(panel.components)
        if isinstance(each, discord.Button) and each.style is discord.ButtonStyle.success
    ]


async def test_what_was_played_last_stands_out(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    assert (first_choice(panel), offered(panel, chosen=True)) == ([title(stage, FIRST)], ["easy"])
    await stage.press_id(stage.ann, panel, "domb:solo_start:-:0:two_domains.hard")
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    assert (first_choice(panel), offered(panel, chosen=True)) == ([title(stage, "two_domains")], ["hard"])
    panel = shown(await stage.ann.click(await front(stage), label="Play"))
    assert first_choice(panel) == [title(stage, "two_domains")]


async def test_where_no_match_may_start_it_is_played_in_direct_messages(stage: Stage) -> None:
    withhold(stage, "attach_files")
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    begun = shown(await stage.ann.click(panel, label=title(stage, FIRST)))
    (row,) = await stage.bot.context.store.by_status("live")
    assert row.place.guild is None
    assert "in our direct messages" in words_of(begun)


@pytest.mark.parametrize("first", ["ann", "ben"])
async def test_five_presses_lead_to_the_first_move_with_a_friend(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    def dealt(row: MatchRow, dice: Dice) -> tuple[SeatRow, ...]:
        host, friend = row.seats
        return row.seats if first == "ann" else (replace(friend, seat=0), replace(host, seat=1))

    monkeypatch.setattr(lobby_rules, "shuffled_seats", dealt)
    panel = shown(await stage.ann.click(await front(stage), label="Play"))
    said = text_of(await stage.ann.click(panel, label=title(stage, BY_LOT)))
    lobby = await open_lobby(stage)
    assert f"`{lobby.id}`" in said
    assert "The match starts as soon as all seats are taken." in words_of(await stage.lobby(lobby.id))
    moves = await stage.ben.click(await stage.lobby(lobby.id), label="Join")
    if first == "ann":
        assert not moves.followups
        moves = await stage.ann.click(await last_board(stage, lobby.id), label="Moves")
    now = await stage.match(lobby.id)
    await press_a_move(stage.people[first.capitalize()], shown(moves))
    assert (await stage.match(lobby.id)).plays > now.plays


async def test_a_host_who_changes_something_starts_the_match(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Play"))
    await stage.ann.click(panel, label=title(stage, FIRST))
    match = (await open_lobby(stage)).id
    options = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    await stage.ann.click(options, label="Hints: allowed")
    assert "starts as soon as" not in words_of(await stage.lobby(match))
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert (await stage.row(match)).status == "lobby"
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert (await stage.row(match)).status == "live"


async def test_a_panel_that_ends_in_a_sentence_keeps_its_colour(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    options = shown(await stage.ann.click(await stage.lobby(match), label="Options"))
    (before,) = options.components
    assert isinstance(before, discord.Container)
    await stage.ann.click(options, label="Close this lobby")
    stored = stage.env.backend.get_message(options.channel.id, options.id)
    (after,) = to_discord_message(stage.env, stored).components
    assert isinstance(after, discord.Container)
    assert after.accent_colour == before.accent_colour is not None


async def test_a_full_lobby_waits_for_its_host_where_it_can_not_be_played(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Play"))
    await stage.ann.click(panel, label=title(stage, FIRST))
    match = (await open_lobby(stage)).id
    withhold(stage, "attach_files")
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert (await stage.row(match)).status == "lobby"


async def test_more_leads_to_rules_help_settings_and_finished_matches(stage: Stage) -> None:
    more = shown(await stage.ann.click(await front(stage), label="More"))
    rules = shown(await stage.ann.select(more, ["dominion"]))
    assert "Dominion (1/" in words_of(rules)
    for label, words in (
        ("Help", "opens a lobby"),
        ("Ping settings", "zone"),
        ("Finished matches", "finished"),
    ):
        assert words.casefold() in text_of(await stage.ann.click(more, label=label)).casefold()


async def test_who_has_no_matches_is_offered_to_start_one(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = await front(stage)
    nothing = shown(await stage.ann.click(page, label="My matches"))
    assert labels(nothing) == {"Play", "Against the computer"}
    panel = shown(await stage.ann.click(nothing, label="Against the computer"))
    for _ in range(2):
        await stage.ann.click(panel, label=title(stage, FIRST))
    mine = shown(await stage.ann.click(page, label="My matches"))
    assert words_of(mine).count("[the board](<https://") == 2
    assert mine.components == []
    monkeypatch.setattr(matches_list, "MAX_FIRST", 150)
    short = text_of(await stage.ann.click(page, label="My matches"))
    assert short.count("[the board](<https://") == 1
    assert short.endswith("And one more.")


async def test_nothing_that_is_shown_first_is_long(stage: Stage) -> None:
    ctx = stage.bot.context
    for language in ctx.readers.catalogue.languages:
        reader = Reader(ctx.readers.catalogue, language, text=True)
        manage = reader.say(msg("front.manage"))
        panels = [await front_panel(ctx.presenter, reader, manage), more_panel(reader)]
        panels += [play_panel(reader, game.key) for game in registry.all_games()]
        choices = [
            SoloChoice(game.key, ctx.service.levels.names(game.key)[0]) for game in registry.all_games()
        ]
        panels.append(solo_panel(reader, choices, choices[0], ctx.service.levels.names(choices[0].game)))
        texts = ["\n".join((panel.content, *(each.text for each in panel.sections))) for panel in panels]
        assert [text for text in texts if len(text) > MAX_FIRST] == []
