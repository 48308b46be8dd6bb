-- Who held a seat of a match, and from which log entry on. Written once the seat has changed hands: entry 0 is
-- the one who began. `back` is the person who may come back while a computer holds it.

CREATE TABLE holders (
    match    TEXT    NOT NULL REFERENCES matches (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    since    INTEGER NOT NULL CHECK (since >= 0),
    occupant TEXT    NOT NULL CHECK (occupant IN ('person', 'computer')),
    user     INTEGER,
    name     TEXT    NOT NULL,
    level    TEXT    NOT NULL,
    why      TEXT    NOT NULL,
    back     INTEGER,
    at       INTEGER NOT NULL,
    PRIMARY KEY (match, seat, since)
) STRICT, WITHOUT ROWID;
