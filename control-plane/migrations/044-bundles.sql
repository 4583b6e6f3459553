-- Bundles between an agent without a wire and the control plane: what came, and what is on its way.
create table agent_bundle (
  tenant_id uuid not null references tenant,
  agent_id text not null,
  -- To whom: of both directions the numbers count from 1.
  direction text not null check (direction in ('from_agent', 'to_agent')),
  number integer not null check (number > 0),
  digest text not null,
  messages integer not null,
  -- When its sender made it.
  made_at timestamptz not null,
  -- When it was taken here, or the agent said that it took it.
  taken_at timestamptz,
  -- Of one to the agent: up to which bundle from it this is the receipt.
  acknowledges integer not null default 0,
  -- The same, until it is taken: the file, to be carried again, and its commands.
  file jsonb,
  commands text[] not null default '{}',
  primary key (tenant_id, agent_id, direction, number),
  foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
call isolate('agent_bundle');

-- Answers that came in bundles, the newest to each question: their agents cannot be asked.
create table agent_answer (
  tenant_id uuid not null references tenant,
  agent_id text not null,
  method text not null,
  connector text not null,
  -- Of the document that was read; empty for other questions.
  ref text not null,
  result jsonb not null,
  carried_at timestamptz not null default now(),
  primary key (tenant_id, agent_id, method, connector, ref),
  foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
create index on agent_answer (carried_at);
call isolate('agent_answer', system => true);

-- Documents that were carried long ago: what became of them is decided.
create function prune_agent_answers(before timestamptz, answers_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from agent_answer where ctid = any (array(
        select ctid from agent_answer where carried_at < before and method = 'connector.read'
        order by carried_at limit answers_max for update skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $$;
