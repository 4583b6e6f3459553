-- The time is read once a claim, in a subquery, so that it bounds the index: compared with a function that
-- changes with each call, every job of the tenant that waits for later would be read too.

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
          and j.run_at <= (select clock_timestamp()) and not is_doubtful(j, lease_ms)
        order by j.run_at limit share for update skip locked
      ) picked limit wanted
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;

-- Takes the one doubtful job that is due, of the tenants after `after_tenant` first.
create or replace function claim_doubtful_job(
  wanted_queue text, after_tenant uuid, claim uuid, lease_ms int)
  returns setof job
  language sql security definer set search_path = public, pg_temp as $$
    with due as materialized (
      select j.tenant_id, j.id, losses_of(j, lease_ms) as losses from job j
      where j.queue = wanted_queue and j.parked_at is null and (j.losses > 0 or j.attempts >= 5)
        and j.run_at <= (select clock_timestamp()) and is_doubtful(j, lease_ms)
      order by j.tenant_id <= after_tenant, j.tenant_id, j.run_at
      limit 1 for update skip locked
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;
