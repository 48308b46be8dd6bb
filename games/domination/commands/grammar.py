"""Parse a typed text into orders, or find the word that can't be read, or see that it is chat.

Semicolons, new lines and "then" separate orders, each of which is read separately. After a comma or "and", an
order without a verb may continue the list before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from games.domination.commands import accounts, clauses
from games.domination.commands.clauses import UnreadableError, nonsense, unreadable
from games.domination.commands.command import Command
from games.domination.commands.tokens import Token, segments, similar_verb, tokenize
from games.domination.maps.atlas import Atlas
from games.engine.message import msg
from games.engine.notation import Span

MAX_ORDERS: Final = 60
"""Maximum number of orders in one text."""
CHAT_WORDS: Final = frozenset(("continue", "stop", "done", "move", "auto", "keep", "skip", ""))
"""Orders that are also everyday words: alone, and when they aren't due, they count as chat."""
_LISTS: Final = frozenset(("place", "setup", "claim", "queue", "trade"))
"""Verbs whose list may continue after a comma."""
_BARE: Final = frozenset(("auto", "done", "end", "skip", "continue", "stop"))
_PLACES: Final = frozenset(("place", "setup"))
_FIGHTS: Final = frozenset(("attack", "roll", "blitz"))
_POLITE: Final = frozenset(("please", "pls"))


@dataclass(frozen=True, slots=True)
class ReadText:
    """The orders of a text up to the first one that can't be read."""

    commands: tuple[Command, ...]
    problem: UnreadableError | None
    chat: bool
    """Whether nothing in it resembles an order."""
    spans: tuple[Span, ...] = ()
    """The parts of the text that the orders account for, and the words between orders."""

    @property
    def verbs_only(self) -> bool:
        """Return whether it consists of verbs only: out of turn, that counts as chat too."""
        return self.problem is None and not any(
            each.codes or each.cards or each.share for each in self.commands
        )


def read_orders(atlas: Atlas, text: str) -> ReadText:
    """Read a text as orders. Never raises."""
    commands: list[Command] = []
    problem: UnreadableError | None = None
    seen: list[Token] = []
    between: list[Token] = []
    earlier: list[Token] = []
    groups = list(_groups(atlas, text, between))
    numbered = _is_numbered(groups)
    for whole, comma in groups:
        group = _without_bullet(whole, numbered=numbered)
        seen += whole
        before = commands[-1] if commands else None
        passed = before is not None and _continues_list(before, group, comma=comma, best=_best(earlier))
        try:
            if before is not None:
                accounts.check(atlas, text, before, earlier, group, listed=comma and passed)
            command = _order(atlas, group, before, comma=comma, passed=passed)
        except UnreadableError as error:
            problem = error
            break
        if passed and before is not None and (comma or before.verb == "trade"):
            commands[-1] = before.extended(command)
        else:
            commands.append(command)
        earlier = group
    if problem is None and len(commands) > MAX_ORDERS:
        last = commands[MAX_ORDERS]
        problem = UnreadableError(msg("domination.refuse.many", most=MAX_ORDERS), (last.start, last.end))
    used = [token for group, _ in groups for token in _without_dangling(group)]
    used += [token for token in between if used and token.start < used[-1].start]
    spans = tuple((token.start, token.end) for token in used)
    return ReadText(tuple(commands), problem, _is_chat(seen, problem, commands), spans)


def _without_dangling(group: list[Token]) -> list[Token]:
    """Return an order without the words at its end that announce more: "to", "on"."""
    end = len(group)
    while end and group[end - 1].means("link", "from", "plus"):
        end -= 1
    return group[:end]


def _best(group: list[Token]) -> bool:
    """Return whether an order asks for the best set."""
    return any(token.means("best") for token in group)


def _is_numbered(groups: list[tuple[list[Token], bool]]) -> bool:
    """Return whether several orders are numbered from 1 on: `1. attack ala kam`, `2. end`."""
    bullets = [group[0].text for group, _ in groups if _is_bulleted(group)]
    ordinals = [str(n) for n in range(1, 1 + len(bullets))]
    return len(bullets) > 1 and _is_bulleted(groups[0][0]) and bullets == ordinals


def _is_bulleted(group: list[Token]) -> bool:
    """Return whether a number stands before the verb of an order; `3 keep` is about armies."""
    if len(group) < 2 or group[0].kind != "number" or group[1].kind != "verb":
        return False
    return group[1].text != "keep" or len(group) > 2


def _without_bullet(group: list[Token], *, numbered: bool) -> list[Token]:
    """Return an order without its bullet in a list: a dash, or its number if all are `numbered`."""
    dash = len(group) > 1 and group[0].text == "link" and group[0].raw in "-–—"
    return group[1:] if dash or (numbered and _is_bulleted(group)) else group


