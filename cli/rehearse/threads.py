"""Facts on threads and forums.

https://docs.discord.com/developers/topics/threads
"""

from __future__ import annotations

from typing import Any

from cli.rehearse.facts import fact, limit, yes
from cli.rehearse.stage import FORUM, Json, RehearsalStage
from cli.rehearse.wire import RestAnswer


async def archived(stage: RehearsalStage, **more: Any) -> tuple[str, Json]:
    """Return a new message in an archived thread: the path of the thread, and the message.

    Raises NotTriedError if refused.
    """
    made = await stage.thread()
    posted = await stage.post(channel=made["id"], **more)
    path = f"/channels/{made['id']}"
    stage.given(await stage.rest("PATCH", path, {"archived": True}))
    return path, posted


@fact("A thread that begins at a message has its id; a second one there is refused.")
async def _thread_of_message(stage: RehearsalStage) -> str:
    stage.require("create_public_threads")
    posted = await stage.post()
    path = f"/channels/{stage.channel}/messages/{posted['id']}/threads"
    made = stage.given(await stage.rest("POST", path, {"name": "first"}))
    again = await stage.rest("POST", path, {"name": "second"})
    return f"same id {yes(made['id'] == posted['id'])}, then {again.verdict}"


@limit("A thread's name has a limit of characters.", 200)
async def _long_thread_name(stage: RehearsalStage, size: int) -> RestAnswer:
    stage.require("create_public_threads")
    body = {"name": "x" * size, "type": 11}
    return await stage.rest("POST", f"/channels/{stage.channel}/threads", body)


@fact("A thread can't be made in a thread.")
async def _thread_in_thread(stage: RehearsalStage) -> str:
    made = await stage.thread()
    return (await stage.rest("POST", f"/channels/{made['id']}/threads", {"name": "in", "type": 11})).verdict


@fact("A thread archives after 60, 1,440, 4,320 or 10,080 minutes; 61 are refused.")
async def _odd_archive_time(stage: RehearsalStage) -> str:
    stage.require("create_public_threads")
    body = {"name": "odd", "type": 11, "auto_archive_duration": 61}
    return (await stage.rest("POST", f"/channels/{stage.channel}/threads", body)).verdict


@fact("A post in an archived thread wakes it.")
async def _post_wakes(stage: RehearsalStage) -> str:
    path, _ = await archived(stage)
    answer = await stage.rest("POST", f"{path}/messages", {"content": "awake"})
    found = stage.given(await stage.rest("GET", path))
    return f"{answer.verdict}, archived {yes(found['thread_metadata']['archived'])}"


@fact("An edit in an archived thread is refused.")
async def _edit_in_archived(stage: RehearsalStage) -> str:
    path, posted = await archived(stage)
    return (await stage.rest("PATCH", f"{path}/messages/{posted['id']}", {"content": "new"})).verdict


@fact("A reaction in an archived thread is refused.")
async def _reaction_in_archived(stage: RehearsalStage) -> str:
    stage.require("add_reactions")
    path, posted = await archived(stage)
    return (await stage.rest("PUT", f"{path}/messages/{posted['id']}/reactions/%E2%9C%85/@me")).verdict


@fact("A message in an archived thread can be deleted.")
async def _deletion_in_archived(stage: RehearsalStage) -> str:
    path, posted = await archived(stage)
    return (await stage.rest("DELETE", f"{path}/messages/{posted['id']}")).verdict


@fact("An archived thread can't be renamed.")
async def _name_of_archived(stage: RehearsalStage) -> str:
    path, _ = await archived(stage)
    return (await stage.rest("PATCH", path, {"name": "renamed"})).verdict


@fact("An archived thread can be woken by a change of its settings, and renamed with it.")
async def _waking(stage: RehearsalStage) -> str:
    path, _ = await archived(stage)
    return (await stage.rest("PATCH", path, {"archived": False, "name": "renamed"})).verdict


@fact("A thread that is deleted is unknown.")
async def _deleted_thread(stage: RehearsalStage) -> str:
    stage.require("manage_threads")
    made = await stage.thread()
    stage.given(await stage.rest("DELETE", f"/channels/{made['id']}"))
    return (await stage.send({"content": "late"}, channel=made["id"])).verdict


@fact("Posts and edits in a locked thread are refused to who may not manage threads.")
async def _locked_thread(stage: RehearsalStage) -> str:
    stage.require("manage_threads")
    channel = await stage.forbid("manage_threads")
    made = await stage.thread(channel=channel)
    posted = await stage.post(channel=made["id"])
    await stage.deny(channel)
    stage.given(await stage.rest("PATCH", f"/channels/{made['id']}", {"locked": True}))
    await stage.deny(channel, "manage_threads")
    post = await stage.send({"content": "late"}, channel=made["id"])
    edit = await stage.rest("PATCH", f"/channels/{made['id']}/messages/{posted['id']}", {"content": "new"})
    return f"{post.verdict}, {edit.verdict}"


@fact("Who may manage threads can post in a locked one.")
async def _locked_for_managers(stage: RehearsalStage) -> str:
    stage.require("manage_threads")
    made = await stage.thread()
    stage.given(await stage.rest("PATCH", f"/channels/{made['id']}", {"locked": True}))
    return (await stage.send({"content": "in"}, channel=made["id"])).verdict


@fact("Who made a thread may rename and archive it without any right.")
async def _own_thread(stage: RehearsalStage) -> str:
    channel = await stage.forbid("manage_threads")
    path = f"/channels/{(await stage.thread(channel=channel))['id']}"
    renamed = await stage.rest("PATCH", path, {"name": "renamed"})
    return f"{renamed.verdict}, {(await stage.rest('PATCH', path, {'archived': True})).verdict}"


@fact("A forum takes no messages.")
async def _post_in_forum(stage: RehearsalStage) -> str:
    forum = await stage.new_channel(FORUM)
    return (await stage.send({"content": "in a forum"}, channel=forum["id"])).verdict


@fact("A post in a forum is a thread whose first message has its id.")
async def _forum_post(stage: RehearsalStage) -> str:
    forum = await stage.new_channel(FORUM)
    body = {"name": "post", "message": {"content": "first"}}
    made = stage.given(await stage.rest("POST", f"/channels/{forum['id']}/threads", body))
    found = await stage.rest("GET", f"/channels/{made['id']}/messages/{made['id']}")
    return f"type {made['type']}, first message {found.verdict}"


@fact("A forum may require a tag of each post.")
async def _forum_tag(stage: RehearsalStage) -> str:
    forum = await stage.new_channel(FORUM, flags=1 << 4, available_tags=[{"name": "tag", "moderated": False}])
    body = {"name": "post", "message": {"content": "first"}}
    return (await stage.rest("POST", f"/channels/{forum['id']}/threads", body)).verdict
