-- Let an inverted index, and one of time spans, begin with the tenant. In a schema of their own, so that
-- grants on ours do not touch them.
create schema if not exists extension;
create extension if not exists btree_gin schema extension;
create extension if not exists btree_gist schema extension;

-- Who the current transaction works for; null outside of one tenant, and then no row is visible.
create function current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('drawbridge.tenant', true), '')::uuid;

-- Every table of tenants' rows calls this. Forced, so that the owner is held by it too; with
-- `system => true` the owner may see all rows, for SECURITY DEFINER functions that look across
-- tenants.
-- The sub-select makes PostgreSQL ask for the tenant once a statement, not once a row.
create procedure isolate(
  name regclass, system boolean default false, tenant_column text default 'tenant_id')
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy own_tenant on %s using (%I = (select current_tenant()))',
    name, tenant_column);
  if system then
    execute format('create policy owner on %s to %I using (true) with check (true)',
      name, current_user);
  end if;
end $$;

create table tenant (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  -- What was agreed otherwise than the settings' limits: { "read": 500 }, per key and second.
  limits jsonb not null default '{}',
  created_at timestamptz not null default now()
);
call isolate('tenant', system => true, tenant_column => 'id');

-- Whose it is, of what a caller names before anybody knows the tenant: the directory says the tenant and
-- no more, and the row itself is then read by its tenant. Keys are unique here over all tenants, as
-- those tables, whose keys begin with the tenant, cannot see. Triggers of these tables write it.
create table tenant_directory (
  kind text not null check (kind in ('agent', 'api_key', 'channel_app', 'custom_domain',
    'enrolment_token', 'invitation', 'session', 'short_link', 'voice_provider')),
  key text not null,
  tenant_id uuid not null references tenant,
  primary key (kind, key)
);
-- A tenant is moved or deleted with what the directory says of it.
create index on tenant_directory (tenant_id);
call isolate('tenant_directory', system => true);

-- The tenant behind a key, or null.
create function tenant_of(wanted_kind text, wanted_key text) returns uuid
  language sql stable security definer set search_path = public, pg_temp as $$
    select tenant_id from tenant_directory where kind = wanted_kind and key = wanted_key
  $$;

-- Row trigger: keeps the directory equal to one column of a table. Arguments: the kind, the column.
create function keep_in_directory() returns trigger
  language plpgsql security definer set search_path = public, pg_temp set bytea_output = 'hex' as $$
declare
  known text;
  wanted text;
begin
  if tg_op <> 'INSERT' then known := to_jsonb(old) ->> tg_argv[1]; end if;
  if tg_op <> 'DELETE' then wanted := to_jsonb(new) ->> tg_argv[1]; end if;
  if known is not distinct from wanted then return null; end if;
  delete from tenant_directory d
    where d.kind = tg_argv[0] and d.key = known and d.tenant_id = old.tenant_id;
  insert into tenant_directory (kind, key, tenant_id)
    select tg_argv[0], wanted, new.tenant_id where wanted is not null;
  return null;
end $$;

-- The key of a hash in the directory.
create function hash_key(hash bytea) returns text
  language sql immutable parallel safe
  return '\x' || encode(hash, 'hex');

-- For the operator of the installation, who has no tenant.
create function list_tenants() returns setof tenant
  language sql stable security definer set search_path = public, pg_temp
  as $$ select * from tenant order by created_at, id $$;

-- Work to be done later. One queue over all tenants: the functions below, which workers without a tenant
-- call, look across them. What they change they name by tenant and id.
create table job (
  tenant_id uuid not null,
  id bigint generated always as identity,
  queue text not null,
  key text not null,
  payload jsonb not null,
  -- When it may be taken. A claim moves it to the end of its lease, so a lease that ran out is due
  -- again by itself.
  run_at timestamptz not null default now(),
  attempts int not null default 0,
  claim_id uuid,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, queue, key)
-- Rows live for seconds: without frequent vacuuming a claim would wade through dead ones.
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_threshold = -1, autovacuum_analyze_scale_factor = 0,
  autovacuum_analyze_threshold = 50000);
create index job_due on job (queue, tenant_id, run_at);
call isolate('job', system => true);

