-- Unexpected errors, grouped by the place in our own code and the kind of exception. Times are milliseconds; told is
-- when operators were told of the group.

CREATE TABLE errors (
    place   text   NOT NULL,
    kind    text   NOT NULL,
    count   bigint NOT NULL,
    since   bigint NOT NULL,
    latest  bigint NOT NULL,
    version text   NOT NULL,
    told    bigint,
    PRIMARY KEY (place, kind)
);
