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
    "fro": "70,175 44,160 36,136 58,122 46,100 66,84 60,62 92,58 104,40 132,46 150,62 172,52 190,62",
    "fro hal": "190,62 198,95 180,128 185,160",
    "fro pin": "70,175 105,168 140,180 185,160",
    "hal": "190,62 206,40 238,34 256,48 262,90 272,92 274,52 292,44 310,75",
    "hal pin": "185,160 205,176 225,190",
    "hal sto": "310,75 302,105 318,138 315,170",
    "hal ket": "225,190 255,178 285,186 315,170",
    "sto": "310,75 330,52 362,44 392,56 420,48 440,72 432,96 456,110 470,138 452,156 440,176 425,190",
    "sto ket": "315,170 350,186 388,176 425,190",
    "pin ket": "225,190 218,220 240,250 235,285",
    "pin": "235,285 214,304 188,306 176,286 150,284 140,306 112,312 92,294 104,274 84,258 60,262 44,244"
    " 62,224 56,200 70,175/30,300 44,292 54,306 42,318 30,300",
    "ket": "425,190 446,206 440,226 414,232 420,254 444,268 450,290 428,300 404,288 392,262 370,252"
    " 350,264 352,290 326,304 302,292 280,304 256,300 235,285",
}
_AMBERLANDS: Final = {
    "ori": "560,196 540,180 552,158 534,140 550,116 540,92 566,78 576,56 606,46 628,58 648,44 672,50 690,66",
    "dun ori": "690,66 700,98 684,134 680,170",
    "ori sal": "560,196 600,184 640,190 680,170",
    "dun": "690,66 708,44 736,40 752,60 760,84 772,84 780,56 804,44 830,72",
    "dun gol": "830,72 824,100 838,134 820,165",
    "dun sal": "680,170 716,178 750,190",
    "dun vex": "750,190 784,172 820,165",
    "gol": "830,72 850,46 880,40 896,58 926,50 944,72 936,92 964,108 970,134 950,148 964,166 948,180",
    "gol vex": "820,165 862,176 906,168 948,180",
    "sal vex": "750,190 756,216 742,236 742,258",
    "sal": "742,258 722,266 706,282 710,304 686,320 652,312 624,322 598,306 602,280 574,270 556,246"
    " 576,226 552,212 560,196",
    "vex": "948,180 966,200 952,222 964,246 940,262 944,288 918,300 894,286 872,300 880,322 852,330"
    " 826,314 806,322 786,300 788,276 766,262 742,258/958,318 972,312 978,326 964,334 958,318",
}
_SUNDER_ISLES: Final = {
    "gul": "50,452 66,426 96,424 116,446 112,482 96,506 66,508 46,486 50,452",
    "bri": "250,384 232,366 206,372 196,392 172,386 152,400 160,420 142,436 152,458 138,476 146,500"
    " 164,504 160,530 180,544 204,534 218,556 240,556",
    "bri cor": "250,384 258,420 240,460 254,505 240,556",
    "cor": "250,384 270,364 300,366 316,384 340,380 352,402 342,420 364,436 374,458 354,472 362,494"
    " 344,512 346,536 320,546 300,536 282,560 262,548 240,556",
    "tid": "362,566 380,538 412,534 440,552 446,584 428,610 392,614 368,594 362,566",
}
_VERDURE: Final = {
    "mos": "530,490 552,470 536,450 548,428 528,410 540,386 568,382 582,362 610,360 630,372 640,396 652,410",
    "fen mos": "652,410 648,430 668,450 665,480",
    "lak mos": "665,480 650,486 640,500",
    "mos tho": "530,490 566,500 604,490 640,500",
    "fen": "652,410 668,392 666,370 690,356 716,366 738,358 752,380 774,384 800,378",
    "fen riv": "800,378 808,412 786,448 790,485",
    "fen lak": "665,480 700,490 744,476 790,485",
    "riv": "800,378 812,356 842,352 862,366 886,352 912,362 920,384 946,392 958,416 944,436 964,456 948,484",
    "lak riv": "790,485 804,490 815,500",
    "cli riv": "815,500 856,492 904,500 948,484",
    "tho": "655,600 640,618 612,622 600,602 574,598 560,614 534,604 538,580 514,566 522,542 504,524 530,490",
    "lak tho": "640,500 652,532 638,566 655,600",
    "lak": "655,600 680,616 708,606 722,588 744,592 748,616 776,620 810,598",
    "cli lak": "815,500 806,532 824,566 810,598",
    "cli": "948,484 968,500 960,524 978,546 962,566 936,566 940,590 916,608 890,600 876,580 862,586"
    " 864,612 838,618 810,598",
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
    ((218, 336), (751, 339), (92, 560), (446, 492)),
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