-- The tenants after `after_tenant` that have jobs in a queue, each with its earliest due time. One
-- index probe a tenant, however many jobs each has.
create function job_tenants(wanted_queue text, after_tenant uuid, tenants_max int)
  returns table (tenant_id uuid, due_in_ms double precision)
  language sql security definer set search_path = public, pg_temp as $$
    with recursive visited (tenant_id, n) as (
      (select j.tenant_id, 1 from job j where j.queue = wanted_queue and j.tenant_id > after_tenant
       order by j.tenant_id limit 1)
      union all
      select (select j.tenant_id from job j where j.queue = wanted_queue and j.tenant_id > v.tenant_id
              order by j.tenant_id limit 1), n + 1
      from visited v where v.tenant_id is not null and n < tenants_max
    )
    select v.tenant_id, extract(epoch from
      (select j.run_at from job j where j.queue = wanted_queue and j.tenant_id = v.tenant_id
       order by j.run_at limit 1) - clock_timestamp()) * 1000
    from visited v where v.tenant_id is not null
  $$;

-- Takes up to `share` due jobs of each tenant, in the order given, until there are `wanted`.
create function claim_jobs(
  wanted_queue text, tenants uuid[], share int, wanted int, claim uuid, lease_ms int)
  returns setof job
  language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
      select picked.tenant_id, picked.id from unnest(tenants) as t (tenant_id)
      cross join lateral (
        select j.tenant_id, j.id from job j
        where j.queue = wanted_queue and j.tenant_id = t.tenant_id and j.run_at <= clock_timestamp()
        order by j.run_at limit share for update skip locked
      ) picked limit wanted
    )
    update job set claim_id = claim, attempts = attempts + 1,
      run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;

-- Which of these claims still hold, now for another lease.
create function extend_claims(tenants uuid[], ids bigint[], claims uuid[], lease_ms int)
  returns setof bigint
  language sql security definer set search_path = public, pg_temp as $$
    update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from unnest(tenants, ids, claims) as held (tenant_id, id, claim_id)
    where job.tenant_id = held.tenant_id and job.id = held.id and job.claim_id = held.claim_id
    returning job.id
  $$;

-- Gives claims back; `refund` takes back the attempt they counted.
create function return_jobs(tenants uuid[], ids bigint[], claims uuid[], delays_ms int[],
    refund boolean, error text)
  returns setof bigint
  language sql security definer set search_path = public, pg_temp as $$
    update job set claim_id = null, run_at = clock_timestamp() + held.delay_ms * interval '1 ms',
      attempts = attempts - refund::int, last_error = coalesce(error, last_error)
    from unnest(tenants, ids, claims, delays_ms) as held (tenant_id, id, claim_id, delay_ms)
    where job.tenant_id = held.tenant_id and job.id = held.id and job.claim_id = held.claim_id
    returning job.id
  $$;

-- Whether a claim still holds, kept so until the transaction ends: whoever takes the job changes its
-- row, and waits for that. Any number of transactions may have it at the same time, so what they do
-- beside it does not wait for the commit of another. Once a quarter of the lease is gone they prolong it
-- themselves, one after the other: those who share a row could keep waiting whoever changes it.
create function share_claim(of_tenant uuid, job_id bigint, claim uuid, lease_ms int) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from job where tenant_id = of_tenant and id = job_id and claim_id = claim
    and run_at > clock_timestamp() + lease_ms * 0.75 * interval '1 ms' for share;
  if found then return true; end if;
  update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    where tenant_id = of_tenant and id = job_id and claim_id = claim;
  return found;
end $$;

-- For the heartbeat. What was prolonged a moment ago is left, and what another transaction has: it
-- prolongs it itself, or is at its end.
create function prolong_claims(tenants uuid[], ids bigint[], claims uuid[], lease_ms int) returns void
  language sql security definer set search_path = public, pg_temp as $$
    with waning as (
      select job.tenant_id, job.id from job
      join unnest(tenants, ids, claims) as held (tenant_id, id, claim_id) on
        job.tenant_id = held.tenant_id and job.id = held.id and job.claim_id = held.claim_id
      where job.run_at <= clock_timestamp() + lease_ms * 0.75 * interval '1 ms'
      for no key update of job skip locked
    )
    update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from waning where job.tenant_id = waning.tenant_id and job.id = waning.id
  $$;

-- Without a tenant, since limits are also of addresses, accounts and providers: a key names what is
-- limited, and the tenant where it is a tenant's.
-- What was granted of each limited thing in its last window, by slots of 4 ms. Unlogged: a crash of
-- the database takes longer than the windows that it forgets.
create unlogged table rate_window (
  key text primary key,
  slot_ends bigint[] not null default '{}',
  counts int[] not null default '{}',
  touched_at timestamptz not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

create function take_grants(wanted_key text, most int, window_ms int, wanted int)
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

-- The same for many keys at once, locked in one order by every caller.
create function take_grants_of(keys text[], mosts int[], windows_ms int[], wanteds int[])
  returns table (key text, granted int, remaining int, retry_after_ms double precision)
  language sql as $$
    select t.key, g.granted, g.remaining, g.retry_after_ms
    from (select * from unnest(keys, mosts, windows_ms, wanteds) as u (key, most, window_ms, wanted)
          order by u.key) t
    cross join lateral take_grants(t.key, t.most, t.window_ms, t.wanted) g
  $$;

-- Which thing a request with an Idempotency-Key made. Kept as long as the thing; whoever deletes that
-- deletes this.
create table idempotency (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  route text not null,
  key text not null,
  fingerprint text not null check (length(fingerprint) = 64),
  made_id text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, environment, route, key)
);
create index on idempotency (tenant_id, made_id);
call isolate('idempotency');

