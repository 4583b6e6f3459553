-- As `prune_contacts` did, and says which, so that this can be told: contacts with whom nothing has happened since
-- `before`, with their conversations and the last message of each, oldest first.
create function delete_old_contacts(of_tenant uuid, of_environment text, before timestamptz, below text,
    contacts_max integer)
  returns setof text
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
  if wanted is null then return; end if;
  delete from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.contact_id = any (wanted);
  delete from contact c
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id = any (wanted);
  return query select unnest(wanted);
end $$;

-- Nodes of the version before count them. -- unused since 0.1.0
create or replace function prune_contacts(of_tenant uuid, of_environment text, before timestamptz, below text,
    contacts_max integer)
  returns integer
  language sql set search_path = public, pg_temp as $$
    select count(*)::integer
    from delete_old_contacts(of_tenant, of_environment, before, below, contacts_max)
  $$;
