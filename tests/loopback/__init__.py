"""Discord on real sockets for tests: a server in front of SimCord's world, the bot in its own process."""

from simcord.backend.errors import BackendError, OptionError, SetupError

from tests.loopback.faults import Fault, Faults, Moment
from tests.loopback.gateway import Drop
from tests.loopback.log import LoggedRequest, UploadedFile
from tests.loopback.people import Answer, Person
from tests.loopback.process import BotProcess
from tests.loopback.server import LoopbackDiscord

__all__ = [
    "Answer",
    "BackendError",
    "BotProcess",
    "Drop",
    "Fault",
    "Faults",
    "LoggedRequest",
    "LoopbackDiscord",
    "Moment",
    "OptionError",
    "Person",
    "SetupError",
    "UploadedFile",
]
