"""Entry 0 of a log: what it records of a match, and the match that begins with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Fact, Setup
from games.engine.log import CorruptLogError, Entry, Hosting, Kind, Match
from games.engine.message import msg
from games.engine.origin import Origin, read_origin

_HEAD: Final = frozenset({"game", "rules", "seats", "options", "match", "salt", "commit"})
_OPTIONAL: Final = frozenset({"clock", "computers", "origin", "position", "known_as"})


def write_start(
    game: AnyGame,
    setup: Setup,
    sealed: Sealed,
    clock: Mapping[str, Any] | None,
    origin: Origin | None,
    computers: Mapping[str, Any] | None,
) -> Entry:
    """Return entry 0, in the canonical form that `open_log` reads."""
    head = {
        "game": game.key,
        "rules": setup.rules,
        "seats": setup.seats,
        "options": dict(setup.options),
        "match": sealed.match,
        "salt": sealed.salt,
        "commit": sealed.commitment,
    } | ({} if clock is None else {"clock": dict(clock)})
    if computers:
        head["computers"] = dict(computers)
    if origin is not None:
        head |= {"origin": origin.reference(), "position": origin.position}
    return Entry(0, Kind.START, None, _canonical(head))


def known_as(start: Entry, match_id: str) -> Entry:
    """Return the first entry of a match under the id by which a host that imports it knows it.

    The id it was played under stays, since its dice follow from it; its record has that one alone.
    """
    head = {**json.loads(start.data), "known_as": match_id}
    return replace(start, data=_canonical(head))


def open_log(entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Return the match that entry 0 starts, and its facts. Raises CorruptLogError for an invalid entry."""
    if entry.seq != 0 or entry.kind is not Kind.START:
        raise CorruptLogError(entry.seq, "a log begins with entry 0, start")
    try:
        head = json.loads(entry.data)
        if (
            head.keys() - _OPTIONAL != _HEAD
            or ("origin" in head) != ("position" in head)
            or _canonical(head) != entry.data
        ):
            raise ValueError("the start is not in canonical form")
        game = registry.get(head["game"])
        if type(head["seats"]) is not int or head["seats"] not in game.seats:
            raise ValueError(f"no {game.key} has {head['seats']} seats")
        setup = replace(game.setup(head["seats"], head["options"]), rules=head["rules"])
        match_id, commit, salt = head["match"], head["commit"], head["salt"]
        clock = head.get("clock")
        if "clock" in head and not isinstance(clock, dict):
            raise TypeError("a clock is an object")
        if not isinstance(head.get("computers", {}), dict):
            raise TypeError("what is noted of computers is an object")
        known_as = head.get("known_as", match_id)
        if not all(isinstance(t, str) and t.isprintable() for t in (match_id, commit, salt, known_as)):
            raise TypeError("match, commit and salt are texts of one line")
        why = game.refuse_setup(setup)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise CorruptLogError(0, f"the start can't be read ({type(error).__name__}: {error})") from error
    if why is not None:
        raise CorruptLogError(0, "the start is refused", why)
    played_as = match_id if "known_as" in head else ""
    hosting = Hosting(clock=clock, recorded_as=played_as)
    match = Match(game, known_as, setup, commit, salt, None, 0, hosting=hosting, log=(entry,))
    if "origin" in head:
        return _continued(match, head)
    step = game.start(setup)
    return replace(match, state=step.state), step.facts


def _continued(match: Match, head: Mapping[str, Any]) -> tuple[Match, tuple[Fact, ...]]:
    """Return a match that begins with a position of another one."""
    try:
        origin, state = read_origin(head["origin"], head["position"], match.game, match.setup)
    except (TypeError, ValueError, RecursionError) as error:
        raise CorruptLogError(0, f"the origin can't be read: {error}") from error
    fact = Fact(msg("match.fact.origin", match=origin.match, move=origin.move))
    hosting, seats = replace(match.hosting, origin=origin), replace(match.seats, gone=origin.gone)
    return replace(match, state=state, seats=seats, hosting=hosting), (fact,)


def _canonical(head: Mapping[str, Any]) -> str:
    return json.dumps(head, ensure_ascii=False, sort_keys=True)
