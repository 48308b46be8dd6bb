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

-- Matches that nobody moves in: at which log entry and when their people were asked whether to go on, or one of
-- them said so (asked = 0). A row of an earlier entry means nothing: someone has moved since.
CREATE TABLE idle (
    match   TEXT    NOT NULL PRIMARY KEY REFERENCES matches (id),
    version INTEGER NOT NULL,
    asked   INTEGER NOT NULL CHECK (asked IN (0, 1)),
    at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Only servers that set matches aside are looked at, and a move touches none of these indexes.
CREATE INDEX settings_idle ON settings (json_extract(settings, '$.idle'))
    WHERE scope = 'guild' AND json_extract(settings, '$.idle') > 0;
CREATE INDEX matches_guild_live ON matches (guild) WHERE status = 'live' AND guild IS NOT NULL;
