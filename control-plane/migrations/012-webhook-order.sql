-- Events of a subject (an invoice, a message, a call) reach an endpoint in their order: while one waits
-- to be tried again, later ones are kept back, until it is delivered, given up or set aside.

alter table webhook_endpoint
  -- When it last answered after it had failed: what failed before may go at once.
  add column recovered_at timestamptz;

alter table webhook_delivery
  -- Neither tried nor asked for again: these go before the others, four to one.
  add column is_fresh boolean not null default true,
  -- An earlier one of its subject waits.
  add column is_kept_back boolean not null default false,
  -- When the schedule has it, where `next_at` is earlier: the attempt then is beside the schedule.
  add column scheduled_at timestamptz,
  -- An answer of its endpoint after this lets it go at once; null: it has not failed.
  add column wake_after timestamptz,
  -- Since when its endpoint answers others while it fails: so long it keeps later ones back.
  add column answered_since timestamptz,
  -- When it was found that it kept later ones back for too long; they go without it.
  add column set_aside_at timestamptz;

drop index webhook_delivery_fresh, webhook_delivery_retry, webhook_delivery_blocking;
create index webhook_delivery_fresh on webhook_delivery (tenant_id, endpoint_id, seq)
  where state = 'pending' and is_fresh and not is_kept_back;
create index webhook_delivery_retry on webhook_delivery (tenant_id, endpoint_id, next_at, seq)
  where state = 'pending' and not is_fresh and not is_kept_back;
create index webhook_delivery_wake on webhook_delivery (tenant_id, endpoint_id, wake_after)
  where state = 'pending' and not is_fresh and not is_kept_back;
-- The first here of a subject keeps all later ones back, and is never kept back itself.
create index webhook_delivery_blocking on webhook_delivery (tenant_id, endpoint_id, subject_id, seq, event_id)
  where state = 'pending' and (not is_fresh or is_kept_back) and set_aside_at is null and not is_test;
create index webhook_delivery_set_aside on webhook_delivery (tenant_id, endpoint_id, environment, event_id)
  where state = 'pending' and set_aside_at is not null;

drop function claim_webhook_queues(uuid, text[], integer, integer);
drop function load_webhook_queue(uuid, uuid, text);
drop function due_webhook_deliveries(uuid, uuid, text, integer, integer);
drop function record_webhook_attempts(uuid, json);
drop function set_webhook_health(uuid, uuid, text, jsonb, timestamptz);

-- Here too `exists` is written as a subquery with a limit. `at` is the sending process's own time,
-- by which it planned the retries.

-- Takes queues that have work and no live owner; `wanted` null: any.
create function claim_webhook_queues(claimant uuid, wanted text[], at timestamptz, lease_ms integer,
    queues_max integer)
  returns table (endpoint_id text, tenant_id uuid, wait_ms integer)
  language sql security definer set search_path = public, pg_temp as $$
    insert into webhook_queue as queue (tenant_id, endpoint_id, owner, until, ready_at)
    select e.tenant_id, e.id, claimant, clock_timestamp() + lease_ms * interval '1 ms',
      clock_timestamp()
    from webhook_endpoint e left join webhook_queue q
      on q.tenant_id = e.tenant_id and q.endpoint_id = e.id
    where e.deleted_at is null and (wanted is null or e.id = any (wanted))
      and (q.until is null or q.until <= clock_timestamp())
      and coalesce(
        (select true from webhook_delivery d
         where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
           and d.is_test limit 1),
        e.state <> 'disabled' and coalesce(
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and d.is_fresh and not d.is_kept_back limit 1),
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and not d.is_fresh and not d.is_kept_back and d.next_at <= at limit 1),
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and not d.is_fresh and not d.is_kept_back and d.wake_after < e.recovered_at limit 1),
          false))
    order by e.id limit queues_max
    on conflict (tenant_id, endpoint_id) do update set owner = excluded.owner, until = excluded.until,
      ready_at = greatest(clock_timestamp(), queue.until + interval '1 second')
    where queue.until <= clock_timestamp()
    returning queue.endpoint_id, queue.tenant_id, greatest(0,
      ceil(extract(epoch from queue.ready_at - clock_timestamp()) * 1000))::integer
  $$;

-- Whether an endpoint's queue is this process's.
create function owns_webhook_queue(of_tenant uuid, claimant uuid, wanted text) returns boolean
  language sql stable security definer set search_path = public, pg_temp as $$
    select coalesce((select true from webhook_queue q
      where q.tenant_id = of_tenant and q.endpoint_id = wanted and q.owner = claimant
        and q.until > clock_timestamp()), false)
  $$;

