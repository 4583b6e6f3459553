-- Where a tenant's events are sent. Deleted ones are hidden, because their deliveries refer to them.
create table webhook_endpoint (
  tenant_id uuid not null references tenant,
  id text not null,
  service text not null check (service in ('einvoice', 'messaging')),
  -- Null: events of both environments.
  environment text check (environment in ('live', 'sandbox')),
  url text not null check (length(url) between 1 and 2000),
  -- Event names, or all of a subject (`invoice.*`); empty: every event.
  event_types text[] not null default '{}',
  description text not null default '' check (length(description) <= 500),
  state text not null default 'active' check (state in ('active', 'degraded', 'disabled')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  -- [{ id, sealed, created_at, expires_at }], newest first.
  secrets jsonb not null,
  breaker jsonb not null default '{"state":"closed","probeAtMs":0,"samples":[]}',
  failing_since timestamptz,
  -- Requests a second, retries included.
  rate integer not null default 200 check (rate between 1 and 200),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (tenant_id, id)
);
create index webhook_endpoint_of_tenant on webhook_endpoint (tenant_id, service, id);
-- Nodes are told of an endpoint by its id alone, and claim its queue before they know the tenant.
create index on webhook_endpoint (id);
call isolate('webhook_endpoint', system => true);

-- What happened, written in the transaction in which it happened. The text of the payload is what gets signed.
create table webhook_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  service text not null,
  type text not null,
  subject_id text not null,
  payload json not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index webhook_event_of_invoice on webhook_event (tenant_id, subject_id) where service = 'einvoice';
call isolate('webhook_event', system => true);

-- One event on its way to one endpoint. No foreign keys: rows come by the hundred, from one statement.
create table webhook_delivery (
  tenant_id uuid not null,
  endpoint_id text not null,
  environment text not null,
  event_id text not null,
  -- Order of the events, which their ids have by the millisecond only.
  seq bigint not null generated always as identity,
  subject_id text not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempt smallint not null default 0,
  -- Attempts that had been made when the schedule last began: at first, or with a resend.
  round_start smallint not null default 0,
  next_at timestamptz not null default now(),
  is_test boolean not null default false,
  last_status smallint,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (tenant_id, endpoint_id, environment, event_id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1);
create index webhook_delivery_pending on webhook_delivery (tenant_id, endpoint_id, environment, event_id)
  where state = 'pending';
create index webhook_delivery_failed on webhook_delivery (tenant_id, endpoint_id, environment, event_id)
  where state = 'failed';
create index webhook_delivery_fresh on webhook_delivery (tenant_id, endpoint_id, seq)
  where state = 'pending' and attempt = round_start;
create index webhook_delivery_retry on webhook_delivery (tenant_id, endpoint_id, next_at)
  where state = 'pending' and attempt > round_start;
-- Rows lie in the order of time, so a few pages of index find the old ones.
create index webhook_delivery_by_age on webhook_delivery using brin (created_at);
-- Until its second attempt an event keeps later ones of its subject back.
create index webhook_delivery_blocking on webhook_delivery (tenant_id, endpoint_id, subject_id)
  where state = 'pending' and attempt = round_start + 1;
create index webhook_delivery_test on webhook_delivery (tenant_id, endpoint_id)
  where state = 'pending' and is_test;
call isolate('webhook_delivery', system => true);

create table webhook_attempt (
  tenant_id uuid not null,
  endpoint_id text not null,
  event_id text not null,
  n smallint not null,
  at timestamptz not null,
  ms integer not null,
  status smallint,
  error text,
  response_head text not null,
  response_body text not null,
  primary key (tenant_id, endpoint_id, event_id, n)
);
call isolate('webhook_attempt', system => true);

-- Which process sends to an endpoint: one at a time, or its rate would not be exact. The same lease
-- keeps a delivery from being sent twice at once, and fences off what a former owner still writes.
create table webhook_queue (
  tenant_id uuid not null,
  endpoint_id text not null,
  owner uuid not null,
  until timestamptz not null,
  -- A second after the former owner may last have sent.
  ready_at timestamptz not null,
  primary key (tenant_id, endpoint_id)
);
call isolate('webhook_queue', system => true);

-- What the sending process asks for. It works for every tenant, so these look across tenants.

-- In these, `exists` is written as a subquery with a limit: of `exists` PostgreSQL may make a hash of
-- all that is pending, and before it has statistics it does.

-- Takes queues that have work and no live owner; `wanted` null: any.
create function claim_webhook_queues(claimant uuid, wanted text[], lease_ms integer, queues_max integer)
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
             and d.attempt = d.round_start limit 1),
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and d.attempt > d.round_start and d.next_at <= now() limit 1),
          false))
    order by e.id limit queues_max
    on conflict (tenant_id, endpoint_id) do update set owner = excluded.owner, until = excluded.until,
      ready_at = greatest(clock_timestamp(), queue.until + interval '1 second')
    where queue.until <= clock_timestamp()
    returning queue.endpoint_id, queue.tenant_id, greatest(0,
      ceil(extract(epoch from queue.ready_at - clock_timestamp()) * 1000))::integer
  $$;

