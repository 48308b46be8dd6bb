"""Private panels of moves: all that are legal, or what may follow half a move; one choice plays it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord

from bot.aims import show_button
from bot.answers import instead, private, thinking
from bot.buttons import PER_ROW, STYLE, has_odds, odds, tapped
from bot.components import Ask, Call, Choose, Press, on, tappable
from bot.looks import load, moved_on, show
from bot.presenter import Outgoing, Reader
from games.engine.game import Partial, Rejected
from games.engine.match import Match
from games.engine.message import msg
from matches.ports import MatchRow
from matches.results import Asked

if TYPE_CHECKING:
    from bot.app import Dominium

_PER_MENU, _MENUS = 25, 4
_PER_PAGE = _PER_MENU * _MENUS
MOST = 6 * _PER_PAGE
"""Of more moves than anybody leafs through, those are listed that the game itself offers."""
_FEW = 20
"""So many choices are buttons; more, or long ones, are menus."""


async def moves_panel(app: Dominium, row: MatchRow, user: int, reader: Reader, page: int = 0) -> Outgoing:
    """All legal moves in menus of 25, from which one can be played, and a form to type one."""
    say, language = app.presenter.say, reader.language
    match = await app.service.at(row.id, row.version)
    status, _ = app.presenter.status(row, match, reader, ping=False)
    if reader.seat is None or reader.seat not in match.to_act:
        return Outgoing(f"{status}\n-# `{row.id}`")
    texts = await app.service.legal(row.id, user, "", limit=10_000)
    instructions = match.game.parse(match.game.view(match.state, reader.seat), reader.seat, "")
    head = say(msg("bot.moves.count", n=len(texts)), language)
    if len(texts) > MOST and isinstance(instructions, Partial) and instructions.choices:
        texts = instructions.choices
        head = say(msg("bot.moves.many"), language)
    names = app.presenter.names(row, language)
    prompt = say(instructions.prompt, language, names) if isinstance(instructions, Partial) else ""
    items, pages = menus(row, match.seq, texts, page)
    type_it = say(msg("bot.button.type"), language)
    items.append(Press.make(Call("type", row.id, match.seq), type_it, STYLE.primary, row=4))
    if pages > 1:
        items.append(_next(app, Call("page", row.id, match.seq, str(page % pages + 1)), pages, reader))
    if has_odds(match, reader.seat):
        items.append(odds(app.presenter, row, match.seq, language, 4))
    return Outgoing(f"{head} {prompt}\n-# `{row.id}`", (), tuple(items))


def menus(row: MatchRow, seq: int, texts: Sequence[str], page: int) -> tuple[list[Press | Choose], int]:
    """The menus of one page, each choice of which plays its text; and how many pages there are."""
    pages = max(1, -(-len(texts) // _PER_PAGE))
    page %= pages
    shown = texts[page * _PER_PAGE : (page + 1) * _PER_PAGE]
    items: list[Press | Choose] = []
    for number in range(0, len(shown), _PER_MENU):
        part = shown[number : number + _PER_MENU]
        hint = f"{part[0]} … {part[-1]}" if len(part) > 1 else part[0]
        listed = [discord.SelectOption(label=text[:100], value=text[:100]) for text in part]
        items.append(Choose.make(Call("play", row.id, seq, str(number)), listed, hint))
    return items, pages


def _next(app: Dominium, call: Call, pages: int, reader: Reader) -> Press:
    """To the next page; the call's argument begins with its number."""
    now = (int(call.arg.partition(".")[0]) - 1) % pages + 1
    label = f"{app.presenter.say(msg('bot.button.next'), reader.language)} ({now}/{pages})"
    return Press.make(call, label, row=4)


def asked_panel(
    app: Dominium,
    row: MatchRow,
    match: Match,
    text: str,
    asked: Asked | Partial,
    reader: Reader,
    page: int = 0,
) -> Outgoing:
    """What may follow half a move that was tapped: buttons if they are few, else menus."""
    say, found, seq = app.presenter.say, asked.choices, match.seq
    type_it = Press.make(Call("type", row.id, seq), say(msg("bot.button.type"), reader.language), row=4)
    shown = () if reader.seat is None else show_button(app, match, reader.seat, text, reader.language)
    items: list[Press | Choose]
    if len(found) <= _FEW and all(map(tappable, found)):
        labels = [_label(app, match, choice, reader) for choice in found]
        items = [
            tapped(app.presenter, "pick", row, seq, choice, label, number // PER_ROW)
            for number, (choice, label) in enumerate(zip(found, labels, strict=True))
        ]
        items += (type_it, *shown)
    else:
        items, pages = menus(row, seq, found, page)
        items += (type_it, *shown)
        if pages > 1:
            call = Call("asked", row.id, seq, f"{page % pages + 1}.{text}")
            items.append(_next(app, call, pages, reader))
    prompt = say(asked.prompt, reader.language, app.presenter.names(row, reader.language))
    return Outgoing(f"{prompt}\n-# `{row.id}`", (), tuple(items))


def _label(app: Dominium, match: Match, choice: str, reader: Reader) -> str:
    """A choice, and what comes of it where that is certain."""
    seat = reader.seat
    odds = () if seat is None else match.game.odds(match.game.view(match.state, seat), seat, choice)
    if isinstance(odds, Rejected) or len(odds) != 1 or len(odds[0].chances) != 1:
        return choice
    return f"{choice}: {app.presenter.say(odds[0].chances[0][1], reader.language)}"


@on("asked")
async def asked(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """Another page of what may follow; on an old board the present one."""
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    number, _, text = call.arg.partition(".")
    match = await app.service.at(row.id, row.version)
    half = None
    if call.seq == row.version and reader.seat is not None:
        half = match.game.parse(match.game.view(match.state, reader.seat), reader.seat, text)
    if isinstance(half, Partial):
        await instead(interaction, asked_panel(app, row, match, text, half, reader, int(number)))
        return
    await thinking(interaction)
    await private(interaction, await show(app, row, reader, moved_on(app, row, call, reader)))


@on("moves")
async def moves(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """What I may play now."""
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    if reader.seat is None:
        text = app.presenter.say(msg("bot.move.not_yours", match=row.id), reader.language)
        await private(interaction, Outgoing(text))
        return
    await private(interaction, await moves_panel(app, row, interaction.user.id, reader))


@on("page")
async def page(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """More moves."""
    if (loaded := await load(app, interaction, call.match)) is None:
        return
    row, reader = loaded
    await instead(interaction, await moves_panel(app, row, interaction.user.id, reader, int(call.arg)))


@on("type")
async def type_it(app: Dominium, interaction: discord.Interaction[Any], call: Call) -> None:
    """A form to type a move in."""
    reader = await app.reader_of(interaction)
    say = app.presenter.say
    title = say(msg("bot.form.title", match=call.match), reader.language)
    label = say(msg("bot.form.move"), reader.language)
    example = (*await app.service.legal(call.match, interaction.user.id, "", limit=1), "")[0]
    ask = Ask(Call("typed", call.match, call.seq), title, ("move", label, example))
    await interaction.response.send_modal(ask)
