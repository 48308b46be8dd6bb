"""Draw scenes as pictures and animations, and describe them as text.

Games say what is on the board; this package shows it. Everything is a pure function of a scene, a language
and a theme: equal arguments give equal bytes. All of it may be called from several threads at once, which
share only caches of finished sprites.
"""

from render.alt import alt_text
from render.board_kind import Say
from render.board_sheet import draw_board_sheet
from render.charts import RatingChart, draw_chart, draw_material_chart, draw_rating_chart, draw_share_chart
from render.film import EndCard, FilmFrame, animate, film
from render.kinds import legend, region
from render.picture import draw
from render.png import thumbnail
from render.spelling import replaced_names
from render.table_picture import RankTable, TableRow, draw_table
from render.text import text_board
from render.themes import THEMES, accent
from render.win_chart import draw_win_chart

__all__ = [
    "THEMES",
    "EndCard",
    "FilmFrame",
    "RankTable",
    "RatingChart",
    "Say",
    "TableRow",
    "accent",
    "alt_text",
    "animate",
    "draw",
    "draw_board_sheet",
    "draw_chart",
    "draw_material_chart",
    "draw_rating_chart",
    "draw_share_chart",
    "draw_table",
    "draw_win_chart",
    "film",
    "legend",
    "region",
    "replaced_names",
    "text_board",
    "thumbnail",
]
