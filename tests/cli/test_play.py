"""The table in the terminal, driven through stdin as a script would: same parser, same answers, same log."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.engine.match import Kind
from games.engine.record import Record, read
from tests.cli.conftest import Run

SEED = "01"  # Green begins


def play(run: Run, *lines: str, args: tuple[str, ...] = ()) -> str:
    result = run("play", "focus", "--seed", SEED, *args, stdin="".join(line + "\n" for line in lines))
    assert result.exit_code == 0, result.output
    return result.output


def saved(run: Run, path: Path, *lines: str, args: tuple[str, ...] = ()) -> Record:
    output = play(run, *lines, f"save {path}", args=args)
    assert f"Saved {path}" in output
    return read(path.read_text(encoding="utf-8"))


def plays(record: Record) -> list[str]:
    return [entry.data for entry in record.entries if entry.kind is Kind.PLAY]


def test_a_seed_makes_the_same_match(run: Run) -> None:
    assert play(run, "b2-b3", "quit") == play(run, "b2-b3", "quit")


def test_moves_are_read_leniently_and_the_board_answers(run: Run, tmp_path: Path) -> None:
    record = saved(run, tmp_path / "a", "B2 to b3", "d2d3")
    assert plays(record) == ["b2-b3", "d2-d3"]
    before, after = play(run, "b2-b3").split("Green> b2-b3\n")
    assert "Green to move" in before
    assert "b2-b3: pile of 2" in after
    assert "Red to move" in after


def test_half_a_move_is_asked_about(run: Run) -> None:
    output = play(run, "b2", "quit")
    assert "b2-b3" in output
    assert "b2-c2" in output


def test_a_wrong_move_is_pointed_at_and_changes_nothing(run: Run, tmp_path: Path) -> None:
    output = play(run, "b2-b9", "quit")
    wrong = output.splitlines().index("Green> b2-b9")
    assert output.splitlines()[wrong + 1].strip() == "^^"
    assert output.splitlines()[wrong + 1].index("^") == len("Green> b2-")
    assert "`" not in output
    assert plays(saved(run, tmp_path / "a", "b2-b9", "nonsense", "", "?")) == []


def test_trying_plays_nothing(run: Run, tmp_path: Path) -> None:
    assert "nothing was played" in play(run, "?b2-b3", "quit")
    assert plays(saved(run, tmp_path / "a", "? b2-b3")) == []


def test_a_try_shows_no_draw_of_what_is_to_come(run: Run) -> None:
    done = run("play", "two-domains", "--seed", SEED, stdin="? gather\ngather\nquit\n")
    tried, played = done.output.split("Preview only: nothing was played.")
    assert "gathers\n" in tried
    assert "rolls" not in tried
    assert "rolls 5" in played


def test_legal_moves_are_listed_by_their_beginning(run: Run) -> None:
    assert "68 legal moves" in play(run, "moves", "quit")
    assert "2 legal moves\nb2-b3  b2-c2" in play(run, "moves B2", "quit")


def test_undo_goes_back_move_by_move(run: Run, tmp_path: Path) -> None:
    output = play(run, "b2-b3", "d2-d3", "undo", "undo", "undo", "quit")
    assert "Red takes back" in output
    assert "Green takes back" in output
    assert "There is no move to take back." in output
    record = saved(run, tmp_path / "a", "b2-b3", "undo", "c2-c3")
    assert [entry.kind for entry in record.entries][2:] == [Kind.PLAY, Kind.TAKEBACK, Kind.PLAY]


def test_a_draw_wants_everybody(run: Run) -> None:
    declined = play(run, "draw", "no", "quit")
    assert "Red, do you agree to a draw?" in declined
    assert "declines" in declined
    agreed = play(run, "draw", "yes", "quit")
    assert "1. Red" in agreed
    assert "1. Green" in agreed


def test_a_draw_that_nobody_answers_is_declined(run: Run) -> None:
    assert "declines" in play(run, "draw")


def test_resigning_ends_it_and_it_can_still_be_saved(run: Run, tmp_path: Path) -> None:
    record = saved(run, tmp_path / "a", "resign", "b2-b3", "board")
    assert record.match.ending is not None
    assert record.entries[-1].kind is Kind.REVEAL
    output = play(run, "resign", "b2-b3", "quit")
    assert "1. Red\n2. Green" in output
    assert "The match is over." in output


def test_nothing_is_overwritten(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("precious")
    assert "already exists" in play(run, f"save {path}", "save", "quit")
    sealed = "; the secret of the dice stays sealed until the end."
    assert f"Saved {tmp_path / 'b'}{sealed}" in play(run, f"save {tmp_path / 'b'}", "quit")
    assert f"Saved {tmp_path / 'c'}.\n" in play(run, "resign", f"save {tmp_path / 'c'}", "quit")
    assert path.read_text() == "precious"
    assert "can't be written" in play(run, f"save {tmp_path / 'no' / 'folder'}", "quit")


def test_help_names_every_word(run: Run) -> None:
    output = play(run, "help", "quit")
    for word in ("board", "moves", "odds", "undo", "draw", "resign", "save", "quit"):
        assert f"  {word} " in output


def test_the_computer_answers(run: Run, tmp_path: Path) -> None:
    record = saved(run, tmp_path / "a", "b2-b3", "moves", args=("--computer", "red"))
    assert len(plays(record)) == 2
    assert record.headers["Seat 1"] == "Red (computer)"


def test_the_computer_may_begin_and_answers_a_draw(run: Run) -> None:
    output = play(run, "draw", "quit", args=("--computer", "1"))
    assert "draw" in output
    assert "do you agree" not in output


def test_computers_play_a_match_out_among_themselves(run: Run, tmp_path: Path) -> None:
    record = saved(run, tmp_path / "a", args=("--computer", "r", "--computer", "g"))
    assert record.match.ending is not None


@pytest.mark.parametrize(
    ("seats", "names"), [(3, {"Red", "Green", "Blue"}), (4, {"Red", "Green", "Blue", "Yellow"})]
)
def test_everybody_has_their_turn(run: Run, tmp_path: Path, seats: int, names: set[str]) -> None:
    output = play(run, *["moves"] * 3, "quit", args=("--seats", str(seats)))
    first = output.partition("> moves")[0].split()[-1]
    assert first in names
    passed = play(run, "resign", "quit", args=("--seats", str(seats)))
    second = passed.rpartition("> quit")[0].split()[-1]
    assert second in names - {first}


def test_options_are_the_games(run: Run, tmp_path: Path) -> None:
    record = saved(run, tmp_path / "a", args=("--seats", "4", "--option", "partners"))
    assert record.match.setup.options["partners"] is True


def test_a_seat_that_is_not_there_is_refused(run: Run) -> None:
    result = run("play", "focus", "--computer", "purple")
    assert result.exit_code == 2
    assert "There is no seat 'purple'" in result.output


def test_a_game_with_hidden_cards_shows_each_player_their_own(run: Run) -> None:
    result = run("play", "toy", "--seed", SEED, stdin="moves\nquit\n")
    assert result.exit_code == 0, result.output
    assert "legal moves" in result.output


def test_the_chances_are_told_exactly(run: Run) -> None:
    output = run("play", "toy", "--seed", SEED, stdin="odds\nodds highest\nodds card 99\nquit\n").output
    everything, one, wrong = output.split("> odds")[1:]
    assert everything.count("   2/3   66.7%  two or three steps, if it is the highest") == 3
    assert one.count("2/3") == 1
    assert "You don't hold 99." in wrong
    assert "card " in wrong
    assert "No dice are involved" in play(run, "odds", "quit")


def test_shortcuts_stand_under_the_board(run: Run) -> None:
    output = run("play", "toy", "--seed", SEED, stdin="lowest\nquit\n").output
    assert output.count("highest: Highest card  lowest: Lowest card  card: Card") == 2
    assert "has put down a card" in output
    over = run("play", "toy", "--seed", SEED, stdin="resign\nboard\nquit\n").output
    assert over.count("highest: Highest card") == 1


def test_a_move_that_may_be_regretted_is_asked_about(run: Run) -> None:
    first = run("play", "toy", "--seed", SEED, stdin="moves\nquit\n").output
    low, middle, high = sorted({int(card) for card in re.findall(r"card (\d+)", first)})
    assert low < middle < high
    script = f"card {middle}\nno\ncard {middle}\nyes\nquit\n"
    output = run("play", "toy", "--seed", SEED, stdin=script).output
    assert output.count("Play it? (yes/no)") == 2
    assert output.count("has put down a card") == 1


def test_orders_behind_a_move_are_carried_out_or_named(run: Run) -> None:
    output = run("play", "toy", "--seed", SEED, stdin="lowest\nlowest ! lowest\nquit\n").output
    assert output.count("has put down a card") == 3, "the second player's next card lies already"
    output = run("play", "toy", "--seed", SEED, stdin="lowest\nlowest ! card 99\nquit\n").output
    assert output.count("has put down a card") == 2
    assert "card 99: You don't hold 99." in output
