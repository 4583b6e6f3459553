-- Jobs that were lost twice were worked on one at a time. A node that is killed holds hundreds, so a second kill left
-- hundreds to be done one after the other. Now the groups become smaller with each loss, and whoever would be
-- parked by one more loss is still alone, so that it is not counted for another.
drop function claim_doubtful_job(text, uuid, uuid, int);

-- Claims doubtful jobs of one tenant, tenants after `after_tenant` first: as many that were lost equally often as may
-- be lost together, at most `most`. One that failed often is alone, because its whole group would fail with it.
create function claim_doubtful_jobs(
  wanted_queue text, after_tenant uuid, claim uuid, lease_ms int, losses_max int, most int)
  returns setof job
  language sql security definer set search_path = public, pg_temp as $$
    with first as materialized (
      select j.tenant_id, j.id, losses_of(j, lease_ms) as losses,
        case when j.attempts >= 5 or losses_of(j, lease_ms) >= losses_max - 1 then 1
          else least(most, 4 ^ least(losses_max - 1 - losses_of(j, lease_ms), 10))::int end as size
      from job j
      where j.queue = wanted_queue and j.parked_at is null and (j.losses > 0 or j.attempts >= 5)
        and j.run_at <= (select clock_timestamp()) and is_doubtful(j, lease_ms)
        and (select t.suspended_at from tenant t where t.id = j.tenant_id) is null
      order by j.tenant_id <= after_tenant, j.tenant_id, j.run_at
      limit 1 for update of j skip locked
    ), due as materialized (
      select j.tenant_id, j.id, first.losses from first
      join job j on j.queue = wanted_queue and j.tenant_id = first.tenant_id
      where j.id = first.id or (first.size > 1 and j.parked_at is null and j.losses > 0 and j.attempts < 5
        and j.run_at <= (select clock_timestamp()) and losses_of(j, lease_ms) = first.losses)
      order by j.id <> first.id, j.run_at
      limit (select size from first) for update of j skip locked
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $$;
