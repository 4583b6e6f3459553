-- What proves that a tenant's domain and e-mail sender are its own: a record in DNS. Until then neither counts, so
-- that nobody takes a name by writing it down first.
create table branding_proof (
  tenant_id uuid not null references tenant,
  id text not null,
  kind text not null check (kind in ('domain', 'sender')),
  -- The domain, or the domain of the sender's address.
  name text not null check (length(name) <= 253),
  -- The record that proves it.
  record_name text not null,
  record_value text not null,
  -- Of a sender: the key that its mail is signed with, whose public half is the record.
  selector text,
  sealed_key text,
  proved_at timestamptz,
  checked_at timestamptz,
  -- Since when a record that was there is missing.
  missing_since timestamptz,
  problem text,
  created_at timestamptz not null,
  proved_domain text generated always as (
    case when kind = 'domain' and proved_at is not null then name end) stored,
  primary key (tenant_id, id),
  unique (tenant_id, kind)
);
comment on column branding_proof.sealed_key is 'secret';
call isolate('branding_proof');

drop trigger directory on branding;
delete from tenant_directory where kind = 'custom_domain';
create trigger directory after insert or update of proved_at or delete on branding_proof
  for each row execute function keep_in_directory('custom_domain', 'proved_domain');

-- At a tenant's own domain its links are found in both environments, and nobody else's.
drop function find_short_link(text, text);
create function find_short_link(wanted text, of_environment text, of_domain text)
  returns table (tenant_id uuid, environment text, broadcast_id text, channel text, message_id text,
    url_id text, url text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select l.tenant_id, l.environment, l.broadcast_id, b.channel, l.message_id, l.url_id, u.url
    from short_link l
    join tracked_url u
      on u.tenant_id = l.tenant_id and u.environment = l.environment and u.id = l.url_id
    join broadcast b
      on b.tenant_id = l.tenant_id and b.environment = l.environment and b.id = l.broadcast_id
    cross join (select tenant_of('custom_domain', of_domain) as tenant_id) d
    where l.tenant_id = tenant_of('short_link', wanted) and l.code = wanted
      and case when d.tenant_id is null then l.environment = of_environment
        else d.tenant_id = l.tenant_id end
  $$;
