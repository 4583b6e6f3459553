-- Webhooks of the chat app about a number that no app of the tenant has: kept, and replayed when
-- there is one. A webhook is here once for each such number in it.
create table unrouted_webhook (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  id text not null,
  channel text not null,
  -- The network's id of the number.
  number text not null check (length(number) between 1 and 100),
  provider text not null,
  -- What is in it: { "inbound": 1, "report": 3 }.
  counts jsonb not null,
  body text not null,
  received_at timestamptz not null,
  primary key (tenant_id, environment, id)
);
create index on unrouted_webhook (received_at);
call isolate('unrouted_webhook', system => true);

-- What nobody made an app for in a month.
create function sweep_unrouted_webhooks(before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from unrouted_webhook where received_at < before;
  $$;
