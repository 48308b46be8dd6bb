"""What the bot's answers to interactions have in common, judged in every test of its process."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus

from tests.loopback import LoggedRequest

CALLBACK = "/interactions/{interaction_id}/{token}/callback"
FOLLOWUP = "/webhooks/{webhook_id}/{token}"
POST = "/channels/{channel_id}/messages"
PRIVATE, LAYOUT = 1 << 6, 1 << 15
"""Flags of messages."""
_NEW_MESSAGES = (4, 5)
"""The types of callbacks that make a message, at once or later."""
_MOST_FOLLOWUPS = 5
"""How many followups an interaction takes where only a person has installed the bot."""


def judge_responses(requests: Iterable[LoggedRequest]) -> None:
    """See that answers are private and few enough wherever the bot is, and that no layout calls anyone.

    A notification of a layout has no text (https://github.com/discord/discord-api-docs/issues/7854).
    So it doesn't matter that Discord refuses public answers in threads that were locked meanwhile.
    """
    followups: Counter[str] = Counter()
    for request in requests:
        if request.method != "POST" or not isinstance(request.body, dict):
            continue
        callback = request.template == CALLBACK
        message = request.body.get("data") or {} if callback else request.body
        flags = message.get("flags", 0)
        answers = request.template == FOLLOWUP or (callback and request.body["type"] in _NEW_MESSAGES)
        if answers:
            assert flags & PRIVATE, f"a public answer: {request}"
        if request.template == POST and flags & LAYOUT:
            assert "<@" not in json.dumps(message["components"]), f"a layout that calls: {request}"
        taken = request.status in (HTTPStatus.OK, HTTPStatus.NO_CONTENT)
        if request.template == FOLLOWUP and taken:
            followups[request.args["token"]] += 1
    assert all(times <= _MOST_FOLLOWUPS for times in followups.values()), "too many followups"
