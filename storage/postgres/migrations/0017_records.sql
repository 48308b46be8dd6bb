-- Records that travel. `source` says how a match came about: played by people and computers, a study in which one
-- person plays all sides, or imported from a record. `origin` is where a match begins that continues another one:
-- that match, its entry and move, the version of the rules, and the seats that are out, as JSON.

ALTER TABLE matches ADD COLUMN source text NOT NULL DEFAULT 'played' CHECK (source IN ('played', 'study', 'import'));
ALTER TABLE matches ADD COLUMN origin text CHECK (origin IS JSON);

-- What came with an imported record: its checksum, and its headers that aren't the engine's, as JSON.
CREATE TABLE imports (
    match    text   COLLATE "C" PRIMARY KEY REFERENCES matches (id),
    owner    bigint NOT NULL,
    checksum text   COLLATE "C" NOT NULL,
    headers  text   NOT NULL CHECK (headers IS JSON),
    UNIQUE (owner, checksum)
);
