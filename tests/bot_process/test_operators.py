"""Metrics and health of the real process: from its start over an outage to its end."""

from __future__ import annotations

import socket
from contextlib import closing
from pathlib import Path

import aiohttp
import pytest

from tests.bot_process.house import open_house
from tests.bot_process.lobbies import seated

pytestmark = pytest.mark.process


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port: int = probe.getsockname()[1]
        return port


async def asked(port: int, path: str) -> tuple[int, str]:
    url = f"http://127.0.0.1:{port}{path}"
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.text()


async def test_a_process_serves_metrics_and_says_when_it_is_not_ready(tmp_path: Path) -> None:
    port = free_port()
    async with open_house(tmp_path, "operators") as house:
        house.settings["DOMINIUM_METRICS"] = f"{port}"
        await house.start()
        await seated(house, mirrored=False)
        assert await asked(port, "/readyz") == (200, "dominium: ready\n")
        act = house.move(house.records.rows()[0].id, "bare")
        await act.do()
        await house.quiet(act.done)
        _, text = await asked(port, "/metrics")
        assert 'dominium_moves_total{game="focus"} 1.0' in text
        assert 'dominium_step_seconds_count{step="in"} 1.0' in text
        assert "dominium_gateway_connected 1.0" in text
        assert house.records.rows()[0].id not in text
        async with house.server.gateway_outage():
            while (await asked(port, "/readyz"))[0] == 200:
                pass  # until the bot has noticed
            assert "no events of Discord" in (await asked(port, "/readyz"))[1]
            assert (await asked(port, "/healthz"))[0] == 200


async def test_a_port_in_use_does_not_keep_the_bot_from_playing(tmp_path: Path) -> None:
    async with open_house(tmp_path, "operators") as house:
        with closing(socket.create_server(("127.0.0.1", 0))) as taken:
            house.settings["DOMINIUM_METRICS"] = str(taken.getsockname()[1])
            await house.start()
            await seated(house, mirrored=False)
        assert sum("no metrics and no health are served" in line for line in house.bots.output) == 1