create function renew_webhook_queues(claimant uuid, lease_ms integer) returns setof text
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_queue set until = clock_timestamp() + lease_ms * interval '1 ms'
    where owner = claimant and until > clock_timestamp()
    returning endpoint_id
  $$;

create function release_webhook_queues(claimant uuid, given text[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_queue set until = clock_timestamp()
    where owner = claimant and endpoint_id = any (given) and until > clock_timestamp()
  $$;

-- The endpoint as it stands, for its owner, and when its next retry is due.
create function load_webhook_queue(of_tenant uuid, claimant uuid, wanted text)
  returns table (url text, secrets jsonb, rate integer, state text, breaker jsonb,
    failing_since timestamptz, next_retry_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
    select e.url, e.secrets, e.rate, e.state, e.breaker, e.failing_since,
      (select next_at from webhook_delivery d
       where d.tenant_id = of_tenant and d.endpoint_id = e.id and d.state = 'pending' and d.attempt > d.round_start
       order by next_at limit 1)
    from webhook_endpoint e
    join webhook_queue q on q.tenant_id = e.tenant_id and q.endpoint_id = e.id
    where e.tenant_id = of_tenant and e.id = wanted and e.deleted_at is null
      and q.owner = claimant and q.until > clock_timestamp()
  $$;

create function due_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, fresh_max integer,
    retry_max integer)
  returns table (event_id text, environment text, seq bigint, subject_id text, attempt smallint,
    round_start smallint, is_test boolean, payload text)
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
         and d.endpoint_id = wanted and d.state = 'pending' and d.attempt = d.round_start and not d.is_test
         and (select true from webhook_delivery b
           where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = d.subject_id and b.state = 'pending'
             and b.attempt = b.round_start + 1 and b.seq < d.seq limit 1) is null
       order by d.seq limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from queue) and d.tenant_id = of_tenant
         and d.endpoint_id = wanted and d.state = 'pending' and d.attempt > d.round_start and d.next_at <= now() and not d.is_test
       order by d.next_at limit retry_max)
    )
    select due.event_id, due.environment, due.seq, due.subject_id, due.attempt, due.round_start,
      due.is_test, e.payload::text
    from due join webhook_event e on e.tenant_id = of_tenant and e.id = due.event_id
  $$;

-- Writes down attempts and what follows from each; passes over those of queues lost and those known already.
create function record_webhook_attempts(claimant uuid, attempts json) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with made as (
      select a.*
      from json_to_recordset(attempts) as a (tenant_id uuid, endpoint_id text, environment text, event_id text,
        n smallint, at timestamptz, ms integer, status smallint, error text, response_head text,
        response_body text, state text, next_at timestamptz)
      join webhook_queue q on q.tenant_id = a.tenant_id and q.endpoint_id = a.endpoint_id
        and q.owner = claimant
    ), moved as (
      update webhook_delivery d set state = m.state, attempt = m.n, last_status = m.status,
        next_at = coalesce(m.next_at, d.next_at),
        settled_at = case when m.state <> 'pending' then m.at + m.ms * interval '1 ms' end
      from made m
      where d.tenant_id = m.tenant_id and d.endpoint_id = m.endpoint_id
        and d.environment = m.environment
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

create function set_webhook_health(of_tenant uuid, claimant uuid, wanted text, new_breaker jsonb,
    since timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    update webhook_endpoint e set breaker = new_breaker, failing_since = since,
      state = case when e.state = 'disabled' then e.state
        when new_breaker ->> 'state' = 'closed' then 'active' else 'degraded' end
    from webhook_queue q
    where e.tenant_id = of_tenant and e.id = wanted and q.tenant_id = e.tenant_id
      and q.endpoint_id = e.id and q.owner = claimant
  $$;

-- Forgets old deliveries with their attempts. Events of invoices stay: they are the invoice's timeline.
create function prune_webhook_deliveries(before timestamptz, deliveries_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from webhook_delivery where ctid = any (array(
        select ctid from webhook_delivery where created_at < before limit deliveries_max))
      returning tenant_id, endpoint_id, event_id, is_test
    ), attempts as (
      delete from webhook_attempt a using gone
      where a.tenant_id = gone.tenant_id and a.endpoint_id = gone.endpoint_id
        and a.event_id = gone.event_id
    ), events as (
      delete from webhook_event e using gone
      where e.tenant_id = gone.tenant_id and e.id = gone.event_id and (e.service <> 'einvoice' or gone.is_test)
    )
    select count(*)::integer from gone
  $$;
