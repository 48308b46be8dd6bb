"""Make the messages that show a board or a lobby: text, picture with alt text, and buttons, for one reader.

What the reader may know was decided before, by the game's view.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from bot.messages.buttons import board_buttons
from bot.messages.clock import clock_line, with_time_left
from bot.messages.films import Replays
from bot.messages.hints import hints_line
from bot.messages.lobby import COMMITMENT_CHARS, lobby_items, lobby_lines, people_invited
from bot.messages.match import (
    computer_resigned,
    footer,
    hand_text,
    mentions,
    names_first_player,
    needs_no_footer,
    short_footer,
    status_line,
    what_happened,
)
from bot.messages.outgoing import File, Outgoing
from bot.messages.picture_cache import Pictures
from bot.messages.scenes import ViewState, base_scene, numbers_file, scene_for, with_text_board
from bot.messages.story import story_at_end
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine import registry
from games.engine.game import Fact
from games.engine.match import Kind, Match
from games.engine.message import msg
from matches.clocks.timekeeper import ClockFace
from matches.lobby.lobby_rules import draws_lots
from matches.lookback.story import Story
from matches.store.rows import MatchRow
from matches.store.standing import MatchLength

_MIRROR_HEAD = 100
"""Characters that the first line of a mirror may take."""


class Presenter:
    """Makes the messages of boards and lobbies."""

    def __init__(self, pictures: Pictures, replays: Replays, analysed: Collection[str] = ()) -> None:
        """`analysed` has the keys of the games whose finished matches can be analysed."""
        self.pictures = pictures
        self.replays = replays
        self._analysed = analysed

    def draw_ahead(self, match: Match, facts: Sequence[Fact], reader: Reader, face: ClockFace | None) -> None:
        """Start drawing the picture that `board` will need in a moment, if it shows then what `face` does."""
        self.pictures.begin(with_time_left(scene_for(match, reader.seat, facts), face), reader)

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
        look: ViewState | None = None,
        note: str = "",
        news: str = "",
        extra: tuple[File, ...] = (),
        face: ClockFace | None = None,
        story: Story | None = None,
    ) -> Outgoing:
        """Return the message of a board: what happened, who is next, the picture, the buttons.

        `own` marks a board in the match's own channel, which is answered with moves; `look` is given for a
        private view. `news` is shown in place of the facts, `face` has the clocks of that position,
        if it has any. Two lines of the `story` are shown where they fit.
        """
        scene = with_time_left(scene_for(match, reader.seat, facts, look), face)
        if not reader.text:
            self.pictures.begin(scene, reader)  # drawn while the rest is written
        happened = news or what_happened(row, match, facts, reader)
        if own and not news and names_first_player(match, facts):
            happened = ""
        status = " ".join(filter(None, (status_line(row, match, reader), clock_line(row, face, reader))))
        short = own and needs_no_footer(row, match)
        lines = [happened, status + mentions(ping) + (short_footer(row, match, reader) if short else "")]
        if look is not None:
            lines.append(hand_text(row, match, reader))
        lines.append(note)
        if computer_resigned(row, match):
            lines.append(reader.say(msg("bot.board.computer_resigned")))
        if match.ending is not None and (used := hints_line(row, match, reader)):
            lines.append(f"-# {used}")
        first = own and match.plays == 0 and all(entry.kind is not Kind.TAKEBACK for entry in match.log)
        opening = _first_words(row, match, reader) if first else ()
        small = "" if short else footer(row, match, reader, hint=own, first=opening)
        plain = "\n".join(line for line in (*lines, small) if line)
        story_text = "" if story is None else story_at_end(row, story, reader)
        content = "\n".join(line for line in (*lines, story_text, small) if line)
        if len(content) > MAX_CONTENT - _MIRROR_HEAD:
            content = plain
        files: tuple[File, ...] = ()
        if reader.text:
            shown, files = with_text_board(scene, reader, content)
            if files and content != plain:  # rather the board in the message than the story
                shown, files = with_text_board(scene, reader, plain)
            content = shown
        else:
            files = (await self.pictures.file(scene, reader, f"{row.id}-{match.seq}.png"),)
        if look is not None:
            files += numbers_file(scene, reader)
        items = board_buttons(
            row, match, reader, mirror=mirror, look=look, analysed=row.game in self._analysed
        )
        return Outgoing(content, files + extra, items, tuple(ping))

    async def lobby(
        self,
        row: MatchRow,
        reader: Reader,
        *,
        picture: bool = True,
        begins: Match | None = None,
        length: MatchLength | None = None,
        kept: Mapping[int, int] | None = None,
    ) -> Outgoing:
        """Return the message of a lobby: game, seats, options, the starting board, buttons to take a seat.

        `begins` is the position in which the match begins, if that isn't the start of its game. `length` is
        how long matches like this have taken, if enough of them are over; `kept` has the share of matches
        that people have played to their end, in percent, where that means something.
        """
        game = registry.get(row.game)
        setup = game.setup(len(row.seats), row.options)
        lines = "\n".join(lobby_lines(row, setup, reader, length, kept or {}))
        scene = game.scene(game.view(game.start(setup).state, None), None)
        name = f"{row.game}-{setup.seats}.png"
        if begins is not None:
            scene, name = base_scene(begins, None), f"{row.game}-{begins.plays}.png"
        files: tuple[File, ...] = ()
        if picture:
            files = (await self.pictures.file(scene, reader, name),)
        if row.status != "lobby":
            return Outgoing(lines, files)
        return Outgoing(lines, files, lobby_items(row, reader), people_invited(row))


def _first_words(row: MatchRow, match: Match, reader: Reader) -> tuple[str, ...]:
    """Return what the small print of the first board adds: the dice are sealed, the seats were drawn."""
    words = []
    if match.ending is None and match.game.has_dice:
        words.append(reader.say(msg("bot.board.fair", commit=match.commit[:COMMITMENT_CHARS])))
    if draws_lots(row, match.game, match.setup):
        words.append(reader.say(msg("bot.board.lots")))
    return tuple(words)
