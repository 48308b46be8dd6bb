"""Ids of matches such as `F-7K2M9Q`: short enough to say, without characters that look or sound alike.

There are 729 million for each game, too many to find one by guessing. Earlier ids had three characters after
the letter, and are still read.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine.normalization import normalized
from matches.ports import Entropy, StaleError, Store, StoreError
from matches.store.rows import Commit, MatchRow

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Without 0 O, 1 I L, and U, which is mistaken for V."""
MIN_LENGTH = 3
"""Minimum number of characters after the game's letter in ids that are read."""
NEW_LENGTH = 6
"""Number of characters after the game's letter in new ids, unless too many are taken."""
TRIES_PER_LENGTH = 4
"""How many ids of one length are tried before longer ones."""
MAX_ATTEMPTS = 32
"""How many ids are tried for a new match."""


def new_id(code: str, entropy: Entropy, attempt: int) -> str:
    """Return a random id for a game's letter; `attempt` counts the ids that were taken."""
    size = NEW_LENGTH + attempt // TRIES_PER_LENGTH
    return f"{code}-{''.join(ALPHABET[byte % len(ALPHABET)] for byte in entropy.token(size))}"


async def create_with_new_id(
    store: Store, entropy: Entropy, code: str, draft: Callable[[str], Commit]
) -> MatchRow:
    """Create the match that `draft` makes for an id, under a random one that is free; return its row.

    Raises RepeatedError if the request was served before, StoreError if no id is found.
    """
    for attempt in range(MAX_ATTEMPTS):
        commit = draft(new_id(code, entropy, attempt))
        try:
            await store.create(commit)
        except StaleError:
            continue  # the id is taken
        return commit.row
    raise StoreError("No free match id was found. Is the source of randomness broken?")


def read_id(text: str) -> str | None:
    """Return the id that a person means by `f7k2`, `F-7K2` or `#f 7k2`; None if it can't be one."""
    chars = [char for char in normalized(text[:48]).text[:24].upper() if char.isascii() and char.isalnum()]
    if len(chars) <= MIN_LENGTH or not chars[0].isalpha() or any(char not in ALPHABET for char in chars[1:]):
        return None
    return f"{chars[0]}-{''.join(chars[1:])}"
