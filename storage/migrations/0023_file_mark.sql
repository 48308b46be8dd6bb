-- Which log belongs to the file: each transaction has a mark of its own, and names the one before it, so that a log
-- holds the mark that the file has. See docs/adr/0021-a-log-belongs-to-its-file.md. The first value is always the same.

CREATE TABLE file_mark (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    constant BLOB    NOT NULL,
    current  BLOB    NOT NULL,
    previous BLOB    NOT NULL,
    in_use   INTEGER NOT NULL CHECK (in_use IN (0, 1))
) STRICT;

INSERT INTO file_mark VALUES (1, x'594c518d7e0c1a3b587300ead1bfa8a8', randomblob(16), zeroblob(16), 1);
