-- Records that travel. `source` says how a match came about: played by people and computers, a study in which one
-- person plays all sides, or imported from a record. `origin` is where a match begins that continues another one:
-- that match, its entry and move, the version of the rules, and the seats that are out, as JSON.

ALTER TABLE matches ADD COLUMN source TEXT NOT NULL DEFAULT 'played' CHECK (source IN ('played', 'study', 'import'));
ALTER TABLE matches ADD COLUMN origin TEXT CHECK (origin IS NULL OR json_valid(origin));

-- What came with an imported record: its checksum, and its headers that aren't the engine's, as JSON.
CREATE TABLE imports (
    match    TEXT    NOT NULL PRIMARY KEY REFERENCES matches (id),
    owner    INTEGER NOT NULL,
    checksum TEXT    NOT NULL,
    headers  TEXT    NOT NULL CHECK (json_valid(headers)),
    UNIQUE (owner, checksum)
) STRICT, WITHOUT ROWID;
