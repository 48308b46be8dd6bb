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

What a test can do to the bot, besides killing it:

- ``server.faults``: fail, refuse by Discord's codes, limit, hold or cut requests, before or after they work;
- ``server.limits``: limits per route and in all, edits of old messages, the ban for invalid requests;
- ``server.gateway``: drop, mute, close and invalidate sessions, withhold guilds; ``interference`` there holds
  and doubles events;
- ``server.advance``: let time pass; ``archive``, ``lock``, ``forbid``, ``allow``, ``kick_bot``,
  ``invite_bot``, ``revoke_token``, ``delete_message``, ``delete_channel``: what people do to a bot.

Whatever Discord would refuse for what stands in it is refused with 400 and fails the test (``take_refused``).
docs/discord.md lists what the server does as Discord does.
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
