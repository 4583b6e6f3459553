-- Whom a channel must not be used for. Kept by address and not by contact: deleting a contact, or
-- importing it anew, must not make it reachable again.
create table opt_out (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  address text not null check (length(address) between 1 and 200),
  source text not null,
  note text,
  created_at timestamptz not null,
  unique (tenant_id, environment, channel, address)
);
create index on opt_out (tenant_id, environment, id);
call isolate('opt_out');

-- Every yes and no, never changed: what is shown to whoever asks for a proof.
create table consent_event (
  id text primary key,
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  address text not null check (length(address) between 1 and 200),
  state text not null check (state in ('granted', 'revoked')),
  source text not null,
  note text,
  recorded_by text,
  created_at timestamptz not null
);
create index on consent_event (tenant_id, environment, channel, address, id);
call isolate('consent_event');
