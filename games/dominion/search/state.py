"""Dominion as a position that is changed in place: its moves with their gains, its values, its draws."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from games.dominion import endings, facts, fate
from games.dominion.actions import NO, Action
from games.dominion.board import (
    NO_SIDE,
    ORTHOGONAL_NEIGHBOURS,
    STRADDLE_PARTNERS,
    STRONGHOLDS,
    TERRITORY_OF,
    distance,
)
from games.dominion.position import EMPEROR, PEASANT, PRINCE, Position, piece
from games.dominion.search.course import DominionCourse
from games.dominion.search.generator import all_moves, captures
from games.dominion.search.tables import (
    COUNT,
    FATE_BASE,
    HEIR,
    MATERIAL,
    MATERIAL_NAMES,
    MOVE,
    NEAR,
    PASS_MOVE,
    PHASES,
    PIECE_HASH,
    STAY_MOVE,
    STRONG,
    SUCCESSION,
    ZONE,
    Standing,
    action_of,
    find_standing,
    number_of,
    place_features,
)
from games.dominion.search.weights import (
    AHEAD,
    BEATEN,
    BOTH,
    CALM,
    FALL,
    ODDS_SCALE,
    SPREAD,
    TRADE,
    WEIGHTS,
    Weight,
)
from games.engine.search import MOVE_BITS, MOVE_MASK, OVER
from games.engine.values import CHANCE

_EMPEROR_GAIN: Final = 20_000
"""More than the fall of a whole team changes."""
_TERRITORY: Final = WEIGHTS["territory"]
_RECRUIT: Final = 300
"""More than a Peasant that changes sides or is armed is worth, its place included."""
_PARTS: Final = 384
"""Every chance of a throw of the sticks is a multiple of 1 in this number."""


class DominionSearch(DominionCourse):
    """A position of Dominion for searching; made by `from_position`."""

    __slots__ = ()

    bounding_gains: ClassVar[bool] = True
    can_skip: ClassVar[bool] = True
    odds_scale: ClassVar[float] = ODDS_SCALE
    spread: ClassVar[float] = SPREAD

    @classmethod
    def from_position(cls, position: Position) -> DominionSearch:
        """Return the position for searching; no Sergeants may be left to choose."""
        made = cls(position.law)
        made._fill(position)
        return made

    def features(self) -> tuple[int, ...]:
        """Return the features in the order of WEIGHTS, each as the first camp's less the second's.

        Only for two camps. But for a lead that counts more when less is left, and for Emperors that have
        fallen, `evaluate` is their sum by weight.
        """
        found: dict[Weight, int] = dict.fromkeys(WEIGHTS, 0)
        realm = self._realm
        for holder in realm.control:
            if holder >= 0:
                found["territory"] += -1 if self.teams[holder] else 1
        for at, code in enumerate(self._board):
            seat, kind = (code >> 4) - 1, code & 15
            if seat >= 0:
                sign = -1 if self.teams[seat] else 1
                if kind != EMPEROR:
                    found[MATERIAL_NAMES[kind - PRINCE]] += sign
                standing = self._standing(seat)
                for name, n in place_features(standing, kind, at).items():
                    found[name] += sign * n
        return tuple(found.values())

    def _standing(self, seat: int) -> Standing:
        realm = self._realm
        return find_standing(self._law.sides[seat], seat, self.teams, realm.zones, realm.control)

    # --- moves ------------------------------------------------------------------------------------------

    def moves(self) -> list[int]:
        """Return every move of the seat to act."""
        if self._phase != MOVE:
            return self._answers()
        return [packed & MOVE_MASK for packed in self._listed()] or [PASS_MOVE]

    def _listed(self) -> list[int]:
        seat, realm = self._seat, self._realm
        return all_moves(
            self._board, realm.control, self._relations[seat], seat, realm.rows[seat], self._prize
        )

    def scored(self) -> list[int]:
        """Return every move with its gain: at least what it adds, except by surrounding, which is rare."""
        if self._phase != MOVE:
            return self._tried(self._answers())
        found = self._listed()
        if not found:
            return [PASS_MOVE]
        seat, board = self._seat, self._board
        if extra := self._extras(seat):
            found = [packed + extra.get((packed & MOVE_MASK) % COUNT, 0) for packed in found]
        throne = board.find(piece(seat, EMPEROR))
        if throne < 0:
            return found
        zone, begin, end = ZONE[throne], throne * COUNT, (throne + 1) * COUNT
        cross = [
            packed
            for packed in found
            if begin <= packed & MOVE_MASK < end and ZONE[(packed & MOVE_MASK) - begin] != zone
        ]
        if cross:
            out = set(cross)
            found = [packed for packed in found if packed not in out]
            found += self._tried([packed & MOVE_MASK for packed in cross])
        return found

    def _answers(self) -> list[int]:
        """Return the moves of an heir, or the answers to Fate."""
        board, seat = self._board, self._seat
        if self._phase == HEIR:
            src = board.find(piece(seat, PRINCE))
            every = (packed & MOVE_MASK for packed in self._listed())
            return [STAY_MOVE, *(move for move in every if move // COUNT == src)]
        control, camps = self._realm.control, self._law.camps
        return [
            number_of(each) for each in fate.list_choices(board, control, camps, PHASES[self._phase], seat)
        ]

    def _tried(self, moves: list[int]) -> list[int]:
        """Return moves with their exact gains, by making them."""
        seat = self._seat
        now, found = self.evaluate(seat), []
        for move in moves:
            self.make(move)
            gain = _EMPEROR_GAIN if self.turn == OVER else self.evaluate(seat) - now
            self.unmake()
            found.append((gain << MOVE_BITS) + move)
        return found

    def noisy(self) -> list[int]:
        """Return the moves that take a unit."""
        if self._phase != MOVE:
            return []
        seat, teams = self._seat, self.teams
        team, enemies = teams[seat], 0
        for other, army in enumerate(self._armies):
            if teams[other] != team:
                enemies |= army
        return captures(self._board, enemies, seat, self._realm.rows[seat], self._prize)

    def _prize(self, code: int, at: int) -> int:
        """Return what taking a piece gains at most, shifted."""
        kind, loser = code & 15, (code >> 4) - 1
        if loser < 0:
            return 0
        realm = self._realm
        if kind == EMPEROR or (kind == PRINCE and loser in realm.pending):
            return _EMPEROR_GAIN << MOVE_BITS
        lost = MATERIAL[kind]
        if STRONG >> at & 1 and realm.control[TERRITORY_OF[at]] == loser:
            lost += _TERRITORY + _RECRUIT * self._board.count(piece(loser, PEASANT))
        if NEAR[at] & realm.peasants and self._contests(at, loser):
            lost += _RECRUIT
        place = realm.rows[loser][kind][at]
        if self._camps != 2:
            return max(0, (lost << MOVE_BITS) + place)
        a, b = self._sums()
        if self.teams[self._seat]:
            return (self._lead(b, a - lost) - self._lead(b, a) << MOVE_BITS) + place
        return (self._lead(a, b - lost) - self._lead(a, b) << MOVE_BITS) + place

    def _contests(self, at: int, seat: int) -> bool:
        """Return whether a unit is one of two that contend for a free Peasant, which others may then get."""
        board, army = self._board, self._armies[seat]
        return any(
            board[middle] == PEASANT and army >> other & 1
            for middle, other in STRADDLE_PARTNERS[self._law.straddle][at]
        )

    def _extras(self, seat: int) -> dict[int, int]:
        """Return by square what arriving there may gain besides, shifted: Peasants or a Territory."""
        board, realm, army = self._board, self._realm, self._armies[seat]
        found: dict[int, int] = {}
        pivots = STRADDLE_PARTNERS[self._law.straddle]
        left, most = realm.peasants, 0
        while left:
            low = left & -left
            left ^= low
            middle = low.bit_length() - 1
            beside = NEAR[middle] & army
            if not beside or board[middle] >> 4 == seat + 1:
                continue
            most = most or self._steepest()
            while beside:
                bit = beside & -beside
                beside ^= bit
                for where, other in pivots[bit.bit_length() - 1]:
                    if where == middle:
                        found[other] = found.get(other, 0) + _RECRUIT * most
        code = piece(seat, PEASANT)
        own = board.count(code)
        for side, holder in enumerate(realm.control):
            forts = STRONGHOLDS[side]
            if holder != seat and any(army >> at & 1 for at in forts):
                most = most or self._steepest()
                for at in forts:
                    found[at] = found.get(at, 0) + (2 * _TERRITORY + _RECRUIT * own) * most
        if own:
            src = board.find(code)
            while src >= 0:
                for at in ORTHOGONAL_NEIGHBOURS[src]:
                    side = TERRITORY_OF[at]
                    if side != NO_SIDE and realm.control[side] == seat:
                        most = most or self._steepest()
                        found[at] = found.get(at, 0) + _RECRUIT * most
                src = board.find(code, src + 1)
        return found

    def _steepest(self) -> int:
        """Return how much a hundredth of material counts at most, shifted."""
        if self._camps != 2:
            return 1 << MOVE_BITS
        return 2 + 2 * TRADE[self._late] // (sum(self._material) + BOTH) << MOVE_BITS

    # --- values -----------------------------------------------------------------------------------------

    def _sums(self) -> tuple[int, int]:
        """Return the material of both camps."""
        material = self._material
        if len(material) == 2:
            return material[0], material[1]
        return material[0] + material[2], material[1] + material[3]

    def _lead(self, a: int, b: int) -> int:
        """Return what more material is worth: the same lead counts more when less is left."""
        more = abs(a - b) * TRADE[self._late] // (a + b + BOTH)
        return a - b + more if a > b else a - b - more

    def evaluate(self, seat: int) -> int:
        """Return a seat's value: its camp's strength, compared with the others'."""
        pending, teams = self._realm.pending, self.teams
        if self._camps != 2:
            return self._among_many(seat)
        places = self._places
        a, b = self._sums()
        value = self._lead(a, b)
        ahead = places[0] - places[1]
        if len(places) == 4:
            ahead += places[2] - places[3]
        value += ahead >> MOVE_BITS
        for other in pending:
            fall = FALL[self._law.succession]
            value += fall if teams[other] else -fall
        return -value if teams[seat] else value

    def _among_many(self, seat: int) -> int:
        """Return a seat's strength less the mean of the best rival's and the average of all."""
        realm, fall = self._realm, FALL[self._law.succession]
        score = [
            BEATEN
            if other in realm.out
            else material + (place >> MOVE_BITS) - (fall if other in realm.pending else 0)
            for other, (material, place) in enumerate(zip(self._material, self._places, strict=True))
        ]
        own = score.pop(seat)
        return own - (max(score) + sum(score) // len(score)) // 2

    def result(self) -> tuple[float, ...] | None:
        """Return the shares of the seats at the end."""
        return self._result

    def chances(self) -> Sequence[tuple[int, int]]:
        """Return what Fate may throw, with weights."""
        law = self._law
        if self.turn != CHANCE:
            return ()
        found = [(FATE_BASE + n, int(_PARTS * facts.sticks_chance(law, n))) for n in fate.faces(law)]
        if self._phase == SUCCESSION and law.succession == "kind":
            return found
        return [(FATE_BASE + NO, _PARTS * (law.fate - 1)), *found]

    # --- progress ---------------------------------------------------------------------------------------

    def press(self) -> bool:
        """Let the seat to act avoid where it has been, and hunt more the longer nothing has happened."""
        seat = self.turn
        if self._phase != MOVE or seat < 0:
            return False
        self._returns = self._find_returns()
        turns = endings.MAX_QUIET_TURNS * (len(self.teams) - len(self._realm.out))
        force = sum(100 * self._quiet // turns >= limit for limit in CALM)
        if force and self.evaluate(seat) >= AHEAD:
            places = self._places
            self._forces = tuple(force * (each == seat) for each in range(len(places)))
            self._count_all(self._board)
            self._offsets = tuple(was - now for was, now in zip(places, self._places, strict=True))
            self._places = places
        return bool(self._returns) or any(self._forces)

    def _find_returns(self) -> frozenset[int]:
        """Return the moves that put all pieces of the seat to act where they stood on the trail."""
        owner, board = self._seat + 1, bytearray(self._board)

        def change(move: int) -> int:
            """Return what exchanging the seat's pieces on the squares of a move does to their hash."""
            src, dst = divmod(move, COUNT)
            one, two = PIECE_HASH[board[src]], PIECE_HASH[board[dst]]
            return one[src] ^ one[dst] ^ two[src] ^ two[dst]

        shift, been = 0, {0}
        for move in reversed(self._trail):
            src, dst = divmod(move, COUNT)
            if board[dst] >> 4 == owner:
                shift ^= change(move)
                been.add(shift)
            board[src], board[dst] = board[dst], board[src]
        board[:] = self._board
        quiet = [move for move in self.moves() if board[move % COUNT] >> 4 in (0, owner)]
        return frozenset(move for move in quiet if board[move % COUNT] != PEASANT and change(move) in been)

    # --- to and from the game ---------------------------------------------------------------------------

    def action(self, move: int) -> Action:
        """Return the game's action."""
        return action_of(move)

    def find(self, action: Any) -> int:
        """Return the number of an action. Raises ValueError for one that isn't possible."""
        move = number_of(action)
        if move not in (self.moves() if self.turn >= 0 else [draw for draw, _ in self.chances()]):
            raise ValueError(f"{action.text} isn't possible now")
        return move

    def visibility(self, move: int) -> int:
        """Return how easily a person sees a move: short or near the last one, a capture, the Emperor's."""
        if move >= PASS_MOVE:
            return 80
        src, dst = divmod(move, COUNT)
        there = self._board[dst] & 15
        if there == EMPEROR:
            return 100
        near = max(0, 20 - 4 * distance(self._last, dst)) if self._last >= 0 else 0
        takes = 0 if not there or there == PEASANT else 20 + MATERIAL[there] // 40
        throne = 25 if self._board[src] & 15 == EMPEROR else 0
        return max(0, min(100, 62 - 5 * distance(src, dst) + near + takes + throne))
