-- What was granted of each limited thing in its last window, by slots of 4 ms. Unlogged: a crash of
-- the database takes longer than the windows that it forgets.
create unlogged table rate_window (
  key text primary key,
  slots bigint[] not null default '{}',
  counts int[] not null default '{}',
  touched_at timestamptz not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Grants up to `wanted` of one key, never more than `most` in any `window_ms` by this database's
-- clock. A grant counts as long as its slot can lie within the window, so the bound is exact; what is
-- given up is one slot's worth of time a window (0.4 % of a second). `granted_at` is for those who
-- prove it.
create function take_grants(wanted_key text, most int, window_ms int, wanted int)
  returns table (granted int, remaining int, retry_after_ms double precision, granted_at timestamptz)
  language plpgsql as $$
declare
  slot_ms constant int := 4;
  window_slots constant int := (window_ms + slot_ms - 1) / slot_ms + 1;
  w rate_window;
  used int;
  slot bigint;
  ms double precision;
begin
  insert into rate_window (key) values (wanted_key) on conflict (key) do nothing;
  select * into w from rate_window where key = wanted_key for update;
  granted_at := clock_timestamp();
  ms := extract(epoch from granted_at) * 1000;
  -- A clock that was set back must not forget what was granted.
  slot := greatest(floor(ms / slot_ms)::bigint, w.slots[cardinality(w.slots)]);
  select coalesce(array_agg(t.s order by t.s), '{}'), coalesce(array_agg(t.c order by t.s), '{}'),
      coalesce(sum(t.c), 0)
    into w.slots, w.counts, used
    from unnest(w.slots, w.counts) as t (s, c) where t.s > slot - window_slots;
  granted := greatest(0, least(wanted, most - used));
  remaining := greatest(0, most - used - granted);
  retry_after_ms := 0;
  if granted < wanted and cardinality(w.slots) > 0 then
    retry_after_ms := greatest(1, (w.slots[1] + window_slots) * slot_ms - ms);
  end if;
  if granted > 0 then
    if w.slots[cardinality(w.slots)] = slot then
      w.counts[cardinality(w.counts)] := w.counts[cardinality(w.counts)] + granted;
    else
      w.slots := w.slots || slot;
      w.counts := w.counts || granted;
    end if;
    update rate_window set slots = w.slots, counts = w.counts, touched_at = granted_at
      where key = wanted_key;
  end if;
  return next;
end $$;

-- The same for many keys at once, locked in one order by every caller.
create function take_grants_of(keys text[], mosts int[], windows_ms int[], wanteds int[])
  returns table (key text, granted int, remaining int, retry_after_ms double precision)
  language sql as $$
    select t.key, g.granted, g.remaining, g.retry_after_ms
    from (select * from unnest(keys, mosts, windows_ms, wanteds) as u (key, most, window_ms, wanted)
          order by u.key) t
    cross join lateral take_grants(t.key, t.most, t.window_ms, t.wanted) g
  $$;
