-- What a tenant has paid the host in advance. `reserved` is promised to messages on their way: it
-- cannot be spent again, and these checks hold whatever races.
create table wallet (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  balance numeric(24, 6) not null default 0 check (balance >= 0),
  reserved numeric(24, 6) not null default 0 check (reserved >= 0),
  primary key (tenant_id, environment),
  check (reserved <= balance)
);
call isolate('wallet');

-- A promise of the wallet to one thing, named by it; asked for twice, it is one.
create table wallet_hold (
  tenant_id uuid not null,
  environment text not null,
  reference text not null check (length(reference) between 1 and 200),
  amount numeric(24, 6) not null check (amount >= 0),
  state text not null default 'open' check (state in ('open', 'settled', 'released')),
  created_at timestamptz not null,
  primary key (tenant_id, environment, reference),
  foreign key (tenant_id, environment) references wallet
);
call isolate('wallet_hold');

-- Every change of the balance, never changed itself: the balance is the sum of its amounts.
create table wallet_entry (
  id text primary key,
  tenant_id uuid not null,
  environment text not null,
  kind text not null check (kind in ('top_up', 'correction', 'charge')),
  amount numeric(24, 6) not null,
  balance_after numeric(24, 6) not null,
  reference text not null,
  created_at timestamptz not null,
  unique (tenant_id, environment, kind, reference),
  foreign key (tenant_id, environment) references wallet
);
create index on wallet_entry (tenant_id, environment, id);
call isolate('wallet_entry');

-- What the host asks for one message or minute, by channel and the beginning of the number.
create table price (
  channel text not null check (channel in ('wa', 'sms', 'botchat', 'rcs', 'voice')),
  prefix text not null check (prefix ~ '^(\+[1-9][0-9]{0,14})?$'),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount numeric(24, 6) not null check (amount >= 0),
  primary key (channel, currency, prefix)
);