-- When requests may go to a far end that takes so many within a window. Without a tenant: a far end's
-- limit is of an account or an address, which the key names. Instants are whole
-- microseconds since 1970 by this database's clock, as double precision: drivers read it as numbers.
-- Unlogged: a crash of the database takes longer than the windows that it forgets.
create unlogged table arrival_slots (
  key text primary key,
  -- Slots that count, the latest first: when each may go, and until when it counts.
  goes double precision[] not null default '{}',
  counts_until double precision[] not null default '{}',
  touched_at timestamptz not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Gives up to `wanted` slots of one key, a little ahead of their time, so that what has to be done
-- before can be done. A slot counts until a window has passed since it arrived at the latest: as was
-- told of it, and until then as if it took `held_us`. When it goes, fewer than `most` count. Slots
-- follow twice as fast as the limit at most, since answers to many at once come late.
create function take_slots(
  wanted_key text, most int, window_us double precision, wanted int,
  reported_goes double precision[], reported_until double precision[], now_us double precision)
  returns table (goes_at double precision[], retry_us double precision)
  language plpgsql as $$
declare
  ahead_us constant double precision := 0.4 * window_us;
  space_us constant double precision := floor(0.5 * window_us / most);
  -- It goes a second late at most, and is answered within two.
  held_us constant double precision := 3e6;
  slots arrival_slots;
  until double precision[];
  next_us double precision;
begin
  insert into arrival_slots (key) values (wanted_key) on conflict (key) do nothing;
  select * into slots from arrival_slots where key = wanted_key for update;
  -- A clock that was set back must not hold slots for longer than new ones.
  select coalesce(array_agg(t.g order by t.g desc), '{}'),
      coalesce(array_agg(t.u order by t.g desc), '{}'),
      coalesce(array_agg(t.u order by t.u desc), '{}')
    into slots.goes, slots.counts_until, until
    from (
      select g, least(u, reported.until, now_us + ahead_us + held_us + window_us) as u
      from unnest(slots.goes, slots.counts_until) as known (g, u)
      left join unnest(reported_goes, reported_until) as reported (goes, until) on reported.goes = g
    ) as t
    where t.u > now_us;
  goes_at := '{}';
  loop
    next_us := greatest(now_us, slots.goes[1] + space_us, until[most]);
    exit when cardinality(goes_at) = wanted or next_us > now_us + ahead_us;
    goes_at := goes_at || next_us;
    slots.goes := next_us || slots.goes;
    slots.counts_until := next_us + held_us + window_us || slots.counts_until;
    until := next_us + held_us + window_us || until;
  end loop;
  update arrival_slots
    set goes = slots.goes, counts_until = slots.counts_until, touched_at = clock_timestamp()
    where key = wanted_key;
  -- As if what was not told of yet arrived at once.
  retry_us := greatest(0,
    greatest(slots.goes[1] + space_us, slots.goes[most] + window_us) - now_us - ahead_us);
  return next;
end $$;

-- The same for many keys at once, locked in one order by every caller. `at_us` is for those who prove it.
create function take_slots_of(requests jsonb, at_us double precision)
  returns table (key text, goes_at double precision[], retry_us double precision, now_us double precision)
  language sql as $$
    with clock as materialized (
      select coalesce(at_us, floor(extract(epoch from clock_timestamp()) * 1e6)) as now_us
    )
    select w.key, t.goes_at, t.retry_us, clock.now_us
    from clock cross join (
      select * from jsonb_to_recordset(requests) as u (key text, most int,
        window_us double precision, wanted int,
        reported_goes double precision[], reported_until double precision[])
      order by key) w
    cross join lateral take_slots(
      w.key, w.most, w.window_us, w.wanted, w.reported_goes, w.reported_until, clock.now_us) t
  $$;

-- Looks at tables that are four times as large as the planner knows; answers how many there were. The
-- server itself looks once a minute: until then a table that grew from nothing is planned as if it were
-- small, read whole for each row that is looked up. Goes by committed rows rather than by pages: a table
-- that a large transaction fills has many pages and no rows yet.
create function analyze_grown() returns int
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
