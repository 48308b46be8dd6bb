"""The bot's HTTP requests, answered by SimCord's route handlers in a world.

With `world` this is the only module that touches SimCord's internals. Where its handlers are laxer than
Discord or say nothing (repeated nonces, archived threads, the order of history), the
difference is made up here.
"""

from __future__ import annotations

import datetime
import io
import re
from dataclasses import dataclass, replace
from typing import Any

from simcord.backend import errors, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel
from simcord.backend.permissions import flag
from simcord.enums import ChannelType
from simcord.http import router

import tests.message_history  # noqa: F401 - SimCord answers `after=` as Discord does
from cli.rehearse.later import MINUTES
from tests.discord_facts import KNOWN, says, verdict
from tests.loopback.commands import Creations
from tests.loopback.errors import SeenRefusalError, refusal, refuse
from tests.loopback.forums import POSTS_ONLY
from tests.loopback.log import LoggedRequest
from tests.loopback.payloads import bare, tagged_roles
from tests.loopback.world import World

_MESSAGES = re.compile(r"/channels/(\d+)/messages")
_MESSAGE = re.compile(r"/channels/(\d+)/messages/(?:pins/)?(\d+)(/.*)?")
_NEW_THREAD = re.compile(r"/channels/(\d+)(?:/messages/(\d+))?/threads")
_THREAD_MEMBER = re.compile(r"/channels/(\d+)/thread-members/(\d+|@me)")
_NEW_CHANNEL = re.compile(r"/guilds/(\d+)/channels")
_CHANNEL = re.compile(r"/channels/(\d+)")
_CALLBACK = re.compile(r"/interactions/(\d+)/.+/callback")
_WEBHOOK = re.compile(r"/webhooks/\d+/([^/]+)(/.*)?")
_COMMANDS = re.compile(r"/applications/\d+(?:/guilds/(\d+))?/commands")
_GUILD_COMMAND = re.compile(r"(/applications/\d+/guilds/\d+/commands)(?:/(\d+))?")
_OF_COMMAND = ("name", "type", "description", "options")
_FACTS: dict[int, tuple[str, int]] = {
    10003: ("unknown-channel", 0),
    10013: ("unknown-person", 0),
    10062: ("unknown-interaction", 0),
    40060: ("form", 4),
}
"""What SimCord refuses on its own, by code, and the fact with its answer that says how."""
_TOUCHES = ("GET", "PATCH", "DELETE")
"""The order in which a fact tries a message that is gone."""
_NONCE_MINUTES = 5
_OPEN, _PRIVATE = (ChannelType.TEXT, ChannelType.NEWS), 12
_ROLES = re.compile(r"/guilds/(\d+)/roles")
_PLACE = re.compile(r"/(channels|guilds)/(\d+)(?:/|$)")
_EPHEMERAL = 1 << 6
_ANSWER_WISHED = {
    ("POST", "/interactions/{interaction_id}/{token}/callback"): "with_response",
    ("POST", "/webhooks/{webhook_id}/{token}"): "wait",
}
_YES = {"1", "true"}


@dataclass(frozen=True, slots=True)
class Reply:
    """A status and a JSON body; ``gap`` says why it isn't what Discord would have answered."""

    status: int
    body: Any = None
    gap: str | None = None


@dataclass(frozen=True, slots=True)
class _Upload:
    filename: str
    description: str | None
    fp: io.BytesIO


