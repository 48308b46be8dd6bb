"""What can't be delivered is told, once, by direct message to those whom it concerns, with a way to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.presenter import clean
from games.engine.message import msg
from matches.ports import Draft, MatchRow

if TYPE_CHECKING:
    from bot.app import Dominium


def _direct(match: str, user: int, text: str) -> Draft:
    return Draft("dm", match, f"{match}/dm/{user}", {"text": text}, user)


async def unreachable(app: Dominium, row: MatchRow, why: str) -> None:
    """A match's channel is gone, closed to us or locked: note it, and tell its people, in one step."""
    people = {s.user for s in row.seats if s.occupant == "person" and s.user is not None} | {row.host}
    if why != "channel" and row.place.guild is not None:
        guild = app.get_guild(row.place.guild)
        if guild is not None and guild.owner_id is not None:
            people.add(guild.owner_id)
    why_not = msg(f"bot.unreachable.{why}", match=row.id, place=f"<#{row.place.home}>")
    text = app.presenter.say(why_not, app.config.language)
    await app.service.unreachable(row.id, why, [_direct(row.id, user, text) for user in sorted(people)])


async def closed(app: Dominium, draft: Draft) -> None:
    """A guest takes no direct messages, so the invitation did not arrive: its host hears of it."""
    row = await app.service.row(draft.match)
    if row is None or row.status != "lobby" or draft.kind != "lobby":
        return
    guest = next((seat for seat in row.seats if seat.user == draft.user), None)
    if guest is None or guest.user is None or not app.regretted.add((row.id, guest.user)):
        return
    why = msg("bot.unreachable.person", match=row.id, name=clean(guest.name))
    text = app.presenter.say(why, app.config.language)
    await app.store.outbox_add(_direct(row.id, row.host, text), app.clock.now())
