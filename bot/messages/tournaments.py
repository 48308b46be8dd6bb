"""Tournaments as texts: the message that is kept current, and the log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Final

import discord

from bot.messages.buttons import NO_MATCH
from bot.messages.clock import duration, moment
from bot.messages.components import Call, CallButton
from bot.messages.names import escaped_name, escaped_text, plain_name
from bot.messages.outgoing import File, Outgoing
from bot.messages.standing import described
from bot.platform.discord_limits import MAX_CONTENT
from bot.platform.reader_settings import Reader
from games.engine.message import Msg, Value, msg
from matches.clocks.control import from_json
from matches.clocks.words import clock_words
from matches.lookback.agreement import LEAST_COMPARED, NEAR, Compared
from matches.store.tournaments import EntrantRow, TournamentEntry, TournamentKind, TournamentRow
from render import RankTable, TableRow
from tournaments.event import Format
from tournaments.league import moving, sizes, tables_of
from tournaments.standings import Standing, team_standings
from tournaments.team_matches import members

JOIN: Final = "cup_join"
JOIN_TEAM: Final = "cup_team"
LEAVE: Final = "cup_leave"
_ROWS: Final = 24
"""Maximum number of entrants in a message."""
_PLAYING: Final = 12
"""Maximum number of open pairings in a message."""
_COLUMNS: Final[dict[Format, tuple[str, ...]]] = {
    "swiss": ("direct", "buchholz", "berger", "wins"),
    "round_robin": ("direct", "berger", "wins"),
    "groups": ("firsts",),
    "league": ("direct", "berger", "wins"),
    "single": (),
    "double": (),
}
"""The tie-breaks of a format that a picture shows; those of an elimination say no more than the places."""
_ARROWS: Final = {"up": " ▲", "down": " ▼", "": ""}
"""What stands behind the names of those who would go up or down."""
_FIELDS: Final[dict[TournamentKind, str]] = {
    "created": "who",
    "joined": "name",
    "left": "name",
    "deadline": "who until",
    "check_in": "",
    "absent": "n",
    "few": "",
    "started": "who n",
    "round": "round",
    "match": "number match",
    "result": "number points",
    "forfeit": "number points",
    "repaired": "who number points",
    "time": "who number time",
    "withdrew": "name",
    "replaced": "who name number",
    "paused": "who",
    "resumed": "who",
    "over": "",
    "season": "",
    "unplayed": "n",
    "next": "number",
    "cancelled": "who",
}
"""The fields of the text of each kind of entry, besides the time."""


def tournament_message(row: TournamentRow, reader: Reader, picture: File | None = None) -> Outgoing:
    """Return the message of a tournament: who is in, who stands where, who plays, and buttons to sign up.

    `picture` shows the standings.
    """
    say = reader.say
    game, how = msg(f"{row.game}.title"), msg(f"tournament.format.{row.plan.format}")
    lines = [say(msg("tournament.head", title=escaped_text(row.title), game=game, kind=how))]
    clock = None if row.plan.clock is None else from_json(row.plan.clock)
    agreed = (
        msg("tournament.no_clock") if clock is None else msg("tournament.clock", clock=clock_words(clock))
    )
    lines.append(say(msg("tournament.about", who=f"<@{row.organiser}>", id=row.id, state=agreed)))
    lines += [say(one) for one in _state(row)]
    lines += _sign_up(row, reader) if row.status == "open" else _table(row, reader)
    while len("\n".join(lines)) > MAX_CONTENT:
        lines.pop()
    buttons = _buttons(row, reader) if row.status not in ("over", "cancelled") else ()
    return Outgoing("\n".join(lines), () if picture is None else (picture,), buttons)


def _buttons(row: TournamentRow, reader: Reader) -> tuple[CallButton, ...]:
    say, arg = reader.say, str(row.id)
    join = CallButton.make(
        Call(JOIN, NO_MATCH, 0, arg),
        say(msg(f"tournament.button.{'here' if row.checking else 'join'}")),
        discord.ButtonStyle.primary,
    )
    teams = [
        CallButton.make(
            Call(JOIN_TEAM, NO_MATCH, 0, f"{arg}.{nth}"), say(msg("tournament.button.team", team=name))[:80]
        )
        for nth, name in enumerate(row.plan.teams, 1)
    ]
    return join, *teams, CallButton.make(Call(LEAVE, NO_MATCH, 0, arg), say(msg("tournament.button.leave")))


def _state(row: TournamentRow) -> list[Msg]:
    """Return where a tournament stands."""
    if row.status == "open":
        state = [msg("tournament.open", n=len(row.entrants), most=row.plan.cap), *_times(row)]
        again = msg("tournament.next_season", season=row.plan.season, n=row.plan.group)
        return [again, *state] if row.plan.format == "league" else state
    state = [] if row.status == "running" else [msg(f"tournament.{row.status}")]
    if row.in_season:
        state.append(msg("tournament.season", season=row.plan.season, n=len(row.event.open)))
        if row.deadline is not None:
            state.append(msg("tournament.season_ends", when=moment(row.deadline)))
        return state
    if row.status in ("running", "paused"):
        state.append(msg("tournament.left", round=max(1, row.event.round), n=len(row.event.open)))
    return state


def _times(row: TournamentRow) -> list[Msg]:
    """Return until when people can join, and when they are to check in."""
    if row.deadline is None:
        return []
    if row.checking:
        here = sum(one.here for one in row.entrants)
        people = sum(one.user is not None for one in row.entrants)
        return [msg("tournament.check_in_now", when=moment(row.deadline), n=here, most=people)]
    lines = [msg("tournament.deadline", when=moment(row.deadline))]
    if row.plan.check_in:
        lines.append(msg("tournament.check_in", n=row.plan.check_in))
    return lines


def _sign_up(row: TournamentRow, reader: Reader) -> list[str]:
    names = tuple(entrant_name(one, reader) for one in row.entrants[:_ROWS])
    if not names:
        return [reader.say(msg("tournament.nobody")), *_teams(row, reader)]
    lines = [reader.say(msg("tournament.entrants", names=names)), *_teams(row, reader)]
    if (more := len(row.entrants) - len(names)) > 0:
        lines.append(reader.say(msg("tournament.more", n=more)))
    return lines


def _teams(row: TournamentRow, reader: Reader) -> list[str]:
    """Return who is in which team, and during the tournament how the teams stand."""
    say = reader.say
    if not row.plan.teams:
        return []
    if row.status != "open":
        return [
            say(
                msg(
                    "tournament.team",
                    place=one.place,
                    team=escaped_text(row.plan.teams[one.team - 1]),
                    points=points_text(one.points),
                    n=len(one.counted),
                )
            )
            for one in team_standings(row.event)
        ]
    lines = []
    for nth, team in enumerate(row.plan.teams, 1):
        members = tuple(entrant_name(one, reader) for one in row.entrants if one.team == nth)
        key = "tournament.team_open" if members else "tournament.team_empty"
        values = {"names": members[:_ROWS]} if members else {}
        lines.append(say(msg(key, team=escaped_text(team), **values)))
    return lines


def _table(row: TournamentRow, reader: Reader) -> list[str]:
    lines = _teams(row, reader)
    for nth, table in enumerate(_shown(row), 1):
        if row.plan.format == "league":
            lines.append(reader.say(msg("tournament.division", n=nth)))
        lines += [
            reader.say(_line(row, one, reader)) + _ARROWS[_way(row, nth, place)] for place, one in table
        ]
    if (more := len(row.entrants) - _ROWS) > 0 and not row.plan.sides:
        lines.append(reader.say(msg("tournament.more", n=more)))
    if row.plan.format == "league":
        lines.append(reader.say(msg("tournament.arrows")))
    for index in row.event.open[:_PLAYING]:
        names = _opponents(row, row.pairings[index].seats, reader)
        match = row.matches[index]
        what = msg("tournament.waiting", n=index + 1, names=names)
        if match is not None:
            what = msg("tournament.playing", n=index + 1, names=names, match=match)
        lines.append(reader.say(what))
    return lines


def _opponents(row: TournamentRow, seats: Sequence[int], reader: Reader) -> tuple[str, ...]:
    """Return the names of those who meet; where teams do, those of the teams with their players."""
    people = [row.entrant(number) for number in seats]
    if not row.plan.sides:
        return tuple(entrant_name(one, reader) for one in people)
    teams = dict.fromkeys(one.team for one in people)
    return tuple(
        reader.say(
            msg(
                "tournament.side",
                team=escaped_text(row.plan.teams[team - 1]),
                names=tuple(entrant_name(one, reader) for one in people if one.team == team),
            )
        )
        for team in teams
    )


def _shown(row: TournamentRow) -> list[list[tuple[int, Standing]]]:
    """Return the standings that have room, those of a league by division, each with its place from 0."""
    left, found = _ROWS, []
    for table in tables_of(row.event):
        if left > 0:
            found.append(list(enumerate(table))[:left])
        left -= len(table)
    return found


def _way(row: TournamentRow, division: int, place: int) -> str:
    """Return "up" or "down" for those who would change divisions if the season ended now, else nothing."""
    if row.plan.format != "league":
        return ""
    people = sizes(len(row.entrants), row.plan.group)
    size = people[division - 1]
    if division > 1 and place < moving(min(size, people[division - 2])):
        return "up"
    if division < len(people) and place >= size - moving(min(size, people[division])):
        return "down"
    return ""


def _line(row: TournamentRow, one: Standing, reader: Reader) -> Msg:
    if row.plan.sides:
        people = tuple(
            reader.say(msg("tournament.member", name=entrant_name(each, reader), number=each.number))
            for each in row.entrants
            if each.team == one.number and not each.left
        )
        team, points = escaped_text(row.plan.teams[one.number - 1]), points_text(one.points)
        if not people:
            return msg("tournament.team_gone", place=one.place, team=team, points=points)
        return msg("tournament.team_row", place=one.place, team=team, names=people, points=points)
    entrant = row.entrant(one.number)
    key = "tournament.gone" if entrant.left else "tournament.row"
    name = entrant_name(entrant, reader)
    return msg(key, place=one.place, name=name, number=one.number, points=points_text(one.points))


def standings_table(row: TournamentRow, reader: Reader) -> tuple[RankTable, str] | None:
    """Return the standings to be drawn, and their alt text; None before the first round."""
    if row.status == "open" or not row.pairings:
        return None
    head = msg("tournament.table", title=row.title, round=row.event.round)
    if row.plan.format == "league":
        head = msg("tournament.table_season", title=row.title, season=row.plan.season)
    keys = _COLUMNS[row.plan.format]
    blank, over = ("",) * len(keys), row.status == "over"
    rows = [
        TableRow(
            f"{one.place}.",
            row.plan.teams[one.team - 1],
            (points_text(one.points), *blank),
            tinted=over and one.place == 1,
        )
        for one in team_standings(row.event)
    ]
    if rows:
        rows.append(TableRow("", "", ("", *blank)))
    for nth, table in enumerate(_shown(row), 1):
        if row.plan.format == "league":
            division = reader.say(msg("tournament.table_division", n=nth))
            rows.append(TableRow("", division, ("", *blank), faint=True))
        rows += [_table_row(row, one, keys, reader, _way(row, nth, place)) for place, one in table]
    columns = (msg("tournament.column.points"), *(msg(f"tournament.column.{key}") for key in keys))
    return described(RankTable(head, columns, tuple(rows)), reader)


def _table_row(
    row: TournamentRow, one: Standing, keys: tuple[str, ...], reader: Reader, way: str
) -> TableRow:
    """Return the row of an entrant in the picture of the standings."""
    if row.plan.sides:
        name = row.plan.teams[one.number - 1]
        return _numbers(row, one, keys, name, left=not members(row.event, one.number))
    entrant = row.entrant(one.number)
    name = plain_name(entrant.name)
    if entrant.user is None:  # of one level there may be several
        name = f"{reader.say(msg(f'ai.player.{entrant.level}', n=1))} ({one.number})"
    if entrant.team:
        name = f"{name} · {row.plan.teams[entrant.team - 1]}"
    if way:
        name = reader.say(msg(f"tournament.table_{way}", name=name))
    return _numbers(row, one, keys, name, left=entrant.left)


def _numbers(row: TournamentRow, one: Standing, keys: tuple[str, ...], name: str, *, left: bool) -> TableRow:
    numbers = [tie_break_text(key, value) for key, value in zip(keys, one.tie_breaks, strict=False)]
    points = (points_text(one.points), *numbers)
    wins = row.status == "over" and one.place == 1 and not (row.plan.teams and not row.plan.sides)
    return TableRow(f"{one.place}.", name, points, faint=left, tinted=wins)


def tie_break_text(key: str, value: int) -> str:
    """Return a tie-break as text; Sonneborn-Berger counts quarters of a point, wins are whole."""
    if key in ("direct", "buchholz"):
        return points_text(value)
    return _quarters(value) if key == "berger" else str(value)


def points_text(half_points: int) -> str:
    """Return points as people write them: 2, 2½, ½."""
    return _quarters(2 * half_points)


def _quarters(count: int) -> str:
    whole, part = divmod(count, 4)
    return f"{whole or ''}{' ¼½¾'[part]}" if part else str(whole)


def entrant_name(one: EntrantRow, reader: Reader) -> str:
    """Return the name of an entrant, safe to show."""
    if one.user is None:
        return reader.say(msg(f"ai.player.{one.level}", n=1))
    return escaped_name(one.name)


def agreement_text(one: EntrantRow, found: Compared, reader: Reader) -> str:
    """Return how often someone's moves agree with the computer's, what is usual, and what that can't show."""
    own, usual = found.own, found.usual
    lines = [msg("tournament.agreement.nothing", name=entrant_name(one, reader))]
    if own.moves:
        lines = [
            msg(
                "tournament.agreement.own",
                name=entrant_name(one, reader),
                best=own.best,
                moves=own.moves,
                n=own.matches,
                percent=own.percent,
            )
        ]
    if usual.moves >= LEAST_COMPARED:
        low, high = found.points - NEAR, found.points + NEAR
        counts = {"percent": usual.percent, "moves": usual.moves, "n": found.people}
        lines.append(msg("tournament.agreement.usual", low=low, high=high, **counts))
    else:
        lines.append(msg("tournament.agreement.unknown", points=found.points))
    if found.missing:
        key = "tournament.agreement.begun" if found.started else "tournament.agreement.missing"
        lines.append(msg(key, n=found.missing))
    return "\n".join(map(reader.say, (*lines, msg("tournament.agreement.note"))))


