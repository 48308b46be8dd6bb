"""The examples of the rules and the numbers that follow from them."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from games.domination.maps.world import WORLD
from games.domination.rules import battle_odds, battles, cards
from games.domination.rules.cards import SetScale
from games.domination.rules.position import reinforcements
from tests.games.domination.helpers import act, armies, keys, owner, position, step, why
from tests.rows import rows

SHORT = {"I": "infantry", "C": "cavalry", "N": "cannon", "w": "wild"}
SOUTH_AMERICA = "ven per bra arg"
EUROPE = "ice sca ukr gbr neu weu seu"
AUSTRALIA = "ino ngu wau eau"
AFRICA = "naf egy con eaf saf mad"


def value(scale: SetScale, kinds: str, traded: int = 0) -> int:
    return cards.set_value(scale, tuple(SHORT[kind] for kind in kinds), traded)


def test_1_attack() -> None:
    assert battle_odds.losses((5, 5, 4), (6, 4)) == (1, 1)
    assert battle_odds.losses((3, 2, 1), (2, 1)) == (0, 2)
    assert battle_odds.losses((6, 5, 2), (6, 5)) == (2, 0)


@rows(
    "ours, theirs, chances",
    [
        (3, 2, {2: 0.3717, 1: 0.3358, 0: 0.2926}),
        (2, 2, {2: 0.2276, 1: 0.3241, 0: 0.4483}),
        (3, 1, {1: 0.6597, 0: 0.3403}),
        (2, 1, {1: 0.5787, 0: 0.4213}),
        (1, 2, {1: 0.2546, 0: 0.7454}),
        (1, 1, {1: 0.4167, 0: 0.5833}),
        (3, 3, {3: 0.1376, 2: 0.2147, 1: 0.2647, 0: 0.3830}),
    ],
)
def test_2_dice(ours: int, theirs: int, chances: dict[int, float]) -> None:
    found = battle_odds.distribution(ours, theirs)
    assert sum(chance for _, _, chance in found) == 1
    assert {killed: round(float(chance), 4) for _, killed, chance in found} == chances
    assert all(lost + killed == min(ours, theirs) for lost, killed, _ in found)


def test_3_reinforcements() -> None:
    def count(holds: str, minimum: int = 3) -> int:
        return reinforcements(position({1: "", 0: holds}, {"minimum": minimum}).position, 0)

    eleven = "ala nwt alb wus cam gre ont que ven per bra"
    assert count(eleven) == 3
    nineteen = f"{eleven} ice sca ukr gbr naf egy con eaf"
    assert count(nineteen) == 6
    assert count(f"{SOUTH_AMERICA} ala nwt alb wus cam gre ont que") == 4 + 2
    assert count("ala nwt") == 3
    assert count("ala nwt", 0) == 0


def test_4_cards_increasing() -> None:
    assert [cards.increasing_value(n) for n in range(9)] == [4, 6, 8, 10, 12, 15, 20, 25, 30]
    hands = {0: "ala alb wus", 1: "ice weu naf"}
    state = position({0: "", 1: "ice kam"}, None, hands, phase="place", pool=3, traded=6)
    state = act(state, "trade ala alb wus bonus ala")
    assert state.position.pool == 3 + 20
    state = act(state, "place ala 23", "end")
    assert state.position.turn == 1
    assert act(state, "trade ice weu naf bonus ice").position.pool == 3 + 25


@pytest.mark.parametrize(
    ("scale", "worth"),
    [
        ("fixed", "III 4 CCC 6 NNN 8 ICN 10 wII 4 wCC 6 wNN 8 wIC 10 wwI 10 www 12 IIC 0"),
        ("italian", "NNN 4 III 6 CCC 8 ICN 10 wNN 12 wII 12 wCC 12 wIC 0 wwI 0 www 0 IIC 0"),
        ("increasing", "III 4 CCC 4 NNN 4 ICN 4 wNN 4 wIC 4 wwI 4 www 4 IIC 0"),
    ],
)
def test_5_cards_fixed_and_italian(scale: SetScale, worth: str) -> None:
    words = worth.split()
    for kinds, armies_for in zip(words[::2], words[1::2], strict=True):
        assert value(scale, kinds) == int(armies_for), kinds


def test_6_move_in() -> None:
    state = act(position({1: "", 0: "ala 4"}), "attack ala kam until 1", "roll 666 1")
    assert (armies(state, "ala"), armies(state, "kam"), owner(state, "kam")) == (1, 3, 0)
    assert state.position.phase == "attack"
    state = act(position({1: "", 0: "ala 10"}), "attack ala kam dice 2", "roll 66 1")
    assert battles.move_in_range(state.position) == (2, 9)
    assert why(state, "move 1") == why(state, "move 10") == "move"
    state = act(state, "move 2")
    assert (armies(state, "ala"), armies(state, "kam")) == (8, 2)


def test_7_attack_limits() -> None:
    state = position({1: "kam 3", 0: "ala 2 nwt"})
    assert battles.dice_counts(act(state, "attack ala kam until 1").position) == (1, 2)
    assert why(state, "attack nwt alb until 1") == "alone"
    assert why(state, "attack ala kam dice 2") == "dice"


def test_8_forced_trade() -> None:
    hand = {0: "ala alb wus cam gre"}
    state = position({0: "ala", 1: "kam"}, None, hand, phase="place", pool=3)
    assert why(state, "place ala 1") == why(state, "keep") == "must_trade"
    eight = {0: "ala alb wus cam gre ont nwt que"}
    law = {"cards": "italian", "hand": 0}
    assert why(position({0: "ala", 1: "kam"}, law, eight, phase="place", pool=3), "place ala 3") == ""
    scales: tuple[SetScale, ...] = ("increasing", "fixed", "italian")
    numbers = {"I": (0, 2, 3, 12, 13), "C": (4, 5, 6, 10, 16), "N": (1, 7, 8, 9, 11), "w": (42, 43)}
    for kinds in combinations_with_replacement("ICNw", 5):
        if kinds.count("w") <= 2:
            five = tuple(sorted(numbers[kind][kinds[:n].count(kind)] for n, kind in enumerate(kinds)))
            assert all(cards.sets_in_hand(WORLD, scale, five) for scale in scales), kinds
    assert not any(cards.sets_in_hand(WORLD, scale, (0, 2, 4, 5)) for scale in scales)


def test_9_elimination() -> None:
    hands = {0: "ala alb wus", 1: "ice nwt weu que"}
    state = position({2: "", 0: "ala 9", 1: "kam"}, None, hands)
    done = step(act(state, "attack ala kam until 1"), "roll 666 1")
    assert keys(done.facts) == ["roll", "taken", "beaten"]
    state = act(done.state, "move 3")
    assert (state.position.phase, state.position.pool, len(state.own[0].hand)) == ("place", 0, 7)
    assert state.position.info.out == (1,)
    assert why(state, "place kam 1") == why(state, "keep") == "must_trade"
    state = act(state, "trade ala alb wus bonus ala")
    assert (len(state.own[0].hand), state.position.pool) == (4, 4)
    assert why(state, "trade nwt que ice") == "enough_traded"
    assert why(state, "attack kam jap until 1") == "due.place"
    state = act(state, "place kam 4")
    assert state.position.phase == "attack"
    five = {0: "ala alb", 1: "ice nwt weu"}
    state = act(position({2: "", 0: "ala 9", 1: "kam"}, None, five), "attack ala kam until 1", "roll 666 1")
    state = act(state, "move 3")
    assert (state.position.phase, len(state.own[0].hand)) == ("attack", 5)
    state = act(state, "end", "card yak")
    state = act(state, f"place ven {state.position.pool}", "end")
    assert state.position.turn == 0
    assert why(state, "place ala 1") == "must_trade"


def test_10_card_bonus() -> None:
    hand = {0: "ala kam que"}
    scales: tuple[SetScale, ...] = ("increasing", "fixed", "italian")
    for scale in scales:
        state = position({1: "ala", 0: "kam que"}, {"cards": scale}, hand, phase="place", pool=3)
        assert why(state, "trade ala kam que bonus que") == "order"
        assert why(state, "trade ala que kam bonus ala") == why(state, "trade ala que kam") == "bonus"
        for code in ("que", "kam"):
            after = act(state, f"trade ala que kam bonus {code}")
            assert armies(after, code) == 3
            assert after.position.pool == 3 + (4 if scale == "increasing" else 10)
            assert sum(after.position.armies) == sum(state.position.armies) + 2
    law = {"cards": "italian", "bonus": "each"}
    state = position({1: "ala", 0: "kam que"}, law, hand, phase="place", pool=3)
    after = act(state, "trade ala que kam")
    assert (after.position.pool, sum(after.position.armies)) == (3 + 10 + 4, sum(state.position.armies))


def _mission(number: int, of: int = 0) -> list[dict[str, int]]:
    """Missions of three seats: one seat's, and harmless ones for the others."""
    spare = [n for n in (0, 2, 4) if n != number]
    return [{"mission": number if seat == of else spare.pop()} for seat in range(3)]


