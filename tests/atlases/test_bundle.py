"""Uploads are sorted into texts and pictures by name, or refused with a list of errors; no bytes raise."""

from __future__ import annotations

import io
import stat
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atlases import Bundle, Upload, gather
from atlases.bundle import program_of
from games.engine.message import Msg
from locales import Catalogue
from tests.atlases.files import drawn, small_files, uploads, zipped
from tests.rows import rows

CATALOGUE = Catalogue(strict=True, games=())


def good(*sent: Upload) -> Bundle:
    found = gather(sent)
    assert isinstance(found, Bundle), found
    return found


def wrong(*sent: Upload) -> list[str]:
    found = gather(sent)
    assert isinstance(found, tuple)
    return said(found)


def said(messages: tuple[Msg, ...]) -> list[str]:
    return [CATALOGUE.say(one) for one in messages]


def test_separate_files_and_an_archive_of_them_are_the_same() -> None:
    files = small_files()
    apart = good(*uploads(files))
    packed = good(Upload("two lakes.ZIP", zipped(files)))
    assert apart == packed
    assert sorted(apart.texts) == ["small.cards", "small.map"]
    assert sorted(apart.pictures) == ["two_lakes.png", "two_lakes_mask.gif"]
    assert apart.notes == ()


def test_an_archive_is_known_by_its_bytes_too() -> None:
    assert good(Upload("map.bin", zipped(small_files()))) == good(*uploads(small_files()))


@rows(
    "path",
    ["a/b/x.map", "../../etc/x.map", "..\\..\\x.map", "C:\\maps\\x.map", "/x.map", "C:x.map", "a/../x.map"],
)
def test_folders_are_dropped(path: str) -> None:
    assert list(good(Upload(path, b"name x")).texts) == ["x.map"]
    assert list(good(Upload("x.zip", zipped({path: b"name x"}))).texts) == ["x.map"]


def test_litter_and_previews_are_passed_over() -> None:
    files = {
        "maps/x.map": b"a",
        "maps/preview/x.png": b"?",
        "__MACOSX/maps/._x.map": b"?",
        "maps/.DS_Store": b"?",
        "maps/Thumbs.db": b"?",
        "maps/": b"",
    }
    found = good(Upload("x.zip", zipped(files)))
    assert (list(found.texts), found.pictures, found.notes) == (["x.map"], {}, ())


def test_what_is_not_needed_is_said() -> None:
    found = good(Upload("x.map", b"a"), Upload("read\u202eme.txt", b"hello"))
    assert said(found.notes) == ["read\ufffdme.txt isn't needed and was left out."]


def test_one_name_twice() -> None:
    assert wrong(Upload("x.map", b"a"), Upload("X.MAP", b"a")) == ["X.MAP is there twice. Send it once."]
    assert wrong(Upload("x.zip", zipped({"a/x.png": b"1", "b/x.png": b"2"}))) == [
        "x.png is there twice. Send it once."
    ]


def test_nothing_at_all() -> None:
    assert wrong() == ["No files attached. Send the .map file, or a zip with all files of the map."]


@rows(
    "data, text",
    [
        (b"name Z\xfcrich", "name Zürich"),
        (b"\xef\xbb\xbfname Z\xc3\xbcrich", "name Zürich"),
        (b"\xef\xbb\xbf", ""),
        (b"", ""),
        (b"name \xe6\x9d\xb1\xe4\xba\xac", "name 東京"),
    ],
)
def test_a_text_is_utf_8_if_valid_else_iso_8859_1(data: bytes, text: str) -> None:
    found = good(Upload("x.map", data))
    assert found.texts == {"x.map": text}
    assert len(found.notes) == (text == "name 東京")
    assert all("byte order mark" in one for one in said(found.notes))


UNPLAIN = "x.map isn't plain text. Save it as text, in ISO-8859-1 or in UTF-8 with a byte order mark."
UNMARKED = "x.map, line 3: marked as UTF-8, but isn't valid UTF-8. Save it as UTF-8 again."


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfname x\n\n\xff", UNMARKED),
        ("name x".encode("utf-16"), UNPLAIN),
        (b"\x7fELF\0\0", UNPLAIN),
        (b"x" * 200_001, "x.map has 200 kB. The limit for a text file is 200 kB."),
    ],
)
def test_what_is_no_text(data: bytes, text: str) -> None:
    assert wrong(Upload("x.map", data)) == [text]


def test_a_large_picture_is_refused_unopened() -> None:
    assert wrong(Upload("x.png", b"x" * (4 * 2**20 + 200_000))) == ["x.png has 4.2 MB. The limit is 4 MB."]


def test_a_bomb_of_zeros() -> None:
    bomb = zipped({"x.map": b"a", "x.png": bytes(3_000_000)})
    assert len(bomb) < 5000
    assert wrong(Upload("x.zip", bomb)) == [
        "x.zip: x.png is suspiciously small for its contents. Pack it again as a plain zip."
    ]


@pytest.mark.slow
def test_a_bomb_stops_where_the_room_ends() -> None:
    whole = zipped({f"{n}.png": bytes(60_000) for n in range(64)})
    assert good(Upload("x.zip", whole)).pictures["63.png"] == bytes(60_000)
    bomb = zipped({"x.png": bytes(40_000_000)})
    assert wrong(Upload("x.zip", bomb)) == ["Unpacked, the files have more than 12 MB in total."]


def test_separate_files_count_together() -> None:
    four = [Upload(f"{n}.png", bytes(4 * 2**20)) for n in range(4)]
    assert len(good(*four[:3]).pictures) == 3
    assert wrong(*four, Upload("x.zip", zipped({"y.map": b"a"}))) == [
        "Unpacked, the files have more than 12 MB in total."
    ]


