"""Every method of a store, called so that each of its statements is run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from matches.outbox.messages import BoardMessage
from matches.ports import Store
from matches.spans import Span
from matches.store.archive import ArchiveMark, ArchiveQuery
from matches.store.clocks import IdleState, Vacation
from matches.store.follows import FollowRow, FollowWork
from matches.store.lessons import DailyPuzzle, LessonProgress, PuzzleResult
from matches.store.moderation import ModerationRow
from matches.store.operation import ErrorGroup
from matches.store.pings import PingPost, PingWork
from matches.store.plans import NamedMove, PlanRow, PlanStep
from matches.store.rows import Commit, Conditions, ImportRow, Post, SeatHolder, TurnChange, Watch
from matches.store.seats import SeatOffer
from matches.store.servers import Showcase
from matches.store.standing import Ladder, MatchResult, PersonResult, Ranked, Rating
from matches.store.tournaments import TournamentRow
from tests.fakes import START
from tests.storage.contract_maps import brought
from tests.storage.rows import draft, lobby, move
from tests.storage.tournament_rows import CREATED, CUP, with_people

HOUR = timedelta(hours=1)
ENDED = MatchResult(
    "N-1", START, "focus", "2", 1, 2, "", (PersonResult(7, 0, 0, 1), PersonResult(8, 1, 1, 2))
)

Tour = dict[str, Callable[[Store], Awaitable[Any]]]


def tour() -> Tour:
    """Every method, called so that each of its statements is run."""
    new = replace(lobby("N-1"), conditions=Conditions({"x": 1}))
    change = replace(
        move(new, "r2"), deadlines={0: START}, unseen=True, mirrors=True,
        moderation=ModerationRow(1, 100, "end", "spam", START, match="N-1"),
        turns=(TurnChange(0, 100, "turn", 1), TurnChange(1, 100, "over", 1)),
        holders=(SeatHolder("N-1", 0, 0, "person", START), SeatHolder("N-1", 0, 1, "person", START)),
        plan=PlanRow("N-1", 0, 100, 0, ((PlanStep((NamedMove(0, "a", "a"),), False, "b", "b"),),)),
    )  # fmt: skip
    over = replace(change.row, status="over", revision=change.row.revision + 1)
    came = ImportRow(7, "sum", {"Site": "elsewhere"})
    ruling = ModerationRow(1, 100, "end", "spam", START, match="N-1")
    failed = ErrorGroup("a:b:1", "KeyError", 1, START, START, "1")
    case = Showcase(1, 2, 100, START)
    timed_out = replace(ENDED.people[1], timed_out=START)
    ended = replace(ENDED, at=START + HOUR, people=(ENDED.people[0], timed_out))
    board = Post(5, 20, "N-1", "board")
    ping = PingPost(77, 100, 20, "N-1", 0, 1, True, "x")

    made: list[TournamentRow] = []

    async def work(store: Store) -> None:
        await store.ping_work(PingWork(START, rows=await store.pings("N-1"), posts=(ping,)))

    async def follow(store: Store) -> None:
        rows = await store.follows_of(7)
        await store.follow_work(FollowWork(START, rows=rows[:1], ended=rows[1:], drafts=(draft(),)))

    async def commits(store: Store) -> None:
        await store.commit(change)

    async def tournament(store: Store) -> None:
        made.append(await store.create_tournament(CUP, CREATED))

    async def playing(store: Store) -> None:
        begun = replace(with_people(made[-1]), matches=(None, None, "N-1"))
        await store.save_tournament(begun, (CREATED,))

    return {
        "create": lambda store: store.create(Commit(new, START, request="r1", imported=came)),
        "commit": commits,
        "match": lambda store: store.match("M-7"),
        "log": lambda store: store.log("M-7"),
        "request": lambda store: store.request("q7"),
        "by_place": lambda store: store.by_place(7),
        "by_user": lambda store: store.by_user(7),
        "finished": lambda store: store.finished(
            ArchiveQuery(7, 7, "focus", 8, "won", START, START + HOUR), 10, ArchiveMark(START, "M-7")
        ),
        "finished in a server": lambda store: store.finished(ArchiveQuery(guild=7), 10),
        "finished of a game in a server": lambda store: store.finished(
            ArchiveQuery(guild=7, game="focus", opponent=8), 10, ArchiveMark(START, "M-7"), newer=True
        ),
        "finished of a person": lambda store: store.finished(ArchiveQuery(7), 10, ArchiveMark(START, "M-7")),
        "over_of": lambda store: store.over_of(7, "m7", 25),
        "by_status": lambda store: store.by_status("live"),
        "unreachable": lambda store: store.unreachable("guild3"),
        "expiring": lambda store: store.expiring(START),
        "find_post": lambda store: store.find_post(900_007),
        "post_and_match": lambda store: store.post_and_match(900_007),
        "posts": lambda store: store.posts("M-7", "board"),
        "outbox": lambda store: store.outbox(START),
        "outbox_pending": lambda store: store.outbox_pending("M-7"),
        "outbox_add": lambda store: store.outbox_add(draft(), START),
        "outbox_sent": lambda store: store.outbox_sent(7, board, PingWork(START, posts=(ping,))),
        "outbox_retry": lambda store: store.outbox_retry(8, START, "x"),
        "outbox_hurry": lambda store: store.outbox_hurry("M-7", START),
        "outbox_drop": lambda store: store.outbox_drop(9, "x"),
        "outbox_park": lambda store: store.outbox_park(10, "M-10", "x"),
        "outbox_forget": lambda store: store.outbox_forget(START),
        "outbox_awaited": lambda store: store.outbox_awaited("M-7"),
        "outbox_revive": lambda store: store.outbox_revive("M-10", START),
        "outbox_merge": lambda store: store.outbox_merge(11, BoardMessage(0, 1), (12, 13)),
        "outbox_begin": lambda store: store.outbox_begin(START),
        "watch": lambda store: store.watch(Watch("M-7", 9, 1)),
        "watches": lambda store: store.watches("M-7"),
        "unwatch": lambda store: store.unwatch("M-7", 9),
        "settings": lambda store: store.settings("guild", 7),
        "save_settings": lambda store: store.save_settings("guild", 7, {"idle": 4}),
        "maps": lambda store: store.maps(7, "toy"),
        "stored_map": lambda store: store.stored_map(7, "toy", "lakes"),
        "map_images": lambda store: store.map_images("g7"),
        "save_map": lambda store: store.save_map(brought(guild=7)),
        "drop_map": lambda store: store.drop_map(7, "toy", "lakes"),
        "mark_read": lambda store: store.mark_read({7: 8, 9: 10}),
        "channels_elsewhere": lambda store: store.channels_elsewhere(),
        "read_mark": lambda store: store.read_mark(20),
        "channels_to_read": lambda store: store.channels_to_read(),
        "deadlines": lambda store: store.deadlines("M-20"),
        "set_deadlines": lambda store: store.set_deadlines("M-20", {0: START}),
        "overdue": lambda store: store.overdue(START),
        "stops": lambda store: store.stops("M-7", [1]),
        "beat": lambda store: store.beat(START),
        "add_downtime": lambda store: store.add_downtime(Span(START, START + HOUR)),
        "downtimes": lambda store: store.downtimes(),
        "note_outages": lambda store: store.note_outages({7}, START, START),
        "outages": lambda store: store.outages(),
        "add_vacation": lambda store: store.add_vacation(Vacation(7, Span(START, START + HOUR), False)),
        "end_vacation": lambda store: store.end_vacation(7, START),
        "vacations": lambda store: store.vacations((7, 8)),
        "holders": lambda store: store.holders("M-7"),
        "seat_offers": lambda store: store.seat_offers("M-7"),
        "offer_seat": lambda store: store.offer_seat(SeatOffer("M-7", 0, 1, 1, None, False), draft(), START),
        "close_offer": lambda store: store.close_offer("M-7", 0, None),
        "idle_due": lambda store: store.idle_due(START, HOUR),
        "idle_state": lambda store: store.idle_state("M-7", 2),
        "note_idle": lambda store: store.note_idle("M-20", 2, IdleState(False, START)),
        "plans": lambda store: store.plans("M-7"),
        "planned_matches": lambda store: store.planned_matches(),
        "save_plan": lambda store: store.save_plan(PlanRow("M-7", 0, 1, 0, ())),
        "pings": lambda store: store.pings("M-7"),
        "match_and_pings": lambda store: store.match_and_pings("M-7"),
        "pings_of": lambda store: store.pings_of(7),
        "pings_due": lambda store: store.pings_due(START),
        "pings_running_out": lambda store: store.pings_running_out(START),
        "ping_work": work,
        "ping_looked": lambda store: store.ping_looked("M-7", 7),
        "analysis": lambda store: store.analysis("M-7", "x"),
        "save_analysis": lambda store: store.save_analysis("M-7", "x", {}, START),
        "outbox_state": lambda store: store.outbox_state(START),
        "follow": lambda store: store.follow(FollowRow("M-7", 7, "turns", START, 0, due=START), 50),
        "following": lambda store: store.following("M-7", 7),
        "follows_of": lambda store: store.follows_of(7),
        "follows_due": lambda store: store.follows_due(START),
        "follow_work": follow,
        "unfollow": lambda store: store.unfollow("M-7", 8),
        "close_follows": lambda store: store.close_follows(7),
        "take_closed_follows": lambda store: store.take_closed_follows(7),
        "create_tournament": tournament,
        "save_tournament": playing,
        "note_tournament_shown": lambda store: store.note_tournament_shown(1, 0, 7),
        "tournament": lambda store: store.tournament(1),
        "tournaments_in": lambda store: store.tournaments_in(1, 9),
        "claim_tournaments": lambda store: store.claim_tournaments(START, START),
        "rest_tournament": lambda store: store.rest_tournament(1, START, None),
        "ended_in_tournament": lambda store: store.ended_in_tournament(1),
        "tournaments_to_show": lambda store: store.tournaments_to_show(),
        "tournament_log": lambda store: store.tournament_log(1),
        "save_showcase": lambda store: store.save_showcase(case),
        "showcase": lambda store: store.showcase(1),
        "showcases": lambda store: store.showcases(),
        "note_showcase": lambda store: store.note_showcase(case),
        "live_in_guild": lambda store: store.live_in_guild(1),
        "lobbies_in_guild": lambda store: store.lobbies_in_guild(1, 1),
        "import_of": lambda store: store.import_of("M-7"),
        "imported": lambda store: store.imported(7, "x"),
        "size_of_imports": lambda store: store.size_of_imports(7),
        "count_imports": lambda store: store.count_imports(7),
        "moderate": lambda store: store.moderate(replace(ruling, action="forbid", person=8), (draft(),)),
        "moderated": lambda store: store.moderated(1),
        "moderation": lambda store: store.moderation(1),
        "forbidden": lambda store: store.forbidden(1, (7, 8)),
        "lift": lambda store: store.moderate(replace(ruling, action="lift", person=8)),
        "block": lambda store: store.block(7, 8, START, 50),
        "blocked_by": lambda store: store.blocked_by(7),
        "blocks_among": lambda store: store.blocks_among((7, 8)),
        "unblock": lambda store: store.unblock(7, 8),
        "begin_erasure": lambda store: store.begin_erasure(990_001, -5, START),
        "erasures": lambda store: store.erasures(),
        "personal_data": lambda store: store.personal_data(7, 10),
        "erase": lambda store: store.erase(990_001, START),
        "clean_up": lambda store: store.clean_up(START),
        "note_lesson": lambda store: store.note_lesson(LessonProgress(7, "focus", "move", 0, START)),
        "lessons_of": lambda store: store.lessons_of(7),
        "add_daily_puzzle": lambda store: store.add_daily_puzzle(DailyPuzzle(1, 1, "focus", "p", START)),
        "note_puzzle": lambda store: store.note_puzzle(PuzzleResult(7, "focus", "p", True, START), (1, 1)),
        "puzzle_counts": lambda store: store.puzzle_counts("focus"),
        "puzzle_count": lambda store: store.puzzle_count("focus", "p"),
        "daily_puzzles": lambda store: store.daily_puzzles(1, 2),
        "daily_solvers": lambda store: store.daily_solvers(1, 1),
        "daily_streak": lambda store: store.daily_streak(1, 1, 7),
        "puzzles_of": lambda store: store.puzzles_of(7),
        "claim_greeting": lambda store: store.claim_greeting(1, START),
        "note_servers": lambda store: store.note_servers((1,), START),
        "note_errors": lambda store: store.note_errors((failed,)),
        "error_groups": lambda store: store.error_groups(),
        "errors_reported": lambda store: store.errors_reported((failed,), START),
        "clear_errors": lambda store: store.clear_errors(),
        "server_use": lambda store: store.server_use(),
        "forget_server": lambda store: store.forget_server(990_002),
        "end": lambda store: store.commit(Commit(over, START, result=ended)),
        "match_result": lambda store: store.match_result("N-1"),
        "game_records": lambda store: store.game_records(7),
        "reliability": lambda store: store.reliability(7),
        "analysed_seats": lambda store: store.analysed_seats(Ladder("focus", "2", 0), "s", (0, 9), 10),
        "outcomes": lambda store: store.outcomes(7, 10),
        "opponents": lambda store: store.opponents(7, 10, everyone=False),
        "best_wins": lambda store: store.best_wins(7, 10, everyone=False),
        "first_moves": lambda store: store.first_moves(7, 10),
        "latest_results": lambda store: store.latest_results(7, 10),
        "match_length": lambda store: store.match_length("focus", "2"),
        "rating_history": lambda store: store.rating_history(Ladder("focus", "2", 0), 7, 50),
        "ladders": lambda store: store.ladders(0, 25),
        "leaderboard": lambda store: store.leaderboard(Ladder("focus", "2", 0), 10, 5),
        "neighbours": lambda store: store.neighbours(
            Ladder("focus", "2", 0), Ranked(9, 7, "Ann", Rating(1_500_700, 200_000, 5))
        ),
        "ranked": lambda store: store.ranked(Ladder("focus", "2", 0), 7),
        "ratings_of": lambda store: store.ratings_of(7),
        "drop_showcase": lambda store: store.drop_showcase(case, START, (draft(),)),
        "replace_standing": lambda store: store.replace_standing((ended,)),
    }  # fmt: skip
