-- What the sending process asks for. It works for every tenant, so these look across tenants.

-- In these, `exists` is written as a subquery with a limit: of `exists` PostgreSQL may make a hash of
-- all that is pending, and before it has statistics it does.

-- Takes lanes that have work and no live owner; `wanted` null: any.
create function claim_webhook_lanes(claimant uuid, wanted text[], lease_ms integer, lanes_max integer)
  returns table (endpoint_id text, tenant_id uuid, wait_ms integer)
  language sql security definer set search_path = public, pg_temp as $$
    insert into webhook_lane as lane (endpoint_id, tenant_id, owner, until, ready_at)
    select e.id, e.tenant_id, claimant, clock_timestamp() + lease_ms * interval '1 ms',
      clock_timestamp()
    from webhook_endpoint e left join webhook_lane l on l.endpoint_id = e.id
    where e.deleted_at is null and (wanted is null or e.id = any (wanted))
      and (l.until is null or l.until <= clock_timestamp())
      and coalesce(
        (select true from webhook_delivery d
         where d.endpoint_id = e.id and d.state = 'pending' and d.is_test limit 1),
        e.state <> 'disabled' and coalesce(
          (select true from webhook_delivery d
           where d.endpoint_id = e.id and d.state = 'pending' and d.attempt = d.round_start limit 1),
          (select true from webhook_delivery d
           where d.endpoint_id = e.id and d.state = 'pending' and d.attempt > d.round_start
             and d.next_at <= now() limit 1),
          false))
    order by e.id limit lanes_max
    on conflict (endpoint_id) do update set owner = excluded.owner, until = excluded.until,
      ready_at = greatest(clock_timestamp(), lane.until + interval '1 second')
    where lane.until <= clock_timestamp()
    returning lane.endpoint_id, lane.tenant_id, greatest(0,
      ceil(extract(epoch from lane.ready_at - clock_timestamp()) * 1000))::integer
  $$;

create function renew_webhook_lanes(claimant uuid, lease_ms integer) returns setof text
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_lane set until = clock_timestamp() + lease_ms * interval '1 ms'
    where owner = claimant and until > clock_timestamp()
    returning endpoint_id
  $$;

create function release_webhook_lanes(claimant uuid, given text[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_lane set until = clock_timestamp()
    where owner = claimant and endpoint_id = any (given) and until > clock_timestamp()
  $$;

-- The endpoint as it stands, for its owner, and when its next retry is due.
create function load_webhook_lane(claimant uuid, wanted text)
  returns table (url text, secrets jsonb, rate integer, state text, breaker jsonb,
    failing_since timestamptz, next_retry_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
    select e.url, e.secrets, e.rate, e.state, e.breaker, e.failing_since,
      (select next_at from webhook_delivery d
       where d.endpoint_id = e.id and d.state = 'pending' and d.attempt > d.round_start
       order by next_at limit 1)
    from webhook_endpoint e join webhook_lane l on l.endpoint_id = e.id
    where e.id = wanted and e.deleted_at is null
      and l.owner = claimant and l.until > clock_timestamp()
  $$;

create function due_webhook_deliveries(claimant uuid, wanted text, fresh_max integer, retry_max integer)
  returns table (event_id text, environment text, seq bigint, subject_id text, attempt smallint,
    round_start smallint, is_test boolean, payload text)
  language sql stable security definer set search_path = public, pg_temp as $$
    with lane as materialized (
      select e.id, e.state = 'disabled' as is_disabled
      from webhook_lane l join webhook_endpoint e on e.id = l.endpoint_id
      where e.id = wanted and e.deleted_at is null and l.owner = claimant
        and l.until > clock_timestamp()
    ), due as (
      (select d.* from webhook_delivery d
       where exists (select from lane) and d.endpoint_id = wanted and d.state = 'pending'
         and d.is_test limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from lane) and d.endpoint_id = wanted and d.state = 'pending'
         and d.attempt = d.round_start and not d.is_test
         and (select true from webhook_delivery b
           where b.endpoint_id = wanted and b.subject_id = d.subject_id and b.state = 'pending'
             and b.attempt = b.round_start + 1 and b.seq < d.seq limit 1) is null
       order by d.seq limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from lane) and d.endpoint_id = wanted and d.state = 'pending'
         and d.attempt > d.round_start and d.next_at <= now() and not d.is_test
       order by d.next_at limit retry_max)
    )
    select due.event_id, due.environment, due.seq, due.subject_id, due.attempt, due.round_start,
      due.is_test, e.payload::text
    from due join webhook_event e on e.id = due.event_id
  $$;

-- Writes down attempts and what follows from each; passes over those of lanes lost and those known already.
create function record_webhook_attempts(claimant uuid, attempts json) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with made as (
      select a.*, l.tenant_id
      from json_to_recordset(attempts) as a (endpoint_id text, environment text, event_id text,
        n smallint, at timestamptz, ms integer, status smallint, error text, response_head text,
        response_body text, state text, next_at timestamptz)
      join webhook_lane l on l.endpoint_id = a.endpoint_id and l.owner = claimant
    ), moved as (
      update webhook_delivery d set state = m.state, attempt = m.n, last_status = m.status,
        next_at = coalesce(m.next_at, d.next_at),
        settled_at = case when m.state <> 'pending' then m.at + m.ms * interval '1 ms' end
      from made m
      where d.endpoint_id = m.endpoint_id and d.environment = m.environment
        and d.event_id = m.event_id and d.state = 'pending' and d.attempt = m.n - 1
      returning d.endpoint_id, d.event_id, d.is_test
    ), kept as (
      insert into webhook_attempt (endpoint_id, event_id, n, tenant_id, at, ms, status, error,
        response_head, response_body)
      select m.endpoint_id, m.event_id, m.n, m.tenant_id, m.at, m.ms, m.status, m.error,
        m.response_head, m.response_body
      from made m join moved using (endpoint_id, event_id)
    ), told as materialized (
      select pg_notify('webhook_tested', event_id) from moved where is_test
    )
    select (count(*) + 0 * (select count(*) from told))::integer from moved
  $$;

create function set_webhook_health(claimant uuid, wanted text, new_breaker jsonb, since timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_endpoint e set breaker = new_breaker, failing_since = since,
      state = case when e.state = 'disabled' then e.state
        when new_breaker ->> 'state' = 'closed' then 'active' else 'degraded' end
    from webhook_lane l
    where e.id = wanted and l.endpoint_id = e.id and l.owner = claimant
  $$;

-- Forgets old deliveries with their attempts. Events of invoices stay: they are the invoice's timeline.
create function prune_webhook_deliveries(before timestamptz, deliveries_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from webhook_delivery where ctid = any (array(
        select ctid from webhook_delivery where created_at < before limit deliveries_max))
      returning endpoint_id, event_id, is_test
    ), attempts as (
      delete from webhook_attempt a using gone
      where a.endpoint_id = gone.endpoint_id and a.event_id = gone.event_id
    ), events as (
      delete from webhook_event e using gone
      where e.id = gone.event_id and (e.service <> 'einvoice' or gone.is_test)
    )
    select count(*)::integer from gone
  $$;