def test_a_header_that_lies_about_its_size_changes_nothing() -> None:
    data = bytearray(zipped({"x.png": bytes(3_000_000)}))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.index(mark) + at
        data[start : start + 4] = (100).to_bytes(4, "little")
    assert wrong(Upload("x.zip", bytes(data))) == ["x.zip can't be unpacked. Pack it again as a plain zip."]


def test_many_files_are_not_even_listed() -> None:
    many = zipped({f"{n}.png": b"" for n in range(65)})
    assert wrong(Upload("x.zip", many)) == ["There are 65 files. The limit is 64."]
    assert wrong(*(Upload(f"{n}.png", b"") for n in range(65))) == ["There are 65 files. The limit is 64."]


@pytest.mark.parametrize("name", ["more.zip", "picture.png"])
def test_an_archive_in_an_archive(name: str) -> None:
    found = wrong(Upload("x.zip", zipped({name: zipped({"x.map": b"a"})})))
    assert found == [f"x.zip: {name} is itself an archive. Pack only the files of one map."]


def test_a_large_archive() -> None:
    assert wrong(Upload("x.zip", bytes(11 * 2**20))) == ["x.zip has 11 MB. The limit is 10 MB."]


def test_a_locked_file() -> None:
    data = bytearray(zipped({"x.map": b"a"}))
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert wrong(Upload("x.zip", bytes(data))) == [
        "x.zip: x.map is protected by a password. Pack it again without one."
    ]


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_unusual_packing(method: int) -> None:
    data = zipped({"x.map": b"a" * 1000}, method)
    assert wrong(Upload("x.zip", data)) == [
        "x.zip: x.map uses an unusual compression. Pack it again as a plain zip."
    ]


def test_a_link_is_no_file() -> None:
    link = zipfile.ZipInfo("x.map")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with io.BytesIO() as out:
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr(link, "/etc/passwd")
        data = out.getvalue()
    assert good(Upload("x.zip", data)).texts == {}


@rows("cut", [0, 1, 4, 30, 100, 400])
def test_a_broken_archive(cut: int) -> None:
    data = zipped(small_files())
    assert wrong(Upload("x.zip", data[:cut])) == ["x.zip can't be unpacked. Pack it again as a plain zip."]


PACKED = zipped({"x.map": b"name x\n" * 20, "y.png": drawn(size=(8, 8))})


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, len(PACKED) - 1), st.integers(0, 255)), max_size=8))
def test_any_archive(changes: list[tuple[int, int]]) -> None:
    data = bytearray(PACKED)
    for at, value in changes:
        data[at] = value
    found = gather([Upload("x.zip", bytes(data))])
    assert isinstance(found, Bundle) or found


@pytest.mark.slow
@given(
    st.lists(st.builds(Upload, st.text(max_size=9).map("{}.map".format), st.binary(max_size=60)), max_size=4)
)
def test_any_files(sent: list[Upload]) -> None:
    found = gather(sent)
    assert isinstance(found, Bundle) or found


FOREIGN = {
    "a map for the program TripleA": [
        b'<?xml version="1.0"?>\n<!DOCTYPE game SYSTEM "game.dtd">\n<game><info name="x"/></game>',
        b'<?xml version="1.0"?><game><triplea minimumVersion="2.7.0"/></game>',
    ],
    "a map for the program Lux": [
        b'\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8"?>\r\n<!-- <svg> -->\n<luxboard><version>1.7',
    ],
    "a map for the program Warzone": [b'{"id": 7, "name": "x", "territories": [{"id": 1}]}'],
    "a map for a 3D game such as Quake": [b'// made\n{\n"classname" "worldspawn"\n}\n'],
    "a map made with the program Tiled": [b'<?xml version="1.0"?>\n<map version="1.5"></map>'],
    "a saved game, perhaps one of Domination's": [b"\xac\xed\x00\x05sr\x00", b"\x1f\x8b\x08\x00"],
    "a drawing (SVG)": [b'<svg xmlns="http://www.w3.org/2000/svg">', b'<svg:svg width="3">'],
    "an XML file of another program": [b"<note/>", b"\xff\xfe" + "<game>".encode("utf-16-le")],
    "a JSON file of another program": [b"{}", b'[{"a": 1}]', b' {"a": [1]}'],
}


@rows("program, data", [(name, one) for name, all_ in FOREIGN.items() for one in all_])
def test_files_of_other_programs_are_called_that_by_their_content(program: str, data: bytes) -> None:
    for name in ("x.map", "x.cards", "x.xml", "x.save", "x.risk"):
        for sent in ([Upload(name, data)], [Upload("x.zip", zipped({f"maps/{name}": data}))]):
            (said_of,) = wrong(*sent)
            assert said_of.startswith(f"{name} is {program}. Only maps for Domination can be added")


@rows("program, data", [(name, one) for name, all_ in FOREIGN.items() for one in all_])
def test_a_file_of_another_program_beside_a_map_is_left_out(program: str, data: bytes) -> None:
    found = good(*uploads({**small_files(), "x.xml": data}))
    assert said(found.notes) == ["x.xml isn't needed and was left out."], program
    assert len(found.texts) == 2


@rows("text", ["", "[files]", "[]x", "; {\n", "name {x}", "[cards]", "[ [files]", "name <b>"])
def test_texts_of_domination_belong_to_no_other_program(text: str) -> None:
    assert program_of(text.encode()) == ""
