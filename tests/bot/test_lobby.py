"""Lobbies: seats taken and given up, options, who may do what, and in which channels."""

from __future__ import annotations

import pytest

from games.engine import registry
from matches.store.standing import MatchLength
from tests.bot.acts import last_board, move_by
from tests.bot.lobby_acts import choose, labels, menu_with_id, open_lobby, panel
from tests.bot.stage import Stage, computer, legal, menu_with, shown, text_of, words_of

pytestmark = pytest.mark.slow


async def test_seats_are_taken_and_given_back(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    lobby = await stage.lobby(match)
    assert "Ann" in words_of(lobby)
    assert "*open*" in words_of(lobby)
    assert lobby.attachments[0].description
    assert labels(lobby) == {"Join", "Leave", "Invite", "Add computer", "Options", "Clock", "Fair draw"}
    await stage.ben.click(lobby, label="Join")
    lobby = await stage.lobby(match)
    assert "Ben" in words_of(lobby)
    assert labels(lobby) == {"Leave", "Options", "Clock", "Start", "Fair draw"}
    await stage.ben.click(lobby, label="Leave")
    assert "Ben" not in words_of(await stage.lobby(match))
    assert "no seat" in text_of(await stage.ben.click(lobby, label="Leave"))
    await stage.ann.click(await stage.lobby(match), label="Leave")
    assert (await stage.row(match)).status == "closed"
    closed = await stage.lobby(match)
    assert "closed" in words_of(closed)
    assert not closed.components


async def test_a_lobby_says_how_long_a_match_takes(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    usual = registry.get("focus").lengths["2"]
    said = f"It takes about {usual} moves each, as computers play it."
    assert said in words_of(await stage.lobby(match))
    store = stage.bot.context.store
    asked: list[tuple[str, str]] = []

    async def measured(game: str, family: str) -> MatchLength:
        asked.append((game, family))
        return MatchLength(40, 31, 3 * 86_400)

    monkeypatch.setattr(store, "match_length", measured)
    await stage.ben.click(await stage.lobby(match), label="Join")
    assert said in words_of(await stage.lobby(match)), "as of the last hour"
    stage.env.backend.advance_clock(3700)
    await stage.ben.click(await stage.lobby(match), label="Leave")
    said = "It takes about 31 moves each, and 3 days: the median of 40 matches like this."
    assert said in words_of(await stage.lobby(match))
    assert asked == [("focus", "2")]
    await stage.ann.click(await stage.lobby(match), label="Leave")
    assert "It takes" not in words_of(await stage.lobby(match))


async def test_a_lobby_passes_to_someone_else_when_its_host_leaves(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False)
    await stage.ann.click(await stage.lobby(match), label="Leave")
    row = await stage.row(match)
    assert row.host == stage.ben.id
    assert "Ben · host" in words_of(await stage.lobby(match))


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
    assert "computer, beginner" in words_of(await stage.lobby(match))
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
    assert "Fast game" in words_of(await stage.lobby(match))
    partners = menu_with_id(await panel(stage, match), "partners")
    refused = await stage.ann.select(await panel(stage, match), ["1"], custom_id=partners)
    assert "fast game isn't played in pairs" in text_of(refused)
    await choose(stage, await panel(stage, match), "0", "option")
    await stage.ann.select(await panel(stage, match), ["1"], custom_id=partners)
    assert (await stage.row(match)).options["partners"] is True
    assert "Partners" in words_of(await stage.lobby(match))
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


@pytest.mark.slow
async def test_reminded_once_then_taken_down(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    await stage.later(hours=19.5)
    assert not any("still has a free seat" in words_of(m) for m in stage.channel.history())
    await stage.later(hours=1)
    reminders = [m for m in stage.channel.history() if "still has a free seat" in words_of(m)]
    assert len(reminders) == 1
    await stage.later(hours=2)
    assert (await stage.row(match)).status == "lobby"
    await stage.later(hours=2)
    assert (await stage.row(match)).status == "expired"
    lobby = await stage.lobby(match)
    assert "closed because nobody started the match in time" in words_of(lobby)
    assert not lobby.components
    assert not [m for m in stage.channel.history() if "still has a free seat" in words_of(m)]


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
    assert said == "There is no option `quick`. Choose from fast or partners."
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", options="fast=maybe"))
    assert said == "`fast` takes one of these words: false or true."
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", options="`@everyone`"))
    assert "`'@everyone'`" in said
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", friend=stage.ann))
    assert "Invite someone else" in said
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", players=6))
    assert said == "This game can't be played by 6. Choose 2, 3, or 4."
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
    assert again.provenance.previous == match
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


async def test_dice_are_promised_only_where_some_are_thrown_and_proof_wherever_chance_has_a_part(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(registry.get("dominance")), "seats_by_lot", lambda game, setup: False)
    fair = {"two_domains": "Fair dice", "focus": "Fair draw", "dominance": ""}
    for game, proof in fair.items():
        promised = proof == "Fair dice"
        match, _ = await stage.open(stage.ann, stage.ben, game=game, start=False)
        lobby = await stage.lobby(match)
        assert "".join(label for label in labels(lobby) if label.startswith("Fair")) == proof
        assert ("The dice are sealed" in words_of(lobby)) is promised
        await stage.ann.click(lobby, label="Start")
        assert ("dice sealed" in words_of(await last_board(stage, match))) is promised


async def test_seats_drawn_by_lot_are_announced_and_told(stage: Stage) -> None:
    seen = set()
    for _ in range(8):
        match, _ = await stage.open(stage.ann, stage.ben, game="dominance", start=False)
        lobby = await stage.lobby(match)
        assert "drawn by lot at the start" in words_of(lobby)
        await stage.ann.click(lobby, label="Start")
        assert "drawn by lot" in words_of(await last_board(stage, match))
        seen.add((await stage.mover(match)).id)
    assert seen == {stage.ann.id, stage.ben.id}


async def test_a_lobby_shows_the_games_advice_until_the_option_is_chosen(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, stage.cleo, game="toy", start=False)
    lobby = await stage.lobby(match)
    assert "pairs are the better game" in words_of(lobby)
    await choose(stage, await panel(stage, match), "1", "option")
    assert "pairs are the better game" not in words_of(await stage.lobby(match))
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert "pairs are the better game" not in words_of(await last_board(stage, match))
