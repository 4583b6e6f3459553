-- The server looks at a table's size once a minute. A table that grew from nothing since then is still
-- planned as if it were small: read whole, once for each row that is looked up, and plans that are kept
-- stay so. This looks at those that are four times as large as was known; answers how many there were.
create function analyze_grown() returns int
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  page_size constant int := current_setting('block_size')::int;
  pages_min constant int := 32;
  grown regclass;
  looked_at int := 0;
begin
  -- One node at a time; the next one finds nothing to do.
  if not pg_try_advisory_xact_lock(7403192) then return 0; end if;
  for grown in
    select c.oid from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and pg_get_userbyid(c.relowner) = current_user
      and pg_relation_size(c.oid) / page_size > greatest(pages_min, 4 * c.relpages)
      -- Queues say themselves when they want to be looked at: what they hold now is gone by then.
      and coalesce(array_to_string(c.reloptions, ' '), '') not like '%autovacuum_analyze%'
  loop
    execute format('analyze %s', grown);
    looked_at := looked_at + 1;
  end loop;
  return looked_at;
end $$;
