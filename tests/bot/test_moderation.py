"""Moderators at work on the stage: their panels, who may use them, what players and the log say."""

from __future__ import annotations

from typing import get_args

import discord
import pytest
from simcord.actors import MemberActor
from simcord.backend.errors import SetupError
from simcord.builders import ChannelHandle, RoleHandle
from simcord.results import InteractionResult

from bot.messages.components import Call
from bot.messages.moderation import log_line, reason_form
from bot.platform.permissions import INVITE
from bot.platform.reader_settings import Reader
from games.engine.match import Kind
from locales import Catalogue
from matches.people.moderation import Ruling
from matches.ports import StoreUnavailableError
from matches.store.moderation import Action, ModerationRow
from matches.store.rows import MatchRow
from tests.bot.acts import last_board, move_by, rows_of
from tests.bot.ping_acts import direct
from tests.bot.stage import Stage, allow, legal, menu_with, shown, text_of
from tests.fakes import START

pytestmark = pytest.mark.slow
ONLY = "Only those who may manage messages in this server can do that."


def give(stage: Stage, who: MemberActor, **rights: bool) -> RoleHandle:
    """Give a person a role with these rights."""
    role = stage.guild.create_role("Extra", permissions=discord.Permissions(**rights))
    stage.env.backend.guilds[stage.guild.id].members[who.id].role_ids.append(role.id)
    return role


@pytest.fixture
def eve(stage: Stage) -> MemberActor:
    """Eve moderates the server."""
    give(stage, stage.eve, manage_messages=True)
    return stage.eve


@pytest.fixture
async def owner(stage: Stage) -> MemberActor:
    """Dan owns the server."""
    stage.env.backend.guilds[stage.guild.id].owner_id = stage.dan.id
    await stage.restart()
    return stage.dan


async def panel(who: MemberActor, channel: ChannelHandle, match: str | None = None) -> discord.Message:
    """The panel of the match played in a channel."""
    named = {} if match is None else {"match": match}
    return shown(await who.slash(channel, "moderate match", **named))


async def do(
    who: MemberActor, shown_panel: discord.Message, label: str, reason: str = "a quarrel", **more: str
) -> InteractionResult:
    """Press a button of a panel and fill in its form."""
    form = await who.click(shown_panel, label=label)
    return await who.submit_modal(form, {"reason": reason} | more)


async def seat_panel(stage: Stage, who: MemberActor, thread: ChannelHandle, user: int) -> discord.Message:
    """The panel of a person's seat."""
    main = await panel(who, thread)
    (seat,) = [one for one in (await stage.row(await here(stage, thread))).seats if one.user == user]
    value = f"{seat.seat}.{user}"
    return shown(await who.select(main, [value], custom_id=menu_with(main, value)))


async def here(stage: Stage, thread: ChannelHandle) -> str:
    rows = await stage.bot.context.store.by_place(thread.id, ("live", "aborted", "over"))
    return rows[0].id


