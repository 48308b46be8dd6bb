"""What those who watch get: messages about matches that they follow, and a server's showcase."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH, STYLE
from bot.messages.components import Call, CallButton, CallMenu
from bot.messages.match import delay_text, result_text, status_line
from bot.messages.names import game_title, occupant_text, thread_name
from bot.messages.outgoing import File, Outgoing
from bot.messages.story import story_at_end
from bot.platform.discord_limits import MAX_CHOICES, MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.match import Match
from games.engine.message import Msg, msg
from matches.lookback.story import Story
from matches.store.follows import FollowRow
from matches.store.rows import MatchRow

SHOWCASE: Final = "showcase"
"""The argument of the calls of messages in a showcase, which distinguishes them from boards and mirrors."""
_ROOM = MAX_CONTENT - 60
"""Characters of a list: the rest is for the line about how many more there are."""


def players_title(row: MatchRow, reader: Reader) -> str:
    """Return a match as a spectator would name it: `Focus: Ann – Ben`."""
    players = " – ".join(occupant_text(seat, reader) for seat in row.seats)
    return f"{game_title(row, reader)}: {players}"


def _listed(lines: Sequence[str], head: str, more: str, reader: Reader) -> str:
    """Return as many lines as fit below a head, and how many more there are."""
    shown, room = [head], _ROOM - len(head)
    for line in lines:
        room -= len(line) + 1
        if room < 0:
            break
        shown.append(line)
    if left := len(lines) + 1 - len(shown):
        shown.append(reader.say(msg(more, n=left)))
    return "\n".join(shown)


# --- following --------------------------------------------------------------------------------------------


def unfollow_button(match: str, reader: Reader) -> CallButton:
    """Return the button that ends following a match. It works for those who can no longer see it, too."""
    return CallButton.make(Call("unfollow", NO_MATCH, 0, match), reader.say(msg("bot.button.unfollow")))


def follow_message(
    board: Outgoing, row: MatchRow, match: Match, reader: Reader, *, number: int, link: str
) -> Outgoing:
    """Return the direct message about a match that someone follows, from its board.

    `number` distinguishes the message from all others of the match.
    """
    over = match.ending is not None
    values = {"match": row.id, "title": players_title(row, reader), "link": link}
    head = reader.say(msg(f"bot.follow.{'over' if over else 'turn'}", **values))
    view = CallButton.make(Call("view", row.id, -number, "follow"), reader.say(msg("bot.button.view")))
    if over:
        replay = CallButton.make(
            Call("replay", row.id, match.seq, "follow"), reader.say(msg("bot.button.replay"))
        )
        items: tuple[CallButton, ...] = (view, replay)
    else:
        items = (view, unfollow_button(row.id, reader))
    return replace(board, content=f"{head}\n{board.content}"[:MAX_CONTENT], items=items, ping=())


@dataclass(frozen=True, slots=True)
class NewsItem:
    """A followed match with news: where it stands, the number of moves since the last message, its board."""

    row: MatchRow
    match: Match
    moves: int
    link: str


def news_message(items: Sequence[NewsItem], number: int, reader: Reader) -> Outgoing:
    """Return a person's daily message; `number` distinguishes it from others."""
    lines = []
    for item in items:
        state = status_line(item.row, item.match, reader)
        if item.match.ending is None and item.moves:
            state = f"{reader.say(msg('bot.follow.news.moves', n=item.moves))}. {state}"
        values = {"match": item.row.id, "title": players_title(item.row, reader), "link": item.link}
        lines.append(reader.say(msg("bot.follow.news.line", state=state, **values)))
    head = reader.say(msg("bot.follow.news.head", n=len(items)))
    mine = CallButton.make(Call("mine", NO_MATCH, -number), reader.say(msg("bot.button.mine")))
    return Outgoing(_listed(lines, head, "bot.follow.news.more", reader), (), (mine,))


