-- What each seat waits for, and what its person was told of it; and the messages that stand for that.

CREATE TABLE pings (
    match  TEXT    NOT NULL REFERENCES matches (id),
    seat   INTEGER NOT NULL CHECK (seat >= 0),
    user   INTEGER NOT NULL,
    turn   INTEGER NOT NULL,
    kind   TEXT    NOT NULL CHECK (kind IN ('turn', 'next', 'result')),
    state  TEXT    NOT NULL CHECK (state IN ('new', 'known', 'held', 'digest', 'told', 'over')),
    began  INTEGER NOT NULL,
    due    INTEGER,
    sent   INTEGER,
    unseen INTEGER NOT NULL CHECK (unseen IN (0, 1)),
    alone  INTEGER NOT NULL CHECK (alone IN (0, 1)),
    remind INTEGER NOT NULL CHECK (remind >= 0),
    reason TEXT    NOT NULL,
    stamp  INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX pings_due ON pings (due) WHERE due IS NOT NULL;
CREATE INDEX pings_user ON pings (user) WHERE state <> 'over';

-- The messages that ping for turns which aren't over; a board may ping several people. `match` refers to nothing by force, as that of posts.
CREATE TABLE ping_posts (
    message INTEGER NOT NULL,
    user    INTEGER NOT NULL,
    channel INTEGER NOT NULL,
    match   TEXT    NOT NULL,
    seat    INTEGER NOT NULL,
    turn    INTEGER NOT NULL,
    ours    INTEGER NOT NULL CHECK (ours IN (0, 1)),
    text    TEXT    NOT NULL,
    guild   INTEGER,
    PRIMARY KEY (message, user)
) STRICT, WITHOUT ROWID;

CREATE INDEX ping_posts_match ON ping_posts (match, seat);
