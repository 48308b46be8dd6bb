-- What the first answers of people to puzzles were worth: 1 for a right one, with the time (ms).

CREATE TABLE puzzles (
    "user" bigint   NOT NULL,
    puzzle text     COLLATE "C" NOT NULL,
    game   text     COLLATE "C" NOT NULL,
    solved smallint NOT NULL CHECK (solved IN (0, 1)),
    at     bigint   NOT NULL,
    PRIMARY KEY ("user", puzzle)
);
