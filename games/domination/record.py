"""A position of Domination as JSON that people can read and tests can write; every wrong one has a reason.

Needed are `law`'s seats if they aren't two, and `countries`: `{"ala": [0, 3], ...}`, who holds each with how
many armies. Countries that are left out are seat 0's with one. The deck is what nobody holds, what wasn't
traded in and shows no capital.
"""

from __future__ import annotations

from typing import Any, Final, cast, get_args

from games.domination import battles, cards, facts, judge, laws
from games.domination.actions import How
from games.domination.atlas import Atlas
from games.domination.position import (
    NEUTRAL,
    NOBODY,
    NONE,
    RULES,
    UNKNOWN,
    Law,
    Order,
    Own,
    Phase,
    Position,
    State,
    Table,
)
from games.engine.game import Json, Outcome

_PARTS: Final = (
    *("law", "mode", "countries", "phase", "turn", "round", "pool", "order", "taken", "step", "traded"),
    *("discard", "out", "killers", "capitals", "ready", "victor", "own", "outcome"),
)
_MOST: Final = 10**6
_NEUTRAL: Final = "neutral"
"""Who holds a country of the neutral army."""
_EMPTY: Final = ("deal", "claim", "over")
_REASONS: Final = ("all", "last", "capitals", "mission", "points", "draw")


def card_names(atlas: Atlas) -> tuple[str, ...]:
    """How cards are written here, where wild ones have numbers too."""
    wild = 0
    found = []
    for name in cards.deck(atlas).names:
        wild += name == cards.WILD
        found.append(f"{cards.WILD}{wild}" if name == cards.WILD else name)
    return tuple(found)


def dump(state: State) -> Json:
    """The position with everything that its future depends on; `load` gives it back."""
    place, table = state.position, state.position.table
    atlas = table.law.atlas
    codes, names = [country.code for country in atlas.countries], card_names(atlas)
    outcome = table.outcome
    countries: dict[str, Json] = {
        code: [None if by == NOBODY else _NEUTRAL if by == NEUTRAL else by, n]
        for code, by, n in zip(codes, place.owner, place.armies, strict=True)
    }
    own: list[Json] = [
        {
            "hand": [names[card] for card in each.hand],
            "mission": each.mission,
            "wishes": [codes[at] for at in each.wishes],
            "pool": each.pool,
            "spread": {code: n for code, n in zip(codes, each.spread, strict=False) if n},
            "pick": _code(codes, each.pick),
        }
        for each in state.own
    ]
    order = place.order
    return {
        "law": laws.dump(table.law),
        "mode": table.mode,
        "countries": countries,
        "phase": place.phase,
        "turn": place.turn,
        "round": table.round,
        "pool": place.pool,
        "order": None if order is None else [codes[order.src], codes[order.dst], *order[2:]],
        "taken": place.taken,
        "step": place.step,
        "traded": table.traded,
        "discard": [names[card] for card in table.discard],
        "out": list(table.out),
        "killers": list(table.killers),
        "capitals": [_code(codes, at) for at in table.capitals],
        "ready": list(table.ready),
        "victor": table.victor,
        "own": own,
        "outcome": None if outcome is None else [list(outcome.ranks), outcome.why.key.rpartition(".")[2]],
    }


def _code(codes: list[str], at: int) -> Json:
    return None if at == NONE else codes[at]


