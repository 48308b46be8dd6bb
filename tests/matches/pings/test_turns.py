"""Who waits for what after each change of a match, as its rows in the store say it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from games.engine.match import Match
from matches.log.changes import turn_changes
from matches.results import Played
from matches.store.pings import PingRow
from matches.store.rows import MatchRow, SeatRow, TurnChange
from tests.matches.world import ANN, BOB, CYD, DAN, World, opened, played

PEOPLE = (ANN, BOB, CYD, DAN)


def open_turns(rows: tuple[PingRow, ...]) -> dict[int, str]:
    """The seats that wait for something, and what."""
    return {row.seat: row.kind for row in rows if row.state != "over" and row.kind != "result"}


def wanted(match: Match) -> dict[int, str]:
    """The same by the position."""
    if match.ending:
        return {}
    found = {int(seat): "turn" for seat in match.to_act}
    if len(found) == 1 and len(match.playing) > 2:
        (seat,) = found
        after = [(seat + step) % match.setup.seats for step in range(1, match.setup.seats)]
        found[next(each for each in after if each in match.playing)] = "next"
    return found


async def test_each_position_has_its_rows(world: World) -> None:
    for game, people in (("focus", PEOPLE), ("focus", PEOPLE[:2]), ("toy", PEOPLE[:3])):
        begun = await world.match(*people, game=game, seats=len(people))
        match_id, now = begun.row.id, begun.match
        for _ in range(12):
            assert open_turns(await world.store.pings(match_id)) == wanted(now)
            if now.ending:
                break
            seat = min(now.to_act)
            mover = next(person for person in people if person.id == begun.row.seats[seat].user)
            world.clock.advance(timedelta(minutes=1))
            before = {row.seat: row for row in await world.store.pings(match_id)}
            done = await world.move(match_id, mover)
            now = done.match
            for row in await world.store.pings(match_id):
                old = before.get(row.seat)
                assert row.user == done.row.seats[row.seat].user
                kept = old is not None and old.kind == row.kind == "turn" and row.user != mover.id
                if old is not None and kept and old.state != "over" and row.state != "over":
                    assert row.turn == old.turn, "they wait as before"
                elif row.state != "over" and old is not None and old.kind != row.kind:
                    assert (row.turn, row.began) == (done.last, world.clock.now())


async def test_who_made_the_change_knows_and_nobody_else(world: World) -> None:
    begun = await world.match(ANN, BOB)
    assert [row.state for row in await world.store.pings(begun.row.id)] == ["new", "new"]
    await world.move(begun.row.id, ANN)
    ann, bob = await world.store.pings(begun.row.id)
    assert (ann.state, ann.unseen) == ("over", False)
    assert (bob.state, bob.turn, bob.alone) == ("new", begun.last, True), "all wait for Bob"
    await world.move(begun.row.id, BOB)
    ann, bob = await world.store.pings(begun.row.id)
    assert (ann.state, bob.state) == ("new", "known"), "Bob began the round"
    assert ann.turn == bob.turn > 0


async def test_the_end_is_told_to_the_others(world: World) -> None:
    begun = await world.match(ANN, BOB)
    await world.play.resign(begun.row.id, ANN.id, request=world.new)
    ann, bob = await world.store.pings(begun.row.id)
    assert [(row.kind, row.state) for row in (ann, bob)] == [("result", "over"), ("result", "new")]


async def test_talk_of_a_draw_begins_no_turn(world: World) -> None:
    begun = await world.match(ANN, BOB)
    before = await world.store.pings(begun.row.id)
    await world.play.offer_draw(begun.row.id, ANN.id, request=world.new)
    assert await world.store.pings(begun.row.id) == before


async def test_a_taken_back_move_gives_the_turn_back_without_a_ping(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    mover = ANN if begun.row.seats[min(begun.match.to_act)].user == ANN.id else BOB
    await world.move(begun.row.id, mover)
    await world.service.undo.take_back(begun.row.id, mover.id, request=world.new)
    rows = {row.user: row.state for row in await world.store.pings(begun.row.id)}
    other = BOB if mover is ANN else ANN
    assert rows == {mover.id: "known", other.id: "over"}


async def test_computers_have_no_rows(world: World) -> None:
    row = await world.open_lobby(ANN, seats=2)
    opened(await world.lobbies.add_computer(row.id, 1, request=world.new))
    begun = played(await world.lobbies.start(row.id, 1, request=world.new))
    done: tuple[Played, ...] = await world.computers.run(begun.row.id, begun.row)
    assert done
    (mine,) = await world.store.pings(row.id)
    assert (mine.user, mine.state) == (ANN.id, "new")


async def test_a_seat_that_is_to_act_begins_anew_for_its_new_holder(world: World) -> None:
    begun = await world.match(ANN, BOB, game="focus")
    row, match = begun.row, begun.match
    (seat,) = map(int, match.to_act)
    held = row.seats[seat]
    computer, person = replace(held, occupant="computer", user=None), replace(held, user=CYD.id)

    def changes(before: SeatRow, after: SeatRow, author: int | None) -> tuple[TurnChange, ...]:
        def seated(there: SeatRow) -> MatchRow:
            return replace(row, seats=tuple(there if each.seat == seat else each for each in row.seats))

        return turn_changes(seated(before), match, seated(after), match, (), author)

    mine = TurnChange(seat, CYD.id, "turn", match.seq)
    assert held.user is not None
    assert changes(held, person, None) == (mine,)
    assert changes(held, person, CYD.id) == (replace(mine, acted=True),), "who takes it knows"
    assert changes(computer, person, None) == (mine,)
    assert changes(held, computer, None) == (TurnChange(seat, held.user, "over", match.seq),)
    assert changes(held, held, None) == ()
