"""Draws the pictures of the documents with the program's own renderer; the same pictures every time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

from PIL import Image

import render
from cli.words import sayer
from games.domination.maps import map_file, playable_maps
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Json, Seat, Setup
from games.engine.scene import Mark, Scene
from render.kinds import layout

HERE = Path(__file__).parent
SETUPS: dict[str, tuple[int, dict[str, bool]]] = {
    "2": (2, {}),
    "3": (3, {}),
    "4": (4, {}),
    "partners": (4, {"partners": True}),
}


def _pieces(red: str, black: str) -> Json:
    return {"pieces": {"R": list(red.split()), "B": list(black.split())}, "turn": "R"}


_PILES = (
    "c1 GBRG c2 G e2 RGBGR a3 GB d3 B g3 RGRG c4 GGB f4 G d5 BRYBY h5 YRG b6 BYB f6 YRGYR g6 R h6 Y e7 R "
    "g7 RY d8 BY e8 RBY f8 Y"
)
_HERO: Json = {
    "seats": 4,
    "piles": dict(zip(_PILES.split()[::2], _PILES.split()[1::2], strict=True)),
    "reserve": {"Y": 2},
    "captured": {"Y": {"B": 1}, "R": {"B": 1}},
    "turn": "Y",
}
POSITIONS: dict[str, tuple[str, Json, tuple[str, ...], str]] = {
    "dominance-start": ("dominance", None, (), ""),
    "dominance-guards": ("dominance", _pieces("c3 c4 f3", "d6 e6 b2 b1"), (), "guards"),
    "dominance-attack": ("dominance", _pieces("e4 b2", "c3 c4"), ("e4-d4",), ""),
    "dominance-trade": ("dominance", _pieces("d5 b2", "c3 c4 d3 e3"), ("d5-d4",), ""),
    "dominance-lock": ("dominance", _pieces("a1 a4 f4", "d1"), ("+g1",), ""),
    "two-domains-start": ("two_domains", {"red": "22222", "blue": "22222", "turn": "red"}, (), ""),
    "two-domains-battle": (
        "two_domains",
        {"red": "12436", "blue": "13562", "turn": "red"},
        ("battle", "roll 4"),
        "",
    ),
    "two-domains-endurance": ("two_domains", {"red": "14356", "blue": "25", "turn": "red"}, ("battle",), ""),
    "focus-hero": ("focus", _HERO, ("d5-h5",), ""),
}
"""Name of a picture: game, position (None: the start), what is played on it, and the overlay shown."""


class Part(NamedTuple):
    """A part of Dominion's board: its corners, the pieces of north and south, the free Peasants."""

    corners: tuple[str, str]
    north: str
    south: str
    free: str = ""
    turn: int = 1
    phase: str = "move"
    wires: tuple[str, ...] = ()
    """What is played."""
    aim: str = ""
    """The square of the piece whose targets are shown; `*` for everything that may be done."""
    pending: tuple[int, ...] = ()


