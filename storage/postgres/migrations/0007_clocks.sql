-- Clocks are computed from the log; here is what is agreed on, and what stopped them. Times: milliseconds, UTC.

ALTER TABLE matches ADD COLUMN clock json;

-- When the time of a seat is up at the earliest, to find what is due; derived, and renewed with each change.
-- Seat -1: the match is to be looked at again, because something happened beside its log.
CREATE TABLE deadlines (
    match text    COLLATE "C" NOT NULL REFERENCES matches (id),
    seat  integer NOT NULL CHECK (seat >= -1),
    due   bigint  NOT NULL,
    PRIMARY KEY (match, seat)
);

CREATE INDEX deadlines_due ON deadlines (due);

-- When the people of a match couldn't see it: before its first board stood, and while its channel was lost.
CREATE TABLE unseen (
    match text   COLLATE "C" NOT NULL REFERENCES matches (id),
    start bigint NOT NULL,
    until bigint,
    PRIMARY KEY (match, start)
);

-- When nobody could play: the bot was away, or Discord, or the machine's clock jumped.
CREATE TABLE downtimes (
    start bigint NOT NULL PRIMARY KEY,
    until bigint NOT NULL CHECK (until > start)
);

-- When people could last play, as far as we know.
CREATE TABLE heartbeat (
    one integer NOT NULL PRIMARY KEY CHECK (one = 1),
    at  bigint  NOT NULL
);

CREATE TABLE vacations (
    "user"    bigint   NOT NULL,
    start     bigint   NOT NULL,
    until     bigint   NOT NULL CHECK (until > start),
    automatic smallint NOT NULL CHECK (automatic IN (0, 1)),
    PRIMARY KEY ("user", start)
);
