"""Time zones as people type them: an IANA name, a city, a country, or a part of one.

Fixed offsets such as UTC+2 are no help, since they know no summer time: such texts get the zones that have
that offset now. Names that the IANA database lacks are listed here: large cities and states with one zone
stand by the zone they lie in, a name in several zones in each of them. Countries come from CLDR by Babel.
Abbreviations that `zoneinfo` knows, such as CET, aren't repeated.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from babel import Locale
from babel.core import get_global

from games.engine.normalization import folded

MAX_TYPED: Final = 60
"""Maximum length of a typed time zone, in characters."""
_NEAR: Final = 3
_REGIONS: Final = frozenset(
    (
        "Africa", "America", "Antarctica", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific",
    )
)  # fmt: skip
"""The regions whose zones are offered: all others are old names, or are named after their offsets."""
_OLD: Final = _REGIONS | {"US", "Canada", "Brazil", "Chile", "Mexico", "Arctic"}
"""The regions whose zones are understood if they are typed in full."""
_LARGEST: Final = 14
"""The largest offset from UTC, in hours."""
_LARGE: Final = (
    "Europe/London", "Europe/Paris", "Europe/Berlin", "Europe/Athens", "Europe/Istanbul", "Europe/Moscow",
    "Africa/Lagos", "Africa/Cairo", "Africa/Johannesburg", "Africa/Nairobi", "Asia/Dubai", "Asia/Karachi",
    "Asia/Kolkata", "Asia/Dhaka", "Asia/Bangkok", "Asia/Shanghai", "Asia/Singapore", "Asia/Tokyo",
    "Asia/Seoul", "Australia/Perth", "Australia/Adelaide", "Australia/Brisbane", "Australia/Sydney",
    "Pacific/Auckland", "Pacific/Honolulu", "America/Anchorage", "America/Los_Angeles", "America/Denver",
    "America/Phoenix", "America/Chicago", "America/Mexico_City", "America/New_York", "America/Toronto",
    "America/Bogota", "America/Halifax", "America/Sao_Paulo", "America/Buenos_Aires", "America/St_Johns",
    "Atlantic/Azores", "Europe/Lisbon", "Europe/Dublin", "Asia/Kathmandu", "Asia/Tehran", "Asia/Yangon",
)  # fmt: skip
"""Zones that many people know, for texts that name an offset or an abbreviation."""
_OFFSET: Final = re.compile(r"(?:utc|gmt|z)?([+-])(\d{1,2})(?::?([0-5]\d))?")
_PLACES: Final = {
    "America/New_York": (
        "NYC, NY, Manhattan, Brooklyn, Washington DC, Washington, DC, Boston, Philadelphia, Miami, "
        "Atlanta, Orlando, Baltimore, Pittsburgh, Cleveland, Charlotte, Portland, Georgia, "
        "Massachusetts, New Jersey, Pennsylvania, Virginia, North Carolina, Ohio, US East Coast, "
        "East Coast"
    ),
    "America/Chicago": (
        "Birmingham, Houston, Dallas, Austin, San Antonio, Minneapolis, New Orleans, Milwaukee, "
        "Memphis, Nashville, Kansas City, St Louis, Saint Louis, Wisconsin, Illinois, Minnesota, "
        "Missouri, Louisiana"
    ),
    "America/Denver": "Salt Lake City, Albuquerque, Colorado, Utah, New Mexico, Wyoming, Montana",
    "America/Phoenix": "Arizona, Tucson",
    "America/Los_Angeles": (
        "LA, San Francisco, SF, Seattle, Portland, Las Vegas, San Diego, San Jose, Sacramento, "
        "Oakland, California, Nevada, Washington, Washington State, US West Coast, West Coast"
    ),
    "America/Anchorage": "Alaska, Fairbanks",
    "Pacific/Honolulu": "Hawaii",
    "America/Toronto": "Ottawa, Quebec, Hamilton",
    "America/Edmonton": "Calgary, Alberta",
    "America/Vancouver": "Victoria, British Columbia",
    "America/Halifax": "Nova Scotia",
    "America/St_Johns": "Newfoundland",
    "America/Mexico_City": "CDMX, Guadalajara, Puebla",
    "America/Bogota": "Medellin, Cali, Cartagena",
    "America/Guayaquil": "Quito",
    "America/Caracas": "Maracaibo, Valencia",
    "America/Sao_Paulo": "Rio, Rio de Janeiro, Brasilia, Belo Horizonte, Curitiba, Porto Alegre",
    "America/Santiago": "Santiago de Chile, Valparaiso",
    "Europe/London": (
        "Manchester, Birmingham, Liverpool, Leeds, Glasgow, Edinburgh, Cardiff, Bristol, England, "
        "Scotland, Wales, Great Britain, UK"
    ),
    "Europe/Dublin": "Cork, Galway",
    "Europe/Lisbon": "Lisboa, Porto",
    "Europe/Berlin": (
        "Munich, München, Hamburg, Cologne, Köln, Frankfurt, Stuttgart, Düsseldorf, Leipzig, "
        "Dresden, Nuremberg, Hanover, Hannover, Bremen"
    ),
    "Europe/Paris": "Lyon, Marseille, Toulouse, Bordeaux, Lille, Nice, Strasbourg, Nantes",
    "Europe/Madrid": "Barcelona, Valencia, Seville, Sevilla, Bilbao",
    "Europe/Rome": "Milan, Milano, Naples, Napoli, Turin, Torino, Florence, Venice, Roma",
    "Europe/Zurich": "Geneva, Genève, Basel, Bern, Lausanne",
    "Europe/Vienna": "Wien, Graz, Salzburg",
    "Europe/Amsterdam": "Rotterdam, The Hague, Utrecht, Holland",
    "Europe/Brussels": "Antwerp, Ghent, Bruxelles",
    "Europe/Copenhagen": "Aarhus",
    "Europe/Stockholm": "Gothenburg",
    "Europe/Oslo": "Bergen",
    "Europe/Warsaw": "Krakow, Kraków, Gdansk, Wroclaw, Warszawa",
    "Europe/Prague": "Brno, Praha",
    "Europe/Athens": "Thessaloniki",
    "Europe/Istanbul": "Ankara, Izmir",
    "Europe/Kyiv": "Odessa, Odesa, Lviv",
    "Europe/Moscow": "St Petersburg, Saint Petersburg, Moskau",
    "Africa/Lagos": "Abuja",
    "Africa/Cairo": "Alexandria, Giza",
    "Africa/Johannesburg": "Cape Town, Durban, Pretoria",
    "Africa/Casablanca": "Rabat, Marrakesh",
    "Asia/Jerusalem": "Haifa",
    "Asia/Dubai": "Abu Dhabi, Sharjah",
    "Asia/Riyadh": "Jeddah, Mecca",
    "Asia/Karachi": "Lahore, Islamabad, Hyderabad",
    "Asia/Kolkata": (
        "Mumbai, Bombay, Delhi, New Delhi, Bangalore, Bengaluru, Chennai, Madras, Hyderabad, Pune, "
        "Ahmedabad, Jaipur"
    ),
    "Asia/Colombo": "Sri Jayawardenepura Kotte, Kandy",
    "Asia/Bangkok": "Chiang Mai",
    "Asia/Ho_Chi_Minh": "Hanoi, HCMC, Da Nang",
    "Asia/Jakarta": "Bandung, Surabaya, Java, WIB",
    "Asia/Makassar": "Bali, Denpasar, WITA",
    "Asia/Manila": "Cebu, Quezon City, PHT",
    "Asia/Singapore": "SGT",
    "Asia/Hong_Kong": "Hongkong, HKT",
    "Asia/Shanghai": "Beijing, Peking, Shenzhen, Guangzhou, Chengdu, Wuhan, Tianjin, Nanjing, Hangzhou",
    "Asia/Taipei": "Kaohsiung, Taichung",
    "Asia/Tokyo": "Osaka, Kyoto, Yokohama, Nagoya, Sapporo, Fukuoka, Kobe, Hiroshima",
    "Asia/Seoul": "Busan, Incheon, Daegu",
    "Australia/Sydney": "Wollongong, New South Wales",
    "Australia/Melbourne": "Geelong, Victoria",
    "Australia/Brisbane": "Gold Coast, Cairns",
    "Pacific/Auckland": "Wellington, Christchurch, Hamilton",
}
_WORDS: Final = {
    "America/New_York": (
        "USA, United States, America, ET, Eastern, Eastern Time, Eastern Standard Time, US Eastern"
    ),
    "America/Chicago": (
        "USA, United States, America, CT, Central, Central Time, Central Standard Time, US Central"
    ),
    "America/Denver": "MT, Mountain, Mountain Time, Mountain Standard Time, US Mountain",
    "America/Los_Angeles": (
        "USA, United States, America, PT, Pacific, Pacific Time, Pacific Standard Time, US Pacific"
    ),
    "America/Sao_Paulo": "BRT",
    "America/Argentina/Buenos_Aires": "ART",
    "America/Santiago": "CLT",
    "America/Bogota": "COT",
    "Europe/Berlin": "MEZ, MESZ, Central European Time",
    "Europe/Paris": "Central European Time",
    "Europe/Athens": "Eastern European Time",
    "Europe/London": "British Time, British Summer Time",
    "Europe/Istanbul": "TRT",
    "Asia/Tehran": "IRST",
    "Asia/Kolkata": "Indian Standard Time, Indian Time",
    "Asia/Bangkok": "ICT",
    "Australia/Perth": "AWST",
}
"""Names of time itself, which many places share: always suggested, never taken."""


@dataclass(frozen=True, slots=True)
class NoZone:
    """A text that names no time zone, with the names of near ones, if any."""

    near: tuple[str, ...] = ()
    offset: bool = False
    """Whether it names an offset from UTC, or an abbreviation."""


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names of all zones, sorted. Reads files the first time: call it in a thread."""
    return tuple(sorted(available_timezones()))