PARTS: dict[str, Part] = {
    "emperor": Part(("e5", "i9"), "Sh8", "Eg7 Sg6 Rf6", "f7", aim="g7"),
    "prince": Part(("d4", "j10"), "Sg9 Ri5", "Pg7 Se5 Sf7", "i9", aim="g7"),
    "general": Part(("d4", "j10"), "Sg9", "Gg7 Se7", "i7", aim="g7"),
    "admiral": Part(("d4", "j10"), "Si9", "Ag7 Se5", "e9", aim="g7"),
    "warrior": Part(("e5", "i9"), "Sh7 Gi8 Sg6", "Wg7 Sg8 Sf7 Se6", "h8", aim="g7"),
    "assassin": Part(("d4", "j10"), "Sf7 Gf9 Sj5", "Xf5 Se8", "i5", aim="f5"),
    "sergeant": Part(("e5", "i9"), "Sh8 Sf7", "Rg7 Sg8", "i7", aim="g7"),
    "soldier": Part(("d1", "j5"), "Se4 Sf4", "Sf3 Gg2 Si2", aim="f3"),
    "peasant": Part(("e5", "i9"), "Sg8", "pg7", aim="g7"),
    "straddle": Part(("c3", "h8"), "", "Sd5 Sf6", "e5 g7", wires=("f6-f5",)),
    "contest": Part(("e5", "i9"), "Sg6 Gg9", "Sf6 Sh8", "g7", turn=0, wires=("g9-g8",)),
    "arming": Part(("d1", "j5"), "", "Se2 Pg2 ph4", wires=("h4-h3",)),
    "surround": Part(("e5", "i9"), "Rg7 Si7", "Sf6 Gg6 Sh6 Rf7 Sh7 Sf8 Pg8 Sh9", wires=("h9-h8",)),
    "control": Part(("d9", "j13"), "Eg13 Se12 Sj11", "Gg12 Xi10 Sf9", wires=("i10-i12",)),
    "fate": Part(("d1", "j5"), "", "Eg1 Pg2 Gf2 Se2 Si2 Rf3 Rh3 Sg3 Se4 Si4", phase="promote_lower", aim="*"),
    "succession": Part(
        ("d1", "j7"), "Gg1 Sf6", "Pg4 Se2 Si2 Sf3 Rh3", "i6", phase="heir", aim="*", pending=(1,)
    ),
}
"""What the rules of Dominion describe, by name."""
_CORNERS = ("a13", "m1")
"""Where the Emperors stand that no part mentions."""


def _pond() -> Json:
    """The map that the page on maps gives as its example, as a match carries it."""
    page = (HERE.parent / "maps.md").read_text("utf-8")
    blocks = re.findall(r"```(map|cards)\n(.*?)```", page, flags=re.DOTALL)
    found = map_file.parse(
        {f"pond.{kind}": block for kind, block in blocks},
        {"pond.png": (180, 120), "pond_mask.gif": (180, 120)},
    )
    if isinstance(found, tuple):
        raise TypeError("the example of the page on maps has errors")
    return playable_maps.map_value(found.atlas)


class War(NamedTuple):
    """A position of Domination: who holds which countries, as in `ala 3 kam`; one army where no number is."""

    holds: tuple[str, ...]
    law: dict[str, Json]
    more: dict[str, Json]
    """Other parts of the position, as its record writes them."""
    hands: tuple[str, ...] = ()
    wires: tuple[tuple[int, str], ...] = ()
    """What is played, by which seat."""
    viewer: int | None = None
    near: str = ""
    """The countries that are looked at; none for all of them, with the seats below."""


