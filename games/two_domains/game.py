"""Two Domains as an engine game: open information, and dice that are rolled after the decision.

Its levels differ in how well they see what their actions are worth. Best play loses nothing;
docs/computers.md lists how much win probability each level gives away.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from games.engine.game import CHANCE, NOBODY, ONLY_SEAT, Game, Seat, SeatLook, Setup, Step
from games.engine.levels import Judgement
from games.engine.lookback import SIX_SIDED, Fortune, Rolled
from games.two_domains import (
    actions,
    evaluation,
    notation,
    odds,
    packed_table,
    position_json,
    reasons,
    scene,
)
from games.two_domains import rules as rulebook
from games.two_domains.actions import Action
from games.two_domains.lessons import LESSONS, RULES
from games.two_domains.rules import BATTLE_FAIL_FACE, LIMIT, VERSION, State
from games.two_domains.scene import GLYPHS
from games.two_domains.value_table import FILE_NAME, PositionValues, ValueTable

LEVELS: Final[Mapping[str, Judgement]] = {
    "beginner": Judgement(oversight=100, error=0.46),
    "easy": Judgement(oversight=80, error=0.165),
    "average": Judgement(oversight=42, error=0.087),
    "hard": Judgement(oversight=10, error=0.046),
}
"""By name, weakest first."""


class TwoDomains(Game[State, State, Action]):
    """Two Domains by Simon K. Jensen."""

    key = "two_domains"
    chance = True
    code = "T"
    rules = VERSION
    seats = (2,)
    lengths: ClassVar[Mapping[str, int]] = {"2": 53}
    lessons = LESSONS
    rules_pages = RULES
    glyphs = GLYPHS
    table = FILE_NAME
    shipped_table = packed_table.FILE_NAME

    listed = staticmethod(rulebook.legal)
    refuse = staticmethod(rulebook.refuse)
    apply = staticmethod(rulebook.play)
    forfeit = staticmethod(rulebook.resign)
    read = staticmethod(notation.parse)
    format = staticmethod(notation.write)
    shortcuts = staticmethod(notation.shortcuts)
    odds = staticmethod(odds.odds)
    effects = staticmethod(reasons.effects)
    scene = staticmethod(scene.draw)
    evaluate = staticmethod(evaluation.evaluate)
    estimate = staticmethod(evaluation.Estimate)
    decode = staticmethod(actions.decode)
    dump = staticmethod(position_json.dump)
    restore = staticmethod(position_json.load)

    def oracle(self, table: memoryview) -> PositionValues:
        """Return an oracle that reads a table of exact values, or a packed one. Raises ValueError."""
        packed = bytes(table[: len(packed_table.MAGIC)]) == packed_table.MAGIC
        return packed_table.PackedTable(table) if packed else ValueTable(table)

    def judgements(self) -> Mapping[str, Judgement]:
        """Return the levels that misjudge their actions."""
        return LEVELS

    def max_actions(self, setup: Setup) -> int:
        """Return a limit on the actions of a match, chance included.

        Chance chooses the first player once. Each completed action is one decision and at most one roll, each
        decision is completed before the next, skipped turns are no actions, and the game ends when the 500th
        action is completed.
        """
        return 1 + 2 * LIMIT

    def look(self, setup: Setup, seat: Seat) -> SeatLook:
        """Return the look of Red or Blue."""
        return scene.LOOKS[seat]

    def start(self, setup: Setup) -> Step[State]:
        """Return five villages each; chance is to choose the first player."""
        return Step(rulebook.start(setup.rules))

    def to_act(self, state: State) -> frozenset[Seat]:
        if state.ended is not None:
            return NOBODY
        return ONLY_SEAT[CHANCE if state.roll else state.turn]

    def actions(self, view: State, seat: Seat) -> Iterator[Action]:
        return iter(rulebook.legal(view, seat))

    def material(self, view: State) -> tuple[float, ...]:
        """Return the number of dice of each seat."""
        return tuple(float(len(dice)) for dice in view.domains)

    def rolls(self, before: State, action: Action) -> tuple[Rolled, ...]:
        """Return the die that was rolled for the seat to act; who begins is drawn by lot."""
        return (Rolled(SIX_SIDED, action.n - 1, Seat(before.turn)),) if action.kind == "roll" else ()

    def fortune(self, before: State, draws: Sequence[Action]) -> Fortune | None:
        """Return the luck of a battle: one face in six loses it. Gathered dice aren't judged."""
        if before.roll not in ("battle", "endurance"):
            return None
        lost = draws[0].n == BATTLE_FAIL_FACE
        return Fortune(Seat(before.turn), 1.0 if lost else 5 / 6, 1 / 6 if lost else 1.0)


GAME: Final = TwoDomains()
"""The game; it holds no state."""
