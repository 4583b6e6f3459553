-- Whether the report of a broadcast is mailed to whoever made it, and in which language. Without a row it is, in English.
create table broadcast_report_settings (
  tenant_id uuid not null references tenant,
  environment text not null check (environment in ('live', 'sandbox')),
  mail_to_creator boolean not null,
  language text not null check (language in ('en', 'ar', 'ms')),
  updated_at timestamptz not null,
  primary key (tenant_id, environment)
);
call isolate('broadcast_report_settings');

-- The report of a broadcast, claimed before it is mailed: a node that is killed meanwhile leaves it `sending`, and it is
-- not mailed again.
create table broadcast_report (
  tenant_id uuid not null,
  environment text not null check (environment in ('live', 'sandbox')),
  broadcast_id text not null,
  user_id text not null,
  state text not null default 'sending' check (state in ('sending', 'sent', 'unknown', 'refused')),
  claimed_at timestamptz not null,
  primary key (tenant_id, environment, broadcast_id),
  foreign key (tenant_id, environment, broadcast_id) references broadcast on delete cascade
);
call isolate('broadcast_report');
