"""The tables of Discord's errors: every code has a remedy, every remedy an end."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, cast

import discord
import pytest

from bot.outbound import remedies
from bot.outbound.remedies import (
    Fate,
    Remedy,
    Stage,
    about_person,
    fate,
    is_parked,
    is_reported,
    meaning,
    wait_before_next,
)
from locales import Catalogue
from matches.outbox.base import Loss

JSON = {"Content-Type": "application/json", "Via": "1.1 google"}
PAGE = {"Content-Type": "text/html"}


@dataclass
class Response:
    """As much of an answer as an error keeps."""

    status: int
    headers: dict[str, str] = field(default_factory=lambda: JSON)
    reason: str = ""


def error(status: int, code: int = 0, headers: dict[str, str] = JSON) -> discord.HTTPException:
    """An error as the library raises it."""
    kinds = {403: discord.Forbidden, 404: discord.NotFound}
    kind = discord.DiscordServerError if status >= 500 else kinds.get(status, discord.HTTPException)
    return kind(cast("Any", Response(status, headers)), {"code": code, "message": "as planted"})


@pytest.mark.parametrize(
    ("failed", "remedy", "label"),
    [
        (error(404, 10003), Remedy.GONE, "10003"),
        (error(404, 10008), Remedy.RETRY, "10008"),
        (error(404, 10013), Remedy.CLOSED, "10013"),
        (error(429, 20028), Remedy.RETRY, "20028"),
        (error(403, 20026), Remedy.RETRY, "20026"),
        (error(403, 40003), Remedy.RETRY, "40003"),
        (error(400, 30003), Remedy.WAIT, "30003"),
        (error(400, 30013), Remedy.WAIT, "30013"),
        (error(400, 30033), Remedy.WAIT, "30033"),
        (error(429, 30046), Remedy.RETRY, "30046"),
        (error(413, 40005), Remedy.PLAIN, "40005"),
        (error(400, 40060), Remedy.DROP, "40060"),
        (error(403, 50001), Remedy.WAIT, "50001"),
        (error(400, 50006), Remedy.PLAIN, "50006"),
        (error(403, 50007), Remedy.CLOSED, "50007"),
        (error(400, 50008), Remedy.WAIT, "50008"),
        (error(403, 50013), Remedy.WAIT, "50013"),
        (error(400, 50024), Remedy.WAIT, "50024"),
        (error(401, 50027), Remedy.DROP, "50027"),
        (error(400, 50035), Remedy.PLAIN, "50035"),
        (error(400, 50083), Remedy.WAIT, "50083"),
        (error(403, 50278), Remedy.CLOSED, "50278"),
        (error(400, 160004), Remedy.RETRY, "160004"),
        (error(403, 160005), Remedy.WAIT, "160005"),
        (error(400, 160006), Remedy.WAIT, "160006"),
        (error(401), Remedy.PAUSE, "401"),
        (error(403), Remedy.WAIT, "403"),
        (error(403, headers=PAGE), Remedy.PAUSE, "403"),
        (error(413), Remedy.PLAIN, "413"),
        (error(429), Remedy.RETRY, "429"),
        (error(429, headers=PAGE), Remedy.PAUSE, "429"),
        (error(429, headers={"Content-Type": "application/json"}), Remedy.PAUSE, "429"),
        (error(500), Remedy.RETRY, "500"),
        (error(503, headers=PAGE), Remedy.RETRY, "503"),
        (error(520, 50035), Remedy.RETRY, "50035"),
        (error(400, 123_456), Remedy.WAIT, "123456"),
        (error(418), Remedy.WAIT, "418"),
        (discord.RateLimited(90), Remedy.RETRY, "429"),
        (ConnectionResetError(104, "reset"), Remedy.RETRY, "ConnectionResetError"),
        (ValueError("ours"), Remedy.RETRY, "ValueError"),
    ],
)
def test_what_an_error_means(failed: Exception, remedy: Remedy, label: str) -> None:
    found = meaning(failed)
    assert (found.remedy, found.label) == (remedy, label)


@pytest.mark.parametrize("code", [*remedies.CODES, 0, 20009, 40012, 50009, 123_456])
def test_only_three_codes_say_that_a_person_takes_no_messages(code: int) -> None:
    found = about_person(meaning(error(403, code)))
    assert (found.remedy is Remedy.CLOSED) == (code in {10013, 50007, 50278})
    assert found.remedy not in (Remedy.WAIT, Remedy.GONE)


DOCUMENTED = """
0 10001-10016 10020 10021 10026-10033 10036 10038 10049 10050 10057 10059-10063 10065-10071 10087 10097
20001 20002 20009 20012 20016 20018 20022 20024 20028 20029 20031 20035 30001-30005 30007 30008 30010 30011
30013 30015 30016 30018 30019 30030-30035 30037-30040 30042 30045-30048 30052 30056 30058 30060 30061
40001-40007 40012 40018 40019 40032 40033 40041 40043 40058 40060-40062 40066 40067 40074 40094 40333
50001-50017 50019-50021 50024-50028 50033-50036 50039 50041 50045 50046 50054 50055 50057 50067 50068 50070
50073 50074 50080 50081 50083-50086 50091 50095 50097 50101 50109 50110 50123 50124 50131 50132 50138
50144-50146 50151 50159-50163 50173 50178 50192 50278 50600 60003 80004 90001 90002 110001 130000 150006
160002 160004-160007 170001-170007 180000 180002 200000 200001 220001-220004 240000 350000 350001 400001
500000 520000-520004 520006
"""
"""Discord's list (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json), and 50278."""
ELSEWHERE = """
10001 10002 10005-10007 10009-10012 10014 10016 10020 10021 10026-10033 10036 10038 10049 10050 10057
10059-10061 10063 10065-10071 10087 10097 20001 20002 20012 20018 20024 20031 20035 40002 40007 40012 40018
40019 40032 40033 40041 40061 40066 40074 50002-50005 50009-50012 50015-50017 50019-50021 50025 50026 50028
50033 50034 50036 50039 50041 50054 50055 50057 50067 50068 50070 50073 50074 50080 50081 50084-50086 50091
50095 50097 50101 50124 50131 50132 50144 50145 50151 50159-50163 50173 50178 50192 50600 60003 80004 90001
90002 150006 170001-170007 180000 180002 220001-220004 350000 350001 500000 520000-520004 520006
"""
"""The codes of what the outbox never does (roles, voice, stickers, shops ...): they count as unknown ones."""


