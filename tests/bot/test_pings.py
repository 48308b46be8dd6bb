"""Pings as people want them: withdrawn when over, held back at night, in digests, put off, each once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import discord
import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from matches.pings.settings import PingSettings, QuietHours, read_settings, with_settings
from matches.results import Played
from storage import SqliteStore
from tests.bot.acts import last_board, move_by
from tests.bot.stage import Stage, button_ids, legal, menu_with, shown, text_of
from tests.fakes import CountingStore


async def wants(stage: Stage, person: MemberActor, **chosen: Any) -> None:
    """Set what a person wants of pings."""
    preferences = stage.bot.context.preferences
    made = await preferences.get("user", person.id)
    await preferences.save("user", person.id, with_settings(made, PingSettings(**chosen)))


async def chosen_by(stage: Stage, person: MemberActor) -> PingSettings:
    """What a person wants of pings."""
    return read_settings(await stage.bot.context.preferences.get("user", person.id))


async def moves(stage: Stage, match: str) -> tuple[MemberActor, MemberActor]:
    """The next move is made elsewhere: who made it, and who is to move then."""
    mover = await stage.mover(match)
    await mover.slash(stage.channel, "move", move=legal(await stage.match(match))[0], match=match)
    await stage.later(seconds=3)  # messages that follow from a board come with the poller
    return mover, await stage.mover(match)


async def pair(stage: Stage, **chosen: Any) -> tuple[str, ChannelHandle, MemberActor, MemberActor]:
    """A match in which one wants this, and the other is to move: its id and thread, the one, the other."""
    match, thread = await stage.open(stage.ann, stage.ben)
    one, other = await stage.waiting(match), await stage.mover(match)
    await wants(stage, one, **chosen)
    return match, thread, one, other


def night(stage: Stage, hours: float = 2) -> QuietHours:
    """Quiet hours that have begun, and end in so many hours."""
    now = stage.bot.context.clock.now()
    end = now + timedelta(hours=hours)
    return QuietHours(
        (now - timedelta(hours=1)).time().replace(second=0, microsecond=0),
        end.time().replace(second=0, microsecond=0),
    )


def direct(person: MemberActor) -> list[discord.Message]:
    """What the bot has written to a person that still stands."""
    return [message for message in person.user.dm_channel.history() if message.author.bot]


def calling(thread: ChannelHandle, person: MemberActor) -> list[discord.Message]:
    """The messages in which a person is mentioned now."""
    return [message for message in thread.history() if f"<@{person.id}>" in message.content]


def calls_made(stage: Stage, person: MemberActor) -> int:
    """How many messages were posted that notify a person, whatever became of them."""
    found = 0
    for request in stage.env.http_requests:
        body = request.json if isinstance(request.json, dict) else {}
        if request.method == "POST" and request.path.endswith("/messages"):
            found += str(person.id) in map(str, body.get("allowed_mentions", {}).get("users", ()))
            found += request.path == f"/channels/{person.user.dm_channel.id}/messages"
    return found


async def test_a_mention_goes_when_the_turn_is_over_and_the_board_stays(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover = await stage.mover(match)
    before = await last_board(stage, match)
    assert [m.id for m in calling(thread, mover)] == [before.id]
    _, other = await moves(stage, match)
    after = await thread_message(stage, before)
    assert after.content == before.content.replace(f" <@{mover.id}>", "")
    assert after.raw_mentions == []
    assert button_ids(after) == button_ids(before)
    assert [a.filename for a in after.attachments] == [a.filename for a in before.attachments]
    assert [m.id for m in calling(thread, other)] == [(await last_board(stage, match)).id]
    await moves(stage, match)
    assert calling(thread, other) == []
    assert calls_made(stage, other) == 1


async def thread_message(stage: Stage, message: discord.Message) -> discord.Message:
    """A message as it is now."""
    (found,) = [
        m
        for m in stage.home(await stage.row(message.attachments[0].filename[:8])).history()
        if m.id == message.id
    ]
    return found


async def test_of_two_who_choose_one_mention_stays(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    assert calling(thread, stage.ann) == calling(thread, stage.ben) != []
    card = (await stage.bot.context.service.queries.legal(match, stage.ann.id))[0]
    await stage.ann.slash(thread, "move", move=card)
    assert calling(thread, stage.ann) == []
    (still,) = calling(thread, stage.ben)
    assert still.raw_mentions == [stage.ben.id]
    assert calls_made(stage, stage.ben) == 1


async def test_the_result_is_told_to_the_others(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await stage.ann.click(shown(await stage.ann.slash(thread, "resign")), label="Yes, I resign")
    board = await last_board(stage, match)
    assert board.raw_mentions == [stage.ben.id]
    await stage.later(seconds=61)
    assert (await thread_message(stage, board)).raw_mentions == [stage.ben.id]


async def test_nobody_who_wants_none_is_pinged(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, style="none")
    await moves(stage, match)
    assert calling(thread, one) == []
    await stage.later(hours=48)
    assert calls_made(stage, one) == 0
    await moves(stage, match)
    await stage.mover(match)


async def test_a_ping_by_direct_message_links_to_the_board_and_goes(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, where="dm")
    await moves(stage, match)
    board = await last_board(stage, match)
    assert board.raw_mentions == []
    (ping,) = direct(one)
    assert ping.content.startswith(f"Your move in `{match}`, Focus against") or match in ping.content
    assert board.jump_url in ping.content
    assert "Type a move" in ping.content, "what is to be decided"
    view = await one.user.click(ping, label="My view")
    assert shown(view).attachments
    await move_by(stage, "slash", match, thread, one, legal(await stage.match(match))[0])
    assert direct(one) == []
    assert calls_made(stage, one) == 1
    assert calling(thread, other) != []


async def test_a_reply_to_a_ping_is_a_move(stage: Stage) -> None:
    match, _, one, _ = await pair(stage, where="dm")
    await moves(stage, match)
    (ping,) = direct(one)
    stage.post(one, one.user.dm_channel, legal(await stage.match(match))[0], reply_to=ping)
    await stage.env.settle()
    assert (await stage.match(match)).plays == 2


async def test_who_takes_no_direct_messages_is_pinged_in_the_thread(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, where="dm")
    posts = f"/channels/{one.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=None)
    await moves(stage, match)
    await stage.later(seconds=4)
    (ping,) = calling(thread, one)
    assert "you don't accept direct messages" in ping.content
    assert ping.raw_mentions == [one.id]
    await moves(stage, match)
    assert calling(thread, one) == []
    assert not await stage.bot.context.store.outbox_pending()


async def test_quiet_hours_hold_a_ping_back_and_send_one(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, quiet=night(stage))
    await moves(stage, match)
    assert calling(thread, one) == []
    await stage.later(hours=1)
    assert calling(thread, one) == []
    await stage.later(hours=1)
    (ping,) = calling(thread, one)
    assert ping.raw_mentions == [one.id]
    assert (await last_board(stage, match)).jump_url in ping.content
    await stage.later(hours=1)
    assert calls_made(stage, one) == 1
    await moves(stage, match)
    assert calling(thread, one) == []
    assert calling(thread, other) != []


async def test_a_turn_that_ends_in_the_night_is_never_told(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, quiet=night(stage))
    await moves(stage, match)
    await moves(stage, match)
    await stage.later(hours=3)
    assert calls_made(stage, one) == 0
    assert calling(thread, one) == []


async def test_a_digest_is_one_message_for_all_that_waits(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    one = stage.ann
    await wants(stage, one, style="digest", digests=(at,))
    matches = []
    for rival in (stage.ben, stage.cleo):
        match, _ = await stage.open(one, rival)
        if await stage.mover(match) is rival:
            await moves(stage, match)
        matches.append(match)
        await stage.env.advance_time(60)
    assert calls_made(stage, one) == 0
    await stage.later(hours=2.5)
    (digest,) = direct(one)
    lines = digest.content.splitlines()
    assert lines[0] == "2 matches have news:"
    assert [match for line in lines for match in matches if f"`{match}`" in line] == matches, (
        "longest waiting first"
    )
    for match in matches:
        assert (await last_board(stage, match)).jump_url in digest.content
    assert "Your move" in digest.content
    await stage.later(hours=24)
    assert len(direct(one)) == 1, "nothing is new"
    panel = shown(await one.user.click(digest, label="Ping settings"))
    assert "in a digest at" in panel.content


async def test_a_digest_tells_results_and_nothing_that_has_gone_on(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=2)).time().replace(second=0, microsecond=0)
    one = stage.ann
    await wants(stage, one, style="digest", digests=(at,))
    match, thread = await stage.open(one, stage.ben)
    if await stage.mover(match) is stage.ben:
        await moves(stage, match)
    await moves(stage, match)
    await stage.later(hours=3)
    assert direct(one) == []
    await stage.ben.click(shown(await stage.ben.slash(thread, "resign")), label="Yes, I resign")
    assert calls_made(stage, one) == 0
    await stage.later(hours=24)
    (digest,) = direct(one)
    assert digest.content.startswith("One match has news:")
    assert "wins" in digest.content or "resign" in digest.content
    await stage.later(hours=24)
    assert len(direct(one)) == 1


@pytest.mark.parametrize(("label", "hours"), [("Remind me in an hour", 1), ("Remind me tomorrow", 36)])
async def test_a_ping_is_put_off(stage: Stage, label: str, hours: float) -> None:
    match, _, one, _ = await pair(stage, where="dm")
    await moves(stage, match)
    (ping,) = direct(one)
    await one.user.click(ping, label=label)
    (later,) = direct(one)
    assert later.id == ping.id
    assert "I'll remind you" in later.content
    await stage.restart()
    assert len(direct(one)) == 1
    await stage.later(hours=hours)
    (again,) = direct(one)
    assert again.id != ping.id
    assert "Still your move" in again.content
    assert calls_made(stage, one) == 2
    await moves(stage, match)
    assert direct(one) == []


async def test_only_the_one_who_is_pinged_puts_it_off(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, quiet=night(stage))
    await moves(stage, match)
    await stage.later(hours=2.5)
    (ping,) = calling(thread, one)
    for stranger in (other, stage.dan):
        assert (
            text_of(await stranger.click(ping, label="Remind me in an hour"))
            == "That ping is for someone else."
        )
    await stage.press_all(*[(one, ping, "view")] * 2)
    snooze = next(each for each in button_ids(ping) if "snooze" in each)
    first = await stage.press_id(one, ping, snooze)
    again = await stage.press_id(one, ping, snooze)
    assert first.response is not None
    assert again.response is not None
    await stage.later(hours=3)
    assert len(calling(thread, one)) == 1
    assert calls_made(stage, one) == 2, "once, however often the button was pressed"
    await moves(stage, match)
    told = text_of(await stage.press_id(one, await last_board(stage, match), snooze))
    assert told == f"That turn of `{match}` is over, so there is nothing to remind you of."


async def test_one_until_they_have_looked(stage: Stage) -> None:
    match, thread, one, other = await pair(stage, style="looked")
    await moves(stage, match)
    assert calls_made(stage, one) == 1
    await other.click(shown(await other.slash(thread, "undo")), label="Take it back")
    assert calling(thread, one) == []
    await moves(stage, match)
    assert calls_made(stage, one) == 1, "they haven't looked"
    await other.click(shown(await other.slash(thread, "undo")), label="Take it back")
    await one.slash(thread, "board")
    await moves(stage, match)
    assert calls_made(stage, one) == 2


async def test_reminders_at_an_interval(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, interval=6)
    await moves(stage, match)
    assert len(calling(thread, one)) == 1
    for number in range(2, 4):
        await stage.later(hours=6.5)
        (ping,) = calling(thread, one)
        assert "Still your move" in ping.content
        assert calls_made(stage, one) == number
    await moves(stage, match)
    await stage.later(hours=20)
    assert calling(thread, one) == []
    assert calls_made(stage, one) == 3


async def test_everyone_waits_for_one(stage: Stage) -> None:
    await wants(stage, stage.ben, alone=True)
    match, thread = await stage.open(stage.ann, stage.ben, game="toy")
    first = calling(thread, stage.ben)
    card = (await stage.bot.context.service.queries.legal(match, stage.ann.id))[0]
    await stage.ann.slash(thread, "move", move=card)
    await stage.later(seconds=3)
    (second,) = calling(thread, stage.ben)
    assert [second.id] != [m.id for m in first], "the newer one stands"
    assert calls_made(stage, stage.ben) == 2


async def test_who_is_next_is_told_if_they_want_it(stage: Stage) -> None:
    people = (stage.ann, stage.ben, stage.cleo)
    for person in people:
        await wants(stage, person, next_up=True)
    match, thread = await stage.open(*people)
    board = await last_board(stage, match)
    mover = await stage.mover(match)
    row, now = await stage.row(match), await stage.match(match)
    following = stage.who(row.seats[(min(now.to_act) + 1) % 3].user)
    assert set(board.raw_mentions) == {mover.id, following.id}
    await moves(stage, match)
    assert await stage.mover(match) is following
    (standing,) = calling(thread, following)
    assert standing.id == (await last_board(stage, match)).id
    assert calls_made(stage, following) == 2


async def test_a_match_in_direct_messages(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    (row,) = await stage.bot.context.store.by_status("lobby")
    (invitation,) = direct(stage.ben)
    await stage.ben.user.click(invitation, label="Accept")
    lobby = next(m for m in direct(stage.ann) if m.id == row.lobby_message)
    await stage.ann.user.click(lobby, label="Start")
    mover = await stage.mover(row.id)
    other = await stage.waiting(row.id)
    await wants(stage, other, quiet=night(stage))
    await mover.user.send_dm(f"{row.id} {legal(await stage.match(row.id))[0]}")
    assert calling(mover.user.dm_channel, mover) == []
    assert calling(other.user.dm_channel, other) == [], "the board comes in silence"
    await stage.later(hours=3)
    last = direct(other)[-1]
    assert "Your move in" in last.content
    await other.user.send_dm(f"{row.id} {legal(await stage.match(row.id))[0]}")
    assert last.id not in {m.id for m in direct(other)}
    assert len(calling(mover.user.dm_channel, mover)) == 1


async def test_settings_are_chosen_by_menus_and_typed(stage: Stage) -> None:
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    assert panel.flags.ephemeral
    assert "Pings: for every move" in panel.content
    for value in ("looked", "dm", "remind_every_12", "extras_both"):
        await stage.ann.select(panel, [value], custom_id=menu_with(panel, value))
    made = await chosen_by(stage, stage.ann)
    assert (made.style, made.where, made.interval) == ("looked", "dm", 12)
    assert made.next_up
    assert made.alone
    said = await stage.ann.slash(
        stage.channel, "settings me", zone="Europe/Berlin", quiet="10 pm to 7", digest="8 18:30", theme="dark"
    )
    text = text_of(said)
    assert "Quiet hours: 22:00 to 07:00" in text
    assert "every 12 hours" in text
    made = await chosen_by(stage, stage.ann)
    assert made.zone.key == "Europe/Berlin"
    assert [at.isoformat("minutes") for at in made.digests] == ["08:00", "18:30"]
    for wrong, why in (
        ({"zone": "Mars/Olympus"}, "no time zone `Mars/Olympus`"),
        ({"quiet": "at night"}, "`at night` isn't a time span"),
        ({"digest": "never ever"}, "`never ever` isn't a list of times"),
    ):
        assert why in text_of(await stage.ann.slash(stage.channel, "settings me", **wrong))
    assert await chosen_by(stage, stage.ann) == made
    offered = await stage.ann.autocomplete(stage.channel, "settings me", "zone", "new yor")
    assert [choice["value"] for choice in offered] == ["America/New_York"]


async def test_times_are_entered_in_a_form(stage: Stage) -> None:
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    form = await stage.ann.click(panel, label="Quiet hours")
    await stage.ann.submit_modal(form, {"text": "23-8", "zone": "Asia/Tokyo"})
    made = await chosen_by(stage, stage.ann)
    assert made.quiet is not None
    assert (made.quiet.start.hour, made.zone.key) == (23, "Asia/Tokyo")
    form = await stage.ann.click(panel, label="Digest times")
    said = await stage.ann.submit_modal(form, {"text": "late", "zone": "Asia/Tokyo"})
    assert "isn't a list of times" in (text_of(said) or shown(said).content)
    form = await stage.ann.click(panel, label="Quiet hours")
    await stage.ann.submit_modal(form, {"text": "off", "zone": "Asia/Tokyo"})
    assert (await chosen_by(stage, stage.ann)).quiet is None


async def test_the_private_view_leads_to_the_settings(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    view = shown(await stage.ann.click(board, label="My view"))
    panel = shown(await stage.ann.click(view, label="Ping settings"))
    assert "Pings: for every move" in panel.content
    watching = shown(await stage.dan.click(board, label="My view"))
    assert not any("pings" in each for each in button_ids(watching))


async def test_a_question_notifies_nobody_at_night(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await wants(stage, stage.ben, quiet=night(stage))
    before = calls_made(stage, stage.ben)
    await stage.ann.slash(thread, "draw")
    offer = thread.history()[-1]
    assert f"<@{stage.ben.id}>" in offer.content
    assert match in offer.content
    assert calls_made(stage, stage.ben) == before
    await wants(stage, stage.ben)
    await stage.ben.click(offer, label="Decline")
    await stage.ann.slash(thread, "draw")
    assert calls_made(stage, stage.ben) == before + 1


async def test_killed_between_ping_and_record_it_is_found_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread, one, _ = await pair(stage, quiet=night(stage))
    await moves(stage, match)

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(SqliteStore, "outbox_sent", dies)
    await stage.later(hours=2.5)
    assert len(calling(thread, one)) == 1
    pending = await stage.bot.context.store.outbox_pending()
    assert [row.draft.kind for row in pending] == ["ping"]
    monkeypatch.undo()
    await stage.restart()
    await stage.later(seconds=31)
    assert len(calling(thread, one)) == 1
    assert not await stage.bot.context.store.outbox_pending()
    await moves(stage, match)
    assert calling(thread, one) == [], "it is known, so it is withdrawn"
    assert calls_made(stage, one) == 1


async def test_killed_between_digest_and_record_it_is_found_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for hours in (2, 4):  # the second is not taken for the first
        now = stage.bot.context.clock.now() + timedelta(hours=hours)
        at = now.time().replace(second=0, microsecond=0)
        match, _, one, _ = await pair(stage, style="digest", digests=(at,))
        await moves(stage, match)

        async def dies(*args: Any) -> None:
            raise OSError("the process was killed here")

        before = len(direct(one))
        monkeypatch.setattr(SqliteStore, "outbox_sent", dies)
        await stage.later(hours=hours + 0.5)
        assert len(direct(one)) == before + 1
        monkeypatch.undo()
        await stage.restart()
        await stage.later(seconds=31)
        assert len(direct(one)) == before + 1
        assert f"`{match}`" in direct(one)[-1].content
        assert not await stage.bot.context.store.outbox_pending()
        await stage.ann.click(
            shown(await stage.ann.slash(stage.channel, "resign", match=match)), label="Yes, I resign"
        )


async def test_a_digest_that_can_not_be_delivered_comes_as_pings(stage: Stage) -> None:
    now = stage.bot.context.clock.now()
    at = (now + timedelta(hours=1)).time().replace(second=0, microsecond=0)
    first, thread, one, _ = await pair(stage, style="digest", digests=(at,))
    await moves(stage, first)
    rival = next(person for person in (stage.ann, stage.ben) if person is not one)
    second, other_thread = await stage.open(one, rival)
    await rival.click(shown(await rival.slash(other_thread, "resign")), label="Yes, I resign")
    posts = f"/channels/{one.user.dm_channel.id}/messages"
    stage.env.inject_error("POST", posts, status=403, code=50007, message="Cannot send", times=None)
    await stage.later(hours=1.5)
    await stage.later(seconds=61)
    (ping,) = calling(thread, one)
    assert f"Still your move in `{first}`" in ping.content
    (result,) = calling(other_thread, one)
    assert f"`{second}` is over" in result.content
    assert direct(one) == []
    await stage.later(hours=24)
    assert len(calling(thread, one)) == len(calling(other_thread, one)) == 1


async def test_killed_between_board_and_record_nobody_is_called_twice(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    store = stage.bot.context.store

    async def dies(*args: Any) -> None:
        raise OSError("the process was killed here")

    monkeypatch.setattr(store, "outbox_sent", dies)
    _, other = await moves(stage, match)
    assert calls_made(stage, other) == 1
    monkeypatch.undo()
    await wants(stage, other, style="none")  # too late: the board mentions them
    await stage.later(hours=1)
    assert calls_made(stage, other) == 1
    assert len(calling(thread, other)) == 1
    await moves(stage, match)
    assert calling(thread, other) == []


async def test_a_backlog_is_one_ping(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    stage.env.inject_error("POST", f"/channels/{thread.id}/messages", status=503, times=3)
    people = []
    for _ in range(3):
        mover = await stage.mover(match)
        await mover.slash(stage.channel, "move", move=legal(await stage.match(match))[0], match=match)
        people.append(await stage.mover(match))
    await stage.later(seconds=30)
    last = people[-1]
    before = {person.id: calls_made(stage, person) for person in people}
    assert len(calling(thread, last)) == 1
    assert [m.id for m in calling(thread, last)] == [(await last_board(stage, match)).id]
    assert before[last.id] <= 1 + people[:-1].count(last)


async def test_a_board_that_an_earlier_version_has_queued_calls_whom_it_says(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    mover, other = await stage.mover(match), await stage.waiting(match)
    before = calls_made(stage, other)
    played = await stage.bot.context.service.play.submit(
        match, mover.id, legal(await stage.match(match))[0], request="silent"
    )
    assert isinstance(played, Played)
    counting = cast("CountingStore", stage.bot.context.store)
    database = cast("SqliteStore", counting._store)._database
    for table in ("pings", "ping_posts"):  # as for a match that hasn't changed since the update
        await database.execute(f"DELETE FROM {table}")
    await stage.later(seconds=3)
    assert (await last_board(stage, match)).raw_mentions == [other.id]
    assert calls_made(stage, other) == before + 1
    await moves(stage, match)
    assert [m.id for m in calling(thread, mover)] != []
