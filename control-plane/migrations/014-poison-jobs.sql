-- A job that ends the process that works on it, or stalls it until its lease is lost, is claimed and lost
-- again and again. It is counted, worked on alone, and at last parked: kept, and claimed no more until
-- a person has looked at it.
alter table job
  -- Claims in a row that were neither settled nor given back.
  add column losses int not null default 0,
  add column claimed_at timestamptz,
  add column parked_at timestamptz;

drop index job_due;
create index job_due on job (queue, tenant_id, run_at) where parked_at is null;
create index job_doubtful on job (queue, tenant_id, run_at)
  where parked_at is null and (losses > 0 or attempts >= 5);
create index job_parked on job (parked_at) where parked_at is not null;

-- What a claim now makes of the count. A claim that was lost after it had been held for long counts
-- nothing: what a job does, it does soon; what ended that process is something else.
create function losses_of(j job, lease_ms int) returns int
  language sql immutable as $$
    select case
      when j.claim_id is null then j.losses
      when j.run_at - j.claimed_at > lease_ms * interval '1 ms' + interval '1 minute' then 0
      else j.losses + 1
    end
  $$;

-- Whether others should not be worked on together with it: one loss may be anybody's fault, a second
-- one is suspicious; and a batch fails with the job that keeps failing.
create function is_doubtful(j job, lease_ms int) returns boolean
  language sql immutable as $$
    select losses_of(j, lease_ms) >= 2 or j.attempts >= 5
  $$;

create or replace function job_tenants(wanted_queue text, after_tenant uuid, tenants_max int)
  returns table (tenant_id uuid, due_in_ms double precision)
  language sql security definer set search_path = public, pg_temp as $$
    with recursive visited (tenant_id, n) as (
      (select j.tenant_id, 1 from job j
       where j.queue = wanted_queue and j.tenant_id > after_tenant and j.parked_at is null
       order by j.tenant_id limit 1)
      union all
      select (select j.tenant_id from job j
              where j.queue = wanted_queue and j.tenant_id > v.tenant_id and j.parked_at is null
              order by j.tenant_id limit 1), n + 1
      from visited v where v.tenant_id is not null and n < tenants_max
    )
    select v.tenant_id, extract(epoch from
      (select j.run_at from job j
       where j.queue = wanted_queue and j.tenant_id = v.tenant_id and j.parked_at is null
       order by j.run_at limit 1) - clock_timestamp()) * 1000
    from visited v where v.tenant_id is not null
  $$;

-- Takes up to `share` due jobs of each tenant, in the order given, until there are `wanted`; none that
-- are doubtful.
create or replace function claim_jobs(
  wanted_queue text, tenants uuid[], share int, wanted int, claim uuid, lease_ms int)
  returns setof job
  language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
      select picked.tenant_id, picked.id, picked.losses from unnest(tenants) as t (tenant_id)
      cross join lateral (
        select j.tenant_id, j.id, losses_of(j, lease_ms) as losses from job j
        where j.queue = wanted_queue and j.tenant_id = t.tenant_id and j.parked_at is null
          and j.run_at <= clock_timestamp() and not is_doubtful(j, lease_ms)
        order by j.run_at limit share for update skip locked
      ) picked limit wanted
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;

-- Takes the one doubtful job that is due, of the tenants after `after_tenant` first.
create function claim_doubtful_job(
  wanted_queue text, after_tenant uuid, claim uuid, lease_ms int)
  returns setof job
  language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
      select j.tenant_id, j.id, losses_of(j, lease_ms) as losses from job j
      where j.queue = wanted_queue and j.parked_at is null and (j.losses > 0 or j.attempts >= 5)
        and j.run_at <= clock_timestamp() and is_doubtful(j, lease_ms)
      order by j.tenant_id <= after_tenant, j.tenant_id, j.run_at
      limit 1 for update skip locked
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;

-- For the metric: parked jobs of each queue.
create function count_parked_jobs() returns table (queue text, jobs bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
    select job.queue, count(*) from job where parked_at is not null group by job.queue
  $$;

-- For the host: parked jobs over all tenants, those parked last first; null asks for any.
create function list_parked_jobs(wanted_queue text, wanted_tenant uuid, jobs_max int)
  returns setof job
  language sql stable security definer set search_path = public, pg_temp as $$
    select * from job
    where parked_at is not null and (wanted_queue is null or queue = wanted_queue)
      and (wanted_tenant is null or tenant_id = wanted_tenant)
    order by parked_at desc, id desc limit jobs_max
  $$;

-- For the host: the job with this number, which no two have.
create function find_job(wanted_id bigint) returns setof job
  language sql stable security definer set search_path = public, pg_temp as $$
    select * from job where id = wanted_id
  $$;