MAPS: dict[str, tuple[int, dict[str, Json]]] = {
    "start": (6, {"setup": "auto"}),
    "islands": (3, {"setup": "auto", "map": "islands"}),
    "pond": (2, {"setup": "auto", "map": _pond()}),
}
"""Starts of Domination by chance: name, seats, options."""
_HALVES: Final = (
    "ala nwt alb wus cam ont que eus gre ven per bra arg ice gbr weu naf egy con saf eaf",
    "sca neu seu ukr mea afg ura sib yak irk kam mon jap chn ind sia ino ngu wau eau mad",
)
_CARDS: Final = ("ala cam", "bra naf que *1", "ukr", "sia ind irk")
_FOUR: Final = (
    "ala 2 nwt alb 3 wus cam 2 gre 4 ont que eus ice 2",
    "ven per bra 5 arg naf 9 egy con",
    "gbr 2 sca 2 neu 4 weu 3 seu ukr 3 eaf 2 saf mad",
    "mea 2 afg 2 ind chn 3 sia 5 sib ura 2 yak irk mon jap 2 kam 4 ino ngu wau 2 eau",
)
WARS: dict[str, War] = {
    "war": War(
        _FOUR,
        {"seats": 4, "mode": "capital"},
        {"turn": 1, "round": 5, "capitals": ["eus", "bra", "neu", "chn"], "phase": "place", "pool": 3},
        ("ala cam", "que eaf *1", "ukr", "sia ind irk"),
        (
            *((1, "place naf 3"), (1, "attack naf weu until 1"), (-1, "roll 652 51"), (-1, "roll 643 4")),
            *((1, "move 9"), (1, "attack weu gbr until 4"), (-1, "roll 643 52"), (1, "move 4")),
            *((1, "attack weu neu x 1"), (-1, "roll 421 63")),
        ),
    ),
    "battle": War(
        _FOUR,
        {"seats": 4},
        {"turn": 1, "round": 5},
        wires=((1, "attack naf weu until 1"), (-1, "roll 652 61"), (-1, "roll 643 42"), (1, "move 5")),
        near="weu naf gbr neu seu",
    ),
    "hand": War(
        _FOUR,
        {"seats": 4, "mode": "mission"},
        {
            "turn": 1,
            "round": 6,
            "phase": "place",
            "pool": 5,
            "own": [{"mission": n, "hand": list[Json](row.split())} for n, row in enumerate(_CARDS)],
        },
        viewer=1,
    ),
    "secret": War(
        _HALVES,
        {"seats": 2, "setup": "deal"},
        {"phase": "setup", "own": [{"pool": 19}, {"pool": 19}]},
        wires=((0, "place cam 4"), (0, "place gre 3"), (0, "place naf 6")),
        viewer=0,
    ),
}
"""What the rules of Domination describe, by name."""


def scene(game: AnyGame, state: Any, marks: tuple[Mark, ...] = ()) -> Scene:
    """What a spectator sees."""
    shown = game.scene(game.view(state, None), None)
    return replace(shown, marks=shown.marks + marks)


def begun(game: AnyGame, setup: Setup) -> Any:
    """The start, with the first player drawn."""
    state = game.start(setup).state
    return game.apply(state, CHANCE, game.draw(state, Dice(b"pictures", game.key, 0, ""))).state


def shown(key: str, data: Json, wires: tuple[str, ...], overlay: str) -> bytes:
    """A position, what is played on it, and what is laid over it."""
    game = registry.get(key)
    state = game.start(game.setup(2)).state if data is None else game.load(data, game.rules)
    marks: tuple[Mark, ...] = ()
    for wire in wires:
        (seat,) = game.to_act(state)
        step = game.apply(state, seat, game.decode(wire))
        state = step.state
        marks += tuple(mark for fact in step.facts for mark in fact.marks)
    if overlay:
        marks += game.overlay(game.view(state, None), overlay)
    pictured = scene(game, state, marks)
    return render.draw(pictured, sayer(game, game.setup(len(pictured.panels))))


def begun_by_default(game: AnyGame, setup: Setup) -> Any:
    """The first turn, after everybody let the game choose for them what is chosen before it."""
    state = begun(game, setup)
    while (seat := min(game.to_act(state))) >= 0:
        action = game.default(game.view(state, seat), seat)
        if action is None:
            break
        state = game.apply(state, seat, action).state
    return state


