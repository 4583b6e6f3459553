-- How many people it takes to put a mapping into use; a tenant without a row takes one.
create table approval_policy (
  tenant_id uuid primary key references tenant,
  mappings text not null check (mappings in ('one', 'two')),
  updated_at timestamptz not null
);
call isolate('approval_policy');

-- Who last changed what a mapping says.
alter table mapping add column changed_by text;

-- Who made a key: what is done with it counts as done by that person. Null for those of the installation.
alter table api_key add column made_by text;
