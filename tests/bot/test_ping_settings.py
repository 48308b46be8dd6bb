"""A person's settings: in forms and typed; and pings that are put off."""

from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from bot.actions.people.ping_settings import with_choice
from bot.outbound.overviews import MAX_FIRST
from matches.pings.settings import PingSettings, with_settings
from tests.bot.acts import last_board
from tests.bot.lobby_acts import labels
from tests.bot.ping_acts import (
    calling,
    calls_made,
    chosen_by,
    direct,
    moves,
    night,
    pair,
    wants,
)
from tests.bot.stage import Stage, button_ids, shown, text_of, words_of
from tests.discord_rules import modal_faults

pytestmark = pytest.mark.slow


async def test_nobody_who_wants_none_is_pinged(stage: Stage) -> None:
    match, thread, one, _ = await pair(stage, style="none")
    await moves(stage, match)
    assert calling(thread, one) == []
    await stage.later(hours=48)
    assert calls_made(stage, one) == 0
    await moves(stage, match)
    await stage.mover(match)


@pytest.mark.parametrize(("label", "hours"), [("Remind me in an hour", 1), ("Remind me tomorrow", 36)])
async def test_a_ping_is_put_off(stage: Stage, label: str, hours: float) -> None:
    match, _, one, _ = await pair(stage, where="dm")
    await moves(stage, match)
    (ping,) = direct(one)
    await one.user.click(ping, label=label)
    (later,) = direct(one)
    assert later.id == ping.id
    assert "I'll remind you" in words_of(later)
    await stage.restart()
    assert len(direct(one)) == 1
    await stage.later(hours=hours)
    (again,) = direct(one)
    assert again.id != ping.id
    assert "Still your move" in words_of(again)
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
            == f"That ping of `{match}` is for someone else."
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


async def test_settings_are_chosen_in_forms_that_explain_each_choice(stage: Stage) -> None:
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    assert panel.flags.ephemeral
    assert "Pings: for every move" in words_of(panel)
    assert len(words_of(panel)) <= MAX_FIRST
    assert labels(panel) == {"Pings", "Times", "Boards", "Blocked people"}
    form = await stage.ann.click(panel, label="Pings")
    assert form.modal is not None
    assert modal_faults(form.modal) == []
    parts = form.modal["components"]
    assert [part["label"] for part in parts] == ["Pings", "Where", "Reminders", "Also"]
    for part in parts:
        options = part["component"]["options"]
        assert part["description"]
        assert all(option["description"] for option in options), "each choice says what it does"
        assert sum(bool(option.get("default")) for option in options) == 1
    picked = {"style": "looked", "where": "dm", "reminders": ["remind_every_12"], "extras": "extras_both"}
    after = shown(await stage.ann.submit_modal(form, picked))
    assert "Pings: one in each match until you act or look" in words_of(after)
    made = await chosen_by(stage, stage.ann)
    assert (made.style, made.where, made.interval) == ("looked", "dm", 12)
    assert made.next_up
    assert made.alone


async def test_boards_and_profile_are_chosen_in_a_form(stage: Stage) -> None:
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    await stage.restart()
    form = await stage.ann.click(panel, label="Boards")
    assert form.modal is not None
    assert modal_faults(form.modal) == []
    picked = {"theme": "contrast", "board": "text", "standing": "private"}
    after = shown(await stage.ann.submit_modal(form, picked))
    assert "Theme: High contrast\nBoard: Text\nProfile and leaderboards: Private\n" in words_of(after)
    made = await stage.bot.context.preferences.get("user", stage.ann.id)
    assert {key: made[key] for key in picked} == picked


async def test_panels_of_earlier_versions_go_on_working(stage: Stage) -> None:
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    for key in ("quiet", "digests"):
        form = await stage.press_id(stage.ann, panel, f"domb:ping_form:-:0:{key}")
        assert form.modal is not None
        assert form.modal["title"] == "Times"
    chosen = PingSettings()
    for key, value in (("style", "looked"), ("where", "dm"), ("extras", "extras_both"), ("where", "moon")):
        chosen = with_choice(chosen, key, value)
    assert (chosen.style, chosen.where, chosen.next_up) == ("looked", "dm", True)


