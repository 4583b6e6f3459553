-- How far an agent has read each of its sources: an agent that lost its queue goes on from here.
create table agent_source (
  tenant_id uuid not null references tenant,
  agent_id text not null,
  connector text not null,
  -- The agent's queue; another one counts its batches anew.
  queue text not null,
  sequence bigint not null,
  cursor text not null,
  documents bigint not null default 0,
  received_at timestamptz not null default now(),
  -- What the agent's last comparison of the whole source with what it has seen came to.
  reconciliation jsonb,
  primary key (tenant_id, agent_id, connector),
  foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
call isolate('agent_source');

-- Documents as an agent read them, until it is decided which of them are submitted.
create table document_batch (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  id text not null,
  connector_id text not null,
  refs jsonb not null,
  -- Compressed, as it came; packages/link/documents.ts reads it.
  content bytea not null,
  received_at timestamptz not null default now(),
  primary key (tenant_id, id),
  foreign key (tenant_id, connector_id) references connector (tenant_id, id)
);
alter table document_batch alter column content set storage external;
call isolate('document_batch');
