"""A job and its turns as JSON, small enough to cross to a worker process: no pickles, no code.

The job has the position, as the game's own `dump` writes it, and the secret of the match's dice, since chance
may be due between two decisions of a turn. So a worker knows what the bot knows; a player in it knows what it
knows in the bot, the view of its seat (see `turns`). The answer has the decisions alone, as they will stand
in the log: `carry_out` judges them again, and draws again what chance decides.

A question has only what its seat may know, and no secret of the match. Its answer names actions as the log
does, and is advice: nothing follows from it until a person plays.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Final, TypeAlias

from games.ai.appraisal import Appraisal, Rated
from games.ai.paired_samples import Gap
from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import AnyGame, Expectation, Seat
from games.engine.log import SeatStates
from games.engine.match import Change, Kind, Match
from games.engine.message import Msg
from matches.thinking.jobs import AppraisalJob, DecidedTurn, Job

VERSION: Final = 4
"""Changes with the form of a job or an answer: a worker may have been started from newer files."""
Wire: TypeAlias = dict[str, Any]


class WireError(ValueError):
    """A job or an answer that can't be read, or that the judge refuses."""


@contextmanager
def _reading(data: Wire, what: str) -> Iterator[None]:
    """Check the version of what is read inside, and raise WireError for whatever is wrong with it."""
    try:
        if data["version"] != VERSION:
            raise WireError(f"version {data['version']}, expected {VERSION}")
        yield
    except WireError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise WireError(f"the {what} can't be read: {type(error).__name__}: {error}") from error


def pack_job(job: Job) -> Wire:
    """Return a job as JSON."""
    match = job.match
    return {
        "version": VERSION,
        "game": match.game.key,
        "rules": match.setup.rules,
        "seats": match.setup.seats,
        "match": match.id,
        "seq": match.seq,
        "state": match.game.dump(match.state),
        "gone": sorted(match.seats.gone),
        "levels": {str(seat): level for seat, level in job.levels.items()},
        "seed": job.seed.hex(),
        "secret": job.sealed.secret.hex(),
        "salt": job.sealed.salt,
        "turns": job.turns,
    }


def unpack_job(data: Wire) -> Job:
    """Return the job that `pack_job` wrote; its match has no log. Raises WireError."""
    with _reading(data, "job"):
        game = registry.get(data["game"])
        setup = replace(game.setup(data["seats"]), rules=data["rules"])
        state = game.load(data["state"], data["rules"])
        seats = SeatStates(gone=frozenset(map(Seat, data["gone"])))
        sealed = Sealed(bytes.fromhex(data["secret"]), data["match"], data["salt"])
        about = sealed.match, setup, sealed.commitment, sealed.salt
        match = Match(game, *about, state, data["seq"], seats=seats)
        levels = {Seat(int(seat)): level for seat, level in data["levels"].items()}
        return Job(match, sealed, levels, bytes.fromhex(data["seed"]), data["turns"])


def pack_turns(turns: tuple[DecidedTurn, ...]) -> Wire:
    """Return the decisions of turns as JSON, and what computers expect after each."""
    decisions = [[[e.seat, e.data] for e in turn.entries if e.kind is Kind.PLAY] for turn in turns]
    expected = [[[seat, e.share, e.error] for seat, e in turn.expected.items()] for turn in turns]
    return {"version": VERSION, "turns": decisions, "expected": expected}


def carry_out(job: Job, data: Wire) -> tuple[DecidedTurn, ...]:
    """Return the turns of which `pack_turns` wrote the decisions, judged anew. Raises WireError."""
    with _reading(data, "turns"):
        if not data["turns"]:
            raise WireError("no turns")
        match, made = job.match, []
        for decisions, expected in zip(data["turns"], data["expected"], strict=True):
            turn = Change(match, (), ())
            for seat, text in decisions:
                if seat not in job.levels:
                    raise WireError(f"no computer holds seat {seat}")
                change = engine.play(turn.match, Seat(seat), match.game.decode(text), job.sealed)
                if isinstance(change, Msg):
                    raise WireError(f"seat {seat} of {match.id} was refused: {change.key}")
                turn = turn.then(change)
            if not turn.entries:
                raise WireError("a turn without decisions")
            hopes = {Seat(int(s)): Expectation(float(share), float(error)) for s, share, error in expected}
            made.append(DecidedTurn(turn.match, turn.entries, turn.facts, hopes))
            match = turn.match
        return tuple(made)


# --- questions ------------------------------------------------------------------------------------------


def pack_question(job: AppraisalJob) -> Wire:
    """Return a question as JSON."""
    game = job.game
    return {
        "version": VERSION,
        "key": job.key,
        "game": game.key,
        "rules": job.rules,
        "state": game.dump(job.state),
        "seat": job.seat,
        "teams": list(job.teams),
        "seed": job.seed.hex(),
        "also": [game.encode(action) for action in job.also],
        "tempting": job.tempting,
        "level": job.level,
        "effort": job.effort,
        "seconds": job.seconds,
    }


def unpack_question(data: Wire) -> AppraisalJob:
    """Return the question that `pack_question` wrote. Raises WireError."""
    with _reading(data, "question"):
        game = registry.get(data["game"])
        return AppraisalJob(
            data["key"],
            game,
            data["rules"],
            game.load(data["state"], data["rules"]),
            Seat(int(data["seat"])),
            tuple(data["teams"]),
            bytes.fromhex(data["seed"]),
            tuple(map(game.decode, data["also"])),
            data["tempting"],
            data["level"],
            data["effort"],
            data["seconds"],
        )


def pack_appraisal(game: AnyGame, found: Appraisal) -> Wire:
    """Return an answer as JSON."""

    def rated(each: Rated | None) -> list[Any] | None:
        if each is None:
            return None
        behind = None if each.behind is None else list(each.behind)
        return [game.encode(each.action), list(each.shares), each.error, each.exact, behind]

    return {
        "version": VERSION,
        "seat": found.seat,
        "best": rated(found.best),
        "line": [[seat, game.encode(action)] for seat, action in found.line],
        "also": [rated(each) for each in found.also],
        "now": list(found.now),
    }


def unpack_appraisal(game: AnyGame, data: Wire) -> Appraisal:
    """Return the answer that `pack_appraisal` wrote. Raises WireError."""

    def rated(each: list[Any] | None) -> Rated | None:
        if each is None:
            return None
        action, shares, error, exact, behind = each
        gap = None if behind is None else Gap(*map(float, behind))
        return Rated(game.decode(action), tuple(map(float, shares)), float(error), bool(exact), gap)

    with _reading(data, "answer"):
        return Appraisal(
            Seat(int(data["seat"])),
            rated(data["best"]),
            tuple((Seat(int(seat)), game.decode(action)) for seat, action in data["line"]),
            tuple(rated(each) for each in data["also"]),
            tuple(map(float, data["now"])),
        )
