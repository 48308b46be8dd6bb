"""A match for two from the lobby to its end, by all routes, with a restart in the middle."""

from __future__ import annotations

from tests.bot.stage import Stage, best, menu_with, shown, text_of


async def test_a_match_from_lobby_to_record(open_stage: Stage) -> None:
    stage = open_stage
    match, thread = await stage.open(stage.ann, stage.ben, options="fast")
    assert thread.is_thread
    routes = 0
    while (now := await stage.match(match)).ending is None:
        mover = await stage.mover(match)
        board = (await stage.boards(match))[-1]
        text = best(now)
        match routes % 5:
            case 0:
                await mover.send(thread, text, reply_to=board)
            case 1:
                await mover.send(thread, f"{stage.mention} {text}")
            case 2:
                await mover.send(thread, text.upper().replace("-", " x "))
            case 3:
                await mover.slash(thread, "move", move=text)
            case _:
                panel = shown(await mover.click(board, label="Moves"))
                await mover.select(panel, [text], custom_id=menu_with(panel, text))
        after = await stage.match(match)
        assert after.plays == now.plays + 1, f"{text} by route {routes % 5}"
        routes += 1
        if routes == 7:
            await stage.restart()
    boards = await stage.boards(match)
    assert len(boards) == (await stage.match(match)).plays + 1
    last = boards[-1]
    assert "wins" in last.content
    assert {a.filename for a in last.attachments} >= {f"{match}.txt"}
    assert all(a.description for a in last.attachments)
    result = await stage.cleo.click(last, label="Replay")
    assert text_of(result)
