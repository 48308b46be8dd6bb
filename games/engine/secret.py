"""The secret of a match, from which its dice follow.

The first entry commits the host to it; the last entry of a finished match reveals it, which is checked here.
"""

from __future__ import annotations

from games.engine.dice import Sealed, commitment
from games.engine.game import Fact
from games.engine.log import CorruptLogError, Entry, Kind, Match


def reveal(match: Match, sealed: Sealed) -> Entry:
    """Return the entry that reveals the secret of a match that is over."""
    return Entry(match.seq + 1, Kind.REVEAL, None, sealed.secret.hex())


def revealed(match: Match, entry: Entry) -> tuple[Match, tuple[Fact, ...]]:
    """Check the secret that an entry reveals. Raises CorruptLogError if it isn't that of the match."""
    if not match.ending:
        raise CorruptLogError(entry.seq, "the secret is revealed at the end only")
    try:
        secret = bytes.fromhex(entry.data)
    except ValueError as error:
        raise CorruptLogError(entry.seq, "the secret is not a hexadecimal number") from error
    if secret.hex() != entry.data:
        raise CorruptLogError(entry.seq, "the secret is not written in plain lower-case digits")
    if commitment(secret) != match.commit:
        raise CorruptLogError(entry.seq, "the secret is not the one that was committed to")
    return match, ()
