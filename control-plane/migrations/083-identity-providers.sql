-- Whom a workspace trusts to say who somebody is (OpenID Connect): for sessions in this workspace, and in no other.
create table identity_provider (
  tenant_id uuid not null references tenant,
  id text not null,
  -- What people type to sign in through it; unique over all workspaces by the directory.
  sign_in_name text not null check (sign_in_name ~ '^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$'),
  name text not null check (length(name) between 1 and 200),
  issuer text not null check (length(issuer) <= 2000),
  client_id text not null check (length(client_id) between 1 and 500),
  -- Null: a client without a secret.
  sealed_client_secret text,
  scopes jsonb not null,
  -- Which claim names the groups of a person, and what the groups are here: the first that fits, for each service.
  groups_claim text not null check (length(groups_claim) between 1 and 200),
  group_roles jsonb not null,
  -- Of whoever is in none of the groups; both null: they are refused.
  default_role text,
  default_einvoicing_role text,
  -- Empty: addresses of any domain.
  email_domains jsonb not null,
  -- Members sign in through it alone. Owners keep their passwords, so that nobody locks a workspace.
  is_required boolean not null,
  -- What the provider has to say of how somebody showed who they are, before keys and secrets; empty: anything.
  proof_acr_values jsonb not null,
  proof_amr_values jsonb not null,
  is_enabled boolean not null,
  -- What came of the last trial.
  trial jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, id),
  unique (tenant_id)
);
comment on column identity_provider.sealed_client_secret is 'secret';
call isolate('identity_provider', system => true);

alter table tenant_directory drop constraint tenant_directory_kind_check;
alter table tenant_directory add constraint tenant_directory_kind_check
  check (kind in ('agent', 'api_key', 'channel_app', 'custom_domain', 'enrolment_token', 'invitation',
    'participant', 'session', 'short_link', 'sign_in_name', 'voice_provider'));
create trigger directory after insert or update of sign_in_name or delete on identity_provider
  for each row execute function keep_in_directory('sign_in_name', 'sign_in_name');

-- Whether the person may sign in to each workspace by the password: also where its provider does it alone, an owner may.
drop function memberships_of(text);
create function memberships_of(wanted text)
  returns table (tenant_id uuid, name text, role text, einvoicing_role text, may_use_password boolean)
  language sql stable security definer set search_path = public, pg_temp as $$
    select m.tenant_id, t.name, m.role, m.einvoicing_role,
      m.role is not distinct from 'owner' or not coalesce(p.is_required, false)
    from member m join tenant t on t.id = m.tenant_id
    left join identity_provider p on p.tenant_id = m.tenant_id
    where m.user_id = wanted order by m.created_at, m.tenant_id
  $$;
