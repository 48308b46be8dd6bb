"""The names of a map are understood however they are typed: in every script, form and case."""

from __future__ import annotations

from unicodedata import normalize

from games.domination.commands.country_names import match_name
from games.engine.normalization import normalized
from games.engine.notation import words
from tests.games.domination.mapfiles import atlas, grid
from tests.laws.keyboards import SPELLINGS
from tests.rows import rows

NAMES = (
    "İstanbul", "Iğdır", "Łódź", "Ærø", "Côte d’Ivoire", "Αθήνα", "Москва", "Ростов", "한국", "東京",
    "エーゲ", "Saint-Denis", "Ħal Far", "Đà Nẵng", "القاهرة", "दिल्ली", "สยาม", "Straße", "Ñuñoa",
    "São Tomé",
)  # fmt: skip
FORMS = (
    *("NFC", "NFD", "NFKC", "NFKD"),
    *("full width", "bold", "capitals", "a picture behind", "an ideographic stop", "a dot above"),
    *(called for called in SPELLINGS if "before" in called or "behind" in called),
)


def named() -> dict[str, str]:
    """A map of countries with these names."""
    files = grid(5, len(NAMES), 1)
    for n, name in enumerate(NAMES):
        old = f" Stop_{n // 26}{chr(97 + n % 26)} "
        assert old in files["grid.map"]
        files["grid.map"] = files["grid.map"].replace(old, f" {name.replace(' ', '_')} ")
    return files


@rows("form", FORMS)
def test_a_name_of_any_script_is_known(form: str) -> None:
    board = atlas(named())
    for country, name in zip(board.countries, NAMES, strict=True):
        for text in (name, country.name):
            typed = normalize(form, text) if form.startswith("NF") else SPELLINGS[form](text)  # type: ignore[arg-type]
            found = match_name(board, words(normalized(typed).text), 0)
            assert found is not None, typed
            assert found.codes == (country.code,), typed