def test_11_missions_to_beat_a_seat() -> None:
    beat_third, law = 10, {"mode": "mission", "onward": "end"}
    most = "nwt alb wus cam gre ont que eus ven per bra arg ice sca ukr gbr neu weu seu naf egy con eaf"
    state = position({1: "kam 9", 0: f"{most} saf 2", 2: "jap"}, law, own=_mission(beat_third), turn=1)
    state = act(state, "attack kam jap until 1", "roll 666 1", "move 8")
    assert state.position.info.killers == (-1, -1, 1)
    state = act(state, "end", "card ala")
    assert state.position.turn == 0
    state = act(state, f"place saf {state.position.pool}")
    assert state.position.phase == "over", "24 countries count instead, in one's own turn"
    holder = position({1: "kam", 0: "ala", 2: f"{most} saf 5"}, law, own=_mission(beat_third, 2), turn=2)
    over = act(holder, "fortify saf con 1")
    assert over.position.info.outcome is not None
    assert over.position.info.outcome.ranks == (3, 2, 1)
    own = act(
        position({1: "", 0: "kam 9", 2: "jap"}, law, own=_mission(beat_third)),
        "attack kam jap until 1",
        "roll 666 1",
        "move 3",
    )
    assert own.position.phase == "over"


def test_12_missions_with_any_third_continent() -> None:
    law = {"mode": "mission", "onward": "end"}
    own = [{"mission": 1}, {"mission": 0}]
    two = f"{EUROPE} {AUSTRALIA}"
    state = position({1: "", 0: f"{two} naf egy con eaf 9 saf mad 3"}, law, own=own)
    assert act(state, "fortify mad saf 1").position.phase == "over"
    state = position({1: "", 0: f"{two} naf egy con eaf 9 saf"}, law, own=own)
    assert act(state, "fortify eaf egy 1").position.phase != "over"
    state = act(state, "attack eaf mad until 1", "roll 666 1")
    assert state.position.phase == "move"
    assert act(state, "move 3").position.phase == "over"


