-- When the person of a browser's session last typed the password. Null: a session of tokens, which is
-- not asked for it.
alter table session add column proven_at timestamptz;

drop function find_session(text);
-- A session that was not revoked, with the roles that its person has now.
create function find_session(wanted text)
  returns table (tenant_id uuid, user_id text, role text, einvoicing_role text, limits jsonb,
    expires_at timestamptz, proven_at timestamptz)
  language sql stable security definer set search_path = public, pg_temp as $$
    select s.tenant_id, s.user_id, m.role, m.einvoicing_role, t.limits, s.expires_at, s.proven_at
    from session s
    join member m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
    join tenant t on t.id = s.tenant_id
    where s.tenant_id = tenant_of('session', wanted) and s.id = wanted and s.revoked_at is null
  $$;
