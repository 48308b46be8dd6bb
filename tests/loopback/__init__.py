"""Discord on real sockets for tests: a server in front of SimCord's world, the bot in its own process.

async with LoopbackDiscord() as server:
    guild = server.create_guild()
    room = guild.create_text_channel("games")
    ann = server.create_person("ann", guild)
    async with BotProcess(server, [sys.executable, script], env) as bot:
        ann.send(room, "hello", mention=True)
        message = await server.wait_for_message(room)
        answer = await ann.click(message, "Join")
        await bot.restart()
"""

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
