-- What waits because the host has suspended its tenant is no open work: alerts would tell of it until the tenant is resumed.
-- Jobs are counted so already, by `job_tenants`.
--
-- To check a body PostgreSQL plans its reading, which a migration may not do with tables under row-level security; the
-- functions are called under the owner's policies.
set local check_function_bodies = off;

create or replace function count_open_invoices(at timestamptz, invoices_max int)
  returns table (environment text, state text, invoices bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
    with suspended as materialized (
      select array(select id from tenant where suspended_at is not null) as ids
    )
    select e.environment, s.state,
      (select count(*) from (
         select from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted') and i.waits_for is null
           and i.tenant_id <> all (suspended.ids)
         order by i.created_at limit invoices_max) c),
      coalesce(extract(epoch from at - (
         select i.created_at from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted') and i.waits_for is null
           and i.tenant_id <> all (suspended.ids)
         order by i.created_at limit 1)), 0)
    from unnest(array['live', 'sandbox']) as e (environment)
    cross join unnest(array['received', 'validating', 'validated', 'submitted']) as s (state)
    cross join suspended
  $$;

create or replace function count_pending_deliveries(deliveries_max int)
  returns table (kind text, deliveries bigint)
  language sql stable security definer set search_path = public, pg_temp as $$
    with suspended as materialized (
      select array(select id from tenant where suspended_at is not null) as ids
    )
    select 'new', (select count(*) from (
      select from webhook_delivery where state = 'pending' and is_fresh and not is_kept_back
        and tenant_id <> all (suspended.ids)
      order by tenant_id, endpoint_id limit deliveries_max) c) from suspended
    union all
    select 'retry', (select count(*) filter (where set_aside_at is null) from (
      select set_aside_at from webhook_delivery
      where state = 'pending' and not is_fresh and not is_kept_back
        and tenant_id <> all (suspended.ids)
      order by tenant_id, endpoint_id limit deliveries_max) c) from suspended
    union all
    select 'set_aside', (select count(*) from (
      select from webhook_delivery where state = 'pending' and set_aside_at is not null
        and tenant_id <> all (suspended.ids)
      order by tenant_id, endpoint_id limit deliveries_max) c) from suspended
  $$;
