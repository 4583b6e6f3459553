-- What was said with a contact over every channel, for good: opened, closed, opened again.
create table conversation (
  id text primary key,
  tenant_id uuid not null references tenant,
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
  unique (tenant_id, environment, contact_id),
  unique (tenant_id, environment, id),
  foreign key (tenant_id, environment, contact_id)
    references contact (tenant_id, environment, id) on delete cascade
) with (fillfactor = 85);
create index conversation_newest on conversation (tenant_id, environment, last_item);
create index conversation_of_state on conversation (tenant_id, environment, state, last_item);
create index conversation_of_assignee
  on conversation (tenant_id, environment, assignee_id, last_item);
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
call isolate('conversation_opening');

-- Each time somebody waited for an answer: from the first message that nobody had answered to the
-- answer, or to the close.
create table conversation_response (
  id text primary key,
  tenant_id uuid not null,
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
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create unique index conversation_waits on conversation_response
  (tenant_id, environment, conversation_id) where ended_at is null;
create index on conversation_response (tenant_id, environment, asked_at);
create index on conversation_response (tenant_id, environment, ended_at);
create index on conversation_response (tenant_id, environment, conversation_id);
call isolate('conversation_response');

-- Who did what and when; never changed.
create table conversation_event (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  type text not null check (type in
    ('opened', 'closed', 'snoozed', 'woken', 'assigned', 'unassigned', 'tagged', 'noted')),
  -- A member or a key; null: the person, or the time that ran out.
  actor text,
  data jsonb not null default '{}',
  created_at timestamptz not null,
  foreign key (tenant_id, environment, conversation_id)
    references conversation (tenant_id, environment, id) on delete cascade
);
create index on conversation_event (tenant_id, environment, conversation_id, id);
call isolate('conversation_event');

create table conversation_tag (
  tenant_id uuid not null,
  environment text not null,
  tag_id text not null references tag on delete cascade,
  conversation_id text not null,
  primary key (tenant_id, environment, conversation_id, tag_id),
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
