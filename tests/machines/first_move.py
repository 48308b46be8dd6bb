"""Play the first move of a match on the sandbox at an address, as two people at its page would."""

from __future__ import annotations

import asyncio
import sys

import aiohttp

from tests.sandbox.page import Sandbox, part, use


async def first_move(address: str) -> str:
    """Open a lobby, join, start, and type a move. Return the line that answers it."""
    async with aiohttp.ClientSession() as http:
        async with http.get(address) as page:
            page.raise_for_status()
        sandbox = Sandbox(address, http)
        ann, ben = await sandbox.page("ann"), await sandbox.page("ben")
        games = ann.channel("games")
        await ann.ask("slash", channel=games, name="play", options={"game": "focus", "players": "2"})
        await use(ben, games, "domb:join")
        await ann.wait_for("Ben")
        await use(ann, games, "domb:start")
        board = await ann.until(lambda: part(ann, "domb:moves"))
        text, thread = ann.messages[board["in"]]["content"], ann.messages[board["in"]]["channel_id"]
        mover = ann if "(Ann) to move" in text else ben
        await use(mover, thread, "domb:moves")
        move = (await mover.until(lambda: part(mover, "doms:play")))["options"][0]["label"]
        await mover.ask("send", channel=thread, text=move, reply=board["in"])
        answer = await ann.wait_for(f": {move}")
        if not answer["attachments"]:
            raise AssertionError("the board has no picture")
        await sandbox.close()
        return str(answer["content"]).splitlines()[0]


if __name__ == "__main__":
    print(asyncio.run(first_move(sys.argv[1])))
