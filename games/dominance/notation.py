"""Actions as people type them: `+a1` spawns a piece, `c3-d4` moves one. Attacks have no own notation.

A text is split into parts, which are matched with the legal actions; only `rules.refuse` decides legality.
Parts are spaces, links between them, the verbs spawn and move, and a few ignored words. Any other word or
character makes the whole text chat: a remark about d4 is not an action.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from games.dominance import rules
from games.dominance.actions import Action, Move, Spawn, move, spawn
from games.dominance.board import BIT, BOARDS, iter_bits
from games.dominance.rules import State
from games.engine import space_notation
from games.engine.game import Done, Partial, Rejected, Shortcut
from games.engine.message import Msg, msg
from games.engine.notation import Word, too_long
from games.engine.space_notation import (
    DECORATION,
    LINK_CHARACTERS,
    LINKS,
    Part,
    Parts,
    mentioned_spaces,
    precedes,
    prefixed_space,
)

_SPAWNS: Final = frozenset(("+", "s", "sp", "spawn", "spawns", "enter", "place", "put", "add", "drop"))
_MOVES: Final = frozenset(("move", "moves", "mv", "step"))
_FILLERS: Final = frozenset(("i", "my", "the", "a", "from", "play", "plays", "please", "pls", "piece", "new"))
_PREFIXES: Final = {"x": "l", "to": "l", "s": "v"}
"""Words that may be joined to a space's letter, and their kind of part: `c3xd4`, `sa1`."""
_LETTERS: Final = frozenset("abcdefghi")
"""Letters of the largest board's rows or files."""
_NONE: Final[frozenset[str]] = frozenset()
_DIGITS: Final = frozenset("123456789")


@dataclass(frozen=True, slots=True)
class DominanceText(space_notation.ParsedText):
    """A scanned text; kind `v` is the verb spawn, `m` the verb move."""

    @property
    def shape(self) -> str:
        """The kinds of the parts: `sls` for "c3-d4"; the verb move before a space is dropped."""
        kinds = "".join(part.kind for part in self.parts)
        return kinds[1:] if kinds.startswith("ms") else kinds


def read(text: str) -> DominanceText | None:
    """Return the parts of a text; None for chat. An empty text has no parts."""
    found = space_notation.stripped_words(text)
    scanned = space_notation.scan(found, _LETTERS, _part)
    if scanned is None:
        return None
    parts, ignored = scanned
    if found and (not parts or parts[0].kind == "h"):
        return None
    if len(parts) == 1 and (parts[0].text == "s" or (parts[0].kind == "m" and len(found) > 1)):
        return None
    if len(parts) == 2 and parts[0].kind in "vm" and parts[1].text.isdecimal():
        return None  # "+1" is a way to agree in chat
    return DominanceText(tuple(parts), ignored=ignored)


def _part(word: Word, follower: Word | None, before: list[Part]) -> Parts:
    """Return the parts that begin at a word (None if it is not a part), and the number of words they take."""
    text = word.text
    if text in LINK_CHARACTERS or text in LINKS:
        return [Part("l", text, word.start, word.end)], 1
    if text in _SPAWNS:
        return [Part("v", text, word.start, word.end)], 1
    if text in _MOVES:
        return [Part("m", text, word.start, word.end)], 1
    if text in DECORATION or (text in _FILLERS and (text not in _LETTERS or precedes(follower))):
        return [], 1
    if before and (text in _LETTERS or text in _DIGITS):
        return [Part("h", text, word.start, word.end)], 1
    return prefixed_space(word, follower, _PREFIXES, _NONE if text[0] == "s" else _LETTERS)  # "si" is a word


MAX_NEAR: Final = 4
"""Maximum number of nearest legal actions in a refusal."""
_PASS: Final = ("pass", "skip")


