-- Below this what is free in the wallet is told as low; null: a hundred times the dearest message.
alter table wallet add column low_at numeric(24, 6) check (low_at >= 0);
-- Told as low, and not topped up since.
alter table wallet add column is_low boolean not null default false;

-- Whether it is low now; null when the host sells nothing in its currency.
create function falls_low(w wallet) returns boolean language sql stable as $$
  select w.balance - w.reserved < coalesce(w.low_at, 100 * (select max(amount) from price p
    where p.currency = w.currency))
$$;

do $$ begin
  execute format('create policy owner on wallet to %I using (true) with check (true)', current_user);
end $$;

-- Wallets that became low, or are it no more, and of which this is not written down.
create function wallets_to_tell() returns table (tenant_id uuid, environment text)
  language sql stable security definer set search_path = public, pg_temp as $$
  select w.tenant_id, w.environment from wallet w where falls_low(w) <> w.is_low
$$;
