"""The front page: from `/games` to the first move by buttons alone, counted press by press."""

from __future__ import annotations

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.actions.watching import matches_list
from bot.messages.front_panel import SoloChoice, front_panel, more_panel, play_panel, solo_panel
from bot.messages.seats import level_choices
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.message import msg
from tests.bot.lobby_acts import labels, open_lobby
from tests.bot.stage import Stage, menu_with, shown, text_of, withhold, words_of
from tests.bot.test_match_panel import MAX_FIRST

pytestmark = pytest.mark.slow
FIRST = registry.all_games()[0].key


async def front(stage: Stage, channel: ChannelHandle | None = None) -> discord.Message:
    """Return the front page as Ann sees it."""
    return shown(await stage.ann.slash(channel or stage.channel, "games"))


def offered(message: discord.Message, *, chosen: bool = False) -> list[str]:
    """Return the values in the menus of a message, or those that are chosen."""
    return [
        option.value
        for row in message.components
        for child in getattr(row, "children", ())
        for option in getattr(child, "options", ())
        if option.default or not chosen
    ]


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
    if game != FIRST:  # one more press, the first time
        panel = shown(await stage.ann.select(panel, [game], custom_id=menu_with(panel, game)))
    begun = shown(await stage.ann.click(panel, label="Start"))
    (row,) = await stage.bot.context.store.by_status("live")
    assert row.game == game
    assert row.use_thread
    assert all(seat.level == "easy" for seat in row.seats if seat.user is None)
    now = await stage.match(row.id)
    (picture,) = begun.attachments
    assert picture.filename == f"{row.id}-{now.seq}.png"
    assert len(begun.content) <= MAX_FIRST
    move = next(iter(offered(begun)))
    await stage.ann.select(begun, [move], custom_id=menu_with(begun, move))
    assert (await stage.match(row.id)).plays > now.plays


async def test_a_panel_of_before_a_restart_still_starts(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    await stage.restart()
    await stage.ann.click(panel, label="Start")
    assert len(await stage.bot.context.store.by_status("live")) == 1


async def test_what_was_played_last_is_offered_first(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    assert offered(panel, chosen=True) == [FIRST, "easy"]
    await stage.press_id(stage.ann, panel, "domb:solo_start:-:0:two_domains.hard")
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    assert offered(panel, chosen=True) == ["two_domains", "hard"]
    panel = shown(await stage.ann.click(await front(stage), label="Play"))
    assert offered(panel, chosen=True) == ["two_domains"]


async def test_where_no_match_may_start_it_is_played_in_direct_messages(stage: Stage) -> None:
    withhold(stage, "attach_files")
    panel = shown(await stage.ann.click(await front(stage), label="Against the computer"))
    begun = shown(await stage.ann.click(panel, label="Start"))
    (row,) = await stage.bot.context.store.by_status("live")
    assert row.place.guild is None
    assert "in our direct messages" in begun.content


async def test_five_presses_lead_to_the_first_move_with_a_friend(stage: Stage) -> None:
    panel = shown(await stage.ann.click(await front(stage), label="Play"))
    said = text_of(await stage.ann.click(panel, label="Open a lobby"))
    lobby = await open_lobby(stage)
    assert f"`{lobby.id}`" in said
    await stage.ben.click(await stage.lobby(lobby.id), label="Join")
    await stage.ann.click(await stage.lobby(lobby.id), label="Start")
    assert (await stage.row(lobby.id)).status == "live"


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
        await stage.ann.click(panel, label="Start")
    mine = shown(await stage.ann.click(page, label="My matches"))
    assert mine.content.count("[the board](<https://") == 2
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
        for game in registry.all_games():
            levels = ctx.service.levels.names(game.key)
            panels.append(await play_panel(ctx.presenter, reader, game.key))
            choice, listed = SoloChoice(game.key, levels[0]), level_choices(levels, reader)
            panels.append(await solo_panel(ctx.presenter, reader, choice, listed))
        assert [panel.content for panel in panels if len(panel.content) > MAX_FIRST] == []
