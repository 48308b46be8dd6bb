-- Unexpected errors, grouped by the place in our own code and the kind of exception. Times are milliseconds; told is
-- when operators were told of the group.

CREATE TABLE errors (
    place   TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    count   INTEGER NOT NULL,
    since   INTEGER NOT NULL,
    latest  INTEGER NOT NULL,
    version TEXT    NOT NULL,
    told    INTEGER,
    PRIMARY KEY (place, kind)
) STRICT;
