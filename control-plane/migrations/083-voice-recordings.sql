-- Sound of calls. The file is in the object store; the row stays when the file's time is over.
create table voice_recording (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  call_id text not null,
  provider_recording_id text not null,
  -- Where the provider has it; forgotten once it is here.
  source_url text,
  state text not null default 'fetching'
    check (state in ('fetching', 'stored', 'failed', 'deleted')),
  media_type text,
  bytes bigint,
  sha256 text check (sha256 ~ '^[0-9a-f]{64}$'),
  object_key text,
  duration_seconds int,
  error text,
  created_at timestamptz not null,
  stored_at timestamptz,
  delete_after timestamptz not null,
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id),
  unique (tenant_id, call_id, provider_recording_id)
);
create index on voice_recording (tenant_id, environment, id);
create index on voice_recording (delete_after) where state = 'stored';
call isolate('voice_recording', system => true);

-- Files whose time is over, over all tenants.
create function voice_recordings_over(at timestamptz, most int)
  returns table (tenant_id uuid, id text, object_key text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select r.tenant_id, r.id, r.object_key from voice_recording r
    where r.state = 'stored' and r.delete_after <= at order by r.delete_after limit most
  $$;

-- Every yes and no to being recorded, with what proves it; never changed.
create table voice_recording_consent (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  phone text not null check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  call_id text,
  state text not null check (state in ('granted', 'revoked')),
  method text not null,
  evidence text not null check (length(evidence) between 1 and 2000),
  recorded_by text not null,
  given_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (tenant_id, environment, call_id)
    references voice_call (tenant_id, environment, id)
);
create index on voice_recording_consent (tenant_id, environment, id);
create index on voice_recording_consent (tenant_id, environment, phone, id);
call isolate('voice_recording_consent');

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name;
end $$;
create trigger append_only before update or delete on voice_recording_consent
  for each row execute function refuse_change();
