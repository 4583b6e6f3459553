-- A second factor of a person: codes by time (RFC 6238), and recovery codes for when their device is lost.
create table second_factor (
  user_id text primary key references user_account,
  sealed_secret text not null,
  created_at timestamptz not null,
  -- Null until a first code has shown that the device has the secret; until then nobody is asked.
  confirmed_at timestamptz,
  -- The time step of the last code that was used: no code of it or of an earlier one is good again.
  last_step bigint,
  -- Those not used yet.
  recovery_hashes bytea[] not null default '{}'
);
comment on table second_factor is 'written by functions';

-- False when there is a confirmed one.
create function begin_second_factor(person text, sealed text, at timestamptz) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into second_factor (user_id, sealed_secret, created_at) values (person, sealed, at)
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret,
      created_at = excluded.created_at
      where second_factor.confirmed_at is null;
  return found;
end $$;

-- False when it is confirmed, or another was begun meanwhile. Ends all sessions but the one that asks:
-- they began without it.
create function confirm_second_factor(person text, sealed text, step bigint, hashes bytea[],
    from_session text, at timestamptz)
  returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update second_factor set confirmed_at = at, last_step = step, recovery_hashes = hashes
    where user_id = person and sealed_secret = sealed and confirmed_at is null;
  if not found then return false; end if;
  perform end_sessions_of(person, from_session, at);
  return true;
end $$;

-- Uses the code of a time step up; false when it, or a later one, has been used.
create function use_second_factor_step(person text, step bigint) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update second_factor set last_step = step
    where user_id = person and confirmed_at is not null and last_step < step;
  return found;
end $$;

-- Uses a recovery code up; false when there is none with this hash.
create function use_recovery_code(person text, hash bytea) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update second_factor set recovery_hashes = array_remove(recovery_hashes, hash)
    where user_id = person and confirmed_at is not null and hash = any(recovery_hashes);
  return found;
end $$;

-- False when there is none.
create function remove_second_factor(person text) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from second_factor where user_id = person;
  return found;
end $$;

-- The same secret, sealed anew; false when it was changed meanwhile.
create function reseal_second_factor(of_person text, known text, resealed text) returns boolean
  language sql security definer set search_path = public, pg_temp as $$
    with changed as (update second_factor set sealed_secret = resealed
      where user_id = of_person and sealed_secret = known returning user_id)
    select exists (select from changed)
  $$;
