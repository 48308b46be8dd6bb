"""Names that people give time zones and that the IANA database lacks: cities, states, countries.

Large cities and states with one zone stand by the zone they lie in, a name in several zones in each of them.
Countries come from CLDR by Babel. Abbreviations that `zoneinfo` knows, such as CET, aren't repeated here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from babel import Locale
from babel.core import get_global

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
