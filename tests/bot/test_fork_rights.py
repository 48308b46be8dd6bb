"""`/replay fork` for people who may not, or no longer: barred, blocked, forgotten; closed channels."""

from __future__ import annotations

import pytest
from simcord.actors import MemberActor
from simcord.builders import ChannelHandle

from matches.results import Person
from matches.store.erasures import ERASED_NAME
from matches.store.rows import MatchRow
from tests.bot.acts import last_board
from tests.bot.stage import Stage, button_ids, legal, shown, text_of
from tests.bot.test_forks import finished, lobby_of
from tests.bot.test_match_access import begun, private_thread, secret
from tests.bot.test_moderation import do, eve, panel
from tests.bot.test_privacy import forget
from tests.bot.test_thread_care import is_archived

pytestmark = pytest.mark.slow

__all__ = ["eve", "secret"]  # fixtures

NOT_HERE = "not everyone here may look at that match"


async def lobbies(stage: Stage) -> tuple[MatchRow, ...]:
    return await stage.bot.context.store.by_status("lobby")


async def studies(stage: Stage, person: MemberActor) -> list[MatchRow]:
    rows = await stage.bot.context.store.by_user(person.id, ("live",))
    return [row for row in rows if row.provenance.source == "study"]


async def bar(stage: Stage, moderator: MemberActor, person: MemberActor) -> None:
    """A moderator bars a person from playing in the server."""
    shown_panel = shown(await moderator.slash(stage.channel, "moderate player", user=person.user))
    await do(moderator, shown_panel, "Bar from playing here", "spam")


async def resigned(stage: Stage, match: str) -> None:
    """A match ends by its host, wherever it is played."""
    row = await stage.row(match)
    await stage.bot.context.service.play.resign(match, row.host, request=f"end {match}")
    await stage.deliver(match)


# --- barred ---------------------------------------------------------------------------------------------


async def test_who_is_barred_opens_no_table_there_but_studies(stage: Stage, eve: MemberActor) -> None:
    match, thread = await finished(stage)
    await bar(stage, eve, stage.ann)
    for where in (stage.channel, thread):
        said = text_of(await stage.ann.slash(where, "replay fork", match=match))
        assert said == "A moderator has decided that you can't start or join matches in this server."
    assert await lobbies(stage) == ()
    await stage.ann.slash(stage.channel, "replay fork", match=match, study=True)
    assert len(await studies(stage, stage.ann)) == 1
    await stage.ann.user.slash("replay fork", match=match)
    assert (await lobby_of(stage)).place.guild is None


async def test_who_is_barred_neither_joins_nor_is_invited(stage: Stage, eve: MemberActor) -> None:
    match, _ = await finished(stage)
    await bar(stage, eve, stage.ben)
    said = text_of(await stage.ann.slash(stage.channel, "replay fork", match=match, friend=stage.ben.user))
    assert f"<@{stage.ben.id}>" in said
    assert await lobbies(stage) == ()
    await stage.ann.slash(stage.channel, "replay fork", match=match)
    row = await lobby_of(stage)
    said = text_of(await stage.ben.click(await stage.lobby(row.id), label="Join"))
    assert said == "A moderator has decided that you can't start or join matches in this server."
    assert stage.ben.id not in [seat.user for seat in (await stage.row(row.id)).seats]


async def test_a_match_that_a_moderator_ended_is_not_continued(stage: Stage, eve: MemberActor) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await do(eve, await panel(eve, thread), "End without a result", "quarrel")
    for study in (False, True):
        said = text_of(await stage.ann.slash(stage.channel, "replay fork", match=match, study=study))
        assert "moderator" in said, said
    assert await lobbies(stage) == ()
    assert await studies(stage, stage.ann) == []


# --- blocked --------------------------------------------------------------------------------------------


async def test_who_is_blocked_finds_no_seat_in_a_fork_and_no_reason(stage: Stage) -> None:
    match, _ = await finished(stage)
    await stage.ann.context_menu(stage.channel, "Block", stage.ben)
    invited = text_of(await stage.ben.slash(stage.channel, "replay fork", match=match, friend=stage.ann.user))
    assert invited == "Not everyone you named is available for this lobby."
    assert await lobbies(stage) == ()
    await stage.ann.slash(stage.channel, "replay fork", match=match)
    row = await lobby_of(stage)
    said = text_of(await stage.ben.click(await stage.lobby(row.id), label="Join"))
    assert said == "That seat isn't available."
    await stage.ben.slash(stage.channel, "replay fork", match=match, study=True)
    assert len(await studies(stage, stage.ben)) == 1, "their old match is still theirs to look at"


# --- forgotten ------------------------------------------------------------------------------------------


async def test_a_match_of_someone_who_was_forgotten_is_continued_without_their_name(stage: Stage) -> None:
    match, _ = await finished(stage)
    await forget(stage, stage.ben)
    assert ERASED_NAME in [seat.name for seat in (await stage.row(match)).seats]
    await stage.ann.slash(stage.channel, "replay fork", match=match, move=1)
    row = await lobby_of(stage)
    lobby = await stage.lobby(row.id)
    assert "Ben" not in lobby.content
    assert str(stage.ben.id) not in lobby.content
    await stage.cleo.click(lobby, label="Join")
    await stage.ann.click(await stage.lobby(row.id), label="Start")
    record = shown(await stage.cleo.slash(stage.channel, "ask board", match=row.id))
    assert "Ben" not in record.content


