-- How long a tenant keeps its own things, in days; what has no row is kept for ever.
create table life_time (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  kind text not null check (kind in ('invoice', 'message', 'contact')),
  days integer not null check (days between 30 and 36500),
  updated_at timestamptz not null,
  primary key (tenant_id, environment, kind)
);
call isolate('life_time', system => true);

-- Whose things of a kind end. Nothing of a suspended tenant does.
create function list_life_times(wanted_kind text)
  returns table (tenant_id uuid, environment text, days integer)
  language sql stable security definer set search_path = public, pg_temp as $$
    select l.tenant_id, l.environment, l.days from life_time l
    join tenant t on t.id = l.tenant_id and t.suspended_at is null
    where l.kind = wanted_kind order by l.tenant_id, l.environment
  $$;

-- Settled invoices that nothing has happened to since `before`, with their documents, events and
-- deliveries, oldest first; ids below `below` are of that time. One with a job, a webhook that is still
-- to be sent, a time in which it may be cancelled, or a later day of issue stays: what is issued before the
-- life time is not submitted by itself a second time.
create function prune_invoices(of_tenant uuid, of_environment text, before timestamptz, below text,
    invoices_max integer)
  returns integer
  language plpgsql set search_path = public, pg_temp as $$
declare
  wanted text[];
  events text[];
begin
  select array_agg(id) into wanted from (
    select i.id from invoice i
    where i.tenant_id = of_tenant and i.environment = of_environment and i.id < below
      and i.state in ('cleared', 'delivered', 'acknowledged', 'rejected')
      and i.updated_at < before and coalesce(i.cancellable_until, '-infinity') < before
      and (i.state = 'rejected' or coalesce((select c.cim ->> 'issue_date' from invoice_content c
        where c.tenant_id = of_tenant and c.invoice_id = i.id), '') < to_char(before at time zone 'utc', 'YYYY-MM-DD'))
      and (select true from job j
        where j.tenant_id = of_tenant and (j.queue, j.key) in (
          ('invoice', i.id), ('forward', i.id), ('acknowledge', i.id),
          ('write-back', i.id || '/cleared'), ('write-back', i.id || '/delivered'),
          ('write-back', i.id || '/acknowledged'), ('write-back', i.id || '/rejected'))
        limit 1) is null
      and (select true from webhook_event e
        join webhook_endpoint w on w.tenant_id = of_tenant and w.deleted_at is null
        join webhook_delivery d on d.tenant_id = of_tenant and d.endpoint_id = w.id
          and d.environment = e.environment and d.event_id = e.id and d.state = 'pending'
        where e.tenant_id = of_tenant and e.service = 'einvoice' and e.subject_id = i.id
        limit 1) is null
    order by i.id limit invoices_max for update of i skip locked) ended;
  if wanted is null then return 0; end if;
  with gone as (
    delete from webhook_event e
    where e.tenant_id = of_tenant and e.service = 'einvoice' and e.subject_id = any (wanted)
    returning e.id
  )
  select array_agg(id) into events from gone;
  delete from webhook_delivery d using webhook_endpoint w
    where w.tenant_id = of_tenant and d.tenant_id = of_tenant and d.endpoint_id = w.id
      and d.environment = of_environment and d.event_id = any (events);
  delete from webhook_attempt a using webhook_endpoint w
    where w.tenant_id = of_tenant and a.tenant_id = of_tenant and a.endpoint_id = w.id
      and a.event_id = any (events);
  update invoice d set duplicate_of = null from invoice g
    where g.tenant_id = of_tenant and g.id = any (wanted)
      and d.tenant_id = of_tenant and d.environment = of_environment and d.duplicate_of = g.id
      and (d.number = g.number or d.source_ref = g.source_ref);
  delete from invoice_content c where c.tenant_id = of_tenant and c.invoice_id = any (wanted);
  delete from invoice i where i.tenant_id = of_tenant and i.id = any (wanted);
  return cardinality(wanted);
end $$;
