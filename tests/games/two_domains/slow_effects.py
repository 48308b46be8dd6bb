"""What an action of Two Domains leads to, found out slowly from positions as people read them."""

from __future__ import annotations

from typing import Any

from games.engine.game import CHANCE, AnyGame, Seat

CODES = ("red", "blue")
FACES = {"1": "king", "2": "village", "3": "town", "4": "city", "5": "capital", "6": "army"}


def ends(game: AnyGame, state: Any, seat: int, action: Any) -> list[Any]:
    """Return the positions after the action, by its roll; six times the same without one."""
    now = game.apply(state, Seat(seat), action).state
    if game.to_act(now) != {CHANCE}:
        return [now] * 6
    return [game.apply(now, CHANCE, roll).state for roll in game.actions(now, CHANCE)]


def lines(game: AnyGame, state: Any, seat: int) -> tuple[str, str]:
    found: Any = game.dump(state)
    return found[CODES[seat]], found[CODES[1 - seat]]


def can_battle(game: AnyGame, state: Any, seat: int) -> bool:
    """Return whether the seat could battle if it were to act."""
    return game.refuse(state._replace(turn=seat, roll=""), Seat(seat), game.decode("battle")) is None


def amounts(game: AnyGame, state: Any, seat: Seat, action: Any) -> dict[str, float]:
    after = ends(game, state, seat, action)
    mine, theirs = lines(game, state, seat)
    found: dict[str, float] = {}

    def count(kind: str, holds: bool) -> None:
        if holds:
            found[kind] = found.get(kind, 0) + 1

    fronts = {lines(game, each, seat)[0][-1:] for each in after}
    for each in after:
        ours, others = lines(game, each, seat)
        outcome = game.outcome(each)
        count("wins", outcome is not None and outcome.ranks[seat] == 1 and outcome.ranks[1 - seat] == 2)
        count("ruins", outcome is not None and outcome.ranks[seat] == 2)
        count("removes", 0 < len(others) < len(theirs))
        count("weakens", len(others) == len(theirs) > 1 and others != theirs)
        if outcome is not None:
            continue
        count("authority", mine.count("1") != 1 and ours.count("1") == 1)
        count("loses_authority", mine.count("1") == 1 and ours.count("1") != 1)
        count("ready", can_battle(game, each, seat) and not can_battle(game, state, seat))
        count("consensus", mine.count("5") != 1 and ours.count("5") == 1)
        count("dissonance", mine.count("5") < 2 <= ours.count("5"))
        count("army", ours.count("6") > mine.count("6"))
        if len(fronts) == 1 and len(ours) > 1 and game.to_act(each) == {1 - seat}:
            replies = [move for move in game.actions(each, Seat(1 - seat)) if game.encode(move) == "battle"]
            then = [end for move in replies for end in ends(game, each, 1 - seat, move)]
            count("exposes", any(len(lines(game, end, seat)[0]) < len(ours) for end in then))
    ours = lines(game, after[0], seat)[0]
    if game.encode(action) == "mobilise" and mine.count("1") == 1 and ours.find("1") < mine.find("1"):
        found["shelters"] = len(ours.split("1")[1]) - len(mine.split("1")[1])
    return found


def is_true(
    game: AnyGame, state: Any, seat: Seat, action: Any, kind: str, n: float, said: dict[str, Any]
) -> bool:
    if kind in ("removes", "weakens"):
        return bool(said["face"].key.endswith(FACES[lines(game, state, seat)[1][-1]]))
    if kind == "exposes":
        return bool(
            said["face"].key.endswith(FACES[lines(game, ends(game, state, seat, action)[0], seat)[0][-1]])
        )
    if kind == "shelters":
        ours = lines(game, ends(game, state, seat, action)[0], seat)[0]
        return bool(ours[0] == "1" and said["n"] == len(ours) - 1)
    return "n" not in said or said["n"] == n
