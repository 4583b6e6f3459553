-- What a connector asks for before its documents are submitted, by environment:
-- { "live": { "posted": { "column": "STATE", "values": ["POSTED"] }, "hold": "approval" } }.
alter table connector add column submission jsonb not null default '{}';

-- Who submitted it: a user or a key; null: an agent found it.
alter table invoice add column submitted_by text;
-- A valid document that is not sent before somebody lets it go: { since, for, content, released_by?, … }.
alter table invoice add column hold jsonb;
-- What it waits for now. What waits for a person is sent by no worker.
alter table invoice add column waits_for text
  check (waits_for is null or waits_for in ('release', 'approval') and state = 'validated');
create index invoice_on_hold on invoice (tenant_id, environment, id desc) where waits_for is not null;

-- As before, without invoices that wait for a person: they are no open work of the service.
drop index invoice_open;
create index invoice_open on invoice (environment, state, created_at)
  where state in ('received', 'validating', 'validated', 'submitted') and waits_for is null;

create or replace function count_open_invoices(at timestamptz, invoices_max int)
  returns table (environment text, state text, invoices bigint, oldest_seconds double precision)
  language sql stable security definer set search_path = public, pg_temp as $$
    select e.environment, s.state,
      (select count(*) from (
         select from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted') and i.waits_for is null
         order by i.created_at limit invoices_max) c),
      coalesce(extract(epoch from at - (
         select i.created_at from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted') and i.waits_for is null
         order by i.created_at limit 1)), 0)
    from unnest(array['live', 'sandbox']) as e (environment)
    cross join unnest(array['received', 'validating', 'validated', 'submitted']) as s (state)
  $$;
