-- Open offers of seats. `user` is the person to whom a seat is offered, 0 for everyone; `entry` is the log entry
-- after which it was offered, `own` says whether the seat's own person has done so.

CREATE TABLE seat_offers (
    match  text     COLLATE "C" NOT NULL REFERENCES matches (id),
    seat   integer  NOT NULL CHECK (seat >= 0),
    "user" bigint   NOT NULL,
    by     bigint   NOT NULL,
    entry  integer  NOT NULL,
    own    smallint NOT NULL CHECK (own IN (0, 1)),
    PRIMARY KEY (match, seat, "user")
);