-- The endpoint as it stands, for its owner, and when its next retry is due. What a former owner did not
-- come to write down of its failures, its deliveries say.
create function load_webhook_queue(of_tenant uuid, claimant uuid, wanted text)
  returns table (url text, secrets jsonb, rate integer, state text, breaker jsonb,
    failing_since timestamptz, recovered_at timestamptz, next_retry_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
    select e.url, e.secrets, e.rate, e.state, e.breaker,
      coalesce(e.failing_since,
        (select wake_after from webhook_delivery d
         where d.tenant_id = of_tenant and d.endpoint_id = e.id and d.state = 'pending'
           and not d.is_fresh and not d.is_kept_back
           and d.wake_after > coalesce(e.recovered_at, '-infinity')
         order by wake_after limit 1)), e.recovered_at,
      (select next_at from webhook_delivery d
       where d.tenant_id = of_tenant and d.endpoint_id = e.id and d.state = 'pending'
         and not d.is_fresh and not d.is_kept_back
       order by next_at limit 1)
    from webhook_endpoint e
    join webhook_queue q on q.tenant_id = e.tenant_id and q.endpoint_id = e.id
    where e.tenant_id = of_tenant and e.id = wanted and e.deleted_at is null
      and q.owner = claimant and q.until > clock_timestamp()
  $$;

-- What may go now; `is_blocked`: it may not, for an earlier one of its subject waits, and it is to be
-- kept back.
create function due_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamptz,
    fresh_max integer, retry_max integer)
  returns table (event_id text, environment text, seq bigint, subject_id text, attempt smallint,
    round_start smallint, is_test boolean, is_fresh boolean, is_blocked boolean,
    scheduled_at timestamptz, wake_after timestamptz, answered_since timestamptz,
    is_set_aside boolean, payload text)
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
      j.set_aside_at is not null, e.payload::text
    from judged j join webhook_event e on e.tenant_id = of_tenant and e.id = j.event_id
  $$;

-- Keeps back those of these deliveries that still have an earlier one of their subject before them. What
-- is new lets that one go at once, as it would have gone itself, unless that failed within `pause_ms`
-- or has had as many attempts as there may be.
create function keep_back_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamptz,
    environments text[], events text[], pause_ms integer, attempts_max integer)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    with kept as (
      update webhook_delivery d set is_kept_back = true
      from unnest(environments, events) as w (environment, event_id)
      where owns_webhook_queue(of_tenant, claimant, wanted)
        and d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = w.environment
        and d.event_id = w.event_id and d.state = 'pending' and not d.is_kept_back
        and (select true from webhook_delivery b
          where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = d.subject_id
            and b.state = 'pending' and (not b.is_fresh or b.is_kept_back)
            and b.set_aside_at is null and not b.is_test
            and (b.seq, b.event_id) < (d.seq, d.event_id) limit 1)
      returning d.subject_id, d.is_fresh
    )
    update webhook_delivery d set next_at = at, scheduled_at = coalesce(d.scheduled_at, d.next_at)
    from (select distinct subject_id from kept where is_fresh) s
    cross join lateral (
      select b.environment, b.event_id from webhook_delivery b
      where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = s.subject_id
        and b.state = 'pending' and (not b.is_fresh or b.is_kept_back)
        and b.set_aside_at is null and not b.is_test
      order by b.seq, b.event_id limit 1) f
    where d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = f.environment
      and d.event_id = f.event_id and d.next_at > at and d.attempt < attempts_max
      and d.wake_after <= at - pause_ms * interval '1 ms'
  $$;

-- Frees what is kept back by nothing any more: of each of these subjects the first.
create function free_webhook_deliveries(tenants uuid[], endpoints text[], subjects text[])
  returns text[]
  language sql security definer set search_path = public, pg_temp as $$
    with freed as (
      update webhook_delivery d set is_kept_back = false
      from unnest(tenants, endpoints, subjects) as s (tenant_id, endpoint_id, subject_id)
      cross join lateral (
        select b.environment, b.event_id, b.is_kept_back from webhook_delivery b
        where b.tenant_id = s.tenant_id and b.endpoint_id = s.endpoint_id
          and b.subject_id = s.subject_id and b.state = 'pending'
          and (not b.is_fresh or b.is_kept_back) and b.set_aside_at is null and not b.is_test
        order by b.seq, b.event_id limit 1) f
      where f.is_kept_back and d.tenant_id = s.tenant_id and d.endpoint_id = s.endpoint_id
        and d.environment = f.environment and d.event_id = f.event_id
      returning d.endpoint_id
    )
    select array_agg(distinct endpoint_id) from freed
  $$;

