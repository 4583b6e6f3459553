-- When the newest of a contact's deleted messages was: that something happened with it outlives the message.
alter table contact add column messages_until timestamptz;

-- Messages that nothing has happened to since `before`, with their files and what people did with them,
-- oldest first; ids below `below` are of that time. Stays: what is on its way or holds money, what is of a
-- broadcast that is not over or of a conversation that is not closed, and a conversation's last.
create function prune_messages(of_tenant uuid, of_environment text, before timestamptz, below text,
    messages_max integer)
  returns integer
  language plpgsql set search_path = public, pg_temp as $$
declare
  wanted text[];
begin
  select array_agg(id) into wanted from (
    select m.id from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.id < below
      and m.status not in ('queued', 'sending')
      and greatest(m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.unknown_at) < before
      and (m.broadcast_id is null or (select b.state in ('completed', 'failed', 'canceled')
        from broadcast b where b.tenant_id = of_tenant and b.environment = of_environment
          and b.id = m.broadcast_id))
      and (select true from conversation v
        where v.tenant_id = of_tenant and v.environment = of_environment
          and v.contact_id = m.contact_id and (v.state <> 'closed' or v.last_item_id = m.id)) is null
      and (select true from wallet_hold h
        where h.tenant_id = of_tenant and h.environment = of_environment
          and h.reference = m.id and h.state = 'open') is null
    order by m.id limit messages_max for update of m skip locked) ended;
  if wanted is null then return 0; end if;
  perform from contact c where c.tenant_id = of_tenant and c.environment = of_environment
    and c.id in (select m.contact_id from message m where m.tenant_id = of_tenant
      and m.environment = of_environment and m.id = any (wanted))
    order by c.id for update;
  update contact c set messages_until = greatest(c.messages_until, gone.newest)
    from (select m.contact_id, max(m.created_at) as newest from message m
      where m.tenant_id = of_tenant and m.environment = of_environment and m.id = any (wanted)
      group by m.contact_id) gone
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id = gone.contact_id;
  delete from conversation_attachment a
    where a.tenant_id = of_tenant and a.environment = of_environment and a.message_id = any (wanted);
  delete from broadcast_response r where r.tenant_id = of_tenant and r.message_id = any (wanted);
  delete from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.id = any (wanted);
  return cardinality(wanted);
end $$;

-- Contacts with whom nothing has happened since `before`, with their conversations and the last message of
-- each, oldest first. One whose conversation is not closed, or of whom another message is kept, stays.
-- Opt-outs and consents are of addresses, and stay.
create function prune_contacts(of_tenant uuid, of_environment text, before timestamptz, below text,
    contacts_max integer)
  returns integer
  language plpgsql set search_path = public, pg_temp as $$
declare
  wanted text[];
begin
  select array_agg(id) into wanted from (
    select c.id from contact c
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id < below
      and greatest(c.created_at, c.updated_at, c.messages_until) < before
      and (select true from conversation v
        where v.tenant_id = of_tenant and v.environment = of_environment and v.contact_id = c.id
          and (v.state <> 'closed' or v.updated_at >= before)) is null
      and (select true from message m
        where m.tenant_id = of_tenant and m.environment = of_environment and m.contact_id = c.id
          and (m.created_at >= before or (select true from conversation v
            where v.tenant_id = of_tenant and v.environment = of_environment and v.contact_id = c.id
              and v.last_item_id = m.id) is null) limit 1) is null
      and (select true from inbox_call k
        where k.tenant_id = of_tenant and k.environment = of_environment and k.contact_id = c.id
          and k.created_at >= before limit 1) is null
    order by c.id limit contacts_max for update of c skip locked) ended;
  if wanted is null then return 0; end if;
  delete from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.contact_id = any (wanted);
  delete from contact c
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id = any (wanted);
  return cardinality(wanted);
end $$;
