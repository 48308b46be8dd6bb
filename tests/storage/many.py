"""Rows of thousands of matches in every table that grows, by statements for PostgreSQL and for SQLite."""

from __future__ import annotations

import re
from dataclasses import asdict

from storage.rows import to_json, to_ms
from tests.fakes import START
from tests.storage.tournament_rows import PLAN

NOW = to_ms(START)
_PLAN = to_json(asdict(PLAN))

MANY = f"""
INSERT INTO matches (id, game, status, guild, channel, thread, host, options, secret, created, updated,
    version,
    revision, use_thread, reminded, expires, unreachable, clock)
SELECT 'M-' || i, 'focus', CASE i % 20 WHEN 0 THEN 'live' WHEN 1 THEN 'lobby' ELSE 'over' END, i % 300,
    i, NULL,
    i % 700, '{{}}', 's', {NOW} + i, {NOW} + i, 2, 0, 0, 0, {NOW} + i,
    CASE i % 50 WHEN 3 THEN 'guild' || i ELSE '' END,
    '{{}}' FROM generate_series(1, 4000) AS i;
INSERT INTO seats SELECT 'M-' || i, s, 'person', (i * 7 + s) % 900, 'Ann', '' FROM generate_series(1,
    4000) AS i,
    generate_series(0, 1) AS s;
INSERT INTO entries SELECT 'M-' || i, s, 'play', 0, 'a1', {NOW}, 1 FROM generate_series(1, 4000) AS i,
    generate_series(0, 2) AS s;
INSERT INTO requests SELECT 'q' || i, 'M-' || (i % 4000 + 1), 1, 1 FROM generate_series(1, 8000) AS i;
INSERT INTO posts SELECT 900000 + i, i % 500, 'M-' || (i % 4000 + 1), 'board', 1 FROM generate_series(1,
    8000) AS i;
INSERT INTO watches (match, channel, by) SELECT 'M-' || i, 5, 1 FROM generate_series(1, 4000) AS i;
INSERT INTO settings (scope, id, settings)
SELECT 'guild', i, CASE i % 40 WHEN 0 THEN '{{"idle":3}}' ELSE '{{}}' END::json
    FROM generate_series(1, 3000) AS i;
INSERT INTO settings (scope, id, settings, private)
SELECT 'user', i, '{{}}', CASE i % 10 WHEN 0 THEN 1 ELSE 0 END FROM generate_series(1, 3000) AS i;
INSERT INTO seen SELECT i, i FROM generate_series(1, 4000) AS i;
INSERT INTO deadlines SELECT 'M-' || (i * 20), s, {NOW} + i * 60000 FROM generate_series(1, 200) AS i,
    generate_series(0, 1) AS s;
INSERT INTO unseen (match, start) SELECT 'M-' || i, {NOW} FROM generate_series(1, 4000) AS i;
INSERT INTO vacations SELECT i, {NOW}, {NOW} + 5, 0 FROM generate_series(1, 4000) AS i;
INSERT INTO pings SELECT 'M-' || i, s, (i * 7 + s) % 900, 1, 'turn',
    CASE i % 20 WHEN 0 THEN 'known' ELSE 'over' END,
    {NOW}, CASE i % 20 WHEN 0 THEN {NOW} + i END, NULL, 0, 0, 5, 'turn', 0
    FROM generate_series(1, 4000) AS i, generate_series(0, 1) AS s;
INSERT INTO ping_posts SELECT i, 1, 5, 'M-' || i, 0, 1, 1, 'x' FROM generate_series(1, 4000) AS i;
INSERT INTO plans SELECT 'M-' || i, 0, 1, 1, 0, '[]' FROM generate_series(1, 3000) AS i;
INSERT INTO holders SELECT 'M-' || i, 0, 0, 'person', 1, 'Ann', '', '', NULL, {NOW}
    FROM generate_series(1, 3000) AS i;
INSERT INTO idle SELECT 'M-' || i, 2, 1, {NOW} FROM generate_series(1, 3000) AS i;
INSERT INTO seat_offers SELECT 'M-' || i, 0, 0, 1, 1, 0 FROM generate_series(1, 3000) AS i;
INSERT INTO analyses SELECT 'M-' || i, 'x', 1, '{{}}' FROM generate_series(1, 3000) AS i;
INSERT INTO maps (guild, game, key, title, by, at, data, ground) SELECT i, 'toy', 'lakes', 'Lakes', 1,
    1, '{{}}', 'g' || i
    FROM generate_series(1, 2000) AS i;
INSERT INTO follows SELECT 'M-' || i, i % 500, 'turns', 1, 0, {NOW} + i, NULL, 0, 0
    FROM generate_series(1, 4000) AS i;
INSERT INTO moderation (guild, moderator, action, reason, at, person)
    SELECT i % 100, 1, 'forbid', 'x', 1, i FROM generate_series(1, 4000) AS i;
INSERT INTO forbidden SELECT guild, person, n FROM moderation;
INSERT INTO blocks SELECT i % 500 + 10000, i, 1 FROM generate_series(1, 4000) AS i;
INSERT INTO showcases SELECT i, i, 1, 1, NULL, '', NULL, 'panel' FROM generate_series(1000, 4000) AS i;
INSERT INTO imports SELECT 'M-' || i, i % 100, 'sum' || i, '{{}}' FROM generate_series(1, 3000) AS i;
INSERT INTO match_results SELECT 'M-' || i, s, (i * 7 + s) % 900, {NOW} - i * 60000, 'focus', '2', i % 300,
    2, '', s, s + 1, 0, 'both', '', 0, 9, 1000, {NOW}, CASE i % 9 WHEN 0 THEN {NOW} + i END, '[]'
    FROM generate_series(1, 3000) AS i, generate_series(0, 1) AS s;
INSERT INTO rating_changes SELECT 'M-' || i, g, (i * 7 + s) % 900, 1500000, 300000, 4, 1510000, 290000, 5,
    '', 1 FROM generate_series(1, 3000) AS i, generate_series(0, 1) AS g, generate_series(0, 1) AS s;
INSERT INTO ratings (game, family, scope, "user", mu, sigma, matches, provisional)
SELECT 'focus', '2', g, i, 1500000 + i * 100, 200000, 5, i % 2
    FROM generate_series(1, 900) AS i, generate_series(0, 1) AS g;
INSERT INTO tournaments (id, guild, channel, organiser, title, game, status, plan, pairings, revision,
    shown, created, updated, wake)
    SELECT i, i + 9000, i, 1, 'x', 'focus', CASE i % 20 WHEN 0 THEN 'running' ELSE 'over' END, '{_PLAN}',
    '[]', 1, 1, {NOW}, {NOW}, CASE i % 20 WHEN 0 THEN {NOW} + i END FROM generate_series(1, 3000) AS i;
INSERT INTO tournament_entrants (tournament, number, "user", name, level, joined, gone)
    SELECT i, s, (i * 7 + s) % 900, 'Ann', '', 1, 0 FROM generate_series(1, 3000) AS i,
    generate_series(1, 2) AS s;
INSERT INTO tournament_matches SELECT 'M-' || i, i FROM generate_series(1, 3000) AS i;
INSERT INTO outbox (kind, match, lane, payload, created, due)
    SELECT 'board', 'M-' || i, 'lane' || i, '{{}}', {NOW}, {NOW} + i FROM generate_series(1, 4000) AS i;
INSERT INTO outbox_dead (id, kind, match, lane, payload, nonce, created, died, tries, error, until)
    SELECT 90000 + i, 'board', 'M-' || i, 'x', '{{}}', 'n' || i, 1, 1, 1, '',
    CASE i % 50 WHEN 0 THEN 'M-' || i ELSE '' END
    FROM generate_series(1, 4000) AS i;
"""
"""In PostgreSQL's words: about 4,000 matches in 300 servers, of 900 people."""


def many_for_sqlite(share: float) -> str:
    """Return a share of these rows in SQLite's words: fewer servers and people, with as many matches each."""

    def part(number: str) -> int:
        return int(int(number) * share) if int(number) >= 100 else int(number)

    def series(found: re.Match[str]) -> str:
        first, last, name = part(found[1]), part(found[2]), found[3]
        step = f"SELECT {name} + 1 FROM s WHERE {name} < {last}"
        return f"(WITH RECURSIVE s ({name}) AS (VALUES ({first}) UNION ALL {step}) SELECT {name} FROM s)"

    text = re.sub(r"generate_series\((\d+),\s+(\d+)\) AS (\w)", series, MANY)
    text = re.sub(r"% (\d+)", lambda found: f"% {part(found[1])}", text)
    return text.replace("::json", "")
