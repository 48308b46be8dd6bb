"""Actions as people type them: `grow 3`, `gather`, `mobilise`, `battle`, and abbreviations.

A text is split into parts, which are matched with the legal actions; only `rules.refuse` decides legality.
Parts are verbs and words that identify a die; some words are ignored. Any other word or character makes the
whole text chat: a remark about a king is not an action.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from games.engine.game import CHANCE, Done, Partial, Rejected, Seat, Shortcut
from games.engine.message import Msg, msg
from games.engine.notation import Span, nearest, too_long
from games.engine.space_notation import ParsedText, Part, stripped_words
from games.two_domains import facts, rules
from games.two_domains.actions import BATTLE, GATHER, GROW, MOBILISE, Action, decode
from games.two_domains.facts import FACE_KEYS
from games.two_domains.rules import State

_VERBS: Final = {
    "grow": ("growth",),
    "gather": ("gathering",),
    "mobilise": ("mobilise", "mobilize", "mobilisation", "mobilization"),
    "battle": ("battle",),
}
"""Verbs with the forms that may be abbreviated to two letters or more."""
_WORDS: Final = {
    "g": "grow",
    "grows": "grow",
    "growing": "grow",
    "gathers": "gather",
    "m": "mobilise",
    "sort": "mobilise",
    "b": "battle",
    "attack": "battle",
    "roll": "roll",
    "reroll": "roll",
}
"""Verbs that must be typed in full."""
_PLACES: Final = ("home", "gathering", "front")
_FACES: Final = {
    word: face for face, name in FACE_KEYS.items() for word in (name, f"{name}s", f"{name[:-1]}ies")
}
_FACES_SHORTEST: Final = 3
_LEADING: Final = frozenset(("i", "please", "pls", "do", "use"))
"""Words that are ignored anywhere."""
_FILLERS: Final = frozenset(("my", "the", "a", "an", "die", "dice", "number", "nr", "place", "position"))
"""Words that are ignored after a verb; before one they make the text chat: "the battle"."""
_LINKS: Final = frozenset(("at", "in", "on", "from", "to", "into"))
"""Words that are ignored if a die follows; otherwise they make the text chat: "battle on"."""
_DECORATION: Final = frozenset("`*_~“”„‘’«»{}!.,#→\ufe0f")
_BRACKETS: Final = frozenset("\"'()[]:;-–—=>")
"""Characters that are ignored, except beside a single letter, where they make a smiley: "B)"."""


@dataclass(frozen=True, slots=True)
class TwoDomainsText(ParsedText):
    """A scanned text. Kinds: `verb` (an action's kind), `number`, `place`, `face`, `into` (a new face)."""

    @property
    def complete(self) -> bool:
        """Whether the text is a whole action, legal or not."""
        verbs = [part.text for part in self.of("verb")]
        return len(verbs) == 1 and (verbs != ["grow"] or len(self.parts) > 1)


def read(text: str) -> TwoDomainsText | None:
    """Return the parts of a text; None for chat. An empty text has no parts."""
    parts: list[Part] = []
    ignored: list[Span] = []
    link, filled, brackets, letter = "", False, False, ""
    for word in stripped_words(text):
        if word.text in _DECORATION or word.text in _LEADING:
            ignored.append((word.start, word.end))
            continue
        if word.text in _BRACKETS:
            brackets = True
        elif word.text in _LINKS:
            link = word.text
            ignored.append((word.start, word.end))
        elif word.text in _FILLERS:
            filled = True
            ignored.append((word.start, word.end))
        else:
            found = _part(word.text, [part.text for part in parts if part.kind == "verb"], link)
            if found is None or (found[0] == "verb" and (filled or link)):
                return None
            if found[0] == "verb" and len(word.text) == 1:
                letter = word.text
            link = ""
            parts.append(Part(*found, word.start, word.end))
    if link or (not parts and text.strip()) or _chatty(parts, letter, brackets):
        return None
    return TwoDomainsText(tuple(parts), ignored=tuple(ignored))


def _chatty(parts: list[Part], letter: str, brackets: bool) -> bool:
    """Return whether it is a smiley or an abbreviation such as "B)", "b4", "m8"; `g3` is an action."""
    if not letter:
        return False
    alone = len(parts) == 1
    return (alone and brackets) or (not alone and letter != "g")


def _part(word: str, verbs: list[str], link: str) -> tuple[str, str] | None:
    if word.isdecimal():
        return ("number", str(int(word))) if len(word) <= 3 else None
    verb = _verb(word)
    if verb == "gather" and ("grow" in verbs or ("gather" in verbs and len(word) >= len(verb))):
        return "place", "gathering"  # where, not what to do
    if verb is not None:
        return "verb", verb
    if word in _PLACES:
        return "place", word
    for name, face in _FACES.items():
        if len(word) >= _FACES_SHORTEST and name.startswith(word):
            return "into" if link in ("to", "into") else "face", face
    return None


def _verb(word: str) -> str | None:
    if word in _WORDS or len(word) < 2:
        return _WORDS.get(word)
    for verb, forms in _VERBS.items():
        if any(form.startswith(word) for form in forms):
            return verb
    return None


MAX_NEAR: Final = 4
"""Maximum number of nearest legal actions in a refusal."""
_SEAT_CODES: Final = "RB"


def write(view: State, action: Action) -> str:
    """Return the action as a person would type it."""
    return f"first {_SEAT_CODES[action.n]}" if action.kind == "first" else action.text


def shortcuts(view: State, seat: int) -> tuple[Shortcut, ...]:
    """Return a button for each legal kind of action; that for growth asks which die, if several can grow."""
    legal = rules.legal(view, seat) if seat != CHANCE else ()
    growing = [action for action in legal if action.kind == "grow"]
    found = []
    if len(growing) == 1:
        at = growing[0].n
        label = msg("two_domains.shortcut.grow", at=at, face=facts.FACE_NAME[view.domains[seat][at - 1]])
        found.append(Shortcut(label, growing[0].text))
    elif growing:
        found.append(Shortcut(msg("two_domains.action.grow"), "grow"))
    found += [Shortcut(msg(f"two_domains.action.{a.kind}"), a.text) for a in legal if a.kind != "grow"]
    return tuple(found)


def named(view: State, seat: Seat, text: str) -> frozenset[Action] | Rejected:
    """Return the legal actions of the acting seat that a whole or partial text may mean."""
    found = parse(view, seat, text)
    if isinstance(found, Rejected):
        return found
    if isinstance(found, Done):
        return frozenset((found.action,))
    return frozenset(map(decode, found.choices))


def parse(view: State, seat: Seat, text: str) -> Done[Action] | Partial | Rejected:
    """Parse a text as an action of the seat. Never raises; returns Done only for a legal action."""
    if seat == CHANCE:
        return _chance(view, text)
    found = None if too_long(text) else read(text)
    if (why := rules.not_now(view, seat)) is not None:
        return Rejected(why, (0, len(text)), chat=found is None or not found.complete)
    if found is None:
        near = () if too_long(text) else nearest(text, _texts(view, seat), MAX_NEAR)
        return Rejected(msg("two_domains.refuse.unreadable"), (0, len(text)), near, chat=True)
    verbs = [part.text for part in found.of("verb")]
    if len(verbs) > 1:
        near, chat = _texts(view, seat)[:MAX_NEAR], len(set(verbs)) == 1
        return Rejected(msg("two_domains.refuse.single"), found.span, near, chat)
    if not found.parts:
        return Partial(msg("two_domains.ask.turn"), _texts(view, seat))
    if not verbs:
        return _bare(view, seat, found)
    (verb,) = verbs
    if verb == "grow":
        return _growth(view, seat, found)
    if verb == "roll":
        near = tuple(text for text in (GATHER.text, BATTLE.text) if text in _texts(view, seat))
        return Rejected(msg("two_domains.refuse.dice"), found.span, near)
    return _whole(view, seat, verb, found)


def _texts(view: State, seat: int) -> tuple[str, ...]:
    return tuple(action.text for action in rules.legal(view, seat))


def _chance(view: State, text: str) -> Done[Action] | Rejected:
    typed = text.strip().casefold()
    meant = [a for a in rules.legal(view, CHANCE) if typed in (a.text, write(view, a).casefold())]
    return Done(meant[0]) if meant else Rejected(msg("two_domains.refuse.chance"), (0, len(text)), chat=True)


def _judge(
    view: State, seat: int, action: Action, found: TwoDomainsText, span: tuple[int, int]
) -> Done[Action] | Rejected:
    why = rules.refuse(view, seat, action)
    return (
        Done(action, spans=found.covered) if why is None else Rejected(why, span, _near(view, seat, action))
    )


def _near(view: State, seat: int, wanted: Action) -> tuple[str, ...]:
    """Return the legal actions most like the wanted one: growth of the nearest dice, or other kinds first."""
    legal = rules.legal(view, seat)
    growing = [action for action in legal if action.kind == "grow"]
    others = [action for action in legal if action.kind != "grow"]
    if wanted.kind == "grow":
        growing.sort(key=lambda action: abs(action.n - wanted.n))
        return tuple(action.text for action in (*growing, *others)[:MAX_NEAR])
    return tuple(action.text for action in (*reversed(others), *growing)[:MAX_NEAR])


# --- one function per kind of action --------------------------------------------------------------------


def _whole(view: State, seat: int, verb: str, found: TwoDomainsText) -> Done[Action] | Rejected:
    """Handle gather, mobilise and battle, which need no die; if a die is named, it must be the right one."""
    action = {"gather": GATHER, "mobilise": MOBILISE, "battle": BATTLE}[verb]
    where = {"gather": (("place", "gathering"), ("number", "2")), "battle": (("place", "front"),)}.get(
        verb, ()
    )
    for part in found.of("number", "place", "face", "into"):
        if (part.kind, part.text) not in where:
            why = msg("two_domains.refuse.alone", move=action.text)
            near = (action.text,) if action.text in _texts(view, seat) else _near(view, seat, action)
            return Rejected(why, (part.start, part.end), near)
    return _judge(view, seat, action, found, found.span)


def _growth(view: State, seat: int, found: TwoDomainsText) -> Done[Action] | Partial | Rejected:
    where = found.of("number", "place", "face")
    if not where and not found.of("into"):
        choices = _growing(view, seat, frozenset(GROW))
        if choices:
            return Partial(msg("two_domains.ask.grow"), choices)
        return Rejected(msg("two_domains.refuse.nothing"), found.span, _texts(view, seat)[:MAX_NEAR])
    return _grow_one(view, seat, found, where)


def _grow_one(
    view: State, seat: int, found: TwoDomainsText, where: tuple[Part, ...]
) -> Done[Action] | Partial | Rejected:
    """Handle growth of the dice that fit all parts of the text; ask which one if there are several."""
    dice = view.domains[seat]
    means = frozenset(range(1, len(dice) + 1))
    for part in (*where, *found.of("into")):
        matching = _meant(dice, part)
        if not means & matching:
            return Rejected(
                _why_none(dice, part, bool(matching)), (part.start, part.end), _growths(view, seat)
            )
        means &= matching
    span = (where[0].start, where[-1].end) if where else found.span
    if len(means) == 1:
        return _judge(view, seat, GROW[min(means)], found, span)
    choices = _growing(view, seat, means)
    if not choices:
        return _judge(view, seat, GROW[min(means)], found, span)
    return Partial(msg("two_domains.ask.which"), choices)


def _meant(dice: str, part: Part) -> frozenset[int]:
    """Return the places that a part of the text may mean."""
    if part.kind == "number":
        wanted = {int(part.text)} & set(range(1, len(dice) + 1))
    elif part.kind == "place":
        wanted = {{"home": 1, "gathering": 2, "front": len(dice)}[part.text]}
    else:
        face = part.text if part.kind == "face" else str(int(part.text) - 1)
        wanted = {at for at, shown in enumerate(dice, 1) if shown == face}
    return frozenset(wanted)


def _why_none(dice: str, part: Part, elsewhere: bool) -> Msg:
    if part.kind == "number" and not elsewhere:
        return msg("two_domains.refuse.place", at=int(part.text), n=len(dice))
    if part.kind == "into":
        return msg("two_domains.refuse.into", into=facts.A_FACE[part.text])
    if part.kind == "face" and not elsewhere:
        return msg("two_domains.refuse.face", face=facts.FACE_NAME[part.text])
    return msg("two_domains.refuse.mismatch")


def _growing(view: State, seat: int, means: frozenset[int]) -> tuple[str, ...]:
    return tuple(a.text for a in rules.legal(view, seat) if a.kind == "grow" and a.n in means)


def _growths(view: State, seat: int) -> tuple[str, ...]:
    return (_growing(view, seat, frozenset(GROW)) or _texts(view, seat))[:MAX_NEAR]


def _bare(view: State, seat: int, found: TwoDomainsText) -> Partial | Rejected:
    """Handle a die without a verb: ask whether it is to grow if it can, else take the text as chat."""
    if len(found.parts) == 1 and found.parts[0].kind != "into":
        choices = _growing(view, seat, _meant(view.domains[seat], found.parts[0]))
        if choices:
            return Partial(msg("two_domains.ask.bare"), choices)
    near = _growths(view, seat)
    return Rejected(msg("two_domains.refuse.unreadable"), found.span, near, chat=True)
