-- What surrounds matches: their messages, mirrors, settings, what was read, and cached folds.

-- `match` refers to nothing by force: a message that was sent must never fail to be remembered.
CREATE TABLE posts (
    message INTEGER PRIMARY KEY,
    channel INTEGER NOT NULL,
    match   TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    seq     INTEGER
) STRICT;

CREATE INDEX posts_match ON posts (match);

CREATE TABLE watches (
    n       INTEGER PRIMARY KEY,
    match   TEXT    NOT NULL REFERENCES matches (id),
    channel INTEGER NOT NULL,
    by      INTEGER NOT NULL,
    message INTEGER,
    UNIQUE (match, channel)
) STRICT;

CREATE TABLE settings (
    scope    TEXT    NOT NULL CHECK (scope IN ('guild', 'user')),
    id       INTEGER NOT NULL,
    settings TEXT    NOT NULL CHECK (json_valid(settings)),
    PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE seen (
    channel INTEGER PRIMARY KEY,
    message INTEGER NOT NULL
) STRICT;

-- A cache: it may be emptied at any time.
CREATE TABLE snapshots (
    match   TEXT    NOT NULL PRIMARY KEY REFERENCES matches (id),
    version INTEGER NOT NULL,
    data    TEXT    NOT NULL CHECK (json_valid(data))
) STRICT, WITHOUT ROWID;
