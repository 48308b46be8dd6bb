"""The clock of a lobby on the stage: chosen by command, panel and forms, shown to all who sit down."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot.messages.components import layout, walk_components
from bot.messages.lobby import lobby_items
from bot.messages.lobby_clock import clock_form, clock_lines, clock_panel, hours_form
from matches.clocks.control import PRESETS, TimeControl, per_move, time_zone, to_json
from matches.clocks.hours import PlayingHours
from matches.store.rows import MatchRow
from tests.bot.acts import last_board, rows_of
from tests.bot.lobby_acts import open_lobby
from tests.bot.stage import Stage, menu_with, shown, text_of, words_of
from tests.bot.test_database_failures import Failing
from tests.bot.test_places import manager
from tests.discord_rules.components import message_components, modal

pytestmark = pytest.mark.slow

STEADY = "**Clock**: 24 hours and 12 hours more each move, saved up to 5 days"
CLAIM = "-# When time is up and an opponent claims it, a safe move is played. Vacations stop the clock."


async def panel(stage: Stage, match: str, host: MemberActor | None = None) -> discord.Message:
    """The host's panel about the clock."""
    answer = shown(await (host or stage.ann).click(await stage.lobby(match), label="Clock"))
    assert answer.flags.ephemeral
    return answer


async def pick(stage: Stage, on: discord.Message, value: str) -> discord.Message:
    """Choose an entry of one of the panel's menus, and return the panel as it is then."""
    return shown(await stage.ann.select(on, [value], custom_id=menu_with(on, value)))


async def clock(stage: Stage, match: str) -> Any:
    """The clock of a match as JSON."""
    return (await stage.row(match)).conditions.clock


async def fill(stage: Stage, on: discord.Message, label: str, **texts: str) -> InteractionResult:
    """Open one of the panel's forms and submit it."""
    form = await stage.ann.click(on, label=label)
    return await stage.ann.submit_modal(form, texts)


def chosen(message: discord.Message) -> list[str]:
    """The labels that the menus of a message show as chosen."""
    return [
        option.label
        for child in walk_components(message.components)
        for option in getattr(child, "options", ())
        if option.default
    ]


def custom_ids(message: discord.Message) -> Iterable[str]:
    """The ids of all components of a message."""
    for child in walk_components(message.components):
        if custom_id := getattr(child, "custom_id", None):
            yield str(custom_id)


async def test_a_clock_by_command(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="24h+12h max 5d")
    lobby = await stage.lobby(match)
    assert await clock(stage, match) == to_json(PRESETS["steady"])  # type: ignore[arg-type]
    assert STEADY in words_of(lobby)
    assert CLAIM in words_of(lobby)
    await stage.ben.click(lobby, label="Join")
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert STEADY in words_of(await stage.lobby(match))
    assert CLAIM not in words_of(await stage.lobby(match))
    assert (await stage.match(match)).hosting.clock == to_json(PRESETS["steady"])  # type: ignore[arg-type]
    await last_board(stage, match)


@pytest.mark.parametrize(
    ("clock", "hours"),
    [
        ("2d a move", 48),
        ("24h + 12h", 24),
        ("5d in total", 120),
        ("10h from 12:00 to 22:00 UTC", None),
    ],
)
async def test_a_lobby_gives_an_example_of_when_the_first_move_is_due(
    stage: Stage, clock: str, hours: int | None
) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock=clock)
    for text in (words_of(await stage.lobby(match)), words_of(await panel(stage, match))):
        (line,) = [line for line in text.split("\n") if "the first move is due" in line]
        starts, due = (int(stamp) for stamp in re.findall(r"<t:(\d+):F>", line))
        assert starts == int((await stage.row(match)).updated.timestamp())
        if hours is not None:
            assert due - starts == hours * 3600
        else:  # ten hours of a day's ten: at its end if it hasn't begun, otherwise on the next day
            assert 10 * 3600 <= due - starts <= 24 * 3600
            assert datetime.fromtimestamp(due, UTC).hour >= 12
    await stage.ben.click(await stage.lobby(match), label="Join")
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert "the first move is due" not in words_of(await stage.lobby(match))


