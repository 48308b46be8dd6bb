-- What finished matches say about their people, how that changed ratings, and the ratings as they are now.
-- Strengths are thousandths of a point; scope is the id of a server, or 0 for all servers. Everything follows from
-- matches and their logs, so it can be computed again. Matches that began before have no value in `rated`.

ALTER TABLE matches ADD COLUMN rated INTEGER CHECK (rated IN (0, 1));

CREATE TABLE match_results (
    match     TEXT    NOT NULL REFERENCES matches (id),
    seat      INTEGER NOT NULL CHECK (seat >= 0),
    user      INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    game      TEXT    NOT NULL,
    family    TEXT    NOT NULL,
    guild     INTEGER,
    sides     INTEGER NOT NULL,
    unrated   TEXT    NOT NULL,
    side      INTEGER NOT NULL,
    place     INTEGER NOT NULL,
    tied      INTEGER NOT NULL CHECK (tied IN (0, 1)),
    share     TEXT    NOT NULL CHECK (share IN ('both', 'gain', 'loss', 'none')),
    why       TEXT    NOT NULL,
    since     INTEGER NOT NULL CHECK (since >= 0),
    moves     INTEGER NOT NULL,
    pace      INTEGER,
    last_move INTEGER,
    timed_out INTEGER,
    PRIMARY KEY (match, seat, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX match_results_user ON match_results (user, at);
CREATE INDEX match_results_at ON match_results (at);

CREATE TABLE rating_changes (
    match       TEXT    NOT NULL REFERENCES matches (id),
    scope       INTEGER NOT NULL,
    user        INTEGER NOT NULL,
    mu          INTEGER NOT NULL,
    sigma       INTEGER NOT NULL,
    matches     INTEGER NOT NULL,
    new_mu      INTEGER NOT NULL,
    new_sigma   INTEGER NOT NULL,
    new_matches INTEGER NOT NULL,
    why         TEXT    NOT NULL,
    nth         INTEGER NOT NULL CHECK (nth >= 1),
    PRIMARY KEY (match, scope, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX rating_changes_user ON rating_changes (user);

CREATE TABLE ratings (
    game        TEXT    NOT NULL,
    family      TEXT    NOT NULL,
    scope       INTEGER NOT NULL,
    user        INTEGER NOT NULL,
    mu          INTEGER NOT NULL,
    sigma       INTEGER NOT NULL,
    matches     INTEGER NOT NULL,
    provisional INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    PRIMARY KEY (game, family, scope, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX ratings_user ON ratings (user);
CREATE INDEX ratings_order ON ratings (game, family, scope, provisional, mu DESC, user);
