"""`make docs`: write the parts of the pages that the program writes, and what rehearsals saw on Discord."""

from __future__ import annotations

from pathlib import Path

from tests.documents import of_discord
from tests.documents.pages import PAGES, ROOT, named, written
from tests.documents.tables import TABLES


def main() -> None:
    """Write each file that differs, and print its name."""
    for path in PAGES:
        _write(path, written(path.read_text("utf-8"), TABLES))
    for name, text in of_discord.texts().items():
        _write(ROOT / name, text)


def _write(path: Path, text: str) -> None:
    if text != path.read_text("utf-8"):
        path.write_text(text, "utf-8")
        print(named(path))


if __name__ == "__main__":
    main()
