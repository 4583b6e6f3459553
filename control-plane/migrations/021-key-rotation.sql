-- Adds a key, which is the newest then.
create function add_signing_key(new_id text, public jsonb, sealed_private text) returns void
  language sql security definer set search_path = public, pg_temp as $$
    insert into signing_key (id, public_jwk, sealed_private_jwk)
      values (new_id, public, sealed_private)
  $$;

-- Deletes the keys that a newer one had replaced by then, and answers how many there were.
create function drop_replaced_signing_keys(replaced_before timestamptz) returns int
  language sql security definer set search_path = public, pg_temp as $$
    with dropped as (
      delete from signing_key k where exists (
        select from signing_key n
        where (n.created_at, n.id) > (k.created_at, k.id) and n.created_at <= replaced_before)
      returning id)
    select count(*)::int from dropped
  $$;

-- The same key, sealed anew; false when it was changed meanwhile.
create function reseal_signing_key(of_id text, known text, resealed text) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (update signing_key set sealed_private_jwk = resealed
      where id = of_id and sealed_private_jwk = known returning id)
    select exists (select from changed)
  $$;

create function reseal_document_signing_key(of_id text, known text, resealed text) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (update document_signing_key set sealed_private_jwk = resealed
      where id = of_id and sealed_private_jwk = known returning id)
    select exists (select from changed)
  $$;
