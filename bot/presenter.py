"""From events to messages: texts from the catalogue, pictures from scenes, components with their match.

A presenter decides words and layout only. What a reader may know was decided by the game's view.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import discord

import render
from bot import zoom
from bot.buttons import STYLE, Look, own_view, under_board, under_table
from bot.components import Call, Choose, Press, layout
from bot.studio import Studio
from bot.telling import details, heard, names_its_seats, story
from games.engine import registry
from games.engine.dice import commitment
from games.engine.game import AnyGame, Fact, Game, Seat, Setup
from games.engine.match import Kind, Match
from games.engine.message import Msg, Who, msg
from games.engine.scene import Mark, Scene
from locales import Catalogue
from matches.ports import MatchRow, SeatRow

MAX_CONTENT = 2000
MAX_TOLD = 1200
"""Signs for what happened, so that who is next, and whatever else a board says, has room behind it."""
MAX_DETAILS = 1900


@dataclass(frozen=True, slots=True)
class Reader:
    """For whom something is written and drawn: language, theme, picture or text, and the seat they hold."""

    language: str = "en"
    theme: str = "classic"
    text: bool = False
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message to be sent. `files` are (name, bytes, alt text); `ping` are the users it may mention."""

    content: str
    files: tuple[tuple[str, bytes, str], ...] = ()
    items: tuple[Press | Choose, ...] = ()
    ping: tuple[int, ...] = ()

    def fields(self) -> dict[str, Any]:
        """Keyword arguments for `send`: fresh file objects each time, so that it can be tried again."""
        fields: dict[str, Any] = {
            "content": self.content[:MAX_CONTENT],
            "files": self.attachments(),
            "allowed_mentions": self.mentions(),
        }
        if (view := layout(*self.items)) is not None:
            fields["view"] = view
        return fields

    def attachments(self) -> list[discord.File]:
        """The files, ready to be read from the start."""
        return [
            discord.File(io.BytesIO(data), filename=name, description=alt[:1024] or None)
            for name, data, alt in self.files
        ]

    def mentions(self) -> discord.AllowedMentions:
        """Exactly the users to be pinged, nobody else."""
        return discord.AllowedMentions(
            everyone=False,
            roles=False,
            replied_user=False,
            users=[discord.Object(user) for user in self.ping],
        )


def plain(name: str) -> str:
    """A person's name on one line, 32 signs at most, for places that know no markdown."""
    return " ".join(name.split())[:32]


def clean(name: str) -> str:
    """The same for messages: no markdown, no mention, no link comes of it."""
    flat = discord.utils.escape_mentions(plain(name))
    escaped = discord.utils.escape_markdown(flat, ignore_links=False)
    return escaped.replace("<", "\\<").replace("://", ":\\//")


def as_code(text: str, most: int = 40) -> str:
    """Something that was typed, to stand between backticks: one line, and no way out of them."""
    return " ".join(text.replace("`", "'").split())[:most]


def draws(game: AnyGame, setup: Setup) -> bool:
    """Whether chance has a part in a game, be it only who gets which seat."""
    return game.lots(setup) or type(game).draw is not Game.draw


