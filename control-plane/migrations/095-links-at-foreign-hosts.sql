-- Whoever names our address in DNS gets his visitors here. At a host name that is not the service's own, links are found
-- of the tenant that has proved it; when nobody has, of tenants that had proved it and whose record is missing since.
create policy owner on branding_proof to current_user using (true) with check (true);
drop function find_short_link(text, text, text);
create function find_short_link(wanted text, of_environment text, of_host text, is_own_host boolean)
  returns table (tenant_id uuid, environment text, broadcast_id text, channel text, message_id text,
    url_id text, url text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select l.tenant_id, l.environment, l.broadcast_id, b.channel, l.message_id, l.url_id, u.url
    from short_link l
    join tracked_url u
      on u.tenant_id = l.tenant_id and u.environment = l.environment and u.id = l.url_id
    join broadcast b
      on b.tenant_id = l.tenant_id and b.environment = l.environment and b.id = l.broadcast_id
    cross join (select tenant_of('custom_domain', of_host) as tenant_id) d
    where l.tenant_id = tenant_of('short_link', wanted) and l.code = wanted
      and case
        when d.tenant_id is not null then d.tenant_id = l.tenant_id
        when is_own_host then l.environment = of_environment
        else exists (
          select from branding_proof p
          where p.tenant_id = l.tenant_id and p.kind = 'domain' and p.name = of_host
            and p.missing_since is not null)
      end
  $$;
