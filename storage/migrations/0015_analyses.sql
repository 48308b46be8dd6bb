-- Analyses of finished matches. `source` says what the values come from: better computers make a new one, which
-- takes the place of the old. `data` is what games/ai/analysis_json.py writes.

CREATE TABLE analyses (
    match  TEXT    NOT NULL PRIMARY KEY REFERENCES matches (id),
    source TEXT    NOT NULL,
    made   INTEGER NOT NULL,
    data   TEXT    NOT NULL CHECK (json_valid(data))
) STRICT;
