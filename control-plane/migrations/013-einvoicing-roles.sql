-- What a member may do in e-invoicing, beside the role in messaging. Either may be missing: whoever has
-- only to do with invoices has no role in messaging.
alter table member alter column role drop not null;
alter table member add column einvoicing_role text;
alter table member add constraint member_has_a_role
  check (role is not null or einvoicing_role is not null);
alter table invitation alter column role drop not null;
alter table invitation add column einvoicing_role text;
alter table invitation add constraint invitation_has_a_role
  check (role is not null or einvoicing_role is not null);

drop function memberships_of(text);
-- The tenants that a person belongs to, oldest membership first.
create function memberships_of(wanted text)
  returns table (tenant_id uuid, name text, role text, einvoicing_role text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select m.tenant_id, t.name, m.role, m.einvoicing_role
    from member m join tenant t on t.id = m.tenant_id
    where m.user_id = wanted order by m.created_at, m.tenant_id
  $$;

drop function find_session(text);
-- A session that has not ended, with the roles that its person has now.
create function find_session(wanted text)
  returns table (tenant_id uuid, user_id text, role text, einvoicing_role text, limits jsonb)
  language sql stable security definer set search_path = public, pg_temp as $$
    select s.tenant_id, s.user_id, m.role, m.einvoicing_role, t.limits from session s
    join member m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
    join tenant t on t.id = s.tenant_id
    where s.tenant_id = tenant_of('session', wanted) and s.id = wanted and s.revoked_at is null
  $$;

drop function take_invitation(bytea, timestamptz);
-- Uses an invitation up; the answer is what it was for.
create function take_invitation(hash bytea, at timestamptz)
  returns table (tenant_id uuid, email text, role text, einvoicing_role text)
  language sql security definer set search_path = public, pg_temp as $$
    delete from invitation where tenant_id = tenant_of('invitation', hash_key(hash))
      and token_hash = hash and expires_at > at
    returning tenant_id, email, role, einvoicing_role
  $$;

drop function find_invitation(bytea, timestamptz);
create function find_invitation(hash bytea, at timestamptz)
  returns table (tenant_id uuid, email text, role text, einvoicing_role text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select tenant_id, email, role, einvoicing_role from invitation
    where tenant_id = tenant_of('invitation', hash_key(hash)) and token_hash = hash
      and expires_at > at
  $$;
