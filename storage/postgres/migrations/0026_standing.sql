-- What finished matches say about their people, how that changed ratings, and the ratings as they are now.
-- Strengths are thousandths of a point; scope is the id of a server, or 0 for all servers. Everything follows from
-- matches and their logs, so it can be computed again. Matches that began before have no value in `rated`.

ALTER TABLE matches ADD COLUMN rated smallint CHECK (rated IN (0, 1));

CREATE TABLE match_results (
    match       text COLLATE "C" NOT NULL REFERENCES matches (id),
    seat        integer          NOT NULL CHECK (seat >= 0),
    "user"      bigint           NOT NULL,
    at          bigint           NOT NULL,
    game        text COLLATE "C" NOT NULL,
    family      text COLLATE "C" NOT NULL,
    guild       bigint,
    sides       integer          NOT NULL,
    unrated     text             NOT NULL,
    side        integer          NOT NULL,
    place       integer          NOT NULL,
    tied        smallint         NOT NULL CHECK (tied IN (0, 1)),
    share       text             NOT NULL CHECK (share IN ('both', 'gain', 'loss', 'none')),
    why         text             NOT NULL,
    since       integer          NOT NULL CHECK (since >= 0),
    moves       integer          NOT NULL,
    pace        bigint,
    last_move   bigint,
    timed_out   bigint,
    PRIMARY KEY (match, seat, "user")
);

CREATE INDEX match_results_user ON match_results ("user", at);
CREATE INDEX match_results_at ON match_results (at);

CREATE TABLE rating_changes (
    match       text COLLATE "C" NOT NULL REFERENCES matches (id),
    scope       bigint           NOT NULL,
    "user"      bigint           NOT NULL,
    mu          bigint           NOT NULL,
    sigma       bigint           NOT NULL,
    matches     bigint           NOT NULL,
    new_mu      bigint           NOT NULL,
    new_sigma   bigint           NOT NULL,
    new_matches bigint           NOT NULL,
    why         text             NOT NULL,
    nth         integer          NOT NULL CHECK (nth >= 1),
    PRIMARY KEY (match, scope, "user")
);

CREATE INDEX rating_changes_user ON rating_changes ("user");

CREATE TABLE ratings (
    game        text COLLATE "C" NOT NULL,
    family      text COLLATE "C" NOT NULL,
    scope       bigint           NOT NULL,
    "user"      bigint           NOT NULL,
    mu          bigint           NOT NULL,
    sigma       bigint           NOT NULL,
    matches     bigint           NOT NULL,
    provisional smallint         NOT NULL CHECK (provisional IN (0, 1)),
    PRIMARY KEY (game, family, scope, "user")
);

CREATE INDEX ratings_user ON ratings ("user");
CREATE INDEX ratings_order ON ratings (game, family, scope, provisional, mu DESC, "user");
