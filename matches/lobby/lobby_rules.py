"""The rules of a lobby as pure functions: they return the row after a change, or why it is refused.

Seats are numbered in the game's order. An invited person's seat is reserved until they decline.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from games.ai.players_by_level import Levels
from games.engine import registry
from games.engine.dice import Dice
from games.engine.game import AnyGame, Json, Option, Setup
from games.engine.message import Msg, Value, Who, msg
from matches import occupants
from matches.results import Person
from matches.standing.ratings import computer_ratings
from matches.store.rows import MatchRow, Occupant, SeatRow, Terms


def find_game(key: str) -> AnyGame | Msg:
    """Return the game with a key, or the message that there is none."""
    try:
        return registry.get(key)
    except KeyError:
        return msg("lobby.refuse.game", game=key)


def check_setup(key: str, seats: int, options: Mapping[str, Json]) -> tuple[AnyGame, Setup] | Msg:
    """Return game and setup of a match, or why it can't be set up like this."""
    game = find_game(key)
    if isinstance(game, Msg):
        return game
    if seats not in game.seats:
        return msg("lobby.refuse.seats", seats=seats, possible=tuple(game.seats))
    known = {option.key: option for option in game.options}
    for name, value in options.items():
        if name not in known:
            return msg("lobby.refuse.option", option=name)
        option = known[name]
        possible = any(type(choice) is type(value) and choice == value for choice in option.choices)
        if not possible and not (option.open and game.admits(name, value)):
            label = msg(f"{key}.option.{name}")
            listed = tuple(game.choice(name, choice) for choice in option.choices)
            return msg("lobby.refuse.choice", option=label, choices=listed)
    setup = game.setup(seats, options)
    return game.refuse_setup(setup) or (game, setup)


def options_for(game: AnyGame, seats: int) -> tuple[Option, ...]:
    """Return the options that apply with n seats."""
    return tuple(option for option in game.options if not option.seats or seats in option.seats)


def smallest_seat_count(game: AnyGame, people: int) -> int:
    """Return the smallest number of seats for n people, or the game's largest if none is enough."""
    return next((seats for seats in game.seats if seats >= people), game.seats[-1])


def initial_seats(
    host: Person, invited: Sequence[Person], seats: int, out: Mapping[int, str] | None = None
) -> tuple[SeatRow, ...] | Msg:
    """Return the seats of a new lobby: the host first, then those invited, in their order.

    `out` are seats that no longer play in the position in which the match begins, with the level of the
    computer that fills each of them.
    """
    out = out or {}
    guests = {guest.id: guest for guest in invited}
    if host.id in guests:
        return msg("lobby.refuse.invite_self")
    free = [seat for seat in range(seats) if seat not in out]
    if len(guests) >= len(free):
        return msg("lobby.refuse.invited", invited=len(guests), seats=len(free))
    rows = {seat: SeatRow(seat, "open") for seat in free}
    rows |= {seat: SeatRow(seat, "computer", level=level) for seat, level in out.items()}
    rows[free[0]] = occupants.occupied_seat(free[0], host)
    for seat, who in zip(free[1:], guests.values(), strict=False):
        rows[seat] = occupants.occupied_seat(seat, who, "invited")
    return tuple(rows[seat] for seat in range(seats))


def join(row: MatchRow, who: Person, seat: int | None) -> MatchRow | Msg:
    """Take a seat: the one asked for, else the one reserved for the person, else the first free one."""
    if occupants.seat_of(row, who.id) is not None:
        return msg("lobby.refuse.seated")
    kept = occupants.seat_of(row, who.id, "invited")
    taken = kept if seat is None and kept is not None else _choose(row, seat, kept)
    if isinstance(taken, Msg):
        return taken
    given_back = {} if kept is None else {kept: SeatRow(kept, "open")}
    return _with_seats(row, given_back | {taken: occupants.occupied_seat(taken, who)})


def invite(row: MatchRow, guests: Sequence[Person]) -> MatchRow | Msg:
    """Keep a free seat for each guest, in their order; refuse if one is there already, or seats are short."""
    guests = list({guest.id: guest for guest in guests}.values())
    known = {seat.user: seat.seat for seat in row.seats if seat.user is not None}
    if there := tuple(Who(known[guest.id]) for guest in guests if guest.id in known):
        return msg("lobby.refuse.there", n=len(there), who=there)
    free = [seat.seat for seat in row.seats if seat.occupant == "open"]
    if not free and isinstance(full := _first_free(row), Msg):
        return full
    if len(guests) > len(free):
        return msg("lobby.refuse.guests", n=len(free))
    return _with_seats(
        row, {n: occupants.occupied_seat(n, who, "invited") for n, who in zip(free, guests, strict=False)}
    )


