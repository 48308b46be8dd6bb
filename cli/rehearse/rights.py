"""Facts on rights: what is refused where one is missing.

A channel that the bot can't see isn't among them: it could no longer remove it.
https://docs.discord.com/developers/topics/permissions
"""

from __future__ import annotations

from cli.rehearse.facts import fact, yes
from cli.rehearse.stage import RehearsalStage


@fact("A post without the right to send messages is refused.")
async def _silenced(stage: RehearsalStage) -> str:
    return (await stage.send({"content": "x"}, channel=await stage.forbid("send_messages"))).verdict


@fact("In a thread only the right to send messages in threads counts.")
async def _silenced_in_threads(stage: RehearsalStage) -> str:
    channel = await stage.forbid("send_messages")
    made = await stage.thread(channel=channel)
    allowed = await stage.send({"content": "in"}, channel=made["id"])
    other = await stage.forbid("send_messages_in_threads")
    refused = await stage.send({"content": "in"}, channel=(await stage.thread(channel=other))["id"])
    return f"{allowed.verdict}, {refused.verdict}"


@fact("Without the right to read it, the history is empty; a reply is refused.")
async def _no_history(stage: RehearsalStage) -> str:
    channel = await stage.forbid("read_message_history")
    answer = await stage.rest("GET", f"/channels/{channel}/messages")
    posted = await stage.post(channel=channel)
    body = {"content": "reply", "message_reference": {"message_id": posted["id"]}}
    replied = await stage.send(body, channel=channel)
    return f"{answer.verdict}, empty {yes(answer.body == [])}, reply {replied.verdict}"


@fact("A file without the right to attach one is refused.")
async def _no_files(stage: RehearsalStage) -> str:
    channel = await stage.forbid("attach_files")
    return (await stage.send({"content": "x"}, channel=channel, files={"a.txt": b"a"})).verdict


@fact("A thread without the right to make one is refused.")
async def _no_new_threads(stage: RehearsalStage) -> str:
    channel = await stage.forbid("create_public_threads")
    body = {"name": "thread", "type": 11}
    return (await stage.rest("POST", f"/channels/{channel}/threads", body)).verdict


@fact("A reaction without the right to add one is refused.")
async def _no_reactions(stage: RehearsalStage) -> str:
    channel = await stage.forbid("add_reactions")
    posted = await stage.post(channel=channel)
    path = f"/channels/{channel}/messages/{posted['id']}/reactions/%E2%9C%85/@me"
    return (await stage.rest("PUT", path)).verdict
