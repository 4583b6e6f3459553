-- A bridge agent. Its secret key never leaves its host; the epoch fences off restored copies of it.
create table agent (
  tenant_id uuid not null references tenant,
  id text not null,
  hostname text not null check (length(hostname) between 1 and 253),
  -- Ed25519, base64.
  public_key text not null check (length(public_key) = 44),
  software text not null,
  epoch integer not null default 0,
  -- The newest epoch that the agent is known to have on its disk.
  confirmed_epoch integer not null default 0,
  -- The live session and the node it hangs on; the session counts only while it is seen.
  node text,
  session text,
  seen_at timestamptz,
  enrolled_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (tenant_id, id)
);
create trigger directory after insert or delete on agent
  for each row execute function keep_in_directory('agent', 'id');
call isolate('agent', system => true);

-- One-time, short-lived; only its hash is kept.
create table enrolment_token (
  tenant_id uuid not null references tenant,
  hash bytea not null check (length(hash) = 32),
  -- The only host that may use it; null: any.
  hostname text,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (tenant_id, hash)
);
create trigger directory after insert or delete on enrolment_token
  for each row execute function keep_in_directory('enrolment_token', 'hash');
call isolate('enrolment_token', system => true);

-- A write-back on its way: it is sent in every session until its outcome is here.
create table agent_command (
  tenant_id uuid not null references tenant,
  number bigint generated always as identity,
  id text not null,
  agent_id text not null,
  connector text not null,
  idempotency_key text not null,
  params jsonb not null,
  created_at timestamptz not null default now(),
  received_at timestamptz,
  outcome jsonb,
  done_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, number),
  unique (tenant_id, agent_id, connector, idempotency_key),
  foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
create index agent_command_unfinished on agent_command (tenant_id, agent_id, number) where outcome is null;
call isolate('agent_command');

-- What agents told; an event that comes again is known by its id.
create table agent_event (
  tenant_id uuid not null references tenant,
  agent_id text not null,
  id text not null,
  topic text not null,
  body jsonb not null,
  received_at timestamptz not null default now(),
  primary key (tenant_id, agent_id, id)
);
call isolate('agent_event');

-- A call by one node to an agent that hangs on another. Its life is seconds, so a crash may lose it.
create unlogged table agent_call (
  tenant_id uuid not null,
  id text not null,
  agent_id text not null,
  method text not null,
  params jsonb not null,
  node text not null,
  deadline_at timestamptz not null,
  outcome text,
  primary key (tenant_id, id)
);
create index on agent_call (deadline_at);
call isolate('agent_call', system => true);

-- The control plane's own Ed25519 identity, one for all nodes.
create table control_plane_identity (
  single boolean primary key default true check (single),
  public_key text not null,
  sealed_secret_key text not null
);

-- Before the proof there is no tenant.
create function find_agent(wanted text)
  returns table (id text, tenant_id uuid, public_key text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select id, tenant_id, public_key from agent
    where tenant_id = tenant_of('agent', wanted) and id = wanted and revoked_at is null
  $$;

-- Uses a token and makes its agent, both or neither; answers the tenant, or nothing.
create function enrol_agent(token_hash bytea, new_id text, host text, key text, version text)
  returns table (tenant_id uuid)
  language sql security definer set search_path = public, pg_temp as $$
    with used as (
      update enrolment_token set used_at = now()
      where tenant_id = tenant_of('enrolment_token', hash_key(token_hash)) and hash = token_hash
        and used_at is null and expires_at > now()
        and (hostname is null or hostname = host)
      returning enrolment_token.tenant_id
    )
    insert into agent (id, tenant_id, hostname, public_key, software)
    select new_id, used.tenant_id, host, key, version from used
    returning agent.tenant_id
  $$;

-- Marks a node's sessions as seen; answers those that are still the agents' own.
create function touch_agents(on_node text, sessions text[]) returns setof text
  language sql security definer set search_path = public, pg_temp as $$
    update agent set seen_at = now()
    where node = on_node and session = any(sessions) and revoked_at is null
    returning session
  $$;

-- Takes away calls that nobody waits for any more.
create function sweep_agent_calls() returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from agent_call where deadline_at < now() - interval '1 minute'
  $$;
