"""`/replay dice` and `/replay verify`: what dice showed, who may ask about whom, and what is proved."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import discord
import pytest
from simcord.builders import ChannelHandle

from bot.actions.lookback import dice as actions
from bot.actions.records.verification import record_proof
from bot.platform.permissions import INVITE
from games.engine.dice import Sealed, commitment
from games.engine.game import Seat
from games.engine.match import begin, leave
from games.engine.record import MAX_LENGTH, export
from locales import Catalogue
from matches.lookback import dice
from matches.lookback.dice import DiceStatistics
from matches.records import verification
from matches.records.verification import Verification
from tests.bot.stage import Stage, allow, shown, text_of

pytestmark = pytest.mark.slow


async def rolled(stage: Stage, moves: int = 4) -> tuple[str, ChannelHandle]:
    """A match of Two Domains in progress: Ann and Ben roll a die in each move."""
    match, thread = await stage.open(stage.ann, stage.ben, game="two_domains")
    for _ in range(moves):
        mover = await stage.mover(match)
        await mover.slash(thread, "move", move="gather", match=match)
    return match, thread


async def ended(stage: Stage, moves: int = 4) -> tuple[str, ChannelHandle]:
    """The same, until Ben resigns."""
    match, thread = await rolled(stage, moves)
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    return match, thread


async def record_of(stage: Stage, match: str) -> str:
    """The record that the bot sends."""
    sent = shown(await stage.ann.slash(stage.channel, "replay record", match=match))
    data: bytes = await sent.attachments[0].read()
    return data.decode()


async def checked(stage: Stage, text: str | bytes, name: str = "match.txt") -> str:
    """What the bot says about a file."""
    data = text.encode() if isinstance(text, str) else text
    return text_of(await stage.cleo.slash(stage.channel, "replay verify", record=(name, data)))


async def test_a_record_is_no_way_to_guess_at_a_match_in_progress(stage: Stage) -> None:
    """Whether a record is that of the log would tell what the log hides, by trying all that it may be."""
    match, _ = await rolled(stage)
    log = (await stage.match(match)).log
    for entries in (log, log[:-1]):
        said = await checked(stage, export(entries))
        assert "Whether it was played here I can't tell" in said
        assert "log" not in said


# --- dice -----------------------------------------------------------------------------------------------


async def test_the_dice_of_the_channels_match(stage: Stage) -> None:
    match, thread = await rolled(stage, 4)
    live = text_of(await stage.cleo.slash(thread, "replay dice"))
    assert live.startswith(f"**The dice of `{match}` so far**\n**The die**: 4 rolls\n```\n")
    rows = {
        line[:6].strip(): sum(map(int, line[6:].split())) for line in live.split("```")[1].splitlines()[2:]
    }
    assert rows == {"▲ Red": 2, "■ Blue": 2, "All": 4}
    assert "- Expected: each result 0.7 times" in live
    assert "- 4 rolls are too few for a test of fairness: 30 are needed." in live
    seal = commitment(bytes.fromhex((await stage.row(match)).secret))[:8]
    assert f"`{seal}" in live
    assert "When it's over" in live
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    over = text_of(await stage.cleo.slash(thread, "replay dice"))
    assert over.startswith(f"**The dice of `{match}`**\n")
    assert f"`/replay verify match:{match}`" in over
    assert "`dominium verify RECORD`" in over


async def test_a_persons_dice_are_those_of_finished_matches(stage: Stage) -> None:
    first, _ = await ended(stage, 4)
    await ended(stage, 2)
    await rolled(stage, 6)
    own = text_of(await stage.ann.slash(stage.channel, "replay dice"))
    assert own.startswith("**Your dice in 2 finished matches**\n**The die**: 3 rolls\n```\n")
    bens = text_of(await stage.cleo.slash(stage.channel, "replay dice", person=stage.ben.user))
    assert bens.startswith("**The dice of Ben in 2 finished matches that you may see**\n**The die**: 3 rolls")
    by_seat = text_of(await stage.ann.slash(stage.channel, "replay dice", match=first))
    assert "**The die**: 4 rolls" in by_seat


async def test_matches_that_the_asker_cant_see_dont_count(stage: Stage) -> None:
    """Zoe shares no server with the match; Ben's own answer has it wherever he asks."""
    match, thread = await ended(stage)
    abroad = stage.env.create_guild("Elsewhere")
    allow(stage.env, abroad, INVITE)
    lounge = abroad.create_text_channel("lounge")
    zoe = abroad.add_member(stage.env.create_user("Zoe"))
    said = text_of(await zoe.slash(lounge, "replay dice", person=stage.ben.user))
    assert said == "There is no finished match with dice of Ben that you may see."
    ben = abroad.add_member(stage.ben.user)
    assert "in 1 finished match" in text_of(await ben.slash(lounge, "replay dice"))
    for person in (stage.ann, stage.ben):
        await person.slash(thread, "match share", match=match, answer="yes")
    assert "in 1 finished match" in text_of(await zoe.slash(lounge, "replay dice", person=stage.ben.user))