async def test_a_clock_with_two_readings_is_asked_about(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="relaxed")
    now = await panel(stage, match)
    said = text_of(await fill(stage, now, "Type a clock", clock="1 day and 12 hours"))
    assert said == (
        "`1 day and 12 hours`: That can be read in 2 ways: `36h a move` (36 hours a move) or `24h + 12h` "
        "(24 hours and 12 hours more each move). Type the one you mean."
    )
    assert await clock(stage, match) == to_json(PRESETS["relaxed"])  # type: ignore[arg-type]
    found = await stage.ann.autocomplete(stage.channel, "play", "clock", "2,880 min", game="focus")
    assert [str(each["value"]) for each in found[:2]] == ["2d a move", "2min53s a move"]


async def test_without_a_clock(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    assert await clock(stage, match) is None
    assert "clock" not in words_of(await stage.lobby(match)).casefold()


async def test_nonsense_opens_no_lobby(stage: Stage) -> None:
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", clock="soon"))
    assert said.startswith("That isn't a clock I know. Write `3d` for 3 days a move")
    assert not await stage.bot.context.store.by_status("lobby")


async def test_clocks_are_suggested(stage: Stage) -> None:
    async def listed(text: str) -> list[tuple[str, str]]:
        found = await stage.ann.autocomplete(stage.channel, "play", "clock", text, game="focus")
        return [(str(each["name"]), str(each["value"])) for each in found]

    everything = await listed("")
    assert everything[:2] == [("no clock", "none"), ("relaxed: 3 days a move", "relaxed")]
    assert len(everything) == len(PRESETS)
    assert await listed("days") == everything[1:3]
    assert (await listed("36h + 6h"))[0] == ("36 hours and 6 hours more each move", "36h + 6h")
    assert await listed("xyz") == everything
    assert await listed("x" * 500) == everything


async def test_the_panel(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    assert "-# No clock." in words_of(await stage.lobby(match))
    now = await panel(stage, match)
    assert "Nobody is timed" in words_of(now)
    assert chosen(now) == ["no clock"]
    assert rows_of(now)[-1] == ["Type a clock", "Done"]
    now = await pick(stage, now, "evening")
    assert chosen(now) == [
        "an evening: 10 minutes and 15 seconds",
        "Time is up: it happens automatically",
        "Then the player loses",
        "Vacations stop the clock",
    ]
    assert "-# When time is up, the player loses automatically." in words_of(await stage.lobby(match))
    for value in ("claim", "computer", "no"):
        now = await pick(stage, now, value)
    lobby = words_of(await stage.lobby(match))
    assert "-# When time is up and an opponent claims it, a computer takes the seat, and the player" in lobby
    assert "may come back. Vacations don't stop the clock." in lobby
    now = await pick(stage, now, "weekly")
    assert await clock(stage, match) == to_json(per_move(timedelta(days=7), vacations=False))
    now = await pick(stage, now, "none")
    assert await clock(stage, match) is None
    assert chosen(now) == ["no clock"]
    await stage.ann.click(now, label="Done")


async def test_forms(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    now = shown(await fill(stage, await panel(stage, match), "Type a clock", clock="2d a turn"))
    assert "**Clock**: 2 days a move" in words_of(now)
    assert chosen(now)[0] == "your own: 2 days a move"
    now = await pick(stage, now, "own")
    assert await clock(stage, match) == to_json(per_move(timedelta(days=2)))
    now = await pick(stage, now, "automatic")
    said = await fill(stage, now, "Type a clock", clock="`so` much")
    assert text_of(said).startswith("`'so' much`: That isn't a clock I know.")
    assert "2 days a move" in words_of(await stage.lobby(match))
    said = await fill(stage, now, "Playing hours", opens="9", closes="10 pm", days="Mon-Fri", zone="berlin")
    now = shown(said)
    hours = (
        "-# Clocks run during playing hours only: Mon–Fri, 09:00–22:00 (Europe/Berlin). For you, that is <t:"
    )
    assert hours in words_of(now)
    assert hours in words_of(await stage.lobby(match))
    kept = TimeControl(timedelta(days=2), timedelta(days=2), timedelta(days=2), acts="automatic")
    stored = await clock(stage, match)
    assert stored["hours"] == {
        "zone": "Europe/Berlin",
        "opens": "09:00",
        "closes": "22:00",
        "days": [0, 1, 2, 3, 4],
    }
    assert stored | {"hours": None} == to_json(kept)
    now = await pick(stage, now, "steady")
    assert (await clock(stage, match))["hours"] is not None, "a preset has times only"
    assert rows_of(now)[-1] == ["Type a clock", "Playing hours", "No playing hours", "Done"]
    now = shown(await fill(stage, now, "Playing hours", opens="", closes="", days="weekends", zone="utc"))
    assert "-# Clocks run during playing hours only: Sat and Sun, all day (UTC)." in words_of(now)
    now = shown(await stage.ann.click(now, label="No playing hours"))
    assert (await clock(stage, match))["hours"] is None
    now = shown(await fill(stage, now, "Type a clock", clock="no clock"))
    assert await clock(stage, match) is None


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (("9", "", "", "Berln"), "`9, Berln`: There is no time zone of that name. Did you mean `Europe/Ber"),
        (("", "", "", "UTC+2"), "`UTC+2`: An offset or abbreviation doesn't say when summer time begins."),
        (("", "", "", "Germany"), "`Germany`: There is no time zone of that name. Did you mean `Europe/Ber"),
        (("", "", "", "Middle-earth"), "`Middle-earth`: There is no time zone of that name. Write a large"),
        (("26", "", "", "Berlin"), "`26, Berlin`: That isn't a time of day. Write it like `9:00` or `9 pm`."),
        (("", "", "some", "Berlin"), "`some, Berlin`: Those aren't days of the week."),
        (("9", "10", "Mon", "Berlin"), "`9, 10, Mon, Berlin`: Playing hours must leave at least 6 hours a"),
    ],
)  # fmt: skip
async def test_playing_hours_that_cannot_be(stage: Stage, texts: tuple[str, ...], why: str) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="relaxed")
    values = dict(zip(("opens", "closes", "days", "zone"), texts, strict=True))
    said = text_of(await fill(stage, await panel(stage, match), "Playing hours", **values))
    assert said.startswith(why)
    assert (await clock(stage, match))["hours"] is None