def leave(row: MatchRow, who: int) -> MatchRow | Msg:
    """Give up a seat or an invitation. If the host leaves, the next person becomes host.

    The lobby closes if no person is left, and in direct messages, where it is in the host's own channel.
    """
    seat = occupants.seat_of(row, who)
    if seat is None:
        seat = occupants.seat_of(row, who, "invited")
    if seat is None:
        return msg("lobby.refuse.not_seated")
    row = _with_seats(row, {seat: SeatRow(seat, "open")})
    if who != row.host:
        return row
    heir = next((s.user for s in row.seats if s.occupant == "person" and s.user is not None), None)
    if heir is None or row.place.guild is None:
        return close(row)
    return replace(row, host=heir)


def close(row: MatchRow) -> MatchRow:
    """Close a lobby for good."""
    return replace(row, status="closed", lobby=replace(row.lobby, expires=None))


def add_computer(row: MatchRow, level: str, seat: int | None, levels: Levels) -> MatchRow | Msg:
    """Seat a computer player of a level."""
    if not levels.has(row.game, level):
        return refuse_level(row, levels)
    taken = _choose(row, seat)
    if isinstance(taken, Msg):
        return taken
    return _with_seats(row, {taken: SeatRow(taken, "computer", level=level)})


def refuse_level(row: MatchRow, levels: Levels) -> Msg:
    """Return the answer to a level that doesn't exist: those that the game offers."""
    return msg("lobby.refuse.level", levels=tuple(msg(f"ai.level.{name}") for name in levels.names(row.game)))


def remove(row: MatchRow, seat: int) -> MatchRow | Msg:
    """Clear a seat of a person, an invitation or a computer; the host's own only by `leave`."""
    if (why := _refuse_missing(row, seat)) is not None:
        return why
    if row.seats[seat].occupant == "open":
        return msg("lobby.refuse.empty", seat=Who(seat))
    if row.seats[seat].user == row.host:
        return msg("lobby.refuse.remove_self")
    return _with_seats(row, {seat: SeatRow(seat, "open")})


def swap(row: MatchRow, a: int, b: int) -> MatchRow | Msg:
    """Swap the occupants of two seats; either may be empty."""
    if (why := _refuse_missing(row, a) or _refuse_missing(row, b)) is not None:
        return why
    if a == b:
        return msg("lobby.refuse.same")
    return _with_seats(row, {a: replace(row.seats[b], seat=a), b: replace(row.seats[a], seat=b)})


def configure(row: MatchRow, seats: int | None, options: Mapping[str, Json]) -> MatchRow | Msg:
    """Change the number of seats, options or both; only open seats are removed.

    Options that don't apply to both the old and the new number of seats get their usual values. The position
    in which a match begins fixes both.
    """
    if row.provenance.origin is not None:
        return msg("lobby.refuse.origin", match=row.provenance.origin.match)
    count = len(row.seats) if seats is None else seats
    game = find_game(row.game)
    if isinstance(game, Msg):
        return game
    before = set(options_for(game, len(row.seats)))
    fitting = {option.key for option in options_for(game, count) if option in before}
    kept = {key: value for key, value in row.options.items() if key in fitting}
    judged = check_setup(row.game, count, {**kept, **options})
    if isinstance(judged, Msg):
        return judged
    _, setup = judged
    left = list(row.seats)
    for seat in reversed(row.seats):
        if len(left) > count and seat.occupant == "open":
            left.remove(seat)
    if len(left) > count:
        return msg("lobby.refuse.crowded", taken=len(left), seats=count)
    left += [SeatRow(0, "open")] * (count - len(left))
    numbered = tuple(replace(seat, seat=number) for number, seat in enumerate(left))
    return replace(row, seats=numbered, options=dict(setup.options))


def ready(row: MatchRow) -> tuple[AnyGame, Setup] | Msg:
    """Return game and setup of a match that can start, or who is missing."""
    if missing := sum(seat.occupant == "open" for seat in row.seats):
        return msg("lobby.refuse.not_full", n=missing)
    if waiting := _names(row, "invited"):
        return msg("lobby.refuse.waiting", who=waiting)
    return setup_of(row)


def setup_of(row: MatchRow) -> tuple[AnyGame, Setup] | Msg:
    """Return game and setup of a match, or why it can't be set up; an origin fixes the rules' version."""
    judged = check_setup(row.game, len(row.seats), row.options)
    if isinstance(judged, Msg) or row.provenance.origin is None:
        return judged
    game, setup = judged
    setup = replace(setup, rules=row.provenance.origin.rules)
    return game.refuse_setup(setup) or (game, setup)


def draws_lots(row: MatchRow, game: AnyGame, setup: Setup) -> bool:
    """Return whether seats are drawn by lot: a rematch rotates them, and a position keeps them."""
    return game.seats_by_lot(setup) and row.provenance.previous is None and row.provenance.origin is None


