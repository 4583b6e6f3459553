-- How each agent is, as it last told over its link: queue, disk, and what its doctor found.
create table agent_status (
  tenant_id uuid not null references tenant,
  agent_id text not null,
  -- As packages/link/agent-status.ts reads it, which bounds its size.
  status jsonb not null,
  received_at timestamptz not null default now(),
  primary key (tenant_id, agent_id),
  foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
call isolate('agent_status');
