-- Documents of suppliers: they reach a tenant over a network or through one of its sources, are kept, and
-- arrive in its ERP as drafts.

alter table tenant_directory drop constraint tenant_directory_kind_check;
alter table tenant_directory add constraint tenant_directory_kind_check
  check (kind in ('agent', 'api_key', 'channel_app', 'custom_domain', 'enrolment_token', 'invitation',
    'participant', 'session', 'short_link', 'voice_provider'));

-- The electronic addresses of a tenant, as `scheme:value` in lower case. Who has an address gets what is
-- sent to it, so a live one counts only once the host has confirmed it, and each has one tenant.
create table participant (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  id text not null check (id ~ '^[0-9]{4}:[^\s[:upper:]]{1,50}$'),
  -- The connector into which its documents are imported by themselves; null: none.
  import_to text,
  confirmed_at timestamptz,
  created_at timestamptz not null,
  address text generated always as (case when confirmed_at is not null then environment || ' ' || id end) stored,
  primary key (tenant_id, environment, id)
);
call isolate('participant');
create trigger participant_in_directory after insert or update or delete on participant
  for each row execute function keep_in_directory('participant', 'address');

-- Messages that a network lists again and again: those that were taken, and those for a participant that
-- nobody has, which are looked at again once somebody does.
create table seen_message (
  environment text not null,
  network text not null,
  id text not null,
  unrouted_to text,
  seen_at timestamptz not null default now(),
  primary key (environment, network, id)
);
create index seen_message_unrouted on seen_message (environment, unrouted_to)
  where unrouted_to is not null;

-- A connector whose documents are those of suppliers, by environment, and where they are imported:
-- { "sandbox": { "import_to": "cnx_…" } }.
alter table connector add column receives jsonb not null default '{}';

create table received_document (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  -- The network, or the connector, that it came from, and its id there.
  source text not null,
  network_id text not null,
  participant text,
  status text not null
    check (status in ('received', 'imported', 'undone', 'duplicate', 'unreadable')),
  profile text,
  checks jsonb not null,
  errors jsonb not null default '[]',
  warnings jsonb not null default '[]',
  -- Null in a document that cannot be read.
  document_type text,
  supplier_id text,
  supplier_name text,
  number text,
  issue_date text,
  currency text,
  gross numeric,
  duplicate_of text,
  -- Where it is imported, and what came of it: { outcome, target?, reason?, at }.
  import_to text,
  import jsonb,
  -- What the supplier was answered: { code, note?, outcome, reason?, at }.
  response jsonb,
  -- Until when its authority lets the buyer reject it.
  rejectable_until timestamptz,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id, environment, source, network_id)
);
create index received_by_time on received_document (tenant_id, environment, id desc);
create index received_by_status on received_document (tenant_id, environment, status, id desc);
create index received_by_number on received_document (tenant_id, environment, number, id desc);
-- One of each, whichever way it came; credit notes may have the number of their invoice.
create unique index received_once on received_document
  (tenant_id, environment, supplier_id, number, issue_date, gross, document_type)
  where status in ('received', 'imported', 'undone');
call isolate('received_document');

create table received_content (
  tenant_id uuid not null,
  document_id text not null,
  document text not null,
  draft jsonb,
  primary key (tenant_id, document_id),
  foreign key (tenant_id, document_id) references received_document
);
call isolate('received_content');

-- As before; a command stays as long as an import, too, is still a job.
create or replace function prune_agent_commands(before timestamptz, commands_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from agent_command where ctid = any (array(
        select c.ctid from agent_command c
        where c.outcome is not null and c.done_at < before
          and (select true from job j
            where j.tenant_id = c.tenant_id and (j.queue, j.key) in (
              ('write-back', c.idempotency_key),
              ('import-document', split_part(c.idempotency_key, '/', 1)))
            limit 1) is null
        order by c.done_at limit commands_max for update of c skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $$;
