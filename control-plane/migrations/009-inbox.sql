-- What was said with a contact over every channel, for good: opened, closed, opened again.
create table conversation (
  tenant_id uuid not null references tenant,
  id text not null,
  environment text not null check (environment in ('live', 'sandbox')),
  contact_id text not null,
  state text not null check (state in ('open', 'snoozed', 'closed')),
  snoozed_until timestamptz,
  assignee_id text,
  -- How often it was opened.
  opening int not null default 0,
  opened_at timestamptz,
  -- Whether the team has written since it was opened.
  is_answered boolean not null default false,
  -- Since when the person waits for an answer, and when the tenant's promise is broken.
  waiting_since timestamptz,
  due_at timestamptz,
  unread int not null default 0,
  -- The newest message or call, broadcasts left out; and its id without the prefix, which lists are
  -- sorted by.
  last_item_id text not null,
  last_item text not null,
  last_channel text not null check (last_channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, environment, id),
  unique (tenant_id, environment, contact_id),
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
) with (fillfactor = 85);
create index conversation_newest on conversation (tenant_id, environment, last_item);
-- Who and in which state without a look at the conversations, which are written often.
create index conversation_of_assignee
  on conversation (tenant_id, environment, assignee_id, last_item) include (state, contact_id);
create index conversation_of_state
  on conversation (tenant_id, environment, state, last_item) include (assignee_id, contact_id);
create index conversation_of_channel
  on conversation (tenant_id, environment, last_channel, last_item);
create index conversation_unread on conversation (tenant_id, environment, last_item)
  where unread > 0;
create index conversation_waiting on conversation (tenant_id, environment, last_item)
  where waiting_since is not null;
call isolate('conversation', system => true);

