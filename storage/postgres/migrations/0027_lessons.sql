-- How far people have come in the lessons of each game: the last step solved, with its number and the time (ms).

CREATE TABLE lessons (
    "user" bigint  NOT NULL,
    game   text    COLLATE "C" NOT NULL,
    step   text    COLLATE "C" NOT NULL,
    nth    integer NOT NULL,
    at     bigint  NOT NULL,
    PRIMARY KEY ("user", game)
);
