"""`make docs`: write the parts of the pages that the program writes."""

from __future__ import annotations

from tests.documents.pages import PAGES, named, written
from tests.documents.tables import TABLES


def main() -> None:
    """Write each page that differs, and print its name."""
    for path in PAGES:
        before = path.read_text("utf-8")
        now = written(before, TABLES)
        if now != before:
            path.write_text(now, "utf-8")
            print(named(path))


if __name__ == "__main__":
    main()