def listed(text: str) -> set[int]:
    """Return the numbers in a text, with those within ranges."""
    ends = [[int(end) for end in part.split("-")] for part in text.split()]
    return {code for each in ends for code in range(each[0], each[-1] + 1)}


def test_every_documented_code_has_its_place() -> None:
    placed = remedies.CODES.keys() | listed(ELSEWHERE)
    missing = {code for code in listed(DOCUMENTED) if code not in placed and code not in remedies.LIMITS}
    assert missing == {0}  # which explains nothing: the status does
    assert not remedies.CODES.keys() & listed(ELSEWHERE)
    assert listed(ELSEWHERE) <= listed(DOCUMENTED)


def test_all_that_people_are_told_has_a_text() -> None:
    texts = Catalogue().keys()
    told = {"guild", remedies.DEFAULT.why}
    told |= {one.why for one in (*remedies.CODES.values(), *remedies.STATUSES.values())}
    for why in told:
        assert f"bot.unreachable.{why}" in texts, why


def spent(failed: Exception, tries: int) -> timedelta:
    """How long a message waits in total that fails this often."""
    return sum((wait_before_next(meaning(failed), one) for one in range(tries)), timedelta())


def test_waits_grow_up_to_a_limit() -> None:
    busy, denied = error(503), error(403, 50013)
    assert wait_before_next(meaning(busy), 0) == timedelta(seconds=1)
    assert wait_before_next(meaning(busy), 5_000) == timedelta(minutes=10)
    assert wait_before_next(meaning(discord.RateLimited(90)), 0) == timedelta(seconds=90)
    assert spent(denied, 10) == timedelta(minutes=10), "each minute, at first"
    assert wait_before_next(meaning(denied), 5_000) == timedelta(hours=1)
    assert spent(denied, 24) < timedelta(hours=12), "a permission that is given again counts within the hour"


@pytest.mark.parametrize(
    ("failed", "told", "parked"),
    [
        (error(503), timedelta(hours=1), timedelta(days=7)),
        (error(401), timedelta(hours=1), timedelta(days=7)),
        (error(403, 50013), timedelta(), timedelta(days=14)),
        (error(400, 123_456), timedelta(), timedelta(days=14)),
    ],
)
def test_every_message_that_is_tried_again_has_an_end(
    failed: Exception, told: timedelta, parked: timedelta
) -> None:
    what, age, tries = meaning(failed), timedelta(), 0
    heard: timedelta | None = None
    while not is_parked(what, age, tries):
        if heard is None and is_reported(what, age, tries):
            heard = age
        age, tries = age + wait_before_next(what, tries), tries + 1
        assert tries < 2_000
    assert heard is not None
    assert told <= heard <= told + timedelta(minutes=20)
    assert parked <= age <= parked + timedelta(hours=1)


def test_a_message_that_a_downtime_made_old_has_its_tries_first() -> None:
    month = timedelta(days=30)
    for failed in (error(503), error(403, 50013)):
        assert not is_parked(meaning(failed), month, 5)
    assert not is_reported(meaning(error(503)), month, 0)


def test_nothing_is_tried_for_ever_and_nothing_of_a_match_is_lost_in_silence() -> None:
    ways_on = {Fate.LATER, Fate.REPORTED, Fate.PLAINER, Fate.REPLACED}
    for remedy in Remedy:
        last = {loss: fate(loss, remedy, Stage.ENDED) for loss in Loss}
        assert ways_on.isdisjoint(last.values())
        assert last[Loss.MATCH] in {Fate.PARKED, Fate.REPORTED_LOSS}
