-- Failed sign-ins of strangers must not keep a person out: a device that signed in before has a budget of
-- its own. All others share one for each account, which becomes slower with each failure, and one for
-- each address.
drop function take_sign_in(text[], int[], int);
drop function forget_sign_in(text);
drop function forget_sign_ins(text);

-- When the next try under a key is free, by those before it, oldest first; null: now.
create function next_sign_in_at(key text, tried_at timestamptz[]) returns timestamptz
  language sql stable as $$
    select case
      -- Five at once; then 15 s after the last one, 30 s, and so on to a quarter of an hour.
      when key like 'account %' then
        tried_at[n] + least(15 * 2 ^ least(n - 5, 10), 900) * interval '1 s'
          * case when n >= 5 then 1 end
      when key like 'ip %' then tried_at[n - 49] + interval '15 min'
      else tried_at[n - 4] + interval '15 min'
    end
    from (select cardinality(tried_at)) as tries (n)
  $$;

-- Counts one try under every key, unless one of them is not free yet: then none is counted, and the
-- answer is the seconds until it is. Counted before the password is looked at, so that a thousand tries
-- at once are no more than a few.
create function take_sign_in(keys text[], at timestamptz) returns double precision
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  free_at timestamptz;
begin
  insert into sign_in_window (key, tried_at) select k, '{}' from unnest(keys) k order by k
    on conflict (key) do nothing;
  perform from sign_in_window where key = any(keys) order by key for update;
  update sign_in_window set tried_at = array(
      select t from unnest(tried_at) t
      where t > at - case when key like 'account %' then interval '24 h' else interval '15 min' end
      order by t)
    where key = any(keys);
  select max(next_sign_in_at(key, tried_at)) into free_at from sign_in_window
    where key = any(keys);
  if free_at > at then return extract(epoch from free_at - at); end if;
  update sign_in_window set tried_at = tried_at || at where key = any(keys);
  return null;
end $$;

-- Forgets one try under every key, because it succeeded.
create function forget_sign_in(keys text[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update sign_in_window set tried_at = trim_array(tried_at, 1)
    where key = any(keys) and cardinality(tried_at) > 0
  $$;