def load(data: Json, rules: int = RULES) -> State:
    """Build the position. Raises ValueError with a reason for anything that is none."""
    if not isinstance(data, dict):
        raise ValueError("a position is an object")
    if unknown := sorted(set(data).difference(_PARTS)):
        raise ValueError(f"{unknown[0]}: no part of a position")
    law = laws.load(data.get("law", {}), rules)
    seats, atlas = law.seats, law.atlas
    phase = data.get("phase", "attack")
    if phase not in get_args(Phase):
        raise ValueError(f"phase: {phase!r} is none")
    owner, armies = _countries(data.get("countries"), law, str(phase))
    own = _own(data.get("own", [{}] * seats), law, str(phase))
    discard = _cards(data.get("discard", []), atlas, "discard")
    capitals = tuple(_country(code, atlas, "capitals") for code in _row(data, "capitals", [None] * seats))
    if len({at for at in capitals if at != NONE}) < seats - capitals.count(NONE):
        raise ValueError("capitals: two seats can't have the same one")
    gone = [card for card, each in enumerate(atlas.cards) if each.country in capitals and each.country >= 0]
    held = [card for each in own for card in each.hand]
    used = [*held, *discard, *gone]
    if len(set(used)) < len(used):
        raise ValueError("own: a card is there twice")
    deck = tuple(card for card in range(len(atlas.cards)) if card not in set(used))
    mode = data.get("mode", law.mode)
    if mode not in (law.mode, "domination"):
        raise ValueError(f"mode: {mode!r} isn't what is played for")
    out = tuple(_number(seat, "out", 0, seats - 1) for seat in _list(data.get("out", []), "out"))
    if len(set(out)) < len(out):
        raise ValueError("out: a seat is there twice")
    killers = tuple(_number(n, "killers", NONE, seats - 1) for n in _row(data, "killers", [NONE] * seats))
    table = Table(
        law=law,
        mode=cast("Any", mode),
        round=_number(data.get("round", 1), "round", 0, law.cap + 1),
        traded=_number(data.get("traded", 0), "traded", 0, _MOST),
        cards=tuple(len(each.hand) for each in own),
        left=len(deck),
        discard=discard,
        out=out,
        killers=killers,
        capitals=capitals,
        ready=tuple(_flag(each, "ready") for each in _row(data, "ready", [False] * seats)),
        victor=_number(data.get("victor", NONE), "victor", NONE, seats - 1),
        outcome=_outcome(data.get("outcome"), seats),
    )
    place = Position(
        table,
        owner,
        armies,
        cast("Phase", phase),
        _number(data.get("turn", 0), "turn", 0, seats - 1),
        _number(data.get("pool", 0), "pool", 0, _MOST),
        _order(data.get("order"), atlas),
        _flag(data.get("taken", False), "taken"),
        _number(data.get("step", 0), "step", 0, 5),
    )
    return _checked(State(place, own, deck))


def _checked(state: State) -> State:
    """Refuse what contradicts itself."""
    place, table = state.position, state.position.table
    if (place.phase == "over") != (table.outcome is not None):
        raise ValueError("outcome: it is there exactly when the match is over")
    if (place.phase in ("roll", "move")) != (place.order is not None):
        raise ValueError("order: there is one exactly while an attack is carried out")
    if place.order is not None:
        _attacking(place, place.order)
    if place.phase == "over":
        return state
    living = place.living()
    if not living:
        raise ValueError("out: nobody plays")
    turns = place.phase in ("place", "attack", "roll", "move", "card", "vote")
    if turns and (place.turn not in living or place.turn not in place.owner):
        raise ValueError("turn: that seat plays no more")
    if place.phase in judge.TOGETHER and not judge.to_act(place):
        raise ValueError("ready: somebody has to decide")
    if place.phase == "card" and not state.deck:
        raise ValueError("phase: there is no card to draw")
    if place.phase == "vote" and (table.victor != place.turn or table.mode == "domination" or place.step < 3):
        raise ValueError("victor: there is one to be asked about, and where to go on")
    if place.phase != "vote" and place.step > 2:
        raise ValueError("step: 0 to 2")
    if place.phase in ("claim", "setup", "capital"):
        for seat in judge.to_act(place):
            if not judge.legal(judge.view(state, seat), seat):
                raise ValueError(f"own: seat {seat} has nothing to decide")
    return state


def _attacking(place: Position, order: Order) -> None:
    owner, armies = place.owner, place.armies
    if order.dst not in place.table.law.atlas.borders[order.src] or owner[order.src] != place.turn:
        raise ValueError("order: that isn't how countries lie")
    if place.phase == "roll" and (armies[order.src] < 2 or owner[order.dst] == place.turn):
        raise ValueError("order: there is nothing to attack with")
    if place.phase == "move":
        low, high = battles.room(place)
        if owner[order.dst] != place.turn or armies[order.dst] or not 1 <= low <= min(3, high):
            raise ValueError("order: no armies are to move in")


def _countries(data: object, law: Law, phase: str) -> tuple[bytes, tuple[int, ...]]:
    atlas = law.atlas
    if not isinstance(data, dict) or set(data) - set(atlas.index):
        raise ValueError("countries: an object of the map's countries is needed")
    owner, armies = bytearray(len(atlas.countries)), [1] * len(atlas.countries)
    bare = 0
    for code, value in data.items():
        if not isinstance(value, list) or len(value) != 2:
            raise ValueError(f"countries: {code}: a seat and a number of armies are needed")
        by, at = value[0], atlas.index[code]
        if by == _NEUTRAL and law.neutral:
            owner[at] = NEUTRAL
        else:
            owner[at] = NOBODY if by is None else _number(by, "countries", 0, law.seats - 1)
        armies[at] = _number(value[1], "countries", 0, _MOST)
        if by is None and (armies[at] or phase not in _EMPTY):
            raise ValueError(f"countries: {code} belongs to nobody")
        bare += by is not None and not armies[at]
    if bare > (phase == "move"):
        raise ValueError("countries: there is an army on each that is held")
    return bytes(owner), tuple(armies)


