-- A flow can be changed, and a call keeps to the one it began with: it names the version. Nothing is moved and nothing
-- taken away, so that nodes of the version before work on during a rolling deployment.
alter table voice_template
  -- How the flow is counted: one more with each change of it.
  add column version int not null default 1 check (version >= 1),
  -- Null: nothing of it was changed yet.
  add column updated_at timestamptz;

-- Which version of its template's flow the call plays.
alter table voice_call add column template_version int not null default 1;

-- The flows that templates had before they were changed. The present one is in voice_template.
create table voice_former_flow (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  template_id text not null,
  version int not null check (version >= 1),
  flow jsonb not null,
  replaced_at timestamptz not null,
  primary key (tenant_id, environment, template_id, version),
  foreign key (tenant_id, environment, template_id) references voice_template
);
call isolate('voice_former_flow');
