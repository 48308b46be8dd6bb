-- Matches, their log, what was asked and what is to be sent. Times: whole milliseconds since 1970, UTC.

CREATE TABLE matches (
    n             INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE,
    game          TEXT    NOT NULL,
    status        TEXT    NOT NULL
                  CHECK (status IN ('lobby', 'live', 'over', 'aborted', 'expired', 'closed')),
    guild         INTEGER,
    channel       INTEGER NOT NULL,
    thread        INTEGER,
    host          INTEGER NOT NULL,
    options       TEXT    NOT NULL CHECK (json_valid(options)),
    secret        TEXT    NOT NULL,
    created       INTEGER NOT NULL,
    updated       INTEGER NOT NULL,
    version       INTEGER NOT NULL CHECK (version >= -1),
    revision      INTEGER NOT NULL CHECK (revision >= 0),
    use_thread    INTEGER NOT NULL CHECK (use_thread IN (0, 1)),
    lobby_message INTEGER,
    reminded      INTEGER NOT NULL CHECK (reminded IN (0, 1)),
    expires       INTEGER,
    result        TEXT    CHECK (result IS NULL OR json_valid(result)),
    previous      TEXT,
    unreachable   TEXT    NOT NULL
) STRICT;

-- None of these columns changes with a move: a commit writes few pages.
CREATE INDEX matches_home ON matches (coalesce(thread, channel));
CREATE INDEX matches_host ON matches (host);
CREATE INDEX matches_status ON matches (status);
CREATE INDEX matches_expires ON matches (expires) WHERE status = 'lobby' AND expires IS NOT NULL;

CREATE TABLE seats (
    match    TEXT    NOT NULL REFERENCES matches (id),
    seat     INTEGER NOT NULL CHECK (seat >= 0),
    occupant TEXT    NOT NULL CHECK (occupant IN ('open', 'invited', 'person', 'computer')),
    user     INTEGER,
    name     TEXT    NOT NULL,
    level    TEXT    NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_user ON seats (user) WHERE user IS NOT NULL;

-- The truth. The primary key is the last lock against two entries with one number.
CREATE TABLE entries (
    match TEXT    NOT NULL REFERENCES matches (id),
    seq   INTEGER NOT NULL CHECK (seq >= 0),
    kind  TEXT    NOT NULL,
    seat  INTEGER,
    data  TEXT    NOT NULL,
    at    INTEGER NOT NULL,
    user  INTEGER,
    PRIMARY KEY (match, seq)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only: entries are not changed');
END;

CREATE TRIGGER entries_last BEFORE DELETE ON entries
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only: entries are not removed');
END;

CREATE TABLE requests (
    id       TEXT    NOT NULL PRIMARY KEY,
    match    TEXT    NOT NULL REFERENCES matches (id),
    version  INTEGER NOT NULL,
    revision INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Unsent messages only: it stays small, so it needs no index by lane. Numbers are never used twice.
-- `match` refers to nothing by force: a message may belong to no match.
CREATE TABLE outbox (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    kind    TEXT    NOT NULL,
    match   TEXT    NOT NULL,
    lane    TEXT    NOT NULL,
    payload TEXT    NOT NULL CHECK (json_valid(payload)),
    user    INTEGER,
    nonce   TEXT    NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(12)))) CHECK (length(nonce) BETWEEN 1 AND 25),
    created INTEGER NOT NULL,
    due     INTEGER NOT NULL,
    tries   INTEGER NOT NULL DEFAULT 0,
    error   TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE outbox_dead (
    id      INTEGER PRIMARY KEY,
    kind    TEXT    NOT NULL,
    match   TEXT    NOT NULL,
    lane    TEXT    NOT NULL,
    payload TEXT    NOT NULL CHECK (json_valid(payload)),
    user    INTEGER,
    nonce   TEXT    NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    died    INTEGER NOT NULL,
    tries   INTEGER NOT NULL,
    error   TEXT    NOT NULL
) STRICT;

CREATE INDEX outbox_dead_match ON outbox_dead (match);
