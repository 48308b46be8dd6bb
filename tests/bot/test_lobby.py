"""Lobbies: seats taken and given up, options, who may do what, and in which channels."""

from __future__ import annotations

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.results import InteractionResult

from games.engine import registry
from matches.rows import MatchRow
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, computer, legal, menu_with, shown, text_of

pytestmark = pytest.mark.slow


def labels(message: discord.Message, *, usable: bool = True) -> set[str]:
    """The buttons of a message that can be pressed, or that can't."""
    return {
        child.label
        for row in message.components
        for child in getattr(row, "children", ())
        if isinstance(child, discord.Button) and child.label and child.disabled is not usable
    }


async def open_lobby(stage: Stage) -> MatchRow:
    """Return the only open lobby."""
    (row,) = await stage.bot.context.store.by_status("lobby")
    return row


async def panel(stage: Stage, match: str) -> discord.Message:
    """The host's panel of options."""
    return shown(await stage.ann.click(await stage.lobby(match), label="Options"))


async def choose(stage: Stage, panel: discord.Message, value: str, menu: str) -> InteractionResult:
    """Use one of the panel's menus, known by the beginning of its id."""
    ids = [
        str(child.custom_id)
        for row in panel.components
        for child in getattr(row, "children", ())
        if str(getattr(child, "custom_id", "")).startswith(f"doms:{menu}:")
    ]
    return await stage.ann.select(panel, [value], custom_id=ids[0])


