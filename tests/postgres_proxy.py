"""A proxy before a PostgreSQL server that cuts connections at a chosen word of what the client sends."""

from __future__ import annotations

import contextlib
import socket
import tempfile
import threading
import time
from pathlib import Path
from typing import Literal

from tests.patience import PATIENCE

SOCKET = ".s.PGSQL.5432"

Moment = Literal["before", "after"]
"""Whether the server doesn't get the words any more, or gets them and its answer is lost."""


class PostgresProxy:
    """Forwards connections to the server in a folder; `url` leads to the proxy."""

    def __init__(self, server: Path) -> None:
        self._server = server / SOCKET
        self.folder = Path(tempfile.mkdtemp(prefix="dominium-pgx-", dir="/tmp"))
        self._words, self._moment, self._times = b"", "before", 0
        self.cuts = 0
        self.delay = 0.0
        """Seconds for which each answer of the server is held back."""
        self._severed = False
        self._sockets: set[socket.socket] = set()
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.folder / SOCKET))
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, database_url: str) -> str:
        """Return the URL of a database by way of the proxy."""
        name = database_url.partition("@/")[2].partition("?")[0]
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def cut(self, words: str, moment: Moment, times: int = 1) -> None:
        """Cut each connection that says these words, so many times."""
        self._words, self._moment, self._times = words.encode(), moment, times

    def sever(self) -> None:
        """Let nothing through until `mend`: connections end, and none is made."""
        self._severed = True
        for one in tuple(self._sockets):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let everything through again."""
        self.delay = 0.0
        self._severed = False

    def close(self) -> None:
        """Take no connections any more."""
        self._listener.close()
        (self.folder / SOCKET).unlink()
        self.folder.rmdir()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self._severed:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server))
            except OSError:
                client.close()
                continue
            threading.Thread(target=self._serve, args=(client, server), daemon=True).start()

    def _serve(self, client: socket.socket, server: socket.socket) -> None:
        self._sockets |= {client, server}
        answering = threading.Thread(target=self._pump, args=(server, client), daemon=True)
        answering.start()
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                if self._times and self._words in data:
                    self._times -= 1
                    self.cuts += 1
                    if self._moment == "after":
                        client.shutdown(socket.SHUT_RDWR)  # nothing reaches the client from here on
                        server.sendall(data)
                        server.shutdown(socket.SHUT_WR)  # the server answers, then sees the end
                        answering.join(PATIENCE)
                        while server.recv(65536):
                            pass
                    break
                server.sendall(data)
        for one in (client, server):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        answering.join(PATIENCE)
        self._sockets -= {client, server}
        client.close()
        server.close()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self.delay:
                    time.sleep(self.delay)
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)