def find_zone(typed: str, names: Iterable[str], now: datetime) -> str | NoZone:
    """Return the name of the zone that a text means, or what it may have meant.

    `names` has the names of all zones. `now`, an aware time, decides which zones have a typed offset. May
    read files of zones: call it in a thread.
    """
    wanted = _plain(typed)
    if wanted in ("utc", "gmt", "z", "zulu", "greenwich"):
        return "UTC"
    full = {_plain(name): name for name in names if "/" in name and name.partition("/")[0] in _OLD}
    if wanted in full:
        return full[wanted]
    known = tuple(filter(_is_offered, full.values()))
    cities: dict[str, list[str]] = {}
    for name in known:
        cities.setdefault(_plain(name.rpartition("/")[2]), []).append(name)
    city = wanted.rpartition("/")[2]
    found = cities.get(city, ())
    best = min(
        found, key=lambda name: (name.count("/"), name), default=""
    )  # America/Louisville is in Kentucky
    there = (*filter(None, (best,)), *_known_first(_lying(places).get(city, ()), known))
    called = _known_first(_lying(words).get(city, ()), known)
    near = tuple(dict.fromkeys((*there, *(() if best else called))))
    if there and len(near) == 1 and "/" not in wanted:
        return near[0]
    if near:
        return NoZone(near[:_NEAR])
    if near := _by_offset(typed, known, now):
        return NoZone(near, offset=True)
    others = {**_lying(words), **_lying(places)}
    for named in (cities, {name: _known_first(lying, known) for name, lying in others.items()}):
        begun = [each for each in sorted(named) if len(city) > 2 and each.startswith(city)]
        close = get_close_matches(city, named, _NEAR, 0.8)
        if zones := dict.fromkeys(zone for each in (*begun, *close) for zone in named[each]):
            return NoZone(tuple(zones)[:_NEAR])
    return NoZone()


