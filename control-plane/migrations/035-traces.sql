-- Where a trace goes on: W3C `traceparent` of the span that made the row, null without one.
alter table job add column traceparent text;
alter table webhook_event add column traceparent text;

drop function due_webhook_deliveries(uuid, uuid, text, timestamptz, integer, integer);

-- As before, with the trace of the event.
create function due_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamptz,
    fresh_max integer, retry_max integer)
  returns table (event_id text, environment text, seq bigint, subject_id text, attempt smallint,
    round_start smallint, is_test boolean, is_fresh boolean, is_blocked boolean,
    scheduled_at timestamptz, wake_after timestamptz, answered_since timestamptz,
    is_set_aside boolean, payload text, traceparent text)
  language sql stable security definer set search_path = public, pg_temp as $$
    with queue as materialized (
      select e.id, e.state = 'disabled' as is_disabled
      from webhook_queue q
      join webhook_endpoint e on e.tenant_id = q.tenant_id and e.id = q.endpoint_id
      where e.tenant_id = of_tenant and e.id = wanted and e.deleted_at is null
        and q.owner = claimant and q.until > clock_timestamp()
    ), due as (
      (select d.* from webhook_delivery d
       where exists (select from queue) and d.tenant_id = of_tenant and d.endpoint_id = wanted
         and d.state = 'pending' and d.is_test limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from queue) and d.tenant_id = of_tenant
         and d.endpoint_id = wanted and d.state = 'pending' and d.is_fresh and not d.is_kept_back
         and not d.is_test
       order by d.seq limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from queue) and d.tenant_id = of_tenant
         and d.endpoint_id = wanted and d.state = 'pending' and not d.is_fresh
         and not d.is_kept_back and d.next_at <= at and not d.is_test
       order by d.next_at, d.seq limit retry_max)
    ), judged as (
      select due.*, not due.is_test and coalesce((select true from webhook_delivery b
        where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = due.subject_id
          and b.state = 'pending' and (not b.is_fresh or b.is_kept_back)
          and b.set_aside_at is null and not b.is_test
          and (b.seq, b.event_id) < (due.seq, due.event_id) limit 1), false) as is_blocked
      from due
    )
    select j.event_id, j.environment, j.seq, j.subject_id, j.attempt, j.round_start, j.is_test,
      j.is_fresh, j.is_blocked, j.scheduled_at, j.wake_after, j.answered_since,
      j.set_aside_at is not null, e.payload::text, e.traceparent
    from judged j join webhook_event e on e.tenant_id = of_tenant and e.id = j.event_id
  $$;
