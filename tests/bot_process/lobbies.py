"""The start of a match: a lobby opened, joined, started, watched; each an act that a kill can interrupt."""

from __future__ import annotations

from tests.bot_process.house import Act, House, Row, calls
from tests.loopback import Person


def newest(house: House) -> Row:
    """The match that was opened last."""
    return house.records.rows()[-1]


def open_lobby(house: House) -> Act:
    """`/play` for two."""
    before = len(house.records.rows())

    async def do() -> None:
        await house.ann.slash(house.room, "play", answered=False, game="focus", players=2)

    return Act(do, lambda: len(house.records.rows()) == before + 1, again=True)


def press(house: House, person: Person, verb: str, done: str) -> Act:
    """Press a button of the newest lobby; `done` is what its match has then: a status or an occupant."""

    async def do() -> None:
        match = newest(house).id
        message = next(
            one for one in house.server.messages(house.room) if calls(one) and calls(one)[0][1] == match
        )
        await person.click(message, f"domb:{verb}:{match}:-1", answered=False)

    def is_done() -> bool:
        row = newest(house)
        return person.id in row.seats if done == "seat" else row.status == done

    return Act(do, is_done, again=True)


def join(house: House) -> Act:
    """The second player sits down."""
    return press(house, house.ben, "join", "seat")


def begin(house: House) -> Act:
    """The host starts the match."""
    return press(house, house.ann, "start", "live")


def watch(house: House) -> Act:
    """A mirror of the newest match in the gallery."""
    match = newest(house).id

    def done() -> bool:
        return bool(house.records.ask("SELECT 1 FROM watches WHERE match = ?", match))

    async def do() -> None:
        await house.ben.slash(house.gallery, "matches watch here", answered=False, match=match)

    return Act(do, done, again=True)


async def seated(house: House, *, mirrored: bool = True) -> str:
    """A match that is on, undisturbed; its id."""
    for act in (open_lobby, join, begin, *((watch,) if mirrored else ())):
        made = act(house)
        await made.do()
        await house.quiet(made.done)
    house.judge()
    return newest(house).id
