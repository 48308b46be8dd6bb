"""Make `games/engine/confusable_characters.py` anew.

It is run by `python -m tests.confusables_table confusables.txt VERSION`; the file is
https://www.unicode.org/Public/security/latest/confusables.txt (unicode.org/reports/tr39). The table has its
characters that look like one letter of ASCII, or a sign that games read. It leaves out letters that look
like digits, as who types one means a letter, and what NFKC turns into ASCII.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final
from unicodedata import category, normalize

TABLE: Final = Path(__file__).parents[1] / "games/engine/confusable_characters.py"
SIGNS: Final = "-+:;,./!?*=>"
"""The signs that games read."""


def pairs(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the characters of a file, each with what it looks like."""
    for line in lines:
        source, *rest = line.lstrip("\ufeff").partition("#")[0].split(";")
        if rest:
            yield _characters(source), _characters(rest[0])


def _characters(codes: str) -> str:
    return "".join(chr(int(code, 16)) for code in codes.split())


def lookalikes(found: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return letters and signs of ASCII, each with the characters that look like it."""
    table: dict[str, str] = {}
    for source, target in found:
        one = {"rn": "m"}.get(target, target)
        if len(source) != 1 or len(one) != 1 or source.isascii() or normalize("NFKC", source) != source:
            continue
        kind = category(source)[0]
        if one == "l":
            one = "I" if category(source) in ("Lu", "Lo") else "l"  # the file takes them for one
        if (kind == "L" and one.isascii() and one.isalpha()) or (kind in "PS" and one in SIGNS):
            table[one] = "".join(sorted({*table.get(one, ""), source}))
    return dict(sorted(table.items()))


def source_of(table: Mapping[str, str], version: str) -> str:
    """Return the source of the table's module."""
    rows = []
    for char, like in table.items():
        codes = " ".join(f"{ord(each):04X}" for each in like)
        rows.append(f'    "{char}": "{codes}",\n')
    return (
        f'"""What looks like a letter or symbol of ASCII: confusables.txt of Unicode {version}.\n\n'
        "Made by `python -m tests.confusables_table`; the licence of the data is unicode.org/license.txt.\n"
        '"""\n\n'
        "from __future__ import annotations\n\nfrom typing import Final\n\n"
        "_TABLE: Final = {\n" + "".join(rows) + "}\n"
        "LOOKALIKES: Final = {"
        "chr(int(code, 16)): char for char, codes in _TABLE.items() for code in codes.split()}\n"
        '"""What each of them looks like."""\n'
    )


if __name__ == "__main__":
    read = Path(sys.argv[1]).read_text("utf-8-sig").splitlines()
    TABLE.write_text(source_of(lookalikes(pairs(read)), sys.argv[2]), "utf-8")
