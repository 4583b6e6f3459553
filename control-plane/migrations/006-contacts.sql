create table contact (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  name text check (length(name) between 1 and 200),
  phone text check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  attributes jsonb not null default '{}',
  search tsvector not null generated always as
    (to_tsvector('simple'::regconfig, coalesce(name, '') || ' ' || coalesce(ltrim(phone, '+'), '')))
    stored,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
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
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  name text not null check (length(name) between 1 and 100),
  -- Null: the segment is a list of contacts. Else it is a question that is asked anew each time, and has
  -- no members: { "all": [condition…], "any": […], "none": […] }, as contacts/segment-query.ts reads it.
  query jsonb check (jsonb_typeof(query) = 'object'),
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
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

-- What became of a contact that was merged into another.
create table merged_contact (
  tenant_id uuid not null,
  environment text not null,
  id text not null,
  -- Where it is now.
  contact_id text not null,
  merged_at timestamptz not null,
  primary key (tenant_id, environment, id),
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
);
create index on merged_contact (tenant_id, environment, contact_id);
call isolate('merged_contact', system => true);

-- The condition in SQL. Whatever the client wrote is a literal in it, never a piece of the statement.
create function segment_condition(asked jsonb) returns text
  language plpgsql stable set search_path = public, pg_temp as $$
declare
  field text := asked ->> 'attribute';
  held text := format('c.attributes ->> %L', field);
  bound record;
  wanted tsquery;
  clauses text[] := '{}';
begin
  if asked ? 'is' then
    -- A file's numbers are texts; a number asked for fits both.
    return '(' || (select string_agg(format('c.attributes @> %L', jsonb_build_object(field, v)), ' or ')
      from jsonb_array_elements(case jsonb_typeof(asked -> 'is') when 'array' then asked -> 'is'
        else jsonb_build_array(asked -> 'is') end) a
      cross join lateral (values (a), (to_jsonb(a #>> '{}'))) as each (v)) || ')';
  elsif asked ? 'exists' then
    return format('(c.attributes ? %L) = %L', field, asked ->> 'exists');
  elsif asked ? 'reachable' then
    return format('(%L and c.phone is not null or exists (select from contact_identity i
      where i.tenant_id = c.tenant_id and i.environment = c.environment and i.contact_id = c.id
        and i.channel = %L))', asked ->> 'reachable' <> 'botchat', asked ->> 'reachable');
  elsif asked ? 'segment_id' then
    return format('exists (select from contact_segment s where s.tenant_id = c.tenant_id
      and s.environment = c.environment and s.segment_id = %L and s.contact_id = c.id)',
      asked ->> 'segment_id');
  elsif asked ? 'text' then
    -- Each word is the beginning of one; what is no word at all finds nothing.
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
      into wanted from unnest(to_tsvector('simple'::regconfig, asked ->> 'text'));
    return case when wanted is null then 'false'
      else format('c.search @@ %L::tsquery', wanted::text) end;
  elsif asked ? 'created_since' then
    return format('c.created_at >= %L::timestamptz', asked ->> 'created_since');
  elsif asked ? 'created_before' then
    return format('c.created_at < %L::timestamptz', asked ->> 'created_before');
  end if;
  for bound in select m.sign, asked -> m.name as value
    from (values ('above', '>'), ('at_least', '>='), ('below', '<'), ('at_most', '<=')) m (name, sign)
    where asked ? m.name
  loop
    -- The case keeps what is no number from being read as one.
    clauses := clauses || case jsonb_typeof(bound.value)
      when 'number' then format($sql$case when %1$s ~ '^-?\d{1,30}(\.\d{1,30})?$'
        then (%1$s)::numeric %2$s %3$L::numeric else false end$sql$,
        held, bound.sign, bound.value #>> '{}')
      else format($sql$case when %1$s ~ '^\d{4}-\d\d-\d\d'
        then left(%1$s, 10) collate "C" %2$s %3$L else false end$sql$,
        held, bound.sign, bound.value #>> '{}') end;
  end loop;
  if cardinality(clauses) = 0 then raise exception 'a condition that nobody knows: %', asked; end if;
  return '(' || array_to_string(clauses, ' and ') || ')';
end $$;

-- The whole of a query, for contacts under the name c.
create function segment_filter(query jsonb) returns text
  language sql stable strict set search_path = public, pg_temp as $$
  select concat_ws(' and ', 'true',
    (select string_agg('(' || segment_condition(a) || ')', ' and ')
      from jsonb_array_elements(query -> 'all') a),
    (select '(' || string_agg('(' || segment_condition(a) || ')', ' or ') || ')'
      from jsonb_array_elements(query -> 'any') a),
    (select string_agg('(' || segment_condition(a) || ') is not true', ' and ')
      from jsonb_array_elements(query -> 'none') a))
$$;

-- The contacts of a segment, whether list or query, by id; a page of them behind one. As
-- `find_contacts`, it tests the tenant itself so that text and JSON may use their indexes.
create function contacts_of_segment(
    of_environment text, of_segment text, after_id text default '', most int default null)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  asked jsonb;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if not found then return; end if;
  if asked is null then
    return query select s.contact_id from contact_segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.segment_id = of_segment and s.contact_id > after_id
      order by s.contact_id limit most;
  else
    return query execute 'select c.id from contact c where c.tenant_id = $1 and c.environment = $2
      and c.id > $3 and ' || segment_filter(asked) || ' order by c.id limit $4'
      using current_tenant(), of_environment, after_id, most;
  end if;
end $$;

create function count_segment(of_environment text, of_segment text) returns bigint
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  asked jsonb;
  found_count bigint;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if asked is null then
    select count(*) into found_count from contact_segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.segment_id = of_segment;
  else
    execute 'select count(*) from contact c where c.tenant_id = $1 and c.environment = $2 and '
      || segment_filter(asked) into found_count using current_tenant(), of_environment;
  end if;
  return found_count;
end $$;

-- Whether one contact is of a segment.
create function is_of_segment(of_environment text, of_segment text, of_contact text) returns boolean
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  asked jsonb;
  is_found boolean;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if asked is null then
    return exists (select from contact_segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.segment_id = of_segment
      and s.contact_id = of_contact);
  end if;
  execute 'select exists (select from contact c where c.tenant_id = $1 and c.environment = $2
    and c.id = $3 and ' || segment_filter(asked) || ')'
    into is_found using current_tenant(), of_environment, of_contact;
  return is_found;
end $$;

-- A page of ids, newest first. Operators of text and JSON may not be pushed below row-level security,
-- so a tenant's own query would read all its rows; this function tests the tenant itself instead.
-- Put together from the filters that are given, so that each combination has a plan of its own.
create function find_contacts(of_environment text, words text, attribute jsonb[],
    of_segment text, of_phone text, before_id text, from_id text, until_id text, most int)
  returns setof text
  language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted tsquery;
  asked jsonb;
  narrow text := '';
  first text := '';
  contacts text := 'contact';
  source text;
  id_column text := 'c.id';
begin
  if current_tenant() is null then return; end if;
  if of_segment is not null then
    select s.query into asked from segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.id = of_segment;
  end if;
  -- Nothing is known beforehand of how rare an attribute or a word is, and to look for a rare one
  -- along the ids is to read all contacts; so the index is asked first, for whatever that finds.
  if attribute is not null then
    narrow := format('(%s)', (select string_agg(format('c.attributes @> ($4)[%s]', n), ' or ')
      from generate_series(1, cardinality(attribute)) n));
  end if;
  if narrow <> '' or asked @? '$.all[*] ? (exists (@.is) || exists (@.text))' then
    narrow := concat_ws(' and ', nullif(narrow, ''), segment_filter(asked));
    contacts := 'matched';
    first := 'with matched as materialized (
      select c.id, c.tenant_id, c.environment, c.phone, c.search from contact c
      where c.tenant_id = $1 and c.environment = $2 and ' || narrow || ') ';
  end if;
  source := format('select c.id from %s c where c.tenant_id = $1 and c.environment = $2', contacts);
  if asked is not null then
    if contacts = 'contact' then source := source || ' and ' || segment_filter(asked); end if;
  elsif of_segment is not null then
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

-- Whom a channel must not be used for. Kept by address and not by contact: deleting a contact, or
-- importing it anew, must not make it reachable again.
create table opt_out (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  address text not null check (length(address) between 1 and 200),
  source text not null,
  note text,
  created_at timestamptz not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, channel, address)
);
call isolate('opt_out');

-- Every yes and no, never changed: what is shown to whoever asks for a proof.
create table consent_event (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  address text not null check (length(address) between 1 and 200),
  state text not null check (state in ('granted', 'revoked')),
  source text not null,
  note text,
  recorded_by text,
  created_at timestamptz not null,
  primary key (tenant_id, id)
);
create index on consent_event (tenant_id, environment, channel, address, id);
call isolate('consent_event');

-- A file of contacts on its way into the directory. Its rows wait here, apart from the contacts, until
-- they are taken over in pieces; the counts change in the transactions that take them.
create table contact_import (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  state text not null check (state in ('uploading', 'running', 'done')),
  rows int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  failed int not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (tenant_id, id)
);
call isolate('contact_import', system => true);

create table contact_import_error (
  tenant_id uuid not null,
  import_id text not null,
  line int not null,
  field text not null,
  problem text not null,
  primary key (tenant_id, import_id, line, field),
  foreign key (tenant_id, import_id) references contact_import (tenant_id, id) on delete cascade
);
call isolate('contact_import_error', system => true);

-- What waits to be taken over, in pieces of hundreds of rows: a row is written once on its way, and
-- taken with its whole piece by one statement. Pieces of one partition are taken in order; a phone is always
-- in the same partition, so partitions can be worked on beside each other.
create table contact_import_piece (
  tenant_id uuid not null,
  import_id text not null,
  partition int not null,
  piece int not null,
  -- Lines of the file, and contacts they came to: a phone that stands twice is one.
  lines int not null,
  contacts int not null,
  -- Names of all segments that its contacts enter.
  segments jsonb not null,
  -- [{ phone, name, attributes, segments, lines }…]
  rows jsonb not null,
  primary key (tenant_id, import_id, partition, piece),
  foreign key (tenant_id, import_id) references contact_import (tenant_id, id) on delete cascade
);
call isolate('contact_import_piece', system => true);