def closely(part: Part) -> Image.Image:
    """A part of the board of Dominion, without the cards of the seats."""
    game = registry.get("dominion")
    pieces: dict[str, Json] = {"free": list(part.free.split())}
    for seat, row in enumerate((part.north, part.south)):
        found = row.split()
        if seat not in part.pending and not any(text.startswith("E") for text in found):
            found.append(f"E{_CORNERS[seat]}")
        pieces[str(seat)] = list(found)
    data: dict[str, Json] = {"pieces": pieces, "turn": part.turn, "phase": part.phase}
    state = game.load(data | {"pending": list(part.pending)}, game.rules)
    marks: tuple[Mark, ...] = ()
    for wire in part.wires:
        (seat,) = game.to_act(state)
        step = game.apply(state, seat, game.decode(wire))
        state = step.state
        marks += tuple(mark for fact in step.facts for mark in fact.marks)
    if part.aim:
        (seat,) = game.to_act(state)
        view = game.view(state, seat)
        aims = [game.action_marks(view, action) for action in game.actions(view, seat)]
        chosen = [aim for aim in aims if part.aim == "*" or Mark("from", part.aim) in aim]
        marks += tuple(dict.fromkeys(mark for aim in chosen for mark in aim))
    near = render.region(scene(game, state, marks), part.corners)
    image = Image.open(BytesIO(render.draw(near, sayer(game, game.setup(2)))))
    plan = layout(near.board, near.turns)
    frame = plan.board.x
    foot = plan.board.y + plan.board.height + frame
    return image.crop(
        (0, max(0, plan.board.y - frame // 2), plan.board.x + plan.board.width + frame // 2, foot)
    )


def war(game: AnyGame, found: War) -> bytes:
    """A position of Domination and what is played in it."""
    countries: dict[str, Json] = {}
    for seat, row in enumerate(found.holds):
        code = ""
        for word in row.split():
            code = code if word.isdigit() else word
            countries[code] = [seat, int(word) if word.isdigit() else 1]
    data: dict[str, Json] = {"law": found.law, "countries": countries, **found.more}
    if found.hands:
        data["own"] = [{"hand": list(row.split())} for row in found.hands]
    state = game.load(data, game.rules)
    marks: tuple[Mark, ...] = ()
    for seat, wire in found.wires:
        step = game.apply(state, Seat(seat), game.decode(wire))
        state = step.state
        marks += tuple(mark for fact in step.facts for mark in fact.marks if fact.to is None)
    viewer = None if found.viewer is None else Seat(found.viewer)
    whole = game.scene(game.view(state, viewer), viewer)
    whole = replace(whole, marks=whole.marks + marks)
    setup = game.setup(len(found.holds))
    if not found.near:
        return small(Image.open(BytesIO(render.draw(whole, sayer(game, setup)))))
    near = render.region(whole, found.near.split())
    plan = layout(near.board, 0)
    image = Image.open(BytesIO(render.draw(near, sayer(game, setup))))
    return small(image.crop((0, plan.board.y, plan.width, plan.board.y + plan.board.height)))


def domination(game: AnyGame) -> Iterator[tuple[str, bytes]]:
    """Yield the pictures of Domination."""
    for name, (seats, options) in MAPS.items():
        setup = game.setup(seats, options)
        state = game.start(setup).state
        for nth in range(2):
            state = game.apply(state, CHANCE, game.draw(state, Dice(b"pictures", game.key, nth, ""))).state
        pressed = render.draw(scene(game, state), sayer(game, setup))
        yield f"domination-{name}", small(Image.open(BytesIO(pressed)))
    for name, found in WARS.items():
        yield f"domination-{name}", war(game, found)


def pictures() -> Iterator[tuple[str, bytes]]:
    """Yield the name of every picture, and its file."""
    yield from domination(registry.get("domination"))
    game = registry.get("focus")
    for name, (seats, options) in SETUPS.items():
        setup = game.setup(seats, options)
        yield f"focus-{name}", render.draw(scene(game, begun(game, setup)), sayer(game, setup))
    for name, position in POSITIONS.items():
        yield name, shown(*position)
    game = registry.get("dominion")
    for seats in game.seats:
        setup = game.setup(seats)
        pressed = render.draw(scene(game, begun_by_default(game, setup)), sayer(game, setup))
        yield f"dominion-start-{seats}", small(Image.open(BytesIO(pressed)))
    for name, part in PARTS.items():
        yield f"dominion-{name}", small(closely(part))


def small(image: Image.Image) -> bytes:
    """A picture compressed as well as it can be, however long it takes."""
    buffer = BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def main() -> None:
    """Write every picture."""
    for name, data in pictures():
        (HERE / f"{name}.png").write_bytes(data)
        print(f"{name}.png: {len(data) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
