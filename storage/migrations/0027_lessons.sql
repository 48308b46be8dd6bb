-- How far people have come in the lessons of each game: the last step solved, with its number and the time (ms).

CREATE TABLE lessons (
    user INTEGER NOT NULL,
    game TEXT    NOT NULL,
    step TEXT    NOT NULL,
    nth  INTEGER NOT NULL,
    at   INTEGER NOT NULL,
    PRIMARY KEY (user, game)
) STRICT, WITHOUT ROWID;