class Routes:
    """Answers requests out of one world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._creations = Creations(world.backend, world.now)
        self._nonces: dict[tuple[int, str], tuple[int, int, datetime.datetime]] = {}

    @staticmethod
    def template(method: str, path: str) -> tuple[str, dict[str, str]]:
        """The known route that a path belongs to, the most literal first, and its variable parts."""
        segments = path.strip("/").split("/")
        best: tuple[int, str, dict[str, str]] | None = None
        for parts, _ in router._ROUTES.get(method, ()):
            if len(parts) != len(segments):
                continue
            args: dict[str, str] = {}
            for part, segment in zip(parts, segments, strict=True):
                if part.startswith("{"):
                    args[part[1:-1]] = segment
                elif part != segment:
                    break
            else:
                if best is None or len(args) < best[0]:
                    best = (len(args), "/" + "/".join(parts), args)
        return (path, {}) if best is None else best[1:]

    def handle(self, request: LoggedRequest) -> Reply:
        """Let the world do what the bot asks; refusals are answers, not exceptions."""
        try:
            reply = self._handle(request)
            return Reply(reply.status, bare(self.world.forums.completed(reply.body)))
        except router.RouteNotImplemented as gap:
            return Reply(404, {"message": "404: Not Found", "code": 0}, str(gap))
        except router.UnsupportedField as gap:
            return Reply(400, errors.invalid_form_body(gap.message).to_json(), str(gap))
        except SeenRefusalError as refused:
            return Reply(refused.status, refused.to_json())
        except BackendError as refused:
            return self._in_words(refused, request.method)
        except (KeyError, TypeError, ValueError) as error:  # SimCord trusts discord.py to send whole bodies
            body = errors.invalid_form_body(repr(error)).to_json()
            return Reply(400, body, f"{type(error).__name__}: {error}")

    @staticmethod
    def _in_words(refused: BackendError, method: str) -> Reply:
        """Return a refusal of SimCord's own as Discord was seen to word it."""
        status, code = refused.status, refused.code
        if refused.code == 10008:
            status, code = verdict("gone-message", _TOUCHES.index(method) if method in _TOUCHES else 0)
        elif refused.code in _FACTS:
            status, code = verdict(*_FACTS[refused.code])
        return Reply(status, refused.to_json() | {"code": code})

    def _handle(self, request: LoggedRequest) -> Reply:
        method, path = request.method, request.path
        self._check_there(path)
        if (found := _MESSAGES.fullmatch(path)) and method == "POST":
            return Reply(200, self._post_message(request, int(found[1])))
        if (found := _MESSAGES.fullmatch(path)) and method == "GET" and "after" in request.params:
            return Reply(200, self._history_after(request))
        if (found := _CHANNEL.fullmatch(path)) and method in ("PATCH", "DELETE"):
            channel = self.world.backend.get_channel(int(found[1]))
            if method == "DELETE":
                deleted = self._dispatch(request)
                self.world.forget_threads(channel.id)
                return Reply(200, deleted)
            if channel.is_thread:
                bot = self.world.backend.bot_user.id
                return Reply(200, self.world.threads.edit(channel, request.body, bot))
        if (found := _COMMANDS.fullmatch(path)) and method == "PUT":
            self._creations.admit(int(found[1]) if found[1] else None, request.body)
        if _NEW_CHANNEL.fullmatch(path) and method == "POST" and request.body.get("type") in POSTS_ONLY:
            return Reply(200, self._new_forum(request))
        if (found := _GUILD_COMMAND.fullmatch(path)) and method in ("POST", "DELETE"):
            return self._one_command(request, found[1], found[2])
        self._check_place(request)
        self._check_interaction(request)
        if path == "/applications/@me":
            path = f"/oauth2{path}"
        body = self._dispatch(request, path=path)
        if (found := _ROLES.fullmatch(path)) and method == "GET":
            body = tagged_roles(self.world.backend, int(found[1]), body)
        wish = _ANSWER_WISHED.get((method, request.template))
        if wish is not None and request.params.get(wish, "").lower() not in _YES:
            body = None
        if path == "/oauth2/applications/@me":
            body["flags"] = self.world.application_flags()
            body["integration_types_config"] = self.world.installs.config()
            if self.world.owner is not None:
                body["owner"] = serializers.user_payload(self.world.backend.users[self.world.owner])
        return Reply(204 if body is None else 200, body)

    def _one_command(self, request: LoggedRequest, listed: str, identity: str | None) -> Reply:
        """Create or delete one command of a guild, which SimCord does by whole lists only."""
        known = self._dispatch(replace(request, method="GET", body=None), path=listed)
        kept = [
            {key: one[key] for key in _OF_COMMAND if key in one} for one in known if one["id"] != identity
        ]
        new = [] if request.method == "DELETE" else [request.body]
        made = self._dispatch(replace(request, method="PUT", body=kept + new), path=listed)
        return Reply(201, made[-1]) if new else Reply(204)

    def _new_forum(self, request: LoggedRequest) -> Any:
        asked = {key: value for key, value in request.body.items() if key not in ("flags", "available_tags")}
        made = self._dispatch(replace(request, body=asked))
        self.world.forums.settle(int(made["id"]), request.body)
        return made

    def _check_there(self, path: str) -> None:
        """Refuse what concerns a guild or a conversation that the bot isn't in."""
        world = self.world
        found = _PLACE.match(path)
        if found and found[1] == "channels" and world.installs.is_private(int(found[2])):
            raise refusal(50001)
        if found and found[1] == "guilds" and int(found[2]) not in world.guilds_of_bot():
            refuse("unknown-server")

    def _check_place(self, request: LoggedRequest) -> None:
        """Refuse what the state of a thread or the kind of a channel forbids."""
        method, path, backend = request.method, request.path, self.world.backend
        bot, threads = backend.bot_user.id, self.world.threads
        if (found := _NEW_THREAD.fullmatch(path)) and method == "POST":
            parent = backend.get_channel(int(found[1]))
            backend.require_permissions(parent.guild_id, bot, parent.id)
            if not found[2] and parent.type in _OPEN and request.body.get("type") != _PRIVATE:
                self._require(parent, "create_public_threads", "no-new-threads")
            threads.check_creation(parent, request.body, int(found[2]) if found[2] else None)
            if parent.type == ChannelType.FORUM:
                self.world.forums.check_post(parent, request.body, bot, files=bool(request.files))
        elif (found := _THREAD_MEMBER.fullmatch(path)) and method != "GET":
            thread = backend.get_thread(int(found[1]))
            backend.require_permissions(thread.guild_id, bot, thread.id)
            threads.admit_change(thread, bot)
            if method == "PUT":
                threads.check_new_member(thread, bot if found[2] == "@me" else int(found[2]))
        elif (found := _MESSAGE.fullmatch(path)) and method != "GET":
            channel = backend.get_channel(int(found[1]))
            backend.require_permissions(channel.guild_id, bot, channel.id)
            if method == "DELETE" and found[3] is None and "/pins/" not in path:
                threads.admit_deletion(channel, bot)
            else:
                reacts = (found[3] or "").startswith("/reactions")
                threads.admit_change(channel, bot, "reaction-in-archived" if reacts else "edit-in-archived")
            if method == "PATCH":
                self._check_left(channel.id, int(found[2]), request, request.body)

    def _check_left(self, channel: int, message: int | None, request: LoggedRequest, changes: Any) -> None:
        """Refuse an edit after which nothing is left of a message."""
        old = self.world.backend.messages.get(channel, {}).get(message or 0)
        if old is None or not isinstance(changes, dict) or request.files:
            return
        parts = ("content", "embeds", "components", "attachments")
        if not old.stickers and not old.poll and not changes.get("poll"):
            left = [changes.get(part) if part in changes else getattr(old, part) for part in parts]
            if not any(left):
                refuse("empty-edit")

    def _check_interaction(self, request: LoggedRequest) -> None:
        """Refuse answers to interactions that come too late, or where the thread was closed meanwhile."""
        backend, bot = self.world.backend, self.world.backend.bot_user.id
        body = request.body if isinstance(request.body, dict) else {}
        if (found := _CALLBACK.fullmatch(request.path)) and body.get("type") in (4, 5):
            record = backend.interactions.get(int(found[1]))
            shown = body.get("data") or {}
            deadline = record.initial_response_deadline if record and not record.responded else None
            if deadline is not None and backend.now_iso() >= deadline:
                refuse("late-answer")
        elif found and body.get("type") == 7:
            record = backend.interactions.get(int(found[1]))
            if record is not None:
                self._check_left(record.channel_id, record.source_message_id, request, body.get("data"))
            return
        elif (found := _WEBHOOK.fullmatch(request.path)) and found[1] in backend.interaction_tokens:
            record = backend.interactions[backend.interaction_tokens[found[1]]]
            if record.expires_at is not None and backend.now_iso() >= record.expires_at:
                raise refusal(50027)
            if request.method == "POST" and not self.world.installs.admit_followup(record):
                raise refusal(40094)
            if request.method == "PATCH" and (tail := request.path.rpartition("/")[2]):
                target = record.message_id if tail == "@original" else int(tail)
                self._check_left(record.channel_id, target, request, body)
            shown = {"flags": _EPHEMERAL} if record.ephemeral or request.method != "POST" else body
        else:
            return
        if record is not None and not int(shown.get("flags") or 0) & _EPHEMERAL:
            channel = backend.channels.get(record.channel_id)
            if channel is not None:
                self.world.threads.admit_answer(channel, bot)

    def _dispatch(
        self, request: LoggedRequest, *, path: str | None = None, params: dict[str, str] | None = None
    ) -> Any:
        return router.dispatch(
            self.world.backend,
            request.method,
            path or request.path,
            json=request.body,
            params=dict(request.params if params is None else params),
            files=[_Upload(one.filename, one.description, io.BytesIO(one.data)) for one in request.files],
            message_content_access=self.world.approved.message_content,
        )

    def _post_message(self, request: LoggedRequest, channel_id: int) -> Any:
        body = dict(request.body or {})
        channel = self.world.backend.get_channel(channel_id)
        bot = self.world.backend.bot_user.id
        self.world.threads.check_kind(channel)
        if channel.guild_id is None:
            if self.world.closed_dms.intersection(channel.recipient_ids):
                raise refusal(50007)
            if not any(map(self.world.shares_guild, channel.recipient_ids)):
                raise refusal(50278)
        if request.files:
            self._require(channel, "attach_files", "no-files")
        if not self._is_there(channel, body.get("message_reference")):
            del body["message_reference"]  # "sending as a normal (non-reply) message"
        nonce = None if body.get("nonce") is None else str(body["nonce"])
        key = (0 if says("nonce-elsewhere", "same") else channel_id, nonce or "")
        if nonce is not None and (body.get("enforce_nonce") or says("nonce-unenforced", "same")):
            room, known, since = self._nonces.get(key, (0, 0, self.world.now()))
            existing = self.world.backend.messages.get(room, {}).get(known)
            if existing is not None and self.world.now() - since < nonce_memory():
                return {**serializers.message_payload(self.world.backend, existing), "nonce": nonce}
        if channel.is_thread:
            self._require(channel, "send_messages_in_threads", "silenced-in-threads", 1)
        else:
            self._require(channel, "send_messages", "silenced")
        self.world.threads.admit_post(channel, bot)
        self.world.nonce = nonce
        try:
            posted = self._dispatch(replace(request, body=body))
        finally:
            self.world.nonce = None
        if nonce is not None:
            self._nonces[key] = (channel_id, int(posted["id"]), self.world.now())
            posted["nonce"] = nonce
        return posted

    def _require(self, channel: Channel, right: str, fact: str, which: int = 0) -> None:
        """Refuse what takes a right that the bot lacks, in the words of a fact."""
        backend = self.world.backend
        backend.require_permissions(channel.guild_id, backend.bot_user.id, channel.id)
        if channel.guild_id is not None:
            rights = backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id)
            if not rights & flag(right):
                refuse(fact, which)

    def _is_there(self, channel: Channel, reference: Any) -> bool:
        """Return whether what a message replies to, if anything, is there.

        https://docs.discord.com/developers/resources/message#message-reference-structure

        Raises:
            BackendError: 160002 without the right to read the history, 50035 if it must be there.
        """
        if not isinstance(reference, dict) or reference.get("type", 0) != 0 or "message_id" not in reference:
            return True
        backend = self.world.backend
        if channel.guild_id is not None:
            rights = backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id)
            if not rights & flag("read_message_history"):
                refuse("no-history", 1)
        exists = int(reference["message_id"]) in backend.messages[channel.id]
        if not exists and reference.get("fail_if_not_exists", True):
            where = {"_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]}
            refuse("reply-to-deleted", errors={"message_reference": where})
        return exists

    def _history_after(self, request: LoggedRequest) -> Any:
        nearest: list[Any] = self._dispatch(request)
        return nearest[::-1] if _ascends(KNOWN["history"]) else nearest


def nonce_memory() -> datetime.timedelta:
    """Return how long an enforced nonce counts: five minutes, if that agrees with what is known.

    Discord says "the past few minutes"; https://docs.discord.com/developers/resources/message
    """
    if not says("nonce-twice", "same"):
        return datetime.timedelta()
    same = [minutes for minutes in MINUTES if says(f"nonce-after-{minutes}-min", "same")]
    longer, shorter = max(same, default=0), min(set(MINUTES) - set(same), default=2 * MINUTES[-1])
    usual = _NONCE_MINUTES if longer < _NONCE_MINUTES < shorter else (longer + shorter) / 2
    return datetime.timedelta(minutes=usual)


def _ascends(words: str) -> bool:
    """Return whether the numbers in brackets rise: the order of a history, oldest first."""
    numbers = [int(one) for one in re.findall(r"\d+", words.partition("]")[0])]
    return numbers == sorted(numbers)
