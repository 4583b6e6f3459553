-- A connector binds one client ERP. What was submitted through it keeps referring to it, so it is never deleted, only hidden.
create table connector (
  tenant_id uuid not null references tenant,
  id text not null,
  pattern text not null check (pattern in ('API', 'database', 'file', 'agent', 'email')),
  kind text not null,
  name text not null check (length(name) between 1 and 200),
  agent_id text,
  default_profile text,
  duplicates text not null default 'warn' check (duplicates in ('warn', 'reject')),
  -- From which day of issue on the documents that a bridge agent tells of are submitted by themselves,
  -- by environment: { "live": "2026-11-21" }.
  submit_from jsonb not null default '{}',
  -- Sealed JSON: it may hold passwords.
  settings text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (tenant_id, id)
);
call isolate('connector');

-- From the ERP's columns to the model, for one profile.
create table mapping (
  tenant_id uuid not null references tenant,
  connector_id text not null,
  profile text not null,
  version integer not null default 1,
  document jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (tenant_id, connector_id, profile),
  foreign key (tenant_id, connector_id) references connector (tenant_id, id)
);
call isolate('mapping');

-- A submission and where it stands.
create table invoice (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  connector_id text not null,
  profile text not null,
  source_ref text not null,
  state text not null default 'received',
  primary key (tenant_id, id),
  checks jsonb not null,
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]',
  -- Who says which document: two submissions of one document share these.
  seller text,
  number text,
  duplicate_of text,
  -- Our name for the document towards the authority.
  submission_key text not null,
  -- When its bytes may last have reached the authority; null: certainly never.
  sent_at timestamptz,
  authority_reference text,
  authority_status text,
  uin text,
  validation_url text,
  cancellable_until timestamptz,
  -- What was written into the ERP: { outcome, target?, at }.
  write_back jsonb,
  -- How a cleared document came to its buyer over the network: { status, reason?, errors?, sent_at?, at }.
  forwarding jsonb,
  -- What the buyer last said over the network: { code, status, note?, at }.
  buyer_response jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (tenant_id, connector_id) references connector (tenant_id, id)
);
create index invoice_by_time on invoice (tenant_id, environment, id desc);
-- An invoice is looked for by its number, or by its reference in the ERP. Duplicates have few of one
-- number, so the seller need not be in the index.
create index invoice_by_number on invoice (tenant_id, environment, number, id desc)
  where number is not null;
create index invoice_by_source on invoice (tenant_id, environment, source_ref, id desc);
create index invoice_by_connector on invoice (tenant_id, environment, connector_id, id desc);
create index invoice_by_state on invoice (tenant_id, environment, state, id desc);
call isolate('invoice', system => true);

-- The model, where each value came from, and the bytes of each stage, frozen when first emitted.
create table invoice_content (
  tenant_id uuid not null,
  invoice_id text not null,
  cim jsonb,
  provenance jsonb,
  -- The validated document; for a clearance market, what the authority was sent, and the document with its identifier.
  document text,
  clearance text,
  final text,
  primary key (tenant_id, invoice_id),
  foreign key (tenant_id, invoice_id) references invoice
);
call isolate('invoice_content', system => true);

-- Answers that were looked at, by the network's id for them: it lists them again and again, and whose
-- they are is not known before.
create table buyer_answer (
  environment text not null,
  id text not null,
  seen_at timestamptz not null default now(),
  primary key (environment, id)
);

-- When a network is next asked for answers, which one node does for all tenants.
create table authority_poll (
  environment text not null,
  authority text not null,
  due_at timestamptz not null,
  primary key (environment, authority)
);

-- Invoices that an answer is about: its number, and the electronic addresses of both parties. A network
-- does not know our tenants, so each is looked at in turn, an index probe a tenant; at most 20 of each.
create function find_answered(in_environment text, wanted_number text, from_seller text, to_buyer text)
  returns table (tenant_id uuid, id text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select found.tenant_id, found.id from tenant t cross join lateral (
      select i.tenant_id, i.id from invoice i
      join invoice_content c on c.tenant_id = i.tenant_id and c.invoice_id = i.id
      where i.tenant_id = t.id and i.environment = in_environment and i.number = wanted_number
        and i.state in ('validated', 'submitted', 'delivered', 'cleared', 'acknowledged')
        and lower(c.cim #>> '{seller,endpoint_scheme}') || ':'
          || lower(c.cim #>> '{seller,endpoint}') = lower(from_seller)
        and lower(c.cim #>> '{buyer,endpoint_scheme}') || ':'
          || lower(c.cim #>> '{buyer,endpoint}') = lower(to_buyer)
      limit 20) found
  $$;
