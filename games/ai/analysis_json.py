"""An analysis as JSON, small enough to be kept with its match."""

from __future__ import annotations

from typing import Any, Final

from games.ai.analysis import Analysis, Mistake, SeatReport, sides_of
from games.engine.fields import Json
from games.engine.game import Seat

VERSION: Final = 1
"""Changes with the form."""
_UNIT: Final = 100_000
"""Shares and accuracies are kept as whole numbers of this part."""


def dump_analysis(found: Analysis) -> Json:
    """Return an analysis as JSON: about 10 bytes for each seat and turn."""
    sides = sides_of(found.teams)
    return {
        "version": VERSION,
        "source": found.source,
        "teams": list(found.teams),
        "points": [[_whole(point[seats[0]]) for seats in sides] for point in found.points],
        "errors": [_whole(error) for error in found.errors],
        "seats": [_dump_seat(seat) for seat in found.seats],
    }


def load_analysis(data: Any) -> Analysis:
    """Return the analysis that `dump_analysis` wrote. Raises ValueError for anything else."""
    try:
        if data["version"] != VERSION:
            raise ValueError(f"version {data['version']}, expected {VERSION}")
        teams = tuple(map(int, data["teams"]))
        places = {teams[seats[0]]: place for place, seats in enumerate(sides_of(teams))}
        points = tuple(tuple(_part(point[places[team]]) for team in teams) for point in data["points"])
        errors = tuple(map(_part, data["errors"]))
        seats = tuple(map(_load_seat, data["seats"]))
        if not points or len(points) != len(errors) or len(seats) != len(teams):
            raise ValueError("points, errors and seats don't fit together")
        return Analysis(teams, points, errors, seats, str(data["source"]))
    except (KeyError, TypeError, IndexError) as error:
        raise ValueError(f"no analysis: {type(error).__name__}: {error}") from error


def _whole(share: float) -> int:
    return round(share * _UNIT)


def _part(number: Any) -> float:
    if type(number) is not int:
        raise TypeError(f"{number!r} is no whole number")
    return number / _UNIT


def _dump_seat(found: SeatReport) -> Json:
    return {
        "moves": found.moves,
        "best": found.best,
        "accuracy": None if found.accuracy is None else _whole(found.accuracy),
        "mistakes": [_dump_mistake(mistake) for mistake in found.mistakes],
        "luck": None if found.luck is None else _whole(found.luck),
        "luck_error": _whole(found.luck_error),
        "unjudged": found.unjudged,
        "defaults": found.defaults,
        "seat": found.seat,
    }


def _load_seat(data: Any) -> SeatReport:
    accuracy, luck = data["accuracy"], data["luck"]
    return SeatReport(
        Seat(data["seat"]),
        int(data["moves"]),
        int(data["best"]),
        None if accuracy is None else _part(accuracy),
        tuple(_load_mistake(data["seat"], each) for each in data["mistakes"]),
        None if luck is None else _part(luck),
        _part(data["luck_error"]),
        int(data["unjudged"]),
        int(data["defaults"]),
    )


def _dump_mistake(found: Mistake) -> Json:
    return {
        "seq": found.seq,
        "turn": found.turn,
        "played": [found.played, found.actions[0], _whole(found.value)],
        "best": [found.best, found.actions[1], _whole(found.best_value)],
        "error": _whole(found.error),
        "line": [[seat, text] for seat, text in found.line],
    }


def _load_mistake(seat: int, data: Any) -> Mistake:
    played, best = data["played"], data["best"]
    return Mistake(
        Seat(seat),
        int(data["seq"]),
        int(data["turn"]),
        str(played[0]),
        _part(played[2]),
        str(best[0]),
        _part(best[2]),
        _part(data["error"]),
        (str(played[1]), str(best[1])),
        tuple((Seat(mover), str(text)) for mover, text in data["line"]),
    )