def _continues_list(before: Command, group: list[Token], *, comma: bool, best: bool) -> bool:
    """Return whether a list passes its verb on to what follows; `best`: whether it trades the best set.

    Only after a comma, unless what follows is incomplete: a country that gets all remaining armies, or a
    trade's bonus. A trade continues with cards only. Two countries without armies don't continue a placement;
    they are an attack.
    """
    row = [token for token in group if token.kind != "filler"]
    if before.verb not in _LISTS or not row or row[0].kind == "verb":
        return False
    countries = sum(token.kind == "country" for token in row)
    numbers = sum(token.amount is not None for token in row)
    signed = any(token.means("link") and not token.raw.isalpha() and token.raw not in "=:" for token in row)
    if before.verb == "trade":
        known = all(token.kind in ("country", "number") or token.text == "wild" for token in row)
        cards = known and not (countries and any(token.kind == "number" for token in row))
        return row[0].means("bonus") or (comma and cards and not best)
    if before.verb in _PLACES:
        alone = len(row) == 1 and countries == 1
        signed = signed or any(token.means("until", "lead", "x") for token in row)
        return alone or (comma and not signed and (numbers > 0 or countries == 0))
    return comma and not signed


def _groups(atlas: Atlas, text: str, between: list[Token]) -> Iterator[tuple[list[Token], bool]]:
    """Yield the tokens of each order, and whether a comma precedes it; collect the "and"s in `between`."""
    for start, piece, before in segments(text):
        group: list[Token] = []
        comma = before == ","
        row = tokenize(atlas, piece, start)
        for n, token in enumerate(row):
            if token.means("then", "and"):
                between.append(token)
            ends = token.means("and") and (n + 1 == len(row) or row[n + 1].kind == "verb")
            if token.means("then") or ends:
                if group:
                    yield group, comma
                group, comma = [], False
            elif not token.means("and"):
                group.append(token)
            elif group and _separates(group, row[n + 1 :]):
                yield group, comma
                group, comma = [], True
        if group:
            yield group, comma


def _separates(group: list[Token], after: list[Token]) -> bool:
    """Return whether an "and" separates two orders, as a comma would, rather than belonging to one."""
    row = [token for token in after if token.kind != "filler"]
    if not row or not (row[0].kind == "country" or row[0].amount is not None):
        return False
    verb = next((token.text for token in group if token.kind == "verb"), "")
    countries = sum(token.kind == "country" for token in group)
    armed = any(token.amount is not None for token in group)
    if verb in ("trade", "move", "keep", *_BARE) or (not verb and armed and not countries):
        return True
    if verb in _PLACES or (not verb and armed):
        alone = row[0].kind == "country" and (len(row) == 1 or row[1].kind == "verb" or row[1].text == "and")
        return countries > 0 and not alone
    return countries > 1


def _is_chat(seen: list[Token], problem: UnreadableError | None, commands: list[Command]) -> bool:
    """Return whether nothing in a text resembles an order."""
    strange = sum(token.kind == "unknown" for token in seen)
    exact = sum(token.kind == "country" and token.exact and len(token.text) > 1 for token in seen)
    first = next((token for token in seen if token.kind != "filler"), None)
    verb = first is not None and first.kind == "verb"
    verb = verb or _has_plus_armies(seen) or any(command.verb and command.codes for command in commands)
    if problem is not None:
        if first is not None and first.text in _BARE and exact < 2 and not commands:
            return True
        if problem.why.key == "domination.refuse.belongs" and verb and not strange:
            return False
        if strange > 1:
            return exact < strange or not (verb or exact > 2)
        if exact and (verb or any(token.kind == "number" for token in seen)):
            return False
        return not (verb and problem.meant and (len(seen) <= 5 or not strange)) and exact < 2
    counted = any(token.kind == "number" for token in seen) and verb
    counted = counted or any(command.verb and command.share and command.share.n for command in commands)
    if exact or counted or any(command.codes and command.verb for command in commands):
        return False
    return all(command.verb in CHAT_WORDS and not command.cards for command in commands)


def _has_plus_armies(seen: list[Token]) -> bool:
    """Return whether armies are added to a country without blanks: `ukr+5`, abbreviated names included."""
    return any(
        [part.kind for part in (one, two, three)] == ["country", "keyword", "number"]
        and two.text == "plus"
        and one.end == two.start
        and two.end == three.start
        for one, two, three in zip(seen, seen[1:], seen[2:], strict=False)
    )


# --- one order ------------------------------------------------------------------------------------------


