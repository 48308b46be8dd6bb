"""What commands print is what they say: unchanged on any terminal, and Ctrl-C is asked for once."""

from __future__ import annotations

import io
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from cli.terminal import Sorry, interruptible, out, unicode, write_picture


class Old(io.TextIOWrapper):
    """A terminal that knows no more than the letters of its encoding."""

    def __init__(self, encoding: str) -> None:
        super().__init__(io.BytesIO(), encoding=encoding, errors="strict", write_through=True)

    @property
    def said(self) -> str:
        """What was printed."""
        found: Any = self.buffer
        return str(found.getvalue().decode(self.encoding))


def test_text_is_printed_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", found := io.StringIO())
    text = f"[red]b2-b3[/red] :dice: {'long ' * 100}"
    out().print(text)
    assert found.getvalue() == f"{text}\n"


def test_what_a_terminal_cannot_show_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", found := Old("ascii"))
    out().print("Ann · Ben")
    assert found.said == "Ann ? Ben\n"


@pytest.mark.parametrize(
    ("stream", "known"), [(Old("UTF-8"), True), (Old("ascii"), False), (io.StringIO(), False)]
)
def test_more_than_ascii_is_for_what_says_that_it_understands_it(
    monkeypatch: pytest.MonkeyPatch, stream: Any, *, known: bool
) -> None:
    monkeypatch.setattr(sys, "stdout", stream)
    assert unicode() == known


def test_the_size_of_a_picture_is_told_once_it_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "stdout", found := io.StringIO())
    with pytest.raises(Sorry, match="can't be written: No such file or directory"):
        write_picture(tmp_path / "no" / "x.png", b"picture")
    assert found.getvalue() == ""
    write_picture(tmp_path / "x.png", b"p" * 1600)
    assert found.getvalue() == f"{tmp_path / 'x.png'}: 2 kB\n"
    assert (tmp_path / "x.png").stat().st_size == 1600


def test_the_first_ctrl_c_asks_and_the_second_interrupts() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruptible() as asked:
        assert not asked()
        os.kill(os.getpid(), signal.SIGINT)
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
    with interruptible():
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
