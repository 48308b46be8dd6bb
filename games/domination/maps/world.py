"""The standard map: 42 countries, six continents, 83 borders, 44 cards, 14 missions.

Facts of the game; the borders are those of the classic graph, with east Africa next to the Middle East.
"""

from __future__ import annotations

from typing import Final

from games.domination.maps.atlas import ANY, CountryRow, Kind, Mission, build_atlas

I: Final[Kind] = "infantry"  # noqa: E741 - as the cards are marked
C: Final[Kind] = "cavalry"
N: Final[Kind] = "cannon"
_CONTINENTS: Final = (
    ("na", "North America", 5, "#d9a441"),
    ("sa", "South America", 2, "#c86b4a"),
    ("eu", "Europe", 5, "#5b7fb5"),
    ("af", "Africa", 3, "#a9743f"),
    ("as", "Asia", 7, "#6f9e5b"),
    ("au", "Australia", 2, "#9a6fb0"),
)
_COUNTRIES: Final[tuple[CountryRow, ...]] = (
    ("ala", "Alaska", 0, I, (80, 94), "nwt alb kam"),
    ("nwt", "North West Territory", 0, N, (188, 96), "ala alb gre ont"),
    ("alb", "Alberta", 0, I, (168, 170), "ala nwt wus ont"),
    ("wus", "Western United States", 0, I, (170, 266), "alb cam ont eus"),
    ("cam", "Central America", 0, C, (203, 356), "wus eus ven"),
    ("gre", "Greenland", 0, C, (422, 50), "nwt ont que ice"),
    ("ont", "Ontario", 0, C, (262, 182), "nwt alb wus gre que eus"),
    ("que", "Quebec", 0, N, (372, 160), "gre ont eus"),
    ("eus", "Eastern United States", 0, N, (292, 282), "wus cam ont que"),
    ("ven", "Venezuela", 1, N, (294, 456), "cam per bra"),
    ("per", "Peru", 1, C, (264, 520), "ven bra arg"),
    ("bra", "Brazil", 1, N, (368, 520), "ven per arg naf"),
    ("arg", "Argentina", 1, I, (304, 610), "per bra"),
    ("ice", "Iceland", 2, I, (508, 86), "gre sca gbr"),
    ("sca", "Scandinavia", 2, N, (600, 116), "ice ukr gbr neu"),
    ("ukr", "Ukraine", 2, N, (706, 174), "sca neu seu ura afg mea"),
    ("gbr", "Great Britain", 2, C, (506, 182), "ice sca neu weu"),
    ("neu", "Northern Europe", 2, C, (598, 206), "sca ukr gbr weu seu"),
    ("weu", "Western Europe", 2, I, (538, 256), "gbr neu seu naf"),
    ("seu", "Southern Europe", 2, C, (638, 264), "ukr neu weu naf egy mea"),
    ("naf", "North Africa", 3, I, (528, 420), "bra weu seu egy con eaf"),
    ("egy", "Egypt", 3, I, (672, 403), "seu naf eaf mea"),
    ("con", "Congo", 3, C, (634, 516), "naf eaf saf"),
    ("eaf", "East Africa", 3, N, (722, 486), "naf egy con saf mad mea"),
    ("saf", "South Africa", 3, N, (656, 604), "con eaf mad"),
    ("mad", "Madagascar", 3, I, (794, 588), "eaf saf"),
    ("sib", "Siberia", 4, N, (888, 108), "ura chn yak irk mon"),
    ("ura", "Ural", 4, C, (816, 140), "ukr sib chn afg"),
    ("chn", "China", 4, C, (936, 284), "sib ura afg ind sia mon"),
    ("afg", "Afghanistan", 4, I, (806, 248), "ukr ura chn mea ind"),
    ("mea", "Middle East", 4, N, (764, 344), "ukr seu egy eaf afg ind"),
    ("ind", "India", 4, I, (888, 374), "chn afg mea sia"),
    ("sia", "Siam", 4, N, (974, 402), "chn ind ino"),
    ("yak", "Yakutsk", 4, C, (984, 76), "sib irk kam"),
    ("irk", "Irkutsk", 4, I, (972, 140), "sib yak mon kam"),
    ("mon", "Mongolia", 4, N, (980, 202), "sib chn irk jap kam"),
    ("jap", "Japan", 4, I, (1122, 232), "mon kam"),
    ("kam", "Kamchatka", 4, C, (1086, 74), "ala yak irk mon jap"),
    ("ino", "Indonesia", 5, C, (1014, 490), "sia ngu wau"),
    ("ngu", "New Guinea", 5, C, (1132, 506), "ino wau eau"),
    ("wau", "Western Australia", 5, N, (1020, 610), "ino ngu eau"),
    ("eau", "Eastern Australia", 5, I, (1108, 612), "ngu wau"),
)
_WILD: Final = 2
NA, SA, EU, AF, AS, AU = range(6)
_MISSIONS: Final = (
    Mission(0, 0, 0, (AS, SA)),
    Mission(0, 0, 0, (EU, AU, ANY)),
    Mission(0, 0, 0, (AS, AF)),
    Mission(0, 0, 0, (EU, SA, ANY)),
    Mission(0, 0, 0, (NA, AU)),
    Mission(0, 0, 0, (NA, AF)),
    Mission(0, 18, 2, ()),
    Mission(0, 24, 1, ()),
    *(Mission(player, 24, 1, ()) for player in range(1, 7)),
)
WORLD: Final = build_atlas("world", "World", (1200, 690), _CONTINENTS, _COUNTRIES, _WILD, _MISSIONS)