async def test_seats_are_taken_and_given_back(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    lobby = await stage.lobby(match)
    assert "Ann" in lobby.content
    assert "*open*" in lobby.content
    assert lobby.attachments[0].description
    assert labels(lobby) == {"Join", "Leave", "Invite", "Add computer", "Options", "Clock", "Fair dice"}
    await stage.ben.click(lobby, label="Join")
    lobby = await stage.lobby(match)
    assert "Ben" in lobby.content
    assert labels(lobby) == {"Leave", "Options", "Clock", "Start", "Fair dice"}
    await stage.ben.click(lobby, label="Leave")
    assert "Ben" not in (await stage.lobby(match)).content
    assert "no seat" in text_of(await stage.ben.click(lobby, label="Leave"))
    await stage.ann.click(await stage.lobby(match), label="Leave")
    assert (await stage.row(match)).status == "closed"
    closed = await stage.lobby(match)
    assert "closed" in closed.content
    assert not closed.components


async def test_a_lobby_passes_to_someone_else_when_its_host_leaves(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    await stage.ann.click(await stage.lobby(match), label="Leave")
    row = await stage.row(match)
    assert row.host == stage.ben.id
    assert "Ben · host" in (await stage.lobby(match)).content


async def test_friends_are_invited_by_name(stage: Stage) -> None:
    await stage.ann.slash(stage.channel, "play", game="focus", friend=stage.ben, friend2=stage.cleo)
    row = await open_lobby(stage)
    assert len(row.seats) == 3
    lobby = await stage.lobby(row.id)
    assert stage.ben.mention in lobby.content
    assert labels(lobby) >= {"Accept", "Decline"}
    assert "kept for invited guests" in text_of(await stage.dan.click(lobby, label="Accept"))
    await stage.ben.click(lobby, label="Accept")
    with pytest.raises(SetupError):
        await stage.ann.click(await stage.lobby(row.id), label="Start")
    await stage.cleo.click(lobby, label="Decline")
    lobby = await stage.lobby(row.id)
    assert "Cleo" not in lobby.content
    await stage.dan.click(lobby, label="Join")
    await stage.ann.click(await stage.lobby(row.id), label="Start")
    started = await stage.row(row.id)
    assert started.status == "live"
    assert [seat.user for seat in started.seats] == [stage.ann.id, stage.ben.id, stage.dan.id]


async def test_only_the_host_arranges(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    lobby = await stage.lobby(match)
    said = text_of(await stage.ben.click(lobby, label="Start"))
    assert "Only the host" in said
    said = text_of(await stage.ben.click(lobby, label="Options"))
    assert stage.ann.mention in said
    await stage.ben.click(lobby, label="Leave")
    assert "Only the host" in text_of(await stage.cleo.click(await stage.lobby(match), label="Add computer"))
    assert (await stage.row(match)).status == "lobby"


async def test_full_and_too_early(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    early = await stage.lobby(match)
    await stage.ben.click(early, label="Join")
    full = await stage.lobby(match)
    said = text_of(await stage.press(stage.cleo, early, "join"))
    assert said == "All seats are taken. `/play` opens another lobby."
    said = text_of(await stage.press(stage.ben, early, "join"))
    assert "have a seat" in said
    await stage.ben.click(full, label="Leave")
    said = text_of(await stage.press(stage.ann, full, "start"))
    assert "1 seat is still free" in said


async def test_computers_take_seats_and_move(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, start=False)
    await computer(stage.ann, await stage.lobby(match))
    assert "computer, beginner" in (await stage.lobby(match)).content
    await stage.ann.click(await stage.lobby(match), label="Start")
    thread = stage.home(await stage.row(match))
    assert await stage.mover(match) == stage.ann
    plays = (await stage.match(match)).plays
    await move_by(stage, "slash", match, thread, stage.ann, legal(await stage.match(match))[0])
    now = await stage.match(match)
    assert now.plays == plays + 2
    assert await stage.mover(match) == stage.ann
    assert len(await stage.boards(match)) == now.plays + 1


async def test_the_hosts_panel(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    shown_now = await panel(stage, match)
    result = await choose(stage, shown_now, "4", "seats")
    assert len((await stage.row(match)).seats) == 4
    shown_now = shown(result)
    await choose(stage, shown_now, "1", "option")
    assert (await stage.row(match)).options["fast"] is True
    assert "Fast game" in (await stage.lobby(match)).content
    partners = menu_with_id(await panel(stage, match), "partners")
    refused = await stage.ann.select(await panel(stage, match), ["1"], custom_id=partners)
    assert "fast game isn't played in pairs" in text_of(refused)
    await choose(stage, await panel(stage, match), "0", "option")
    await stage.ann.select(await panel(stage, match), ["1"], custom_id=partners)
    assert (await stage.row(match)).options["partners"] is True
    assert "Partners" in (await stage.lobby(match)).content
    shown_now = shown(await choose(stage, await panel(stage, match), "3", "seats"))
    row = await stage.row(match)
    assert (len(row.seats), row.options["partners"]) == (3, False), "pairs mean nothing with three"
    assert "partners" not in str(shown_now.components), "and are not offered"
    await choose(stage, shown_now, "4", "seats")
    arrange = menu_with(await panel(stage, match), "swap 0 1")
    await stage.ann.select(await panel(stage, match), ["swap 0 1"], custom_id=arrange)
    assert [s.user for s in (await stage.row(match)).seats[:2]] == [stage.ben.id, stage.ann.id]
    await stage.ann.select(await panel(stage, match), ["clear 0"], custom_id=arrange)
    assert (await stage.row(match)).seats[0].occupant == "open"
    other = await panel(stage, match)
    closing = await panel(stage, match)
    await stage.ann.click(closing, label="Close this lobby")
    assert (await stage.row(match)).status == "closed"
    late = await choose(stage, other, "2", "seats")
    assert "was closed before it started" in text_of(late)


def menu_with_id(message: discord.Message, ending: str) -> str:
    """The id of the menu whose id ends so."""
    return next(
        str(child.custom_id)
        for row in message.components
        for child in getattr(row, "children", ())
        if str(getattr(child, "custom_id", "")).endswith(f":{ending}")
    )


@pytest.mark.slow
async def test_reminded_once_then_taken_down(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    await stage.later(hours=19.5)
    assert not any("still has a free seat" in m.content for m in stage.channel.history())
    await stage.later(hours=1)
    reminders = [m for m in stage.channel.history() if "still has a free seat" in m.content]
    assert len(reminders) == 1
    await stage.later(hours=2)
    assert (await stage.row(match)).status == "lobby"
    await stage.later(hours=2)
    assert (await stage.row(match)).status == "expired"
    lobby = await stage.lobby(match)
    assert "closed because nobody started the match in time" in lobby.content
    assert not lobby.components
    assert not [m for m in stage.channel.history() if "still has a free seat" in m.content]


async def test_double_clicks(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    lobby = await stage.lobby(match)
    await stage.press_all((stage.ben, lobby, "join"), (stage.ben, lobby, "join"))
    assert [s.user for s in (await stage.row(match)).seats] == [stage.ann.id, stage.ben.id]
    lobby = await stage.lobby(match)
    await stage.press_all((stage.ann, lobby, "start"), (stage.ann, lobby, "start"))
    assert (await stage.row(match)).status == "live"
    assert len(stage.channel.threads) == 1
    assert len(await stage.boards(match)) == 1
    said = text_of(await stage.press(stage.ann, lobby, "start"))
    assert "has already started" in said


async def test_two_people_and_one_seat(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    lobby = await stage.lobby(match)
    answers = await stage.press_all((stage.ben, lobby, "join"), (stage.cleo, lobby, "join"))
    row = await stage.row(match)
    assert row.seats[1].user in (stage.ben.id, stage.cleo.id)
    told = [text_of(answer) for answer in answers]
    assert told.count("All seats are taken. `/play` opens another lobby.") == 1


async def test_who_and_what_can_be_asked_for(stage: Stage) -> None:
    robot = stage.guild.add_member(stage.env.create_user("R*bot", bot=True))
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", friend=robot))
    assert "is a bot and can't play" in said
    assert r"R\*bot" in said
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", options="quick"))
    assert said == "There is no option `quick`. Choose from fast and partners."
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", options="fast=maybe"))
    assert said == "`fast` takes one of these words: false and true."
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", options="`@everyone`"))
    assert "`'@everyone'`" in said
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", friend=stage.ann))
    assert "Invite someone else" in said
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", players=6))
    assert said == "This game can't be played by 6. Choose 2, 3, and 4."
    options = await stage.ann.autocomplete(stage.channel, "play", "options", "fa", game="focus")
    assert [choice["value"] for choice in options] == ["fast", "partners"]
    options = await stage.ann.autocomplete(stage.channel, "play", "options", "fast ", game="focus")
    assert [choice["value"] for choice in options] == ["fast partners"]
    assert not await stage.bot.context.store.by_status("lobby")
    await stage.ann.slash(stage.channel, "play", game="focus", players=2, options="fast=yes, partners=no")
    assert (await open_lobby(stage)).options == {"fast": True, "partners": False}


async def test_too_many_lobbies(stage: Stage) -> None:
    for _ in range(10):
        await stage.ann.slash(stage.channel, "play", game="focus")
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus"))
    assert "already have 10 open lobbies" in said


async def test_old_buttons_after_start_and_restart(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    await stage.restart()
    lobby = await stage.lobby(match)
    await stage.ann.click(lobby, label="Start")
    await stage.restart()
    for verb, words in (
        ("join", "already started"),
        ("leave", "already started"),
        ("computer", "already started"),
        ("options", "no longer open"),
        ("start", "already started"),
    ):
        assert words in text_of(await stage.press(stage.ann, lobby, verb)), verb


async def test_rematch_by_button_and_in_the_thread(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, options="fast")
    sure = shown(await stage.ann.click(await last_board(stage, match), label="Resign or draw"))
    await stage.ann.click(sure, label="Yes, I resign")
    over = await last_board(stage, match)
    assert "welcome to watch" in text_of(await stage.cleo.click(over, label="Rematch"))
    await stage.ben.click(over, label="Rematch")
    again = await open_lobby(stage)
    assert again.previous == match
    assert again.options["fast"] is True
    assert [(s.user, s.occupant) for s in again.seats] == [
        (stage.ben.id, "person"),
        (stage.ann.id, "invited"),
    ]
    await stage.ann.click(over, label="Rematch")
    row = await open_lobby(stage)
    assert row.id == again.id
    assert all(seat.occupant == "person" for seat in row.seats)
    await stage.ben.click(await stage.lobby(row.id), label="Start")
    sure = shown(await stage.ann.click(await last_board(stage, row.id), label="Resign or draw"))
    await stage.ann.click(sure, label="Call it off instead")
    home = stage.home(await stage.row(row.id))
    said = await stage.ann.slash(home, "play", game="focus")
    third = await open_lobby(stage)
    assert third.id in text_of(said)
    assert third.place.channel == stage.channel.id


async def test_a_secret_is_promised_only_where_chance_has_a_part(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.get("dominance")), "seats_by_lot", lambda game, setup: False)
    for game, promised in (("focus", True), ("dominance", False)):
        match, _ = await stage.open(stage.ann, stage.ben, game=game, start=False)
        lobby = await stage.lobby(match)
        assert ("The dice are sealed" in lobby.content) is promised
        await stage.ann.click(lobby, label="Start")
        assert ("The dice were sealed" in (await last_board(stage, match)).content) is promised


async def test_seats_drawn_by_lot_are_announced_and_told(stage: Stage) -> None:
    seen = set()
    for _ in range(8):
        match, _ = await stage.open(stage.ann, stage.ben, game="dominance", start=False)
        lobby = await stage.lobby(match)
        assert "drawn by lot at the start" in lobby.content
        await stage.ann.click(lobby, label="Start")
        assert "drawn by lot" in (await last_board(stage, match)).content
        seen.add((await stage.mover(match)).id)
    assert seen == {stage.ann.id, stage.ben.id}


async def test_a_lobby_shows_the_games_advice_until_the_option_is_chosen(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo, game="toy", start=False)
    lobby = await stage.lobby(match)
    assert "pairs are the better game" in lobby.content
    await choose(stage, await panel(stage, match), "1", "option")
    assert "pairs are the better game" not in (await stage.lobby(match)).content
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert "pairs are the better game" not in (await last_board(stage, match)).content


async def invite(stage: Stage, match: str, *guests: MemberActor) -> InteractionResult:
    """The host chooses people in the menu behind the button."""
    menu = shown(await stage.ann.click(await stage.lobby(match), label="Invite"))
    return await stage.ann.select(menu, list(guests))


def invitations(stage: Stage, match: str) -> list[discord.Message]:
    """The messages that call people to a lobby."""
    return [one for one in stage.channel.history() if one.author.bot and "you're invited" in one.content]


async def test_the_host_invites_people_by_a_menu(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", players=4, start=False)
    await invite(stage, match, stage.ben, stage.cleo)
    seats = [(seat.occupant, seat.name) for seat in (await stage.row(match)).seats]
    assert seats == [("person", "Ann"), ("invited", "Ben"), ("invited", "Cleo"), ("open", "")]
    (called,) = invitations(stage, match)
    assert {user.id for user in called.mentions} == {stage.ben.id, stage.cleo.id}
    assert str((await stage.row(match)).lobby_message) in called.content
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert (await stage.row(match)).seats[1].occupant == "person"
    await invite(stage, match, stage.dan)
    await stage.cleo.click(await stage.lobby(match), label="Decline")
    assert [seat.occupant for seat in (await stage.row(match)).seats] == [
        "person",
        "person",
        "open",
        "invited",
    ]
    assert len(invitations(stage, match)) == 2
    assert "Invite" not in labels(await stage.lobby(match), usable=False)


async def test_a_menu_offers_as_many_people_as_seats_are_free(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", players=3, start=False)
    lobby = await stage.lobby(match)
    menu = shown(await stage.ann.click(lobby, label="Invite"))
    with pytest.raises(SetupError, match="between 1 and 2"):
        await stage.ann.select(menu, [stage.ben, stage.cleo, stage.dan])
    await stage.ben.click(lobby, label="Join")
    said = text_of(await stage.ann.select(menu, [stage.cleo, stage.dan]))
    assert "only one free seat" in said
    await stage.cleo.click(await stage.lobby(match), label="Join")
    assert "All seats are taken" in text_of(await stage.ann.select(menu, [stage.dan]))
    assert "Invite" in labels(await stage.lobby(match), usable=False)
    assert invitations(stage, match) == []


async def test_only_the_host_invites_and_only_people_who_are_not_there(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, game="focus", players=4, start=False)
    lobby = await stage.lobby(match)
    said = text_of(await stage.ben.click(lobby, label="Invite"))
    assert f"<@{stage.ann.id}>" in said
    assert "Anyone can join" in said
    await stage.ben.click(lobby, label="Join")
    assert "(Ben) is already in this lobby" in text_of(await invite(stage, match, stage.ben, stage.cleo))
    robot = stage.guild.add_member(stage.env.create_user("Robot", bot=True))
    assert "is a bot and can't play" in text_of(await invite(stage, match, stage.cleo, robot))
    assert [seat.user for seat in (await stage.row(match)).seats] == [stage.ann.id, stage.ben.id, None, None]
    menu = shown(await stage.ann.click(await stage.lobby(match), label="Invite"))
    await stage.ann.click(shown(await stage.ann.click(lobby, label="Options")), label="Close this lobby")
    assert "was closed" in text_of(await stage.ann.select(menu, [stage.cleo]))
    assert "no longer open" in text_of(await stage.press_id(stage.ann, lobby, f"domb:invite:{match}:-1"))
    assert invitations(stage, match) == []


async def test_people_invited_in_direct_messages_get_the_lobby(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", players=2)
    row = await open_lobby(stage)
    lobby = next(one for one in stage.ann.user.dm_channel.history() if one.id == row.lobby_message)
    menu = shown(await stage.ann.user.click(lobby, label="Invite"))
    await stage.ann.user.select(menu, [stage.ben.user])
    (sent,) = stage.ben.user.dm_channel.history()
    assert f"<@{stage.ben.id}>" in sent.content
    assert {user.id for user in sent.mentions} == {stage.ben.id}
    assert "Accept" in labels(sent)
