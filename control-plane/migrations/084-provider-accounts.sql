-- An account that a provider vouches for is of that workspace alone: it has no password, is found by no address
-- when somebody signs in elsewhere, and joins no other workspace. Otherwise whoever configures a provider could
-- take an address before its person has an account, or learn what that person does in other workspaces.
alter table user_account
  alter column password_hash drop not null,
  add column home_tenant_id uuid references tenant,
  add constraint user_account_has_a_password
    check ((password_hash is null) = (home_tenant_id is not null)),
  drop constraint user_account_email_key;
create unique index user_account_email on user_account (email) where home_tenant_id is null;
create index user_account_home on user_account (home_tenant_id) where home_tenant_id is not null;

create or replace function find_account(wanted text) returns setof user_account
  language sql stable security definer set search_path = public, pg_temp as $$
    select * from user_account where email = wanted and home_tenant_id is null
  $$;

create or replace function add_password_reset(
  address text, hash bytea, at timestamptz, until timestamptz, open_max int)
  returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person text;
begin
  select id into person from user_account where email = address and home_tenant_id is null for update;
  if person is null then return false; end if;
  if (select count(*) from password_reset where user_id = person and expires_at > at) >= open_max
    then return false; end if;
  insert into password_reset values (hash, person, at, until);
  return true;
end $$;

-- An account of the current tenant alone.
create function add_provider_account(new_id text, address text, full_name text, at timestamptz)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into user_account (id, email, name, password_hash, created_at, home_tenant_id)
    values (new_id, address, full_name, null, at, current_tenant())
  $$;

-- Nothing happens to an account that is not of the current tenant alone.
create function update_provider_account(of_account text, address text, full_name text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update user_account set email = address, name = full_name
    where id = of_account and home_tenant_id = current_tenant()
  $$;

-- Who somebody is here, by what their provider calls them. Stays when the membership ends: who comes back is the same.
create table provider_identity (
  tenant_id uuid not null references tenant,
  issuer text not null check (length(issuer) <= 2000),
  subject text not null check (length(subject) between 1 and 255),
  user_id text not null references user_account,
  created_at timestamptz not null,
  signed_in_at timestamptz not null,
  primary key (tenant_id, issuer, subject)
);
create index on provider_identity (tenant_id, user_id);
call isolate('provider_identity');

-- The last step: fails while a row refers to the tenant.
create or replace function end_tenant_deletion(of_tenant uuid) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from user_account where home_tenant_id = of_tenant
      and exists (select from tenant where id = of_tenant and deleting_at is not null);
    delete from tenant where id = of_tenant and deleting_at is not null
  $$;