async def test_dice_belong_to_who_held_the_seat(stage: Stage) -> None:
    match, thread = await rolled(stage, 4)
    offer = await stage.hears(thread, stage.ben.slash(thread, "match seat give", user=stage.cleo.user))
    await stage.cleo.click(offer[-1], label="Accept")
    assert stage.cleo.id in {seat.user for seat in (await stage.row(match)).seats}
    for _ in range(2):
        mover = await stage.mover(match)
        await mover.slash(thread, "move", move="gather", match=match)
    sure = shown(await stage.ann.slash(thread, "match resign"))
    await stage.ann.click(sure, label="Yes, I resign")
    own = text_of(await stage.cleo.slash(stage.channel, "replay dice"))
    assert "**The die**: 1 roll\n" in own, "Ben made the other two"


async def test_only_the_latest_matches_are_counted(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        await ended(stage, 2)
    monkeypatch.setattr(dice, "MOST_MATCHES", 1)
    own = text_of(await stage.ann.slash(stage.channel, "replay dice"))
    assert own.startswith("**Your dice in 1 finished match**\n**The die**: 1 roll")
    assert "Older matches aren't counted" in own
    monkeypatch.setattr(dice, "MOST_MATCHES", 9)
    monkeypatch.setattr(actions, "MOST_CHECKED", 1)
    theirs = text_of(await stage.cleo.slash(stage.channel, "replay dice", person=stage.ann.user))
    assert "in 1 finished match" in theirs
    assert "Older matches aren't counted" in theirs


async def test_questions_that_have_no_answer(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    assert text_of(await stage.ann.slash(thread, "replay dice")) == "Focus is played without dice."
    both = await stage.ann.slash(thread, "replay dice", match=match, person=stage.ben.user)
    assert text_of(both) == "Name a match or a person, not both."
    assert text_of(await stage.dan.slash(stage.channel, "replay dice")).startswith(
        "You have no finished match"
    )
    other, place = await stage.open(stage.ann, stage.ben, game="two_domains")
    assert (
        text_of(await stage.ann.slash(place, "replay dice")) == f"No dice have been rolled in `{other}` yet."
    )
    robot = stage.env.create_user("Robot", bot=True)
    said = text_of(await stage.ann.slash(stage.channel, "replay dice", person=robot))
    assert said.startswith("Computers have no statistics")


async def test_one_question_about_dice_at_a_time(stage: Stage) -> None:
    _, thread = await rolled(stage, 2)
    with stage.bot.context.service.dice.callers.hold(stage.ann.id):
        said = text_of(await stage.ann.slash(thread, "replay dice"))
        assert said == "I'm still working on your last question. One at a time, please."
        assert "2 rolls" in text_of(await stage.ben.slash(thread, "replay dice"))
    assert "2 rolls" in text_of(await stage.ann.slash(thread, "replay dice"))


async def test_a_match_is_counted_once(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    plain = dice.rolls_of

    def noted(entries: Any, since: Any = ()) -> Any:
        counted.append(len(entries))
        return plain(entries, since)

    monkeypatch.setattr(dice, "rolls_of", noted)
    match, thread = await ended(stage, 2)
    for _ in range(2):
        await stage.ann.slash(thread, "replay dice", match=match)
        await stage.ann.slash(stage.channel, "replay dice")
    assert len(counted) == 1
    assert isinstance(stage.bot.context.service.dice, DiceStatistics)


# --- proofs ---------------------------------------------------------------------------------------------


async def test_what_is_proved_during_a_match_and_after_it(stage: Stage) -> None:
    match, thread = await rolled(stage, 4)
    seal = commitment(bytes.fromhex((await stage.row(match)).secret))
    live = text_of(await stage.cleo.slash(thread, "replay verify"))
    assert live.startswith(f"`{match}` is still in progress. **Proved so far**: all 4 moves follow the rules")
    assert f"`{seal[:8]}" in live
    assert (await stage.row(match)).secret not in live
    assert "The 5 draws so far" in live, "who begins is drawn, too"
    sure = shown(await stage.ben.slash(thread, "match resign"))
    await stage.ben.click(sure, label="Yes, I resign")
    over = text_of(await stage.cleo.slash(thread, "replay verify"))
    assert over.startswith(f"**Proved**: all 4 moves of `{match}` follow the rules, and all 5 draws follow ")


async def test_a_match_that_was_tampered_with(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, thread = await ended(stage)
    plain = verification.check_log

    def forged(match_id: str, entries: Any, secret: str) -> Any:
        return plain(match_id, entries, "00" * 32)

    monkeypatch.setattr(verification, "check_log", forged)
    said = text_of(await stage.ann.slash(thread, "replay verify", match=match))
    assert said == "**Not proved**: the secret isn't the one that was sealed before the match"


async def test_a_record_is_compared_with_our_match(stage: Stage) -> None:
    match, _ = await ended(stage)
    text = await record_of(stage, match)
    proof, intact, same = (await checked(stage, text)).splitlines()
    assert proof.startswith("**Proved**: all 4 moves")
    assert intact == "The record is intact: its checksum fits."
    assert same == "It is the match that was played here, entry by entry."


async def test_a_record_of_another_match_by_our_name(stage: Stage) -> None:
    match, _ = await ended(stage)
    game, sealed = (await stage.match(match)).game, Sealed(bytes(32), match, "salt")
    change: Any = leave(begin(game, game.setup(2), sealed).match, Seat(0), "resign", sealed)
    forged = export(change.match.log)
    said = await checked(stage, forged)
    assert said.splitlines()[0].startswith("**Proved**: start and end of"), "it follows its own secret"
    assert said.splitlines()[2] == (
        f"**It isn't the match `{match}` that was played here**: they differ from entry 0 on."
    )
    sealed = replace(sealed, match="T-ABCDEF")
    change = leave(begin(game, game.setup(2), sealed).match, Seat(0), "resign", sealed)
    strange = export(change.match.log)
    assert (
        (await checked(stage, strange)).splitlines()[2].startswith("Whether it was played here I can't tell")
    )


async def test_the_record_of_a_match_in_progress(stage: Stage) -> None:
    match, _ = await rolled(stage, 2)
    said = await checked(stage, export((await stage.match(match)).log))
    first, _, last = said.splitlines()
    assert first.startswith(
        f"The record of `{match}` is intact, and all 2 moves follow the rules. It shows no "
    )
    assert last.startswith("Whether it was played here I can't tell")  # until it is over


async def test_files_that_are_no_records(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match, _ = await ended(stage)
    text = await record_of(stage, match)
    broken = text.replace("gather", "gatherr", 1)
    line = next(at for at, each in enumerate(broken.splitlines(), 1) if "gatherr" in each)
    assert (await checked(stage, broken)).startswith(
        f"**Not a valid record**: line {line}: `the move is refused`: "
    )
    assert "checksum" in await checked(stage, text.replace("Checksum: ", "Checksum: 0"))
    assert (await checked(stage, b"\xff\xfe\x00")).startswith("That isn't the record of a match")
    assert (await checked(stage, "")).startswith("**Not a valid record**: line 1: ")
    hostile = await checked(stage, "Dominium record 1\n@everyone `x` **" + "\u200b" * 9)
    assert hostile.startswith("**Not a valid record**: line 2: ")
    assert (await checked(stage, b"x" * (MAX_LENGTH + 1))) == (
        "That file is too large to be a record: the limit is 2 MB."
    )
    monkeypatch.setattr(verification, "PATIENCE", -1.0)
    assert "takes too long here" in await checked(stage, text)


async def test_a_file_that_cant_be_fetched(stage: Stage) -> None:
    class Gone:
        """An attachment that is no longer there."""

        size = 10

        async def read(self) -> bytes:
            raise discord.NotFound(_Response(), "gone")

    class _Response:
        status, reason = 404, "Not Found"

    ctx: Any = stage.bot.context
    nobody: Any = None
    file: Any = Gone()
    (said,) = await record_proof(ctx, nobody, file)
    assert Catalogue(strict=True).say(said) == "I couldn't fetch the file from Discord. Please try again."


async def test_one_check_at_a_time_and_not_of_two_things(stage: Stage) -> None:
    match, thread = await ended(stage)
    with stage.bot.context.service.verification.callers.hold(stage.ann.id):
        said = text_of(await stage.ann.slash(thread, "replay verify"))
        assert said == "I'm still checking something for you. One at a time, please."
    assert isinstance(stage.bot.context.service.verification, Verification)
    both = await stage.ann.slash(thread, "replay verify", match=match, record=("a.txt", b"x"))
    assert text_of(both) == "Name a match or attach a record, not both."
