"""The course of Dominion for searching: what a move or a draw changes, and how it is taken back.

The board is a string of bytes as the judge's; a move copies it, so that what is taken back needs only to be
put back. Values, sets of squares and the hash follow each step. Whatever a step sets off (Peasants recruited,
Territories lost, teams that fall) is left to the judge's own `consequences`, after which all is counted anew;
that is seldom.

By the rules every move is followed by a throw of Fate, which mostly changes nothing, whatever the move was. A
search that looked into each throw would see little else. So it asks the state to `presume`: then a move is
followed at once by the next seat's, and no heir succeeds.
"""

from __future__ import annotations

from typing import Final

from games.dominion import consequences, endings, fate
from games.dominion.actions import NO
from games.dominion.board import STRADDLE_PARTNERS
from games.dominion.position import (
    EMPEROR,
    PEASANT,
    PRINCE,
    SERGEANT,
    SOLDIER,
    controllers,
    piece,
    put,
)
from games.dominion.search.tables import (
    BIT,
    COUNT,
    DEMOTE_BASE,
    ENDED,
    FATE_BASE,
    FATE_DUE,
    HEIR,
    LAND,
    LATE_HASH,
    MATERIAL,
    MOVE,
    NEAR,
    PASS_MOVE,
    PEASANT_BASE,
    PENDING_HASH,
    PHASES,
    PIECE_HASH,
    PROMOTE_BASE,
    RETURN_HASH,
    RING,
    STAY_MOVE,
    STRONG,
    SUCCESSION,
    ZONE,
)
from games.dominion.search.tallies import DominionTallies
from games.dominion.search.weights import RETURN
from games.engine.search import MOVE_BITS

_CHOICES: Final = {n: PHASES.index(phase) for n, phase in fate.CHOICE_BY_STICKS.items()}
_KINDS: Final = 16