async def test_only_the_host_and_only_before_the_start(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben, start=False, clock="relaxed")
    said = text_of(await stage.ben.click(await stage.lobby(match), label="Clock"))
    host = f"Only {stage.ann.mention}, who opened this lobby, can change the clock. Clock: 3 days a move."
    assert said == host
    old = await panel(stage, match)
    form = await stage.ann.click(old, label="Type a clock")
    lobby = await stage.lobby(match)
    for custom_id in custom_ids(old):
        if not custom_id.startswith("domb:clock_done"):
            said = text_of(await stage.press_id(stage.ben, lobby, custom_id.replace("doms:", "domb:")))
            assert said in (host, "Only the host of this lobby can do that.")
    await stage.ann.click(lobby, label="Start")
    for custom_id in custom_ids(old):
        if not custom_id.startswith("domb:clock_done"):
            said = text_of(await stage.press_id(stage.ann, lobby, custom_id.replace("doms:", "domb:")))
            assert said in ("This lobby is no longer open.", f"{match} has already started.")
    assert text_of(await stage.ann.submit_modal(form, {"clock": "1h"})) == f"{match} has already started."
    assert text_of(await stage.press_id(stage.ann, lobby, f"domb:clock_panel:{match}:-1")) == (
        "This lobby is no longer open."
    )
    assert await clock(stage, match) == to_json(per_move(timedelta(days=3)))


async def test_a_panel_after_a_restart_and_after_its_clock_is_gone(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="relaxed")
    old, form = await panel(stage, match), await panel(stage, match)
    hours = await stage.ann.click(form, label="Playing hours")
    await stage.restart()
    await pick(stage, await panel(stage, match), "none")
    now = await pick(stage, old, "loss")
    assert "Nobody is timed" in words_of(now)
    assert await clock(stage, match) is None
    now = shown(await stage.ann.submit_modal(hours, {"opens": "", "closes": "", "days": "", "zone": "UTC"}))
    assert "Nobody is timed" in words_of(now)


async def test_two_presses_are_one_change(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="relaxed")
    now = await panel(stage, match)
    now = shown(await fill(stage, now, "Playing hours", opens="", closes="", days="weekends", zone="utc"))
    await stage.press_all((stage.ann, now, "clock_all_day"), (stage.ann, now, "clock_all_day"))
    assert await clock(stage, match) == to_json(per_move(timedelta(days=3)))


