-- Marks of files: a server's database needs none.

SELECT 1;