async def test_forks_and_studies_of_someone_who_is_forgotten_end(stage: Stage) -> None:
    match, _ = await finished(stage)
    await stage.cleo.slash(stage.channel, "replay fork", match=match, study=True)
    await stage.cleo.slash(stage.channel, "replay fork", match=match)
    table, (study,) = await lobby_of(stage), await studies(stage, stage.cleo)
    await forget(stage, stage.cleo)
    assert (await stage.row(table.id)).status == "closed"
    after = await stage.bot.context.store.match(study.id)
    assert after is None or (after.status != "live" and stage.cleo.id != after.host)
    assert await stage.bot.context.store.personal_data(stage.cleo.id, 10) == {}


# --- closed channels ------------------------------------------------------------------------------------


async def test_a_closed_channels_match_shows_no_position_elsewhere(
    stage: Stage, secret: ChannelHandle
) -> None:
    match = await begun(stage, secret)
    await resigned(stage, match)
    assert NOT_HERE in text_of(await stage.ann.slash(stage.channel, "replay fork", match=match))
    assert await lobbies(stage) == ()
    await stage.ann.slash(secret, "replay fork", match=match)
    assert (await lobby_of(stage)).place.channel == secret.id
    await stage.ann.user.slash("replay fork", match=match)
    assert len(await lobbies(stage)) == 2
    await stage.ann.slash(stage.channel, "replay fork", match=match, study=True)
    assert len(await studies(stage, stage.ann)) == 1


async def test_so_does_a_match_in_direct_messages_until_all_agree(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", friend=stage.ben.user)
    row = await lobby_of(stage)
    service = stage.bot.context.service
    await service.lobbies.join(row.id, Person(stage.ben.id, "Ben"), request="join")
    await service.lobbies.start(row.id, stage.ann.id, request="start")
    await resigned(stage, row.id)
    assert NOT_HERE in text_of(await stage.ann.slash(stage.channel, "replay fork", match=row.id))
    await stage.ann.slash(stage.channel, "match share", match=row.id, answer="yes")
    assert NOT_HERE in text_of(await stage.ann.slash(stage.channel, "replay fork", match=row.id))
    await stage.ben.slash(stage.channel, "match share", match=row.id, answer="yes")
    await stage.cleo.slash(stage.channel, "replay fork", match=row.id)
    assert (await lobby_of(stage)).place.channel == stage.channel.id


async def test_what_nobody_else_played_is_theirs_to_show(stage: Stage) -> None:
    match, _ = await finished(stage)
    await stage.cleo.slash(stage.channel, "replay fork", match=match, study=True)
    (study,) = await studies(stage, stage.cleo)
    await resigned(stage, study.id)
    replay = shown(await stage.cleo.slash(stage.channel, "replay steps", match=study.id))
    public = await stage.cleo.click(replay, label="Show here")
    assert study.id in text_of(public)
    await stage.cleo.slash(stage.channel, "replay fork", match=study.id)
    row = await lobby_of(stage)
    assert row.provenance.origin is not None
    assert row.provenance.origin.match == study.id


async def test_a_private_threads_match_stays_in_it(stage: Stage) -> None:
    thread = private_thread(stage, stage.ann, stage.ben)
    match = await begun(stage, thread)
    await resigned(stage, match)
    assert NOT_HERE in text_of(await stage.ann.slash(stage.channel, "replay fork", match=match))
    assert "There is no match" in text_of(await stage.cleo.slash(stage.channel, "replay fork", match=match))


# --- old threads ----------------------------------------------------------------------------------------


def archive(stage: Stage, thread: ChannelHandle) -> None:
    """Discord archives a thread."""
    archived = {"archived": True, "archive_timestamp": stage.env.backend.now_iso()}
    stage.env.backend.edit_channel(thread.id, {}, thread_metadata=archived)


async def test_an_archived_thread_is_continued_from_and_stays_as_it_is(stage: Stage) -> None:
    match, thread = await finished(stage)
    archive(stage, thread)
    before = len(thread.history())
    await stage.cleo.slash(stage.channel, "replay fork", match=match, move=1)
    row = await lobby_of(stage)
    await stage.dan.click(await stage.lobby(row.id), label="Join")
    await stage.cleo.click(await stage.lobby(row.id), label="Start")
    await stage.cleo.slash(stage.channel, "replay fork", match=match, study=True)
    (study,) = await studies(stage, stage.cleo)
    await stage.cleo.send_dm(legal(await stage.match(study.id))[0])
    assert (await stage.match(study.id)).plays == 1
    assert is_archived(thread)
    assert len(thread.history()) == before
    await stage.eve.slash(thread, "replay fork")  # as Discord lets them, without opening it
    assert (await lobby_of(stage)).place.channel == stage.channel.id
    assert len(thread.history()) == before


async def test_a_fork_goes_on_in_its_own_archived_thread(stage: Stage) -> None:
    match, _ = await finished(stage)
    await stage.ann.slash(stage.channel, "replay fork", match=match)
    row = await lobby_of(stage)
    await stage.ben.click(await stage.lobby(row.id), label="Join")
    await stage.ann.click(await stage.lobby(row.id), label="Start")
    thread = stage.home(await stage.row(row.id))
    archive(stage, thread)
    mover = await stage.mover(row.id)
    await mover.slash(stage.channel, "move", match=row.id, move=legal(await stage.match(row.id))[0])
    assert (await stage.match(row.id)).plays == 1
    assert button_ids(await last_board(stage, row.id))
    assert len(await stage.boards(row.id)) == 2
