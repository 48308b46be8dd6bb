"""Tell the people of a match, once and by direct message, that messages can't be delivered."""

from __future__ import annotations

from bot.context import Context
from bot.messages.quoting import escaped_name
from bot.platform.recent import RecentKeys
from games.engine.message import msg
from matches.drafts import direct_message
from matches.ports import Draft, MatchRow


async def unreachable(ctx: Context, row: MatchRow, why: str) -> None:
    """Mark a match as unreachable and queue messages to its people, in one commit.

    `why` is `channel` (deleted), `permission` (closed to us) or `locked` (an archived thread).
    """
    people = {s.user for s in row.seats if s.occupant == "person" and s.user is not None} | {row.host}
    if why != "channel" and row.place.guild is not None:
        guild = ctx.client.get_guild(row.place.guild)
        if guild is not None and guild.owner_id is not None:
            people.add(guild.owner_id)
    reason = msg(f"bot.unreachable.{why}", match=row.id, place=f"<#{row.place.home}>")
    text = ctx.readers.default.say(reason)
    drafts = [direct_message(row.id, user, text) for user in sorted(people)]
    await ctx.service.channels.mark_unreachable(row.id, why, drafts)


async def direct_messages_closed(ctx: Context, draft: Draft, told: RecentKeys[tuple[str, int]]) -> None:
    """Tell the host that an invitation didn't arrive, because the guest accepts no direct messages.

    `told` holds the pairs of match and guest that hosts have been told about.
    """
    row = await ctx.service.queries.row(draft.match)
    if row is None or row.status != "lobby" or draft.kind != "lobby":
        return
    guest = next((seat for seat in row.seats if seat.user == draft.user), None)
    if guest is None or guest.user is None or not told.add((row.id, guest.user)):
        return
    text = ctx.readers.default.say(msg("bot.unreachable.person", match=row.id, name=escaped_name(guest.name)))
    await ctx.store.outbox_add(direct_message(row.id, row.host, text), ctx.clock.now())
