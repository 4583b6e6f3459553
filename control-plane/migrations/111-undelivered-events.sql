-- Events of messaging that were kept for a disabled endpoint alone: no delivery takes them along when it goes.
alter table webhook_event add column is_undelivered boolean not null default false;
create index webhook_event_undelivered on webhook_event (created_at) where is_undelivered;

create or replace function prune_webhook_deliveries(before timestamptz, deliveries_max integer) returns integer
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  pruned integer;
  tenants uuid[];
  environments text[];
  events text[];
  invoice_events text[];
begin
  delete from webhook_replay where ctid = any (array(
    select r.ctid from webhook_replay r where r.created_at < before
      and (select true from job j
        where j.tenant_id = r.tenant_id and j.queue = 'webhook_replay' and j.key = r.id limit 1) is null
    limit deliveries_max));
  delete from webhook_event where ctid = any (array(
    select e.ctid from webhook_event e where e.is_undelivered and e.created_at < before
      and (select true from webhook_endpoint w
        join webhook_delivery d on d.tenant_id = w.tenant_id and d.endpoint_id = w.id
          and d.environment = e.environment and d.event_id = e.id
        where w.tenant_id = e.tenant_id limit 1) is null
    limit deliveries_max));
  with gone as (
    delete from webhook_delivery where ctid = any (array(
      select d.ctid from webhook_delivery d where d.created_at < before
        and (d.state <> 'pending' and coalesce(d.settled_at, d.created_at) < before
          or (select true from webhook_endpoint w
            where w.tenant_id = d.tenant_id and w.id = d.endpoint_id and w.deleted_at < before limit 1))
      limit deliveries_max for update of d skip locked))
    returning tenant_id, endpoint_id, environment, event_id, is_test
  ), attempts as (
    delete from webhook_attempt a using gone
    where a.tenant_id = gone.tenant_id and a.endpoint_id = gone.endpoint_id
      and a.event_id = gone.event_id
  )
  select count(*), array_agg(tenant_id), array_agg(environment), array_agg(event_id),
      array_agg(event_id) filter (where not is_test)
    into pruned, tenants, environments, events, invoice_events from gone;
  delete from webhook_event e
    using (select distinct * from unnest(tenants, environments, events) as u (tenant_id, environment, event_id)) g
    where e.tenant_id = g.tenant_id and e.id = g.event_id
      and (e.service <> 'einvoice' or e.id <> all (coalesce(invoice_events, '{}')))
      and (select true from webhook_endpoint w
        join webhook_delivery d on d.tenant_id = w.tenant_id and d.endpoint_id = w.id
          and d.environment = g.environment and d.event_id = g.event_id
        where w.tenant_id = g.tenant_id limit 1) is null;
  return pruned;
end $$;
