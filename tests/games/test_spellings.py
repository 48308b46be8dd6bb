"""What the pages promise to understand is never ignored, whatever space, die or country it is said of.

The spellings are read from the pages themselves: the table under "Typing" in `docs/rules`, the text
`<game>.notation`, and the README. Each becomes a pattern, and every space of every board is put into it. The
answer may be a refusal with a reason or a question, but not the silence that is kept for conversation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pytest

from games.dominance.board import BIT, BOARDS
from games.domination.maps.atlas import Atlas, Country
from games.domination.maps.islands import ISLANDS
from games.domination.maps.world import WORLD
from games.dominion.board import NAMES as SQUARES
from games.dominion.reading import KINDS
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import CHANCE, AnyGame, Partial, Rejected, Seat
from games.engine.message import msg
from games.focus.board import INDEX
from locales import Catalogue
from tests.soak import SOAK

ROOT = Path(__file__).parents[2]
SAY = Catalogue(strict=True)
EXAMPLES = {
    "focus": {"RRG"},
    "two_domains": {"1 2 3 3 6"},
    "dominion": {"=W", "! +f3 +h3"},
    "domination": {"x2", "lead 4", ";", "?", "/ask odds move:ala kam", "UKR", "ukraine", "great b"},
}
"""What stands in the same places and is no spelling of an action: names, signs, and ends of actions."""
WHOLE = {
    "dominion": ("e3-e4 ! +f3 +h3", *(f"{word} e4" for word in KINDS)),
    "domination": ("attack ala kam x2", "attack ala kam lead 4"),
}
"""Actions with those ends; and with every name of a piece."""
README = {
    "focus": ("e4-e6", "e4e6", "E4 to e6", "e4 x e6", "e4"),
    "dominion": ("e3-e4 ! +f3 -h3",),
    "domination": ("place ukr 5; blitz ukr>mea>egy; end",),
}


@dataclass(frozen=True)
class Moment:
    """A seat is to act."""

    game: AnyGame
    view: Any
    seat: Seat

    def ignores(self, text: str) -> bool:
        """Whether a text is taken for conversation."""
        found = self.game.parse(self.view, self.seat, text)
        return isinstance(found, Rejected) and found.chat


@cache
def moments(key: str, seats: int, most: int, **options: Any) -> tuple[Moment, ...]:
    """Moments of a match of random actions, one for each thing that is asked of a player."""
    game = registry.get(key)
    state = game.start(game.setup(seats, options)).state
    found: dict[str, Moment] = {}
    for number in range(most):
        if not (due := game.to_act(state)):
            break
        seat, dice = min(due), Dice(bytes(32), "spelled", number, "")
        if seat == CHANCE:
            state = game.apply(state, seat, game.draw(state, dice)).state
            continue
        moment = Moment(game, game.view(state, seat), seat)
        asked = game.parse(moment.view, seat, "")
        assert isinstance(asked, Partial)
        found.setdefault(asked.prompt.key, moment)
        legal = tuple(islice(game.actions(moment.view, seat), 400))
        state = game.apply(state, seat, dice.pick(legal)).state
    return tuple(found.values())


# --- what is promised ---------------------------------------------------------------------------------


@cache
def spellings(key: str) -> tuple[str, ...]:
    """Everything that the pages of a game say may be typed."""
    page = (ROOT / "docs" / "rules" / f"{key.replace('_', '-')}.md").read_text("utf-8")
    typing = page.partition("## Typing ")[2].partition("\n## ")[0]
    table = [row.split(" | ")[0] for row in typing.splitlines() if row.startswith("| `")]
    keys = SAY.keys()
    pages = sorted(each for each in keys if each.startswith(f"{key}.notation"))
    help_text = "\n".join(SAY.say(msg(page)) for page in pages)
    found = [span for text in (*table, help_text) for span in re.findall(r"`([^`]+)`", text)]
    shown = (ROOT / "README.md").read_text("utf-8")
    for text in README.get(key, ()):
        assert f"`{text}`" in shown
        found.append(text)
    examples = EXAMPLES.get(key, set())
    assert examples <= set(found), "each of them is still there"
    whole = [text.removeprefix("? ") for text in found if text not in examples]
    return tuple(dict.fromkeys((*whole, *WHOLE.get(key, ()))))


# --- every space of every board -----------------------------------------------------------------------

SPACE = re.compile(r"[a-m][1-9]|[A-M][1-9]")
HALF = re.compile(r"(?<=[-+])[a-h]$")


def on_spaces(text: str, spaces: tuple[str, ...], shifts: range) -> Iterator[str]:
    """A spelling on every space; further spaces in it lie so many places further on, for each shift."""
    named = list(dict.fromkeys(found.casefold() for found in SPACE.findall(text)))
    files = sorted({space[0] for space in spaces}) if HALF.search(text) else [""]
    for at in range(len(spaces) if named else 1):
        for shift in shifts if len(named) > 1 else range(1):
            put = {each: spaces[(at + n * shift) % len(spaces)] for n, each in enumerate(named)}

            def there(found: re.Match[str], put: dict[str, str] = put) -> str:
                space = put[found[0].casefold()]
                return space.upper() if found[0].isupper() else space

            said = SPACE.sub(there, text)
            yield from (HALF.sub(file, said) for file in files)


_FAR = 25 if SOAK else 2
"""The number of distances between the spaces of a spelling that are tried."""


def ignored(key: str, found: tuple[Moment, ...], spaces: tuple[str, ...], *, many: bool) -> list[str]:
    """The spellings that are ignored: at one of the moments, in turn, or in a soak at any.

    Those that name no space, such as `auto`, belong to some moments only: where all others ignore them.
    """
    assert found
    far = range(0, len(spaces), 1 + len(spaces) // _FAR) if many else range(1, 2)
    silent, turn = [], cycle(found)
    for text in spellings(key):
        if SPACE.search(text) or HALF.search(text):
            for said in on_spaces(text, spaces, far):
                at = found if SOAK else (next(turn),)
                silent += [said] if any(moment.ignores(said) for moment in at) else []
        elif all(moment.ignores(text) for moment in found):
            silent.append(text)
    return silent


FEW_AND_MANY = [False, pytest.param(True, marks=pytest.mark.slow)]
many = pytest.mark.parametrize("many", FEW_AND_MANY, ids=("few", "many"))


@pytest.mark.slow
@many
@pytest.mark.parametrize("seats", [2, 3])
def test_focus(seats: int, many: bool) -> None:
    """With three seats the first turns place the 13th pieces; later on there are reserves."""
    found = moments("focus", seats, 200 if many else 2)
    assert ignored("focus", found, tuple(INDEX), many=many) == []


@many
@pytest.mark.parametrize("board", BOARDS)
def test_dominance(board: str, many: bool) -> None:
    spaces = tuple(space for space, bit in BIT.items() if bit & BOARDS[board].spaces)
    found = moments("dominance", 2, 60 if many else 20, board=board)
    assert ignored("dominance", found, spaces, many=many) == []


@pytest.mark.slow
@many
def test_dominion(many: bool) -> None:
    """All that Fate may ask is asked within 400 actions."""
    found = moments("dominion", 2, 400)
    assert len(found) == 7
    assert ignored("dominion", found, SQUARES, many=many) == []


# --- dice of every face and place ---------------------------------------------------------------------

FACES = ("king", "village", "town", "city", "capital", "army")


def on_dice(text: str) -> Iterator[str]:
    """A spelling with every place, or with every face and the next one for what it becomes."""
    for at, face in enumerate(FACES):
        said = text.replace("3", str(at)).replace("capital", FACES[(at + 1) % 6])
        yield said.replace("village", face).replace("city", face)


@pytest.mark.parametrize("lines", ["22222 22222", "12356 1", "1466 123", "66 22"])
def test_two_domains(lines: str) -> None:
    game = registry.get("two_domains")
    red, blue = lines.split()
    moment = Moment(game, game.load({"red": red, "blue": blue, "turn": "red"}, game.rules), Seat(0))
    said = [each for text in spellings("two_domains") for each in on_dice(text)]
    assert [each for each in said if moment.ignores(each)] == []


# --- every country of every map -----------------------------------------------------------------------

CODE = re.compile(r"\b[a-z]{3}\b")
CALLS: dict[str, Callable[[Atlas, Country], str]] = {
    "code": lambda atlas, country: country.code,
    "CODE": lambda atlas, country: country.code.upper(),
    "name": lambda atlas, country: country.name,
    "NAME": lambda atlas, country: country.name.upper(),
    "beginning": lambda atlas, country: country.name[:6].strip().casefold(),
    "number": lambda atlas, country: str(atlas.index[country.code] + 1),
}


def on_countries(text: str, atlas: Atlas, said: str, far: int) -> Iterator[str]:
    """A spelling with every country of a map; further ones in it lie so many places further on."""
    named = list(dict.fromkeys(code for code in CODE.findall(text) if code in WORLD.index))
    row = atlas.countries
    for at in range(len(row) if named else 1):
        whole = text
        for n, code in enumerate(named):
            whole = re.sub(rf"\b{code}\b", f"<{n}>", whole)
        for n in range(len(named)):
            whole = whole.replace(f"<{n}>", CALLS[said](atlas, row[(at + n * far) % len(row)]))
        yield whole


@pytest.mark.parametrize("atlas", [WORLD, ISLANDS], ids=lambda atlas: atlas.key)
@pytest.mark.parametrize(
    "said", [pytest.param(said, marks=() if said == "code" else pytest.mark.slow) for said in CALLS]
)
def test_domination(atlas: Atlas, said: str) -> None:
    found = moments("domination", 2, 300, map=atlas.key, mode="capital", even=False)
    found += moments("domination", 2, 400, map=atlas.key, mode="mission", setup="deal", even=False)
    silent, turn = [], cycle(found)
    for text in spellings("domination"):
        if not any(code in WORLD.index for code in CODE.findall(text)):
            silent += [text] if all(moment.ignores(text) for moment in found) else []
        elif said != "number" or text != "ukr+5":  # "5+3" is a sum
            for each in on_countries(text, atlas, said, 7):
                at = found if SOAK or (said == "beginning" and atlas is ISLANDS) else (next(turn),)
                silent += [each] if any(moment.ignores(each) for moment in at) else []
    assert silent == []
