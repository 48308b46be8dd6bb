-- What people have planned for a match, private to them: a row for each seat with a plan. `lines` has the
-- conditions and replies, as JSON; `version` is the log entry after which they begin.

CREATE TABLE plans (
    match     text     COLLATE "C" NOT NULL REFERENCES matches (id),
    seat      integer  NOT NULL,
    "user"    bigint   NOT NULL,
    version   integer  NOT NULL,
    only_move smallint NOT NULL CHECK (only_move IN (0, 1)),
    lines     json     NOT NULL,
    PRIMARY KEY (match, seat)
);