async def test_who_has_sat_down_is_told_of_another_clock(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, game="focus", players=3, clock="relaxed")
    now = await panel(stage, match)
    now = await pick(stage, now, "weekly")
    assert [words_of(m) for m in stage.channel.history() if "has changed the clock" in words_of(m)] == []
    await stage.ben.click(await stage.lobby(match), label="Join")

    def news() -> list[discord.Message]:
        return [m for m in stage.channel.history() if "has changed the clock" in words_of(m)]

    now = await pick(stage, now, "automatic")
    (told,) = news()
    assert told.raw_mentions == [stage.ben.id]
    assert (
        "since you sat down. If it no longer suits you, press Leave.\n**Clock**: 7 days a move"
        in words_of(told)
    )
    assert "When time is up, a safe move is played automatically." in words_of(told)
    now = await pick(stage, now, "automatic")
    now = await pick(stage, now, "loss")
    (again,) = news()
    assert again.id == told.id, "one message while the host chooses"
    assert "the player loses automatically" in words_of(again)
    await stage.cleo.click(await stage.lobby(match), label="Join")
    await fill(stage, now, "Playing hours", opens="9:00", closes="22", days="", zone="Paris")
    assert [set(m.raw_mentions) for m in news()] == [{stage.ben.id}, {stage.ben.id, stage.cleo.id}]
    assert "Europe/Paris" in words_of(news()[-1])
    await news()[-1].delete()
    await stage.restart()
    await pick(stage, await panel(stage, match), "none")
    assert len(news()) == 2
    assert "No clock." in words_of(news()[-1])


async def test_playing_hours_by_command_with_zones_that_are_offered(stage: Stage) -> None:
    typed = "2d from 9:00 to 22:00 Mon-Fri"
    found = await stage.ann.autocomplete(stage.channel, "play", "clock", f"{typed} berl", game="focus")
    assert [str(each["value"]) for each in found] == [f"{typed} Europe/Berlin"]
    match, _ = await stage.open(stage.ann, start=False, clock=str(found[0]["value"]))
    content = words_of(await stage.lobby(match))
    assert "**Clock**: 2 days a move" in content
    assert "playing hours only: Mon–Fri, 09:00–22:00 (Europe/Berlin)" in content
    await fill(stage, await panel(stage, match), "Type a clock", clock="3d from 10 to 20 London")
    assert "playing hours only: every day, 10:00–20:00 (Europe/London)" in words_of(await stage.lobby(match))
    said = text_of(await stage.ann.slash(stage.channel, "play", game="focus", clock="3d from 9 to 22"))
    assert said.startswith("There is no time zone of that name.")


async def test_the_servers_default(stage: Stage) -> None:
    manager(stage)
    said = text_of(await stage.ann.slash(stage.channel, "server settings", clock="soon"))
    assert said.startswith("That isn't a clock I know.")
    assert "Clock of new lobbies: no clock" in text_of(
        await stage.ann.slash(stage.channel, "server settings", place="thread")
    )
    said = text_of(await stage.ann.slash(stage.channel, "server settings", clock="steady"))
    assert "Clock of new lobbies: 24 hours and 12 hours more each move, saved up to 5 days" in said
    now = int(stage.bot.context.clock.now().timestamp())
    assert f"starts on <t:{now}:F>, the first move is due on <t:{now + 24 * 3600}:F>." in said
    await stage.restart()
    match, _ = await stage.open(stage.ann, start=False)
    assert await clock(stage, match) == to_json(PRESETS["steady"])  # type: ignore[arg-type]
    other, _ = await stage.open(stage.ben, start=False, clock="none")
    assert await clock(stage, other) is None
    said = text_of(await stage.ann.slash(stage.channel, "server settings", clock="no clock"))
    assert "Clock of new lobbies: no clock" in said
    third, _ = await stage.open(stage.cleo, start=False)
    assert await clock(stage, third) is None


async def test_in_direct_messages(stage: Stage) -> None:
    await stage.ann.user.slash("play", game="focus", clock="relaxed")
    row = await open_lobby(stage)
    assert row.conditions.clock == to_json(per_move(timedelta(days=3)))
    (lobby,) = [m for m in stage.ann.user.dm_channel.history() if m.author.bot and m.components]
    assert "**Clock**: 3 days a move" in words_of(lobby)
    now = shown(await stage.ann.user.click(lobby, label="Clock"))
    now = shown(await stage.ann.user.select(now, ["weekly"], custom_id=menu_with(now, "weekly")))
    assert "7 days a move" in words_of(now)


