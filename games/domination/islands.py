"""A smaller map of our own for two or three: four islands of an ocean that nobody has sailed.

Twenty countries, four continents, 33 borders, 22 cards, ten missions.
"""

from __future__ import annotations

from typing import Final

from games.domination.atlas import ANY, NOWHERE, Atlas, Card, Continent, Country, Kind, Mission
from games.domination.topology import Drawing

I: Final[Kind] = "infantry"  # noqa: E741 - as the cards are marked
C: Final[Kind] = "cavalry"
N: Final[Kind] = "cannon"
_CONTINENTS: Final = (
    ("nor", "Northreach", 3, "#6c8fb0"),
    ("amb", "Amberlands", 3, "#d3a24a"),
    ("sun", "Sunder Isles", 2, "#b06c8b"),
    ("ver", "Verdure", 5, "#6f9e5b"),
)
_COUNTRIES: Final[tuple[tuple[str, str, int, Kind, tuple[int, int], str], ...]] = (
    ("fro", "Frostmark", 0, I, (122, 122), "hal pin"),
    ("hal", "Halden", 0, C, (248, 122), "fro pin sto ket"),
    ("sto", "Stormfell", 0, N, (374, 126), "hal ket ori"),
    ("pin", "Pinehold", 0, N, (152, 230), "fro hal ket gul"),
    ("ket", "Kettle Bay", 0, I, (316, 230), "hal sto pin cor"),
    ("ori", "Oriel", 1, C, (626, 130), "sto dun sal"),
    ("dun", "Dunmoor", 1, I, (758, 122), "ori gol sal vex"),
    ("gol", "Goldwater", 1, N, (884, 118), "dun vex"),
    ("sal", "Salt Plains", 1, C, (658, 236), "ori dun vex fen"),
    ("vex", "Vexholm", 1, I, (838, 226), "dun gol sal riv"),
    ("gul", "Gull Rock", 2, N, (84, 466), "pin bri"),
    ("bri", "Brine", 2, C, (202, 460), "gul cor"),
    ("cor", "Coral Head", 2, I, (298, 460), "ket bri tid mos"),
    ("tid", "Tidewater", 2, N, (402, 574), "cor tho"),
    ("mos", "Mosswood", 3, C, (596, 436), "cor fen tho lak"),
    ("fen", "Fenland", 3, I, (724, 430), "sal mos riv lak"),
    ("riv", "Riverbend", 3, N, (868, 430), "vex fen lak cli"),
    ("tho", "Thornvale", 3, C, (588, 546), "tid mos lak"),
    ("lak", "Lakemere", 3, I, (730, 544), "mos fen riv tho cli"),
    ("cli", "Cliffs of Dawn", 3, N, (876, 542), "riv lak"),
)
"""Code, name, continent, what its card shows, where its armies stand, neighbours."""
_WILD: Final = 2
NOR, AMB, SUN, VER = range(4)
_MISSIONS: Final = (
    Mission(0, 0, 0, (NOR, AMB)),
    Mission(0, 0, 0, (NOR, SUN, ANY)),
    Mission(0, 0, 0, (AMB, SUN, ANY)),
    Mission(0, 0, 0, (VER, NOR)),
    Mission(0, 0, 0, (VER, SUN)),
    Mission(0, 9, 2, ()),
    Mission(0, 12, 1, ()),
    *(Mission(player, 12, 1, ()) for player in range(1, 4)),
)
_NORTHREACH: Final = {
    "fro": "70,175 56,150 74,128 60,104 84,92 96,70 128,74 140,56 168,66 190,62",
    "fro hal": "190,62 198,95 180,128 185,160",
    "fro pin": "70,175 105,168 140,180 185,160",
    "hal": "190,62 214,50 240,60 262,84 282,64 310,75",
    "hal pin": "185,160 205,176 225,190",
    "hal sto": "310,75 302,105 318,138 315,170",
    "hal ket": "225,190 255,178 285,186 315,170",
    "sto": "310,75 336,66 350,88 378,70 404,84 412,112 438,124 428,150 444,170 425,190",
    "sto ket": "315,170 350,186 388,176 425,190",
    "pin ket": "225,190 218,220 240,250 235,285",
    "pin": "235,285 210,292 186,280 160,296 132,278 112,284 90,262 98,236 72,222 84,200 70,175"
    "/40,250 52,244 58,262 46,272 40,250",
    "ket": "425,190 432,212 408,224 400,248 374,244 352,262 360,284 330,296 306,280 280,298 258,284 235,285",
}
_AMBERLANDS: Final = {
    "ori": "560,196 574,168 556,146 580,124 570,98 600,92 614,66 644,80 664,58 690,66",
    "dun ori": "690,66 700,98 684,134 680,170",
    "ori sal": "560,196 600,184 640,190 680,170",
    "dun": "690,66 718,54 740,76 768,64 790,84 812,60 830,72",
    "dun gol": "830,72 824,100 838,134 820,165",
    "dun sal": "680,170 716,178 750,190",
    "dun vex": "750,190 784,172 820,165",
    "gol": "830,72 856,58 880,74 908,66 918,94 944,106 932,134 952,156 948,180",
    "gol vex": "820,165 862,176 906,168 948,180",
    "sal vex": "750,190 756,224 736,260 740,296",
    "sal": "740,296 712,286 690,302 662,288 640,300 622,276 596,280 590,250 566,240 576,216 560,196",
    "vex": "948,180 940,204 954,226 928,240 924,266 896,262 876,284 848,272 826,292 798,282 768,300 740,296"
    "/936,282 950,276 956,290 944,298 936,282",
}
_SUNDER_ISLES: Final = {
    "gul": "50,452 66,426 96,424 116,446 112,482 96,506 66,508 46,486 50,452",
    "bri": "250,384 222,374 204,392 176,388 168,414 148,430 160,456 144,482 166,504 172,532 200,530 216,552"
    " 240,556",
    "bri cor": "250,384 258,420 240,460 254,505 240,556",
    "cor": "250,384 276,378 290,398 318,392 332,416 354,430 342,456 356,480 336,502 330,530 302,532 284,552"
    " 262,542 240,556",
    "tid": "362,566 380,538 412,534 440,552 446,584 428,610 392,614 368,594 362,566",
}
_VERDURE: Final = {
    "mos": "530,490 546,466 528,444 552,424 548,400 578,396 598,376 624,392 650,384",
    "fen mos": "650,384 642,414 668,446 665,480",
    "lak mos": "665,480 650,486 640,500",
    "mos tho": "530,490 566,500 604,490 640,500",
    "fen": "650,384 676,372 700,390 728,376 752,396 778,372 800,378",
    "fen riv": "800,378 808,412 786,448 790,485",
    "fen lak": "665,480 700,490 744,476 790,485",
    "riv": "800,378 826,366 850,384 880,372 900,394 928,398 930,426 952,442 938,464 948,484",
    "lak riv": "790,485 804,490 815,500",
    "cli riv": "815,500 856,492 904,500 948,484",
    "tho": "655,600 628,592 606,610 580,594 556,600 550,570 526,556 540,530 518,510 530,490",
    "lak tho": "640,500 652,532 638,566 655,600",
    "lak": "655,600 684,612 710,594 740,610 770,592 790,608 810,598",
    "cli lak": "815,500 806,532 824,566 810,598",
    "cli": "948,484 956,508 938,530 950,558 922,570 912,596 884,590 858,610 832,592 810,598",
}
ISLANDS_DRAWING: Final = Drawing(
    {**_NORTHREACH, **_AMBERLANDS, **_SUNDER_ISLES, **_VERDURE},
    {
        "sto ori": "414,134 584,140",
        "pin gul": "112,262 84,444",
        "ket cor": "316,276 310,410",
        "gul bri": "98,474 170,470",
        "cor tid": "318,514 388,556",
        "tid tho": "426,580 556,562",
        "cor mos": "332,444 556,440",
        "sal fen": "660,276 690,404",
        "vex riv": "850,256 864,398",
    },
    ((218, 336), (766, 336), (92, 560), (446, 492)),
)


def _atlas() -> Atlas:
    numbers = {code: number for number, (code, *_) in enumerate(_COUNTRIES)}
    cards = [Card(kind, number) for number, (_, _, _, kind, _, _) in enumerate(_COUNTRIES)]
    return Atlas(
        "islands",
        "Four Islands",
        (1000, 640),
        tuple(Continent(*row) for row in _CONTINENTS),
        tuple(Country(code, name, continent, at) for code, name, continent, _, at, _ in _COUNTRIES),
        tuple(tuple(sorted(numbers[code] for code in row[-1].split())) for row in _COUNTRIES),
        (*cards, *(Card("wild", NOWHERE) for _ in range(_WILD))),
        _MISSIONS,
    )


ISLANDS: Final = _atlas()