class DominionCourse(DominionTallies):
    """A position with `make` and `unmake`."""

    __slots__ = ()

    # --- making moves -----------------------------------------------------------------------------------

    def make(self, move: int) -> None:
        """Play a move, or a draw of Fate."""
        self._save()
        if move < PASS_MOVE:
            self._step(move // COUNT, move % COUNT)
            if move in self._returns and len(self._undo) == 1:
                self._charge()
        elif move == PASS_MOVE:
            self._finish()
        elif move >= PEASANT_BASE:
            self._answer(move)
        elif move == STAY_MOVE:
            at = self._board.find(piece(self._seat, PRINCE))
            self._crown(put(self._board, {at: piece(self._seat, EMPEROR)}))
            self._end_turn()
        else:
            self._draw(move - FATE_BASE)

    def _save(self) -> None:
        self._undo.append((
            self._board, self._armies, self._material, self._places, self._realm, self._phase, self._seat,
            self._round, self._quiet, self._stirred, self._late, self._last, self._result,
            self.key, self.turn,
        ))  # fmt: skip

    def unmake(self) -> None:
        """Take back the last move."""
        (
            self._board, self._armies, self._material, self._places, self._realm, self._phase, self._seat,
            self._round, self._quiet, self._stirred, self._late, self._last, self._result,
            self.key, self.turn,
        ) = self._undo.pop()  # fmt: skip

    def skip_to(self, seat: int) -> None:
        """Give the turn to another seat."""
        self._save()
        self._enter(MOVE, seat)

    def can_move(self, seat: int) -> bool:
        """Return whether a seat could move or pass if it were its turn."""
        if seat == self.turn:
            return True
        return seat not in self._realm.out and seat not in self._realm.pending and self._result is None

    def _charge(self) -> None:
        """Let the first move cost what going back to where one has been costs."""
        seat = self._undo[0][6]
        places = [*self._places]
        places[seat] -= RETURN << MOVE_BITS
        self._places = tuple(places)
        self.key ^= RETURN_HASH

    def _finish(self) -> None:
        """Go on after a move: with Fate's throw, unless that is taken for granted."""
        if self._presumes:
            self._end_turn()
        else:
            self._enter(FATE_DUE, self._seat)

    def _step(self, src: int, dst: int) -> None:
        """Move a piece, also a Prince who becomes Emperor."""
        before, seat, crowned = self._board, self._seat, self._phase == HEIR
        code, there = before[src], before[dst]
        kind = code & 15
        self._last = dst
        swap = there and there >> 4 == code >> 4
        work = bytearray(before)
        work[dst] = code
        work[src] = there if swap else 0
        if crowned or there & 15 == EMPEROR or (there & 15 == PRINCE and self._realm.pending):
            self._strike(work, src, dst, crowned=crowned)
            return
        board = self._board = bytes(work)
        bit = BIT[src] | BIT[dst]
        rows = self._realm.rows
        places = list(self._places)
        row = rows[seat][kind]
        places[seat] += row[dst] - row[src]
        codes = PIECE_HASH[code]
        self.key ^= codes[src] ^ codes[dst]
        army = self._armies[seat]
        if swap:
            other = rows[seat][SOLDIER]
            places[seat] += other[src] - other[dst]
            self.key ^= PIECE_HASH[there][src] ^ PIECE_HASH[there][dst]
        else:
            if kind != PEASANT:
                army ^= bit if not army >> dst & 1 else 0
            armies = list(self._armies)
            armies[seat] = army
            if there:
                self._take(there, dst, places, armies)
            self._armies = tuple(armies)
        self._places = tuple(places)
        if kind == EMPEROR and ZONE[src] != ZONE[dst]:
            self._move_throne(seat, ZONE[dst])
        if self._sets_off(src, dst, kind, there):
            self._settle(board, before)
        self._finish()

    def _take(self, there: int, at: int, places: list[int], armies: list[int]) -> None:
        """Remove an enemy's piece, or a free Peasant, that stood on a square."""
        kind, loser = there & 15, (there >> 4) - 1
        self._stirred = True
        self.key ^= PIECE_HASH[there][at]
        if kind == PEASANT:
            self._realm = self._realm._replace(peasants=self._realm.peasants ^ BIT[at])
        else:
            armies[loser] ^= BIT[at]
        if loser >= 0:
            places[loser] -= self._realm.rows[loser][kind][at]
            material = list(self._material)
            material[loser] -= MATERIAL[kind]
            self._material = tuple(material)

    def _sets_off(self, src: int, dst: int, kind: int, there: int) -> bool:
        """Return whether a step may have consequences; False is always right."""
        if kind == PEASANT:
            return True  # its own place changes what is beside it, and it may come home
        board, both = self._board, BIT[src] | BIT[dst]
        control = self._realm.control
        if both & STRONG:
            control = controllers(board)
            if control != self._realm.control and self._arms(control):
                return True
        if (NEAR[src] | NEAR[dst]) & self._realm.peasants and self._sways(src, dst, there):
            return True
        seat, armies = self._seat, self._armies
        for other, army in enumerate(armies):
            if other != seat and (touched := NEAR[dst] & army):
                if kind >= SERGEANT and not RING[dst] & ~army:
                    return True
                own = armies[seat]
                while touched:
                    low = touched & -touched
                    touched ^= low
                    if not RING[low.bit_length() - 1] & ~own:
                        return True
        if control != self._realm.control:
            self._hand_over(control)
        return False

    def _arms(self, control: tuple[int, ...]) -> bool:
        """Return whether a Peasant is in a Territory that changes hands."""
        realm = self._realm
        return any(
            new != old and realm.peasants & LAND[side]
            for side, (new, old) in enumerate(zip(control, realm.control, strict=True))
        )

    def _sways(self, src: int, dst: int, there: int) -> bool:
        """Return whether a step changes who straddles a Peasant, so that it matters to whom it belongs."""
        board, seat, armies = self._board, self._seat, self._armies
        pivots = STRADDLE_PARTNERS[self._law.straddle]
        army, relations = armies[seat], self._relations[seat]
        for middle, other in pivots[dst]:
            if board[middle] & 15 == PEASANT and army >> other & 1 and relations[board[middle]] != 1:
                return True
        for middle, other in pivots[src]:
            if board[middle] == PEASANT and army >> other & 1:
                return True
        loser = (there >> 4) - 1
        return loser >= 0 and any(
            board[middle] == PEASANT and armies[loser] >> other & 1 for middle, other in pivots[dst]
        )

    def _settle(self, board: bytes, before: bytes) -> None:
        """Apply all consequences of a change from one board to another, and count anew."""
        done = consequences.settle(self._law, board, self._realm.control, self._seat, before)
        self._stirred = self._stirred or done.stirred
        self._count_all(done.board)

    def _strike(self, work: bytearray, src: int, dst: int, *, crowned: bool) -> None:
        """Move so that an Emperor falls, or that the mover's Prince becomes Emperor, or both."""
        before, seat = self._board, self._seat
        there = before[dst]
        kind, loser = there & 15, (there >> 4) - 1
        if crowned:
            work[dst] = piece(seat, EMPEROR)
        if there:
            self._stirred = True
        board = bytes(work)
        realm = self._realm
        heir = piece(loser, PRINCE) in board and not (self._presumes and self._law.succession != "sure")
        if kind == EMPEROR and heir:
            self._realm = realm._replace(pending=realm.pending | {loser})
        elif kind == EMPEROR or (kind == PRINCE and loser in realm.pending):
            self._fall(loser)
        if crowned:
            self._realm = self._realm._replace(pending=self._realm.pending - {seat})
        if self._presumes and self._win():
            return
        if loser >= 0 and loser in self._realm.out:
            board = consequences.disband(board, loser)
        self._settle(board, before)
        if self._win():
            return
        if crowned:
            self._end_turn()
        else:
            self._finish()

    def _fall(self, seat: int) -> None:
        """Let a team be out, whose units are still to be disbanded."""
        realm = self._realm
        self._stirred = True
        self._realm = realm._replace(out=(*realm.out, seat), pending=realm.pending - {seat})
        if not self._presumes:
            self._late = self._lateness()

    def _crown(self, board: bytes) -> None:
        self._realm = self._realm._replace(pending=self._realm.pending - {self._seat})
        self._count_all(board)

    def _answer(self, move: int) -> None:
        """Apply an answer to Fate."""
        seat, before = self._seat, self._board
        if move >= PROMOTE_BASE:
            at, new = divmod(move - (PROMOTE_BASE if move < DEMOTE_BASE else DEMOTE_BASE), _KINDS)
            board = put(before, {at: piece(seat, new)})
        else:
            board = put(before, {move - PEASANT_BASE: PEASANT})
        self._settle(board, before)
        self._end_turn()

    def _draw(self, n: int) -> None:
        """Apply a number of Fate."""
        if self._phase == SUCCESSION:
            if n == 6 or (n == 5 and self._law.succession == "kind"):
                self._enter(HEIR, self._seat)
            else:
                self._die_out()
            return
        phase = _CHOICES.get(n) if n != NO else None
        if phase is not None:
            camps, control = self._law.camps, self._realm.control
            if fate.list_choices(self._board, control, camps, PHASES[phase], self._seat):
                self._enter(phase, self._seat)
                return
        self._end_turn()

    def _die_out(self) -> None:
        """End the turn of a seat whose heir doesn't succeed."""
        before = self._board
        self._fall(self._seat)
        self._settle(consequences.disband(before, self._seat), before)
        if not self._win():
            self._end_turn()

    # --- the end of a turn, and of the match -------------------------------------------------------------

    def _end_turn(self) -> None:
        realm, seats = self._realm, len(self.teams)
        seat, passed = self._seat, False
        while True:
            seat = (seat + 1) % seats
            passed |= seat == self._first
            if seat not in realm.out:
                break
        self._quiet = 0 if self._stirred else self._quiet + 1
        self._stirred = False
        self._round += passed
        phase = MOVE
        if seat in realm.pending:
            phase = HEIR if self._law.succession == "sure" else SUCCESSION
        self._enter(phase, seat)
        if not self._presumes:
            late = self._lateness()
            self.key ^= LATE_HASH[self._late] ^ LATE_HASH[late]
            self._late = late
        quiet = endings.MAX_QUIET_TURNS * (seats - len(realm.out))
        if self._quiet >= quiet or self._round > endings.max_rounds(seats):
            self._adjudicate()
        elif self._presumes and phase == SUCCESSION:
            self._die_out()

    def _win(self) -> bool:
        """End the match if only one camp is left; return whether it is over."""
        left = {team for seat, team in enumerate(self.teams) if seat not in self._realm.out}
        if len(left) > 1:
            return False
        self._over(left)
        return True

    def _adjudicate(self) -> None:
        """End the match by points."""
        teams, out = self.teams, self._realm.out
        points = endings.count_half_points(self._board, self._realm.control, self._law)
        score: dict[int, int] = {}
        for seat, team in enumerate(teams):
            if seat not in out:
                score[team] = score.get(team, 0) + points[seat]
        self._over(endings.leaders(score))

    def _over(self, winners: set[int] | frozenset[int]) -> None:
        self._result = tuple(1.0 / len(winners) if team in winners else 0.0 for team in self.teams)
        for seat in self._realm.pending:
            self.key ^= PENDING_HASH[seat]
        self._realm = self._realm._replace(pending=frozenset())
        self._enter(ENDED, self._seat)
