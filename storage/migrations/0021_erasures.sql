-- People who asked to be forgotten. Until that is done, `user` says whom it is about; then only the token is left
-- that stands in their place. `cleaned`: when the file was rewritten, so that nothing is left in its free pages.

CREATE TABLE erasures (
    n       INTEGER PRIMARY KEY,
    token   INTEGER NOT NULL UNIQUE CHECK (token < 0),
    user    INTEGER UNIQUE,
    begun   INTEGER NOT NULL,
    done    INTEGER,
    cleaned INTEGER,
    CHECK ((user IS NULL) = (done IS NOT NULL))
) STRICT;

-- The one way in which the log may change: the author of an entry becomes the token of an erasure that is running.
DROP TRIGGER entries_stay;

CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
WHEN NOT EXISTS (SELECT 1 FROM erasures WHERE user = OLD.user AND token = NEW.user)
    OR OLD.match IS NOT NEW.match OR OLD.seq IS NOT NEW.seq OR OLD.kind IS NOT NEW.kind
    OR OLD.seat IS NOT NEW.seat OR OLD.data IS NOT NEW.data OR OLD.at IS NOT NEW.at
BEGIN
    SELECT RAISE(ABORT, 'the log is append-only: entries are not changed');
END;
