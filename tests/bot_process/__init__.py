"""The bot in a process of its own, on real sockets, killed and hindered while people play."""

import pytest

pytest.register_assert_rewrite("tests.bot_process.house")
