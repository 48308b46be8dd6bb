-- People who follow matches, and the channels in which servers show theirs. Times: milliseconds since 1970, UTC.

-- `told` is the log entry that was told last. A row that is `closed` was ended because the person takes no direct
-- messages: it waits to be told elsewhere.
CREATE TABLE follows (
    match  text     COLLATE "C" NOT NULL REFERENCES matches (id),
    "user" bigint   NOT NULL,
    tell   text     NOT NULL CHECK (tell IN ('end', 'turns', 'daily')),
    since  bigint   NOT NULL,
    told   integer  NOT NULL,
    due    bigint,
    sent   bigint,
    closed smallint NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    stamp  bigint   NOT NULL DEFAULT 0,
    PRIMARY KEY (match, "user")
);

CREATE INDEX follows_due ON follows (due) WHERE due IS NOT NULL;
CREATE INDEX follows_user ON follows ("user");

CREATE TABLE showcases (
    guild   bigint PRIMARY KEY,
    channel bigint NOT NULL,
    by      bigint NOT NULL,
    since   bigint NOT NULL,
    message bigint,
    shown   text   NOT NULL DEFAULT '',
    edited  bigint
);
