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
