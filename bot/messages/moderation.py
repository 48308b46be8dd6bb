"""The panels of moderators, the form that asks for a reason, and the lines of their log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.clock import duration
from bot.messages.components import Call, CallButton, CallForm, CallMenu, CallPeople, Component, FormField
from bot.messages.match import reason_line, status_line
from bot.messages.names import game_title, level_choices, seat_names
from bot.messages.outgoing import Outgoing
from bot.platform.discord_limits import MAX_CHOICE, MAX_CHOICES
from bot.platform.reader_settings import Reader
from games.engine.game import Seat
from games.engine.match import Match
from games.engine.message import Msg, Value, Who, msg
from matches.store.moderation import MAX_REASON, Action, ModerationRow
from matches.store.rows import MatchRow

PAGE: Final = 5
"""Entries of the log on a page."""
_ABOUT_PEOPLE: Final = frozenset({"time", "win", "remove", "computer", "offer", "forbid", "lift"})
_ENDINGS: Final = frozenset({"end", "draw", "win", "remove", "clear", "forbid"})


def match_panel(
    row: MatchRow, match: Match | None, reader: Reader, *, here: bool, note: Msg | None = None
) -> Outgoing:
    """Return what a moderator can do with a match; `match` is None for a lobby.

    `here` means that the panel is shown in the channel of the match. `note` is about what has just been done.
    """
    say, names = reader.say, seat_names(row, reader)
    lines = [] if note is None else [say(note, names)]
    lines.append(say(msg("bot.moderation.head", match=row.id, game=game_title(row, reader))))
    items: list[Component] = []
    if row.status == "lobby":
        items.append(_button(row, "clear", reader))
    elif match is None or match.ending is not None:
        lines.append(say(msg("match.refuse.reopen", match=row.id)))
    else:
        aside = row.set_aside and not row.ended_by_moderator
        lines.append(say(msg("bot.moderation.aside")) if aside else status_line(row, match, reader))
        resumed = row.set_aside or match.hosting.held
        items.append(_button(row, "reopen" if row.set_aside else "resume" if resumed else "pause", reader))
        if not row.set_aside:
            items += [_button(row, "end", reader), _button(row, "draw", reader)]
            if not here:
                items.append(_button(row, "move", reader))
            items.append(_seat_menu(row, match, reader))
    if any(isinstance(item, CallButton) for item in items):
        lines.append("-# " + say(msg("bot.moderation.how")))
    items.append(log_button(None, reader, "bot.moderation.button.log"))
    return Outgoing("\n".join(lines), (), tuple(items))


def _button(row: MatchRow, what: str, reader: Reader, arg: str = "") -> CallButton:
    action = "resume" if what == "reopen" else what
    style = STYLE.danger if action in _ENDINGS else STYLE.secondary
    call = Call("mod_ask", row.id, row.version, f"{action}.{arg}" if arg else action)
    return CallButton.make(call, reader.say(msg(f"bot.moderation.button.{what}")), style)


def _seat_menu(row: MatchRow, match: Match, reader: Reader) -> CallMenu:
    names = seat_names(row, reader)
    options = [
        discord.SelectOption(label=names(seat)[:MAX_CHOICE], value=f"{seat}.{row.seats[seat].user or 0}")
        for seat in sorted(match.playing)
    ]
    call = Call("mod_seat", row.id, row.version)
    return CallMenu.make(call, options[:MAX_CHOICES], reader.say(msg("bot.moderation.pick_seat")))


def seat_panel(row: MatchRow, match: Match, seat: int, levels: Sequence[str], reader: Reader) -> Outgoing:
    """Return what a moderator can do with a seat; `levels` are those of the game's computers."""
    held, say = row.seats[seat], reader.say
    arg = f"{seat}.{held.user or 0}"
    back = CallButton.make(Call("mod_match", row.id, row.version), say(msg("bot.moderation.button.back")))
    items: list[Component] = []
    if held.occupant == "person" and match.hosting.clock is not None:
        items.append(_button(row, "time", reader, arg))
    items += [_button(row, "win", reader, arg), _button(row, "remove", reader, arg), back]
    if held.occupant == "person":
        call = Call("mod_ask", row.id, row.version, f"computer.{arg}")
        items.append(
            CallMenu.make(call, level_choices(levels, reader), say(msg("bot.moderation.pick_level")))
        )
    call = Call("mod_ask", row.id, row.version, f"offer.{arg}")
    items.append(CallPeople.make(call, say(msg("bot.moderation.pick_person")), 1))
    text = say(msg("bot.moderation.seat", who=Who(Seat(seat)), match=row.id), seat_names(row, reader))
    return Outgoing(f"{text}\n-# {say(msg('bot.moderation.how_seat'))}", (), tuple(items))


