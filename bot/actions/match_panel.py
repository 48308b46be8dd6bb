"""More: what a person can do in a match now, as a private panel, and nothing that can't be done now.

A row of buttons for one's turn, one for the match, one to look back, one for the rest; so nobody needs a
command to play. What is shown is judged again when it is pressed: the match may have moved on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import discord

from bot.actions.handlers import on
from bot.actions.interaction_responses import acknowledge, defer, edit_in_place, respond_privately
from bot.actions.lookback.dice import show_match_dice
from bot.actions.match_access import load_match
from bot.actions.play.offers import respond_with_outcome
from bot.actions.records.exports import export_match
from bot.actions.seats import offer_to, offer_to_all, respond_refused, rights_of
from bot.actions.watching.follows import follow
from bot.context import Context
from bot.messages.buttons import NO_MATCH, PER_ROW, has_odds, may_have_hint, own_view_label
from bot.messages.components import PEOPLE, Call, CallButton, CallMenu, CallPeople, Component
from bot.messages.match import status_line
from bot.messages.names import game_title, level_choices
from bot.messages.outgoing import Outgoing, panel
from bot.platform.reader_settings import Reader
from games.engine.coaching import COACH_TIMES
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.absence.time_up import opponents
from matches.occupants import is_study
from matches.play.coach import may_be_coached
from matches.play.undo import Takeback
from matches.results import Refused
from matches.seats import kept_seat
from matches.store.rows import MatchRow


@on("match_more")
async def more(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show what the person can do in this match now."""
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await respond_privately(interaction, await match_panel(ctx, *loaded, interaction.user.id))


async def match_panel(ctx: Context, row: MatchRow, reader: Reader, user: int) -> Outgoing:
    """Return the panel of one person."""
    match = await ctx.service.queries.at(row.id, row.version)
    groups = (
        _turn(row, match, reader),
        await _match(ctx, row, match, reader, user),
        _look_back(row, match),
        await _rest(ctx, row, match, reader, user),
    )
    items = []
    for at, verbs in enumerate(filter(None, map(tuple, groups))):
        items += [_button(row, match, verb, reader, at) for verb in verbs[:PER_ROW]]
    status = status_line(row, match, reader)
    text = f"{status}\n-# `{row.id}` · {game_title(row, reader)}"
    return panel(text, reader, (), tuple(items))


def _button(row: MatchRow, match: Match, verb: str, reader: Reader, at: int) -> CallButton:
    """Return a button by the verb of its call, of this match or of none."""
    verb, _, arg = verb.partition(".")
    label = (
        own_view_label(match.game) if verb == "view" and match.ending is None else msg(f"bot.button.{verb}")
    )
    call = Call(verb, NO_MATCH, 0) if verb in ("help", "pings") else Call(verb, row.id, match.seq, arg)
    return CallButton.make(call, reader.say(label), row=at)


def _turn(row: MatchRow, match: Match, reader: Reader) -> Iterable[str]:
    """Yield what helps with one's move, or to prepare it."""
    seat = reader.seat
    if seat is not None and match.ending is None and seat in match.to_act:
        yield "moves"
    elif seat is not None and match.ending is None and not is_study(row) and seat in match.playing:
        yield "plan"
    yield "view"
    if seat is not None and row.takes_hints and may_have_hint(match, seat):
        yield "hint"
    if has_odds(match, seat):
        yield "odds"
    if seat is not None and match.ending is None and (seat in match.help.coach or may_be_coached(row, seat)):
        yield "coach_off" if seat in match.help.coach else "coach_on"


async def _match(ctx: Context, row: MatchRow, match: Match, reader: Reader, user: int) -> list[str]:
    """Return what changes the match: take back, end, claim, pause, seats; or play again."""
    seat = reader.seat
    if match.ending is not None:
        return ["rematch"] if row.provenance.source == "played" and seat is not None else []
    if seat is None:
        held = kept_seat(row, await ctx.store.holders(row.id), user) if match.seats.stand_ins else None
        return [] if held is None else ["seat_back"]
    verbs = ["undo"] if isinstance(await ctx.service.undo.offer(row.id, user), Takeback) else []
    verbs += ["resign"] if seat in match.playing else []
    face = await ctx.service.time_up.face(row)
    late = () if face is None or face.control.acts != "claim" else face.late
    verbs += [f"claim.{each}" for each in late if seat in opponents(match, Seat(each))][:1]
    if match.hosting.clock is not None and not match.hosting.held and seat in match.playing:
        verbs.append("pause_end" if match.talk.paused else "pause_ask")
    if ctx.service.seats.why_not_give(row, match, user, 0) is None and not is_study(row):
        verbs.append("seat_panel")
    return verbs


def _look_back(row: MatchRow, match: Match) -> Iterable[str]:
    """Yield what shows the match so far."""
    if match.plays > 1:
        yield "since"
    if match.plays:
        yield "replay"
    if match.ending is not None and match.ending.outcome is not None and match.plays:
        yield "story"
    if match.plays and match.game.has_dice:
        yield "dice"
    if match.ending is not None or row.provenance.source == "import":
        yield "record"


