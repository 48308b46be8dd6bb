-- Tournaments are looked after when something has changed: `wake` is the time from which on, NULL until then.
-- The matches of pairings without a result are rows, so that the end of one wakes its tournament. Sign-up may
-- have an end, before which entrants check in.

ALTER TABLE tournaments ADD COLUMN wake INTEGER;
ALTER TABLE tournaments ADD COLUMN deadline INTEGER;
ALTER TABLE tournaments ADD COLUMN checking INTEGER NOT NULL DEFAULT 0 CHECK (checking IN (0, 1));
ALTER TABLE tournament_entrants ADD COLUMN here INTEGER NOT NULL DEFAULT 0 CHECK (here IN (0, 1));

CREATE TABLE tournament_matches (
    match      TEXT    NOT NULL PRIMARY KEY REFERENCES matches (id),
    tournament INTEGER NOT NULL REFERENCES tournaments (id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX tournament_matches_tournament ON tournament_matches (tournament);

INSERT INTO tournament_matches (match, tournament)
SELECT json_extract(one.value, '$[5]'), t.id FROM tournaments AS t, json_each(t.pairings) AS one
WHERE t.status IN ('running', 'paused') AND json_extract(one.value, '$[5]') IS NOT NULL
    AND json_extract(one.value, '$[3]') IS NULL;

UPDATE tournaments SET wake = 0 WHERE status IN ('running', 'paused');

DROP INDEX tournaments_running;
CREATE INDEX tournaments_wake ON tournaments (wake) WHERE wake IS NOT NULL;