def test_13_capital() -> None:
    law = {"mode": "capital", "onward": "end"}
    capitals = ["ala", "kam", "bra"]
    state = position({1: "ala", 0: "nwt 6 kam bra", 2: "jap"}, law, capitals=capitals)
    assert state.position.info.left == 41
    state = act(state, "attack nwt alb until 1", "roll 666 1", "move 3")
    assert state.position.phase == "attack", "not without one's own"
    state = act(state, "attack alb ala until 1", "roll 66 1")
    assert state.position.phase == "over"
    assert state.position.info.outcome is not None
    assert state.position.info.outcome.why.key == "domination.outcome.capitals"
    picks = position({0: "", 1: "kam", 2: "jap"}, {"mode": "capital"}, phase="capital")
    chosen = act(picks, "capital ala", "capital kam", "capital jap")
    assert chosen.position.info.left == len(chosen.deck) == 41


def test_14_recycle() -> None:
    names = [card for card in _all_cards() if card not in ("ala", "alb", "wus", "cam")]
    state = position({0: "ala 9", 1: "kam nwt 2"}, {"recycle": False}, {0: "ala alb wus cam"}, discard=names)
    state = act(state, "attack ala kam until 1", "roll 666 1", "move 3")
    assert (state.position.taken, state.deck) == (True, ())
    assert act(state, "end").position.turn == 1, "no card, no error"
    last = [card for card in names if card != "yak"]
    state = position({0: "ala 9", 1: "kam nwt 2"}, {"recycle": True}, {0: "ala alb wus cam"}, discard=last)
    state = act(state, "attack ala kam until 1", "roll 666 1", "move 3", "end", "card yak")
    assert (state.position.info.left, state.position.info.discard) == (len(last), ())


def _all_cards() -> list[str]:
    return [name for name in cards.deck(WORLD).names if name != cards.WILD] + ["*1", "*2"]


def test_15_reinforce() -> None:
    state = position({1: "", 0: "ala 5 nwt gre 3"})
    assert why(state, "fortify ala gre 1") == "fortify.adjacent"
    assert why(state, "fortify ala nwt 5") == why(state, "fortify ala nwt 0") == "stay"
    after = act(state, "fortify ala nwt 4")
    assert after.position.turn == 1, "it ends the turn, and attacks with it"
    assert why(after, "fortify nwt ala 1", 0) == "turn"
    linked = position({1: "", 0: "ala 5 nwt gre 3"}, {"fortify": "connected"})
    assert armies(act(linked, "fortify ala gre 4"), "gre") == 7


def test_17_script() -> None:
    state = act(position({1: "kam 9", 0: "ala 9"}), "attack ala kam until 3")
    for _ in range(3):
        state = act(state, "roll 111 66")
    assert (state.position.phase, armies(state, "ala"), owner(state, "kam")) == ("attack", 3, 1)
    assert state.position.attack is None
