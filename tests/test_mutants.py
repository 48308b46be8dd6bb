"""The tool that plants faults: what it changes, what it says, and that it leaves nothing behind."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from random import Random

import pytest

from tests import mutants, mutations

RULES = '''
"""Rules."""
MOST: int = 3

def judge(n: int, names: list[str]) -> str:
    """Judge."""
    if n < 1 or not names:
        return "few"
    for name in names:
        if name:
            continue
        n += len(name)
    n = n - 1
    n = round(-n / 2.0)
    print(f"{n + 1}")
    return "fine" if n == MOST else "many"
'''
CHANGES = """
MOST: int = 3 > MOST: int = 4
MOST: int = 3 > MOST: int = 2
if n < 1 or not names: > if (n < 1 and (not names)):
if n < 1 or not names: > if (n < 1):
if n < 1 or not names: > if (not names):
if n < 1 or not names: > if (n <= 1) or not names:
if n < 1 or not names: > if (n >= 1) or not names:
if n < 1 or not names: > if n < 0 or not names:
if n < 1 or not names: > if n < 2 or not names:
if n < 1 or not names: > if n < 1 or (names):
return "few" > pass
if name: > if (not name):
continue > break
continue > pass
n += len(name) > pass
n = n - 1 > pass
n = n - 1 > n = (n + 1)
n = n - 1 > n = n - 0
n = n - 1 > n = n - 2
n = n - 1 n = round(-n / 2.0) > n = round(-n / 2.0); n = n - 1
n = round(-n / 2.0) > pass
n = round(-n / 2.0) > n = round((n) / 2.0)
n = round(-n / 2.0) > n = round((-n * 2.0))
n = round(-n / 2.0) > n = round(-n / 1.0)
n = round(-n / 2.0) > n = round(-n / 4.0)
n = round(-n / 2.0) print(f"{n + 1}") > print(f'{n + 1}'); n = round(-n / 2.0)
print(f"{n + 1}") > pass
return "fine" if n == MOST else "many" > return "fine" if (n != MOST) else "many"
"""
MORE_RULES = """
def turn(state: State, seat: int, other: int) -> State:
    if state.over:
        raise ValueError
        print()
    a = state.by(seat, other)
    b = min(x for x in a if x)
    shown(a[seat:])
    told(b)
    return state._replace(at=seat, by=a in (seat, b))