class Presenter:
    """Writes and draws. Holds the catalogue, and the studio in which pictures are made."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.studio = Studio(self.speak)
        self.analysed: Collection[str] = ()
        """Keys of the games of which finished matches can be analysed."""

    def say(self, message: Msg, language: str, names: Callable[[int], str] | None = None) -> str:
        """A sentence in a language."""
        return self.catalogue.say(message, language, names)

    def speak(self, language: str) -> Callable[[Msg], str]:
        """A voice in one language, for pictures: seats go by their colour there."""
        return self.catalogue.speaker(language)

    def names(self, row: MatchRow, language: str) -> Callable[[int], str]:
        """How seats are called in texts: sign, colour, and who sits there."""
        game = registry.get(row.game)
        setup = game.setup(len(row.seats), row.options)

        def name(seat: int) -> str:
            look = game.look(setup, Seat(seat))
            colour = f"{look.sign} {self.say(look.name, language)}"
            return f"{colour} ({self.occupant(row.seats[seat], language)})"

        return name

    def occupant(self, seat: SeatRow, language: str) -> str:
        """Who holds a seat, in words."""
        if seat.occupant == "computer":
            return self.say(msg("bot.seat.computer", level=seat.level), language)
        if seat.occupant == "open":
            return self.say(msg("bot.seat.open"), language)
        if seat.occupant == "invited":
            return self.say(msg("bot.seat.invited", name=clean(seat.name)), language)
        return clean(seat.name)

    def title(self, row: MatchRow, language: str) -> str:
        """The game's name."""
        return self.say(msg(f"{row.game}.title"), language)

    # --- pictures -----------------------------------------------------------------------------------

    def scene(
        self,
        match: Match,
        viewer: Seat | None,
        facts: Sequence[Fact] = (),
        look: Look | None = None,
        marks: tuple[Mark, ...] = (),
    ) -> Scene:
        """The position as the viewer may see it, with what the facts point at, and what is looked for."""
        view = match.game.view(match.state, viewer)
        scene = match.game.scene(view, viewer)
        marks += tuple(m for fact in facts if fact.to is None or viewer in fact.to for m in fact.marks)
        if look is not None:
            marks += tuple(mark for key in look.overlays for mark in match.game.overlay(view, key))
        if marks:
            scene = replace(scene, marks=scene.marks + marks)
        return scene if look is None or not look.part else zoom.closely(scene, look.part)

    def foresee(self, match: Match, facts: Sequence[Fact], reader: Reader) -> None:
        """Begin to draw a board that will be wanted in a moment, as `board` will ask for it."""
        self.studio.begin(self.scene(match, reader.seat, facts), reader.language, reader.theme)

    async def picture(self, scene: Scene, reader: Reader, name: str) -> tuple[str, bytes, str]:
        """A drawn board with its alt text. Drawn in a thread: the event loop goes on."""
        self.studio.begin(scene, reader.language, reader.theme)
        alt = render.alt_text(scene, self.speak(reader.language))  # said while it is drawn
        return name, await self.studio.picture(scene, reader.language, reader.theme), alt

    def text_board(self, scene: Scene, reader: Reader) -> str:
        """A board in a code block."""
        return f"```\n{render.text_board(scene, self.speak(reader.language))}\n```"

    # --- messages -----------------------------------------------------------------------------------

    def told(self, row: MatchRow, match: Match, facts: Sequence[Fact], reader: Reader) -> str:
        """What happened but for details, in at most five lines; a move's facts stand behind who made it."""
        names = self.names(row, reader.language)
        told = heard(facts, reader.seat)
        line = story(told, lambda each: self.say(each, reader.language, names), MAX_TOLD)
        decided = (entry for entry in reversed(match.log) if entry.kind not in (Kind.CHANCE, Kind.REVEAL))
        moved = next(decided)  # a log begins with its start, so that there is one
        if not line or moved.kind is not Kind.PLAY or moved.seat is None or names_its_seats(told, moved.seat):
            return line
        return self.say(msg("bot.board.played", who=Who(moved.seat), what=line), reader.language, names)

    def hand(self, row: MatchRow, match: Match, reader: Reader) -> str:
        """What only the reader's seat knows; empty where that is nothing."""
        if reader.seat is None:
            return ""
        names = self.names(row, reader.language)
        told = match.game.hand(match.game.view(match.state, reader.seat), reader.seat)
        return "\n".join(self.say(each, reader.language, names) for each in told)

    def details(self, row: MatchRow, facts: Sequence[Fact], reader: Reader) -> str:
        """What happened, each detail on its own line; what is too long begins later."""
        names, told = self.names(row, reader.language), heard(facts, reader.seat)
        return details(told, lambda each: self.say(each, reader.language, names), MAX_DETAILS)

    def status(
        self, row: MatchRow, match: Match, reader: Reader, *, ping: bool
    ) -> tuple[str, tuple[int, ...]]:
        """Who is next, or how it ended; and whom that calls."""
        names = self.names(row, reader.language)
        if match.ending is not None:
            return self.result(row, match, reader), ()
        people = [row.seats[seat] for seat in sorted(match.to_act) if seat >= 0]
        called = tuple(p.user for p in people if p.occupant == "person" and p.user is not None)
        who = tuple(Who(seat) for seat in sorted(match.to_act))
        line = self.say(msg("bot.board.next", n=len(who), who=who), reader.language, names)
        if ping and called:
            line += " " + " ".join(f"<@{user}>" for user in called)
        return line, called if ping else ()

    def result(self, row: MatchRow, match: Match, reader: Reader) -> str:
        """How it ended."""
        names = self.names(row, reader.language)
        ending = match.ending
        if ending is None or ending.outcome is None:
            return self.say(msg("bot.result.abort"), reader.language)
        winners = tuple(Who(seat) for seat, rank in enumerate(ending.outcome.ranks) if rank == 1)
        why = self.say(ending.outcome.why, reader.language, names)
        if "who" in dict(ending.outcome.why.values):
            return f"**{why.rstrip('.')}.**"  # the reason names who won or drew: once is enough
        if len({match.setup.teams[who.seat] for who in winners}) > 1:
            line = self.say(msg("bot.result.draw", who=winners), reader.language, names)
        else:
            line = self.say(msg("bot.result.win", who=winners, n=len(winners)), reader.language, names)
        return f"{why} **{line}**"

    def footer(self, row: MatchRow, match: Match, reader: Reader, *, hint: bool) -> str:
        """The small print: match, game, move, house rules, and on the match's own boards what to do."""
        say, language = self.say, reader.language
        parts = [f"`{row.id}`", self.title(row, language)]
        parts.append(say(msg("bot.board.move", move=match.plays), language))
        if options := self.options(row, language, chosen_only=True):
            parts.append(options)
        if hint:
            parts.append(say(_how(match), language))
        return "-# " + " · ".join(parts)

    def options(self, row: MatchRow, language: str, *, chosen_only: bool = False) -> str:
        """The options in words; only those that differ from "as printed" if so wished."""
        parts, game = [], registry.get(row.game)
        for option in game.options:
            value = row.options.get(option.key, option.default)
            if chosen_only and value == option.default:
                continue
            name = self.say(msg(f"{row.game}.option.{option.key}"), language)
            choice = self.say(game.choice(option.key, value), language)
            parts.append(name if value is True else f"{name}: {choice}")
        return " · ".join(parts)

    async def board(
        self,
        row: MatchRow,
        match: Match,
        facts: Sequence[Fact],
        reader: Reader,
        *,
        ping: bool = False,
        mirror: bool = False,
        look: Look | None = None,
        note: str = "",
        extra: tuple[tuple[str, bytes, str], ...] = (),
    ) -> Outgoing:
        """The board after a change: what happened, who is next, the picture, the buttons.

        `look` is given where one person looks at it alone.
        """
        scene = self.scene(match, reader.seat, facts, look)
        if not reader.text:
            self.studio.begin(scene, reader.language, reader.theme)  # drawn while the rest is written
        lines = [self.told(row, match, facts, reader)]
        status, called = self.status(row, match, reader, ping=ping)
        lines.append(status)
        if look is not None:
            lines.append(self.hand(row, match, reader))
        if note:
            lines.append(note)
        if ping and match.plays == 0 and match.ending is None and draws(match.game, match.setup):
            lines.append("-# " + self.say(msg("bot.board.fair", commit=match.commit), reader.language))
        if ping and match.plays == 0 and match.game.lots(match.setup) and row.previous is None:
            lines.append("-# " + self.say(msg("bot.board.lots"), reader.language))
        lines.append(self.footer(row, match, reader, hint=ping))
        if reader.text:
            lines.insert(0, self.text_board(scene, reader))
            files: tuple[tuple[str, bytes, str], ...] = ()
        else:
            files = (await self.picture(scene, reader, f"{row.id}-{match.seq}.png"),)
        content = "\n".join(line for line in lines if line)
        items = under_board(self, row, match, reader, mirror=mirror, look=look)
        return Outgoing(content, files + extra, items, called)

    def notice(self, row: MatchRow, match: Match, facts: Sequence[Fact], reader: Reader) -> Outgoing:
        """A line without a picture: a draw was offered or declined. Offers can be answered by a button."""
        told = self.told(row, match, facts, reader)
        items: tuple[Press, ...] = ()
        called: tuple[int, ...] = ()
        if match.offers and not match.ending:
            asked = [row.seats[s] for s in sorted(match.playing - match.offers)]
            called = tuple(s.user for s in asked if s.occupant == "person" and s.user is not None)
            agree = self.say(msg("bot.button.agree"), reader.language)
            decline = self.say(msg("bot.button.decline_draw"), reader.language)
            items = (
                Press.make(Call("agree", row.id, match.seq), agree, STYLE.success),
                Press.make(Call("refuse", row.id, match.seq), decline),
            )
            told += " " + " ".join(f"<@{user}>" for user in called)
        return Outgoing(f"{told}\n-# `{row.id}`", (), items, called)

    async def lobby(self, row: MatchRow, reader: Reader, *, picture: bool) -> Outgoing:
        """The table: game, seats, options, and buttons to take a seat."""
        language = reader.language
        game = registry.get(row.game)
        setup = game.setup(len(row.seats), row.options)
        lines = [
            f"## {self.title(row, language)} · `{row.id}`",
            self.say(msg(f"{row.game}.tagline"), language),
        ]
        for seat in row.seats:
            look = game.look(setup, Seat(seat.seat))
            line = f"{look.sign} **{self.say(look.name, language)}**: {self.occupant(seat, language)}"
            if seat.occupant == "invited" and seat.user is not None:
                line += f" <@{seat.user}>"
            if seat.user is not None and seat.user == row.host:
                line += " · " + self.say(msg("bot.seat.host"), language)
            lines.append(line)
        printed = self.say(msg("bot.lobby.printed"), language)
        lines.append("-# " + (self.options(row, language, chosen_only=True) or printed))
        called: tuple[int, ...] = ()
        items: tuple[Press, ...] = ()
        if row.status == "lobby":
            if row.expires is not None:
                when = discord.utils.format_dt(row.expires, "R")
                lines.append("-# " + self.say(msg("bot.lobby.expires", when=when), language))
            if game.lots(setup) and row.previous is None:
                lines.append("-# " + self.say(msg("bot.lobby.lots"), language))
            if (advice := game.advice(setup)) is not None:
                lines.append("-# " + self.say(advice, language))
            if draws(game, setup):
                sealed = commitment(bytes.fromhex(row.secret))
                lines.append("-# " + self.say(msg("bot.lobby.fair", commit=sealed), language))
            called = tuple(s.user for s in row.seats if s.occupant == "invited" and s.user is not None)
            items = under_table(self, row, language)
        else:
            lines.append(self.say(msg(f"bot.lobby.{row.status}"), language))
        lines.append("-# " + self.say(msg(f"{row.game}.credit"), language))
        files: tuple[tuple[str, bytes, str], ...] = ()
        if picture:
            scene = game.scene(game.view(game.start(setup).state, None), None)
            files = (await self.picture(scene, reader, f"{row.game}-{setup.seats}.png"),)
        return Outgoing("\n".join(lines), files, items, called)

    def thread_name(self, row: MatchRow, language: str) -> str:
        """The name of a match's thread: game, players, id; at most 100 signs."""
        players = " – ".join(
            self.say(msg("bot.seat.computer", level=s.level), language)
            if s.occupant == "computer"
            else " ".join(s.name.split())[:24]
            for s in row.seats
        )
        title = self.title(row, language)
        return f"{title}: {players}"[: 100 - len(row.id) - 3] + f" · {row.id}"


def _how(match: Match) -> Msg:
    """How to go on from a board: openly, in secret, or not at all."""
    if match.ending:
        return msg("bot.board.over")
    secret = msg("bot.board.secret", view=own_view(match.game))
    return secret if unseen(match) else msg("bot.board.how")


def unseen(match: Match) -> bool:
    """Whether seats choose at once what others are not to see."""
    return match.game.hidden and len(match.to_act) > 1
