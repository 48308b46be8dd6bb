-- Open offers of seats. `user` is the person to whom a seat is offered, 0 for everyone; `entry` is the log entry
-- after which it was offered, `own` says whether the seat's own person has done so.

CREATE TABLE seat_offers (
    match TEXT    NOT NULL REFERENCES matches (id),
    seat  INTEGER NOT NULL CHECK (seat >= 0),
    user  INTEGER NOT NULL,
    by    INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    own   INTEGER NOT NULL CHECK (own IN (0, 1)),
    PRIMARY KEY (match, seat, user)
) STRICT, WITHOUT ROWID;
