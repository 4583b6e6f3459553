create table api_key (
  id text primary key,
  tenant_id uuid not null references tenant,
  -- Which service it opens: sk (e-invoicing) or jc (messaging).
  family text not null check (family in ('sk', 'jc')),
  environment text not null check (environment in ('live', 'sandbox')),
  name text not null check (length(name) between 1 and 200),
  shown text not null,
  hash bytea not null check (length(hash) = 32),
  scopes jsonb not null,
  -- CIDR ranges; empty: from anywhere.
  allowed_ips jsonb not null default '[]',
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index on api_key (tenant_id, created_at);
call isolate('api_key', system => true);

-- Before a key is known there is no tenant, so these two look across tenants.
create function find_api_key(wanted text) returns table (key api_key, limits jsonb)
  language sql stable security definer set search_path = public, pg_temp as $$
    select k, t.limits from api_key k join tenant t on t.id = k.tenant_id where k.id = wanted
  $$;

create function touch_api_keys(ids text[], used timestamptz[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
    update api_key set last_used_at = greatest(last_used_at, seen.used)
    from unnest(ids, used) as seen (id, used) where api_key.id = seen.id
  $$;
