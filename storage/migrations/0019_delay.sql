-- By how many turns others see a match late, as agreed in the lobby: -1 until it is over.

ALTER TABLE matches ADD COLUMN delay INTEGER NOT NULL DEFAULT 0 CHECK (delay >= -1);