def following_text(rows: Sequence[tuple[FollowRow, MatchRow, str]], room: int, reader: Reader) -> str:
    """Return what a person follows, each with its match and link, in at most `room` characters."""
    lines = [
        reader.say(
            msg(
                "bot.follow.list.line",
                match=match.id,
                title=players_title(match, reader),
                when=msg(f"bot.follow.when.{row.tell}"),
                link=link,
            )
        )
        for row, match, link in rows
    ]
    head = reader.say(msg("bot.follow.list.head", n=len(lines)))
    while len("\n".join((head, *lines))) > room - 40 and lines:
        lines.pop()
    if left := len(rows) - len(lines):
        lines.append(reader.say(msg("bot.follow.list.more", n=left)))
    return "\n".join((head, *lines))


# --- the showcase -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Shown:
    """A live match in a showcase: who is to act, and whether `home`'s name shows which match it is."""

    row: MatchRow
    to_act: tuple[int, ...]
    home: int
    named: bool


def showcase_list(shown: Sequence[Shown], reader: Reader, picture: File | None) -> Outgoing:
    """Return the message that lists live matches, the latest change first, with a menu to look at one."""
    say = reader.say
    mine = CallButton.make(Call("mine", NO_MATCH, 0, SHOWCASE), say(msg("bot.button.mine")), row=1)
    if not shown:
        return Outgoing(say(msg("bot.showcase.none")), (), (mine,), silent=True)
    lines = [live_line(each, reader) for each in shown]
    head = say(msg("bot.showcase.head", n=len(shown)))
    choices = [
        discord.SelectOption(label=thread_name(each.row, reader), value=each.row.id)
        for each in shown[:MAX_CHOICES]
    ]
    menu = CallMenu.make(
        Call("spectate", NO_MATCH, 0, SHOWCASE), choices, say(msg("bot.showcase.pick")), row=0
    )
    content = _listed(lines, head, "bot.showcase.more", reader)
    return Outgoing(content, () if picture is None else (picture,), (menu, mine), silent=True)


def live_line(each: Shown, reader: Reader) -> str:
    """Return a live match as a line of a list."""
    who = tuple(occupant_text(each.row.seats[seat], reader) for seat in each.to_act)
    values: dict[str, str | Msg] = {
        "home": f"<#{each.home}>",
        "turn": msg("bot.showcase.turn", n=len(who), who=who),
        "when": discord.utils.format_dt(each.row.updated, "R"),
    }
    if late := delay_text(each.row, reader, "list"):
        values["when"] = f"{values['when']} · {late}"
    if each.named:
        return reader.say(msg("bot.showcase.thread", **values))
    title = players_title(each.row, reader)
    return reader.say(msg("bot.showcase.channel", title=title, match=each.row.id, **values))


def digest_of(outgoing: Outgoing) -> str:
    """Return a digest of the content of a message: equal for messages that read the same."""
    calls = [str(item.item.to_component_dict()) for item in outgoing.items]
    parts = (outgoing.content, *calls, *(f"{name}{alt}" for name, _, alt in outgoing.files))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def finished_post(
    board: Outgoing, row: MatchRow, match: Match, reader: Reader, link: str, story: Story | None
) -> Outgoing:
    """Return the post of a finished match in a showcase, from its last board, with two lines of its story."""
    lines = [f"**{players_title(row, reader)}**", result_text(row, match, reader)]
    if story is not None:
        lines.append(story_at_end(row, story, reader))
    lines.append(f"-# `{row.id}` · {link}")
    replay = Call("replay", row.id, match.seq, SHOWCASE)
    view = Call("view", row.id, match.seq, SHOWCASE)
    items = (
        CallButton.make(replay, reader.say(msg("bot.button.replay")), STYLE.primary),
        CallButton.make(view, reader.say(msg("bot.button.view"))),
    )
    return replace(board, content="\n".join(lines)[:MAX_CONTENT], items=items, ping=(), silent=False)


def moves_since(match: Match, sent: Mapping[str, int]) -> int:
    """Return how many moves of a match have come after the last entry that was sent."""
    after = sent.get(match.id, match.seq)
    return sum(entry.kind.value == "play" for entry in match.log[after + 1 :])