def parse(view: State, seat: int, text: str) -> Done[Action] | Partial | Rejected:
    """Parse a text as an action of the seat. Never raises; returns Done only for a legal action."""
    found = None if too_long(text) else read(text)
    if view.ended is not None or view.turn != seat:
        why = rules.refuse(view, seat, move("", "")) or msg("dominance.refuse.over")
        return Rejected(why, (0, len(text)), chat=found is None or not found.complete)
    if found is None:
        return _chat(view, seat, text)
    shape = found.shape
    if shape == "":
        return Partial(_instructions(view, seat), tuple(a.text for a in rules.legal(view, seat)))
    if shape in ("ss", "sls"):
        return _judge(view, seat, move(found.spaces[0].text, found.spaces[1].text), found)
    if shape in ("vs", "vls"):
        return _judge(view, seat, spawn(found.spaces[0].text), found)
    if shape == "s":
        return _one_space(view, seat, found)
    if shape in ("sl", "slh", "sh"):
        return _from(view, seat, found)
    if shape in ("v", "vl", "vh", "vlh"):
        return _which_spawn(view, seat, found)
    if shape in ("m", "ml", "mls"):
        return _which_move(view, seat, found)
    return Rejected(msg("dominance.refuse.single"), found.span, chat=shape.count("s") < 3)


def _instructions(view: State, seat: int) -> Msg:
    legal, pool = rules.legal(view, seat), view.pools[seat]
    example = next((action.text for action in legal if isinstance(action, Move)), None)
    spawned = next((action.text for action in legal if isinstance(action, Spawn)), None)
    if example is None:
        return msg("dominance.ask.first", spawn=spawned or "")
    if spawned is None:
        return msg("dominance.ask.move", move=example)
    return msg("dominance.ask.turn", move=example, n=pool, spawn=spawned)


def _chat(view: State, seat: int, text: str) -> Rejected:
    """Reject a text that is no action; near actions are those with the spaces that it mentions."""
    if text.strip().strip(".!").casefold() in _PASS:
        some = tuple(a.text for a in rules.legal(view, seat)[:MAX_NEAR])
        return Rejected(msg("dominance.refuse.pass"), (0, len(text)), some)
    board = BOARDS[view.board]
    named = [] if too_long(text) else [s for s in mentioned_spaces(text) if BIT.get(s, 0) & board.spaces]
    near: tuple[str, ...] = ()
    if len(named) > 1:
        near = _near(view, seat, move(named[0], named[1]))
    elif named:
        near = tuple(a.text for a in rules.legal(view, seat) if named[0] in a.text)
    why = msg("dominance.refuse.unreadable", move=rules.legal(view, seat)[0].text)
    return Rejected(why, (0, len(text)), near[:MAX_NEAR], chat=True)


# --- whole actions ------------------------------------------------------------------------------------


def _judge(view: State, seat: int, action: Action, found: DominanceText) -> Done[Action] | Rejected:
    why = rules.refuse(view, seat, action)
    if why is None:
        return Done(action, spans=found.covered)
    # Two spaces that aren't on the board mean something else, such as a version or a score.
    stray = isinstance(action, Move) and not (action.src | action.dst) & BOARDS[view.board].spaces
    return Rejected(why, _blamed(why, found), _near(view, seat, action), chat=stray)


def _blamed(why: Msg, found: DominanceText) -> tuple[int, int]:
    """Return the span of the text that the reason is about: the last space it names, else all of it."""
    values = dict(why.values)
    wrong = values.get("target", values.get("space"))
    for space in reversed(found.spaces):
        if space.text == wrong:
            return space.start, space.end
    return found.span


def _near(view: State, seat: int, wanted: Action) -> tuple[str, ...]:
    """Return the legal actions most like the wanted one: by kind, then nearest source, then target."""
    neighbours = BOARDS[view.board].neighbours
    start = _distances(neighbours, wanted.src) if isinstance(wanted, Move) else {}
    goal = _distances(neighbours, wanted.dst)

    def unlike(action: Action) -> tuple[bool, int, int]:
        far = start.get(action.src, 99) if isinstance(action, Move) else 0
        return type(action) is not type(wanted), far, goal.get(action.dst, 99)

    return tuple(action.text for action in sorted(rules.legal(view, seat), key=unlike)[:MAX_NEAR])


