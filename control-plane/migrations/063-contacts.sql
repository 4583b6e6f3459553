-- Lets one inverted index begin with the tenant. Apart from ours, so that grants do not touch it.
create schema if not exists extension;
create extension if not exists btree_gin schema extension;

create table contact (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  name text check (length(name) between 1 and 200),
  phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  attributes jsonb not null default '{}',
  search tsvector not null generated always as
    (to_tsvector('simple'::regconfig, coalesce(name, '') || ' ' || coalesce(ltrim(phone, '+'), '')))
    stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (tenant_id, environment, id),
  unique (tenant_id, environment, phone)
);
create index contact_search on contact using gin (tenant_id, environment, search);
create index contact_attributes on contact
  using gin (tenant_id, environment, attributes jsonb_path_ops);
call isolate('contact', system => true);

-- How a network knows a contact; some networks give no telephone number.
create table contact_identity (
  tenant_id uuid not null,
  environment text not null,
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  external_id text not null check (length(external_id) between 1 and 200),
  contact_id text not null,
  primary key (tenant_id, environment, channel, external_id),
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
);
create index on contact_identity (tenant_id, environment, contact_id);
call isolate('contact_identity', system => true);

create table segment (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  unique (tenant_id, environment, id),
  unique (tenant_id, environment, name)
);
call isolate('segment', system => true);

-- In this order, a page of a segment is a piece of the index.
create table contact_segment (
  tenant_id uuid not null,
  environment text not null,
  segment_id text not null,
  contact_id text not null,
  primary key (tenant_id, environment, segment_id, contact_id),
  foreign key (tenant_id, environment, segment_id)
    references segment (tenant_id, environment, id) on delete cascade,
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
);
create index on contact_segment (tenant_id, environment, contact_id);
call isolate('contact_segment', system => true);

-- A page of ids, newest first. Operators of text and JSON may not be pushed below row-level security,
-- so a tenant's own query would read all its rows; this function tests the tenant itself instead.
-- Put together from the filters that are given, so that each combination has a plan of its own.
create function find_contacts(of_environment text, words text, attribute jsonb[],
    of_segment text, of_phone text, before_id text, from_id text, until_id text, most int)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted tsquery;
  first text := '';
  contacts text := 'contact';
  source text;
  id_column text := 'c.id';
begin
  if current_tenant() is null then return; end if;
  if attribute is not null then
    -- Nothing is known beforehand of how rare an attribute is, and to look for a rare one along the
    -- ids is to read all contacts; so the index is asked first, for whatever that finds.
    contacts := 'matched';
    first := 'with matched as materialized (select id, tenant_id, environment, phone, search
      from contact where tenant_id = $1 and environment = $2 and ('
      || (select string_agg(format('attributes @> ($4)[%s]', n), ' or ')
          from generate_series(1, cardinality(attribute)) n) || ')) ';
  end if;
  source := format('select c.id from %s c where c.tenant_id = $1 and c.environment = $2', contacts);
  if of_segment is not null then
    source := format('select s.contact_id from contact_segment s join %s c
      on c.tenant_id = s.tenant_id and c.environment = s.environment and c.id = s.contact_id
      where s.tenant_id = $1 and s.environment = $2 and s.segment_id = $5', contacts);
    id_column := 's.contact_id';
  end if;
  if words is not null then
    -- Each word is the beginning of one; what is no word at all finds nothing.
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
      into wanted from unnest(to_tsvector('simple'::regconfig, words));
    if wanted is null then return; end if;
    source := source || ' and c.search @@ $3';
  end if;
  if of_phone is not null then source := source || ' and c.phone = $6'; end if;
  if before_id is not null then source := source || format(' and %s < $7', id_column); end if;
  if from_id is not null then source := source || format(' and %s >= $8', id_column); end if;
  if until_id is not null then source := source || format(' and %s < $9', id_column); end if;
  return query execute first || source || format(' order by %s desc limit $10', id_column)
    using current_tenant(), of_environment, wanted, attribute, of_segment, of_phone, before_id,
      from_id, until_id, most;
end $$;
