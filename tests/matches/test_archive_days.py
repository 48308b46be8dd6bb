"""Years, months and days as people type them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from matches.records.archive_days import day_readings, read_days

DAYS = st.datetimes(datetime(1, 1, 1), datetime(9999, 12, 30), timezones=st.just(UTC))  # noqa: DTZ001 - the zone is given


@given(DAYS)
def test_each_moment_is_in_its_day_month_and_year(moment: datetime) -> None:
    for form in ("%Y-%m-%d", "%Y-%m", "%Y"):
        text = f"{moment.year:04}{moment.strftime(form)[len(moment.strftime('%Y')) :]}"
        if moment.year == 9999 and (form != "%Y-%m-%d"):
            continue  # the year after it can't be written
        found = read_days(text)
        assert found is not None, text
        begin, end = found
        assert begin <= moment < end
        assert end - begin >= timedelta(days=1)


@given(st.text(max_size=12))
def test_whatever_is_typed_is_read_or_refused(text: str) -> None:
    found = read_days(text)
    assert found is None or found[0] < found[1]


@pytest.mark.parametrize(
    ("text", "begin", "days"),
    [
        ("2026", "2026-01-01", 365),
        ("2024-2", "2024-02-01", 29),
        (" 2026-12 ", "2026-12-01", 31),
        ("2026-11-03", "2026-11-03", 1),
    ],
)
def test_how_long_they_are(text: str, begin: str, days: int) -> None:
    found = read_days(text)
    assert found is not None
    assert (found[0].date().isoformat(), (found[1] - found[0]).days) == (begin, days)


@pytest.mark.parametrize("text", ["", "26", "2026-13", "2026-02-30", "0000", "3 Nov", "2026-11-03-1", "9999"])
def test_what_is_no_day(text: str) -> None:
    assert read_days(text) is None


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("5/6", ("2026-06-05", "2026-05-06")),
        ("5/6/2025", ("2025-06-05", "2025-05-06")),
        ("5-6-2025", ("2025-06-05", "2025-05-06")),
        ("25/12", ("2026-12-25",)),
        ("12/25", ("2026-12-25",)),
        ("6/6", ("2026-06-06",)),
        ("5.6.", ("2026-06-05",)),
        ("13.13.2026", ()),
        ("2026-05", ()),
        ("5/6/26", ()),
    ],
)
def test_readings_of_a_day(text: str, readings: tuple[str, ...]) -> None:
    assert day_readings(text, 2026) == readings
    assert all(read_days(day) is not None for day in readings)