def _distances(neighbours: Mapping[int, int], start: int) -> dict[int, int]:
    """Return the number of steps from a space to every other; empty if `start` isn't on the board."""
    if start not in neighbours:
        return {}
    steps = {start: 0}
    queue = [start]
    for at in queue:
        for bit in iter_bits(neighbours[at]):
            if bit not in steps:
                steps[bit] = steps[at] + 1
                queue.append(bit)
    return steps


# --- half actions -------------------------------------------------------------------------------------


def _one_space(view: State, seat: int, found: DominanceText) -> Done[Action] | Partial | Rejected:
    """Handle a single space: a spawn if it is a spawn space, else moves of the piece there."""
    space = found.spaces[0]
    bit = BIT.get(space.text, 0)
    only_spawn = bit & BOARDS[view.board].spawns & ~view.men[seat]
    if only_spawn and view.pools[seat] and found.parts[0].kind == "s":
        return _judge(view, seat, spawn(space.text), found)
    return _from(view, seat, found)


def _from(view: State, seat: int, found: DominanceText) -> Done[Action] | Partial | Rejected:
    """Handle a piece and perhaps half a target; if only one move fits, that is the move."""
    source, last = found.spaces[0].text, found.parts[-1]
    prefix = last.text if last.kind == "h" else ""
    fitting = [
        action
        for action in rules.legal(view, seat)
        if isinstance(action, Move) and action.source == source and prefix in action.target
    ]
    if len(fitting) == 1 and found.shape == "slh":
        return Done(fitting[0], spans=found.covered)
    if fitting:
        return Partial(msg("dominance.ask.from", space=source), tuple(action.text for action in fitting))
    stay = move(source, source)
    why = rules.refuse(view, seat, stay)
    if why is None or why.key == "dominance.refuse.stay":
        why = msg("dominance.refuse.nowhere", space=source)
    stray = found.shape == "sh" or (found.shape == "s" and why.key == "dominance.refuse.space")
    return Rejected(why, _blamed(why, found), _near(view, seat, stay), chat=stray)


def _which_spawn(view: State, seat: int, found: DominanceText) -> Partial | Rejected:
    """Handle the verb spawn, alone or with the letter of a space."""
    last = found.parts[-1]
    prefix = last.text if last.kind == "h" else ""
    spawns = [action for action in rules.legal(view, seat) if isinstance(action, Spawn)]
    fitting = tuple(action.text for action in spawns if prefix in action.target)
    if fitting:
        return Partial(msg("dominance.ask.spawn"), fitting)
    near = tuple(action.text for action in (spawns or rules.legal(view, seat))[:MAX_NEAR])
    if not view.pools[seat]:
        return Rejected(msg("dominance.refuse.pool"), found.span, near)
    if spawns:
        return Rejected(msg("dominance.refuse.no_spawn_there", part=prefix), found.span, near)
    return Rejected(msg("dominance.refuse.no_spawn_now"), found.span, near)


def _which_move(view: State, seat: int, found: DominanceText) -> Partial | Rejected:
    """Handle the verb move, alone or with a target."""
    goal = found.spaces[0].text if found.spaces else ""
    moves = [action for action in rules.legal(view, seat) if isinstance(action, Move)]
    fitting = tuple(action.text for action in moves if goal in ("", action.target))
    if fitting:
        return Partial(msg("dominance.ask.which"), fitting)
    near = _near(view, seat, move("", goal))
    if not view.men[seat]:
        return Rejected(msg("dominance.refuse.none_in_play"), found.span, near)
    if moves:
        return Rejected(msg("dominance.refuse.unreachable", space=goal), found.span, near)
    return Rejected(msg("dominance.refuse.no_move_now"), found.span, near)


# --- buttons ------------------------------------------------------------------------------------------


def shortcuts(view: State, seat: int) -> tuple[Shortcut, ...]:
    """Return a button for each legal kind of action; it asks which action unless there is only one."""
    found = []
    for kind, verb, label in _BUTTONS:
        if texts := [action.text for action in rules.legal(view, seat) if isinstance(action, kind)]:
            found.append(Shortcut(label, texts[0] if len(texts) == 1 else verb))
    return tuple(found)


_BUTTONS: Final = (
    (Spawn, "spawn", msg("dominance.button.spawn")),
    (Move, "move", msg("dominance.button.move")),
)
