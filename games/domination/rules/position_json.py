"""Positions of Domination as JSON that people can read and tests can write, with a reason for each error.

Required are `law`'s seats if they aren't two, and `countries`: `{"ala": [0, 3], ...}`, the holder and armies
of each. Missing countries are seat 0's with one army. The deck is all cards that no seat holds, that weren't
traded in and that show no capital.
"""

from __future__ import annotations

from typing import Final, get_args

from games.domination.maps.atlas import Atlas
from games.domination.rules import battles, cards, facts, judge, options
from games.domination.rules.actions import StopRule
from games.domination.rules.position import (
    NEUTRAL,
    NOBODY,
    NONE,
    RULES_VERSION,
    UNKNOWN,
    Law,
    MatchInfo,
    Mode,
    OngoingAttack,
    Phase,
    Position,
    Secrets,
    State,
)
from games.engine import fields
from games.engine.fields import Fields, Json, Reader
from games.engine.game import Outcome

_PARTS: Final = (
    *("law", "mode", "countries", "phase", "turn", "round", "pool", "order", "taken", "step", "traded"),
    *("discard", "out", "killers", "capitals", "ready", "victor", "own", "outcome"),
)
_ARMIES: Final = fields.whole(10**6)
_NEUTRAL: Final = "neutral"
"""The holder of a country of the neutral army, as written."""
_TURNS: Final = ("place", "attack", "roll", "move", "card", "vote")
_EMPTY: Final = ("deal", "claim", "over")
_REASONS: Final = ("all", "last", "capitals", "mission", "points", "draw")
_PHASES: Final[tuple[Phase, ...]] = get_args(Phase)
_LATER: Final[Mode] = "domination"
"""The mode after a mission or all capitals have won."""
_STOP_RULES: Final = tuple(how for how in get_args(StopRule) if how)


def card_names(atlas: Atlas) -> tuple[str, ...]:
    """Return the names of the cards in records, where wild ones have numbers too."""
    wild = 0
    found = []
    for name in cards.deck(atlas).names:
        wild += name == cards.WILD
        found.append(f"{cards.WILD}{wild}" if name == cards.WILD else name)
    return tuple(found)


