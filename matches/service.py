"""MatchService: everything that can be done with a match, as one object. It knows neither Discord nor SQL.

Every answer is a value of `results`; a "no" is one of them and has written nothing. Requests have ids that
are unique for ever (those of messages and interactions are): a repeated one gets its first answer again.
"""

from __future__ import annotations

from matches.chores import Chores
from matches.lobbies import Lobbies
from matches.look import Look
from matches.play import Play


class MatchService(Lobbies, Play, Chores, Look):
    """Lobbies, moves, computer players, chores and views over one Store.

    >>> service = MatchService(store, clock, entropy)
    >>> table = await service.create(Person(1, "Ann"), Place(None, 5), "focus", request="m1")
    """