"""
MORE_CHANGES = """
if state.over: > if (not state.over):
raise ValueError > pass
print() > pass
a = state.by(seat, other) > a = (state.by(other, seat))
b = min(x for x in a if x) > b = (max)(x for x in a if x)
b = min(x for x in a if x) > b = min(x for x in a if True)
shown(a[seat:]) > pass
shown(a[seat:]) > shown(a[:])
shown(a[seat:]) told(b) > told(b); shown(a[seat:])
told(b) > pass
return state._replace(at=seat, by=a in (seat, b)) > return (state._replace(at=seat))
return state._replace(at=seat, by=a in (seat, b)) > return (state._replace(by=a in (seat, b)))
return state._replace(at=seat, by=a in (seat, b)) > return state._replace(at=seat, by=(a in (b,)))
return state._replace(at=seat, by=a in (seat, b)) > return state._replace(at=seat, by=(a in (seat,)))
return state._replace(at=seat, by=a in (seat, b)) > return state._replace(at=seat, by=(a not in (seat, b)))
"""


@pytest.mark.parametrize(("rules", "changes"), [(RULES, CHANGES), (MORE_RULES, MORE_CHANGES)])
def test_each_sort_of_change_is_made(tmp_path: Path, rules: str, changes: str) -> None:
    (tmp_path / "rules.py").write_text(rules, "utf-8")
    found = [each.lines(tmp_path) for each in mutations.mutants_of("rules.py", tmp_path)]
    assert sorted(f"{before} > {after}" for _, before, after in found) == sorted(changes.split("\n")[1:-1])
    lines = rules.split("\n")
    assert all(before.startswith(lines[number - 1].strip()) for number, before, _ in found)


@pytest.mark.slow
@pytest.mark.parametrize("room", mutants.TESTS)
def test_rooms_have_sources_and_tests_and_their_mutants_are_python(room: str) -> None:
    for line in mutants.tests_of(room):
        assert all((mutants.ROOT / word).exists() for word in line.split() if word.startswith("tests/"))
    paths = mutants.files_of(room, mutants.ROOT)
    random = Random(room)
    some = [mutations.mutants_of(path, mutants.ROOT) for path in random.sample(paths, min(5, len(paths)))]
    assert any(some)
    for each in (random.choice(every) for every in some if every for _ in range(2)):
        assert each.source(mutants.ROOT) != (mutants.ROOT / each.path).read_bytes()
        compile(each.source(mutants.ROOT), each.path, "exec")


@pytest.mark.parametrize("room", mutants.TESTS)
def test_no_named_file_is_left_out_by_the_marks_of_its_room(room: str) -> None:
    marks = mutants.marks_of(room, slow=False)
    for word in " ".join(mutants.tests_of(room)).split():
        if word.endswith(".py"):
            line = re.search(r"^pytestmark = (.*)$", (mutants.ROOT / word).read_text("utf-8"), re.MULTILINE)
            whole = re.findall(r"mark\.(\w+)", line[1]) if line else []
            assert not [mark for mark in whole if f"not {mark}" in marks], word
    assert mutants.marks_of(room, slow=True) == ""


@pytest.mark.slow
def test_what_is_accepted_exists_and_has_its_reason() -> None:
    text = mutants.ACCEPTED.read_text("utf-8")
    known = mutants.accepted(text)
    for path in {path for path, _, _ in known}:
        made = {each.lines(mutants.ROOT)[1:] for each in mutations.mutants_of(path, mutants.ROOT)}
        assert {(before, after) for at, before, after in known if at == path} <= made, path
    marks = "".join(line[:1] for line in text.splitlines() if line and not line.startswith("#"))
    assert marks.replace("@", "").replace("-+=", "") == "", (
        "each is said with its file, before, after, reason"
    )


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small project in place of ours, whose tests overlook a border."""
    (tmp_path / "tree" / "tests").mkdir(parents=True)
    (tmp_path / "tree" / "shop.py").write_text("def cheap(n: int) -> bool:\n    return n < 5\n", "utf-8")
    (tmp_path / "tree" / "tests" / "test_shop.py").write_text(
        "from shop import cheap\n\ndef test_prices():\n    assert cheap(4)\n    assert not cheap(6)\n",
        "utf-8",
    )
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(mutants, "ROOT", tmp_path / "tree")
    monkeypatch.setattr(mutants, "TESTS", {"shop.py": ("tests",)})
    return tmp_path / "tree"


@pytest.mark.slow
def test_what_lives_is_printed_and_the_tree_is_left_alone(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()}
    assert mutants.main(["--room", "shop.py", "--count", "0"]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "4 mutants in shop.py; planting 4, seed 1",
        "shop.py:2",
        "- return n < 5",
        "+ return (n <= 5)",
        "shop.py:2",
        "- return n < 5",
        "+ return n < 6",
        "4 planted, 2 killed, 2 alive",
    ]
    assert {path: path.read_bytes() for path in tree.rglob("*") if path.is_file()} == before
    assert not list((tree.parent / "temporary").iterdir())


@pytest.mark.slow
def test_tests_that_fail_without_a_fault_are_named(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "shop.py").write_text("def cheap(n: int) -> bool:\n    return n < 1\n", "utf-8")
    with pytest.raises(SystemExit):
        mutants.main(["--room", "shop.py"])
    assert "these tests fail without any fault: tests" in capsys.readouterr().err


def test_an_interruption_leaves_nothing(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.setattr(mutants.Copy, "passes", interrupted)
    assert mutants.main(["--room", "shop.py"]) == 1
    assert not list((tree.parent / "temporary").iterdir())