def dump(state: State) -> Json:
    """Return the whole state; the inverse of `load`."""
    position, info = state.position, state.position.info
    atlas = info.law.atlas
    codes, names = [country.code for country in atlas.countries], card_names(atlas)
    outcome = info.outcome
    countries: dict[str, Json] = {
        code: [None if by == NOBODY else _NEUTRAL if by == NEUTRAL else by, n]
        for code, by, n in zip(codes, position.owner, position.armies, strict=True)
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
    attack = position.attack
    return {
        "law": options.dump(info.law),
        "mode": info.mode,
        "countries": countries,
        "phase": position.phase,
        "turn": position.turn,
        "round": info.round,
        "pool": position.pool,
        "order": None if attack is None else [codes[attack.src], codes[attack.dst], *attack[2:]],
        "taken": position.taken,
        "step": position.step,
        "traded": info.traded,
        "discard": [names[card] for card in info.discard],
        "out": list(info.out),
        "killers": list(info.killers),
        "capitals": [_code(codes, at) for at in info.capitals],
        "ready": list(info.ready),
        "victor": info.victor,
        "own": own,
        "outcome": None if outcome is None else [list(outcome.ranks), outcome.why.key.rpartition(".")[2]],
    }


def _code(codes: list[str], at: int) -> Json:
    return None if at == NONE else codes[at]


def load(data: Json, rules: int = RULES_VERSION) -> State:
    """Return the state. Raises ValueError with a reason if it is invalid."""
    part = Fields(data, _PARTS)
    law = part("law", lambda value, _: options.load(value, rules), options.load({}, rules))
    seats, atlas = law.seats, law.atlas
    seat, country, hand = fields.whole(seats - 1), fields.lookup(atlas.index, "country"), _cards(atlas)
    phase: Phase = part("phase", fields.one_of(_PHASES), "attack")
    owner, armies = _countries(part("countries", fields.dict_of(atlas.index, _holding(law))), law, phase)
    own = part("own", fields.list_of(_own(law, phase), seats, seats), (UNKNOWN,) * seats)
    discard = part("discard", hand, ())
    chosen = part("capitals", fields.list_of(fields.optional(country), seats, seats), (None,) * seats)
    capitals = tuple(NONE if at is None else at for at in chosen)
    if len({at for at in capitals if at != NONE}) < seats - capitals.count(NONE):
        raise ValueError("capitals: two seats can't have the same one")
    gone = [card for card, each in enumerate(atlas.cards) if each.country in capitals and each.country >= 0]
    held = [card for each in own for card in each.hand]
    used = [*held, *discard, *gone]
    if len(set(used)) < len(used):
        raise ValueError("own: a card is listed twice")
    deck = tuple(card for card in range(len(atlas.cards)) if card not in set(used))
    ended = part(
        "outcome",
        fields.optional(fields.tuple_of(fields.ranks_of(range(seats)), fields.one_of(_REASONS))),
        None,
    )
    attack = part("order", fields.optional(_order(atlas)), None)
    public = MatchInfo(
        law=law,
        mode=part("mode", fields.one_of((law.mode, _LATER)), law.mode),
        round=part("round", fields.whole(law.cap + 1), 1),
        traded=part("traded", _ARMIES, 0),
        cards=tuple(len(each.hand) for each in own),
        left=len(deck),
        discard=discard,
        out=part("out", fields.distinct(seat), ()),
        killers=part(
            "killers", fields.list_of(fields.whole(seats - 1, least=NONE), seats, seats), (NONE,) * seats
        ),
        capitals=capitals,
        ready=part("ready", fields.list_of(fields.flag, seats, seats), (False,) * seats),
        victor=part("victor", fields.whole(seats - 1, least=NONE), NONE),
        outcome=None if ended is None else _outcome(*ended),
    )
    position = Position(
        public,
        owner,
        armies,
        phase,
        part("turn", seat, 0),
        part("pool", _ARMIES, 0),
        attack,
        part("taken", fields.flag, False),
        part("step", fields.whole(5), 0),
    )
    return _checked(State(position, own, deck))


def _checked(state: State) -> State:
    """Return the state. Raises ValueError if it contradicts itself."""
    position, info = state.position, state.position.info
    phase, living, turn = position.phase, position.living(), position.turn
    if position.attack is not None and phase in ("roll", "move"):
        _attacking(position, position.attack)
    on_turn = turn in living and turn in position.owner
    voted = info.victor == turn and info.mode != "domination" and position.step > 2
    for contradicted, reason in (
        ((phase == "over") != (info.outcome is not None), "outcome: expected exactly when the match is over"),
        (
            (phase in ("roll", "move")) != (position.attack is not None),
            "order: expected exactly while an attack is carried out",
        ),
        (phase != "over" and not living, "out: nobody plays"),
        (phase in _TURNS and not on_turn, "turn: that seat no longer plays"),
        (
            phase in judge.SIMULTANEOUS_PHASES and not judge.to_act(position),
            "ready: at least one seat has to decide",
        ),
        (phase == "card" and not state.deck, "phase: there is no card to draw"),
        (phase == "vote" and not voted, "victor: a vote needs a victor whose turn it is, and a step from 3"),
        (phase not in ("vote", "over") and position.step > 2, "step: 0 to 2"),
    ):
        if contradicted:
            raise ValueError(reason)
    if phase in ("claim", "setup", "capital"):
        for seat in judge.to_act(position):
            if not judge.legal(judge.view(state, seat), seat):
                raise ValueError(f"own: seat {seat} has nothing to decide")
    return state


def _attacking(position: Position, attack: OngoingAttack) -> None:
    owner, armies = position.owner, position.armies
    if attack.dst not in position.info.law.atlas.borders[attack.src] or owner[attack.src] != position.turn:
        raise ValueError("order: the attacker has no border there or isn't on turn")
    if position.phase == "roll" and (armies[attack.src] < 2 or owner[attack.dst] == position.turn):
        raise ValueError("order: there is nothing to attack with")
    if position.phase == "move":
        low, high = battles.move_in_range(position)
        if owner[attack.dst] != position.turn or armies[attack.dst] or not 1 <= low <= min(3, high):
            raise ValueError("order: there are no armies to move in")


def _holding(law: Law) -> Reader[tuple[int, int]]:
    """Return the reader of a country's holder and armies."""
    seat = fields.one_of((None, *range(law.seats), *([_NEUTRAL] if law.neutral else [])))
    held = fields.tuple_of(seat, _ARMIES)

    def read(value: object, path: str) -> tuple[int, int]:
        by, armies = held(value, path)
        return {None: NOBODY, _NEUTRAL: NEUTRAL}.get(by, by), armies

    return read


def _countries(holdings: dict[str, tuple[int, int]], law: Law, phase: Phase) -> tuple[bytes, tuple[int, ...]]:
    index = law.atlas.index
    owner, armies = bytearray(len(index)), [1] * len(index)
    bare = 0
    for code, (by, n) in holdings.items():
        owner[index[code]], armies[index[code]] = by, n
        if by == NOBODY and (n or phase not in _EMPTY):
            fields.wrong(f"countries.{code}", "belongs to nobody")
        bare += by != NOBODY and not n
    if bare > (phase == "move"):
        raise ValueError("countries: every held country needs an army")
    return bytes(owner), tuple(armies)


def _own(law: Law, phase: Phase) -> Reader[Secrets]:
    """Return the reader of a seat's secrets."""
    atlas = law.atlas
    country, hand = fields.lookup(atlas.index, "country"), _cards(atlas)
    missions = len(atlas.missions) if law.mode == "mission" else 0
    placed = fields.dict_of(atlas.index if phase == "setup" else (), fields.whole(10**6, least=1))

    def read(value: object, path: str) -> Secrets:
        part = Fields(value, Secrets._fields, path)
        spread = [0] * len(atlas.countries) if phase == "setup" else []
        for code, n in part("spread", placed, {}).items():
            spread[atlas.index[code]] = n
        pick = part("pick", fields.optional(country), None)
        return Secrets(
            hand=part("hand", hand, ()),
            mission=part("mission", fields.whole(missions - 1, least=NONE), NONE),
            wishes=part("wishes", fields.distinct(country, 0, None if phase == "claim" else 0), ()),
            pool=part("pool", _ARMIES, 0),
            spread=tuple(spread),
            pick=NONE if pick is None else pick,
        )

    return read


def _order(atlas: Atlas) -> Reader[OngoingAttack]:
    country = fields.lookup(atlas.index, "country")
    whole_row = fields.tuple_of(
        country, country, fields.one_of(_STOP_RULES), fields.whole(10**6, least=1), *[_ARMIES] * 4
    )

    def read(value: object, path: str) -> OngoingAttack:
        attack = OngoingAttack(*whole_row(value, path))
        return attack if attack.src != attack.dst else fields.wrong(path, "the countries are the same")

    return read


def _cards(atlas: Atlas) -> Reader[tuple[int, ...]]:
    numbers = {name: card for card, name in enumerate(card_names(atlas))}
    listed = fields.distinct(fields.lookup(numbers, "card"))
    return lambda value, path: tuple(sorted(listed(value, path)))


def _outcome(ranks: tuple[int, ...], reason: str) -> Outcome:
    return Outcome(ranks, facts.ending(reason, [seat for seat, rank in enumerate(ranks) if rank == 1]))
