-- Clocks are computed from the log; here is what is agreed on, and what stopped them. Times: milliseconds, UTC.

ALTER TABLE matches ADD COLUMN clock TEXT CHECK (clock IS NULL OR json_valid(clock));

-- When the time of a seat is up at the earliest, to find what is due; derived, and renewed with each change.
-- Seat -1: the match is to be looked at again, because something happened beside its log.
CREATE TABLE deadlines (
    match TEXT    NOT NULL REFERENCES matches (id),
    seat  INTEGER NOT NULL CHECK (seat >= -1),
    due   INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX deadlines_due ON deadlines (due);

-- When the people of a match couldn't see it: before its first board stood, and while its channel was lost.
CREATE TABLE unseen (
    match TEXT    NOT NULL REFERENCES matches (id),
    start INTEGER NOT NULL,
    until INTEGER,
    PRIMARY KEY (match, start)
) STRICT, WITHOUT ROWID;

-- When nobody could play: the bot was away, or Discord, or the machine's clock jumped.
CREATE TABLE downtimes (
    start INTEGER NOT NULL PRIMARY KEY,
    until INTEGER NOT NULL CHECK (until > start)
) STRICT;

-- When people could last play, as far as we know.
CREATE TABLE heartbeat (
    one INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    at  INTEGER NOT NULL
) STRICT;

CREATE TABLE vacations (
    user      INTEGER NOT NULL,
    start     INTEGER NOT NULL,
    until     INTEGER NOT NULL CHECK (until > start),
    automatic INTEGER NOT NULL CHECK (automatic IN (0, 1)),
    PRIMARY KEY (user, start)
) STRICT, WITHOUT ROWID;
