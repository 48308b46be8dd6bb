-- Pings are withdrawn by message and channel; the server was never needed.
ALTER TABLE ping_posts DROP COLUMN guild;
