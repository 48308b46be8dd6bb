-- A server may have a daily puzzle, how people fared with each puzzle, and who has solved the daily one.

ALTER TABLE showcases RENAME TO lists;

CREATE TABLE showcases (
    guild   INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    by      INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    message INTEGER,
    shown   TEXT    NOT NULL DEFAULT '',
    edited  INTEGER,
    kind    TEXT    NOT NULL DEFAULT 'matches' CHECK (kind IN ('matches', 'panel', 'puzzle')),
    PRIMARY KEY (guild, kind)
) STRICT;

INSERT INTO showcases (guild, channel, by, since, message, shown, edited, kind)
SELECT guild, channel, by, since, message, shown, edited, kind FROM lists;

DROP TABLE lists;

-- The daily puzzles of a server, numbered from 1, each with the time (ms) from which it is the current one.
CREATE TABLE daily_puzzles (
    guild  INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    game   TEXT    NOT NULL,
    puzzle TEXT    NOT NULL,
    due    INTEGER NOT NULL,
    PRIMARY KEY (guild, n)
) STRICT, WITHOUT ROWID;

-- Who has answered a daily puzzle: `streak` is how many days in a row they have solved it, 0 for a wrong answer.
CREATE TABLE daily_answers (
    guild  INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    user   INTEGER NOT NULL,
    streak INTEGER NOT NULL CHECK (streak >= 0),
    at     INTEGER NOT NULL,
    PRIMARY KEY (guild, n, user)
) STRICT, WITHOUT ROWID;

-- How often each puzzle was answered, and how often right at once. They stay when a person is forgotten.
CREATE TABLE puzzle_counts (
    game   TEXT    NOT NULL,
    puzzle TEXT    NOT NULL,
    tries  INTEGER NOT NULL,
    solves INTEGER NOT NULL,
    PRIMARY KEY (game, puzzle)
) STRICT, WITHOUT ROWID;

INSERT INTO puzzle_counts SELECT game, puzzle, count(*), sum(solved) FROM puzzles GROUP BY game, puzzle;
