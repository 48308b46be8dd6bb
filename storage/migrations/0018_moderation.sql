-- What moderators have done, and who may not play where or with whom. Times: milliseconds since 1970, UTC.

-- Rows are only added. `person` is whom it was about; `detail` depends on the action.
CREATE TABLE moderation (
    n         INTEGER PRIMARY KEY,
    guild     INTEGER NOT NULL,
    moderator INTEGER NOT NULL,
    action    TEXT    NOT NULL,
    reason    TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    match     TEXT    NOT NULL DEFAULT '',
    person    INTEGER,
    detail    TEXT    NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX moderation_guild ON moderation (guild, n);

-- People who may not play in a server, and the row that says why.
CREATE TABLE forbidden (
    guild INTEGER NOT NULL,
    user  INTEGER NOT NULL,
    n     INTEGER NOT NULL REFERENCES moderation (n),
    PRIMARY KEY (guild, user)
) STRICT, WITHOUT ROWID;

-- People who want no lobbies or matches with others.
CREATE TABLE blocks (
    user  INTEGER NOT NULL,
    other INTEGER NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (user, other)
) STRICT, WITHOUT ROWID;
