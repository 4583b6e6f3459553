-- For the metrics: how much open work there is, and how old it is. Each function reads indexes that hold
-- open work only, and stops counting at a bound that the caller names; it asks for the index's order, so
-- that the planner does not read the table instead.
create index invoice_open on invoice (environment, state, created_at)
  where state in ('received', 'validating', 'validated', 'submitted');

create function count_open_invoices(at timestamptz, invoices_max int)
  returns table (environment text, state text, invoices bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
    select e.environment, s.state,
      (select count(*) from (
         select from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted')
         order by i.created_at limit invoices_max) c),
      coalesce(extract(epoch from at - (
         select i.created_at from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted')
         order by i.created_at limit 1)), 0)
    from unnest(array['live', 'sandbox']) as e (environment)
    cross join unnest(array['received', 'validating', 'validated', 'submitted']) as s (state)
  $$;

-- Due jobs that no worker holds, of the first `tenants_max` tenants of each queue.
create function count_waiting_jobs(queues text[], tenants_max int, jobs_max int)
  returns table (queue text, jobs bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
    select q.queue, w.jobs, w.oldest_seconds from unnest(queues) as q (queue)
    cross join lateral (
      with waiting as materialized (
        select t.tenant_id, -t.due_in_ms as waited_ms
        from job_tenants(q.queue, '00000000-0000-0000-0000-000000000000', tenants_max) t
        where t.due_in_ms <= 0
      )
      select (
          select count(*) from (
            select from waiting t cross join lateral (
              select from job j where j.queue = q.queue and j.tenant_id = t.tenant_id
                and j.parked_at is null and j.run_at <= statement_timestamp()
              order by j.run_at limit jobs_max) due
            limit jobs_max) c) as jobs,
        (select coalesce(max(waited_ms), 0) / 1000 from waiting) as oldest_seconds
    ) w
  $$;

create function count_pending_deliveries(deliveries_max int)
  returns table (kind text, deliveries bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
    select 'new', (select count(*) from (
      select from webhook_delivery where state = 'pending' and is_fresh and not is_kept_back
      order by tenant_id, endpoint_id limit deliveries_max) c)
    union all
    select 'retry', (select count(*) from (
      select from webhook_delivery where state = 'pending' and not is_fresh and not is_kept_back
      order by tenant_id, endpoint_id limit deliveries_max) c)
    union all
    select 'set_aside', (select count(*) from (
      select from webhook_delivery where state = 'pending' and set_aside_at is not null
      order by tenant_id, endpoint_id limit deliveries_max) c)
  $$;
