"""A local Discord on loopback, with a web page on which one person plays as several people.

It knows no bot in particular; it is handed a factory. Discord itself is simulated by SimCord, all
contact with which lies in `backend`, `worldfile`, `people`, `world`, `actions` and `views`.
"""

from sandbox.server import USUAL_PORT, serve
from sandbox.world import BotFactory
from sandbox.worldfile import WorldFileError

__all__ = ["USUAL_PORT", "BotFactory", "WorldFileError", "serve"]
