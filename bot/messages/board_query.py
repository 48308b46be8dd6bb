"""Answer questions about a board in words: a line, a place and its neighbours, pieces, the score.

For people who play by ear. Pure functions of a scene and a voice. Places go by their names on the board; dice
also by the letter of their seat and a number. A question that can't be answered gives None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import assert_never

from bot.messages.crop import search_key
from games.engine import grid
from games.engine.message import Msg, Value, msg
from games.engine.scene import Grid, Hexes, Lines, Map, Panel, Scene, Token
from render.piles import guards_at, piles, zone_owners
from render.text import row_text

_EIGHT = tuple((x, y) for y in (1, 0, -1) for x in (-1, 0, 1) if (x, y) != (0, 0))
_SPOKEN_MARKS = ("from", "to", "captured", "changed", "contested", "legal", "hint")


@dataclass(frozen=True)
class BoardQuery:
    """A scene that one reader may see, with their voice and their seat (None for spectators)."""

    scene: Scene
    say: Callable[[Msg], str]
    seat: int | None = None

    # --- questions ----------------------------------------------------------------------------------------

    def scan(self, where: str) -> str | None:
        """Describe a file, rank, row or line of dice in order; or one place and what is around it."""
        wanted = where.casefold().strip()
        if (place := self._place(wanted)) is not None:
            return self._describe_place(place)
        places = self._line(wanted)
        if not places:
            return None
        ends = f"{self.spoken(places[0])}–{self.spoken(places[-1])}"
        board = self.scene.board
        zones = board.zones if isinstance(board, Map) else ()
        line = next((self.say(z.name) for z in zones if z.name and set(places) <= z.places), ends)
        lying = [self._lies(place) for place in places if place in self._stacks]
        if not lying:
            return self._told("look.line.empty", line=line)
        return self._told("look.line", line=line, what=tuple(lying))

    def where(self, typed: str) -> str | None:
        """List where the pieces are that match every typed word: kind, name or letter of a seat, `mine`."""
        wanted = typed.casefold().split()
        found: dict[str, list[str]] = {}
        for place, stack in self._stacks.items():
            for token in dict.fromkeys(stack):
                if wanted and all(self._fits(word, token) for word in wanted):
                    found.setdefault(self.piece(token), []).append(self.spoken(place))
        if not found:
            return None
        told = (self._told("look.found", what=what, at=" ".join(at)) for what, at in found.items())
        return "\n".join(told)

    def score(self) -> str:
        """Return a line for each seat with what lies beside the board, then who holds each area."""
        lines = [self.say(self.scene.headline), *map(self._panel, self.scene.panels)]
        for zone, ink in zone_owners(self.scene):
            holder = self._seats.get(ink) if ink is not None else None
            named = (token.name for token in self.scene.tokens if token.count and token.ink == ink)
            who = next(named, None) if holder is None else holder.name
            if who is None:
                lines.append(self._told("look.zone.free", zone=zone))
            else:
                lines.append(self._told("look.zone.held", zone=zone, who=who))
        return "\n".join(lines)

    def kinds(self) -> tuple[str, ...]:
        """Return what `where` can find: the kinds of pieces, or the seats where pieces have no names."""
        named = dict.fromkeys(self.say(token.name) for token in self.scene.tokens if token.name is not None)
        seats = tuple(self.say(panel.name) for panel in self.scene.panels)
        if isinstance(self.scene.board, Map):
            return (*seats, *named)
        return tuple(named) or seats

    def examples(self) -> tuple[str, ...]:
        """Return places and lines of this board that `scan` can describe."""
        board = self.scene.board
        if isinstance(board, Lines):
            codes = [self.spoken(f"{line}1") for line in "ab"]
            return (codes[0][0], codes[0])
        if isinstance(board, Map):
            return tuple(sorted(board.places)[:3])
        places = sorted(board.places, key=grid.coordinates)
        middle = places[len(places) // 2]
        return (middle[0], middle[1:], middle) if isinstance(board, Grid) else (middle[0], middle)

    # --- pieces and places --------------------------------------------------------------------------------

    @cached_property
    def _stacks(self) -> Mapping[str, tuple[Token, ...]]:
        return piles(self.scene)

    @cached_property
    def _seats(self) -> Mapping[str, Panel]:
        return {panel.ink: panel for panel in self.scene.panels}

    @cached_property
    def _letters(self) -> Mapping[str, str]:
        """The lines of dice by the letter of their seat."""
        sides = (panel for panel in self.scene.panels if panel.seat in (0, 1))
        return {panel.code.casefold(): "ab"[panel.seat] for panel in sides}

    def piece(self, token: Token) -> str:
        """Return whose piece it is, and of what kind."""
        panel = self._seats.get(token.ink)
        if token.count:
            free = token.name if token.name is not None else msg("look.nobody")
            who = self.say(panel.name if panel is not None else free)
            return self._told("look.armies", who=who, n=token.count)
        if token.name is None:
            return self.say(panel.name) if panel is not None else token.code
        if panel is None:
            return self.say(token.name)
        return self._told("look.piece", who=panel.name, kind=token.name)

    def spoken(self, place: str) -> str:
        """Return the spoken name of a place: the name of an area, seat's letter and number of a die."""
        if isinstance(self.scene.board, Map):
            title = self._titles.get(place)
            return f"{title} ({place})" if title else place
        if not isinstance(self.scene.board, Lines):
            return place
        line = {line: code.upper() for code, line in self._letters.items()}
        return line.get(place[0], place[0]) + place[1:]

    def _lies(self, place: str) -> str:
        stack = self._stacks[place]
        pieces = tuple(map(self.piece, stack))
        what = pieces[0] if len(pieces) == 1 else self._told("look.pile", pieces=pieces)
        return self._told("look.at", at=self.spoken(place), what=what)

    def _fits(self, word: str, token: Token) -> bool:
        panel = self._seats.get(token.ink)
        names = [] if token.name is None else self.say(token.name).casefold().split()
        if panel is not None:
            names += [*self.say(panel.name).casefold().split(), panel.code.casefold()]
        if word in ("mine", "my", "me"):
            return panel is not None and panel.seat == self.seat
        plain = word.removesuffix("s") if len(word) > 2 else word
        return any(name == word or (len(plain) > 1 and name.startswith(plain)) for name in names)

    # --- lines and what is around a place -----------------------------------------------------------------

    def _place(self, typed: str) -> str | None:
        places = self.scene.board.places
        if isinstance(self.scene.board, Map):
            return self._area(typed)
        if isinstance(self.scene.board, Lines) and typed[:1] in self._letters:
            typed = self._letters[typed[:1]] + typed[1:]
        return typed if typed in places else None

    def _line(self, typed: str) -> tuple[str, ...]:
        """Return the places of a file, rank, row of hexagons or line of dice, or of a number in each line."""
        board = self.scene.board
        if isinstance(board, Map):
            return self._continent(board, typed)
        if isinstance(board, Lines):
            typed = self._letters.get(typed, typed)
        numbered = typed.isdecimal()
        if not (numbered or len(typed) == 1) or (numbered and isinstance(board, Hexes)):
            return ()
        part = slice(1, None) if numbered else slice(1)
        return tuple(sorted((p for p in board.places if p[part] == typed), key=grid.coordinates))

    @cached_property
    def _titles(self) -> Mapping[str, str]:
        """The full names of a map's areas."""
        board = self.scene.board
        return {area.name: area.title for area in board.areas} if isinstance(board, Map) else {}

    def _area(self, typed: str) -> str | None:
        """Return the area with this code or name, or the only one whose name begins like this."""
        wanted = search_key(typed)
        names = {place: search_key(title) for place, title in self._titles.items()}
        if typed in names or not wanted:
            return typed if typed in names else None
        same = [place for place, name in names.items() if name == wanted or search_key(place) == wanted]
        begin = same or [place for place, name in names.items() if name.startswith(wanted)]
        return begin[0] if len(begin) == 1 else None

    def _continent(self, board: Map, typed: str) -> tuple[str, ...]:
        """Return the areas of the only continent whose name begins like this."""
        named = [
            z for z in board.zones if z.name and search_key(self.say(z.name)).startswith(search_key(typed))
        ]
        return tuple(sorted(named[0].places & board.places)) if len(named) == 1 and search_key(typed) else ()

    def _around(self, place: str) -> Iterable[str]:
        board = self.scene.board
        if isinstance(board, Map):
            return [near for near in board.neighbours[place] if near in board.places]
        file, rank = grid.coordinates(place)
        if isinstance(board, Grid):
            near = [(file + x, rank + y) for x, y in _EIGHT]
        elif isinstance(board, Hexes):
            near = _hexes_around(board, file, rank)
        elif isinstance(board, Lines):
            near = [(file, rank + step) for step in (-1, 1)]
        else:
            assert_never(board)
        names = (grid.name(x, y) for x, y in near if x >= 0 and y >= 0)
        return [name for name in names if name in board.places]

    def _describe_place(self, place: str) -> str:
        at = self.spoken(place)
        empty = self._told("look.empty", at=at)
        sentences = [self._lies(place) if place in self._stacks else empty, *self._features(place)]
        around = [self._lies(near) for near in self._around(place) if near in self._stacks]
        near = msg("look.around", what=tuple(around)) if around else msg("look.alone")
        return " ".join(map(_with_stop, (*sentences, self.say(near))))

    def _features(self, place: str) -> list[str]:
        """Describe a place itself, what the last move did there, and who guards it."""
        board, told = self.scene.board, []
        if isinstance(board, Grid):
            told += [
                self._told("look.zone.in", zone=self.say(zone.name))
                for zone in board.zones
                if zone.name is not None and place in zone.places
            ]
            joined = sorted({other for pair in board.edges if place in pair for other in pair} - {place})
            told += [self._told("look.joined", at=" ".join(joined))] if joined else []
            told += [self.say(msg("look.fort"))] if place in board.forts else []
            told += [self.say(msg("look.start"))] if place in board.starts else []
        if isinstance(board, Map):
            told += [
                self._told("look.zone.in", zone=self.say(zone.name))
                for zone in board.zones
                if zone.name is not None and place in zone.places
            ]
        if isinstance(board, Grid | Hexes):
            told += [self.say(msg("look.ring"))] if place in board.special else []
        elif isinstance(board, Lines):
            told += [self.say(name) for at, name in board.labels if at == place]
        kinds = dict.fromkeys(mark.kind for mark in self.scene.marks if mark.at == place)
        told += [self.say(msg(f"look.mark.{kind}")) for kind in kinds if kind in _SPOKEN_MARKS]
        guards = [self._seats[ink].name for ink in guards_at(self.scene).get(place, ()) if ink in self._seats]
        return told + ([self._told("look.guarded", who=tuple(guards))] if guards else [])

    def _panel(self, panel: Panel) -> str:
        parts = [self.say(msg(f"look.state.{panel.state}"))] if panel.state != "waiting" else []
        parts += [self._told("look.team", n=panel.team + 1)] if panel.team is not None else []
        parts += (self.say(badge.label) for badge in panel.badges)
        nothing = self.say(msg("render.alt.nothing"))
        parts += (row_text(row, self.say, nothing=nothing) for row in panel.rows)
        parts += self._on_the_board(panel)
        return f"{self.say(panel.name)} ({panel.code}): {'; '.join(parts) or '–'}"

    def _on_the_board(self, panel: Panel) -> list[str]:
        """Count a seat's pieces and piles, unless its panel has the number of each kind."""
        counted = any(item.label is not None for row in panel.rows for item in row.items)
        if counted or not isinstance(self.scene.board, Grid | Hexes):
            return []
        pieces = sum(token.ink == panel.ink for token in self.scene.tokens)
        said = [self._told("look.pieces", n=pieces)]
        if any(len(stack) > 1 for stack in self._stacks.values()):
            piles = sum(stack[-1].ink == panel.ink for stack in self._stacks.values())
            said.append(self._told("look.piles", n=piles))
        return said

    def _told(self, key: str, **values: Value) -> str:
        return self.say(msg(key, **values))


def _hexes_around(board: Hexes, row: int, at: int) -> list[tuple[int, int]]:
    """Return rows and numbers of the six neighbours of a hexagon, including any off the board."""
    near = [(row, at - 1), (row, at + 1)]
    for other in (row + 1, row - 1):
        if 0 <= other < len(board.rows):
            first = at if board.rows[other] > board.rows[row] else at - 1
            near += [(other, first), (other, first + 1)]
    return near


def _with_stop(text: str) -> str:
    return text if text.endswith((".", "!", "?", "。", "！", "？")) else text + "."