-- Frees, when a queue has a new owner, what waits behind deliveries that were removed meanwhile.
create function free_webhook_queue(of_tenant uuid, claimant uuid, wanted text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_delivery d set is_kept_back = false
    from (
      select distinct on (b.subject_id) b.environment, b.event_id, b.is_kept_back
      from webhook_delivery b
      where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.state = 'pending'
        and (not b.is_fresh or b.is_kept_back) and b.set_aside_at is null and not b.is_test
      order by b.subject_id, b.seq, b.event_id) f
    where owns_webhook_queue(of_tenant, claimant, wanted) and f.is_kept_back
      and d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = f.environment
      and d.event_id = f.event_id
  $$;

-- Lets what failed before the endpoint recovered go at once; answers how many there were. What comes
-- by itself within `soon_ms` keeps its time. From then on it is known that others are answered.
create function wake_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamptz,
    recovered timestamptz, soon_ms integer, again_after_ms integer, deliveries_max integer)
  returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with waiting as (
      select d.environment, d.event_id, d.next_at > at + soon_ms * interval '1 ms' as is_far
      from webhook_delivery d
      where owns_webhook_queue(of_tenant, claimant, wanted)
        and d.tenant_id = of_tenant and d.endpoint_id = wanted and d.state = 'pending'
        and not d.is_fresh and not d.is_kept_back and d.wake_after < recovered
      order by d.wake_after limit deliveries_max
    ), woken as (
      update webhook_delivery d set
        next_at = case when w.is_far then recovered else d.next_at end,
        scheduled_at = case when w.is_far then coalesce(d.scheduled_at, d.next_at)
          else d.scheduled_at end,
        wake_after = case when w.is_far then at + again_after_ms * interval '1 ms'
          else recovered end,
        answered_since = coalesce(d.answered_since, recovered)
      from waiting w
      where d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = w.environment
        and d.event_id = w.event_id
      returning 1
    )
    select count(*)::integer from woken
  $$;

-- Writes down attempts and what follows from each; passes over those of queues lost and those known
-- already. `freed`: endpoints of which something that was kept back may go now.
create function record_webhook_attempts(claimant uuid, attempts json)
  returns table (recorded integer, freed text[])
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tenants uuid[];
  endpoints text[];
  subjects text[];
begin
  with made as (
    select a.*
    from json_to_recordset(attempts) as a (tenant_id uuid, endpoint_id text, environment text, event_id text,
      n smallint, at timestamptz, ms integer, status smallint, error text, response_head text,
      response_body text, state text, next_at timestamptz, scheduled_at timestamptz,
      wake_after timestamptz, answered_since timestamptz, is_set_aside boolean, is_extra boolean)
    join webhook_queue q on q.tenant_id = a.tenant_id and q.endpoint_id = a.endpoint_id
      and q.owner = claimant
  ), moved as (
    update webhook_delivery d set state = m.state, attempt = m.n, last_status = m.status,
      is_fresh = false, round_start = d.round_start + m.is_extra::integer,
      next_at = coalesce(m.next_at, d.next_at), scheduled_at = m.scheduled_at,
      wake_after = m.wake_after, answered_since = m.answered_since,
      set_aside_at = case when m.is_set_aside
        then coalesce(d.set_aside_at, m.at + m.ms * interval '1 ms') end,
      settled_at = case when m.state <> 'pending' then m.at + m.ms * interval '1 ms' end
    from made m
    where d.tenant_id = m.tenant_id and d.endpoint_id = m.endpoint_id
      and d.environment = m.environment
      and d.event_id = m.event_id and d.state = 'pending' and d.attempt = m.n - 1
    returning d.tenant_id, d.endpoint_id, d.event_id, d.subject_id, d.is_test,
      d.state <> 'pending' or d.set_aside_at is not null as is_over
  ), kept as (
    insert into webhook_attempt (endpoint_id, event_id, n, tenant_id, at, ms, status, error,
      response_head, response_body)
    select m.endpoint_id, m.event_id, m.n, m.tenant_id, m.at, m.ms, m.status, m.error,
      m.response_head, m.response_body
    from made m join moved using (endpoint_id, event_id)
  ), told as materialized (
    select pg_notify('webhook_tested', event_id) from moved where is_test
  )
  select (count(*) + 0 * (select count(*) from told))::integer,
    array_agg(tenant_id) filter (where is_over), array_agg(endpoint_id) filter (where is_over),
    array_agg(subject_id) filter (where is_over)
  into recorded, tenants, endpoints, subjects
  from moved;
  -- A statement of its own, so that it sees what the first has written.
  freed := free_webhook_deliveries(tenants, endpoints, subjects);
  return next;
end $$;

create function set_webhook_health(of_tenant uuid, claimant uuid, wanted text, new_breaker jsonb,
    since timestamptz, recovered timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_endpoint e set breaker = new_breaker, failing_since = since,
      recovered_at = recovered,
      state = case when e.state = 'disabled' then e.state
        when new_breaker ->> 'state' = 'closed' then 'active' else 'degraded' end
    from webhook_queue q
    where e.tenant_id = of_tenant and e.id = wanted and q.tenant_id = e.tenant_id
      and q.endpoint_id = e.id and q.owner = claimant
  $$;
