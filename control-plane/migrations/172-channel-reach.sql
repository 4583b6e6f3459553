-- What a provider said of whom an app reaches, so that it is not asked anew for each broadcast.
create table channel_reach (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  phone text not null,
  is_reached boolean not null,
  checked_at timestamptz not null,
  primary key (tenant_id, environment, app_id, phone)
);
call isolate('channel_reach');
