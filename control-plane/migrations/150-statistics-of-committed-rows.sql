-- Goes by rows that are committed rather than by pages. A table that is looked at while a large
-- transaction fills it has many pages and no rows yet; it was then planned as empty after the commit
-- too, each report of a broadcast reading all messages, for as long as its size stayed what was known.
create or replace function analyze_grown() returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  rows_min constant int := 1000;
  grown regclass;
  looked_at int := 0;
begin
  -- One node at a time; the next one finds nothing to do.
  if not pg_try_advisory_xact_lock(7403192) then return 0; end if;
  for grown in
    select c.oid from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and pg_get_userbyid(c.relowner) = current_user
      and pg_stat_get_live_tuples(c.oid) > greatest(rows_min, 4 * c.reltuples)
      -- Queues say themselves when they want to be looked at: what they hold now is gone by then.
      and coalesce(array_to_string(c.reloptions, ' '), '') not like '%autovacuum_analyze%'
  loop
    execute format('analyze %s', grown);
    looked_at := looked_at + 1;
  end loop;
  return looked_at;
end $$;
