-- Whether players may ask for hints, as agreed in the lobby.

ALTER TABLE matches ADD COLUMN hints smallint NOT NULL DEFAULT 1 CHECK (hints IN (0, 1));
