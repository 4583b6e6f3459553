-- A submission and where it stands.
create table invoice (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  connector_id text not null,
  profile text not null,
  source_ref text not null,
  state text not null default 'received',
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
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (tenant_id, connector_id) references connector (tenant_id, id)
);
create index invoice_by_time on invoice (tenant_id, environment, id desc);
create index invoice_by_state on invoice (tenant_id, environment, state, id desc);
create index invoice_by_document on invoice (tenant_id, environment, seller, number)
  where number is not null;
call isolate('invoice');

-- The model, where each value came from, and the bytes of each stage, frozen when first emitted.
create table invoice_content (
  invoice_id text primary key references invoice,
  tenant_id uuid not null references tenant,
  cim jsonb,
  provenance jsonb,
  -- The validated document; for a clearance market, what the authority was sent, and the document with its identifier.
  document text,
  clearance text,
  final text
);
call isolate('invoice_content');
