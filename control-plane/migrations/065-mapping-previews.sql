-- What the newest preview of a mapping objects to: an approval has to answer it.
create table mapping_preview (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  connector_id text not null,
  profile text not null,
  -- Of the mapping that was looked at: another one is not held to these objections.
  fingerprint text not null,
  -- [{ "id": "obj_…", "kind": "tax_differs", "words": "…", "documents": 3, "accepted": { "by": "…", … } }]
  objections jsonb not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, connector_id, profile),
  foreign key (tenant_id, connector_id) references connector
);
call isolate('mapping_preview');
