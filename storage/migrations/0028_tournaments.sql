-- Tournaments of servers: what was agreed on, who takes part, who met whom, and a log that everyone may read.
-- Entrants have numbers, so that pairings and the log name nobody; plan and pairings are JSON. `shown` is the
-- revision that the message tells of.

CREATE TABLE tournaments (
    id        INTEGER PRIMARY KEY,
    guild     INTEGER NOT NULL,
    channel   INTEGER NOT NULL,
    organiser INTEGER NOT NULL,
    title     TEXT    NOT NULL,
    game      TEXT    NOT NULL,
    status    TEXT    NOT NULL CHECK (status IN ('open', 'running', 'paused', 'over', 'cancelled')),
    plan      TEXT    NOT NULL,
    pairings  TEXT    NOT NULL,
    revision  INTEGER NOT NULL CHECK (revision >= 0),
    shown     INTEGER NOT NULL,
    message   INTEGER,
    created   INTEGER NOT NULL,
    updated   INTEGER NOT NULL
) STRICT;

CREATE INDEX tournaments_guild ON tournaments (guild, id);
CREATE INDEX tournaments_due ON tournaments (id) WHERE shown <> revision;
CREATE INDEX tournaments_running ON tournaments (id) WHERE status IN ('open', 'running', 'paused');

CREATE TABLE tournament_entrants (
    tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number     INTEGER NOT NULL CHECK (number >= 1),
    user       INTEGER,
    name       TEXT    NOT NULL,
    level      TEXT    NOT NULL,
    joined     INTEGER NOT NULL CHECK (joined >= 1),
    gone       INTEGER NOT NULL CHECK (gone IN (0, 1)),
    PRIMARY KEY (tournament, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_entrants_user ON tournament_entrants (user);

CREATE TABLE tournament_log (
    tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    n          INTEGER NOT NULL CHECK (n >= 1),
    at         INTEGER NOT NULL,
    user       INTEGER,
    kind       TEXT    NOT NULL,
    data       TEXT    NOT NULL,
    PRIMARY KEY (tournament, n)
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_log_user ON tournament_log (user);
