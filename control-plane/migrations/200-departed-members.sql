-- Who was a member once: what they wrote stays, and a record of it says who they were.
create table departed_member (
  tenant_id uuid not null references tenant,
  user_id text not null,
  name text not null,
  email text not null,
  departed_at timestamptz not null default now(),
  primary key (tenant_id, user_id)
);
call isolate('departed_member', system => true);

create function keep_departed_member() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into departed_member (tenant_id, user_id, name, email)
  select old.tenant_id, u.id, u.name, u.email from user_account u where u.id = old.user_id
  on conflict (tenant_id, user_id)
    do update set name = excluded.name, email = excluded.email, departed_at = now();
  return null;
end $$;
create trigger departed after delete on member
  for each row execute function keep_departed_member();