def shuffled_seats(row: MatchRow, dice: Dice) -> tuple[SeatRow, ...]:
    """Return the seats with their occupants shuffled."""
    order = dice.shuffled(range(len(row.seats)))
    return tuple(replace(row.seats[other], seat=number) for number, other in enumerate(order))


def _choose(row: MatchRow, seat: int | None, kept: int | None = None) -> int | Msg:
    """Return the seat asked for, or the first free one; the reserved seat `kept` counts as free."""
    if seat is None:
        return _first_free(row)
    why = _refuse_missing(row, seat)
    if why is None and seat != kept:
        why = _refuse_taken(row.seats[seat])
    return seat if why is None else why


def _first_free(row: MatchRow) -> int | Msg:
    free = next((seat.seat for seat in row.seats if seat.occupant == "open"), None)
    if free is not None:
        return free
    if kept := _names(row, "invited"):
        return msg("lobby.refuse.kept", who=kept)
    return msg("lobby.refuse.full")


def _names(row: MatchRow, occupant: Occupant) -> tuple[Value, ...]:
    return tuple(Who(seat.seat) for seat in row.seats if seat.occupant == occupant)


def _refuse_missing(row: MatchRow, seat: int) -> Msg | None:
    return None if 0 <= seat < len(row.seats) else msg("lobby.refuse.seat", seats=len(row.seats))


def _refuse_taken(seat: SeatRow) -> Msg | None:
    match seat.occupant:
        case "open":
            return None
        case "invited":
            return msg("lobby.refuse.kept", who=(Who(seat.seat),))
        case _:
            return msg("lobby.refuse.taken", who=Who(seat.seat))


def _with_seats(row: MatchRow, seats: Mapping[int, SeatRow]) -> MatchRow:
    return replace(row, seats=tuple(seats.get(seat.seat, seat) for seat in row.seats))


def set_rated(row: MatchRow, rated: bool) -> MatchRow | Msg:
    """Return a lobby whose match is rated or friendly; refused once someone has joined what it was."""
    if rated != bool(row.conditions.rated) and any(seat.user not in (None, row.host) for seat in row.seats):
        return msg("lobby.refuse.rated")
    rated = rated and row.provenance.origin is None
    return replace(row, conditions=replace(row.conditions, rated=rated))


def set_terms(row: MatchRow, terms: Terms) -> MatchRow | Msg:
    """Return a lobby for those who fit these terms; refused for terms that nobody can fit."""
    if not 0 <= terms.kept <= 100:
        return msg("lobby.refuse.terms_kept")
    if terms.least < 0 or terms.most < 0 or 0 < terms.most < terms.least:
        return msg("lobby.refuse.terms_ratings")
    return replace(row, lobby=replace(row.lobby, terms=terms))


def is_rated(row: MatchRow) -> bool:
    """Return whether the match of a lobby counts for ratings if it starts now.

    Each computer in it has to have a measured strength.
    """
    return bool(row.conditions.rated) and len(strengths_of(row)) == sum(
        seat.occupant == "computer" for seat in row.seats
    )


def strengths_of(row: MatchRow) -> dict[str, tuple[int, int]]:
    """Return the strengths of the computers in a match, by seat, as the log of a rated one notes them."""
    family = registry.get(row.game).family(len(row.seats), row.options)
    measured = computer_ratings(row.game, family)
    return {
        str(seat.seat): (measured[seat.level].mu, measured[seat.level].sigma)
        for seat in row.seats
        if seat.occupant == "computer" and seat.level in measured
    }


def prepare(
    host: Person,
    key: str,
    seats: int | None,
    options: Mapping[str, Json],
    invited: Sequence[Person],
    out: Mapping[int, str],
) -> tuple[AnyGame, Setup, tuple[SeatRow, ...]] | Msg:
    """Return game, setup and seats of a new lobby, or why not; `out` are levels of seats that are out."""
    game = find_game(key)
    if isinstance(game, Msg):
        return game
    count = smallest_seat_count(game, 1 + len({guest.id for guest in invited})) if seats is None else seats
    judged = check_setup(key, count, options)
    seated = initial_seats(host, invited, count, out)
    if isinstance(judged, Msg):
        return judged
    return seated if isinstance(seated, Msg) else (*judged, seated)


def check_start(row: MatchRow, who: int) -> tuple[AnyGame, Setup] | Msg:
    """Return game and setup of the match that a person may start now, or why they can't."""
    if (why := occupants.why_not_open(row)) is not None:
        return why
    return ready(row) if who == row.host else msg("lobby.refuse.host")


def salt(request: str, row: MatchRow) -> str:
    """Return the public salt, which the host can't choose: the starting request and the kinds of players.

    It stays in the log and in records for good, so it has no ids of people.
    """
    plain = "".join(char for char in request if char.isprintable())
    seated = ",".join(seat.level or seat.occupant for seat in row.seats)
    return f"{plain}:{seated}"
