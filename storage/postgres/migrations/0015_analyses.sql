-- Analyses of finished matches. `source` says what the values come from: better computers make a new one, which
-- takes the place of the old. `data` is what games/ai/analysis_json.py writes.

CREATE TABLE analyses (
    match  text   COLLATE "C" NOT NULL PRIMARY KEY REFERENCES matches (id),
    source text   NOT NULL,
    made   bigint NOT NULL,
    data   json   NOT NULL
);