async def test_a_match_is_paused_and_resumed(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    first = await panel(eve, thread)
    assert rows_of(first)[0] == ["Pause", "End without a result", "End as a draw", "Log"]
    done = await do(eve, first, "Pause", "@everyone **calm** down\n<@1>")
    assert text_of(done).startswith(f"Done: `{match}` is paused.")
    told = thread.history()[-1]
    assert told.content.startswith("A moderator has paused the match.")
    assert "@everyone" not in told.content
    assert not told.raw_mentions
    assert "\\<@1>" in told.content
    said = text_of(await mover.slash(thread, "move", move="a1-a2"))
    assert said == "A moderator has paused this match. It goes on when a moderator resumes it."
    await stage.restart()
    calls = await stage.hears(thread, do(eve, await panel(eve, thread), "Resume"))
    (board,) = [message for message in calls if message.attachments]
    assert "A moderator lets the match go on" in board.content
    assert "a quarrel" in board.content
    assert board.raw_mentions == [mover.id]
    await move_by(stage, "slash", match, thread, mover, legal(await stage.match(match))[0])
    assert (await stage.match(match)).plays == 1


async def test_a_match_is_ended_and_reopened(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    await do(eve, await panel(eve, thread), "End without a result")
    assert (await stage.row(match)).ended_by_moderator
    assert thread.history()[-1].content.startswith("A moderator has ended the match, without a result.")
    said = text_of(await stage.ann.slash(thread, "match resign", match=match))
    assert said
    await stage.press(stage.ann, board, "moves")
    assert (await stage.row(match)).ended_by_moderator
    for command in ("replay verify", "replay story"):
        said = text_of(await stage.ann.slash(thread, command, match=match))
        assert said.startswith(f"A moderator has ended `{match}` and may reopen it"), command
    said = text_of(await stage.ann.slash(thread, "replay fork", match=match))
    assert said == "A moderator has ended this match."
    last = await panel(eve, thread, match)
    assert rows_of(last) == [["Reopen", "Log"]]
    await do(eve, last, "Reopen")
    assert (await stage.row(match)).status == "live"
    assert "A moderator has reopened the match" in (await last_board(stage, match)).content


async def test_a_moderator_decides_who_has_won(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    late = await eve.click(await panel(eve, thread), label="End as a draw")
    done = await do(eve, await seat_panel(stage, eve, thread, stage.ben.id), "Award the match", "**no** show")
    assert text_of(done).startswith(f"Done: `{match}` is won.")
    assert rows_of(shown(done)) == [["Log"]]
    board = (await last_board(stage, match)).content
    assert "A moderator has ended the match and awarded it to" in board
    assert "Decided by a moderator. **" in board
    assert "\\*\\*no\\*\\* show" in board
    row = await stage.row(match)
    assert row.result is not None
    (seat,) = [one.seat for one in row.seats if one.user == stage.ben.id]
    assert (row.status, row.result["ranks"][seat]) == ("over", 1)
    assert text_of(await eve.submit_modal(late, {"reason": "late"})) == "This match is over."
    log = text_of(await eve.click(await panel(eve, thread, match), label="Log"))
    assert f"awarded `{match}` to <@{stage.ben.id}>" in log


async def test_a_match_is_drawn_by_a_moderator(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    done = await do(eve, await panel(eve, thread), "End as a draw")
    assert text_of(done).startswith(f"Done: `{match}` is drawn.")
    board = (await last_board(stage, match)).content
    assert "A moderator has ended the match as a draw between" in board
    assert "Decided by a moderator. **A draw between" in board
    log = text_of(await eve.click(await panel(eve, thread, match), label="Log"))
    assert f"ended `{match}` as a draw" in log


async def test_a_match_that_is_over_stays_over(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    before = await panel(eve, thread)
    form = await eve.click(before, label="Pause")
    await stage.ann.click(shown(await stage.ann.slash(thread, "match resign")), label="Yes, I resign")
    assert text_of(await eve.submit_modal(form, {"reason": "late"})) == "This match is over."
    after = await panel(eve, thread, match)
    assert rows_of(after) == [["Log"]]
    assert f"`/replay fork match:{match}`" in after.content
    assert await stage.bot.context.store.moderated(stage.guild.id) == ()


async def test_a_seat_gets_more_time_or_is_removed(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, clock="1d a move")
    seat = await seat_panel(stage, eve, thread, stage.ann.id)
    assert rows_of(seat)[0] == ["More time", "Award the match", "Remove", "Back"]
    bad = await do(eve, seat, "More time", time="a while")
    assert text_of(bad).startswith("I can't read that time.")
    unsure = await do(eve, seat, "More time", time="36:00")
    assert text_of(unsure).startswith("That can be read in 2 ways: `36h` or `36min`.")
    await do(eve, seat, "More time", time="1d 6h")
    assert "1 day 6 hours" in thread.history()[-1].content or "30 hours" in thread.history()[-1].content
    await do(eve, await seat_panel(stage, eve, thread, stage.ann.id), "Remove")
    row = await stage.row(match)
    assert row.status == "over"
    kinds = [one.entry.kind for one in await stage.bot.context.service.queries.log(match)]
    assert Kind.RESIGN in kinds
    posts = "\n".join(message.content for message in thread.history())
    assert "which counts as a resignation" in posts
    log = text_of(await eve.click(await panel(eve, thread, match), label="Log"))
    assert f"removed <@{stage.ann.id}> from `{match}`" in log
    assert f"<@{eve.id}>" in log


async def test_someone_else_or_a_computer_plays_a_seat(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    seat = await seat_panel(stage, eve, thread, stage.ann.id)
    late = await eve.click(seat, label="Remove")
    menu = next(i for i in _ids(seat) if i.startswith("domu:"))
    form = await eve.select(seat, [stage.cleo.user], custom_id=menu)
    await eve.submit_modal(form, {"reason": "Ann is away"})
    offer = thread.history()[-1]
    assert offer.raw_mentions == [stage.cleo.id]
    assert "Ann is away" in offer.content
    await stage.restart()
    await stage.press_all((stage.cleo, offer, "seat_yes"), (stage.cleo, offer, "seat_yes"))
    assert stage.cleo.id in {one.user for one in (await stage.row(match)).seats}
    stale = await eve.submit_modal(late, {"reason": "gone"})
    assert text_of(stale) == "That seat has changed hands since. Look at the match again."
    seat = await seat_panel(stage, eve, thread, stage.cleo.id)
    form = await eve.select(seat, ["easy"], custom_id=menu_with(seat, "easy"))
    await eve.submit_modal(form, {"reason": "Cleo is away, too"})
    assert {one.occupant for one in (await stage.row(match)).seats} == {"person", "computer"}


def _ids(message: discord.Message) -> list[str]:
    return [
        str(getattr(c, "custom_id", "")) for row in message.components for c in getattr(row, "children", ())
    ]


async def test_a_match_moves_to_another_channel(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await do(eve, await panel(eve, stage.gallery, match), "Move here", "a calmer place")
    row = await stage.row(match)
    assert row.place.home == stage.gallery.id
    boards = await stage.boards_in(stage.gallery, match)
    assert len(boards) == 1
    assert "a calmer place" in boards[0].content
    last = thread.history()[-1]
    assert last.content == f"A moderator has moved `{match}` to <#{stage.gallery.id}>, where it goes on."
    assert rows_of(await panel(eve, stage.gallery))[0] == [
        "Pause",
        "End without a result",
        "End as a draw",
        "Log",
    ]
    assert thread.id != stage.gallery.id


async def test_a_channel_that_a_match_has_left_may_be_closed_or_gone(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    posts = rf"/channels/{thread.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50013, message="Missing Permissions", times=None)
    await do(eve, await panel(eve, stage.gallery, match), "Move here")
    row = await stage.row(match)
    assert (row.place.home, row.unreachable) == (stage.gallery.id, "")
    assert await stage.bot.context.store.outbox_pending() == ()
    assert not any("can't" in one.content for one in direct(stage.ann)), "nobody need do anything"


async def test_an_open_table_is_closed(stage: Stage, eve: MemberActor) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    first = await panel(eve, stage.channel, match)
    assert rows_of(first) == [["Close this lobby", "Log"]]
    form, again = [await eve.click(first, label="Close this lobby") for _ in range(2)]
    await eve.submit_modal(form, {"reason": "too many"})
    assert "closed" in text_of(await eve.submit_modal(again, {"reason": "twice"}))
    assert (await stage.row(match)).status == "closed"
    closed = [m for m in stage.channel.history() if "has closed the lobby" in m.content]
    assert len(closed) == 1
    assert "too many" in closed[0].content


async def test_only_moderators_of_this_server_act(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    with pytest.raises(SetupError, match="not visible"):
        await stage.dan.slash(thread, "moderate match")
    first = await panel(eve, thread)
    for verb in ("mod_ask:{}:1:pause", "mod_log:-:0", "mod_match:{}:1"):
        said = await stage.press_id(stage.dan, first, f"domb:{verb.format(match)}")
        assert text_of(said) == ONLY, verb
    give(stage, stage.ann, manage_messages=True)
    own = await do(stage.ann, await panel(stage.ann, thread), "Pause")
    assert text_of(own) == "You have a seat in this match. Another moderator has to act here."
    assert not (await stage.match(match)).hosting.held
    abroad = stage.env.create_guild("Elsewhere")
    allow(stage.env, abroad, INVITE)
    lounge = abroad.create_text_channel("lounge")
    role = abroad.create_role("Extra", permissions=discord.Permissions(manage_messages=True))
    eve_there = abroad.add_member(stage.eve.user, roles=[role])
    abroad_said = text_of(await eve_there.slash(lounge, "moderate match", match=match))
    assert abroad_said == f"`{match}` isn't played in this server, so its moderators can't act on it."
    there = await stage.press_id(eve_there, first, f"domb:mod_match:{match}:1", lounge)
    assert text_of(there) == f"There is no match `{match}`. `/matches mine` lists yours."


async def test_a_role_that_is_named_moderates(stage: Stage, owner: MemberActor) -> None:
    role = give(stage, stage.cleo)
    match, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await owner.slash(stage.channel, "server settings", moderators=role))
    assert f"<@&{role.id}>" in said
    listed = await stage.bot.tree.fetch_commands()
    moderate = next(command for command in listed if command.name == "moderate")
    stage.guild.set_command_permissions(moderate, {role: True})  # in Server Settings, Integrations
    await do(stage.cleo, await panel(stage.cleo, thread), "Pause")
    assert (await stage.match(match)).hosting.held == "pause"
    await owner.slash(stage.channel, "server settings", no_moderators=role)
    assert text_of(await stage.cleo.slash(thread, "moderate match")) == ONLY


async def test_a_person_is_barred_and_may_play_again(stage: Stage, eve: MemberActor) -> None:
    first = shown(await eve.slash(stage.channel, "moderate player", user=stage.ann.user))
    form, again = [await eve.click(first, label="Bar from playing here") for _ in range(2)]
    await eve.submit_modal(form, {"reason": "spam"})
    assert "spam" in direct(stage.ann)[-1].content
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus"))
    assert said == "A moderator has decided that you can't start or join matches in this server."
    twice = await eve.submit_modal(again, {"reason": "again"})
    assert text_of(twice) == f"<@{stage.ann.id}> is already barred from playing here."
    now = shown(await eve.slash(stage.channel, "moderate player", user=stage.ann.user))
    assert "spam" in now.content
    await do(eve, now, "Let them play again", "said sorry")
    await stage.open(stage.ann, stage.ben)


async def test_the_log_is_paged_and_posted_once(stage: Stage, eve: MemberActor, owner: MemberActor) -> None:
    await owner.slash(stage.channel, "server settings", log=stage.gallery)
    match, thread = await stage.open(stage.ann, stage.ben)
    for _ in range(3):
        await do(eve, await panel(eve, thread), "Pause")
        await do(eve, await panel(eve, thread), "Resume")
    await stage.restart()
    posts = [message.content.splitlines()[0] for message in stage.gallery.history() if message.author.bot]
    assert [post.split("`")[1] for post in posts] == [f"#{n}" for n in range(1, 7)]
    page = shown(await owner.slash(stage.channel, "server log"))
    assert page.content.count("Reason:") == 5
    older = shown(await owner.click(page, label="Older"))
    assert older.content.count("Reason:") == 1
    assert f"paused `{match}`" in older.content


async def test_a_log_channel_that_cant_be_written_to_is_switched_off(
    stage: Stage, eve: MemberActor, owner: MemberActor
) -> None:
    await owner.slash(stage.channel, "server settings", log=stage.gallery)
    match, thread = await stage.open(stage.ann, stage.ben)
    stage.env.backend.delete_channel(stage.gallery.id)
    await do(eve, await panel(eve, thread), "Pause")
    made = await stage.bot.context.preferences.get("guild", stage.guild.id)
    assert made["log_channel"] is None
    assert len(await stage.bot.context.store.moderated(stage.guild.id)) == 1
    assert "`/server log` still shows all of it" in direct(owner)[-1].content
    assert (await stage.match(match)).hosting.held == "pause"
    assert not await stage.bot.context.store.outbox_pending()


async def test_what_was_done_twice_or_before_a_crash_counts_once(stage: Stage, eve: MemberActor) -> None:
    _, thread = await stage.open(stage.ann, stage.ben)
    one, two = [await eve.click(await panel(eve, thread), label="Pause") for _ in range(2)]
    await eve.submit_modal(one, {"reason": "first"})
    again = text_of(await eve.submit_modal(two, {"reason": "second"}))
    assert again == "A moderator has paused this match already."
    await stage.restart()
    told = [message for message in thread.history() if "has paused the match" in message.content]
    assert len(told) == 1
    assert [act.reason for act in await stage.bot.context.store.moderated(stage.guild.id)] == ["first"]


async def test_a_reason_is_needed(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    said = text_of(await do(eve, await panel(eve, thread), "Pause", " \u202e\n "))
    assert said == "Please give a reason."
    assert not (await stage.match(match)).hosting.held


async def test_an_old_board_of_a_paused_match_says_so(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    board, mover = await last_board(stage, match), await stage.mover(match)
    move = legal(await stage.match(match))[0]
    await do(eve, await panel(eve, thread), "Pause")
    await mover.send(thread, move, reply_to=board)
    assert "A moderator has paused this match." in thread.history()[-1].content
    assert (await stage.match(match)).plays == 0


async def test_each_action_has_its_words(stage: Stage, caplog: pytest.LogCaptureFixture) -> None:
    reader = stage.bot.context.readers.default
    details = {"computer": "easy", "move": "5", "time": "90000"}
    about_people = {"time", "win", "remove", "computer", "offer", "forbid", "lift"}
    for number, action in enumerate(get_args(Action), 1):
        act = ModerationRow(1, 2, action, "*why*", START, "F-1", 3, details.get(action, ""), number)
        line = log_line(act, reader)
        assert line.startswith(f"`#{number}` <t:")
        assert line.endswith("Reason: \\*why\\*")
        assert ("<@3>" in line) == (action in about_people)
        assert reason_form(Call("mod_do", "F-1", 1, action), action, reader).title
    assert "catalogue" not in caplog.text


@pytest.mark.parametrize("action", ["win", "remove"])
@pytest.mark.parametrize(("level", "named"), [("hard", "a hard computer"), ("", "a computer")])
def test_the_log_names_a_computer(action: Action, level: str, named: str) -> None:
    line = log_line(ModerationRow(1, 2, action, "why", START, "F-1", None, level, 1), Reader(Catalogue()))
    assert named in line
    assert "?" not in line


async def test_what_is_told_and_logged_survives_a_kill(
    stage: Stage, eve: MemberActor, owner: MemberActor, monkeypatch: pytest.MonkeyPatch
) -> None:
    await owner.slash(stage.channel, "server settings", log=stage.gallery)
    match, thread = await stage.open(stage.ann, stage.ben)
    by = Ruling(stage.guild.id, eve.id, "before the kill", "i1")
    assert isinstance(await stage.bot.context.service.moderation.pause(match, by), MatchRow)

    async def killed(*args: object) -> None:
        raise StoreUnavailableError("killed after posting")

    monkeypatch.setattr(stage.bot.context.store, "outbox_sent", killed)
    await stage.bot.context.delivery.send()
    monkeypatch.undo()
    for _ in range(2):
        await stage.restart()
        await stage.later(seconds=31)
    assert isinstance(await stage.bot.context.service.moderation.pause(match, by), MatchRow), "repeated"
    await stage.bot.context.delivery.send()
    for channel, words in ((thread, "has paused the match"), (stage.gallery, f"paused `{match}`")):
        told = [message.content for message in channel.history() if words in message.content]
        assert len(told) == 1, channel.name
        assert "before the kill" in told[0]


async def test_an_archived_thread_is_told(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    archived = {"archived": True, "archive_timestamp": stage.env.backend.now_iso()}
    stage.env.backend.edit_channel(thread.id, {}, thread_metadata=archived)
    first = await panel(eve, stage.gallery, match)
    await do(eve, first, "Pause", "asleep")
    assert "asleep" in thread.history()[-1].content
    assert (await stage.match(match)).hosting.held == "pause"
