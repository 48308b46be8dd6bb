"""Work in a thread ends for those who wait for it, whatever it raises and if it hangs."""

from __future__ import annotations

import threading

import pytest

from matches import long_work
from matches.long_work import LostValueError, guarded, in_thread, long_in_thread


def _without_value() -> int:
    return next(iter(()))


@pytest.mark.parametrize("run", [in_thread, long_in_thread])
async def test_a_missing_value_is_an_error(run: type[object]) -> None:
    with pytest.raises(LostValueError):
        await run(_without_value)  # type: ignore[call-arg,misc]
    assert await in_thread(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        await in_thread(divmod, 7, 0)


def test_a_guarded_function_is_the_same_otherwise() -> None:
    assert guarded(sorted)([2, 1], reverse=True) == [2, 1]
    with pytest.raises(LostValueError):
        guarded(_without_value)()


async def test_what_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_work, "LIMIT", 0)
    done = threading.Event()
    with pytest.raises(TimeoutError):
        await in_thread(done.wait)
    done.set()
