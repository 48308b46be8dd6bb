"""What sets two moves apart is chosen by weight, once for each topic, and never if both have as much."""

from __future__ import annotations

from games.engine.message import msg
from games.engine.reasons import Effect, compare


def effect(kind: str, amount: float, weight: float, topic: str = "", beside: str = "") -> Effect:
    return Effect(kind, amount, weight, msg(f"x.{kind}"), topic=topic, beside=beside)


def kinds(better: list[Effect], other: list[Effect]) -> list[tuple[str, bool]]:
    return [(each.kind, each.good) for each in compare(better, other)]


def test_the_two_weightiest_differences_are_told_the_weightiest_first() -> None:
    better = [effect("a", 3, 1), effect("b", 2, 1), effect("c", 1, 1)]
    assert kinds(better, []) == [("a", True), ("b", True)]
    assert kinds(better, [effect("a", 2, 1)]) == [("b", True), ("a", True)]
    assert kinds(better, [effect("d", 5, -1)]) == [("d", False), ("a", True)]


def test_what_both_have_and_what_speaks_against_the_better_move_is_silent() -> None:
    assert kinds([effect("a", 2, 1)], [effect("a", 2, 1)]) == []
    assert kinds([effect("a", 1, 1)], [effect("a", 2, 1)]) == []
    assert kinds([effect("a", 2, -1)], [effect("a", 1, -1)]) == []
    assert kinds([effect("a", 1, 0.1)], []) == [], "too faint"


def test_what_is_slight_beside_a_large_loss_is_no_reason() -> None:
    better = [effect("a", 1, 2), effect("b", 1, 0.7)]
    assert [each.kind for each in compare(better, [], 0.2)] == ["a", "b"]
    assert [each.kind for each in compare(better, [], 0.4)] == ["a"]
    assert compare(better, [], 1.0) == ()


def test_one_topic_is_told_once() -> None:
    better, other = [effect("odds", 90, 0.1, topic="odds")], [effect("fails", 70, -0.1, topic="odds")]
    assert kinds(better, other) == [("odds", True)]


def test_a_threat_is_no_reason_beside_a_move_that_takes_as_much_at_once() -> None:
    threat = [effect("threatens", 2, 1, beside="takes")]
    assert kinds(threat, []) == [("threatens", True)]
    assert kinds(threat, [effect("takes", 1, 1)]) == [("threatens", True)]
    assert kinds(threat, [effect("takes", 2, 1)]) == []