def _order(atlas: Atlas, group: list[Token], before: Command | None, *, comma: bool, passed: bool) -> Command:
    """Read one order by its verb; without a verb, by the list before it or by its own parts."""
    start, end = group[0].start, group[-1].end
    if len(group) == 1 and group[0].kind == "verb" and end - start == 1:
        raise unreadable("unreadable", group[0])
    if passed and before is not None:
        group = [Token("verb", before.verb, start, start), *group]
    if _is_bulleted(group):
        raise clauses.stray(group[0])
    found = _by_verb(atlas, group, before, comma=comma)
    if (lost := accounts.dropped(atlas, group, found)) is not None:
        raise clauses.stray(lost)
    return found._replace(start=start, end=end, joined=comma)


def _by_verb(atlas: Atlas, group: list[Token], before: Command | None, *, comma: bool) -> Command:
    lead = next((n for n, token in enumerate(group) if token.kind != "filler"), 0)
    polite = all(token.text in _POLITE for token in group[:lead])
    head, *tail = group = group[lead:]
    if head.kind == "unknown" and (meant := similar_verb(atlas, head.text)):
        raise unreadable("verb_near", head, (meant,), word=head.text[:24], verb=meant)
    if head.means("link"):
        raise nonsense(head, group)
    if head.kind != "verb":
        return _verbless(atlas, group, before, comma=comma)
    row = [token for token in tail if token.kind != "filler"]
    match head.text:
        case ("auto" | "done" | "end" | "skip" | "continue" | "stop") as verb:
            return _single_word(verb, group, polite=polite)
        case "keep" if not row:
            return _single_word("keep", group, polite=polite)
        case ("place" | "setup") as verb:
            return clauses.armies(atlas, verb, row)
        case ("claim" | "queue" | "capital") as verb:
            return clauses.countries(atlas, verb, row)
        case "trade":
            return clauses.trade(atlas, row)
        case "move" if sum(token.kind == "country" for token in row) > 1:
            return clauses.fortify(atlas, row)._replace(verb="shift")
        case ("move" | "keep") as verb:
            return clauses.move(atlas, verb, row, head)
        case "fortify":
            return clauses.fortify(atlas, row)
        case "chain" if row and row[0].kind == "verb" and row[0].text in _FIGHTS:
            return clauses.fight(atlas, row[0].text, row[1:], head)
        case "chain":
            return clauses.fight(atlas, "attack", row, head)
        case verb:
            return clauses.fight(atlas, verb, tail, head)


def _single_word(verb: str, group: list[Token], *, polite: bool) -> Command:
    """Return an order of a single word. Raises UnreadableError if there are others, which make it chat."""
    row = [token.text for token in group[1:] if token.text not in _POLITE]
    turn = verb in ("end", "skip") and row[-1:] == ["turn"] and {"my", "the", "turn"}.issuperset(row)
    if not polite or (row and not turn):
        raise nonsense(group[0], group)
    return Command(verb)


def _verbless(atlas: Atlas, group: list[Token], before: Command | None, *, comma: bool) -> Command:
    """Read an order without a verb. After an attack and a comma, it is another attack with the same stops."""
    row = [token for token in group if token.kind != "filler"]
    if not row:
        raise nonsense(group[0], group)
    places = sum(token.kind == "country" for token in row)
    numbers = sum(token.amount is not None for token in row)
    if len(row) == 1 and places and not row[0].exact:
        raise unreadable("unreadable", row[0], row[0].codes)
    fought = before is not None and before.verb in ("attack", "more")
    stops = before.stops if before is not None and fought and comma else ()
    limited = any(token.means("until", "lead") for token in row)
    signs = [token.raw for token in row if token.means("link")]
    signed = not all(map(str.isalpha, signs))
    one_each = places == numbers == 1 and row[0].amount is not None and not signed
    listed = places == numbers and all(sign in "=:" for sign in signs)
    links = (bool(signs) or any(token.means("x") for token in row)) and not one_each and not listed
    if (links and places) or (limited and places > 1) or (signed and numbers > 1 and row[0].kind == "number"):
        found = clauses.fight(atlas, "", row, row[0])
        return found._replace(verb="attack" if fought and comma else "", stops=found.stops or stops)
    if fought and places == len(row) == 1:
        raise unreadable("half", row[0])
    if fought and comma and places == 2 and len(row) == 2:
        return clauses.fight(atlas, "attack", row, row[0])._replace(stops=stops)
    if places:
        return clauses.armies(atlas, "", row)
    if (share := clauses.whole_share(row, 0)) is None:
        raise nonsense(row[0], row)
    return Command("", share=share)
