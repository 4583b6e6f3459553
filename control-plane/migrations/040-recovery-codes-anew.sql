-- Puts new recovery codes in the place of all earlier ones; false when there is no confirmed factor.
create function renew_recovery_codes(person text, hashes bytea[]) returns boolean
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update second_factor set recovery_hashes = hashes
    where user_id = person and confirmed_at is not null;
  return found;
end $$;
