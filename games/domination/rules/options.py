"""The options of a match, and the law that results from them.

The defaults are the printed rules, but for the even start of two: as printed, the first seat mostly wins. The
defender's dice and the limit of a hand follow from the option `cards` unless their own options are set.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from games.domination.maps.playable_maps import BUILT_IN_MAPS, MAP_OPTION, find_map, map_value
from games.domination.rules.cards import SetScale
from games.domination.rules.goals import missions_for
from games.domination.rules.position import RULES_VERSION, Law, Mode, even_start_armies, start_armies
from games.engine.game import Json, Option, Setup
from games.engine.message import Msg, msg

SEATS: Final = (2, 3, 4, 5, 6)
_AS_CARDS: Final = "cards"
"""Follow `cards`: Italian ones give the defence a third die, and a hand no limit."""
_TOO_FEW: Final = {"capital": 3, "mission": 2}
"""Numbers of seats with which computers reach the goal in the first round: in docs/measured.md."""
_HAND: Final = 5
_NO_CAP: Final = 0
"""The printed rules: no scoring before CAP rounds, which no match of people reaches."""
OPTIONS: Final = (
    Option(MAP_OPTION, tuple(BUILT_IN_MAPS), next(iter(BUILT_IN_MAPS)), open=True),
    Option("mode", ("domination", "capital", "mission"), "domination"),
    Option("cards", ("increasing", "fixed", "italian"), "increasing"),
    Option("setup", ("draft", "deal", "auto"), "draft"),
    Option("recycle", (True, False), True),
    Option("defence", (_AS_CARDS, 2, 3), _AS_CARDS),
    Option("hand", (_AS_CARDS, 5, 0), _AS_CARDS),
    Option("minimum", (3, 0), 3),
    Option("italian_bonus", ("once", "each"), "once"),
    Option("fortify", ("adjacent", "connected"), "adjacent"),
    Option("even", (False, True), True, (2,), elsewhere=False),
    Option("neutral", (False, True), False, (2,)),
    Option("cap", (_NO_CAP, 60, 10, 20, 40), _NO_CAP),
    Option("onward", ("ask", "end"), "ask"),
)
_TWO_SEATS: Final = 2
"""The number of seats with which the start can be evened out, and with which there may be a neutral army."""
MAX_ROUNDS: Final = 1000
"""Maximum number of rounds, so that every match ends. The printed rules have no limit."""
_UNCHANGED: Final = ("mode", "cards", "setup", "recycle", "minimum", "fortify", "even", "onward", "neutral")
"""The options that a law takes over as they are."""
_CHOICES: Final[Mapping[str, tuple[str | int, ...]]] = {
    "mode": get_args(Mode),
    "cards": get_args(SetScale),
    "setup": ("draft", "deal", "auto"),
    "bonus": ("once", "each"),
    "fortify": ("adjacent", "connected"),
    "onward": ("ask", "end"),
    "defence": (2, 3),
    "hand": (0, _HAND),
    "minimum": (0, 3),
}
"""What a law can say."""


def admits(option: str, value: Json) -> bool:
    """Return whether an option takes a value outside its choices: a whole map, as `map_value` returns it.

    A map with the key of a built-in one is refused, since it would be taken for that one.
    """
    if option != MAP_OPTION or not isinstance(value, dict):
        return False
    try:
        found = find_map(value)
    except (ValueError, RecursionError):
        return False
    return found.key not in BUILT_IN_MAPS and map_value(found) == value


def choice(option: str, value: Json) -> Msg | None:
    """Return the title of an imported map; None for every other value."""
    if option != MAP_OPTION or not isinstance(value, dict):
        return None
    return msg("domination.option.map.other", title=find_map(value).title)


def law_of(setup: Setup) -> Law:
    """Return the law of a match with a valid setup."""
    chosen: Mapping[str, Any] = setup.options
    italian = chosen["cards"] == "italian"
    defence, hand = chosen["defence"], chosen["hand"]
    return Law(
        atlas=find_map(chosen["map"]),
        seats=setup.seats,
        defence=(3 if italian else 2) if defence == _AS_CARDS else defence,
        hand=(0 if italian else _HAND) if hand == _AS_CARDS else hand,
        bonus="each" if italian and chosen["italian_bonus"] == "each" else "once",
        cap=MAX_ROUNDS if chosen["cap"] == _NO_CAP else chosen["cap"],
        rules=setup.rules,
        **{key: chosen[key] for key in _UNCHANGED},
    )


def clash(setup: Setup) -> Msg | None:
    """Return why a map is too small for the seats or has too few missions; None if it suits them."""
    found = find_map(setup.options["map"])
    seats = setup.seats
    size = len(found.countries)
    if size < seats or start_armies(seats, size) * seats < size:
        return msg("domination.setup.small", seats=seats)
    if setup.options["mode"] == "mission" and len(missions_for(found, seats)) < seats:
        return msg("domination.setup.missions", seats=seats)
    return None


def advice(setup: Setup) -> Msg | None:
    """Suggest more players for goals that few reach at once, and to two players one balance of the start."""
    mode = str(setup.options["mode"])
    if setup.seats <= _TOO_FEW.get(mode, 0):
        return msg(f"domination.advice.{mode}")
    even, neutral = (setup.options[key] is True for key in ("even", "neutral"))
    if setup.seats != _TWO_SEATS or even != neutral:
        return None
    more = even_start_armies(find_map(setup.options["map"]), setup.rules)
    return msg("domination.advice.both") if even else msg("domination.advice.even", n=more)


def dump(law: Law) -> dict[str, Json]:
    """Return a law as JSON without its version of the rules, which matches store; inverse of `load`."""
    found: dict[str, Json] = {**law._asdict(), "atlas": map_value(law.atlas)}
    del found["rules"]
    return found


def load(data: object, rules: int = RULES_VERSION) -> Law:
    """Return a law, by default the usual one for two. Raises ValueError with a reason."""
    if not isinstance(data, dict) or "rules" in data or set(data) - set(Law._fields):
        raise ValueError("law: expected an object with a map, seats and options")
    seats = data.get("seats", 2)
    if type(seats) is not int or seats not in SEATS:
        raise ValueError(f"law: {seats!r} isn't a number of seats")
    usual = Setup(seats, tuple(range(seats)), {option.key: option.usual(seats) for option in OPTIONS}, rules)
    found: dict[str, Any] = {**dump(law_of(usual)), **data, "rules": rules}
    for key, choices in _CHOICES.items():
        if type(found[key]) is not type(choices[0]) or found[key] not in choices:
            raise ValueError(f"law: {found[key]!r} is no choice of {key}")
    if type(found["cap"]) is not int or not 1 <= found["cap"] <= MAX_ROUNDS:
        raise ValueError(f"law: the cap is 1 to {MAX_ROUNDS} rounds")
    if any(type(found[key]) is not bool for key in ("recycle", "even", "neutral")):
        raise ValueError("law: recycle, even and neutral are true or false")
    if found["neutral"] and seats != _TWO_SEATS:
        raise ValueError("law: a neutral army is for two")
    found["atlas"] = find_map(found["atlas"])
    law = Law(**found)
    if law.mode == "mission" and len(missions_for(law.atlas, seats)) < seats:
        raise ValueError("law: the map has too few missions for the seats")
    return law


def max_actions(law: Law) -> int:
    """Return an upper bound for the number of actions of a match, chance included.

    Each army is placed once at most, and each roll and each attack order costs one; to these come the claims,
    one choice for each seat, and in each turn the armies that move in, cards, and its end.
    """
    size, turns = len(law.atlas.countries), law.cap * law.seats
    worth = sum(continent.value for continent in law.atlas.continents)
    sets = turns // 3 + len(law.atlas.cards)
    traded = sum(30 + 5 * n for n in range(sets))
    dealt = start_armies(law.seats, size) * (law.seats + law.neutral) + even_start_armies(
        law.atlas, law.rules
    )
    armies = dealt + size + turns * (size + worth + 3) + traded
    return 4 * armies + 2 * size * law.seats + 4 * law.seats + 4 * turns + sets + 8