def person_panel(
    user: int, barred: ModerationRow | None, matches: Sequence[str], reader: Reader, note: Msg | None = None
) -> Outgoing:
    """Return what a moderator can do about a person; `matches` are the ids of those they play in here."""
    lines = [] if note is None else [reader.say(note)]
    key = "free" if barred is None else "barred"
    lines.append(reader.say(msg(f"bot.moderation.person_{key}", who=f"<@{user}>")))
    if barred is not None:
        lines.append(log_line(barred, reader))
    if matches:
        listed = tuple(f"`{each}`" for each in matches)
        lines.append(reader.say(msg("bot.moderation.plays", n=len(listed), matches=listed)))
    what = "forbid" if barred is None else "lift"
    call = Call("mod_ask", NO_MATCH, 0, f"{what}.0.{user}")
    style = STYLE.danger if barred is None else STYLE.secondary
    button = CallButton.make(call, reader.say(msg(f"bot.moderation.button.{what}")), style)
    return Outgoing("\n".join(lines), (), (button, log_button(None, reader, "bot.moderation.button.log")))


def reason_form(call: Call, action: Action, reader: Reader) -> CallForm:
    """Return the form that asks a moderator for a reason, and for a time if it is given."""
    say = reader.say
    label = say(msg("bot.moderation.form.reason"))
    hint = say(msg(f"bot.moderation.form.{'final' if action in ('win', 'draw') else 'who_sees'}"))
    fields = [FormField("reason", label, help=hint)]
    if action == "time":
        label = say(msg("bot.moderation.form.time"))
        fields.insert(0, FormField("time", label, "1d 12h", help=say(msg("bot.moderation.form.from_now"))))
    return CallForm(call, say(msg(f"bot.moderation.form.{action}")), *fields, longest=MAX_REASON)


# --- the log ----------------------------------------------------------------------------------------------


def log_line(act: ModerationRow, reader: Reader) -> str:
    """Return one entry of the log: when, who, what, why."""
    values: dict[str, Value] = {} if act.action in ("forbid", "lift") else {"match": act.match}
    if act.action in _ABOUT_PEOPLE:
        values["person"] = _whom(act)
    match act.action:
        case "computer":
            values["level"] = msg(f"ai.level.{act.detail}")
        case "move":
            values["place"] = f"<#{act.detail}>"
        case "time":
            values["time"] = duration(timedelta(seconds=int(act.detail)))
    what = msg(f"bot.moderation.did.{act.action}", **values)
    when = discord.utils.format_dt(act.at, "f")
    head = reader.say(
        msg("bot.moderation.line", n=act.number, when=when, who=f"<@{act.moderator}>", what=what)
    )
    return f"{head}\n{reason_line(act.reason, reader)}"


def _whom(act: ModerationRow) -> Value:
    """Return the person whom an entry is about, or the computer; of early entries its level isn't known."""
    if act.person is not None:
        return f"<@{act.person}>"
    return msg(f"ai.player.{act.detail}", n=1) if act.detail else msg("bot.moderation.computer")


def log_page(acts: Sequence[ModerationRow], reader: Reader, *, more: bool) -> Outgoing:
    """Return a page of the log, the latest first; `more` means that there are older entries."""
    if not acts:
        return Outgoing(reader.say(msg("bot.moderation.empty")))
    items = (log_button(acts[-1].number, reader, "bot.moderation.button.older"),) if more else ()
    return Outgoing("\n".join(log_line(act, reader) for act in acts), (), items)


def log_button(before: int | None, reader: Reader, label: str) -> CallButton:
    """Return the button that shows the log, from the entry before a number or from the latest."""
    return CallButton.make(Call("mod_log", NO_MATCH, before or 0), reader.say(msg(label)))
