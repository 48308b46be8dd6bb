-- People who follow matches, and the channels in which servers show theirs. Times: milliseconds since 1970, UTC.

-- `told` is the log entry that was told last. A row that is `closed` was ended because the person takes no direct
-- messages: it waits to be told elsewhere.
CREATE TABLE follows (
    match  TEXT    NOT NULL REFERENCES matches (id),
    user   INTEGER NOT NULL,
    tell   TEXT    NOT NULL CHECK (tell IN ('end', 'turns', 'daily')),
    since  INTEGER NOT NULL,
    told   INTEGER NOT NULL,
    due    INTEGER,
    sent   INTEGER,
    closed INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    stamp  INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX follows_due ON follows (due) WHERE due IS NOT NULL;
CREATE INDEX follows_user ON follows (user);

CREATE TABLE showcases (
    guild   INTEGER PRIMARY KEY,
    channel INTEGER NOT NULL,
    by      INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    message INTEGER,
    shown   TEXT    NOT NULL DEFAULT '',
    edited  INTEGER
) STRICT;