def suggest_zones(typed: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return the zones whose names contain what was typed so far, those whose city begins with it first."""
    wanted = _plain(typed)
    offered = ("UTC", *filter(_is_offered, names))
    found = sorted(
        (name for name in offered if wanted in _plain(name)),
        key=lambda name: (not _plain(name.rpartition("/")[2]).startswith(wanted), name),
    )
    named = (*_lying(places).items(), *_lying(words).items()) if wanted else ()
    others = (
        zone for name, lying in named if name.startswith(wanted) for zone in _known_first(lying, offered)
    )
    return tuple(dict.fromkeys((*found, *others)))


@cache
def _lying(source: Callable[[], Iterable[tuple[str, str]]]) -> Mapping[str, tuple[str, ...]]:
    """Return the zones of each name, in plain letters."""
    found: dict[str, list[str]] = {}
    for name, zone in source():
        found.setdefault(_plain(name), []).append(zone)
    return {name: tuple(zones) for name, zones in found.items()}


def _known_first(zones: Iterable[str], known: Iterable[str]) -> tuple[str, ...]:
    """Return those of some zones that exist, the ones that many people know first."""
    order, there = tuple(zones), set(known)
    return tuple(sorted(there.intersection(order), key=lambda zone: (zone not in _LARGE, order.index(zone))))


def _is_offered(name: str) -> bool:
    region, slash, _ = name.partition("/")
    return bool(slash) and region in _REGIONS


@lru_cache(2048)
def _plain(text: str) -> str:
    """Return a text without case, accents and punctuation, for comparison."""
    letters = unicodedata.normalize("NFKD", folded(text))
    kept = "".join(char for char in letters if not unicodedata.combining(char))
    return re.sub(r"[^a-z0-9+/]+", "_", kept).strip("_")


def _by_offset(typed: str, known: tuple[str, ...], now: datetime) -> tuple[str, ...]:
    """Return well-known zones that have an offset now, or an abbreviation at some time of the year."""
    text = folded(typed).replace(" ", "")
    large = [ZoneInfo(name) for name in _LARGE if name in known]
    found = _OFFSET.fullmatch(text)
    if found is not None and int(found[2]) > _LARGEST:
        return ()
    if found is not None:
        wanted = timedelta(hours=int(found[2]), minutes=int(found[3] or 0)) * (-1 if found[1] == "-" else 1)
        every = (large, map(ZoneInfo, known))  # all of them only where no large one has the offset
        having = (
            [zone.key for zone in zones if now.astimezone(zone).utcoffset() == wanted] for zones in every
        )
        return tuple(next(filter(None, having), [])[:_NEAR])
    times = (now, now + timedelta(days=182))
    named = (
        zone.key for zone in large if text in {str(t.astimezone(zone).tzname()).casefold() for t in times}
    )
    return tuple(named)[:_NEAR]


def places() -> Iterator[tuple[str, str]]:
    """Yield names of places, each with the zone it lies in."""
    for zone, names in _PLACES.items():
        yield from ((name, zone) for name in names.split(", "))


def words() -> Iterator[tuple[str, str]]:
    """Yield names of time and of countries, each with a zone that it may mean. Reads files the first time."""
    for zone, names in _WORDS.items():
        yield from ((name, zone) for name in names.split(", "))
    zones = get_global("territory_zones")
    for code, country in Locale("en").territories.items():
        yield from ((country, zone) for zone in zones.get(code, ()))
    for code, country in (
        ("US", "USA"),
        ("US", "America"),
        ("AE", "UAE"),
        ("KR", "Korea"),
        ("CZ", "Czech Republic"),
    ):
        yield from ((country, zone) for zone in zones.get(code, ()))
