-- What the first answers of people to puzzles were worth: 1 for a right one, with the time (ms).

CREATE TABLE puzzles (
    user   INTEGER NOT NULL,
    puzzle TEXT    NOT NULL,
    game   TEXT    NOT NULL,
    solved INTEGER NOT NULL CHECK (solved IN (0, 1)),
    at     INTEGER NOT NULL,
    PRIMARY KEY (user, puzzle)
) STRICT, WITHOUT ROWID;
