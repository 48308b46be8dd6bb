"""Play a match at a Python prompt.

    >>> from dominium import new
    >>> match = new("focus", seats=2)
    >>> match.play("e3-e4")
    'Green: e3-e4: pile of 2'

`print(match)` shows the board, `match.legal()` lists the moves, `match.record()` returns the match as text.
The code is in the packages beside this one; `help("games")` shows the library of games.
"""

from importlib.metadata import version

from dominium.prompt import Match, MoveError, new

__all__ = ["Match", "MoveError", "__version__", "new"]
__version__ = version("dominium")
