-- The answer to a refresh can be lost: the token before the newest one, and when it was used. Used again
-- soon after, it gives the newest one again; later it means that somebody has a copy.
alter table session
  add column previous_refresh_id text,
  add column refreshed_at timestamptz;
