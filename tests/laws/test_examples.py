"""What a game shows as an example can be played now by the one who reads it, and it speaks to that person."""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.engine.dice import Dice
from games.engine.game import AnyGame, Done, Partial, Rejected, Seat
from games.engine.match import Match
from games.engine.message import Msg, Value, Who
from games.engine.notation import words
from locales import Catalogue
from tests.laws.courses import Course
from tests.laws.fuzz import odd_texts
from tests.laws.test_accounting import operands
from tests.soak import SOAK

CATALOGUE = Catalogue(strict=True)
_STOPS, _TEXTS = (40, 200) if SOAK else (6, 16)
_VERBS = (
    "", "hello", "attack", "blitz", "place", "place 1", "trade", "trade best", "fort", "move 1", "end",
    "claim", "capital", "done", "until 3", "+", "!", "! +", "! -", "pass", "stay", "auto", "grow", "grow 9",
    "battle", "x",
)  # fmt: skip


def typed(match: Match, seat: Seat, course: Course, dice: Dice) -> Iterator[str]:
    """Yield texts that are half a move, or none: damaged ones, and what fits other positions."""
    view = match.game.view(match.state, seat)
    legal = [match.game.format(view, action) for action in match.game.listed(view, seat)]
    for stop in course.some(4):
        for other in stop.match.to_act:
            there = match.game.view(stop.match.state, other)
            text = match.game.format(there, dice.pick(match.game.listed(there, other)))
            yield from (text, f"{text} ! +f3 -h3", f"{text} {text}", text.split()[0], text[: len(text) // 2])
    odd = [text for text in odd_texts(legal) if len(text) < 200]
    yield from (dice.pick(odd) for _ in range(_TEXTS))


def told(found: object) -> Iterator[Msg]:
    """Yield what a player is told about a text that isn't a move."""
    match found:
        case Partial(prompt=prompt):
            yield prompt
        case Rejected(why=why):
            yield why


def people(value: Value) -> Iterator[int]:
    """Yield the seats that a value names."""
    match value:
        case Who(seat):
            yield seat
        case Msg(values=values):
            yield from (seat for _, inner in values for seat in people(inner))
        case tuple():
            yield from (seat for inner in value for seat in people(inner))


def foreign(game: AnyGame, match: Match, seat: Seat, text: str, said: str) -> Iterator[str]:
    """Yield the examples in what is said that name places and can't be played by the seat now."""
    view = game.view(match.state, seat)
    plain = re.sub(r"[^\w\s]", "", text)  # an emoji within a word isn't quoted
    mine = {word.text for each in (text, plain) for word in words(each, 2000)}
    for example in re.findall("`([^`]+)`", said):
        quoted = {word.text for word in words(example, 2000)} <= mine
        named = operands(game, match, re.sub(r"\bx?\d+\b", "", example))
        if named and not quoted and not isinstance(game.parse(view, seat, example), Done):
            yield example


def test_examples_are_legal_and_nobody_is_told_of_themselves(played: Course) -> None:
    dice = Dice(b"examples", str(played.case), 0, "law")
    wrong, tried = [], 0
    for stop in played.some(_STOPS):
        match = stop.match
        for seat in sorted(match.to_act):
            view = match.game.view(match.state, seat)
            for text in dict.fromkeys((*_VERBS, *typed(match, seat, played, dice))):
                for message in told(match.game.parse(view, seat, text)):
                    tried += 1
                    said = CATALOGUE.say(message)
                    wrong += [
                        f"{text!r}: {said} ({each})" for each in foreign(match.game, match, seat, text, said)
                    ]
                    if seat in set(people(message)):
                        wrong.append(f"{text!r}: {said} (told to {Who(seat)})")
    assert tried > 50
    assert not wrong, "\n".join(dict.fromkeys(wrong))
