"""Boards and lobbies as messages: texts, a picture with its alt text, and buttons, for one reader.

Words and layout only. What a reader may know was decided by the game's view.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from bot.messages import crop
from bot.messages.buttons import Look, under_board
from bot.messages.lobby import SHOWN, lobby_items, lobby_lines, people_invited
from bot.messages.match import footer, hand_text, pings, status_line, uses_chance, what_happened
from bot.messages.outgoing import File, Outgoing
from bot.messages.pictures import Pictures, numbers_file, text_board
from bot.platform.readers import Reader
from games.engine import registry
from games.engine.game import Fact, Seat
from games.engine.match import Match
from games.engine.message import msg
from games.engine.scene import Mark, Scene
from matches.ports import MatchRow


def scene_for(
    match: Match,
    viewer: Seat | None,
    facts: Sequence[Fact] = (),
    look: Look | None = None,
    marks: tuple[Mark, ...] = (),
) -> Scene:
    """Return the position as the viewer may see it, with what the facts point at, and what is looked for."""
    view = match.game.view(match.state, viewer)
    scene = match.game.scene(view, viewer)
    marks += tuple(m for fact in facts if fact.to is None or viewer in fact.to for m in fact.marks)
    if look is not None:
        marks += tuple(mark for key in look.overlays for mark in match.game.overlay(view, key))
    if marks:
        scene = replace(scene, marks=scene.marks + marks)
    return scene if look is None or not look.part else crop.closely(scene, look.part)


class Presenter:
    """Makes the messages that have pictures."""

    def __init__(self, pictures: Pictures, analysed: Collection[str] = ()) -> None:
        """`analysed` are the keys of the games of which finished matches can be analysed."""
        self.pictures = pictures
        self._analysed = analysed

    def foresee(self, match: Match, facts: Sequence[Fact], reader: Reader) -> None:
        """Begin to draw a board that will be wanted in a moment, as `board` will ask for it."""
        self.pictures.begin(scene_for(match, reader.seat, facts), reader)

    async def board(
        self,
        row: MatchRow,
        match: Match,
        facts: Sequence[Fact],
        reader: Reader,
        *,
        own: bool = False,
        ping: Sequence[int] = (),
        mirror: bool = False,
        look: Look | None = None,
        note: str = "",
        extra: tuple[File, ...] = (),
    ) -> Outgoing:
        """Return the board after a change: what happened, who is next, the picture, the buttons.

        `own` says that it is a board of the match itself, to which moves are replied; `look` is given where
        one person looks at it alone.
        """
        scene = scene_for(match, reader.seat, facts, look)
        if not reader.text:
            self.pictures.begin(scene, reader)  # drawn while the rest is written
        lines = [what_happened(row, match, facts, reader), status_line(row, match, reader) + pings(ping)]
        if look is not None:
            lines.append(hand_text(row, match, reader))
        lines.append(note)
        if own and match.plays == 0:
            lines += _first_lines(row, match, reader)
        lines.append(footer(row, match, reader, hint=own))
        files: tuple[File, ...] = ()
        if reader.text:
            lines.insert(0, text_board(scene, reader))
        else:
            files = (await self.pictures.file(scene, reader, f"{row.id}-{match.seq}.png"),)
        if look is not None:
            files += numbers_file(scene, reader)
        items = under_board(row, match, reader, mirror=mirror, look=look, analysed=row.game in self._analysed)
        return Outgoing("\n".join(line for line in lines if line), files + extra, items, tuple(ping))

    async def lobby(self, row: MatchRow, reader: Reader) -> Outgoing:
        """Return a lobby: game, seats, options, the board at the start, and buttons to take a seat."""
        game = registry.get(row.game)
        setup = game.setup(len(row.seats), row.options)
        lines = "\n".join(lobby_lines(row, setup, reader))
        scene = game.scene(game.view(game.start(setup).state, None), None)
        files = (await self.pictures.file(scene, reader, f"{row.game}-{setup.seats}.png"),)
        if row.status != "lobby":
            return Outgoing(lines, files)
        return Outgoing(lines, files, lobby_items(row, reader), people_invited(row))


def _first_lines(row: MatchRow, match: Match, reader: Reader) -> list[str]:
    """What is said once, on the first board: that the dice are sealed, and the seats drawn by lot."""
    lines = []
    if match.ending is None and uses_chance(match.game, match.setup):
        lines.append("-# " + reader.say(msg("bot.board.fair", commit=match.commit[:SHOWN])))
    if match.game.seats_by_lot(match.setup) and row.previous is None:
        lines.append("-# " + reader.say(msg("bot.board.lots")))
    return lines
