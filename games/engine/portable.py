"""What of a match can be taken elsewhere besides its record: positions as text, moves in other notations."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from games.engine import registry
from games.engine.fields import Json
from games.engine.game import AnyGame
from games.engine.match import Entry, Kind, Match, fold, in_force

MAX_POSITION: Final = 100_000
"""Maximum length of a position as text, in characters."""
_PARTS: Final = {"game", "rules", "position"}


class PositionError(ValueError):
    """A text that isn't a position; its reason names the part or the line that is wrong."""


def position_text(match: Match) -> str:
    """Return a position as text that is complete: the game, the version of its rules, and what `dump` has.

    It has what is hidden, too.
    """
    position = match.game.dump(match.state)
    data = {"game": match.game.key, "rules": match.setup.rules, "position": position}
    return json.dumps(data, ensure_ascii=False) + "\n"


def read_position(text: str, key: str | None = None) -> tuple[AnyGame, Any]:
    """Return the game and the state of a position as text: all of it, or the bare position of game `key`.

    Raises PositionError with a reason for anything else.
    """
    if len(text) > MAX_POSITION:
        raise PositionError(f"a position has at most {MAX_POSITION} characters")
    try:
        data = json.loads(text.strip().strip("`").strip())
    except json.JSONDecodeError as error:
        raise PositionError(f"line {error.lineno}, column {error.colno}: this isn't JSON") from error
    except (ValueError, RecursionError) as error:
        raise PositionError("this isn't JSON that can be read") from error
    rules: Json = None
    if isinstance(data, dict) and _PARTS >= data.keys() >= {"game", "position"}:
        if key is not None and data["game"] != key:
            raise PositionError(f"game: this is a position of {str(data['game'])[:40]}")
        key, rules, data = data["game"], data.get("rules"), data["position"]
    try:
        game = registry.get(key if isinstance(key, str) else "")
    except KeyError as error:
        raise PositionError("game: there is no such game") from error
    version = game.rules if rules is None else rules
    if type(version) is not int:
        raise PositionError("rules: a version is a whole number")
    try:
        return game, game.load(data, version)
    except (ValueError, RecursionError) as error:
        raise PositionError(str(error)) from error


def restyled(entries: Sequence[Entry], style: str) -> str | None:
    """Return the moves of a match in the notation of another host, a round a line, as JSON.

    Moves that were taken back are left out. None if the game or that notation can't express the match: it has
    to begin at the start. Raises CorruptLogError as `fold`.
    """
    final = fold(entries)
    if style not in final.game.record_styles or final.hosting.origin is not None:
        return None
    end = entries[-1].seq - (entries[-1].kind is Kind.REVEAL)
    kinds = (Kind.PLAY, Kind.DEFAULT, Kind.CHANCE)
    actions = [final.game.decode(e.data) for e in in_force(entries, end) if e.kind in kinds]
    found = final.game.restyled(style, final.setup, actions)
    if not isinstance(found, list):
        return None
    rounds = ",\n".join(f" {json.dumps(each, ensure_ascii=False)}" for each in found)
    return f"[\n{rounds}\n]\n" if rounds else "[]\n"