def _own(data: object, law: Law, phase: str) -> tuple[Own, ...]:
    rows = _list(data, "own")
    if len(rows) != law.seats:
        raise ValueError("own: one for each seat is needed")
    return tuple(_secrets(row, law, phase) for row in rows)


def _secrets(data: object, law: Law, phase: str) -> Own:
    if not isinstance(data, dict) or set(data) - set(Own._fields):
        raise ValueError("own: an object of hand, mission, wishes, pool, spread and pick is needed")
    atlas = law.atlas
    hand = _cards(data.get("hand", []), atlas, "hand")
    mission = _number(data.get("mission", NONE), "mission", NONE, len(atlas.missions) - 1)
    if law.mode != "mission" and mission != NONE:
        raise ValueError("mission: there is none in this mode")
    wishes = tuple(_country(code, atlas, "wishes") for code in _list(data.get("wishes", []), "wishes"))
    if NONE in wishes or len(set(wishes)) < len(wishes) or (wishes and phase != "claim"):
        raise ValueError("wishes: countries, each once, while they are claimed")
    placed = data.get("spread", {})
    if not isinstance(placed, dict) or set(placed) - set(atlas.index) or (placed and phase != "setup"):
        raise ValueError("spread: armies by country, before the first turn")
    spread = [0] * len(atlas.countries) if phase == "setup" else []
    for code, n in placed.items():
        spread[atlas.index[code]] = _number(n, "spread", 1, _MOST)
    pool = _number(data.get("pool", 0), "pool", 0, _MOST)
    pick = _country(data.get("pick"), atlas, "pick")
    return UNKNOWN._replace(
        hand=hand, mission=mission, wishes=wishes, pool=pool, spread=tuple(spread), pick=pick
    )


def _order(data: object, atlas: Atlas) -> Order | None:
    if data is None:
        return None
    row = _list(data, "order")
    if len(row) != len(Order._fields) or row[2] not in get_args(How) or not row[2]:
        raise ValueError("order: two countries, how, and numbers are needed")
    src, dst = _country(row[0], atlas, "order"), _country(row[1], atlas, "order")
    numbers = [_number(n, "order", 0, _MOST) for n in row[3:]]
    if NONE in (src, dst) or src == dst or not numbers[0]:
        raise ValueError("order: two countries and a number are needed")
    return Order(src, dst, str(row[2]), *numbers)


def _cards(data: object, atlas: Atlas, name: str) -> tuple[int, ...]:
    names = card_names(atlas)
    row = _list(data, name)
    if any(card not in names for card in row):
        raise ValueError(f"{name}: cards are needed")
    found = sorted(names.index(cast("str", card)) for card in row)
    if len(set(found)) < len(found):
        raise ValueError(f"{name}: a card is there twice")
    return tuple(found)


def _country(value: object, atlas: Atlas, name: str) -> int:
    if value is None:
        return NONE
    if not isinstance(value, str) or value not in atlas.index:
        raise ValueError(f"{name}: {value!r} is no country")
    return atlas.index[value]


def _number(value: object, name: str, least: int, most: int) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{name}: {value!r} is no number from {least} to {most}")
    return value


def _flag(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{name}: {value!r} is neither true nor false")
    return value


def _list(value: object, name: str) -> list[object]:
    if not isinstance(value, list):
        raise ValueError(f"{name}: a list is needed")
    return value


def _row(data: dict[str, Json], name: str, default: list[Json]) -> list[object]:
    row = _list(data.get(name, default), name)
    if len(row) != len(default):
        raise ValueError(f"{name}: one for each seat is needed")
    return row


def _outcome(value: object, seats: int) -> Outcome | None:
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and value[1] in _REASONS:
        row = _list(value[0], "outcome")
        if len(row) == seats:
            ranks = tuple(_number(n, "outcome", 1, seats) for n in row)
            return Outcome(
                ranks, facts.ending(str(value[1]), [n for n, rank in enumerate(ranks) if rank == 1])
            )
    raise ValueError("outcome: ranks and a reason are needed")
