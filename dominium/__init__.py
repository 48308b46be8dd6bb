"""The name under which the whole is installed and run, and the way in at a Python prompt.

    >>> from dominium import new
    >>> match = new("focus", seats=2)
    >>> match.play("e3-e4")
    'Green: e3-e4: pile of 2'

`print(match)` shows the board, `match.legal()` lists the moves, `match.record()` is the match as text. The
rooms beside this one hold the code; `help("games")` begins with the library of games.
"""

from importlib.metadata import version

from dominium.prompt import Match, MoveError, new

__all__ = ["Match", "MoveError", "__version__", "new"]
__version__ = version("dominium")
