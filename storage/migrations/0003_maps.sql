-- Maps that servers brought along for games that are played on maps: the map as JSON, its picture and its mask.

CREATE TABLE maps (
    n       INTEGER PRIMARY KEY,
    guild   INTEGER NOT NULL,
    game    TEXT    NOT NULL,
    key     TEXT    NOT NULL CHECK (length(key) BETWEEN 1 AND 32),
    title   TEXT    NOT NULL CHECK (length(title) BETWEEN 1 AND 100),
    by      INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    data    TEXT    NOT NULL CHECK (length(data) <= 400000 AND json_valid(data)),
    picture BLOB    CHECK (length(picture) <= 4194304),
    mask    BLOB    CHECK (length(mask) <= 4194304),
    UNIQUE (guild, game, key)
) STRICT;