def tournament_log(row: TournamentRow, entries: Sequence[TournamentEntry], reader: Reader) -> Outgoing:
    """Return the log of a tournament, the latest entries that fit."""
    lines: list[str] = []
    head = reader.say(msg("tournament.log.head", title=escaped_text(row.title)))
    for entry in reversed(entries):
        line = reader.say(_entry(row, entry, reader))
        if len(head) + sum(map(len, lines)) + len(lines) + len(line) + 1 > MAX_CONTENT:
            break
        lines.insert(0, line)
    return Outgoing("\n".join((head, *lines)))


def _entry(row: TournamentRow, entry: TournamentEntry, reader: Reader) -> Msg:
    data, when = entry.data, f"<t:{int(entry.at.timestamp())}:f>"
    number = int(data.get("number", 0))
    name = next((entrant_name(one, reader) for one in row.entrants if one.number == number), f"#{number}")
    known: dict[str, Value] = {
        "who": "" if entry.user is None else f"<@{entry.user}>",
        "name": name,
        "number": int(data.get("pairing", number)),
        "match": str(data.get("match", "")),
        "points": " : ".join(points_text(one) for one in data.get("points", ())),
        "round": int(data.get("round", 0)),
        "n": int(data.get("entrants", 0)),
        "time": duration(timedelta(seconds=int(data.get("seconds", 0)))),
        "until": f"<t:{data.get('until')}:f>",
    }
    if entry.kind == "deadline" and data.get("until") is None:
        return msg("tournament.log.no_deadline", when=when, who=known["who"])
    used = {name: known[name] for name in _FIELDS[entry.kind].split()}
    return msg(f"tournament.log.{entry.kind}", when=when, **used)
