-- An order to send events again. Its job goes through them in the order of their ids.
create table webhook_replay (
  tenant_id uuid not null,
  id text not null,
  endpoint_id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  since timestamptz not null,
  until timestamptz not null,
  -- Event names, or all of a subject (`invoice.*`); empty: every event.
  events text[] not null,
  only_failed boolean not null,
  -- How many there were when it was ordered.
  count integer not null,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index webhook_replay_by_age on webhook_replay using brin (created_at);
call isolate('webhook_replay', system => true);

-- Forgets old deliveries with their attempts, and old replays. Events of invoices stay: they are the
-- invoice's timeline.
create or replace function prune_webhook_deliveries(before timestamptz, deliveries_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    delete from webhook_replay where created_at < before;
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
