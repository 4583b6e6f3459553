-- Calls that are over, as the inbox lists them beside messages.
create table inbox_call (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  contact_id text not null,
  direction text not null check (direction in ('in', 'out')),
  status text not null,
  duration_seconds int,
  -- The member or key that placed or took it.
  author text,
  -- The id without its prefix: sorts by time among messages.
  item text not null,
  created_at timestamptz not null,
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
);
create index on inbox_call (tenant_id, environment, item);
create index on inbox_call (tenant_id, environment, contact_id, item);
call isolate('inbox_call');

-- Objects whose row is gone, with its contact or by itself: their bytes are removed by and by.
create table inbox_orphan (
  object_key text primary key,
  created_at timestamptz not null default now()
);
create function orphan_attachment() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into inbox_orphan (object_key) values (old.object_key) on conflict do nothing;
  return null;
end $$;
create trigger orphan after delete on conversation_attachment
  for each row execute function orphan_attachment();

-- What was printed of conversations, as far as its signature: the file itself is not kept.
create table inbox_export (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  author text not null,
  content_type text not null,
  bytes int not null,
  signature jsonb not null,
  created_at timestamptz not null,
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on inbox_export (tenant_id, environment, conversation_id);
call isolate('inbox_export');
