"""Which computer suits a person, by their rating and by their friendly matches."""

from __future__ import annotations

from dataclasses import replace

from matches.standing.computer_ratings import chances, computer_ratings, likely_strength, suggested
from matches.standing.weng_lin import START, updated
from matches.store.rows import Conditions, MatchRow, Provenance, SeatRow
from matches.store.standing_rows import Rating
from tests.matches.standing.logs import row

LEVELS = ("beginner", "easy", "average", "hard", "perfect")
GAME = ("two_domains", "2")


def met(level: str, *, won: bool) -> MatchRow:
    """A friendly match of person 1 against a computer."""
    seats = (SeatRow(0, "computer", level=level), SeatRow(1, "person", 1, "P1"))
    ranks = (2, 1) if won else (1, 2)
    made = row(None, 1, ranks=ranks, rated=False)
    return replace(made, game="two_domains", seats=seats, options={})


def after(*matches: MatchRow, rating: Rating | None = None) -> Rating:
    """What they say about person 1."""
    return likely_strength(*GAME, 1, rating, matches)


def level(likely: Rating) -> str | None:
    """The level that suits."""
    return suggested(*GAME, likely, LEVELS)


def test_nothing_is_known_of_someone_who_has_finished_nothing() -> None:
    assert after() == START
    assert after(rating=Rating(1_720_000, 80_000, 30)) == Rating(1_720_000, 80_000, 30)


def test_a_friendly_match_counts_like_a_rated_one_would() -> None:
    easy = computer_ratings(*GAME)["easy"]
    assert after(met("easy", won=True)) == updated([[START], [easy]], (1, 2))[0][0]


def test_who_wins_is_led_up_level_by_level_and_who_loses_down() -> None:
    assert level(START) == "easy"
    likely, climbed = START, []
    for _ in range(40):
        climbed.append(now := level(likely) or "")
        likely = likely_strength(*GAME, 1, likely, [met(now, won=True)])
    assert list(dict.fromkeys(climbed)) == ["easy", "average", "hard", "perfect"]
    assert level(after(*[met("easy", won=False)] * 4)) == "beginner"


def test_a_rating_suggests_the_level_nearest_to_it() -> None:
    for name, strength in computer_ratings(*GAME).items():
        if name in LEVELS:
            assert level(Rating(strength.mu + 20_000, 60_000, 20)) == name
            assert abs(chances(*GAME, Rating(strength.mu, 60_000))[name] - 0.5) < 0.01


def test_matches_that_say_nothing_about_a_level_are_left_out() -> None:
    one = met("easy", won=True)
    for other in (
        replace(one, conditions=Conditions(rated=True)),  # its rating has it already
        replace(one, provenance=Provenance("study")),
        replace(one, game="focus"),
        replace(one, result=None),
        met("unheard", won=True),
        row(1, 2, ranks=(1, 2), game="two_domains", options={}, rated=False),
    ):
        assert after(other) == START


def test_nothing_is_suggested_where_nothing_was_measured() -> None:
    assert suggested("toy", "2", START, ("random",)) is None
    assert chances("toy", "2", START) == {}
