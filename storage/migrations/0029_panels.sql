-- A server may have two messages that are kept current: a list of its live matches, and the front page.

ALTER TABLE showcases RENAME TO lists;

CREATE TABLE showcases (
    guild   INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    by      INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    message INTEGER,
    shown   TEXT    NOT NULL DEFAULT '',
    edited  INTEGER,
    kind    TEXT    NOT NULL DEFAULT 'matches' CHECK (kind IN ('matches', 'panel')),
    PRIMARY KEY (guild, kind)
) STRICT;

INSERT INTO showcases (guild, channel, by, since, message, shown, edited)
SELECT guild, channel, by, since, message, shown, edited FROM lists;

DROP TABLE lists;

CREATE INDEX matches_guild_lobby ON matches (guild) WHERE status = 'lobby' AND guild IS NOT NULL;
