create table job (
  id bigint generated always as identity primary key,
  tenant_id uuid not null,
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
      select picked.id from unnest(tenants) with ordinality as t (tenant_id, turn)
      cross join lateral (
        select j.id from job j
        where j.queue = wanted_queue and j.tenant_id = t.tenant_id and j.run_at <= clock_timestamp()
        order by j.run_at limit share for update skip locked
      ) picked limit wanted
    )
    update job set claim_id = claim, attempts = attempts + 1,
      run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.id = due.id returning job.*
  $$;

-- Which of these claims still hold, now for another lease.
create function extend_claims(ids bigint[], claims uuid[], lease_ms int) returns setof bigint
  language sql security definer set search_path = public, pg_temp as $$
    update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from unnest(ids, claims) as held (id, claim_id)
    where job.id = held.id and job.claim_id = held.claim_id returning job.id
  $$;

-- Gives claims back; `refund` takes back the attempt they counted.
create function return_jobs(ids bigint[], claims uuid[], delays_ms int[], refund boolean, error text)
  returns setof bigint
  language sql security definer set search_path = public, pg_temp as $$
    update job set claim_id = null, run_at = clock_timestamp() + held.delay_ms * interval '1 ms',
      attempts = attempts - refund::int, last_error = coalesce(error, last_error)
    from unnest(ids, claims, delays_ms) as held (id, claim_id, delay_ms)
    where job.id = held.id and job.claim_id = held.claim_id returning job.id
  $$;
