-- Tournaments of servers: what was agreed on, who takes part, who met whom, and a log that everyone may read.
-- Entrants have numbers, so that pairings and the log name nobody; plan and pairings are JSON. `shown` is the
-- revision that the message tells of.

CREATE TABLE tournaments (
    id        bigint           PRIMARY KEY,
    guild     bigint           NOT NULL,
    channel   bigint           NOT NULL,
    organiser bigint           NOT NULL,
    title     text             NOT NULL,
    game      text COLLATE "C" NOT NULL,
    status    text COLLATE "C" NOT NULL CHECK (status IN ('open', 'running', 'paused', 'over', 'cancelled')),
    plan      text             NOT NULL,
    pairings  text             NOT NULL,
    revision  integer          NOT NULL CHECK (revision >= 0),
    shown     integer          NOT NULL,
    message   bigint,
    created   bigint           NOT NULL,
    updated   bigint           NOT NULL
);

CREATE INDEX tournaments_guild ON tournaments (guild, id);
CREATE INDEX tournaments_due ON tournaments (id) WHERE shown <> revision;
CREATE INDEX tournaments_running ON tournaments (id) WHERE status IN ('open', 'running', 'paused');

CREATE TABLE tournament_entrants (
    tournament bigint   NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    number     integer  NOT NULL CHECK (number >= 1),
    "user"     bigint,
    name       text     NOT NULL,
    level      text     NOT NULL,
    joined     integer  NOT NULL CHECK (joined >= 1),
    gone       smallint NOT NULL CHECK (gone IN (0, 1)),
    PRIMARY KEY (tournament, number)
);

CREATE INDEX tournament_entrants_user ON tournament_entrants ("user");

CREATE TABLE tournament_log (
    tournament bigint           NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE,
    n          integer          NOT NULL CHECK (n >= 1),
    at         bigint           NOT NULL,
    "user"     bigint,
    kind       text COLLATE "C" NOT NULL,
    data       text             NOT NULL,
    PRIMARY KEY (tournament, n)
);

CREATE INDEX tournament_log_user ON tournament_log ("user");