async def test_settings_are_typed(stage: Stage) -> None:
    said = await stage.ann.slash(
        stage.channel, "settings me", zone="Europe/Berlin", quiet="10 pm to 7", digest="8 18:30", theme="dark"
    )
    text = text_of(said)
    assert "Quiet hours: 22:00 to 07:00" in text
    assert "Theme: Dark" in text
    made = await chosen_by(stage, stage.ann)
    assert made.zone.key == "Europe/Berlin"
    assert [at.isoformat("minutes") for at in made.digests] == ["08:00", "18:30"]
    for wrong, why in (
        ({"zone": "Mars/Olympus"}, "`Mars/Olympus`: There is no time zone of that name."),
        ({"zone": "Berln"}, "Did you mean `Europe/Berlin`?"),
        ({"zone": "UTC+9"}, "Name a city in the zone, such as `Asia/"),
        ({"quiet": "at night"}, "`at night` isn't a time span"),
        ({"quiet": "11-7"}, "That can be read in 3 ways: `11:00-07:00`, `11:00-19:00`, or `23:00-07:00`."),
        ({"digest": "never ever"}, "`never ever` isn't a list of times"),
    ):
        assert why in text_of(await stage.ann.slash(stage.channel, "settings me", **wrong))
    assert await chosen_by(stage, stage.ann) == made
    offered = await stage.ann.autocomplete(stage.channel, "settings me", "zone", "new yor")
    assert [choice["value"] for choice in offered] == ["America/New_York"]
    await stage.ann.slash(stage.channel, "settings me", zone="new york")
    assert (await chosen_by(stage, stage.ann)).zone.key == "America/New_York"


async def test_a_zone_chosen_long_ago_stays_in_its_form(stage: Stage) -> None:
    preferences = stage.bot.context.preferences
    old = with_settings({}, PingSettings(zone=ZoneInfo("EST5EDT")))
    await preferences.save("user", stage.ann.id, old)
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    form = await stage.ann.click(panel, label="Times")
    await stage.ann.submit_modal(form, {"quiet": "23-8", "digests": "8", "zone": "EST5EDT"})
    made = await chosen_by(stage, stage.ann)
    assert (made.quiet is not None, made.zone.key) == (True, "EST5EDT")


async def test_times_are_entered_in_a_form(stage: Stage) -> None:
    panel = shown(await stage.ann.slash(stage.channel, "settings me"))
    form = await stage.ann.click(panel, label="Times")
    assert form.modal is not None
    assert modal_faults(form.modal) == []
    await stage.ann.submit_modal(form, {"quiet": "23-8", "digests": "7, 19", "zone": "NYC"})
    made = await chosen_by(stage, stage.ann)
    assert made.quiet is not None
    assert (made.quiet.start.hour, made.zone.key) == (23, "America/New_York")
    assert [at.hour for at in made.digests] == [7, 19]
    form = await stage.ann.click(panel, label="Times")
    said = await stage.ann.submit_modal(form, {"quiet": "1-2", "digests": "late", "zone": "Asia/Tokyo"})
    assert words_of(shown(said)).startswith("`late` isn't a list of times")
    assert await chosen_by(stage, stage.ann) == made
    form = await stage.ann.click(panel, label="Times")
    await stage.ann.submit_modal(form, {"digests": "7, 19", "zone": "America/New_York"})
    assert (await chosen_by(stage, stage.ann)).quiet is None, "an empty field is none"


async def test_the_private_view_leads_to_the_settings(stage: Stage) -> None:
    match, _ = await stage.open(stage.ann, stage.ben)
    board = await last_board(stage, match)
    view = shown(await stage.ann.click(board, label="My view"))
    panel = shown(await stage.ann.click(view, label="Ping settings"))
    assert "Pings: for every move" in words_of(panel)
    watching = shown(await stage.dan.click(board, label="My view"))
    assert not any("pings" in each for each in button_ids(watching))


async def test_a_question_notifies_nobody_at_night(stage: Stage) -> None:
    match, thread = await stage.open(stage.ann, stage.ben)
    await wants(stage, stage.ben, quiet=night(stage))
    before = calls_made(stage, stage.ben)
    await stage.ann.slash(thread, "match draw")
    offer = thread.history()[-1]
    assert f"<@{stage.ben.id}>" in words_of(offer)
    assert match in words_of(offer)
    assert calls_made(stage, stage.ben) == before
    await wants(stage, stage.ben)
    await stage.ben.click(offer, label="Decline")
    await stage.ann.slash(thread, "match draw")
    assert calls_made(stage, stage.ben) == before + 1
