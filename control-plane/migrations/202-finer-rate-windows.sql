-- Of a limit of few grants each millisecond is counted for itself: of a limit of 50 a second, slots of
-- 4 ms gave away every fifth call of a second that is asked for without a pause. A slot is known by
-- its end, so that slots of both lengths may stand side by side when a limit is changed.
truncate rate_window;
alter table rate_window rename column slots to slot_ends;

create or replace function take_grants(wanted_key text, most int, window_ms int, wanted int)
  returns table (granted int, remaining int, retry_after_ms double precision, granted_at timestamptz)
  language plpgsql as $$
declare
  slot_ms constant int := case when most <= 250 then 1 else 4 end;
  w rate_window;
  used int;
  slot_begin bigint;
  slot_end bigint;
  ms double precision;
begin
  insert into rate_window (key) values (wanted_key) on conflict (key) do nothing;
  select * into w from rate_window where key = wanted_key for update;
  granted_at := clock_timestamp();
  ms := extract(epoch from granted_at) * 1000;
  slot_begin := floor(ms / slot_ms)::bigint * slot_ms;
  -- A clock that was set back must not forget what was granted.
  slot_end := greatest(slot_begin + slot_ms, w.slot_ends[cardinality(w.slot_ends)]);
  -- Any of a slot's grants may have been made at its end.
  select coalesce(array_agg(t.s order by t.s), '{}'), coalesce(array_agg(t.c order by t.s), '{}'),
      coalesce(sum(t.c), 0)
    into w.slot_ends, w.counts, used
    from unnest(w.slot_ends, w.counts) as t (s, c) where t.s > slot_begin - window_ms;
  granted := greatest(0, least(wanted, most - used));
  remaining := greatest(0, most - used - granted);
  retry_after_ms := 0;
  if granted < wanted and cardinality(w.slot_ends) > 0 then
    retry_after_ms := greatest(1, w.slot_ends[1] + window_ms - ms);
  end if;
  if granted > 0 then
    if w.slot_ends[cardinality(w.slot_ends)] = slot_end then
      w.counts[cardinality(w.counts)] := w.counts[cardinality(w.counts)] + granted;
    else
      w.slot_ends := w.slot_ends || slot_end;
      w.counts := w.counts || granted;
    end if;
    update rate_window set slot_ends = w.slot_ends, counts = w.counts, touched_at = granted_at
      where key = wanted_key;
  end if;
  return next;
end $$;
