"""What is played accounts for everything that was typed: the same action as before, or nothing at all.

Legal texts of every game are changed as people change them: by separators, by doubled, swapped and moved
words, by numbers beside them. What no reading accounts for must stop the whole text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from games.engine import orders
from games.engine.dice import Dice
from games.engine.game import AnyGame, Done, Seat
from games.engine.match import Kind, Match
from games.engine.notation import words
from tests.laws.courses import Course
from tests.laws.typed_variants import broken, rearranged, separated, some, with_strays
from tests.soak import SOAK

_STOPS, _TEXTS, _EACH = (40, 10, 60) if SOAK else (5, 2, 10)
"""Positions of a match, texts of a position, and variants of each sort of a text."""


def seeds(match: Match, seat: Seat, dice: Dice) -> Iterator[str]:
    """Yield legal texts of a position, as they are written and as people spell them."""
    game, view = match.game, match.game.view(match.state, seat)
    listed = list(game.listed(view, seat))
    for action in (dice.pick(listed) for _ in range(_TEXTS)):
        text = game.format(view, action)
        yield text
        for other in spelled(game.key, text, action):
            if game.parse(view, seat, other) == Done(action):
                yield other
    yield from pairs(match, seat, dice)


def spelled(key: str, text: str, action: Any) -> Iterator[str]:
    """Yield other ways to type an action; those that mean something else now are left out by the caller."""
    said = text.split()
    if key == "focus":
        yield f"{getattr(action, 'count', 1)}:{text}"
    if key == "dominion":
        yield f"{text} ! +f3 -h3"
        yield text.replace("promote ", "+").replace("demote ", "-").replace("peasant ", "@")
    if key == "two_domains" and len(said) > 1:
        yield f"die {said[1]} grow"
    if key == "domination":
        yield " ".join(said[1:])
        if said[0] in ("place", "move", "fortify") and said[-1].isdecimal():
            yield " ".join((said[0], said[-1], *said[1:-1]))
            yield "+".join(said[1:])
        if said[0] == "place":
            yield " ".join(said[:-1])
            yield f"{said[1]} all"
        if said[0] == "attack":
            yield ">".join(said[1:3]) + " " + " ".join(said[3:])
        if said[0] == "trade":
            yield "trade best"


def pairs(match: Match, seat: Seat, dice: Dice) -> Iterator[str]:
    """Yield two legal actions in one text, if the seat may act twice without chance in between."""
    game, state = match.game, match.state
    view = game.view(state, seat)
    first = dice.pick(game.listed(view, seat))
    after = game.apply(state, seat, first).state
    if seat not in game.to_act(after):
        return
    later = game.view(after, seat)
    second = dice.pick(game.listed(later, seat))
    text = f"{game.format(view, first)}; {game.format(later, second)}"
    if isinstance(game.parse(view, seat, text), Done):
        yield text


def carried(match: Match, seat: Seat, text: str, course: Course) -> tuple[list[str], str]:
    """Return what a text plays, each action as a player would write it, and what is told of the rest."""
    game = match.game
    found = game.parse(game.view(match.state, seat), seat, text)
    if not isinstance(found, Done):
        return [], ""
    done = orders.play(match, seat, found, course.sealed)
    if not isinstance(done, orders.Executed):
        return [], ""
    view = game.view(match.state, seat)
    plays = [entry.data for entry in done.change.entries if entry.kind is Kind.PLAY]
    made = [game.format(view, game.decode(wire)) for wire in plays]
    return made, done.undone.text if done.undone else ""


def operands(game: AnyGame, match: Match, text: str) -> Counter[str]:
    """Return the numbers and places that a text names; verbs and little words aside."""
    places = game.scene(game.view(match.state, None), None).board.places
    files = {place[0] for place in places} if game.key != "domination" else set()
    found = [word.text for word in words(text, 2000)]
    return Counter(word for word in found if word.isdecimal() or word in places or word in files)


def accounted(match: Match, seat: Seat, text: str, changed: str, course: Course) -> bool:
    """Return whether what a changed text plays, with what it tells is left, names just what was typed.

    A number behind an attack says how many armies move in; then it does the same as `move`.
    """
    made, left = carried(match, seat, changed, course)
    typed = operands(match.game, match, changed)
    written = operands(match.game, match, " ".join((*made, left)))
    if typed == written:
        return True
    extra = [*(typed - operands(match.game, match, text)).elements()]
    moving = match.game.key == "domination" and len(extra) == 1
    return moving and (made, left) == carried(match, seat, f"{text}; move {extra[0]}", course)


def test_a_changed_text_plays_the_same_or_nothing(played: Course) -> None:
    dice = Dice(b"typed", str(played.case), 0, "accounting")
    wrong, tried = [], 0
    for stop in played.some(_STOPS):
        match = stop.match
        for seat in sorted(match.to_act):
            for text in dict.fromkeys(seeds(match, seat, dice)):
                meant, _ = carried(match, seat, text, played)
                same = some(separated(text), 2 * _EACH, dice)
                other = [*some(broken(text), _EACH, dice), *some(rearranged(text), _EACH, dice)]
                more = some(with_strays(text), _EACH, dice)
                tried += len(same) + len(other) + len(more)
                for changed in (*same, *other, *more):
                    made, left = carried(match, seat, changed, played)
                    if not made or (made == meant and changed not in more):
                        continue
                    if changed in same or not accounted(match, seat, text, changed, played):
                        wrong.append(f"{text!r}: {changed!r} plays {made}, tells {left!r}")
    assert tried > 100
    assert not wrong, "\n".join(wrong[:40])
