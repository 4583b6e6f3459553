-- A file of contacts on its way into the directory. Its rows wait here, apart from the contacts, until
-- they are taken over in pieces; the counts change in the transactions that take them.
create table contact_import (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  state text not null check (state in ('uploading', 'running', 'done')),
  rows int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  failed int not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz,
  unique (tenant_id, id)
);
call isolate('contact_import', system => true);

create table contact_import_row (
  tenant_id uuid not null,
  import_id text not null,
  line int not null,
  phone text not null,
  name text,
  attributes jsonb not null,
  segments jsonb not null,
  primary key (tenant_id, import_id, line),
  foreign key (tenant_id, import_id) references contact_import (tenant_id, id) on delete cascade
);
call isolate('contact_import_row', system => true);

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
