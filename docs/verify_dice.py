"""Check the dice of a Dominium record offline: `python verify_dice.py RECORD`. See dice.md and record.md."""

import hashlib
import hmac
import re
import sys
from collections.abc import Iterator
from pathlib import Path


def stream_of(secret: bytes, prefix: str) -> Iterator[int]:
    """The stream of 32-bit numbers of one draw."""
    block = 0
    while True:
        digest = hmac.new(secret, f"{prefix}{block}".encode(), hashlib.sha256).digest()
        yield from (int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4))
        block += 1


def verify(text: str) -> list[str]:
    """What is wrong with the record's dice; nothing if all is well."""
    above, _, checksum = text.replace("\r\n", "\n").rpartition("Checksum: ")
    wrong = [] if hashlib.sha256(above.encode()).hexdigest() == checksum.strip() else ["the checksum"]
    lines = above.replace("\n  ", "").split("\n")
    head = dict(line.split(": ", 1) for line in lines if ": " in line)
    if "Secret" not in head:
        return [*wrong, "no secret: the match is not over"]
    secret = bytes.fromhex(head["Secret"])
    if hashlib.sha256(secret).hexdigest() != head["Commit"]:
        wrong.append("the secret is not the one that was committed to")
    draws = re.findall(r"^(\d+) \* (.*?)(?: \[([\d/ ]*)\])?$", "\n".join(lines), re.MULTILINE)
    for seq, action, numbers in draws:
        if not numbers:
            wrong.append(f"entry {seq}, {action}: its numbers are missing")
        stream = stream_of(secret, f"dominium-dice-1\n{head['Match']}\n{seq}\n{head['Salt']}\n")
        for drawn in numbers.split():
            x, n = map(int, drawn.split("/"))
            if next(word for word in stream if word < 2**32 - 2**32 % n) % n != x:
                wrong.append(f"entry {seq}, {action}: {drawn}")
    return wrong


if __name__ == "__main__":
    found = verify(Path(sys.argv[1]).read_text("utf-8"))
    print("\n".join(f"WRONG: {each}" for each in found) or "every number follows from the secret")
    sys.exit(bool(found))