async def test_against_computers_alone(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, game="two_domains", clock="relaxed")
    assert "computers only" not in words_of(await stage.lobby(match))
    asks = shown(await stage.ann.click(await stage.lobby(match), label="Add computer"))
    await stage.ann.select(asks, ["easy"])
    assert "-# You play against computers only. They don't mind waiting" in words_of(await stage.lobby(match))
    await stage.ann.click(await stage.lobby(match), label="Start")
    assert (await stage.row(match)).status == "live"


async def test_a_rematch_keeps_its_clock_unless_told(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben, clock="relaxed")
    await stage.ben.click(
        shown(await stage.ben.click(await last_board(stage, match), label="Resign or draw")),
        label="Yes, I resign",
    )
    await stage.ann.slash(thread, "play", game="focus", clock="2d")
    row: MatchRow = await open_lobby(stage)
    assert row.provenance.previous == match
    assert row.conditions.clock == to_json(per_move(timedelta(days=2)))
    said = text_of(await stage.ben.slash(thread, "play", game="focus", clock="1d"))
    assert "This rematch keeps its clock: only its host can change it." in said
    assert (await stage.row(row.id)).conditions.clock == to_json(per_move(timedelta(days=2)))


async def test_hours_are_kept_as_typed(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="relaxed")
    now = await panel(stage, match)
    await fill(stage, now, "Playing hours", opens="20:00", closes="2", days="", zone="Tokyo")
    assert (await clock(stage, match))["hours"]["closes"] == "02:00"
    form = await stage.ann.click(await panel(stage, match), label="Playing hours")
    text = str(form.modal)
    for part in ("20:00", "02:00", "every day", "Asia/Tokyo"):
        assert part in text


@pytest.mark.parametrize("after", [False, True])
async def test_the_database_fails(stage: Stage, monkeypatch: pytest.MonkeyPatch, after: bool) -> None:
    match, _ = await stage.open(stage.ann, start=False, clock="relaxed")
    now = await panel(stage, match)
    Failing(stage, monkeypatch, "commit", after=after)
    said = text_of(await stage.ann.select(now, ["automatic"], custom_id=menu_with(now, "automatic")))
    assert said == (
        f"That worked, but my answer came too late. There's no need to do it again: look at `{match}`."
        if after
        else "Something went wrong on our side. Nothing is lost. Please try again."
    )
    assert (await clock(stage, match))["acts"] == ("automatic" if after else "claim")
    now = await pick(stage, now, "automatic")
    assert "Time is up: it happens automatically" in chosen(now)
    assert "is played automatically" in words_of(await stage.lobby(match))


async def test_discord_takes_all_panels_and_forms(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    row, reader = await stage.row(match), stage.bot.context.readers.default
    long = TimeControl(
        timedelta(days=44, hours=22, minutes=33, seconds=44),
        timedelta(days=11, hours=11, minutes=11, seconds=11),
    )
    capped = replace(long, cap=timedelta(days=55, hours=15, minutes=55, seconds=55))
    for each in (*PRESETS.values(), long, capped):
        for hours in (
            None,
            PlayingHours(time_zone("America/Argentina/ComodRivadavia"), days=frozenset({0, 2, 4, 6})),
        ):
            agreed = None if each is None else to_json(replace(each, hours=hours))
            now = replace(row, conditions=replace(row.conditions, clock=agreed))
            outgoing = clock_panel(now, reader)
            view = layout(*outgoing.items)
            assert view is not None
            assert list(message_components(view.to_components())) == []
            assert len(outgoing.content) < 500
            for form in (clock_form(now, reader), hours_form(now, reader)):
                assert list(modal(form.to_dict())) == []
            lobby = layout(*lobby_items(now, reader))
            assert lobby is not None
            assert list(message_components(lobby.to_components())) == []


async def test_hours_shown_are_those_of_a_usual_day(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, start=False)
    nights = PlayingHours(time_zone("Europe/Berlin"), time(20), time(8))
    agreed = to_json(per_move(timedelta(days=3), hours=nights))
    before_winter_time = datetime(2026, 10, 24, 12, tzinfo=UTC)
    row = await stage.row(match)
    row = replace(row, conditions=replace(row.conditions, clock=agreed), updated=before_winter_time)
    lines = clock_lines(row, stage.bot.context.readers.default)
    (line,) = [line for line in lines if "For you, that is" in line]
    opens, closes = (int(stamp) for stamp in re.findall(r"<t:(\d+):t>", line))
    assert opens == int(datetime(2026, 10, 25, 19, tzinfo=UTC).timestamp())
    assert closes - opens == 12 * 3600
