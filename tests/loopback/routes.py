"""The bot's HTTP requests, answered by SimCord's route handlers in a world.

With `world` this is the only module that touches SimCord's internals. Where its handlers are laxer than
Discord or say nothing (repeated nonces, archived threads, the order of history), the
difference is made up here.
"""

from __future__ import annotations

import datetime
import io
import re
from dataclasses import dataclass
from typing import Any

from simcord.backend import errors, serializers
from simcord.backend.errors import BackendError
from simcord.backend.models import Channel
from simcord.backend.permissions import flag
from simcord.http import router

from tests.loopback.log import LoggedRequest
from tests.loopback.payloads import bare
from tests.loopback.world import World

NONCE_MEMORY = datetime.timedelta(minutes=5)
"""How long an enforced nonce is remembered; Discord says "the past few minutes"."""

_MESSAGES = re.compile(r"/channels/(\d+)/messages")
_MESSAGE = re.compile(r"/channels/(\d+)/messages/(?:pins/)?(\d+)(?:/.*)?")
_THREAD_ON_MESSAGE = re.compile(r"/channels/(\d+)/messages/(\d+)/threads")
_THREAD_MEMBERS = re.compile(r"/channels/(\d+)/thread-members/.+")
_CHANNEL = re.compile(r"/channels/(\d+)")
_ANSWER_WISHED = {
    ("POST", "/interactions/{interaction_id}/{token}/callback"): "with_response",
    ("POST", "/webhooks/{webhook_id}/{token}"): "wait",
}
_OWNER_MAY_EDIT = {"name", "archived", "auto_archive_duration", "rate_limit_per_user", "applied_tags"}
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
        self._nonces: dict[tuple[int, int, str], tuple[int, datetime.datetime]] = {}

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
            return Reply(reply.status, bare(reply.body))
        except router.RouteNotImplemented as gap:
            return Reply(404, {"message": "404: Not Found", "code": 0}, str(gap))
        except router.UnsupportedField as gap:
            return Reply(400, errors.invalid_form_body(gap.message).to_json(), str(gap))
        except BackendError as refusal:
            return Reply(refusal.status, refusal.to_json())
        except (KeyError, TypeError, ValueError) as error:  # SimCord trusts discord.py to send whole bodies
            body = errors.invalid_form_body(repr(error)).to_json()
            return Reply(400, body, f"{type(error).__name__}: {error}")

    def _handle(self, request: LoggedRequest) -> Reply:
        method, path = request.method, request.path
        if (found := _MESSAGES.fullmatch(path)) and method == "POST":
            return Reply(200, self._post_message(request, int(found[1])))
        if (found := _MESSAGES.fullmatch(path)) and method == "GET" and "after" in request.params:
            return Reply(200, self._history_after(request))
        if (found := _THREAD_ON_MESSAGE.fullmatch(path)) and method == "POST":
            if int(found[2]) in self.world.backend.channels:
                raise BackendError(400, 160004, "A thread has already been created for this message")
        elif found := _MESSAGE.fullmatch(path) or _THREAD_MEMBERS.fullmatch(path):
            if method != "GET":
                self._refuse_archived(int(found[1]))
        elif (found := _CHANNEL.fullmatch(path)) and method == "PATCH":
            channel = self.world.backend.get_channel(int(found[1]))
            if channel.is_thread:
                return Reply(200, self._edit_thread(channel, dict(request.body)))
        if path == "/applications/@me":
            path = f"/oauth2{path}"
        body = self._dispatch(request, path=path)
        wish = _ANSWER_WISHED.get((method, request.template))
        if wish is not None and request.params.get(wish, "").lower() not in _YES:
            body = None
        if path == "/oauth2/applications/@me":
            body["flags"] = self.world.application_flags()
        return Reply(204 if body is None else 200, body)

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
        if channel.guild_id is None and self.world.closed_dms.intersection(channel.recipient_ids):
            raise errors.cannot_dm_bot()  # code 50007 is the same for a person who takes no messages
        if request.files:
            self.world.backend.require_permissions(channel.guild_id, bot, channel_id, "attach_files")
        self._check_reply(channel, body.get("message_reference"))
        nonce = None if body.get("nonce") is None else str(body["nonce"])
        if nonce is not None and len(nonce) > 25:
            raise errors.invalid_form_body("nonce must be 25 or fewer characters")
        key = (bot, channel_id, nonce or "")
        if nonce is not None and body.get("enforce_nonce"):
            known, since = self._nonces.get(key, (0, self.world.now()))
            if known in self.world.backend.messages[channel_id] and self.world.now() - since < NONCE_MEMORY:
                existing = self.world.backend.messages[channel_id][known]
                return {**serializers.message_payload(self.world.backend, existing), "nonce": nonce}
        self.world.wake_thread(channel, bot)
        self.world.nonce = nonce
        try:
            posted = self._dispatch(request)
        finally:
            self.world.nonce = None
        if nonce is not None:
            self._nonces[key] = (int(posted["id"]), self.world.now())
            posted["nonce"] = nonce
        return posted

    def _check_reply(self, channel: Channel, reference: Any) -> None:
        if not isinstance(reference, dict) or reference.get("type", 0) != 0 or "message_id" not in reference:
            return
        backend = self.world.backend
        if channel.guild_id is not None:
            rights = backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id)
            if not rights & flag("read_message_history"):
                raise BackendError(400, 160002, "Cannot reply without permission to read message history")
        exists = int(reference["message_id"]) in backend.messages[channel.id]
        if not exists and reference.get("fail_if_not_exists", True):
            where = {"_errors": [{"code": "REPLIES_UNKNOWN_MESSAGE", "message": "Unknown message"}]}
            raise errors.invalid_form_body(errors={"message_reference": where})

    def _history_after(self, request: LoggedRequest) -> Any:
        # Discord returns the messages next to `after`; SimCord the newest of all that follow.
        limit = int(request.params.get("limit", 50))
        everything = self._dispatch(request, params={**request.params, "limit": str(1 << 62)})
        return everything[-limit:]

    # ---------------------------------------------------------------- threads

    def _refuse_archived(self, channel_id: int) -> None:
        meta = self.world.backend.get_channel(channel_id).thread_metadata
        if meta is not None and meta.archived:
            raise BackendError(400, 50083, "Thread is archived")

    def _edit_thread(self, thread: Channel, body: dict[str, Any]) -> Any:
        # SimCord asks for MANAGE_CHANNELS; Discord for MANAGE_THREADS, or to be the thread's owner.
        bot = self.world.backend.bot_user.id
        own = thread.owner_id == bot and not (body.keys() - _OWNER_MAY_EDIT)
        rights = () if own else ("manage_threads",)
        self.world.backend.require_permissions(thread.guild_id, bot, thread.id, *rights)
        meta = thread.thread_metadata
        if meta is not None and meta.archived and body.get("archived") is not False:
            raise BackendError(400, 50083, "Thread is archived")
        settings = {"archived", "locked", "auto_archive_duration", "invitable"}
        changes = {key: value for key, value in body.items() if key not in settings}
        if unknown := changes.keys() - {"name", "rate_limit_per_user"}:
            raise router.UnsupportedField("PATCH", f"/channels/{thread.id}", sorted(unknown))
        self.world.backend.edit_channel(
            thread.id, changes, thread_metadata={key: body[key] for key in settings if key in body}
        )
        return dict(serializers.channel_payload(self.world.backend, thread))
