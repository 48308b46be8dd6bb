-- What people have planned for a match, private to them: a row for each seat with a plan. `lines` has the
-- conditions and replies, as JSON; `version` is the log entry after which they begin.

CREATE TABLE plans (
    match     TEXT    NOT NULL REFERENCES matches (id),
    seat      INTEGER NOT NULL,
    user      INTEGER NOT NULL,
    version   INTEGER NOT NULL,
    only_move INTEGER NOT NULL CHECK (only_move IN (0, 1)),
    lines     TEXT    NOT NULL CHECK (json_valid(lines)),
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;
