-- A server may have a daily puzzle, how people fared with each puzzle, and who has solved the daily one.

ALTER TABLE showcases
    DROP CONSTRAINT showcases_kind_check,
    ADD CONSTRAINT showcases_kind_check CHECK (kind IN ('matches', 'panel', 'puzzle'));

-- The daily puzzles of a server, numbered from 1, each with the time (ms) from which it is the current one.
CREATE TABLE daily_puzzles (
    guild  bigint  NOT NULL,
    n      integer NOT NULL,
    game   text    COLLATE "C" NOT NULL,
    puzzle text    COLLATE "C" NOT NULL,
    due    bigint  NOT NULL,
    PRIMARY KEY (guild, n)
);

-- Who has answered a daily puzzle: `streak` is how many days in a row they have solved it, 0 for a wrong answer.
CREATE TABLE daily_answers (
    guild  bigint  NOT NULL,
    n      integer NOT NULL,
    "user" bigint  NOT NULL,
    streak integer NOT NULL CHECK (streak >= 0),
    at     bigint  NOT NULL,
    PRIMARY KEY (guild, n, "user")
);

-- How often each puzzle was answered, and how often right at once. They stay when a person is forgotten.
CREATE TABLE puzzle_counts (
    game   text    COLLATE "C" NOT NULL,
    puzzle text    COLLATE "C" NOT NULL,
    tries  integer NOT NULL,
    solves integer NOT NULL,
    PRIMARY KEY (game, puzzle)
);

INSERT INTO puzzle_counts SELECT game, puzzle, count(*), sum(solved) FROM puzzles GROUP BY game, puzzle;
