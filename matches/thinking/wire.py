"""A job and its turns as JSON, small enough to cross to a worker process: no pickles, no code.

The job has the position, as the game's own `dump` writes it, and the secret of the match's dice, since chance
may be due between two decisions of a turn. So a worker knows what the bot knows; a player in it knows what it
knows in the bot, the view of its seat (see `turns`). The answer has the decisions alone, as they will stand
in the log: `carry_out` judges them again, and draws again what chance decides.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final, TypeAlias

from games.engine import match as engine
from games.engine import registry
from games.engine.dice import Sealed
from games.engine.game import Seat
from games.engine.match import Change, Kind, Match
from games.engine.message import Msg
from matches.thinking.ports import Job

VERSION: Final = 1
"""Changes with the form of a job or an answer: a worker may have been started from newer files."""
Wire: TypeAlias = dict[str, Any]


class WireError(ValueError):
    """A job or an answer that can't be read, or that the judge refuses."""


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
        "gone": sorted(match.gone),
        "levels": {str(seat): level for seat, level in job.levels.items()},
        "seed": job.seed.hex(),
        "secret": job.sealed.secret.hex(),
        "salt": job.sealed.salt,
        "turns": job.turns,
    }


def unpack_job(data: Wire) -> Job:
    """Return the job that `pack_job` wrote; its match has no log. Raises WireError."""
    try:
        if data["version"] != VERSION:
            raise WireError(f"version {data['version']}, expected {VERSION}")
        game = registry.get(data["game"])
        setup = replace(game.setup(data["seats"]), rules=data["rules"])
        state = game.load(data["state"], data["rules"])
        gone = frozenset(map(Seat, data["gone"]))
        sealed = Sealed(bytes.fromhex(data["secret"]), data["match"], data["salt"])
        about = sealed.match, setup, sealed.commitment, sealed.salt
        match = Match(game, *about, state, data["seq"], gone=gone)
        levels = {Seat(int(seat)): level for seat, level in data["levels"].items()}
        return Job(match, sealed, levels, bytes.fromhex(data["seed"]), data["turns"])
    except WireError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WireError(f"the job can't be read: {type(error).__name__}: {error}") from error


def pack_turns(turns: tuple[Change, ...]) -> Wire:
    """Return the decisions of turns as JSON."""
    decisions = [[[e.seat, e.data] for e in turn.entries if e.kind is Kind.PLAY] for turn in turns]
    return {"version": VERSION, "turns": decisions}


def carry_out(job: Job, data: Wire) -> tuple[Change, ...]:
    """Return the turns of which `pack_turns` wrote the decisions, judged anew. Raises WireError."""
    try:
        if data["version"] != VERSION or not data["turns"]:
            raise WireError(f"version {data['version']}, expected {VERSION}")
        match, made = job.match, []
        for decisions in data["turns"]:
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
            made.append(turn)
            match = turn.match
        return tuple(made)
    except WireError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise WireError(f"the turns can't be read: {type(error).__name__}: {error}") from error
