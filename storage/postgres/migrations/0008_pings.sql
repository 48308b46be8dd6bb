-- What each seat waits for, and what its person was told of it; and the messages that stand for that.

CREATE TABLE pings (
    match  text     COLLATE "C" NOT NULL REFERENCES matches (id),
    seat   integer  NOT NULL CHECK (seat >= 0),
    "user" bigint   NOT NULL,
    turn   integer  NOT NULL,
    kind   text     NOT NULL CHECK (kind IN ('turn', 'next', 'result')),
    state  text     NOT NULL CHECK (state IN ('new', 'known', 'held', 'digest', 'told', 'over')),
    began  bigint   NOT NULL,
    due    bigint,
    sent   bigint,
    unseen smallint NOT NULL CHECK (unseen IN (0, 1)),
    alone  smallint NOT NULL CHECK (alone IN (0, 1)),
    remind bigint   NOT NULL CHECK (remind >= 0),
    reason text     NOT NULL,
    stamp  bigint   NOT NULL,
    PRIMARY KEY (match, seat)
);

CREATE INDEX pings_due ON pings (due) WHERE due IS NOT NULL;
CREATE INDEX pings_user ON pings ("user") WHERE state <> 'over';

-- The messages that ping for turns which aren't over; a board may ping several people. `match` refers to nothing
-- by force, as that of posts.
CREATE TABLE ping_posts (
    message bigint   NOT NULL,
    "user"  bigint   NOT NULL,
    channel bigint   NOT NULL,
    match   text     COLLATE "C" NOT NULL,
    seat    integer  NOT NULL,
    turn    integer  NOT NULL,
    ours    smallint NOT NULL CHECK (ours IN (0, 1)),
    text    text     NOT NULL,
    guild   bigint,
    PRIMARY KEY (message, "user")
);

CREATE INDEX ping_posts_match ON ping_posts (match, seat);