-- Each time it was open. A person who writes after the close begins another.
create table conversation_opening (
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  opening int not null,
  opened_at timestamptz not null,
  -- A member or a key; null: the person.
  opened_by text,
  closed_at timestamptz,
  closed_by text,
  primary key (tenant_id, environment, conversation_id, opening),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_opening (tenant_id, environment, opened_at);
create index on conversation_opening (tenant_id, environment, closed_at);
-- What was open at an instant is what spans it: by its beginning or its end alone it would be looked
-- for among all that was before or since.
create index conversation_opening_span on conversation_opening using gist
  (tenant_id, environment, tstzrange(least(opened_at, closed_at), closed_at, '(]'));
call isolate('conversation_opening', system => true);

-- Each time somebody waited for an answer: from the first message that nobody had answered to the
-- answer, or to the close.
create table conversation_response (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  opening int not null,
  is_first boolean not null,
  channel text not null,
  asked_at timestamptz not null,
  -- By the hours and the promise that held when it was asked; null: nothing was promised.
  due_at timestamptz,
  ended_at timestamptz,
  -- False: it was closed with the person waiting.
  is_answered boolean,
  -- Whose answer it was.
  answered_by text,
  -- Of the hours that count, by those that held when it was answered.
  business_seconds int,
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create unique index conversation_waits on conversation_response
  (tenant_id, environment, conversation_id) where ended_at is null;
create index on conversation_response (tenant_id, environment, asked_at);
create index on conversation_response (tenant_id, environment, ended_at);
create index on conversation_response (tenant_id, environment, conversation_id);
create index conversation_response_span on conversation_response using gist
  (tenant_id, environment, tstzrange(least(asked_at, ended_at), ended_at, '(]'));
call isolate('conversation_response', system => true);

-- Who did what and when; never changed.
create table conversation_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  type text not null check (type in
    ('opened', 'closed', 'snoozed', 'woken', 'assigned', 'unassigned', 'tagged', 'noted')),
  -- A member or a key; null: the person, or the time that ran out.
  actor text,
  data jsonb not null default '{}',
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_event (tenant_id, environment, conversation_id, id);
call isolate('conversation_event');

create table conversation_tag (
  tenant_id uuid not null,
  environment text not null,
  tag_id text not null,
  conversation_id text not null,
  primary key (tenant_id, environment, conversation_id, tag_id),
  foreign key (tenant_id, tag_id) references tag on delete cascade,
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_tag (tenant_id, environment, tag_id, conversation_id);
call isolate('conversation_tag');

-- How far each member has read.
create table conversation_reader (
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  reader text not null,
  -- As conversation.last_item.
  read_to text not null,
  read_at timestamptz not null,
  primary key (tenant_id, environment, conversation_id, reader),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
call isolate('conversation_reader');

-- Conversations that were open at an instant, and people who waited for an answer. Row-level security
-- asks no index for ranges, so this does, and tests the tenant itself.
create function count_open_at(of_environment text, instant timestamptz, out open int, out waiting int)
  language sql stable security definer set search_path = public, pg_temp as $$
    select
      (select count(*) from conversation_opening where tenant_id = current_tenant()
        and environment = of_environment
        and tstzrange(least(opened_at, closed_at), closed_at, '(]') @> instant),
      (select count(*) from conversation_response where tenant_id = current_tenant()
        and environment = of_environment
        and tstzrange(least(asked_at, ended_at), ended_at, '(]') @> instant)
  $$;

-- When a tenant's team is there, and how soon it promises to answer.
create table inbox_settings (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  time_zone text not null,
  weekly_hours jsonb not null,
  holidays jsonb not null,
  first_response_minutes int check (first_response_minutes > 0),
  next_response_minutes int check (next_response_minutes > 0),
  updated_at timestamptz not null,
  primary key (tenant_id, environment)
);
call isolate('inbox_settings');

-- What the team tells itself; the contact never sees it.
create table conversation_note (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  author text not null,
  text text not null check (length(text) between 1 and 10000),
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_note (tenant_id, environment, conversation_id, id);
call isolate('conversation_note');

-- Files of the team; their bytes are in the object store under `object_key`.
create table conversation_attachment (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  name text not null check (length(name) between 1 and 255),
  -- Told from the bytes.
  media_type text not null,
  bytes bigint not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  object_key text not null,
  author text not null,
  created_at timestamptz not null,
  -- The message that a file came with; null: the team put it there.
  message_id text,
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create unique index conversation_attachment_of_message
  on conversation_attachment (tenant_id, environment, message_id) where message_id is not null;
create index on conversation_attachment (tenant_id, environment, conversation_id, id);
call isolate('conversation_attachment');

-- How much was said, by quarters of an hour, so that any period is a sum of few rows. Spread over
-- slots, so that transactions seldom wait for each other's row.
create table inbox_volume (
  tenant_id uuid not null,
  environment text not null,
  quarter timestamptz not null,
  channel text not null,
  direction text not null check (direction in ('in', 'out')),
  -- Who wrote it; '': the person.
  author text not null,
  slot smallint not null,
  count int not null,
  primary key (tenant_id, environment, quarter, channel, direction, author, slot)
) with (fillfactor = 70);
call isolate('inbox_volume');

-- What changed, for those who watch, as the changing transactions write it.
create table inbox_change (
  tenant_id uuid not null,
  environment text not null,
  id bigint generated always as identity,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, environment, id)
);
create index on inbox_change using brin (created_at);
call isolate('inbox_change', system => true);

-- How far the events of an inbox are numbered.
create table inbox_stream (
  tenant_id uuid not null,
  environment text not null,
  last_number bigint not null default 0,
  primary key (tenant_id, environment)
);
call isolate('inbox_stream');

-- The same changes with their numbers, which they get after their commit, when somebody watches: what is
-- numbered as it is written may become visible after a later number, and a counter would make all who
-- write to an inbox wait for each other.
create table inbox_event (
  tenant_id uuid not null,
  environment text not null,
  number bigint not null,
  type text not null,
  data jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, environment, number)
);
create index on inbox_event using brin (created_at);
call isolate('inbox_event', system => true);

create function sweep_inbox_changes(before timestamptz) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from inbox_change where created_at < before;
    delete from inbox_event where created_at < before;
  $$;

-- Who watches an inbox is told of a conversation that goes with its contact, or becomes part of another.
create function record_removed_conversation() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into inbox_change (tenant_id, environment, type, data, created_at)
  values (old.tenant_id, old.environment, 'conversation.removed',
    jsonb_build_object('conversation_id', old.id, 'contact_id', old.contact_id), now());
  return null;
end $$;
create trigger removed after delete on conversation
  for each row execute function record_removed_conversation();

-- Calls that are over, as the inbox lists them beside messages.
create table inbox_call (
  tenant_id uuid not null,
  id text not null,
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
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
);
create index on inbox_call (tenant_id, environment, item);
create index on inbox_call (tenant_id, environment, contact_id, item);
call isolate('inbox_call');

-- Objects whose row is gone, with its contact or by itself: their bytes are removed by and by.
create table removed_object (
  tenant_id uuid not null,
  object_key text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, object_key)
);
call isolate('removed_object', system => true);
create function record_removed_object() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into removed_object (tenant_id, object_key) values (old.tenant_id, old.object_key)
    on conflict (tenant_id, object_key) do nothing;
  return null;
end $$;
create trigger removed after delete on conversation_attachment
  for each row execute function record_removed_object();

-- The sweep that removes bytes works for all tenants.
create function list_removed_objects(most int) returns table (tenant_id uuid, object_key text)
  language sql stable security definer set search_path = public, pg_temp as $$
    select o.tenant_id, o.object_key from removed_object o order by o.created_at limit most
  $$;
create function forget_removed_objects(tenants uuid[], keys text[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
    delete from removed_object o using unnest(tenants, keys) as gone (tenant_id, object_key)
    where o.tenant_id = gone.tenant_id and o.object_key = gone.object_key
  $$;

-- What was printed of conversations, as far as its signature: the file itself is not kept.
create table inbox_export (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  author text not null,
  content_type text not null,
  bytes int not null,
  signature jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on inbox_export (tenant_id, environment, conversation_id);
call isolate('inbox_export');

-- Keys that sign exported documents, sealed; the newest signs. Apart from those of session tokens:
-- what is signed with one must never pass for the other.
create table document_signing_key (
  id text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamptz not null default clock_timestamp()
);
