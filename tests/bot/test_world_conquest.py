"""World conquest on the stage: private hands, dice on demand, scripts tried without playing.

Ann and Ben fight on the small map with armies that chance has placed.
"""

from __future__ import annotations

from typing import Any

import pytest
from simcord.builders import ChannelHandle

from bot.messages.names import seat_names
from games.engine.game import Seat
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.lobby_acts import labels
from tests.bot.stage import Stage, computer, shown, text_of

pytestmark = pytest.mark.slow

SMALL = "map=islands setup=auto"


async def battlefield(stage: Stage, options: str = SMALL) -> tuple[str, ChannelHandle]:
    """A match of two that has begun."""
    return await stage.open(stage.ann, stage.ben, game="domination", options=options)


async def strike(stage: Stage, match: str) -> tuple[str, str]:
    """Where the mover puts all armies, and an attack from there."""
    now = await stage.match(match)
    (seat,) = now.to_act
    place = now.state.position
    atlas = place.info.law.atlas
    src, dst = max(
        (
            (a, b)
            for a, row in enumerate(atlas.borders)
            for b in row
            if place.owner[a] == seat != place.owner[b]
        ),
        key=lambda pair: place.armies[pair[0]] - place.armies[pair[1]],
    )
    return atlas.countries[src].code, atlas.countries[dst].code


async def test_a_turn_is_one_message_and_one_board(stage: Stage) -> None:
    match, thread = await battlefield(stage)
    src, dst = await strike(stage, match)
    mover, boards = await stage.mover(match), len(await stage.boards(match))
    await move_by(stage, "mention", match, thread, mover, f"place {src}; blitz {src} {dst}; end")
    assert len(await stage.boards(match)) == boards + 1
    assert await stage.mover(match) != mover
    board = await last_board(stage, match)
    assert f"{src.upper()} " in board.content
    assert "roll" in board.content
    assert " v " not in board.content
    dice = text_of(await mover.slash(thread, "ask about", what="dice"))
    assert dice.count("\n") > board.content.count("\n")
    assert len(dice) < 2000
    everything = [choice["value"] for choice in await mover.autocomplete(thread, "ask about", "what", "")]
    assert {"dice", "hand"} <= set(everything)


async def test_a_script_is_tried_with_its_odds(stage: Stage) -> None:
    match, thread = await battlefield(stage)
    src, dst = await strike(stage, match)
    mover, before = await stage.mover(match), (await stage.match(match)).seq
    said = text_of(await mover.slash(thread, "move", move=f"? place {src}; blitz {src} {dst}; end"))
    assert "nothing was played" in said
    assert "%" in said
    assert "Everyone here" not in said, "this is private"
    (heard,) = await stage.hears(thread, mover.send(thread, f"{stage.mention} ? place {src}; end"))
    assert "nothing was played" in heard.content
    assert "Everyone here can see this" in heard.content
    assert "Try privately" in labels(heard)
    assert (await stage.match(match)).seq == before


async def test_hands_are_for_their_players_alone(stage: Stage) -> None:
    match, thread = await battlefield(stage, f"{SMALL} mode=mission")
    board = await last_board(stage, match)
    assert "My hand" in rows_of(board)[-2] + rows_of(board)[-1]
    now = await stage.match(match)
    views: dict[int, Any] = {}
    for seat, name in enumerate(seat.name for seat in (await stage.row(match)).seats):
        who = stage.ann if name == "Ann" else stage.ben
        told = text_of(await who.slash(thread, "ask hand"))
        views[seat] = told
        own = now.game.hand(now.game.view(now.state, Seat(seat)), Seat(seat))
        reader, row = stage.bot.context.readers.default, await stage.row(match)
        assert reader.say(own[0], seat_names(row, reader)) in told
        mine = shown(await who.click(board, label="My hand"))
        assert mine.flags.ephemeral
        assert told.splitlines()[0] in mine.content
        assert told.splitlines()[0] in text_of(await who.slash(thread, "ask about", what="hand"))
    assert views[0] != views[1]
    public = board.content + "".join(a.description or "" for a in board.attachments)
    for told in views.values():
        assert told.splitlines()[0] not in public
    guest = text_of(await stage.cleo.slash(thread, "ask hand", match=match))
    assert not any(told.splitlines()[0] in guest for told in views.values())


async def test_a_computer_plays_its_turn_at_once(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, start=False, game="domination", players=2, options=SMALL)
    await computer(stage.ann, await stage.lobby(match), "hard")
    await stage.ann.click(await stage.lobby(match), label="Start")
    await stage.ann.slash(thread, "matches mine")
    for _ in range(2):
        thread = stage.home(await stage.row(match))
        boards, plays = len(await stage.boards(match)), (await stage.match(match)).plays
        now = await stage.match(match)
        (seat,) = now.to_act
        first = now.game.format(
            now.game.view(now.state, seat), now.game.default(now.game.view(now.state, seat), seat)
        )
        await move_by(stage, "mention", match, thread, stage.ann, f"{first}; end")
        assert len(await stage.boards(match)) == boards + 2, "one board for each turn"
        assert (await stage.match(match)).plays >= plays + 4
        assert (await stage.mover(match)) is stage.ann


async def test_too_many_moves_to_list(stage: Stage) -> None:
    match, thread = await battlefield(stage)
    src, dst = await strike(stage, match)
    mover = await stage.mover(match)
    await move_by(stage, "mention", match, thread, mover, f"place {src}")
    listed = shown(await mover.click(await last_board(stage, match), label="Moves"))
    assert len(listed.content) < 2000
    offered = [
        choice["value"] for choice in await mover.autocomplete(thread, "move", "move", f"attack {src}")
    ]
    assert any(dst in text for text in offered)
    odds = text_of(await mover.slash(thread, "ask odds", move=f"{src} {dst}"))
    assert "%" in odds


async def test_small_steps_are_not_counted_as_moves(stage: Stage) -> None:
    match, _ = await battlefield(stage)
    board = (await stage.boards(match))[-1]
    assert "· order 0 ·" in board.content
    assert "· move " not in board.content
