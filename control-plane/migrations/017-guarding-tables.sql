-- What guards the product is written through these functions alone. A statement that somebody smuggles
-- in under the application's role cannot bring a signing key, set a price, raise a tenant's limits, say
-- whose a key is, or forget failed sign-ins. Grants follow the comments: see platform/db/app-role.ts.
comment on table signing_key is 'written by functions';
comment on table document_signing_key is 'written by functions';
comment on table price is 'written by functions';
comment on table tenant is 'written by functions';
comment on table tenant_directory is 'written by functions';
comment on table sign_in_window is 'written by functions';

-- Adds the key unless there is one already.
create function add_first_signing_key(new_id text, public jsonb, sealed_private text) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7314161);
  insert into signing_key (id, public_jwk, sealed_private_jwk)
    select new_id, public, sealed_private where not exists (select from signing_key);
end $$;

create function add_first_document_signing_key(new_id text, public jsonb, sealed_private text)
  returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7314179);
  insert into document_signing_key (id, public_jwk, sealed_private_jwk)
    select new_id, public, sealed_private where not exists (select from document_signing_key);
end $$;

create function add_document_signing_key(new_id text, public jsonb, sealed_private text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into document_signing_key (id, public_jwk, sealed_private_jwk)
      values (new_id, public, sealed_private)
  $$;

create function set_price(of_channel text, of_prefix text, in_currency text, new_amount numeric)
  returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into price (channel, prefix, currency, amount)
      values (of_channel, of_prefix, in_currency, new_amount)
      on conflict (channel, currency, prefix) do update set amount = excluded.amount
  $$;

create function add_tenant(new_id uuid, new_name text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into tenant (id, name) values (new_id, new_name)
  $$;

-- False when there is no such tenant.
create function set_tenant_limits(of_tenant uuid, new_limits jsonb) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (update tenant set limits = new_limits where id = of_tenant returning id)
    select exists (select from changed)
  $$;

alter function take_sign_in(text[], int[], int) security definer;
alter function take_sign_in(text[], int[], int) set search_path = public, pg_temp;

-- Forgets all attempts under a key.
create function forget_sign_ins(wanted text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from sign_in_window where key = wanted
  $$;

-- Forgets one attempt under a key, because it succeeded.
create function forget_sign_in(wanted text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update sign_in_window set tried_at = trim_array(tried_at, 1)
    where key = wanted and cardinality(tried_at) > 0
  $$;
