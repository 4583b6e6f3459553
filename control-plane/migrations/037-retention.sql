-- What has a life time is deleted in batches by whichever node has the lock of its kind, so that two
-- never delete halves of the same thing.

-- Settled deliveries and their attempts, those to deleted endpoints, and the events that no delivery
-- refers to any more. A pending one stays, however old, as do events of invoices: they are the invoice's timeline.
-- So does a replay whose job is not done.
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

create policy owner on agent_event to current_user using (true) with check (true);
create index agent_event_by_age on agent_event (received_at);

-- An event is known by its id when it comes again, which it can until its agent was linked again after it.
create function prune_agent_events(before timestamptz, events_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from agent_event where ctid = any (array(
        select e.ctid from agent_event e join agent a on a.tenant_id = e.tenant_id and a.id = e.agent_id
        where e.received_at < before
          and (a.revoked_at is not null or a.seen_at > e.received_at + interval '1 day')
        order by e.received_at limit events_max for update of e skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $$;

create policy owner on agent_command to current_user using (true) with check (true);
create index agent_command_by_age on agent_command (done_at) where outcome is not null;

-- A command whose write-back is still a job stays: it is what keeps the second attempt from a second command.
create function prune_agent_commands(before timestamptz, commands_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from agent_command where ctid = any (array(
        select c.ctid from agent_command c
        where c.outcome is not null and c.done_at < before
          and (select true from job j
            where j.tenant_id = c.tenant_id and j.queue = 'write-back' and j.key = c.idempotency_key limit 1) is null
        order by c.done_at limit commands_max for update of c skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $$;

-- An idempotency key goes with what it made, and never before. Triggers, so that no deletion can forget it.
create policy owner on idempotency to current_user using (true) with check (true);

create function forget_idempotency_keys() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from idempotency i using gone g where i.tenant_id = g.tenant_id and i.made_id = g.id;
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['api_key', 'broadcast', 'channel_app', 'consent_event', 'contact',
    'contact_import', 'conversation_attachment', 'conversation_note', 'invitation', 'invoice', 'message',
    'message_template', 'opt_out', 'segment', 'tag', 'voice_call', 'voice_provider', 'voice_rate',
    'voice_recording_consent', 'voice_template', 'webhook_endpoint', 'webhook_replay']
  loop
    execute format('create trigger forget_idempotency_keys after delete on %I
      referencing old table as gone for each statement execute function forget_idempotency_keys()', name);
  end loop;
end $$;
