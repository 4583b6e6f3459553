-- Whose turn it is to go to a far end that takes so many within a window. Instants are whole
-- microseconds since 1970 by this database's clock, as double precision: drivers read it as numbers.
-- Unlogged: a crash of the database takes longer than the windows that it forgets.
create unlogged table turn_lane (
  key text primary key,
  -- Turns that count, the latest first: when each may go, and until when it counts.
  goes double precision[] not null default '{}',
  counts_until double precision[] not null default '{}',
  touched_at timestamptz not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Gives up to `wanted` turns of one key, a little ahead of their time, so that what has to be done
-- before can be done. A turn counts until a window has passed since it arrived at the latest: as was
-- told of it, and until then as if it took `held_us`. When it goes, fewer than `most` count. Turns
-- go twice as fast as the limit at most, since answers to many at once come late.
create function take_turns(
  wanted_key text, most int, window_us double precision, wanted int,
  told_goes double precision[], told_until double precision[], now_us double precision)
  returns table (goes_at double precision[], retry_us double precision)
  language plpgsql as $$
declare
  ahead_us constant double precision := 0.4 * window_us;
  space_us constant double precision := floor(0.5 * window_us / most);
  -- It goes a second late at most, and is answered within two.
  held_us constant double precision := 3e6;
  lane turn_lane;
  until double precision[];
  next_us double precision;
begin
  insert into turn_lane (key) values (wanted_key) on conflict (key) do nothing;
  select * into lane from turn_lane where key = wanted_key for update;
  -- A clock that was set back must not hold turns for longer than new ones.
  select coalesce(array_agg(t.g order by t.g desc), '{}'),
      coalesce(array_agg(t.u order by t.g desc), '{}'),
      coalesce(array_agg(t.u order by t.u desc), '{}')
    into lane.goes, lane.counts_until, until
    from (
      select g, least(u, told.until, now_us + ahead_us + held_us + window_us) as u
      from unnest(lane.goes, lane.counts_until) as known (g, u)
      left join unnest(told_goes, told_until) as told (goes, until) on told.goes = g
    ) as t
    where t.u > now_us;
  goes_at := '{}';
  loop
    next_us := greatest(now_us, lane.goes[1] + space_us, until[most]);
    exit when cardinality(goes_at) = wanted or next_us > now_us + ahead_us;
    goes_at := goes_at || next_us;
    lane.goes := next_us || lane.goes;
    lane.counts_until := next_us + held_us + window_us || lane.counts_until;
    until := next_us + held_us + window_us || until;
  end loop;
  update turn_lane
    set goes = lane.goes, counts_until = lane.counts_until, touched_at = clock_timestamp()
    where key = wanted_key;
  -- As if what was not told of yet arrived at once.
  retry_us := greatest(0,
    greatest(lane.goes[1] + space_us, lane.goes[most] + window_us) - now_us - ahead_us);
  return next;
end $$;

-- The same for many keys at once, locked in one order by every caller. `at_us` is for those who prove it.
create function take_turns_of(wishes jsonb, at_us double precision)
  returns table (key text, goes_at double precision[], retry_us double precision, now_us double precision)
  language sql as $$
    with clock as materialized (
      select coalesce(at_us, floor(extract(epoch from clock_timestamp()) * 1e6)) as now_us
    )
    select w.key, t.goes_at, t.retry_us, clock.now_us
    from clock cross join (
      select * from jsonb_to_recordset(wishes) as u (key text, most int,
        window_us double precision, wanted int,
        told_goes double precision[], told_until double precision[])
      order by key) w
    cross join lateral take_turns(
      w.key, w.most, w.window_us, w.wanted, w.told_goes, w.told_until, clock.now_us) t
  $$;