async def _rest(ctx: Context, row: MatchRow, match: Match, reader: Reader, user: int) -> list[str]:
    """Return what is about the game and the person."""
    verbs = ["rules", "help"]
    if reader.seat is not None:
        return [*verbs, "pings"]
    if match.ending is None and all(each.match != row.id for each in await ctx.store.follows_of(user)):
        verbs.append("follow")
    return verbs


# --- what has no buttons elsewhere ------------------------------------------------------------------------


@on("dice")
async def dice(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Show what the dice of the match have shown."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await show_match_dice(ctx, interaction, *loaded)


@on("record")
async def record(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Give out the record of a finished match."""
    await defer(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await export_match(ctx, interaction, *loaded)


@on("follow")
async def follow_pressed(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Notify the person by direct message when the match is over."""
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        row, reader = loaded
        await respond_privately(
            interaction, Outgoing(await follow(ctx, interaction.user.id, row, reader, "end"))
        )


@on("pause_ask")
async def ask_for_pause(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Ask everyone for a pause, or agree to one."""
    result = await ctx.service.pauses.ask(call.match, interaction.user.id, request=f"i{interaction.id}")
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("pause_end")
async def end_pause(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """End a pause."""
    result = await ctx.service.pauses.resume(call.match, interaction.user.id, request=f"i{interaction.id}")
    await respond_with_outcome(ctx, interaction, call.match, result)


@on("coach_on")
async def coach_on(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Switch the coach on."""
    await _switch(ctx, interaction, call, wanted=True)


@on("coach_off")
async def coach_off(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Switch the coach off."""
    await _switch(ctx, interaction, call, wanted=False)


async def _switch(ctx: Context, interaction: discord.Interaction[Any], call: Call, *, wanted: bool) -> None:
    """Switch the coach, and show the panel again with what that means."""
    await acknowledge(interaction)
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    user = interaction.user.id
    result = await ctx.service.coach.switch(row.id, user, on=wanted, request=f"i{interaction.id}")
    if isinstance(result, Refused):
        await respond_refused(ctx, interaction, row.id, result)
        return
    note = reader.say(msg("bot.coach.on", n=COACH_TIMES) if wanted else msg("bot.coach.off"))
    shown = await match_panel(ctx, result.row, reader, user)
    await edit_in_place(interaction, replace(shown, content=f"{note}\n{shown.content}"))


# --- one's seat -------------------------------------------------------------------------------------------


@on("seat_panel")
async def seat_panel(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer the ways to let someone else play one's seat."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    match = await ctx.service.queries.at(row.id, row.version)
    user, say = interaction.user.id, reader.say
    if (why := ctx.service.seats.why_not_give(row, match, user, 0)) is not None or reader.seat is None:
        await respond_refused(ctx, interaction, row.id, why or msg("match.refuse.not_yours"))
        return
    levels = level_choices(ctx.service.levels.names(row.game), reader)
    items: list[Component] = [
        CallPeople.make(Call("seat_give", row.id, match.seq), say(msg("front.seat.give")), 1)
    ]
    if any(row.seats[seat].occupant == "person" for seat in match.playing - {reader.seat}):
        leave = Call("seat_leave", row.id, match.seq)
        items.append(CallMenu.make(leave, levels, say(msg("front.seat.computer"))))
    if row.place.guild is not None:
        offer = Call("seat_offer", row.id, match.seq)
        items.append(CallButton.make(offer, say(msg("front.button.seat_offer"))))
    text = f"{say(msg('front.seat.text'))}\n-# `{row.id}`"
    await respond_privately(interaction, Outgoing(text, (), tuple(items)))


@on("seat_offer")
async def seat_offer(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer one's seat to everyone in the channel of the match."""
    if (loaded := await load_match(ctx, interaction, call.match)) is not None:
        await _say(ctx, interaction, loaded[0], await offer_to_all(ctx, interaction, loaded[0], None))


@on("seat_give")
async def seat_give(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Offer one's seat to the person who was chosen."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    if chosen := interaction.extras.get(PEOPLE, ()):
        await _say(ctx, interaction, loaded[0], await offer_to(ctx, interaction, loaded[0], chosen[0]))
    else:
        await acknowledge(interaction)


@on("seat_leave", value="[a-z]+")
async def seat_leave(ctx: Context, interaction: discord.Interaction[Any], call: Call) -> None:
    """Leave one's seat to a computer."""
    if (loaded := await load_match(ctx, interaction, call.match)) is None:
        return
    row, reader = loaded
    if reader.seat is None:
        await respond_refused(ctx, interaction, row.id, msg("match.refuse.not_yours"))
        return
    result = await ctx.service.seats.fill_in(
        row.id,
        reader.seat,
        call.values[0],
        by=interaction.user.id,
        request=f"i{interaction.id}",
        rights=await rights_of(ctx, interaction, row, reader.seat),
    )
    if isinstance(result, Refused):
        await respond_refused(ctx, interaction, row.id, result)
        return
    await edit_in_place(interaction, Outgoing(reader.say(msg("bot.seats.left", match=row.id))))
    await ctx.delivery.finish(row.id)


async def _say(ctx: Context, interaction: discord.Interaction[Any], row: MatchRow, what: Msg) -> None:
    """Answer with a sentence that may name seats, and send the messages that are due."""
    await respond_refused(ctx, interaction, row.id, what)
    await ctx.delivery.send()
