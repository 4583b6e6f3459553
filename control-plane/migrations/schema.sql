-- The schema after all migrations, printed by `npm run write` from PostgreSQL's catalogs: read it to
-- see what a migration changes. Nothing runs it. `owner` is the role that owns the database; the
-- application's role may read and write every row that the policies show it, and call every function.

create extension btree_gin schema extension;
create extension btree_gist schema extension;

create table agent (
  tenant_id uuid not null,
  id text not null,
  hostname text not null,
  public_key text not null,
  software text not null,
  epoch integer not null default 0,
  confirmed_epoch integer not null default 0,
  node text,
  session text,
  seen_at timestamp with time zone,
  enrolled_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  control_plane_key text,
  constraint agent_pkey PRIMARY KEY (tenant_id, id),
  constraint agent_control_plane_key_fkey FOREIGN KEY (control_plane_key) REFERENCES control_plane_identity(public_key) ON DELETE SET NULL,
  constraint agent_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint agent_hostname_check CHECK (((length(hostname) >= 1) AND (length(hostname) <= 253))),
  constraint agent_public_key_check CHECK ((length(public_key) = 44))
);
alter table agent enable row level security;
alter table agent force row level security;
create policy own_tenant on agent using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on agent to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE ON agent FOR EACH ROW EXECUTE FUNCTION keep_in_directory('agent', 'id');

create table agent_answer (
  tenant_id uuid not null,
  agent_id text not null,
  method text not null,
  connector text not null,
  ref text not null,
  result jsonb not null,
  carried_at timestamp with time zone not null default now(),
  constraint agent_answer_pkey PRIMARY KEY (tenant_id, agent_id, method, connector, ref),
  constraint agent_answer_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agent(tenant_id, id),
  constraint agent_answer_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
CREATE INDEX agent_answer_carried_at_idx ON agent_answer USING btree (carried_at);
alter table agent_answer enable row level security;
alter table agent_answer force row level security;
create policy own_tenant on agent_answer using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on agent_answer to owner using (true) with check (true);

create table agent_bundle (
  tenant_id uuid not null,
  agent_id text not null,
  direction text not null,
  number integer not null,
  digest text not null,
  messages integer not null,
  made_at timestamp with time zone not null,
  taken_at timestamp with time zone,
  acknowledges integer not null default 0,
  file jsonb,
  commands text[] not null default '{}'::text[],
  identity text,
  constraint agent_bundle_pkey PRIMARY KEY (tenant_id, agent_id, direction, number),
  constraint agent_bundle_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agent(tenant_id, id),
  constraint agent_bundle_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint agent_bundle_direction_check CHECK ((direction = ANY (ARRAY['from_agent'::text, 'to_agent'::text]))),
  constraint agent_bundle_number_check CHECK ((number > 0))
);
alter table agent_bundle enable row level security;
alter table agent_bundle force row level security;
create policy own_tenant on agent_bundle using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create unlogged table agent_call (
  tenant_id uuid not null,
  id text not null,
  agent_id text not null,
  method text not null,
  params jsonb not null,
  node text not null,
  deadline_at timestamp with time zone not null,
  outcome text,
  constraint agent_call_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX agent_call_deadline_at_idx ON agent_call USING btree (deadline_at);
alter table agent_call enable row level security;
alter table agent_call force row level security;
create policy own_tenant on agent_call using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on agent_call to owner using (true) with check (true);

create table agent_command (
  tenant_id uuid not null,
  number bigint not null generated always as identity,
  id text not null,
  agent_id text not null,
  connector text not null,
  idempotency_key text not null,
  params jsonb not null,
  created_at timestamp with time zone not null default now(),
  received_at timestamp with time zone,
  outcome jsonb,
  done_at timestamp with time zone,
  constraint agent_command_pkey PRIMARY KEY (tenant_id, id),
  constraint agent_command_tenant_id_agent_id_connector_idempotency_key_key UNIQUE (tenant_id, agent_id, connector, idempotency_key),
  constraint agent_command_tenant_id_number_key UNIQUE (tenant_id, number),
  constraint agent_command_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agent(tenant_id, id),
  constraint agent_command_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
CREATE INDEX agent_command_by_age ON agent_command USING btree (done_at) WHERE (outcome IS NOT NULL);
CREATE INDEX agent_command_unfinished ON agent_command USING btree (tenant_id, agent_id, number) WHERE (outcome IS NULL);
alter table agent_command enable row level security;
alter table agent_command force row level security;
create policy own_tenant on agent_command using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on agent_command to owner using (true) with check (true);

create table agent_event (
  tenant_id uuid not null,
  agent_id text not null,
  id text not null,
  topic text not null,
  body jsonb not null,
  received_at timestamp with time zone not null default now(),
  constraint agent_event_pkey PRIMARY KEY (tenant_id, agent_id, id),
  constraint agent_event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
CREATE INDEX agent_event_by_age ON agent_event USING btree (received_at);
alter table agent_event enable row level security;
alter table agent_event force row level security;
create policy own_tenant on agent_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on agent_event to owner using (true) with check (true);

create table agent_source (
  tenant_id uuid not null,
  agent_id text not null,
  connector text not null,
  queue text not null,
  sequence bigint not null,
  cursor text not null,
  documents bigint not null default 0,
  received_at timestamp with time zone not null default now(),
  reconciliation jsonb,
  constraint agent_source_pkey PRIMARY KEY (tenant_id, agent_id, connector),
  constraint agent_source_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agent(tenant_id, id),
  constraint agent_source_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
alter table agent_source enable row level security;
alter table agent_source force row level security;
create policy own_tenant on agent_source using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table agent_status (
  tenant_id uuid not null,
  agent_id text not null,
  status jsonb not null,
  received_at timestamp with time zone not null default now(),
  constraint agent_status_pkey PRIMARY KEY (tenant_id, agent_id),
  constraint agent_status_tenant_id_agent_id_fkey FOREIGN KEY (tenant_id, agent_id) REFERENCES agent(tenant_id, id),
  constraint agent_status_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
alter table agent_status enable row level security;
alter table agent_status force row level security;
create policy own_tenant on agent_status using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table api_key (
  tenant_id uuid not null,
  id text not null,
  family text not null,
  environment text not null,
  name text not null,
  shown text not null,
  hash bytea not null,
  scopes jsonb not null,
  allowed_ips jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  made_by text,
  constraint api_key_pkey PRIMARY KEY (tenant_id, id),
  constraint api_key_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint api_key_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint api_key_family_check CHECK ((family = ANY (ARRAY['sk'::text, 'jc'::text]))),
  constraint api_key_hash_check CHECK ((length(hash) = 32)),
  constraint api_key_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE INDEX api_key_tenant_id_created_at_idx ON api_key USING btree (tenant_id, created_at);
alter table api_key enable row level security;
alter table api_key force row level security;
create policy own_tenant on api_key using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on api_key to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE ON api_key FOR EACH ROW EXECUTE FUNCTION keep_in_directory('api_key', 'id');
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON api_key REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table approval_policy (
  tenant_id uuid not null,
  mappings text not null,
  updated_at timestamp with time zone not null,
  live_submission text not null,
  constraint approval_policy_pkey PRIMARY KEY (tenant_id),
  constraint approval_policy_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint approval_policy_live_submission_check CHECK ((live_submission = ANY (ARRAY['one'::text, 'two'::text]))),
  constraint approval_policy_mappings_check CHECK ((mappings = ANY (ARRAY['one'::text, 'two'::text])))
);
alter table approval_policy enable row level security;
alter table approval_policy force row level security;
create policy own_tenant on approval_policy using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create unlogged table arrival_slots (
  key text not null,
  goes double precision[] not null default '{}'::double precision[],
  counts_until double precision[] not null default '{}'::double precision[],
  touched_at timestamp with time zone not null default now(),
  constraint arrival_slots_pkey PRIMARY KEY (key)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

create table audit_event (
  tenant_id uuid not null,
  id text not null,
  happened_at timestamp with time zone not null,
  actor_kind text not null,
  actor_id text,
  service text,
  environment text,
  ip text,
  request_id text,
  action text not null,
  subject text,
  outcome text not null,
  before jsonb,
  after jsonb,
  constraint audit_event_pkey PRIMARY KEY (tenant_id, id),
  constraint audit_event_action_check CHECK (((length(action) >= 1) AND (length(action) <= 100))),
  constraint audit_event_actor_id_check CHECK ((length(actor_id) <= 200)),
  constraint audit_event_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'host'::text, 'nobody'::text]))),
  constraint audit_event_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint audit_event_ip_check CHECK ((length(ip) <= 100)),
  constraint audit_event_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text]))),
  constraint audit_event_request_id_check CHECK ((length(request_id) <= 128)),
  constraint audit_event_service_check CHECK ((service = ANY (ARRAY['einvoice'::text, 'messaging'::text]))),
  constraint audit_event_subject_check CHECK ((length(subject) <= 500))
);
CREATE INDEX audit_event_tenant_id_action_id_idx ON audit_event USING btree (tenant_id, action, id);
CREATE INDEX audit_event_tenant_id_actor_id_id_idx ON audit_event USING btree (tenant_id, actor_id, id);
CREATE INDEX audit_event_tenant_id_subject_id_idx ON audit_event USING btree (tenant_id, subject, id);
alter table audit_event enable row level security;
alter table audit_event force row level security;
create policy own_tenant on audit_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table authority_poll (
  environment text not null,
  authority text not null,
  due_at timestamp with time zone not null,
  constraint authority_poll_pkey PRIMARY KEY (environment, authority)
);

create table branding (
  tenant_id uuid not null,
  custom_domain text,
  logo bytea,
  logo_type text,
  sender_name text,
  sender_address text,
  updated_at timestamp with time zone not null,
  constraint branding_pkey PRIMARY KEY (tenant_id),
  constraint branding_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint branding_check CHECK (((logo IS NULL) = (logo_type IS NULL))),
  constraint branding_custom_domain_check CHECK ((length(custom_domain) <= 253)),
  constraint branding_logo_check CHECK ((length(logo) <= 262144)),
  constraint branding_logo_type_check CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text]))),
  constraint branding_sender_address_check CHECK ((length(sender_address) <= 254)),
  constraint branding_sender_name_check CHECK ((length(sender_name) <= 100))
);
alter table branding enable row level security;
alter table branding force row level security;
create policy own_tenant on branding using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table branding_proof (
  tenant_id uuid not null,
  id text not null,
  kind text not null,
  name text not null,
  record_name text not null,
  record_value text not null,
  selector text,
  sealed_key text,
  proved_at timestamp with time zone,
  checked_at timestamp with time zone,
  missing_since timestamp with time zone,
  problem text,
  created_at timestamp with time zone not null,
  proved_domain text generated always as (
CASE
    WHEN ((kind = 'domain'::text) AND (proved_at IS NOT NULL)) THEN name
    ELSE NULL::text
END) stored,
  constraint branding_proof_pkey PRIMARY KEY (tenant_id, id),
  constraint branding_proof_tenant_id_kind_key UNIQUE (tenant_id, kind),
  constraint branding_proof_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint branding_proof_kind_check CHECK ((kind = ANY (ARRAY['domain'::text, 'sender'::text]))),
  constraint branding_proof_name_check CHECK ((length(name) <= 253))
);
alter table branding_proof enable row level security;
alter table branding_proof force row level security;
create policy own_tenant on branding_proof using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on branding_proof to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE OR UPDATE OF proved_at ON branding_proof FOR EACH ROW EXECUTE FUNCTION keep_in_directory('custom_domain', 'proved_domain');

create table broadcast (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  channel text not null,
  app_id text not null,
  template_id text not null,
  template text not null,
  language text not null,
  segment_id text,
  segment text,
  variables jsonb not null,
  time_zone text not null,
  quiet_from text,
  quiet_to text,
  require_consent boolean not null,
  track_urls boolean not null,
  schedule_at timestamp with time zone not null,
  state text not null,
  reason text,
  detail text,
  recipients integer not null default 0,
  skipped jsonb not null default '{}'::jsonb,
  cost numeric(24,6),
  currency text,
  zones jsonb not null default '[]'::jsonb,
  author text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  resend_of text,
  resend_statuses jsonb,
  test_contacts jsonb,
  constraint broadcast_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint broadcast_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint broadcast_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text]))),
  constraint broadcast_check CHECK (((quiet_from IS NULL) = (quiet_to IS NULL))),
  constraint broadcast_check1 CHECK ((num_nonnulls(segment_id, resend_of, test_contacts) = 1)),
  constraint broadcast_check2 CHECK (((resend_of IS NULL) = (resend_statuses IS NULL))),
  constraint broadcast_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint broadcast_state_check CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'paused'::text, 'completed'::text, 'failed'::text, 'canceled'::text])))
);
CREATE INDEX broadcast_resend ON broadcast USING btree (tenant_id, environment, resend_of) WHERE (resend_of IS NOT NULL);
alter table broadcast enable row level security;
alter table broadcast force row level security;
create policy own_tenant on broadcast using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on broadcast to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON broadcast REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table broadcast_count (
  tenant_id uuid not null,
  environment text not null,
  broadcast_id text not null,
  hour timestamp with time zone not null,
  unknown integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  canceled integer not null,
  clicks integer not null,
  bot_clicks integer not null,
  clicked integer not null,
  replied integer not null,
  skipped integer not null default 0,
  constraint broadcast_count_pkey PRIMARY KEY (tenant_id, broadcast_id, hour)
) with (fillfactor=70);
alter table broadcast_count enable row level security;
alter table broadcast_count force row level security;
create policy own_tenant on broadcast_count using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on broadcast_count to owner using (true) with check (true);

create table broadcast_report (
  tenant_id uuid not null,
  environment text not null,
  broadcast_id text not null,
  user_id text not null,
  state text not null default 'sending'::text,
  claimed_at timestamp with time zone not null,
  constraint broadcast_report_pkey PRIMARY KEY (tenant_id, environment, broadcast_id),
  constraint broadcast_report_tenant_id_environment_broadcast_id_fkey FOREIGN KEY (tenant_id, environment, broadcast_id) REFERENCES broadcast(tenant_id, environment, id) ON DELETE CASCADE,
  constraint broadcast_report_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint broadcast_report_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'sent'::text, 'unknown'::text, 'refused'::text])))
);
alter table broadcast_report enable row level security;
alter table broadcast_report force row level security;
create policy own_tenant on broadcast_report using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table broadcast_report_settings (
  tenant_id uuid not null,
  environment text not null,
  mail_to_creator boolean not null,
  language text not null,
  updated_at timestamp with time zone not null,
  constraint broadcast_report_settings_pkey PRIMARY KEY (tenant_id, environment),
  constraint broadcast_report_settings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint broadcast_report_settings_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint broadcast_report_settings_language_check CHECK ((language = ANY (ARRAY['en'::text, 'ar'::text, 'ms'::text])))
);
alter table broadcast_report_settings enable row level security;
alter table broadcast_report_settings force row level security;
create policy own_tenant on broadcast_report_settings using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table broadcast_response (
  tenant_id uuid not null,
  message_id text not null,
  broadcast_id text not null,
  clicked_at timestamp with time zone,
  replied_at timestamp with time zone,
  constraint broadcast_response_pkey PRIMARY KEY (tenant_id, message_id)
);
alter table broadcast_response enable row level security;
alter table broadcast_response force row level security;
create policy own_tenant on broadcast_response using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table canned_reply (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  shortcut text not null,
  title text not null,
  text text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint canned_reply_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint canned_reply_tenant_id_environment_shortcut_key UNIQUE (tenant_id, environment, shortcut),
  constraint canned_reply_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint canned_reply_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint canned_reply_shortcut_check CHECK ((shortcut ~ '^[a-z0-9][a-z0-9_-]{0,31}$'::text)),
  constraint canned_reply_text_check CHECK (((length(text) >= 1) AND (length(text) <= 5000))),
  constraint canned_reply_title_check CHECK (((length(title) >= 1) AND (length(title) <= 100)))
);
alter table canned_reply enable row level security;
alter table canned_reply force row level security;
create policy own_tenant on canned_reply using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table channel_app (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  channel text not null,
  provider text not null,
  name text not null,
  settings text not null,
  allow_unsigned boolean not null default false,
  resend_unknown boolean not null default false,
  state text not null default 'active'::text,
  stopped_reason text,
  health jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  last_inbound_at timestamp with time zone,
  last_status_at timestamp with time zone,
  constraint channel_app_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint channel_app_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint channel_app_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text]))),
  constraint channel_app_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint channel_app_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint channel_app_state_check CHECK ((state = ANY (ARRAY['active'::text, 'stopped'::text])))
);
CREATE UNIQUE INDEX channel_app_name ON channel_app USING btree (tenant_id, environment, channel, name) WHERE (deleted_at IS NULL);
alter table channel_app enable row level security;
alter table channel_app force row level security;
create policy own_tenant on channel_app using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on channel_app to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE ON channel_app FOR EACH ROW EXECUTE FUNCTION keep_in_directory('channel_app', 'id');
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON channel_app REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table channel_count (
  tenant_id uuid not null,
  environment text not null,
  channel text not null,
  hour timestamp with time zone not null,
  unknown integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  canceled integer not null,
  clicks integer not null,
  bot_clicks integer not null,
  clicked integer not null,
  replied integer not null,
  skipped integer not null default 0,
  constraint channel_count_pkey PRIMARY KEY (tenant_id, environment, channel, hour)
) with (fillfactor=70);
alter table channel_count enable row level security;
alter table channel_count force row level security;
create policy own_tenant on channel_count using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on channel_count to owner using (true) with check (true);

create table channel_reach (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  phone text not null,
  is_reached boolean not null,
  checked_at timestamp with time zone not null,
  constraint channel_reach_pkey PRIMARY KEY (tenant_id, environment, app_id, phone)
);
alter table channel_reach enable row level security;
alter table channel_reach force row level security;
create policy own_tenant on channel_reach using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table company (
  tenant_id uuid not null,
  environment text not null,
  profile jsonb not null,
  updated_at timestamp with time zone not null,
  constraint company_pkey PRIMARY KEY (tenant_id, environment),
  constraint company_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint company_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
alter table company enable row level security;
alter table company force row level security;
create policy own_tenant on company using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table connector (
  tenant_id uuid not null,
  id text not null,
  pattern text not null,
  kind text not null,
  name text not null,
  agent_id text,
  default_profile text,
  duplicates text not null default 'reject'::text,
  submit_from jsonb not null default '{}'::jsonb,
  settings text not null,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  receives jsonb not null default '{}'::jsonb,
  submission jsonb not null default '{}'::jsonb,
  live_set_by text,
  constraint connector_pkey PRIMARY KEY (tenant_id, id),
  constraint connector_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint connector_duplicates_check CHECK ((duplicates = ANY (ARRAY['warn'::text, 'reject'::text]))),
  constraint connector_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint connector_pattern_check CHECK ((pattern = ANY (ARRAY['API'::text, 'database'::text, 'file'::text, 'agent'::text, 'email'::text])))
);
alter table connector enable row level security;
alter table connector force row level security;
create policy own_tenant on connector using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table consent_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  channel text not null,
  address text not null,
  state text not null,
  source text not null,
  note text,
  recorded_by text,
  created_at timestamp with time zone not null,
  constraint consent_event_pkey PRIMARY KEY (tenant_id, id),
  constraint consent_event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint consent_event_address_check CHECK (((length(address) >= 1) AND (length(address) <= 200))),
  constraint consent_event_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text, 'voice'::text]))),
  constraint consent_event_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint consent_event_state_check CHECK ((state = ANY (ARRAY['granted'::text, 'revoked'::text])))
);
CREATE INDEX consent_event_tenant_id_environment_channel_address_id_idx ON consent_event USING btree (tenant_id, environment, channel, address, id);
alter table consent_event enable row level security;
alter table consent_event force row level security;
create policy own_tenant on consent_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON consent_event REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table contact (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  name text,
  phone text,
  attributes jsonb not null default '{}'::jsonb,
  search tsvector not null generated always as (to_tsvector('simple'::regconfig, ((COALESCE(name, ''::text) || ' '::text) || COALESCE(ltrim(phone, '+'::text), ''::text)))) stored,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  messages_until timestamp with time zone,
  constraint contact_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint contact_tenant_id_environment_phone_key UNIQUE (tenant_id, environment, phone),
  constraint contact_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint contact_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint contact_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint contact_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);
CREATE INDEX contact_attributes ON contact USING gin (tenant_id, environment, attributes jsonb_path_ops);
CREATE INDEX contact_search ON contact USING gin (tenant_id, environment, search);
alter table contact enable row level security;
alter table contact force row level security;
create policy own_tenant on contact using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON contact REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table contact_identity (
  tenant_id uuid not null,
  environment text not null,
  channel text not null,
  external_id text not null,
  contact_id text not null,
  constraint contact_identity_pkey PRIMARY KEY (tenant_id, environment, channel, external_id),
  constraint contact_identity_tenant_id_environment_contact_id_fkey FOREIGN KEY (tenant_id, environment, contact_id) REFERENCES contact(tenant_id, environment, id) ON DELETE CASCADE,
  constraint contact_identity_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text, 'voice'::text]))),
  constraint contact_identity_external_id_check CHECK (((length(external_id) >= 1) AND (length(external_id) <= 200)))
);
CREATE INDEX contact_identity_tenant_id_environment_contact_id_idx ON contact_identity USING btree (tenant_id, environment, contact_id);
alter table contact_identity enable row level security;
alter table contact_identity force row level security;
create policy own_tenant on contact_identity using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact_identity to owner using (true) with check (true);

create table contact_import (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  state text not null,
  rows integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  failed integer not null default 0,
  created_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  filename text,
  bytes integer,
  choices jsonb,
  preview jsonb,
  reading jsonb,
  claim_id uuid,
  constraint contact_import_pkey PRIMARY KEY (tenant_id, id),
  constraint contact_import_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint contact_import_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint contact_import_state_check CHECK ((state = ANY (ARRAY['uploading'::text, 'preview'::text, 'reading'::text, 'running'::text, 'done'::text])))
);
CREATE INDEX contact_import_unstarted ON contact_import USING btree (created_at) WHERE (state = ANY (ARRAY['uploading'::text, 'preview'::text]));
alter table contact_import enable row level security;
alter table contact_import force row level security;
create policy own_tenant on contact_import using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact_import to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON contact_import REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table contact_import_file (
  tenant_id uuid not null,
  import_id text not null,
  part integer not null,
  bytes bytea storage external not null,
  constraint contact_import_file_pkey PRIMARY KEY (tenant_id, import_id, part),
  constraint contact_import_file_tenant_id_import_id_fkey FOREIGN KEY (tenant_id, import_id) REFERENCES contact_import(tenant_id, id) ON DELETE CASCADE
);
alter table contact_import_file enable row level security;
alter table contact_import_file force row level security;
create policy own_tenant on contact_import_file using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact_import_file to owner using (true) with check (true);

create table contact_import_piece (
  tenant_id uuid not null,
  import_id text not null,
  partition integer not null,
  piece integer not null,
  lines integer not null,
  contacts integer not null,
  segments jsonb not null,
  rows jsonb not null,
  constraint contact_import_piece_pkey PRIMARY KEY (tenant_id, import_id, partition, piece),
  constraint contact_import_piece_tenant_id_import_id_fkey FOREIGN KEY (tenant_id, import_id) REFERENCES contact_import(tenant_id, id) ON DELETE CASCADE
);
alter table contact_import_piece enable row level security;
alter table contact_import_piece force row level security;
create policy own_tenant on contact_import_piece using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact_import_piece to owner using (true) with check (true);

create table contact_import_problem (
  tenant_id uuid not null,
  import_id text not null,
  line integer not null,
  problems jsonb not null,
  fields jsonb,
  constraint contact_import_problem_pkey PRIMARY KEY (tenant_id, import_id, line),
  constraint contact_import_problem_tenant_id_import_id_fkey FOREIGN KEY (tenant_id, import_id) REFERENCES contact_import(tenant_id, id) ON DELETE CASCADE
);
alter table contact_import_problem enable row level security;
alter table contact_import_problem force row level security;
create policy own_tenant on contact_import_problem using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact_import_problem to owner using (true) with check (true);

create table contact_segment (
  tenant_id uuid not null,
  environment text not null,
  segment_id text not null,
  contact_id text not null,
  constraint contact_segment_pkey PRIMARY KEY (tenant_id, environment, segment_id, contact_id),
  constraint contact_segment_tenant_id_environment_contact_id_fkey FOREIGN KEY (tenant_id, environment, contact_id) REFERENCES contact(tenant_id, environment, id) ON DELETE CASCADE,
  constraint contact_segment_tenant_id_environment_segment_id_fkey FOREIGN KEY (tenant_id, environment, segment_id) REFERENCES segment(tenant_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX contact_segment_tenant_id_environment_contact_id_idx ON contact_segment USING btree (tenant_id, environment, contact_id);
alter table contact_segment enable row level security;
alter table contact_segment force row level security;
create policy own_tenant on contact_segment using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on contact_segment to owner using (true) with check (true);

create table control_plane_identity (
  public_key text not null,
  sealed_secret_key text not null,
  number bigint not null generated always as identity,
  created_at timestamp with time zone not null default now(),
  constraint control_plane_identity_pkey PRIMARY KEY (public_key),
  constraint control_plane_identity_number_key UNIQUE (number)
);

create table conversation (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  contact_id text not null,
  state text not null,
  snoozed_until timestamp with time zone,
  assignee_id text,
  opening integer not null default 0,
  opened_at timestamp with time zone,
  is_answered boolean not null default false,
  waiting_since timestamp with time zone,
  due_at timestamp with time zone,
  unread integer not null default 0,
  last_item_id text not null,
  last_item text not null,
  last_channel text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint conversation_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint conversation_tenant_id_environment_contact_id_key UNIQUE (tenant_id, environment, contact_id),
  constraint conversation_tenant_id_environment_contact_id_fkey FOREIGN KEY (tenant_id, environment, contact_id) REFERENCES contact(tenant_id, environment, id) ON DELETE CASCADE,
  constraint conversation_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint conversation_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint conversation_last_channel_check CHECK ((last_channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text, 'voice'::text]))),
  constraint conversation_state_check CHECK ((state = ANY (ARRAY['open'::text, 'snoozed'::text, 'closed'::text])))
) with (fillfactor=85);
CREATE INDEX conversation_longest_wait ON conversation USING btree (tenant_id, environment, waiting_since, id) WHERE (waiting_since IS NOT NULL);
CREATE INDEX conversation_newest ON conversation USING btree (tenant_id, environment, last_item);
CREATE INDEX conversation_of_assignee ON conversation USING btree (tenant_id, environment, assignee_id, last_item) INCLUDE (state, contact_id);
CREATE INDEX conversation_of_channel ON conversation USING btree (tenant_id, environment, last_channel, last_item);
CREATE INDEX conversation_of_state ON conversation USING btree (tenant_id, environment, state, last_item) INCLUDE (assignee_id, contact_id);
CREATE INDEX conversation_unread ON conversation USING btree (tenant_id, environment, last_item) WHERE (unread > 0);
CREATE INDEX conversation_waiting ON conversation USING btree (tenant_id, environment, last_item) WHERE (waiting_since IS NOT NULL);
alter table conversation enable row level security;
alter table conversation force row level security;
create policy own_tenant on conversation using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on conversation to owner using (true) with check (true);
CREATE TRIGGER removed AFTER DELETE ON conversation FOR EACH ROW EXECUTE FUNCTION record_removed_conversation();

create table conversation_attachment (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  name text not null,
  media_type text not null,
  bytes bigint not null,
  sha256 text not null,
  object_key text not null,
  author text not null,
  created_at timestamp with time zone not null,
  message_id text,
  constraint conversation_attachment_pkey PRIMARY KEY (tenant_id, id),
  constraint conversation_attachment_tenant_id_environment_conversation_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE,
  constraint conversation_attachment_name_check CHECK (((length(name) >= 1) AND (length(name) <= 255))),
  constraint conversation_attachment_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);
CREATE UNIQUE INDEX conversation_attachment_of_message ON conversation_attachment USING btree (tenant_id, environment, message_id) WHERE (message_id IS NOT NULL);
CREATE INDEX conversation_attachment_tenant_id_environment_conversation__idx ON conversation_attachment USING btree (tenant_id, environment, conversation_id, id);
alter table conversation_attachment enable row level security;
alter table conversation_attachment force row level security;
create policy own_tenant on conversation_attachment using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON conversation_attachment REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();
CREATE TRIGGER removed AFTER DELETE ON conversation_attachment FOR EACH ROW EXECUTE FUNCTION record_removed_object();

create table conversation_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  type text not null,
  actor text,
  data jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null,
  constraint conversation_event_pkey PRIMARY KEY (tenant_id, id),
  constraint conversation_event_tenant_id_environment_conversation_id_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE,
  constraint conversation_event_type_check CHECK ((type = ANY (ARRAY['opened'::text, 'closed'::text, 'snoozed'::text, 'woken'::text, 'assigned'::text, 'unassigned'::text, 'tagged'::text, 'noted'::text])))
);
CREATE INDEX conversation_event_tenant_id_environment_conversation_id_id_idx ON conversation_event USING btree (tenant_id, environment, conversation_id, id);
alter table conversation_event enable row level security;
alter table conversation_event force row level security;
create policy own_tenant on conversation_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table conversation_note (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  author text not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint conversation_note_pkey PRIMARY KEY (tenant_id, id),
  constraint conversation_note_tenant_id_environment_conversation_id_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE,
  constraint conversation_note_text_check CHECK (((length(text) >= 1) AND (length(text) <= 10000)))
);
CREATE INDEX conversation_note_tenant_id_environment_conversation_id_id_idx ON conversation_note USING btree (tenant_id, environment, conversation_id, id);
alter table conversation_note enable row level security;
alter table conversation_note force row level security;
create policy own_tenant on conversation_note using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON conversation_note REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table conversation_opening (
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  opening integer not null,
  opened_at timestamp with time zone not null,
  opened_by text,
  closed_at timestamp with time zone,
  closed_by text,
  constraint conversation_opening_pkey PRIMARY KEY (tenant_id, environment, conversation_id, opening),
  constraint conversation_opening_tenant_id_environment_conversation_id_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX conversation_opening_span ON conversation_opening USING gist (tenant_id, environment, tstzrange(LEAST(opened_at, closed_at), closed_at, '(]'::text));
CREATE INDEX conversation_opening_tenant_id_environment_closed_at_idx ON conversation_opening USING btree (tenant_id, environment, closed_at);
CREATE INDEX conversation_opening_tenant_id_environment_opened_at_idx ON conversation_opening USING btree (tenant_id, environment, opened_at);
alter table conversation_opening enable row level security;
alter table conversation_opening force row level security;
create policy own_tenant on conversation_opening using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on conversation_opening to owner using (true) with check (true);

create table conversation_reader (
  tenant_id uuid not null,
  environment text not null,
  conversation_id text not null,
  reader text not null,
  read_to text not null,
  read_at timestamp with time zone not null,
  constraint conversation_reader_pkey PRIMARY KEY (tenant_id, environment, conversation_id, reader),
  constraint conversation_reader_tenant_id_environment_conversation_id_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE
);
alter table conversation_reader enable row level security;
alter table conversation_reader force row level security;
create policy own_tenant on conversation_reader using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table conversation_response (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  opening integer not null,
  is_first boolean not null,
  channel text not null,
  asked_at timestamp with time zone not null,
  due_at timestamp with time zone,
  ended_at timestamp with time zone,
  is_answered boolean,
  answered_by text,
  business_seconds integer,
  constraint conversation_response_pkey PRIMARY KEY (tenant_id, id),
  constraint conversation_response_tenant_id_environment_conversation_i_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX conversation_response_span ON conversation_response USING gist (tenant_id, environment, tstzrange(LEAST(asked_at, ended_at), ended_at, '(]'::text));
CREATE INDEX conversation_response_tenant_id_environment_asked_at_idx ON conversation_response USING btree (tenant_id, environment, asked_at);
CREATE INDEX conversation_response_tenant_id_environment_conversation_id_idx ON conversation_response USING btree (tenant_id, environment, conversation_id);
CREATE INDEX conversation_response_tenant_id_environment_ended_at_idx ON conversation_response USING btree (tenant_id, environment, ended_at);
CREATE UNIQUE INDEX conversation_waits ON conversation_response USING btree (tenant_id, environment, conversation_id) WHERE (ended_at IS NULL);
alter table conversation_response enable row level security;
alter table conversation_response force row level security;
create policy own_tenant on conversation_response using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on conversation_response to owner using (true) with check (true);

create table conversation_tag (
  tenant_id uuid not null,
  environment text not null,
  tag_id text not null,
  conversation_id text not null,
  constraint conversation_tag_pkey PRIMARY KEY (tenant_id, environment, conversation_id, tag_id),
  constraint conversation_tag_tenant_id_environment_conversation_id_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE,
  constraint conversation_tag_tenant_id_tag_id_fkey FOREIGN KEY (tenant_id, tag_id) REFERENCES tag(tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX conversation_tag_tenant_id_environment_tag_id_conversation__idx ON conversation_tag USING btree (tenant_id, environment, tag_id, conversation_id);
alter table conversation_tag enable row level security;
alter table conversation_tag force row level security;
create policy own_tenant on conversation_tag using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table correspondent (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  address text not null,
  channel text not null,
  first_seen_at timestamp with time zone not null,
  last_inbound_at timestamp with time zone not null,
  blocked_at timestamp with time zone,
  constraint correspondent_pkey PRIMARY KEY (tenant_id, environment, app_id, address)
);
alter table correspondent enable row level security;
alter table correspondent force row level security;
create policy own_tenant on correspondent using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table count_change (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  environment text not null,
  channel text not null,
  broadcast_id text not null,
  hour timestamp with time zone not null,
  unknown integer not null,
  sent integer not null,
  delivered integer not null,
  read integer not null,
  failed integer not null,
  canceled integer not null,
  clicks integer not null,
  bot_clicks integer not null,
  clicked integer not null,
  replied integer not null,
  skipped integer not null default 0,
  constraint count_change_pkey PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000);
CREATE INDEX count_change_broadcast_id_idx ON count_change USING btree (broadcast_id);
CREATE INDEX count_change_tenant_id_environment_idx ON count_change USING btree (tenant_id, environment);
alter table count_change enable row level security;
alter table count_change force row level security;
create policy own_tenant on count_change using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on count_change to owner using (true) with check (true);

create table departed_member (
  tenant_id uuid not null,
  user_id text not null,
  name text not null,
  email text not null,
  departed_at timestamp with time zone not null default now(),
  constraint departed_member_pkey PRIMARY KEY (tenant_id, user_id),
  constraint departed_member_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
alter table departed_member enable row level security;
alter table departed_member force row level security;
create policy own_tenant on departed_member using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on departed_member to owner using (true) with check (true);

create table document_batch (
  tenant_id uuid not null,
  environment text not null,
  id text not null,
  connector_id text not null,
  refs jsonb not null,
  content bytea storage external not null,
  received_at timestamp with time zone not null default now(),
  constraint document_batch_pkey PRIMARY KEY (tenant_id, id),
  constraint document_batch_tenant_id_connector_id_fkey FOREIGN KEY (tenant_id, connector_id) REFERENCES connector(tenant_id, id),
  constraint document_batch_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint document_batch_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
alter table document_batch enable row level security;
alter table document_batch force row level security;
create policy own_tenant on document_batch using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table document_signing_key (
  id text not null,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint document_signing_key_pkey PRIMARY KEY (id)
);

create table early_report (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  environment text not null,
  app_id text not null,
  provider_id text not null,
  report jsonb not null,
  created_at timestamp with time zone not null,
  constraint early_report_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX early_report_created_at_idx ON early_report USING brin (created_at);
CREATE INDEX early_report_tenant_id_app_id_provider_id_idx ON early_report USING btree (tenant_id, app_id, provider_id);
alter table early_report enable row level security;
alter table early_report force row level security;
create policy own_tenant on early_report using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on early_report to owner using (true) with check (true);

create table enrolment_token (
  tenant_id uuid not null,
  hash bytea not null,
  hostname text,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint enrolment_token_pkey PRIMARY KEY (tenant_id, hash),
  constraint enrolment_token_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint enrolment_token_hash_check CHECK ((length(hash) = 32))
);
alter table enrolment_token enable row level security;
alter table enrolment_token force row level security;
create policy own_tenant on enrolment_token using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on enrolment_token to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE ON enrolment_token FOR EACH ROW EXECUTE FUNCTION keep_in_directory('enrolment_token', 'hash');

create table host_audit_event (
  id text not null,
  happened_at timestamp with time zone not null,
  actor_kind text not null,
  actor_id text,
  environment text,
  ip text,
  request_id text,
  action text not null,
  about_tenant uuid,
  subject text,
  outcome text not null,
  before jsonb,
  after jsonb,
  constraint host_audit_event_pkey PRIMARY KEY (id),
  constraint host_audit_event_action_check CHECK (((length(action) >= 1) AND (length(action) <= 100))),
  constraint host_audit_event_actor_id_check CHECK ((length(actor_id) <= 200)),
  constraint host_audit_event_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['user'::text, 'key'::text, 'host'::text, 'nobody'::text]))),
  constraint host_audit_event_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint host_audit_event_ip_check CHECK ((length(ip) <= 100)),
  constraint host_audit_event_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'refused'::text]))),
  constraint host_audit_event_request_id_check CHECK ((length(request_id) <= 128)),
  constraint host_audit_event_subject_check CHECK ((length(subject) <= 500))
);

create table idempotency (
  tenant_id uuid not null,
  environment text not null,
  route text not null,
  key text not null,
  fingerprint text not null,
  made_id text not null,
  created_at timestamp with time zone not null default now(),
  constraint idempotency_pkey PRIMARY KEY (tenant_id, environment, route, key),
  constraint idempotency_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint idempotency_fingerprint_check CHECK ((length(fingerprint) = 64))
);
CREATE INDEX idempotency_tenant_id_made_id_idx ON idempotency USING btree (tenant_id, made_id);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy own_tenant on idempotency using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on idempotency to owner using (true) with check (true);

create table identity_provider (
  tenant_id uuid not null,
  id text not null,
  sign_in_name text not null,
  name text not null,
  issuer text not null,
  client_id text not null,
  sealed_client_secret text,
  scopes jsonb not null,
  groups_claim text not null,
  group_roles jsonb not null,
  default_role text,
  default_einvoicing_role text,
  email_domains jsonb not null,
  is_required boolean not null,
  proof_acr_values jsonb not null,
  proof_amr_values jsonb not null,
  is_enabled boolean not null,
  trial jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint identity_provider_pkey PRIMARY KEY (tenant_id, id),
  constraint identity_provider_tenant_id_key UNIQUE (tenant_id),
  constraint identity_provider_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint identity_provider_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 500))),
  constraint identity_provider_groups_claim_check CHECK (((length(groups_claim) >= 1) AND (length(groups_claim) <= 200))),
  constraint identity_provider_issuer_check CHECK ((length(issuer) <= 2000)),
  constraint identity_provider_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200))),
  constraint identity_provider_sign_in_name_check CHECK ((sign_in_name ~ '^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$'::text))
);
alter table identity_provider enable row level security;
alter table identity_provider force row level security;
create policy own_tenant on identity_provider using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on identity_provider to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE OR UPDATE OF sign_in_name ON identity_provider FOR EACH ROW EXECUTE FUNCTION keep_in_directory('sign_in_name', 'sign_in_name');

create table inbox_call (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  contact_id text not null,
  direction text not null,
  status text not null,
  duration_seconds integer,
  author text,
  item text not null,
  created_at timestamp with time zone not null,
  constraint inbox_call_pkey PRIMARY KEY (tenant_id, id),
  constraint inbox_call_tenant_id_environment_contact_id_fkey FOREIGN KEY (tenant_id, environment, contact_id) REFERENCES contact(tenant_id, environment, id) ON DELETE CASCADE,
  constraint inbox_call_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
);
CREATE INDEX inbox_call_tenant_id_environment_contact_id_item_idx ON inbox_call USING btree (tenant_id, environment, contact_id, item);
CREATE INDEX inbox_call_tenant_id_environment_item_idx ON inbox_call USING btree (tenant_id, environment, item);
alter table inbox_call enable row level security;
alter table inbox_call force row level security;
create policy own_tenant on inbox_call using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table inbox_change (
  tenant_id uuid not null,
  environment text not null,
  id bigint not null generated always as identity,
  type text not null,
  data jsonb not null,
  created_at timestamp with time zone not null,
  constraint inbox_change_pkey PRIMARY KEY (tenant_id, environment, id)
);
CREATE INDEX inbox_change_created_at_idx ON inbox_change USING brin (created_at);
alter table inbox_change enable row level security;
alter table inbox_change force row level security;
create policy own_tenant on inbox_change using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on inbox_change to owner using (true) with check (true);

create table inbox_event (
  tenant_id uuid not null,
  environment text not null,
  number bigint not null,
  type text not null,
  data jsonb not null,
  created_at timestamp with time zone not null,
  constraint inbox_event_pkey PRIMARY KEY (tenant_id, environment, number)
);
CREATE INDEX inbox_event_created_at_idx ON inbox_event USING brin (created_at);
alter table inbox_event enable row level security;
alter table inbox_event force row level security;
create policy own_tenant on inbox_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on inbox_event to owner using (true) with check (true);

create table inbox_export (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  conversation_id text not null,
  author text not null,
  content_type text not null,
  bytes integer not null,
  signature jsonb not null,
  created_at timestamp with time zone not null,
  constraint inbox_export_pkey PRIMARY KEY (tenant_id, id),
  constraint inbox_export_tenant_id_environment_conversation_id_fkey FOREIGN KEY (tenant_id, environment, conversation_id) REFERENCES conversation(tenant_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX inbox_export_tenant_id_environment_conversation_id_idx ON inbox_export USING btree (tenant_id, environment, conversation_id);
alter table inbox_export enable row level security;
alter table inbox_export force row level security;
create policy own_tenant on inbox_export using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table inbox_settings (
  tenant_id uuid not null,
  environment text not null,
  time_zone text not null,
  weekly_hours jsonb not null,
  holidays jsonb not null,
  first_response_minutes integer,
  next_response_minutes integer,
  updated_at timestamp with time zone not null,
  constraint inbox_settings_pkey PRIMARY KEY (tenant_id, environment),
  constraint inbox_settings_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint inbox_settings_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint inbox_settings_first_response_minutes_check CHECK ((first_response_minutes > 0)),
  constraint inbox_settings_next_response_minutes_check CHECK ((next_response_minutes > 0))
);
alter table inbox_settings enable row level security;
alter table inbox_settings force row level security;
create policy own_tenant on inbox_settings using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table inbox_stream (
  tenant_id uuid not null,
  environment text not null,
  last_number bigint not null default 0,
  constraint inbox_stream_pkey PRIMARY KEY (tenant_id, environment)
);
alter table inbox_stream enable row level security;
alter table inbox_stream force row level security;
create policy own_tenant on inbox_stream using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table inbox_volume (
  tenant_id uuid not null,
  environment text not null,
  quarter timestamp with time zone not null,
  channel text not null,
  direction text not null,
  author text not null,
  slot smallint not null,
  count integer not null,
  constraint inbox_volume_pkey PRIMARY KEY (tenant_id, environment, quarter, channel, direction, author, slot),
  constraint inbox_volume_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text])))
) with (fillfactor=70);
alter table inbox_volume enable row level security;
alter table inbox_volume force row level security;
create policy own_tenant on inbox_volume using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table invitation (
  tenant_id uuid not null,
  id text not null,
  email text not null,
  role text,
  token_hash bytea not null,
  invited_by text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  einvoicing_role text,
  constraint invitation_pkey PRIMARY KEY (tenant_id, id),
  constraint invitation_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint invitation_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint invitation_has_a_role CHECK (((role IS NOT NULL) OR (einvoicing_role IS NOT NULL))),
  constraint invitation_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE UNIQUE INDEX invitation_tenant_id_email_idx ON invitation USING btree (tenant_id, email);
alter table invitation enable row level security;
alter table invitation force row level security;
create policy own_tenant on invitation using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on invitation to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE OR UPDATE OF token_hash ON invitation FOR EACH ROW EXECUTE FUNCTION keep_in_directory('invitation', 'token_hash');
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON invitation REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table invoice (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  connector_id text not null,
  profile text not null,
  source_ref text not null,
  state text not null default 'received'::text,
  checks jsonb not null,
  errors jsonb not null default '[]'::jsonb,
  warnings jsonb not null default '[]'::jsonb,
  seller text,
  number text,
  duplicate_of text,
  submission_key text not null,
  sent_at timestamp with time zone,
  authority_reference text,
  authority_status text,
  uin text,
  validation_url text,
  cancellable_until timestamp with time zone,
  write_back jsonb,
  forwarding jsonb,
  buyer_response jsonb,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  document_type text,
  issue_year smallint,
  submitted_by text,
  hold jsonb,
  waits_for text,
  buyer text,
  currency text,
  gross text,
  buyer_key text collate "C",
  gross_key double precision,
  constraint invoice_pkey PRIMARY KEY (tenant_id, id),
  constraint invoice_tenant_id_connector_id_fkey FOREIGN KEY (tenant_id, connector_id) REFERENCES connector(tenant_id, id),
  constraint invoice_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint invoice_check CHECK (((waits_for IS NULL) OR ((waits_for = ANY (ARRAY['release'::text, 'approval'::text])) AND (state = 'validated'::text)))),
  constraint invoice_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
CREATE INDEX invoice_by_buyer ON invoice USING btree (tenant_id, environment, buyer_key, id DESC) WHERE (buyer_key IS NOT NULL);
CREATE INDEX invoice_by_connector ON invoice USING btree (tenant_id, environment, connector_id, id DESC);
CREATE INDEX invoice_by_gross ON invoice USING btree (tenant_id, environment, gross_key, id DESC) WHERE (gross_key IS NOT NULL);
CREATE INDEX invoice_by_number ON invoice USING btree (tenant_id, environment, number, id DESC) WHERE (number IS NOT NULL);
CREATE INDEX invoice_by_source ON invoice USING btree (tenant_id, environment, source_ref, id DESC);
CREATE INDEX invoice_by_state ON invoice USING btree (tenant_id, environment, state, id DESC);
CREATE INDEX invoice_by_time ON invoice USING btree (tenant_id, environment, id DESC);
CREATE INDEX invoice_on_hold ON invoice USING btree (tenant_id, environment, id DESC) WHERE (waits_for IS NOT NULL);
CREATE INDEX invoice_open ON invoice USING btree (environment, state, created_at) WHERE ((state = ANY (ARRAY['received'::text, 'validating'::text, 'validated'::text, 'submitted'::text])) AND (waits_for IS NULL));
alter table invoice enable row level security;
alter table invoice force row level security;
create policy own_tenant on invoice using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on invoice to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON invoice REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table invoice_content (
  tenant_id uuid not null,
  invoice_id text not null,
  cim jsonb,
  provenance bytea,
  document text,
  clearance text,
  final text,
  constraint invoice_content_pkey PRIMARY KEY (tenant_id, invoice_id),
  constraint invoice_content_tenant_id_invoice_id_fkey FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice(tenant_id, id)
);
CREATE INDEX invoice_content_invoice_id_idx ON invoice_content USING btree (invoice_id) WHERE ((document IS NOT NULL) OR (provenance IS NOT NULL));
alter table invoice_content enable row level security;
alter table invoice_content force row level security;
create policy own_tenant on invoice_content using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on invoice_content to owner using (true) with check (true);

create table invoice_object (
  tenant_id uuid not null,
  invoice_id text not null,
  stage text not null,
  object_key text not null,
  constraint invoice_object_pkey PRIMARY KEY (tenant_id, invoice_id, stage),
  constraint invoice_object_tenant_id_invoice_id_fkey FOREIGN KEY (tenant_id, invoice_id) REFERENCES invoice(tenant_id, id) ON DELETE CASCADE,
  constraint invoice_object_stage_check CHECK ((stage = ANY (ARRAY['document'::text, 'clearance'::text, 'final'::text, 'provenance'::text])))
);
alter table invoice_object enable row level security;
alter table invoice_object force row level security;
create policy own_tenant on invoice_object using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER removed AFTER DELETE ON invoice_object FOR EACH ROW EXECUTE FUNCTION record_removed_object();

create table job (
  tenant_id uuid not null,
  id bigint not null generated always as identity,
  queue text not null,
  key text not null,
  payload jsonb not null,
  run_at timestamp with time zone not null default now(),
  attempts integer not null default 0,
  claim_id uuid,
  last_error text,
  created_at timestamp with time zone not null default now(),
  losses integer not null default 0,
  claimed_at timestamp with time zone,
  parked_at timestamp with time zone,
  traceparent text,
  constraint job_pkey PRIMARY KEY (tenant_id, id),
  constraint job_tenant_id_queue_key_key UNIQUE (tenant_id, queue, key)
) with (fillfactor=80, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_insert_threshold=-1, autovacuum_analyze_scale_factor=0, autovacuum_analyze_threshold=50000);
CREATE INDEX job_doubtful ON job USING btree (queue, tenant_id, run_at) WHERE ((parked_at IS NULL) AND ((losses > 0) OR (attempts >= 5)));
CREATE INDEX job_due ON job USING btree (queue, tenant_id, run_at) WHERE (parked_at IS NULL);
CREATE INDEX job_parked ON job USING btree (parked_at) WHERE (parked_at IS NOT NULL);
alter table job enable row level security;
alter table job force row level security;
create policy own_tenant on job using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on job to owner using (true) with check (true);

create table life_time (
  tenant_id uuid not null,
  environment text not null,
  kind text not null,
  days integer not null,
  updated_at timestamp with time zone not null,
  constraint life_time_pkey PRIMARY KEY (tenant_id, environment, kind),
  constraint life_time_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint life_time_days_check CHECK (((days >= 30) AND (days <= 36500))),
  constraint life_time_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint life_time_kind_check CHECK ((kind = ANY (ARRAY['invoice'::text, 'message'::text, 'contact'::text])))
);
alter table life_time enable row level security;
alter table life_time force row level security;
create policy own_tenant on life_time using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on life_time to owner using (true) with check (true);

create table link_click (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  broadcast_id text not null,
  message_id text not null,
  url_id text not null,
  code text not null,
  is_bot boolean not null,
  user_agent text,
  clicked_at timestamp with time zone not null,
  constraint link_click_pkey PRIMARY KEY (tenant_id, environment, id)
);
CREATE INDEX link_click_broadcast_id_id_idx ON link_click USING btree (broadcast_id, id);
alter table link_click enable row level security;
alter table link_click force row level security;
create policy own_tenant on link_click using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on link_click to owner using (true) with check (true);

create table mapping (
  tenant_id uuid not null,
  connector_id text not null,
  profile text not null,
  version integer not null default 1,
  document jsonb not null,
  updated_at timestamp with time zone not null default now(),
  changed_by text,
  approved jsonb,
  constraint mapping_pkey PRIMARY KEY (tenant_id, connector_id, profile),
  constraint mapping_tenant_id_connector_id_fkey FOREIGN KEY (tenant_id, connector_id) REFERENCES connector(tenant_id, id),
  constraint mapping_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id)
);
alter table mapping enable row level security;
alter table mapping force row level security;
create policy own_tenant on mapping using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table mapping_preview (
  tenant_id uuid not null,
  environment text not null,
  connector_id text not null,
  profile text not null,
  fingerprint text not null,
  objections jsonb not null,
  updated_at timestamp with time zone not null,
  constraint mapping_preview_pkey PRIMARY KEY (tenant_id, environment, connector_id, profile),
  constraint mapping_preview_tenant_id_connector_id_fkey FOREIGN KEY (tenant_id, connector_id) REFERENCES connector(tenant_id, id),
  constraint mapping_preview_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
alter table mapping_preview enable row level security;
alter table mapping_preview force row level security;
create policy own_tenant on mapping_preview using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table member (
  tenant_id uuid not null,
  user_id text not null,
  role text,
  created_at timestamp with time zone not null,
  einvoicing_role text,
  constraint member_pkey PRIMARY KEY (tenant_id, user_id),
  constraint member_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint member_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  constraint member_has_a_role CHECK (((role IS NOT NULL) OR (einvoicing_role IS NOT NULL)))
);
CREATE INDEX member_user_id_idx ON member USING btree (user_id);
alter table member enable row level security;
alter table member force row level security;
create policy own_tenant on member using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on member to owner using (true) with check (true);
CREATE TRIGGER departed AFTER DELETE ON member FOR EACH ROW EXECUTE FUNCTION keep_departed_member();

create table merged_contact (
  tenant_id uuid not null,
  environment text not null,
  id text not null,
  contact_id text not null,
  merged_at timestamp with time zone not null,
  constraint merged_contact_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint merged_contact_tenant_id_environment_contact_id_fkey FOREIGN KEY (tenant_id, environment, contact_id) REFERENCES contact(tenant_id, environment, id) ON DELETE CASCADE
);
CREATE INDEX merged_contact_tenant_id_environment_contact_id_idx ON merged_contact USING btree (tenant_id, environment, contact_id);
alter table merged_contact enable row level security;
alter table merged_contact force row level security;
create policy own_tenant on merged_contact using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on merged_contact to owner using (true) with check (true);

create table message (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  channel text not null,
  direction text not null,
  app_id text not null,
  contact_id text,
  address text not null,
  broadcast_id text,
  content jsonb not null,
  preview text not null,
  status text not null,
  provider_id text,
  reply_to text,
  ttl_seconds integer,
  registration jsonb,
  due_at timestamp with time zone,
  attempts smallint not null default 0,
  claim_id uuid,
  error_code text,
  error_detail text,
  price numeric(24,6),
  currency text,
  author text,
  created_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  delivered_at timestamp with time zone,
  read_at timestamp with time zone,
  failed_at timestamp with time zone,
  unknown_at timestamp with time zone,
  hold_released_at timestamp with time zone,
  time_zone text,
  constraint message_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint message_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text]))),
  constraint message_direction_check CHECK ((direction = ANY (ARRAY['in'::text, 'out'::text]))),
  constraint message_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
) with (fillfactor=85, autovacuum_vacuum_scale_factor=0.02);
CREATE INDEX message_claimed ON message USING btree (tenant_id, app_id, id) WHERE (status = 'sending'::text);
CREATE INDEX message_due ON message USING btree (broadcast_id, due_at, id) WHERE ((broadcast_id IS NOT NULL) AND (status = 'queued'::text));
CREATE INDEX message_of_broadcast ON message USING btree (broadcast_id, status, id) WHERE (broadcast_id IS NOT NULL);
CREATE INDEX message_of_channel ON message USING btree (tenant_id, environment, channel, id);
CREATE INDEX message_of_contact ON message USING btree (tenant_id, environment, contact_id, id) INCLUDE (channel, broadcast_id) WHERE (contact_id IS NOT NULL);
CREATE INDEX message_of_inbox ON message USING btree (tenant_id, environment, id) INCLUDE (contact_id) WHERE ((broadcast_id IS NULL) AND (contact_id IS NOT NULL));
CREATE INDEX message_of_inbox_channel ON message USING btree (tenant_id, environment, channel, id) INCLUDE (contact_id) WHERE ((broadcast_id IS NULL) AND (contact_id IS NOT NULL));
CREATE UNIQUE INDEX message_provider_id ON message USING btree (tenant_id, app_id, provider_id, direction) WHERE (provider_id IS NOT NULL);
CREATE INDEX message_search ON message USING gin (message_search_terms(tenant_id, environment, id, preview)) WITH (fastupdate=off) WHERE ((broadcast_id IS NULL) AND (contact_id IS NOT NULL));
CREATE INDEX message_unreported ON message USING btree (unknown_at) WHERE ((status = 'unknown'::text) AND (hold_released_at IS NULL) AND (price IS NOT NULL));
CREATE INDEX message_waiting ON message USING btree (tenant_id, app_id, address, id) WHERE ((broadcast_id IS NULL) AND (status = ANY (ARRAY['queued'::text, 'sending'::text])));
alter table message enable row level security;
alter table message force row level security;
create policy own_tenant on message using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on message to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON message REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table message_template (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  channel text not null,
  app_id text,
  name text not null,
  language text not null,
  category text not null,
  definition jsonb not null,
  registration jsonb,
  status text not null,
  reason text,
  quality text,
  provider_id text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint message_template_pkey PRIMARY KEY (tenant_id, id),
  constraint message_template_tenant_id_environment_channel_name_languag_key UNIQUE (tenant_id, environment, channel, name, language),
  constraint message_template_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint message_template_category_check CHECK ((category = ANY (ARRAY['AUTHENTICATION'::text, 'MARKETING'::text, 'UTILITY'::text]))),
  constraint message_template_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text]))),
  constraint message_template_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint message_template_language_check CHECK (((length(language) >= 1) AND (length(language) <= 20))),
  constraint message_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 512))),
  constraint message_template_quality_check CHECK ((quality = ANY (ARRAY['green'::text, 'yellow'::text, 'red'::text, 'unknown'::text]))),
  constraint message_template_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'paused'::text, 'disabled'::text, 'deleted'::text])))
);
CREATE INDEX message_template_tenant_id_environment_channel_id_idx ON message_template USING btree (tenant_id, environment, channel, id);
alter table message_template enable row level security;
alter table message_template force row level security;
create policy own_tenant on message_template using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON message_template REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  constraint migration_pkey PRIMARY KEY (name)
);

create table opt_out (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  channel text not null,
  address text not null,
  source text not null,
  note text,
  created_at timestamp with time zone not null,
  constraint opt_out_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint opt_out_tenant_id_environment_channel_address_key UNIQUE (tenant_id, environment, channel, address),
  constraint opt_out_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint opt_out_address_check CHECK (((length(address) >= 1) AND (length(address) <= 200))),
  constraint opt_out_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text, 'voice'::text]))),
  constraint opt_out_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
alter table opt_out enable row level security;
alter table opt_out force row level security;
create policy own_tenant on opt_out using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON opt_out REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table participant (
  tenant_id uuid not null,
  environment text not null,
  id text not null,
  import_to text,
  confirmed_at timestamp with time zone,
  created_at timestamp with time zone not null,
  address text generated always as (
CASE
    WHEN (confirmed_at IS NOT NULL) THEN ((environment || ' '::text) || id)
    ELSE NULL::text
END) stored,
  constraint participant_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint participant_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint participant_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint participant_id_check CHECK ((id ~ '^[0-9]{4}:[^\s[:upper:]]{1,50}$'::text))
);
alter table participant enable row level security;
alter table participant force row level security;
create policy own_tenant on participant using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER participant_in_directory AFTER INSERT OR DELETE OR UPDATE ON participant FOR EACH ROW EXECUTE FUNCTION keep_in_directory('participant', 'address');

create table password_reset (
  token_hash bytea not null,
  user_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint password_reset_pkey PRIMARY KEY (token_hash),
  constraint password_reset_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  constraint password_reset_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX password_reset_expires_at_idx ON password_reset USING btree (expires_at);
CREATE INDEX password_reset_user_id_idx ON password_reset USING btree (user_id);

create table price (
  channel text not null,
  prefix text not null,
  currency text not null,
  amount numeric(24,6) not null,
  constraint price_pkey PRIMARY KEY (channel, currency, prefix),
  constraint price_amount_check CHECK ((amount >= (0)::numeric)),
  constraint price_channel_check CHECK ((channel = ANY (ARRAY['wa'::text, 'sms'::text, 'botchat'::text, 'rcs'::text, 'voice'::text]))),
  constraint price_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint price_prefix_check CHECK ((prefix ~ '^(\+[1-9][0-9]{0,14})?$'::text))
);

create table provider_identity (
  tenant_id uuid not null,
  issuer text not null,
  subject text not null,
  user_id text not null,
  created_at timestamp with time zone not null,
  signed_in_at timestamp with time zone not null,
  constraint provider_identity_pkey PRIMARY KEY (tenant_id, issuer, subject),
  constraint provider_identity_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint provider_identity_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id),
  constraint provider_identity_issuer_check CHECK ((length(issuer) <= 2000)),
  constraint provider_identity_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);
CREATE INDEX provider_identity_tenant_id_user_id_idx ON provider_identity USING btree (tenant_id, user_id);
alter table provider_identity enable row level security;
alter table provider_identity force row level security;
create policy own_tenant on provider_identity using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table provider_session (
  tenant_id uuid not null,
  id text not null,
  issuer text not null,
  subject text not null,
  sid text,
  sealed_id_token text,
  constraint provider_session_pkey PRIMARY KEY (tenant_id, id),
  constraint provider_session_tenant_id_id_fkey FOREIGN KEY (tenant_id, id) REFERENCES session(tenant_id, id) ON DELETE CASCADE,
  constraint provider_session_sid_check CHECK ((length(sid) <= 500))
);
CREATE INDEX provider_session_tenant_id_issuer_sid_idx ON provider_session USING btree (tenant_id, issuer, sid) WHERE (sid IS NOT NULL);
CREATE INDEX provider_session_tenant_id_issuer_subject_idx ON provider_session USING btree (tenant_id, issuer, subject);
alter table provider_session enable row level security;
alter table provider_session force row level security;
create policy own_tenant on provider_session using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on provider_session to owner using (true) with check (true);

create unlogged table rate_window (
  key text not null,
  slot_ends bigint[] not null default '{}'::bigint[],
  counts integer[] not null default '{}'::integer[],
  touched_at timestamp with time zone not null default now(),
  constraint rate_window_pkey PRIMARY KEY (key)
) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

create table received_content (
  tenant_id uuid not null,
  document_id text not null,
  document text not null,
  draft jsonb,
  constraint received_content_pkey PRIMARY KEY (tenant_id, document_id),
  constraint received_content_tenant_id_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES received_document(tenant_id, id)
);
alter table received_content enable row level security;
alter table received_content force row level security;
create policy own_tenant on received_content using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table received_document (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  source text not null,
  network_id text not null,
  participant text,
  status text not null,
  profile text,
  checks jsonb not null,
  errors jsonb not null default '[]'::jsonb,
  warnings jsonb not null default '[]'::jsonb,
  document_type text,
  supplier_id text,
  supplier_name text,
  number text,
  issue_date text,
  currency text,
  gross numeric,
  duplicate_of text,
  import_to text,
  import jsonb,
  response jsonb,
  rejectable_until timestamp with time zone,
  received_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  answer_to jsonb,
  cancelled_at timestamp with time zone,
  cancel_reason text,
  clearance_id text,
  constraint received_document_pkey PRIMARY KEY (tenant_id, id),
  constraint received_document_tenant_id_environment_source_network_id_key UNIQUE (tenant_id, environment, source, network_id),
  constraint received_document_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint received_document_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint received_document_status_check CHECK ((status = ANY (ARRAY['received'::text, 'imported'::text, 'undone'::text, 'duplicate'::text, 'unreadable'::text, 'cancelled'::text])))
);
CREATE INDEX received_by_clearance ON received_document USING btree (tenant_id, environment, clearance_id) WHERE (clearance_id IS NOT NULL);
CREATE INDEX received_by_number ON received_document USING btree (tenant_id, environment, number, id DESC);
CREATE INDEX received_by_status ON received_document USING btree (tenant_id, environment, status, id DESC);
CREATE INDEX received_by_time ON received_document USING btree (tenant_id, environment, id DESC);
CREATE INDEX received_cancelled ON received_document USING btree (tenant_id, environment, id DESC) WHERE (cancelled_at IS NOT NULL);
CREATE UNIQUE INDEX received_once ON received_document USING btree (tenant_id, environment, supplier_id, number, issue_date, gross, document_type) WHERE ((status = ANY (ARRAY['received'::text, 'imported'::text, 'undone'::text])) AND (cancelled_at IS NULL) AND (COALESCE((response ->> 'status'::text), ''::text) <> 'rejected'::text));
alter table received_document enable row level security;
alter table received_document force row level security;
create policy own_tenant on received_document using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table removed_object (
  tenant_id uuid not null,
  object_key text not null,
  created_at timestamp with time zone not null default now(),
  constraint removed_object_pkey PRIMARY KEY (tenant_id, object_key)
);
alter table removed_object enable row level security;
alter table removed_object force row level security;
create policy own_tenant on removed_object using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on removed_object to owner using (true) with check (true);

create table second_factor (
  user_id text not null,
  sealed_secret text not null,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step bigint,
  recovery_hashes bytea[] not null default '{}'::bytea[],
  constraint second_factor_pkey PRIMARY KEY (user_id),
  constraint second_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id)
);

create table seen_message (
  environment text not null,
  network text not null,
  id text not null,
  unrouted_to text,
  seen_at timestamp with time zone not null default now(),
  constraint seen_message_pkey PRIMARY KEY (environment, network, id)
);
CREATE INDEX seen_message_unrouted ON seen_message USING btree (environment, unrouted_to) WHERE (unrouted_to IS NOT NULL);

create table segment (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  name text not null,
  query jsonb,
  created_at timestamp with time zone not null,
  constraint segment_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint segment_tenant_id_environment_name_key UNIQUE (tenant_id, environment, name),
  constraint segment_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint segment_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint segment_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint segment_query_check CHECK ((jsonb_typeof(query) = 'object'::text))
);
alter table segment enable row level security;
alter table segment force row level security;
create policy own_tenant on segment using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on segment to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON segment REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table session (
  tenant_id uuid not null,
  id text not null,
  user_id text not null,
  environment text not null,
  refresh_id text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  previous_refresh_id text,
  refreshed_at timestamp with time zone,
  ip text,
  user_agent text,
  proven_at timestamp with time zone,
  signed_in_by text not null default 'password'::text,
  constraint session_pkey PRIMARY KEY (tenant_id, id),
  constraint session_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES member(tenant_id, user_id) ON DELETE CASCADE,
  constraint session_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint session_ip_check CHECK ((length(ip) <= 100)),
  constraint session_signed_in_by_check CHECK ((signed_in_by = ANY (ARRAY['password'::text, 'provider'::text]))),
  constraint session_user_agent_check CHECK ((length(user_agent) <= 300))
);
CREATE INDEX session_expires_at_idx ON session USING btree (expires_at);
CREATE INDEX session_tenant_id_user_id_idx ON session USING btree (tenant_id, user_id);
CREATE INDEX session_user_id_idx ON session USING btree (user_id) WHERE (revoked_at IS NULL);
alter table session enable row level security;
alter table session force row level security;
create policy own_tenant on session using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on session to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE ON session FOR EACH ROW EXECUTE FUNCTION keep_in_directory('session', 'id');

create table short_link (
  tenant_id uuid not null,
  code text not null,
  environment text not null,
  broadcast_id text not null,
  message_id text not null,
  url_id text not null,
  first_click_at timestamp with time zone,
  constraint short_link_pkey PRIMARY KEY (tenant_id, code),
  constraint short_link_code_check CHECK ((code ~ '^[0-9a-hjkmnp-tv-z]{8,16}$'::text))
);
alter table short_link enable row level security;
alter table short_link force row level security;
create policy own_tenant on short_link using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on short_link to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT ON short_link REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION list_short_links();

create unlogged table sign_in_window (
  key text not null,
  tried_at timestamp with time zone[] not null,
  constraint sign_in_window_pkey PRIMARY KEY (key)
);
CREATE INDEX sign_in_window_tried_at_idx ON sign_in_window USING btree ((tried_at[cardinality(tried_at)]));

create table signing_key (
  id text not null,
  public_jwk jsonb not null,
  sealed_private_jwk text not null,
  created_at timestamp with time zone not null default clock_timestamp(),
  constraint signing_key_pkey PRIMARY KEY (id)
);

create table supplier_response (
  tenant_id uuid not null,
  id text not null,
  document_id text not null,
  environment text not null,
  answer jsonb not null,
  xml text,
  state text not null default 'waiting'::text,
  reason text,
  sent_at timestamp with time zone,
  reference text,
  made_by text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint supplier_response_pkey PRIMARY KEY (tenant_id, id),
  constraint supplier_response_tenant_id_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES received_document(tenant_id, id),
  constraint supplier_response_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint supplier_response_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sent'::text, 'delivered'::text, 'refused'::text])))
);
CREATE INDEX supplier_response_by_document ON supplier_response USING btree (tenant_id, document_id, id);
alter table supplier_response enable row level security;
alter table supplier_response force row level security;
create policy own_tenant on supplier_response using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table tag (
  tenant_id uuid not null,
  id text not null,
  name text not null,
  colour text,
  created_at timestamp with time zone not null,
  constraint tag_pkey PRIMARY KEY (tenant_id, id),
  constraint tag_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tag_colour_check CHECK ((colour ~ '^#[0-9a-f]{6}$'::text)),
  constraint tag_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100)))
);
CREATE UNIQUE INDEX tag_tenant_id_lower_idx ON tag USING btree (tenant_id, lower(name));
alter table tag enable row level security;
alter table tag force row level security;
create policy own_tenant on tag using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON tag REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table tenant (
  id uuid not null,
  name text not null,
  limits jsonb not null default '{}'::jsonb,
  created_at timestamp with time zone not null default now(),
  suspended_at timestamp with time zone,
  deleting_at timestamp with time zone,
  constraint tenant_pkey PRIMARY KEY (id),
  constraint deleting_is_suspended CHECK (((deleting_at IS NULL) OR (suspended_at IS NOT NULL))),
  constraint tenant_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
alter table tenant enable row level security;
alter table tenant force row level security;
create policy own_tenant on tenant using ((id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on tenant to owner using (true) with check (true);

create table tenant_directory (
  kind text not null,
  key text not null,
  tenant_id uuid not null,
  constraint tenant_directory_pkey PRIMARY KEY (kind, key),
  constraint tenant_directory_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tenant_directory_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'api_key'::text, 'channel_app'::text, 'custom_domain'::text, 'enrolment_token'::text, 'invitation'::text, 'participant'::text, 'session'::text, 'short_link'::text, 'sign_in_name'::text, 'voice_provider'::text])))
);
CREATE INDEX tenant_directory_tenant_id_idx ON tenant_directory USING btree (tenant_id);
alter table tenant_directory enable row level security;
alter table tenant_directory force row level security;
create policy own_tenant on tenant_directory using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on tenant_directory to owner using (true) with check (true);

create table text_part (
  tenant_id uuid not null,
  environment text not null,
  app_id text not null,
  address text not null,
  reference text not null,
  number smallint not null,
  total smallint not null,
  provider_id text not null,
  text text not null,
  created_at timestamp with time zone not null,
  constraint text_part_pkey PRIMARY KEY (tenant_id, app_id, address, reference, number)
);
CREATE INDEX text_part_created_at_idx ON text_part USING brin (created_at);
alter table text_part enable row level security;
alter table text_part force row level security;
create policy own_tenant on text_part using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on text_part to owner using (true) with check (true);

create table tracked_url (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  broadcast_id text not null,
  url text not null,
  links integer not null,
  clicks integer not null default 0,
  unique_clicks integer not null default 0,
  bot_clicks integer not null default 0,
  constraint tracked_url_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint tracked_url_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint tracked_url_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint tracked_url_url_check CHECK ((length(url) <= 2000))
);
CREATE INDEX tracked_url_broadcast_id_id_idx ON tracked_url USING btree (broadcast_id, id);
CREATE UNIQUE INDEX tracked_url_tenant_id_broadcast_id_md5_idx ON tracked_url USING btree (tenant_id, broadcast_id, md5(url));
alter table tracked_url enable row level security;
alter table tracked_url force row level security;
create policy own_tenant on tracked_url using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on tracked_url to owner using (true) with check (true);

create table unrouted_webhook (
  tenant_id uuid not null,
  environment text not null,
  id text not null,
  channel text not null,
  number text not null,
  provider text not null,
  counts jsonb not null,
  body text not null,
  received_at timestamp with time zone not null,
  constraint unrouted_webhook_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint unrouted_webhook_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint unrouted_webhook_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint unrouted_webhook_number_check CHECK (((length(number) >= 1) AND (length(number) <= 100)))
);
CREATE INDEX unrouted_webhook_received_at_idx ON unrouted_webhook USING btree (received_at);
alter table unrouted_webhook enable row level security;
alter table unrouted_webhook force row level security;
create policy own_tenant on unrouted_webhook using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on unrouted_webhook to owner using (true) with check (true);

create table used_provider_token (
  tenant_id uuid not null,
  id text not null,
  expires_at timestamp with time zone not null,
  constraint used_provider_token_pkey PRIMARY KEY (tenant_id, id),
  constraint used_provider_token_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint used_provider_token_id_check CHECK ((length(id) <= 200))
);
CREATE INDEX used_provider_token_expires_at_idx ON used_provider_token USING btree (expires_at);
alter table used_provider_token enable row level security;
alter table used_provider_token force row level security;
create policy own_tenant on used_provider_token using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on used_provider_token to owner using (true) with check (true);

create table user_account (
  id text not null,
  email text not null,
  name text not null,
  password_hash text,
  created_at timestamp with time zone not null,
  home_tenant_id uuid,
  constraint user_account_pkey PRIMARY KEY (id),
  constraint user_account_home_tenant_id_fkey FOREIGN KEY (home_tenant_id) REFERENCES tenant(id),
  constraint user_account_email_check CHECK (((length(email) >= 3) AND (length(email) <= 254))),
  constraint user_account_has_a_password CHECK (((password_hash IS NULL) = (home_tenant_id IS NOT NULL))),
  constraint user_account_name_check CHECK (((length(name) >= 1) AND (length(name) <= 200)))
);
CREATE UNIQUE INDEX user_account_email ON user_account USING btree (email) WHERE (home_tenant_id IS NULL);
CREATE INDEX user_account_home ON user_account USING btree (home_tenant_id) WHERE (home_tenant_id IS NOT NULL);
alter table user_account enable row level security;
alter table user_account force row level security;
create policy fellow on user_account for select using ((EXISTS ( SELECT
   FROM member
  WHERE (member.user_id = user_account.id))));
create policy owner on user_account to owner using (true) with check (true);

create table voice_call (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  provider_id text not null,
  template_id text not null,
  to_number text not null,
  from_number text not null,
  variables jsonb not null,
  is_recorded boolean not null,
  machine_detection text not null,
  limit_seconds integer not null,
  status text not null,
  intent text not null default 'waiting'::text,
  asked_at timestamp with time zone,
  request_id text,
  provider_call_id text,
  answered_by text,
  hangup_cause text,
  error_code text,
  error_detail text,
  flow_state jsonb not null,
  hangup_asked boolean not null default false,
  rate jsonb not null,
  currency text not null,
  reserved numeric(24,6) not null,
  legs_reserved numeric(24,6) not null default 0,
  legs_cost numeric(24,6) not null default 0,
  legs_open integer not null default 0,
  duration_seconds integer,
  billed_seconds integer,
  cost numeric(24,6),
  created_at timestamp with time zone not null,
  rang_at timestamp with time zone,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  template_version integer not null default 1,
  constraint voice_call_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint voice_call_tenant_id_environment_provider_id_fkey FOREIGN KEY (tenant_id, environment, provider_id) REFERENCES voice_provider(tenant_id, environment, id),
  constraint voice_call_tenant_id_environment_template_id_fkey FOREIGN KEY (tenant_id, environment, template_id) REFERENCES voice_template(tenant_id, environment, id),
  constraint voice_call_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint voice_call_answered_by_check CHECK ((answered_by = ANY (ARRAY['human'::text, 'machine'::text]))),
  constraint voice_call_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint voice_call_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_call_from_number_check CHECK ((from_number ~ '^\+[1-9][0-9]{6,14}$'::text)),
  constraint voice_call_intent_check CHECK ((intent = ANY (ARRAY['waiting'::text, 'asked'::text, 'placed'::text, 'unknown'::text, 'refused'::text]))),
  constraint voice_call_legs_open_check CHECK ((legs_open >= 0)),
  constraint voice_call_machine_detection_check CHECK ((machine_detection = ANY (ARRAY['off'::text, 'continue'::text, 'hangup'::text]))),
  constraint voice_call_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'ringing'::text, 'in_progress'::text, 'completed'::text, 'busy'::text, 'no_answer'::text, 'canceled'::text, 'failed'::text, 'machine'::text, 'unknown'::text]))),
  constraint voice_call_to_number_check CHECK ((to_number ~ '^\+[1-9][0-9]{6,14}$'::text))
);
CREATE UNIQUE INDEX voice_call_of_provider ON voice_call USING btree (tenant_id, provider_id, provider_call_id) WHERE (provider_call_id IS NOT NULL);
CREATE INDEX voice_call_tenant_id_environment_provider_id_id_idx ON voice_call USING btree (tenant_id, environment, provider_id, id);
CREATE INDEX voice_call_tenant_id_environment_status_id_idx ON voice_call USING btree (tenant_id, environment, status, id);
CREATE INDEX voice_call_tenant_id_environment_to_number_id_idx ON voice_call USING btree (tenant_id, environment, to_number, id);
alter table voice_call enable row level security;
alter table voice_call force row level security;
create policy own_tenant on voice_call using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON voice_call REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table voice_call_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  call_id text not null,
  kind text not null,
  once text not null,
  data jsonb not null,
  at timestamp with time zone not null,
  constraint voice_call_event_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint voice_call_event_tenant_id_call_id_once_key UNIQUE (tenant_id, call_id, once),
  constraint voice_call_event_tenant_id_environment_call_id_fkey FOREIGN KEY (tenant_id, environment, call_id) REFERENCES voice_call(tenant_id, environment, id),
  constraint voice_call_event_kind_check CHECK ((kind = ANY (ARRAY['ringing'::text, 'answered'::text, 'dtmf'::text, 'transfer'::text, 'recording'::text, 'hangup'::text, 'leg'::text])))
);
CREATE INDEX voice_call_event_tenant_id_environment_call_id_id_idx ON voice_call_event USING btree (tenant_id, environment, call_id, id);
alter table voice_call_event enable row level security;
alter table voice_call_event force row level security;
create policy own_tenant on voice_call_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table voice_call_leg (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  call_id text not null,
  number integer not null,
  document integer not null,
  node text not null,
  to_address text not null,
  provider_leg_id text,
  status text not null,
  cause text,
  rate jsonb,
  started_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  ended_at timestamp with time zone,
  duration_seconds integer,
  billed_seconds integer,
  cost numeric(24,6),
  constraint voice_call_leg_pkey PRIMARY KEY (tenant_id, id),
  constraint voice_call_leg_tenant_id_call_id_number_key UNIQUE (tenant_id, call_id, number),
  constraint voice_call_leg_tenant_id_environment_call_id_fkey FOREIGN KEY (tenant_id, environment, call_id) REFERENCES voice_call(tenant_id, environment, id),
  constraint voice_call_leg_cost_check CHECK ((cost >= (0)::numeric)),
  constraint voice_call_leg_number_check CHECK ((number >= 2)),
  constraint voice_call_leg_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'ringing'::text, 'in_progress'::text, 'completed'::text, 'busy'::text, 'no_answer'::text, 'canceled'::text, 'failed'::text, 'unknown'::text]))),
  constraint voice_call_leg_to_address_check CHECK (((length(to_address) >= 1) AND (length(to_address) <= 300)))
);
CREATE UNIQUE INDEX voice_call_leg_tenant_id_call_id_provider_leg_id_idx ON voice_call_leg USING btree (tenant_id, call_id, provider_leg_id) WHERE (provider_leg_id IS NOT NULL);
alter table voice_call_leg enable row level security;
alter table voice_call_leg force row level security;
create policy own_tenant on voice_call_leg using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table voice_callback_once (
  tenant_id uuid not null,
  provider_id text not null,
  token text not null,
  seen_at timestamp with time zone not null,
  address text,
  constraint voice_callback_once_pkey PRIMARY KEY (tenant_id, provider_id, token),
  constraint voice_callback_once_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint voice_callback_once_token_check CHECK (((length(token) >= 1) AND (length(token) <= 200)))
);
CREATE INDEX voice_callback_once_seen_at_idx ON voice_callback_once USING btree (seen_at);
alter table voice_callback_once enable row level security;
alter table voice_callback_once force row level security;
create policy own_tenant on voice_callback_once using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on voice_callback_once to owner using (true) with check (true);

create table voice_former_flow (
  tenant_id uuid not null,
  environment text not null,
  template_id text not null,
  version integer not null,
  flow jsonb not null,
  replaced_at timestamp with time zone not null,
  constraint voice_former_flow_pkey PRIMARY KEY (tenant_id, environment, template_id, version),
  constraint voice_former_flow_tenant_id_environment_template_id_fkey FOREIGN KEY (tenant_id, environment, template_id) REFERENCES voice_template(tenant_id, environment, id),
  constraint voice_former_flow_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_former_flow_version_check CHECK ((version >= 1))
);
alter table voice_former_flow enable row level security;
alter table voice_former_flow force row level security;
create policy own_tenant on voice_former_flow using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table voice_provider (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  provider text not null,
  name text not null,
  settings_sealed text not null,
  flow_key_sealed text not null,
  from_number text not null,
  calls_per_second integer not null,
  recording_policy text not null,
  recording_days integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint voice_provider_pkey PRIMARY KEY (tenant_id, id),
  constraint voice_provider_tenant_id_environment_id_key UNIQUE (tenant_id, environment, id),
  constraint voice_provider_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint voice_provider_calls_per_second_check CHECK (((calls_per_second >= 1) AND (calls_per_second <= 50))),
  constraint voice_provider_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_provider_from_number_check CHECK ((from_number ~ '^\+[1-9][0-9]{6,14}$'::text)),
  constraint voice_provider_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint voice_provider_provider_check CHECK (((length(provider) >= 1) AND (length(provider) <= 40))),
  constraint voice_provider_recording_days_check CHECK (((recording_days >= 1) AND (recording_days <= 3650))),
  constraint voice_provider_recording_policy_check CHECK ((recording_policy = ANY (ARRAY['free'::text, 'announced'::text, 'consented'::text])))
);
CREATE INDEX voice_provider_tenant_id_environment_id_idx ON voice_provider USING btree (tenant_id, environment, id) WHERE (deleted_at IS NULL);
alter table voice_provider enable row level security;
alter table voice_provider force row level security;
create policy own_tenant on voice_provider using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on voice_provider to owner using (true) with check (true);
CREATE TRIGGER directory AFTER INSERT OR DELETE ON voice_provider FOR EACH ROW EXECUTE FUNCTION keep_in_directory('voice_provider', 'id');
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON voice_provider REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table voice_rate (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  prefix text not null,
  currency text not null,
  per_minute numeric(24,6) not null,
  connection_fee numeric(24,6) not null,
  first_seconds integer not null,
  step_seconds integer not null,
  valid_from timestamp with time zone not null,
  valid_until timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint voice_rate_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint voice_rate_tenant_id_environment_currency_prefix_valid_from_key UNIQUE (tenant_id, environment, currency, prefix, valid_from),
  constraint voice_rate_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint voice_rate_check CHECK ((valid_until > valid_from)),
  constraint voice_rate_connection_fee_check CHECK ((connection_fee >= (0)::numeric)),
  constraint voice_rate_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint voice_rate_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_rate_first_seconds_check CHECK (((first_seconds >= 1) AND (first_seconds <= 3600))),
  constraint voice_rate_per_minute_check CHECK ((per_minute >= (0)::numeric)),
  constraint voice_rate_prefix_check CHECK ((prefix ~ '^\+([1-9][0-9]{0,14})?$'::text)),
  constraint voice_rate_step_seconds_check CHECK (((step_seconds >= 1) AND (step_seconds <= 3600)))
);
alter table voice_rate enable row level security;
alter table voice_rate force row level security;
create policy own_tenant on voice_rate using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON voice_rate REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table voice_recording (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  call_id text not null,
  provider_recording_id text not null,
  source_url text,
  state text not null default 'fetching'::text,
  media_type text,
  bytes bigint,
  sha256 text,
  object_key text,
  duration_seconds integer,
  error text,
  created_at timestamp with time zone not null,
  stored_at timestamp with time zone,
  delete_after timestamp with time zone not null,
  constraint voice_recording_pkey PRIMARY KEY (tenant_id, id),
  constraint voice_recording_tenant_id_call_id_provider_recording_id_key UNIQUE (tenant_id, call_id, provider_recording_id),
  constraint voice_recording_tenant_id_environment_call_id_fkey FOREIGN KEY (tenant_id, environment, call_id) REFERENCES voice_call(tenant_id, environment, id),
  constraint voice_recording_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint voice_recording_state_check CHECK ((state = ANY (ARRAY['fetching'::text, 'stored'::text, 'failed'::text, 'deleted'::text])))
);
CREATE INDEX voice_recording_delete_after_idx ON voice_recording USING btree (delete_after) WHERE (state = 'stored'::text);
CREATE INDEX voice_recording_tenant_id_environment_id_idx ON voice_recording USING btree (tenant_id, environment, id);
alter table voice_recording enable row level security;
alter table voice_recording force row level security;
create policy own_tenant on voice_recording using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on voice_recording to owner using (true) with check (true);

create table voice_recording_consent (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  phone text not null,
  call_id text,
  state text not null,
  method text not null,
  evidence text not null,
  recorded_by text not null,
  given_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  constraint voice_recording_consent_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint voice_recording_consent_tenant_id_environment_call_id_fkey FOREIGN KEY (tenant_id, environment, call_id) REFERENCES voice_call(tenant_id, environment, id),
  constraint voice_recording_consent_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint voice_recording_consent_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_recording_consent_evidence_check CHECK (((length(evidence) >= 1) AND (length(evidence) <= 2000))),
  constraint voice_recording_consent_phone_check CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text)),
  constraint voice_recording_consent_state_check CHECK ((state = ANY (ARRAY['granted'::text, 'revoked'::text])))
);
CREATE INDEX voice_recording_consent_tenant_id_environment_phone_id_idx ON voice_recording_consent USING btree (tenant_id, environment, phone, id);
alter table voice_recording_consent enable row level security;
alter table voice_recording_consent force row level security;
create policy own_tenant on voice_recording_consent using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER append_only BEFORE DELETE OR UPDATE ON voice_recording_consent FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON voice_recording_consent REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table voice_reported_transcription (
  tenant_id uuid not null,
  environment text not null,
  call_id text not null,
  provider_recording_id text not null,
  kind text not null,
  value text not null,
  reported_at timestamp with time zone not null,
  constraint voice_reported_transcription_pkey PRIMARY KEY (tenant_id, environment, call_id, provider_recording_id),
  constraint voice_reported_transcription_tenant_id_environment_call_id_fkey FOREIGN KEY (tenant_id, environment, call_id) REFERENCES voice_call(tenant_id, environment, id) ON DELETE CASCADE,
  constraint voice_reported_transcription_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_reported_transcription_kind_check CHECK ((kind = ANY (ARRAY['text'::text, 'address'::text, 'failed'::text]))),
  constraint voice_reported_transcription_provider_recording_id_check CHECK ((length(provider_recording_id) <= 200))
);
CREATE INDEX voice_reported_transcription_reported_at_idx ON voice_reported_transcription USING btree (reported_at);
alter table voice_reported_transcription enable row level security;
alter table voice_reported_transcription force row level security;
create policy own_tenant on voice_reported_transcription using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table voice_template (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  name text not null,
  flow jsonb not null,
  created_at timestamp with time zone not null,
  removed_at timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp with time zone,
  constraint voice_template_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint voice_template_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint voice_template_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_template_name_check CHECK (((length(name) >= 1) AND (length(name) <= 100))),
  constraint voice_template_version_check CHECK ((version >= 1))
);
CREATE INDEX voice_template_tenant_id_environment_id_idx ON voice_template USING btree (tenant_id, environment, id) WHERE (removed_at IS NULL);
alter table voice_template enable row level security;
alter table voice_template force row level security;
create policy own_tenant on voice_template using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON voice_template REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table voice_transcription (
  tenant_id uuid not null,
  recording_id text not null,
  environment text not null,
  state text not null default 'pending'::text,
  text text,
  language text,
  reason text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  constraint voice_transcription_pkey PRIMARY KEY (tenant_id, recording_id),
  constraint voice_transcription_tenant_id_recording_id_fkey FOREIGN KEY (tenant_id, recording_id) REFERENCES voice_recording(tenant_id, id) ON DELETE CASCADE,
  constraint voice_transcription_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint voice_transcription_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'completed'::text, 'failed'::text])))
);
alter table voice_transcription enable row level security;
alter table voice_transcription force row level security;
create policy own_tenant on voice_transcription using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table voice_trunk (
  tenant_id uuid not null,
  provider_id text not null,
  state text not null,
  since timestamp with time zone not null,
  heard_at timestamp with time zone,
  last_error text,
  constraint voice_trunk_pkey PRIMARY KEY (tenant_id, provider_id),
  constraint voice_trunk_tenant_id_provider_id_fkey FOREIGN KEY (tenant_id, provider_id) REFERENCES voice_provider(tenant_id, id),
  constraint voice_trunk_state_check CHECK ((state = ANY (ARRAY['connecting'::text, 'connected'::text, 'lost'::text])))
);
alter table voice_trunk enable row level security;
alter table voice_trunk force row level security;
create policy own_tenant on voice_trunk using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table waba (
  tenant_id uuid not null,
  environment text not null,
  account_id text not null,
  name text,
  currency text,
  time_zone text,
  phone_numbers jsonb not null default '[]'::jsonb,
  updated_at timestamp with time zone not null,
  constraint waba_pkey PRIMARY KEY (tenant_id, environment),
  constraint waba_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint waba_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
alter table waba enable row level security;
alter table waba force row level security;
create policy own_tenant on waba using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table wallet (
  tenant_id uuid not null,
  environment text not null,
  currency text not null,
  balance numeric(24,6) not null default 0,
  reserved numeric(24,6) not null default 0,
  low_at numeric(24,6),
  is_low boolean not null default false,
  constraint wallet_pkey PRIMARY KEY (tenant_id, environment),
  constraint wallet_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint wallet_balance_check CHECK ((balance >= (0)::numeric)),
  constraint wallet_check CHECK ((reserved <= balance)),
  constraint wallet_currency_check CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  constraint wallet_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint wallet_low_at_check CHECK ((low_at >= (0)::numeric)),
  constraint wallet_reserved_check CHECK ((reserved >= (0)::numeric))
);
alter table wallet enable row level security;
alter table wallet force row level security;
create policy own_tenant on wallet using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on wallet to owner using (true) with check (true);

create table wallet_entry (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  kind text not null,
  amount numeric(24,6) not null,
  balance_after numeric(24,6) not null,
  reference text not null,
  created_at timestamp with time zone not null,
  constraint wallet_entry_pkey PRIMARY KEY (tenant_id, environment, id),
  constraint wallet_entry_tenant_id_environment_kind_reference_key UNIQUE (tenant_id, environment, kind, reference),
  constraint wallet_entry_tenant_id_environment_fkey FOREIGN KEY (tenant_id, environment) REFERENCES wallet(tenant_id, environment),
  constraint wallet_entry_kind_check CHECK ((kind = ANY (ARRAY['top_up'::text, 'correction'::text, 'charge'::text])))
);
alter table wallet_entry enable row level security;
alter table wallet_entry force row level security;
create policy own_tenant on wallet_entry using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table wallet_hold (
  tenant_id uuid not null,
  environment text not null,
  reference text not null,
  amount numeric(24,6) not null,
  state text not null default 'open'::text,
  created_at timestamp with time zone not null,
  constraint wallet_hold_pkey PRIMARY KEY (tenant_id, environment, reference),
  constraint wallet_hold_tenant_id_environment_fkey FOREIGN KEY (tenant_id, environment) REFERENCES wallet(tenant_id, environment),
  constraint wallet_hold_amount_check CHECK ((amount >= (0)::numeric)),
  constraint wallet_hold_reference_check CHECK (((length(reference) >= 1) AND (length(reference) <= 200))),
  constraint wallet_hold_state_check CHECK ((state = ANY (ARRAY['open'::text, 'settled'::text, 'released'::text])))
);
alter table wallet_hold enable row level security;
alter table wallet_hold force row level security;
create policy own_tenant on wallet_hold using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));

create table webhook_attempt (
  tenant_id uuid not null,
  endpoint_id text not null,
  event_id text not null,
  n smallint not null,
  at timestamp with time zone not null,
  ms integer not null,
  status smallint,
  error text,
  response_head text not null,
  response_body text not null,
  constraint webhook_attempt_pkey PRIMARY KEY (tenant_id, endpoint_id, event_id, n)
);
alter table webhook_attempt enable row level security;
alter table webhook_attempt force row level security;
create policy own_tenant on webhook_attempt using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_attempt to owner using (true) with check (true);

create table webhook_delivery (
  tenant_id uuid not null,
  endpoint_id text not null,
  environment text not null,
  event_id text not null,
  seq bigint not null generated always as identity,
  subject_id text not null,
  state text not null default 'pending'::text,
  attempt smallint not null default 0,
  round_start smallint not null default 0,
  next_at timestamp with time zone not null default now(),
  is_test boolean not null default false,
  last_status smallint,
  created_at timestamp with time zone not null default now(),
  settled_at timestamp with time zone,
  is_fresh boolean not null default true,
  is_kept_back boolean not null default false,
  scheduled_at timestamp with time zone,
  wake_after timestamp with time zone,
  answered_since timestamp with time zone,
  set_aside_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (tenant_id, endpoint_id, environment, event_id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'failed'::text])))
) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_vacuum_cost_delay=1);
CREATE INDEX webhook_delivery_blocking ON webhook_delivery USING btree (tenant_id, endpoint_id, subject_id, seq, event_id) WHERE ((state = 'pending'::text) AND ((NOT is_fresh) OR is_kept_back) AND (set_aside_at IS NULL) AND (NOT is_test));
CREATE INDEX webhook_delivery_by_age ON webhook_delivery USING brin (created_at);
CREATE INDEX webhook_delivery_failed ON webhook_delivery USING btree (tenant_id, endpoint_id, environment, event_id) WHERE (state = 'failed'::text);
CREATE INDEX webhook_delivery_fresh ON webhook_delivery USING btree (tenant_id, endpoint_id, seq) WHERE ((state = 'pending'::text) AND is_fresh AND (NOT is_kept_back));
CREATE INDEX webhook_delivery_pending ON webhook_delivery USING btree (tenant_id, endpoint_id, environment, event_id) WHERE (state = 'pending'::text);
CREATE INDEX webhook_delivery_retry ON webhook_delivery USING btree (tenant_id, endpoint_id, next_at, seq) WHERE ((state = 'pending'::text) AND (NOT is_fresh) AND (NOT is_kept_back));
CREATE INDEX webhook_delivery_set_aside ON webhook_delivery USING btree (tenant_id, endpoint_id, environment, event_id) WHERE ((state = 'pending'::text) AND (set_aside_at IS NOT NULL));
CREATE INDEX webhook_delivery_test ON webhook_delivery USING btree (tenant_id, endpoint_id) WHERE ((state = 'pending'::text) AND is_test);
CREATE INDEX webhook_delivery_wake ON webhook_delivery USING btree (tenant_id, endpoint_id, wake_after) WHERE ((state = 'pending'::text) AND (NOT is_fresh) AND (NOT is_kept_back));
alter table webhook_delivery enable row level security;
alter table webhook_delivery force row level security;
create policy own_tenant on webhook_delivery using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_delivery to owner using (true) with check (true);

create table webhook_endpoint (
  tenant_id uuid not null,
  id text not null,
  service text not null,
  environment text,
  url text not null,
  event_types text[] not null default '{}'::text[],
  description text not null default ''::text,
  state text not null default 'active'::text,
  disabled_reason text,
  secrets jsonb not null,
  breaker jsonb not null default '{"state": "closed", "samples": [], "probeAtMs": 0}'::jsonb,
  failing_since timestamp with time zone,
  rate integer not null default 200,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  deleted_at timestamp with time zone,
  recovered_at timestamp with time zone,
  constraint webhook_endpoint_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_endpoint_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES tenant(id),
  constraint webhook_endpoint_description_check CHECK ((length(description) <= 500)),
  constraint webhook_endpoint_disabled_reason_check CHECK ((disabled_reason = ANY (ARRAY['requested'::text, 'gone'::text, 'failing'::text]))),
  constraint webhook_endpoint_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text]))),
  constraint webhook_endpoint_rate_check CHECK (((rate >= 1) AND (rate <= 200))),
  constraint webhook_endpoint_service_check CHECK ((service = ANY (ARRAY['einvoice'::text, 'messaging'::text]))),
  constraint webhook_endpoint_state_check CHECK ((state = ANY (ARRAY['active'::text, 'degraded'::text, 'disabled'::text]))),
  constraint webhook_endpoint_url_check CHECK (((length(url) >= 1) AND (length(url) <= 2000)))
);
CREATE INDEX webhook_endpoint_id_idx ON webhook_endpoint USING btree (id);
CREATE INDEX webhook_endpoint_of_tenant ON webhook_endpoint USING btree (tenant_id, service, id);
alter table webhook_endpoint enable row level security;
alter table webhook_endpoint force row level security;
create policy own_tenant on webhook_endpoint using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_endpoint to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON webhook_endpoint REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

create table webhook_event (
  tenant_id uuid not null,
  id text not null,
  environment text not null,
  service text not null,
  type text not null,
  subject_id text not null,
  payload json not null,
  created_at timestamp with time zone not null,
  traceparent text,
  is_undelivered boolean not null default false,
  constraint webhook_event_pkey PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_event_of_invoice ON webhook_event USING btree (tenant_id, subject_id) WHERE (service = 'einvoice'::text);
CREATE INDEX webhook_event_undelivered ON webhook_event USING btree (created_at) WHERE is_undelivered;
alter table webhook_event enable row level security;
alter table webhook_event force row level security;
create policy own_tenant on webhook_event using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_event to owner using (true) with check (true);

create table webhook_proof (
  tenant_id uuid not null,
  app_id text not null,
  proof text not null,
  created_at timestamp with time zone not null,
  constraint webhook_proof_pkey PRIMARY KEY (tenant_id, app_id, proof),
  constraint webhook_proof_proof_check CHECK (((length(proof) >= 1) AND (length(proof) <= 200)))
);
CREATE INDEX webhook_proof_created_at_idx ON webhook_proof USING brin (created_at);
alter table webhook_proof enable row level security;
alter table webhook_proof force row level security;
create policy own_tenant on webhook_proof using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_proof to owner using (true) with check (true);

create table webhook_queue (
  tenant_id uuid not null,
  endpoint_id text not null,
  owner uuid not null,
  until timestamp with time zone not null,
  ready_at timestamp with time zone not null,
  constraint webhook_queue_pkey PRIMARY KEY (tenant_id, endpoint_id)
);
alter table webhook_queue enable row level security;
alter table webhook_queue force row level security;
create policy own_tenant on webhook_queue using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_queue to owner using (true) with check (true);

create table webhook_replay (
  tenant_id uuid not null,
  id text not null,
  endpoint_id text not null,
  environment text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  events text[] not null,
  only_failed boolean not null,
  count integer not null,
  created_at timestamp with time zone not null,
  constraint webhook_replay_pkey PRIMARY KEY (tenant_id, id),
  constraint webhook_replay_environment_check CHECK ((environment = ANY (ARRAY['live'::text, 'sandbox'::text])))
);
CREATE INDEX webhook_replay_by_age ON webhook_replay USING brin (created_at);
alter table webhook_replay enable row level security;
alter table webhook_replay force row level security;
create policy own_tenant on webhook_replay using ((tenant_id = ( SELECT current_tenant() AS current_tenant)));
create policy owner on webhook_replay to owner using (true) with check (true);
CREATE TRIGGER forget_idempotency_keys AFTER DELETE ON webhook_replay REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_idempotency_keys();

CREATE FUNCTION add_account(new_id text, address text, full_name text, hash text, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into user_account values (new_id, address, full_name, hash, at)
  $function$
;

CREATE FUNCTION add_control_plane_identity(public text, sealed_secret text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into control_plane_identity (public_key, sealed_secret_key) values (public, sealed_secret)
  $function$
;

CREATE FUNCTION add_count_changes(most integer)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with taken as (
      delete from count_change where id in (
        select id from count_change where (select pg_try_advisory_xact_lock(7021071))
        order by id limit most)
      returning *
    ), of_broadcasts as (
      insert into broadcast_count as c (tenant_id, environment, broadcast_id, hour, unknown, sent,
        delivered, read, failed, canceled, skipped, clicks, bot_clicks, clicked, replied)
      select tenant_id, environment, broadcast_id, hour, sum(unknown), sum(sent), sum(delivered),
        sum(read), sum(failed), sum(canceled), sum(skipped), sum(clicks), sum(bot_clicks),
        sum(clicked), sum(replied)
      from taken group by tenant_id, environment, broadcast_id, hour
      on conflict (tenant_id, broadcast_id, hour) do update set unknown = c.unknown + excluded.unknown,
        sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
        read = c.read + excluded.read, failed = c.failed + excluded.failed,
        canceled = c.canceled + excluded.canceled, skipped = c.skipped + excluded.skipped,
        clicks = c.clicks + excluded.clicks, bot_clicks = c.bot_clicks + excluded.bot_clicks,
        clicked = c.clicked + excluded.clicked, replied = c.replied + excluded.replied
    ), of_channels as (
      insert into channel_count as c (tenant_id, environment, channel, hour, unknown, sent, delivered,
        read, failed, canceled, skipped, clicks, bot_clicks, clicked, replied)
      select tenant_id, environment, channel, hour, sum(unknown), sum(sent), sum(delivered),
        sum(read), sum(failed), sum(canceled), sum(skipped), sum(clicks), sum(bot_clicks),
        sum(clicked), sum(replied)
      from taken group by tenant_id, environment, channel, hour
      on conflict (tenant_id, environment, channel, hour) do update set
        unknown = c.unknown + excluded.unknown,
        sent = c.sent + excluded.sent, delivered = c.delivered + excluded.delivered,
        read = c.read + excluded.read, failed = c.failed + excluded.failed,
        canceled = c.canceled + excluded.canceled, skipped = c.skipped + excluded.skipped,
        clicks = c.clicks + excluded.clicks, bot_clicks = c.bot_clicks + excluded.bot_clicks,
        clicked = c.clicked + excluded.clicked, replied = c.replied + excluded.replied
    )
    select count(*) from taken
  $function$
;

CREATE FUNCTION add_document_signing_key(new_id text, public jsonb, sealed_private text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into document_signing_key (id, public_jwk, sealed_private_jwk)
      values (new_id, public, sealed_private)
  $function$
;

CREATE FUNCTION add_first_control_plane_identity(public text, sealed_secret text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(7314203);
  insert into control_plane_identity (public_key, sealed_secret_key)
    select public, sealed_secret where not exists (select from control_plane_identity);
end $function$
;

CREATE FUNCTION add_first_document_signing_key(new_id text, public jsonb, sealed_private text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(7314179);
  insert into document_signing_key (id, public_jwk, sealed_private_jwk)
    select new_id, public, sealed_private where not exists (select from document_signing_key);
end $function$
;

CREATE FUNCTION add_first_signing_key(new_id text, public jsonb, sealed_private text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(7314161);
  insert into signing_key (id, public_jwk, sealed_private_jwk)
    select new_id, public, sealed_private where not exists (select from signing_key);
end $function$
;

CREATE FUNCTION add_password_reset(address text, hash bytea, at timestamp with time zone, until timestamp with time zone, open_max integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  person text;
begin
  select id into person from user_account where email = address and home_tenant_id is null for update;
  if person is null then return false; end if;
  if (select count(*) from password_reset where user_id = person and expires_at > at) >= open_max
    then return false; end if;
  insert into password_reset values (hash, person, at, until);
  return true;
end $function$
;

CREATE FUNCTION add_provider_account(new_id text, address text, full_name text, at timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into user_account (id, email, name, password_hash, created_at, home_tenant_id)
    values (new_id, address, full_name, null, at, current_tenant())
  $function$
;

CREATE FUNCTION add_signing_key(new_id text, public jsonb, sealed_private text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into signing_key (id, public_jwk, sealed_private_jwk)
      values (new_id, public, sealed_private)
  $function$
;

CREATE FUNCTION add_tenant(new_id uuid, new_name text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into tenant (id, name) values (new_id, new_name)
  $function$
;

CREATE FUNCTION agents_behind_control_plane_key(wanted_key text, agents_max integer)
 RETURNS TABLE(tenant_id uuid, id text, hostname text, software text, seen_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select a.tenant_id, a.id, a.hostname, a.software, a.seen_at from agent a
    join control_plane_identity i on i.public_key = a.control_plane_key
    where a.revoked_at is null
      and i.number < (select number from control_plane_identity where public_key = wanted_key)
    order by a.seen_at nulls first, a.tenant_id, a.id limit agents_max
  $function$
;

CREATE FUNCTION analyze_grown()
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  rows_min constant int := 1000;
  grown regclass;
  looked_at int := 0;
begin
  -- One node at a time; the next one finds nothing to do.
  if not pg_try_advisory_xact_lock(7403192) then return 0; end if;
  for grown in
    select c.oid from pg_class c
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and pg_get_userbyid(c.relowner) = current_user
      and pg_stat_get_live_tuples(c.oid) > greatest(rows_min, 4 * c.reltuples)
      -- Queues say themselves when they want to be looked at: what they hold now is gone by then.
      and coalesce(array_to_string(c.reloptions, ' '), '') not like '%autovacuum_analyze%'
  loop
    execute format('analyze %s', grown);
    looked_at := looked_at + 1;
  end loop;
  return looked_at;
end $function$
;

CREATE FUNCTION begin_second_factor(person text, sealed text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into second_factor (user_id, sealed_secret, created_at) values (person, sealed, at)
    on conflict (user_id) do update set sealed_secret = excluded.sealed_secret,
      created_at = excluded.created_at
      where second_factor.confirmed_at is null;
  return found;
end $function$
;

CREATE FUNCTION begin_tenant_deletion(of_tenant uuid)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with changed as (
      update tenant set deleting_at = coalesce(deleting_at, now())
      where id = of_tenant and suspended_at is not null returning id
    )
    select exists (select from changed)
  $function$
;

CREATE FUNCTION change_password(person text, old_hash text, new_hash text, from_session text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update user_account set password_hash = new_hash where id = person and password_hash = old_hash;
  if not found then return false; end if;
  delete from password_reset where user_id = person;
  perform end_sessions_of(person, from_session, at);
  return true;
end $function$
;

CREATE FUNCTION claim_doubtful_jobs(wanted_queue text, after_tenant uuid, claim uuid, lease_ms integer, losses_max integer, most integer)
 RETURNS SETOF job
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with first as materialized (
      select j.tenant_id, j.id, losses_of(j, lease_ms) as losses,
        case when j.attempts >= 5 or losses_of(j, lease_ms) >= losses_max - 1 then 1
          else least(most, 4 ^ least(losses_max - 1 - losses_of(j, lease_ms), 10))::int end as size
      from job j
      where j.queue = wanted_queue and j.parked_at is null and (j.losses > 0 or j.attempts >= 5)
        and j.run_at <= (select clock_timestamp()) and is_doubtful(j, lease_ms)
        and (select t.suspended_at from tenant t where t.id = j.tenant_id) is null
      order by j.tenant_id <= after_tenant, j.tenant_id, j.run_at
      limit 1 for update of j skip locked
    ), due as materialized (
      select j.tenant_id, j.id, first.losses from first
      join job j on j.queue = wanted_queue and j.tenant_id = first.tenant_id
      where j.id = first.id or (first.size > 1 and j.parked_at is null and j.losses > 0 and j.attempts < 5
        and j.run_at <= (select clock_timestamp()) and losses_of(j, lease_ms) = first.losses)
      order by j.id <> first.id, j.run_at
      limit (select size from first) for update of j skip locked
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $function$
;

CREATE FUNCTION claim_jobs(wanted_queue text, tenants uuid[], share integer, wanted integer, claim uuid, lease_ms integer)
 RETURNS SETOF job
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with due as materialized (
      select picked.tenant_id, picked.id, picked.losses from unnest(tenants) as t (tenant_id)
      cross join lateral (
        select j.tenant_id, j.id, losses_of(j, lease_ms) as losses from job j
        where j.queue = wanted_queue and j.tenant_id = t.tenant_id and j.parked_at is null
          and j.run_at <= (select clock_timestamp()) and not is_doubtful(j, lease_ms)
        order by j.run_at limit share for update skip locked
      ) picked limit wanted
    )
    update job set claim_id = claim, attempts = attempts + 1, losses = due.losses,
      claimed_at = clock_timestamp(), run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from due where job.tenant_id = due.tenant_id and job.id = due.id returning job.*
  $function$
;

CREATE FUNCTION claim_webhook_queues(claimant uuid, wanted text[], at timestamp with time zone, lease_ms integer, queues_max integer)
 RETURNS TABLE(endpoint_id text, tenant_id uuid, wait_ms integer)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into webhook_queue as queue (tenant_id, endpoint_id, owner, until, ready_at)
    select e.tenant_id, e.id, claimant, clock_timestamp() + lease_ms * interval '1 ms',
      clock_timestamp()
    from webhook_endpoint e left join webhook_queue q
      on q.tenant_id = e.tenant_id and q.endpoint_id = e.id
    where e.deleted_at is null and (wanted is null or e.id = any (wanted))
      and (q.until is null or q.until <= clock_timestamp())
      and coalesce(
        (select true from webhook_delivery d
         where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
           and d.is_test limit 1),
        e.state <> 'disabled' and coalesce(
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and d.is_fresh and not d.is_kept_back limit 1),
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and not d.is_fresh and not d.is_kept_back and d.next_at <= at limit 1),
          (select true from webhook_delivery d
           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending'
             and not d.is_fresh and not d.is_kept_back and d.wake_after < e.recovered_at limit 1),
          false))
    order by e.id limit queues_max
    on conflict (tenant_id, endpoint_id) do update set owner = excluded.owner, until = excluded.until,
      ready_at = greatest(clock_timestamp(), queue.until + interval '1 second')
    where queue.until <= clock_timestamp()
    returning queue.endpoint_id, queue.tenant_id, greatest(0,
      ceil(extract(epoch from queue.ready_at - clock_timestamp()) * 1000))::integer
  $function$
;

CREATE FUNCTION confirm_second_factor(person text, sealed text, step bigint, hashes bytea[], from_session text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update second_factor set confirmed_at = at, last_step = step, recovery_hashes = hashes
    where user_id = person and sealed_secret = sealed and confirmed_at is null;
  if not found then return false; end if;
  perform end_sessions_of(person, from_session, at);
  return true;
end $function$
;

CREATE FUNCTION contacts_of_segment(of_environment text, of_segment text, after_id text DEFAULT ''::text, most integer DEFAULT NULL::integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  asked jsonb;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if not found then return; end if;
  if asked is null then
    return query select s.contact_id from contact_segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.segment_id = of_segment and s.contact_id > after_id
      order by s.contact_id limit most;
  else
    return query execute 'select c.id from contact c where c.tenant_id = $1 and c.environment = $2
      and c.id > $3 and ' || segment_filter(asked) || ' order by c.id limit $4'
      using current_tenant(), of_environment, after_id, most;
  end if;
end $function$
;

CREATE FUNCTION count_agents_by_control_plane_key()
 RETURNS TABLE(control_plane_key text, agents integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select control_plane_key, count(*)::int from agent where revoked_at is null group by 1
  $function$
;

CREATE FUNCTION count_open_at(of_environment text, instant timestamp with time zone, OUT open integer, OUT waiting integer)
 RETURNS record
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select
      (select count(*) from conversation_opening where tenant_id = current_tenant()
        and environment = of_environment
        and tstzrange(least(opened_at, closed_at), closed_at, '(]') @> instant),
      (select count(*) from conversation_response where tenant_id = current_tenant()
        and environment = of_environment
        and tstzrange(least(asked_at, ended_at), ended_at, '(]') @> instant)
  $function$
;

CREATE FUNCTION count_open_invoices(at timestamp with time zone, invoices_max integer)
 RETURNS TABLE(environment text, state text, invoices bigint, oldest_seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with suspended as materialized (
      select array(select id from tenant where suspended_at is not null) as ids
    )
    select e.environment, s.state,
      (select count(*) from (
         select from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted') and i.waits_for is null
           and i.tenant_id <> all (suspended.ids)
         order by i.created_at limit invoices_max) c),
      coalesce(extract(epoch from at - (
         select i.created_at from invoice i where i.environment = e.environment and i.state = s.state
           and i.state in ('received', 'validating', 'validated', 'submitted') and i.waits_for is null
           and i.tenant_id <> all (suspended.ids)
         order by i.created_at limit 1)), 0)
    from unnest(array['live', 'sandbox']) as e (environment)
    cross join unnest(array['received', 'validating', 'validated', 'submitted']) as s (state)
    cross join suspended
  $function$
;

CREATE FUNCTION count_parked_jobs()
 RETURNS TABLE(queue text, jobs bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select job.queue, count(*) from job where parked_at is not null group by job.queue
  $function$
;

CREATE FUNCTION count_pending_deliveries(deliveries_max integer)
 RETURNS TABLE(kind text, deliveries bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with suspended as materialized (
      select array(select id from tenant where suspended_at is not null) as ids
    )
    select 'new', (select count(*) from (
      select from webhook_delivery where state = 'pending' and is_fresh and not is_kept_back
        and tenant_id <> all (suspended.ids)
      order by tenant_id, endpoint_id limit deliveries_max) c) from suspended
    union all
    select 'retry', (select count(*) filter (where set_aside_at is null) from (
      select set_aside_at from webhook_delivery
      where state = 'pending' and not is_fresh and not is_kept_back
        and tenant_id <> all (suspended.ids)
      order by tenant_id, endpoint_id limit deliveries_max) c) from suspended
    union all
    select 'set_aside', (select count(*) from (
      select from webhook_delivery where state = 'pending' and set_aside_at is not null
        and tenant_id <> all (suspended.ids)
      order by tenant_id, endpoint_id limit deliveries_max) c) from suspended
  $function$
;

CREATE FUNCTION count_segment(of_environment text, of_segment text)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  asked jsonb;
  found_count bigint;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if asked is not null then
    return count_segment_query(of_environment, asked);
  end if;
  select count(*) into found_count from contact_segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.segment_id = of_segment;
  return found_count;
end $function$
;

CREATE FUNCTION count_segment_query(of_environment text, asked jsonb)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  found_count bigint;
begin
  execute 'select count(*) from contact c where c.tenant_id = $1 and c.environment = $2 and '
    || segment_filter(asked) into found_count using current_tenant(), of_environment;
  return found_count;
end $function$
;

CREATE FUNCTION count_waiting_jobs(queues text[], tenants_max integer, jobs_max integer)
 RETURNS TABLE(queue text, jobs bigint, oldest_seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select q.queue, w.jobs, w.oldest_seconds from unnest(queues) as q (queue)
    cross join lateral (
      with waiting as materialized (
        select t.tenant_id, -t.due_in_ms as waited_ms
        from job_tenants(q.queue, '00000000-0000-0000-0000-000000000000', tenants_max) t
        where t.due_in_ms <= 0
      )
      select (
          select count(*) from (
            select from waiting t cross join lateral (
              select from job j where j.queue = q.queue and j.tenant_id = t.tenant_id
                and j.parked_at is null and j.run_at <= statement_timestamp()
              order by j.run_at limit jobs_max) due
            limit jobs_max) c) as jobs,
        (select coalesce(max(waited_ms), 0) / 1000 from waiting) as oldest_seconds
    ) w
  $function$
;

CREATE FUNCTION current_tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
RETURN (NULLIF(current_setting('drawbridge.tenant'::text, true), ''::text))::uuid
;

CREATE FUNCTION delete_old_contacts(of_tenant uuid, of_environment text, before timestamp with time zone, below text, contacts_max integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  wanted text[];
begin
  select array_agg(id) into wanted from (
    select c.id from contact c
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id < below
      and greatest(c.created_at, c.updated_at, c.messages_until) < before
      and (select true from conversation v
        where v.tenant_id = of_tenant and v.environment = of_environment and v.contact_id = c.id
          and (v.state <> 'closed' or v.updated_at >= before)) is null
      and (select true from message m
        where m.tenant_id = of_tenant and m.environment = of_environment and m.contact_id = c.id
          and (m.created_at >= before or (select true from conversation v
            where v.tenant_id = of_tenant and v.environment = of_environment and v.contact_id = c.id
              and v.last_item_id = m.id) is null) limit 1) is null
      and (select true from inbox_call k
        where k.tenant_id = of_tenant and k.environment = of_environment and k.contact_id = c.id
          and k.created_at >= before limit 1) is null
    order by c.id limit contacts_max for update of c skip locked) ended;
  if wanted is null then return; end if;
  delete from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.contact_id = any (wanted);
  delete from contact c
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id = any (wanted);
  return query select unnest(wanted);
end $function$
;

CREATE FUNCTION delete_tenant_rows(wanted_table text, rows_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  deleted int;
begin
  if not exists (select from tenant where id = current_tenant() and deleting_at is not null) then
    raise exception 'the tenant is not being deleted';
  end if;
  if not exists (select from pg_attribute a where a.attname = 'tenant_id'
      and a.attrelid = to_regclass(format('public.%I', wanted_table))) then
    raise exception '% is no table of tenants', wanted_table;
  end if;
  execute format('delete from %I where tenant_id = $1 and ctid = any (array('
    'select ctid from %1$I where tenant_id = $1 limit $2))', wanted_table)
    using current_tenant(), rows_max;
  get diagnostics deleted = row_count;
  return deleted;
end $function$
;

CREATE FUNCTION drop_replaced_signing_keys(replaced_before timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with dropped as (
      delete from signing_key k where exists (
        select from signing_key n
        where (n.created_at, n.id) > (k.created_at, k.id) and n.created_at <= replaced_before)
      returning id)
    select count(*)::int from dropped
  $function$
;

CREATE FUNCTION due_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamp with time zone, fresh_max integer, retry_max integer)
 RETURNS TABLE(event_id text, environment text, seq bigint, subject_id text, attempt smallint, round_start smallint, is_test boolean, is_fresh boolean, is_blocked boolean, scheduled_at timestamp with time zone, wake_after timestamp with time zone, answered_since timestamp with time zone, is_set_aside boolean, payload text, traceparent text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with queue as materialized (
      select e.id, e.state = 'disabled' as is_disabled
      from webhook_queue q
      join webhook_endpoint e on e.tenant_id = q.tenant_id and e.id = q.endpoint_id
      where e.tenant_id = of_tenant and e.id = wanted and e.deleted_at is null
        and q.owner = claimant and q.until > clock_timestamp()
    ), due as (
      (select d.* from webhook_delivery d
       where exists (select from queue) and d.tenant_id = of_tenant and d.endpoint_id = wanted
         and d.state = 'pending' and d.is_test limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from queue) and d.tenant_id = of_tenant
         and d.endpoint_id = wanted and d.state = 'pending' and d.is_fresh and not d.is_kept_back
         and not d.is_test
       order by d.seq limit fresh_max)
      union all
      (select d.* from webhook_delivery d
       where (select not is_disabled from queue) and d.tenant_id = of_tenant
         and d.endpoint_id = wanted and d.state = 'pending' and not d.is_fresh
         and not d.is_kept_back and d.next_at <= at and not d.is_test
       order by d.next_at, d.seq limit retry_max)
    ), judged as (
      select due.*, not due.is_test and coalesce((select true from webhook_delivery b
        where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = due.subject_id
          and b.state = 'pending' and (not b.is_fresh or b.is_kept_back)
          and b.set_aside_at is null and not b.is_test
          and (b.seq, b.event_id) < (due.seq, due.event_id) limit 1), false) as is_blocked
      from due
    )
    select j.event_id, j.environment, j.seq, j.subject_id, j.attempt, j.round_start, j.is_test,
      j.is_fresh, j.is_blocked, j.scheduled_at, j.wake_after, j.answered_since,
      j.set_aside_at is not null, e.payload::text, e.traceparent
    from judged j join webhook_event e on e.tenant_id = of_tenant and e.id = j.event_id
  $function$
;

CREATE FUNCTION end_session_of(person text, of_tenant uuid, wanted text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update session set revoked_at = at
    where tenant_id = tenant_of('session', wanted) and id = wanted and user_id = person
      and (of_tenant is null or tenant_id = of_tenant)
      and revoked_at is null and expires_at > at;
  if not found then return false; end if;
  perform pg_notify('session', wanted);
  return true;
end $function$
;

CREATE FUNCTION end_sessions_of(person text, but text, at timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select end_sessions_of(person, null, but, at)
  $function$
;

CREATE FUNCTION end_sessions_of(person text, of_tenant uuid, but text, at timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  ended text;
  count int := 0;
begin
  for ended in update session set revoked_at = at
      where user_id = person and revoked_at is null and id is distinct from but
        and (of_tenant is null or tenant_id = of_tenant) returning id loop
    perform pg_notify('session', ended);
    count := count + 1;
  end loop;
  return count;
end $function$
;

CREATE FUNCTION end_tenant_deletion(of_tenant uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from user_account where home_tenant_id = of_tenant
      and exists (select from tenant where id = of_tenant and deleting_at is not null);
    delete from tenant where id = of_tenant and deleting_at is not null
  $function$
;

CREATE FUNCTION enrol_agent(token_hash bytea, new_id text, host text, key text, version text, trusted_key text)
 RETURNS TABLE(tenant_id uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with used as (
      update enrolment_token set used_at = now()
      where tenant_id = tenant_of('enrolment_token', hash_key(token_hash)) and hash = token_hash
        and used_at is null and expires_at > now()
        and (hostname is null or hostname = host)
      returning enrolment_token.tenant_id
    )
    insert into agent (id, tenant_id, hostname, public_key, software, control_plane_key)
    select new_id, used.tenant_id, host, key, version, trusted_key from used
    returning agent.tenant_id
  $function$
;

CREATE FUNCTION extend_claims(tenants uuid[], ids bigint[], claims uuid[], lease_ms integer)
 RETURNS SETOF bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from unnest(tenants, ids, claims) as held (tenant_id, id, claim_id)
    where job.tenant_id = held.tenant_id and job.id = held.id and job.claim_id = held.claim_id
    returning job.id
  $function$
;

CREATE FUNCTION find_account(wanted text)
 RETURNS SETOF user_account
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select * from user_account where email = wanted and home_tenant_id is null
  $function$
;

CREATE FUNCTION find_agent(wanted text)
 RETURNS TABLE(id text, tenant_id uuid, public_key text, control_plane_key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select id, tenant_id, public_key, control_plane_key from agent
    where tenant_id = tenant_of('agent', wanted) and id = wanted and revoked_at is null
  $function$
;

CREATE FUNCTION find_answered(in_environment text, wanted_number text, from_seller text, to_buyer text)
 RETURNS TABLE(tenant_id uuid, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select found.tenant_id, found.id from tenant t cross join lateral (
      select i.tenant_id, i.id from invoice i
      join invoice_content c on c.tenant_id = i.tenant_id and c.invoice_id = i.id
      where i.tenant_id = t.id and i.environment = in_environment and i.number = wanted_number
        and i.state in ('validated', 'submitted', 'delivered', 'cleared', 'acknowledged')
        and lower(c.cim #>> '{seller,endpoint_scheme}') || ':'
          || lower(c.cim #>> '{seller,endpoint}') = lower(from_seller)
        and lower(c.cim #>> '{buyer,endpoint_scheme}') || ':'
          || lower(c.cim #>> '{buyer,endpoint}') = lower(to_buyer)
      limit 20) found
  $function$
;

CREATE FUNCTION find_api_key(wanted text)
 RETURNS TABLE(key api_key, limits jsonb)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select k, t.limits from api_key k join tenant t on t.id = k.tenant_id
    where k.tenant_id = tenant_of('api_key', wanted) and k.id = wanted
  $function$
;

CREATE FUNCTION find_contacts(of_environment text, words text, attribute jsonb[], of_segment text, of_phone text, from_id text, until_id text, page_key text, is_backward boolean, most integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  wanted tsquery;
  asked jsonb;
  narrow text := '';
  first text := '';
  contacts text := 'contact';
  source text;
  id_column text := 'c.id';
  bounds text;
begin
  if current_tenant() is null then return; end if;
  if of_segment is not null then
    select s.query into asked from segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.id = of_segment;
  end if;
  -- Nothing is known beforehand of how rare an attribute or a word is, and to look for a rare one
  -- along the ids is to read all contacts; so the index is asked first, for whatever that finds.
  if attribute is not null then
    narrow := format('(%s)', (select string_agg(format('c.attributes @> ($4)[%s]', n), ' or ')
      from generate_series(1, cardinality(attribute)) n));
  end if;
  if narrow <> '' or asked @? '$.all[*] ? (exists (@.is) || exists (@.text))' then
    narrow := concat_ws(' and ', nullif(narrow, ''), segment_filter(asked));
    contacts := 'matched';
    first := 'with matched as materialized (
      select c.id, c.tenant_id, c.environment, c.phone, c.search from contact c
      where c.tenant_id = $1 and c.environment = $2 and ' || narrow || ') ';
  end if;
  source := format('select c.id from %s c where c.tenant_id = $1 and c.environment = $2', contacts);
  if asked is not null then
    if contacts = 'contact' then source := source || ' and ' || segment_filter(asked); end if;
  elsif of_segment is not null then
    source := format('select s.contact_id from contact_segment s join %s c
      on c.tenant_id = s.tenant_id and c.environment = s.environment and c.id = s.contact_id
      where s.tenant_id = $1 and s.environment = $2 and s.segment_id = $5', contacts);
    id_column := 's.contact_id';
  end if;
  if words is not null then
    -- Each word is the beginning of one; what is no word at all finds nothing.
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
      into wanted from unnest(to_tsvector('simple'::regconfig, words));
    if wanted is null then return; end if;
    source := source || ' and c.search @@ $3';
  end if;
  if of_phone is not null then
    source := source || ' and c.id = any (array(
      select p.id from contact p where p.tenant_id = $1 and p.environment = $2 and p.phone = $6
      union all select i.contact_id from contact_identity i where i.tenant_id = $1
        and i.environment = $2 and i.channel in (''wa'', ''sms'', ''rcs'', ''voice'') and i.external_id = $6))';
  end if;
  bounds := concat(case when from_id is not null then ' and %1$s >= $7' end,
    case when until_id is not null then ' and %1$s < $8' end,
    case when page_key is not null then ' and %1$s ' || case when is_backward then '>=' else '<' end || ' $9' end);
  source := source || format(bounds, id_column);
  -- What holds for one side of a join is not known of the other, which would be read from its first row on.
  if id_column <> 'c.id' then source := source || format(bounds, 'c.id'); end if;
  source := source || format(' order by %s %s limit $10', id_column,
    case when is_backward then 'asc' else 'desc' end);
  return query execute first || source using current_tenant(), of_environment, wanted, attribute,
    of_segment, of_phone, from_id, until_id, page_key, most;
end $function$
;

CREATE FUNCTION find_inbox_messages(of_environment text, of_contact text, of_channel text, words text, of_assignee text, of_state text, below text, from_id text, oldest_first boolean, most integer)
 RETURNS TABLE(message_id text, is_match boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
declare
  texts_max constant int := 2000;
  scanned_max constant int := 5000;
  few_conversations constant int := 200;
  tenant constant uuid := current_tenant();
  wanted constant tsquery := words_query(words);
  patterns constant text[] := word_patterns(words);
  read_max constant int := case when words is null then most else texts_max end;
  filters_conversations boolean := of_assignee is not null or of_state is not null;
  are_few boolean := false;
  is_all boolean := false;
  highest text;
  last_read text;
  ids text[] := '{}';
  found text[];
begin
  if tenant is null or words is not null and wanted is null then return; end if;
  below := coalesce(below, 'n');
  from_id := coalesce(from_id, '');
  if filters_conversations then
    select 'msg_' || max(c.last_item) || '0', count(*) < few_conversations into highest, are_few
    from (select c.last_item from conversation c
      where c.tenant_id = tenant and c.environment = of_environment
        and (of_contact is null or c.contact_id = of_contact) and is_listed(c, of_assignee, of_state)
      order by c.last_item desc limit few_conversations) c;
    if highest is null then return; end if;
    -- Nothing of these conversations is newer.
    below := least(below, highest);
    filters_conversations := of_contact is null;
  end if;

  if not (filters_conversations and are_few) then
    with scanned as materialized (
      select m.id, m.contact_id from message m
      where m.tenant_id = tenant and m.environment = of_environment
        and case when of_contact is null then m.broadcast_id is null and m.contact_id is not null
          else m.contact_id = of_contact end
        and (of_channel is null or m.channel = of_channel) and m.id < below and m.id >= from_id
      order by case when oldest_first then m.id end, m.id desc
      limit case when filters_conversations then scanned_max else read_max end)
    select array(
        select s.id from scanned s
        where not filters_conversations or s.contact_id in (select c.contact_id from conversation c
          where c.tenant_id = tenant and c.environment = of_environment
            and is_listed(c, of_assignee, of_state))
        order by case when oldest_first then s.id end, s.id desc limit read_max),
      (select case when oldest_first then max(s.id) else min(s.id) end from scanned s),
      (select count(*) < case when filters_conversations then scanned_max else read_max end from scanned)
      into ids, last_read, is_all;
  end if;
  if filters_conversations and not is_all and cardinality(ids) < most then
    ids := array(select * from find_messages_by_conversation(of_environment, of_channel, of_assignee,
      of_state, below, from_id, oldest_first, read_max));
    is_all := true;
  end if;
  if words is null then
    return query select id, true from unnest(ids) id;
    return;
  end if;

  if cardinality(ids) = read_max then
    is_all := false;
    last_read := ids[read_max];
  end if;
  found := array(
    select m.id from message m
    where m.tenant_id = tenant and m.environment = of_environment and m.id = any (ids)
      and lower(m.preview) like all (patterns) and message_words(m.preview) @@ wanted
    order by case when oldest_first then m.id end, m.id desc limit most);
  return query select id, true from unnest(found) id;
  if not is_all and cardinality(found) < most then
    return query select * from find_messages_by_words(of_environment, of_contact, of_channel, words,
      of_assignee, of_state, case when oldest_first then below else last_read end,
      case when oldest_first then last_read || '0' else from_id end, oldest_first,
      most - cardinality(found));
  end if;
end $function$
;

CREATE FUNCTION find_invitation(hash bytea, at timestamp with time zone)
 RETURNS TABLE(tenant_id uuid, email text, role text, einvoicing_role text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select tenant_id, email, role, einvoicing_role from invitation
    where tenant_id = tenant_of('invitation', hash_key(hash)) and token_hash = hash
      and expires_at > at
  $function$
;

CREATE FUNCTION find_job(wanted_id bigint)
 RETURNS SETOF job
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select * from job where id = wanted_id
  $function$
;

CREATE FUNCTION find_messages_by_conversation(of_environment text, of_channel text, of_assignee text, of_state text, below text, from_id text, oldest_first boolean, most integer)
 RETURNS SETOF text
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
AS $function$
begin
  return query
    with first_one as materialized (
      select c.contact_id, m.id from conversation c cross join lateral (
        select m.id from message m
        where m.tenant_id = current_tenant() and m.environment = of_environment
          and m.contact_id = c.contact_id and m.broadcast_id is null
          and (of_channel is null or m.channel = of_channel) and m.id < below and m.id >= from_id
        order by case when oldest_first then m.id end, m.id desc limit 1) m
      where c.tenant_id = current_tenant() and c.environment = of_environment
        and c.last_item >= substr(from_id, 5) and is_listed(c, of_assignee, of_state)
      order by case when oldest_first then m.id end, m.id desc limit most),
    last_one as materialized (
      select case when count(*) < most then case when oldest_first then below else from_id end
        when oldest_first then max(id) else min(id) end as id from first_one)
    select m.id from first_one f, last_one l cross join lateral (
      select m.id from message m
      where m.tenant_id = current_tenant() and m.environment = of_environment
        and m.contact_id = f.contact_id and m.broadcast_id is null
        and (of_channel is null or m.channel = of_channel) and m.id < below
        and m.id >= least(f.id, l.id) and m.id <= greatest(f.id, l.id)
      order by case when oldest_first then m.id end, m.id desc limit most) m
    order by case when oldest_first then m.id end, m.id desc limit most;
end $function$
;

CREATE FUNCTION find_messages_by_words(of_environment text, of_contact text, of_channel text, words text, of_assignee text, of_state text, below text, from_id text, oldest_first boolean, most integer)
 RETURNS TABLE(message_id text, is_match boolean)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_custom_plan'
 SET jit TO 'off'
 SET max_parallel_workers_per_gather TO '0'
AS $function$
declare
  matches_max constant int := 10000;
  tenant constant uuid := current_tenant();
  wanted constant tsquery := words_query(words);
  filters_conversations constant boolean := of_contact is null
    and (of_assignee is not null or of_state is not null);
  -- What is not read yet is below the one and from the other on.
  unread_below text := below;
  unread_from text := from_id;
  last_period text;
  period_count int := 1;
  periods text[];
  queries tsquery[];
  found text[] := '{}';
  more text[];
  matches int := 0;
  matched int;
  is_all boolean := false;
begin
  if tenant is null or wanted is null then return; end if;
  while cardinality(found) < most and matches < matches_max loop
    periods := search_periods(of_environment, unread_below, unread_from, oldest_first, period_count);
    is_all := periods = '{}';
    exit when is_all;
    queries := search_queries(words, array(
      select search_prefix(tenant, of_environment, period) from unnest(periods) period));
    with matching as materialized (
      select m.* from unnest(queries) query cross join lateral (
        select * from message m
        where m.broadcast_id is null and m.contact_id is not null
          and message_search_terms(m.tenant_id, m.environment, m.id, m.preview) @@ query offset 0) m
      where m.tenant_id = tenant and m.environment = of_environment)
    select array(
        select n.id from (
          select m.id, m.preview from matching m
          where m.id < unread_below and m.id >= unread_from
            and (of_channel is null or m.channel = of_channel)
            and (of_contact is null or m.contact_id = of_contact)
            and (not filters_conversations or m.contact_id in (select c.contact_id from conversation c
              where c.tenant_id = tenant and c.environment = of_environment
                and is_listed(c, of_assignee, of_state)))
          order by case when oldest_first then m.id end, m.id desc offset 0) n
        where message_words(n.preview) @@ wanted
        order by case when oldest_first then n.id end, n.id desc limit most - cardinality(found)),
      (select count(*) from matching)
      into more, matched;
    found := found || more;
    matches := matches + matched;
    last_period := periods[cardinality(periods)];
    if oldest_first then unread_from := search_period_end(last_period);
    else unread_below := last_period; end if;
    period_count := least(4 * period_count,
      greatest(1, (matches_max - matches) * cardinality(periods) / greatest(1, matched)));
  end loop;
  if of_contact is not null then
    found := found || array(
      select m.id from (
        select m.id from message m
        where m.tenant_id = tenant and m.environment = of_environment and m.contact_id = of_contact
          and (m.broadcast_id is null) is false and (of_channel is null or m.channel = of_channel)
          and m.id < case when oldest_first and not is_all then unread_from else below end
          and m.id >= case when oldest_first or is_all then from_id else unread_below end
        order by case when oldest_first then m.id end, m.id desc offset 0) b
      join message m on m.tenant_id = tenant and m.id = b.id
      where message_words(m.preview) @@ wanted
      order by case when oldest_first then m.id end, m.id desc limit most);
  end if;
  return query select id, true from unnest(found) id
    order by case when oldest_first then id end, id desc limit most;
  if not is_all and cardinality(found) < most then
    -- The newest period that was read, as an id, which has 30 letters: every message of it is above that.
    return query select case when oldest_first then unread_from else rpad(unread_below, 30, '0') end, false;
  end if;
end $function$
;

CREATE FUNCTION find_session(wanted text)
 RETURNS TABLE(tenant_id uuid, user_id text, role text, einvoicing_role text, limits jsonb, expires_at timestamp with time zone, proven_at timestamp with time zone, signed_in_by text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select s.tenant_id, s.user_id, m.role, m.einvoicing_role, t.limits, s.expires_at, s.proven_at,
      s.signed_in_by
    from session s
    join member m on m.tenant_id = s.tenant_id and m.user_id = s.user_id
    join tenant t on t.id = s.tenant_id
    where s.tenant_id = tenant_of('session', wanted) and s.id = wanted and s.revoked_at is null
  $function$
;

CREATE FUNCTION find_short_link(wanted text, of_environment text, of_host text, is_own_host boolean)
 RETURNS TABLE(tenant_id uuid, environment text, broadcast_id text, channel text, message_id text, url_id text, url text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select l.tenant_id, l.environment, l.broadcast_id, b.channel, l.message_id, l.url_id, u.url
    from short_link l
    join tracked_url u
      on u.tenant_id = l.tenant_id and u.environment = l.environment and u.id = l.url_id
    join broadcast b
      on b.tenant_id = l.tenant_id and b.environment = l.environment and b.id = l.broadcast_id
    cross join (select tenant_of('custom_domain', of_host) as tenant_id) d
    where l.tenant_id = tenant_of('short_link', wanted) and l.code = wanted
      and case
        when d.tenant_id is not null then d.tenant_id = l.tenant_id
        when is_own_host then l.environment = of_environment
        else exists (
          select from branding_proof p
          where p.tenant_id = l.tenant_id and p.kind = 'domain' and p.name = of_host
            and p.missing_since is not null)
      end
  $function$
;

CREATE FUNCTION forget_idempotency_keys()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from idempotency i using gone g where i.tenant_id = g.tenant_id and i.made_id = g.id;
  return null;
end $function$
;

CREATE FUNCTION forget_removed_objects(tenants uuid[], keys text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from removed_object o using unnest(tenants, keys) as gone (tenant_id, object_key)
    where o.tenant_id = gone.tenant_id and o.object_key = gone.object_key
  $function$
;

CREATE FUNCTION forget_sign_in(keys text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update sign_in_window set tried_at = trim_array(tried_at, 1)
    where key = any(keys) and cardinality(tried_at) > 0
  $function$
;

CREATE FUNCTION free_webhook_deliveries(tenants uuid[], endpoints text[], subjects text[])
 RETURNS text[]
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with freed as (
      update webhook_delivery d set is_kept_back = false
      from unnest(tenants, endpoints, subjects) as s (tenant_id, endpoint_id, subject_id)
      cross join lateral (
        select b.environment, b.event_id, b.is_kept_back from webhook_delivery b
        where b.tenant_id = s.tenant_id and b.endpoint_id = s.endpoint_id
          and b.subject_id = s.subject_id and b.state = 'pending'
          and (not b.is_fresh or b.is_kept_back) and b.set_aside_at is null and not b.is_test
        order by b.seq, b.event_id limit 1) f
      where f.is_kept_back and d.tenant_id = s.tenant_id and d.endpoint_id = s.endpoint_id
        and d.environment = f.environment and d.event_id = f.event_id
      returning d.endpoint_id
    )
    select array_agg(distinct endpoint_id) from freed
  $function$
;

CREATE FUNCTION free_webhook_queue(of_tenant uuid, claimant uuid, wanted text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update webhook_delivery d set is_kept_back = false
    from (
      select distinct on (b.subject_id) b.environment, b.event_id, b.is_kept_back
      from webhook_delivery b
      where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.state = 'pending'
        and (not b.is_fresh or b.is_kept_back) and b.set_aside_at is null and not b.is_test
      order by b.subject_id, b.seq, b.event_id) f
    where owns_webhook_queue(of_tenant, claimant, wanted) and f.is_kept_back
      and d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = f.environment
      and d.event_id = f.event_id
  $function$
;

CREATE FUNCTION hash_key(hash bytea)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ('\x'::text || encode(hash, 'hex'::text))
;

CREATE FUNCTION is_beginning(written text, word text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((written ~~ '%*'::text) AND (length(word) >= 4) AND (written !~ unspaced_letter()))
;

CREATE FUNCTION is_below_low(w wallet)
 RETURNS boolean
 LANGUAGE sql
 STABLE
AS $function$
  select w.balance - w.reserved < coalesce(w.low_at, 100 * (select max(amount) from price p
    where p.currency = w.currency))
$function$
;

CREATE FUNCTION is_doubtful(j job, lease_ms integer)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE
AS $function$
    select losses_of(j, lease_ms) >= 2 or j.attempts >= 5
  $function$
;

CREATE FUNCTION is_listed(c conversation, of_assignee text, of_state text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
RETURN (((of_state IS NULL) OR ((c).state = of_state)) AND CASE WHEN (of_assignee IS NULL) THEN true WHEN (of_assignee = ''::text) THEN ((c).assignee_id IS NULL) ELSE ((c).assignee_id = of_assignee) END)
;

CREATE FUNCTION is_of_segment(of_environment text, of_segment text, of_contact text)
 RETURNS boolean
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  asked jsonb;
  is_found boolean;
begin
  select s.query into asked from segment s where s.tenant_id = current_tenant()
    and s.environment = of_environment and s.id = of_segment;
  if asked is null then
    return exists (select from contact_segment s where s.tenant_id = current_tenant()
      and s.environment = of_environment and s.segment_id = of_segment
      and s.contact_id = of_contact);
  end if;
  execute 'select exists (select from contact c where c.tenant_id = $1 and c.environment = $2
    and c.id = $3 and ' || segment_filter(asked) || ')'
    into is_found using current_tenant(), of_environment, of_contact;
  return is_found;
end $function$
;

CREATE FUNCTION is_password_reset(hash bytea, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select exists (select from password_reset where token_hash = hash and expires_at > at)
  $function$
;

CREATE PROCEDURE isolate(IN name regclass, IN system boolean DEFAULT false, IN tenant_column text DEFAULT 'tenant_id'::text)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy own_tenant on %s using (%I = (select current_tenant()))',
    name, tenant_column);
  if system then
    execute format('create policy owner on %s to %I using (true) with check (true)',
      name, current_user);
  end if;
end $procedure$
;

CREATE FUNCTION job_tenants(wanted_queue text, after_tenant uuid, tenants_max integer)
 RETURNS TABLE(tenant_id uuid, due_in_ms double precision)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with recursive visited (tenant_id, n) as (
      (select j.tenant_id, 1 from job j
       where j.queue = wanted_queue and j.tenant_id > after_tenant and j.parked_at is null
       order by j.tenant_id limit 1)
      union all
      select (select j.tenant_id from job j
              where j.queue = wanted_queue and j.tenant_id > v.tenant_id and j.parked_at is null
              order by j.tenant_id limit 1), n + 1
      from visited v where v.tenant_id is not null and n < tenants_max
    )
    select v.tenant_id, case
      when (select t.suspended_at from tenant t where t.id = v.tenant_id) is not null
        then 'infinity'::double precision
      else extract(epoch from
        (select j.run_at from job j
         where j.queue = wanted_queue and j.tenant_id = v.tenant_id and j.parked_at is null
         order by j.run_at limit 1) - clock_timestamp()) * 1000
      end
    from visited v where v.tenant_id is not null
  $function$
;

CREATE FUNCTION keep_back_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamp with time zone, environments text[], events text[], pause_ms integer, attempts_max integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with kept as (
      update webhook_delivery d set is_kept_back = true
      from unnest(environments, events) as w (environment, event_id)
      where owns_webhook_queue(of_tenant, claimant, wanted)
        and d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = w.environment
        and d.event_id = w.event_id and d.state = 'pending' and not d.is_kept_back
        and (select true from webhook_delivery b
          where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = d.subject_id
            and b.state = 'pending' and (not b.is_fresh or b.is_kept_back)
            and b.set_aside_at is null and not b.is_test
            and (b.seq, b.event_id) < (d.seq, d.event_id) limit 1)
      returning d.subject_id, d.is_fresh
    )
    update webhook_delivery d set next_at = at, scheduled_at = coalesce(d.scheduled_at, d.next_at)
    from (select distinct subject_id from kept where is_fresh) s
    cross join lateral (
      select b.environment, b.event_id from webhook_delivery b
      where b.tenant_id = of_tenant and b.endpoint_id = wanted and b.subject_id = s.subject_id
        and b.state = 'pending' and (not b.is_fresh or b.is_kept_back)
        and b.set_aside_at is null and not b.is_test
      order by b.seq, b.event_id limit 1) f
    where d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = f.environment
      and d.event_id = f.event_id and d.next_at > at and d.attempt < attempts_max
      and d.wake_after <= at - pause_ms * interval '1 ms'
  $function$
;

CREATE FUNCTION keep_departed_member()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into departed_member (tenant_id, user_id, name, email)
  select old.tenant_id, u.id, u.name, u.email from user_account u where u.id = old.user_id
  on conflict (tenant_id, user_id)
    do update set name = excluded.name, email = excluded.email, departed_at = now();
  return null;
end $function$
;

CREATE FUNCTION keep_in_directory()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET bytea_output TO 'hex'
AS $function$
declare
  known text;
  wanted text;
begin
  if tg_op <> 'INSERT' then known := to_jsonb(old) ->> tg_argv[1]; end if;
  if tg_op <> 'DELETE' then wanted := to_jsonb(new) ->> tg_argv[1]; end if;
  if known is not distinct from wanted then return null; end if;
  delete from tenant_directory d
    where d.kind = tg_argv[0] and d.key = known and d.tenant_id = old.tenant_id;
  insert into tenant_directory (kind, key, tenant_id)
    select tg_argv[0], wanted, new.tenant_id where wanted is not null;
  return null;
end $function$
;

CREATE FUNCTION list_life_times(wanted_kind text)
 RETURNS TABLE(tenant_id uuid, environment text, days integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select l.tenant_id, l.environment, l.days from life_time l
    join tenant t on t.id = l.tenant_id and t.suspended_at is null
    where l.kind = wanted_kind order by l.tenant_id, l.environment
  $function$
;

CREATE FUNCTION list_movable_documents(before timestamp with time zone, below text, most integer)
 RETURNS TABLE(tenant_id uuid, invoice_id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select c.tenant_id, c.invoice_id from invoice_content c
    join invoice i on i.tenant_id = c.tenant_id and i.id = c.invoice_id
    where (c.document is not null or c.provenance is not null) and c.invoice_id < below
      and i.state in ('cleared', 'delivered', 'acknowledged', 'rejected')
      and i.updated_at < before and coalesce(i.cancellable_until, '-infinity') < before
      and (select t.suspended_at from tenant t where t.id = c.tenant_id) is null
      and (select true from job j where j.tenant_id = c.tenant_id and (j.queue, j.key) in (
        ('invoice', i.id), ('forward', i.id), ('acknowledge', i.id),
        ('write-back', i.id || '/cleared'), ('write-back', i.id || '/delivered'),
        ('write-back', i.id || '/acknowledged'), ('write-back', i.id || '/rejected')) limit 1) is null
    order by c.invoice_id limit most
  $function$
;

CREATE FUNCTION list_parked_jobs(wanted_queue text, wanted_tenant uuid, jobs_max integer)
 RETURNS SETOF job
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select * from job
    where parked_at is not null and (wanted_queue is null or queue = wanted_queue)
      and (wanted_tenant is null or tenant_id = wanted_tenant)
    order by parked_at desc, id desc limit jobs_max
  $function$
;

CREATE FUNCTION list_removed_objects(most integer)
 RETURNS TABLE(tenant_id uuid, object_key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select o.tenant_id, o.object_key from removed_object o order by o.created_at limit most
  $function$
;

CREATE FUNCTION list_short_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into tenant_directory (kind, key, tenant_id) select 'short_link', code, tenant_id from added;
  return null;
end $function$
;

CREATE FUNCTION list_suspended_tenants()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select id from tenant where suspended_at is not null $function$
;

CREATE FUNCTION list_tenants()
 RETURNS SETOF tenant
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select * from tenant order by created_at, id $function$
;

CREATE FUNCTION load_webhook_queue(of_tenant uuid, claimant uuid, wanted text)
 RETURNS TABLE(url text, secrets jsonb, rate integer, state text, breaker jsonb, failing_since timestamp with time zone, recovered_at timestamp with time zone, next_retry_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select e.url, e.secrets, e.rate, e.state, e.breaker,
      coalesce(e.failing_since,
        (select wake_after from webhook_delivery d
         where d.tenant_id = of_tenant and d.endpoint_id = e.id and d.state = 'pending'
           and not d.is_fresh and not d.is_kept_back
           and d.wake_after > coalesce(e.recovered_at, '-infinity')
         order by wake_after limit 1)), e.recovered_at,
      (select next_at from webhook_delivery d
       where d.tenant_id = of_tenant and d.endpoint_id = e.id and d.state = 'pending'
         and not d.is_fresh and not d.is_kept_back
       order by next_at limit 1)
    from webhook_endpoint e
    join webhook_queue q on q.tenant_id = e.tenant_id and q.endpoint_id = e.id
    where e.tenant_id = of_tenant and e.id = wanted and e.deleted_at is null
      and q.owner = claimant and q.until > clock_timestamp()
  $function$
;

CREATE FUNCTION losses_of(j job, lease_ms integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE
AS $function$
    select case
      when j.claim_id is null then j.losses
      when j.run_at - j.claimed_at > lease_ms * interval '1 ms' + interval '1 minute' then 0
      else j.losses + 1
    end
  $function$
;

CREATE FUNCTION members_with_second_factor()
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select f.user_id from second_factor f join member m on m.user_id = f.user_id
    where m.tenant_id = current_tenant() and f.confirmed_at is not null
  $function$
;

CREATE FUNCTION memberships_of(wanted text)
 RETURNS TABLE(tenant_id uuid, name text, role text, einvoicing_role text, may_use_password boolean)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select m.tenant_id, t.name, m.role, m.einvoicing_role,
      m.role is not distinct from 'owner' or not coalesce(p.is_required, false)
    from member m join tenant t on t.id = m.tenant_id
    left join identity_provider p on p.tenant_id = m.tenant_id
    where m.user_id = wanted order by m.created_at, m.tenant_id
  $function$
;

CREATE FUNCTION message_rank(status text)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_position(ARRAY['queued'::text, 'sending'::text, 'unknown'::text, 'sent'::text, 'canceled'::text, 'skipped'::text, 'expired'::text, 'failed'::text, 'delivered'::text, 'read'::text], status)
;

CREATE FUNCTION message_search_terms(of_tenant uuid, of_environment text, message_id text, preview text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN array_to_tsvector(search_terms(message_words(preview), search_prefix(of_tenant, of_environment, search_period(message_id))))
;

CREATE FUNCTION message_words(preview text)
 RETURNS tsvector
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN to_tsvector('simple'::regconfig, spaced_words("left"(preview, 2000)))
;

CREATE FUNCTION next_sign_in_at(key text, tried_at timestamp with time zone[])
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE
AS $function$
    select case
      -- Five at once; then 15 s after the last one, 30 s, and so on to a quarter of an hour.
      when key like 'account %' then
        tried_at[n] + least(15 * 2 ^ least(n - 5, 10), 900) * interval '1 s'
          * case when n >= 5 then 1 end
      when key like 'ip %' then tried_at[n - 49] + interval '15 min'
      else tried_at[n - 4] + interval '15 min'
    end
    from (select cardinality(tried_at)) as tries (n)
  $function$
;

CREATE FUNCTION owner_of_app(app_id text)
 RETURNS TABLE(tenant_id uuid, environment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select a.tenant_id, a.environment from channel_app a
    where a.tenant_id = tenant_of('channel_app', app_id) and a.id = app_id and a.deleted_at is null
  $function$
;

CREATE FUNCTION owner_of_voice_provider(wanted text)
 RETURNS TABLE(tenant_id uuid, environment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select p.tenant_id, p.environment from voice_provider p
    where p.tenant_id = tenant_of('voice_provider', wanted) and p.id = wanted
  $function$
;

CREATE FUNCTION owns_webhook_queue(of_tenant uuid, claimant uuid, wanted text)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select coalesce((select true from webhook_queue q
      where q.tenant_id = of_tenant and q.endpoint_id = wanted and q.owner = claimant
        and q.until > clock_timestamp()), false)
  $function$
;

CREATE FUNCTION prolong_claims(tenants uuid[], ids bigint[], claims uuid[], lease_ms integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with waning as (
      select job.tenant_id, job.id from job
      join unnest(tenants, ids, claims) as held (tenant_id, id, claim_id) on
        job.tenant_id = held.tenant_id and job.id = held.id and job.claim_id = held.claim_id
      where job.run_at <= clock_timestamp() + lease_ms * 0.75 * interval '1 ms'
      for no key update of job skip locked
    )
    update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    from waning where job.tenant_id = waning.tenant_id and job.id = waning.id
  $function$
;

CREATE FUNCTION prune_agent_answers(before timestamp with time zone, answers_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with gone as (
      delete from agent_answer where ctid = any (array(
        select ctid from agent_answer where carried_at < before and method = 'connector.read'
        order by carried_at limit answers_max for update skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $function$
;

CREATE FUNCTION prune_agent_commands(before timestamp with time zone, commands_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
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
  $function$
;

CREATE FUNCTION prune_agent_events(before timestamp with time zone, events_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with gone as (
      delete from agent_event where ctid = any (array(
        select e.ctid from agent_event e join agent a on a.tenant_id = e.tenant_id and a.id = e.agent_id
        where e.received_at < before
          and (a.revoked_at is not null or a.seen_at > e.received_at + interval '1 day')
        order by e.received_at limit events_max for update of e skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $function$
;

CREATE FUNCTION prune_contacts(of_tenant uuid, of_environment text, before timestamp with time zone, below text, contacts_max integer)
 RETURNS integer
 LANGUAGE sql
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select count(*)::integer
    from delete_old_contacts(of_tenant, of_environment, before, below, contacts_max)
  $function$
;

CREATE FUNCTION prune_import_previews(before timestamp with time zone, previews_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with gone as (
      delete from contact_import where ctid = any (array(
        select ctid from contact_import
        where state in ('uploading', 'preview') and created_at < before
        order by created_at limit previews_max for update skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $function$
;

CREATE FUNCTION prune_invoices(of_tenant uuid, of_environment text, before timestamp with time zone, below text, invoices_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  wanted text[];
  events text[];
begin
  select array_agg(id) into wanted from (
    select i.id from invoice i
    where i.tenant_id = of_tenant and i.environment = of_environment and i.id < below
      and i.state in ('cleared', 'delivered', 'acknowledged', 'rejected')
      and i.updated_at < before and coalesce(i.cancellable_until, '-infinity') < before
      and (i.state = 'rejected' or coalesce((select c.cim ->> 'issue_date' from invoice_content c
        where c.tenant_id = of_tenant and c.invoice_id = i.id), '') < to_char(before at time zone 'utc', 'YYYY-MM-DD'))
      and (select true from job j
        where j.tenant_id = of_tenant and (j.queue, j.key) in (
          ('invoice', i.id), ('forward', i.id), ('acknowledge', i.id),
          ('write-back', i.id || '/cleared'), ('write-back', i.id || '/delivered'),
          ('write-back', i.id || '/acknowledged'), ('write-back', i.id || '/rejected'))
        limit 1) is null
      and (select true from webhook_event e
        join webhook_endpoint w on w.tenant_id = of_tenant and w.deleted_at is null
        join webhook_delivery d on d.tenant_id = of_tenant and d.endpoint_id = w.id
          and d.environment = e.environment and d.event_id = e.id and d.state = 'pending'
        where e.tenant_id = of_tenant and e.service = 'einvoice' and e.subject_id = i.id
        limit 1) is null
    order by i.id limit invoices_max for update of i skip locked) ended;
  if wanted is null then return 0; end if;
  with gone as (
    delete from webhook_event e
    where e.tenant_id = of_tenant and e.service = 'einvoice' and e.subject_id = any (wanted)
    returning e.id
  )
  select array_agg(id) into events from gone;
  delete from webhook_delivery d using webhook_endpoint w
    where w.tenant_id = of_tenant and d.tenant_id = of_tenant and d.endpoint_id = w.id
      and d.environment = of_environment and d.event_id = any (events);
  delete from webhook_attempt a using webhook_endpoint w
    where w.tenant_id = of_tenant and a.tenant_id = of_tenant and a.endpoint_id = w.id
      and a.event_id = any (events);
  update invoice d set duplicate_of = null from invoice g
    where g.tenant_id = of_tenant and g.id = any (wanted)
      and d.tenant_id = of_tenant and d.environment = of_environment and d.duplicate_of = g.id
      and (d.number = g.number or d.source_ref = g.source_ref);
  delete from invoice_content c where c.tenant_id = of_tenant and c.invoice_id = any (wanted);
  delete from invoice i where i.tenant_id = of_tenant and i.id = any (wanted);
  return cardinality(wanted);
end $function$
;

CREATE FUNCTION prune_messages(of_tenant uuid, of_environment text, before timestamp with time zone, below text, messages_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  wanted text[];
begin
  select array_agg(id) into wanted from (
    select m.id from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.id < below
      and m.status not in ('queued', 'sending')
      and greatest(m.created_at, m.sent_at, m.delivered_at, m.read_at, m.failed_at, m.unknown_at) < before
      and (m.broadcast_id is null or (select b.state in ('completed', 'failed', 'canceled')
        from broadcast b where b.tenant_id = of_tenant and b.environment = of_environment
          and b.id = m.broadcast_id))
      and (select true from conversation v
        where v.tenant_id = of_tenant and v.environment = of_environment
          and v.contact_id = m.contact_id and (v.state <> 'closed' or v.last_item_id = m.id)) is null
      and (select true from wallet_hold h
        where h.tenant_id = of_tenant and h.environment = of_environment
          and h.reference = m.id and h.state = 'open') is null
    order by m.id limit messages_max for update of m skip locked) ended;
  if wanted is null then return 0; end if;
  perform from contact c where c.tenant_id = of_tenant and c.environment = of_environment
    and c.id in (select m.contact_id from message m where m.tenant_id = of_tenant
      and m.environment = of_environment and m.id = any (wanted))
    order by c.id for update;
  update contact c set messages_until = greatest(c.messages_until, gone.newest)
    from (select m.contact_id, max(m.created_at) as newest from message m
      where m.tenant_id = of_tenant and m.environment = of_environment and m.id = any (wanted)
      group by m.contact_id) gone
    where c.tenant_id = of_tenant and c.environment = of_environment and c.id = gone.contact_id;
  delete from conversation_attachment a
    where a.tenant_id = of_tenant and a.environment = of_environment and a.message_id = any (wanted);
  delete from broadcast_response r where r.tenant_id = of_tenant and r.message_id = any (wanted);
  delete from message m
    where m.tenant_id = of_tenant and m.environment = of_environment and m.id = any (wanted);
  return cardinality(wanted);
end $function$
;

CREATE FUNCTION prune_webhook_deliveries(before timestamp with time zone, deliveries_max integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  pruned integer;
  tenants uuid[];
  environments text[];
  events text[];
  invoice_events text[];
begin
  delete from webhook_replay where ctid = any (array(
    select r.ctid from webhook_replay r where r.created_at < before
      and (select true from job j
        where j.tenant_id = r.tenant_id and j.queue = 'webhook_replay' and j.key = r.id limit 1) is null
    limit deliveries_max));
  delete from webhook_event where ctid = any (array(
    select e.ctid from webhook_event e where e.is_undelivered and e.created_at < before
      and (select true from webhook_endpoint w
        join webhook_delivery d on d.tenant_id = w.tenant_id and d.endpoint_id = w.id
          and d.environment = e.environment and d.event_id = e.id
        where w.tenant_id = e.tenant_id limit 1) is null
    limit deliveries_max));
  with gone as (
    delete from webhook_delivery where ctid = any (array(
      select d.ctid from webhook_delivery d where d.created_at < before
        and (d.state <> 'pending' and coalesce(d.settled_at, d.created_at) < before
          or (select true from webhook_endpoint w
            where w.tenant_id = d.tenant_id and w.id = d.endpoint_id and w.deleted_at < before limit 1))
      limit deliveries_max for update of d skip locked))
    returning tenant_id, endpoint_id, environment, event_id, is_test
  ), attempts as (
    delete from webhook_attempt a using gone
    where a.tenant_id = gone.tenant_id and a.endpoint_id = gone.endpoint_id
      and a.event_id = gone.event_id
  )
  select count(*), array_agg(tenant_id), array_agg(environment), array_agg(event_id),
      array_agg(event_id) filter (where not is_test)
    into pruned, tenants, environments, events, invoice_events from gone;
  delete from webhook_event e
    using (select distinct * from unnest(tenants, environments, events) as u (tenant_id, environment, event_id)) g
    where e.tenant_id = g.tenant_id and e.id = g.event_id
      and (e.service <> 'einvoice' or e.id <> all (coalesce(invoice_events, '{}')))
      and (select true from webhook_endpoint w
        join webhook_delivery d on d.tenant_id = w.tenant_id and d.endpoint_id = w.id
          and d.environment = g.environment and d.event_id = g.event_id
        where w.tenant_id = g.tenant_id limit 1) is null;
  return pruned;
end $function$
;

CREATE FUNCTION quoted_word(word text, is_beginning boolean)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (((''''::text || replace(replace(word, '\'::text, '\\'::text), ''''::text, ''''''::text)) || ''''::text) || CASE WHEN is_beginning THEN ':*'::text ELSE ''::text END)
;

CREATE FUNCTION record_removed_conversation()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into inbox_change (tenant_id, environment, type, data, created_at)
  values (old.tenant_id, old.environment, 'conversation.removed',
    jsonb_build_object('conversation_id', old.id, 'contact_id', old.contact_id), now());
  return null;
end $function$
;

CREATE FUNCTION record_removed_object()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into removed_object (tenant_id, object_key) values (old.tenant_id, old.object_key)
    on conflict (tenant_id, object_key) do nothing;
  return null;
end $function$
;

CREATE FUNCTION record_webhook_attempts(claimant uuid, attempts json)
 RETURNS TABLE(recorded integer, freed text[])
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  tenants uuid[];
  endpoints text[];
  subjects text[];
begin
  with made as (
    select a.*
    from json_to_recordset(attempts) as a (tenant_id uuid, endpoint_id text, environment text, event_id text,
      n smallint, at timestamptz, ms integer, status smallint, error text, response_head text,
      response_body text, state text, next_at timestamptz, scheduled_at timestamptz,
      wake_after timestamptz, answered_since timestamptz, is_set_aside boolean, is_extra boolean)
    join webhook_queue q on q.tenant_id = a.tenant_id and q.endpoint_id = a.endpoint_id
      and q.owner = claimant
  ), moved as (
    update webhook_delivery d set state = m.state, attempt = m.n, last_status = m.status,
      is_fresh = false, round_start = d.round_start + m.is_extra::integer,
      next_at = coalesce(m.next_at, d.next_at), scheduled_at = m.scheduled_at,
      wake_after = m.wake_after, answered_since = m.answered_since,
      set_aside_at = case when m.is_set_aside
        then coalesce(d.set_aside_at, m.at + m.ms * interval '1 ms') end,
      settled_at = case when m.state <> 'pending' then m.at + m.ms * interval '1 ms' end
    from made m
    where d.tenant_id = m.tenant_id and d.endpoint_id = m.endpoint_id
      and d.environment = m.environment
      and d.event_id = m.event_id and d.state = 'pending' and d.attempt = m.n - 1
    returning d.tenant_id, d.endpoint_id, d.event_id, d.subject_id, d.is_test,
      d.state <> 'pending' or d.set_aside_at is not null as is_over
  ), kept as (
    insert into webhook_attempt (endpoint_id, event_id, n, tenant_id, at, ms, status, error,
      response_head, response_body)
    select m.endpoint_id, m.event_id, m.n, m.tenant_id, m.at, m.ms, m.status, m.error,
      m.response_head, m.response_body
    from made m join moved using (endpoint_id, event_id)
  ), told as materialized (
    select pg_notify('webhook_tested', event_id) from moved where is_test
  )
  select (count(*) + 0 * (select count(*) from told))::integer,
    array_agg(tenant_id) filter (where is_over), array_agg(endpoint_id) filter (where is_over),
    array_agg(subject_id) filter (where is_over)
  into recorded, tenants, endpoints, subjects
  from moved;
  -- A statement of its own, so that it sees what the first has written.
  freed := free_webhook_deliveries(tenants, endpoints, subjects);
  return next;
end $function$
;

CREATE FUNCTION refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'DELETE'
     and exists (select from tenant where id = old.tenant_id and deleting_at is not null) then
    return old;
  end if;
  raise exception 'rows of % are never changed', tg_table_name;
end $function$
;

CREATE FUNCTION release_webhook_queues(claimant uuid, given text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update webhook_queue set until = clock_timestamp()
    where owner = claimant and endpoint_id = any (given) and until > clock_timestamp()
  $function$
;

CREATE FUNCTION remove_second_factor(person text)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from second_factor where user_id = person;
  return found;
end $function$
;

CREATE FUNCTION renew_recovery_codes(person text, hashes bytea[])
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update second_factor set recovery_hashes = hashes
    where user_id = person and confirmed_at is not null;
  return found;
end $function$
;

CREATE FUNCTION renew_webhook_queues(claimant uuid, lease_ms integer)
 RETURNS SETOF text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update webhook_queue set until = clock_timestamp() + lease_ms * interval '1 ms'
    where owner = claimant and until > clock_timestamp()
    returning endpoint_id
  $function$
;

CREATE FUNCTION reseal_control_plane_identity(of_key text, known text, resealed text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with changed as (update control_plane_identity set sealed_secret_key = resealed
      where public_key = of_key and sealed_secret_key = known returning public_key)
    select exists (select from changed)
  $function$
;

CREATE FUNCTION reseal_document_signing_key(of_id text, known text, resealed text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with changed as (update document_signing_key set sealed_private_jwk = resealed
      where id = of_id and sealed_private_jwk = known returning id)
    select exists (select from changed)
  $function$
;

CREATE FUNCTION reseal_second_factor(of_person text, known text, resealed text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with changed as (update second_factor set sealed_secret = resealed
      where user_id = of_person and sealed_secret = known returning user_id)
    select exists (select from changed)
  $function$
;

CREATE FUNCTION reseal_signing_key(of_id text, known text, resealed text)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with changed as (update signing_key set sealed_private_jwk = resealed
      where id = of_id and sealed_private_jwk = known returning id)
    select exists (select from changed)
  $function$
;

CREATE FUNCTION reset_password(hash bytea, new_hash text, at timestamp with time zone)
 RETURNS SETOF user_account
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  person text;
begin
  delete from password_reset where token_hash = hash and expires_at > at returning user_id into person;
  if person is null then return; end if;
  delete from password_reset where user_id = person;
  update user_account set password_hash = new_hash where id = person;
  perform end_sessions_of(person, null, at);
  delete from sign_in_window where key = (
    select 'account ' || encode(sha256(convert_to(email, 'UTF8')), 'hex')
    from user_account where id = person);
  return query select * from user_account where id = person;
end $function$
;

CREATE FUNCTION retire_control_plane_identities(kept_key text, is_forced boolean)
 RETURNS text[]
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  retired text[];
begin
  -- An agent that is being enrolled or linked refers to one of them: it is waited for, and seen below.
  perform from control_plane_identity i
    where i.number < (select k.number from control_plane_identity k where k.public_key = kept_key)
    for update;
  if not is_forced and exists (select from agents_behind_control_plane_key(kept_key, 1)) then
    return null;
  end if;
  with gone as (
    delete from control_plane_identity i
    where i.number < (select k.number from control_plane_identity k where k.public_key = kept_key)
    returning i.public_key, i.number)
  select coalesce(array_agg(public_key order by number), '{}') into retired from gone;
  return retired;
end $function$
;

CREATE FUNCTION return_jobs(tenants uuid[], ids bigint[], claims uuid[], delays_ms integer[], refund boolean, error text)
 RETURNS SETOF bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update job set claim_id = null, run_at = clock_timestamp() + held.delay_ms * interval '1 ms',
      attempts = attempts - refund::int, last_error = coalesce(error, last_error)
    from unnest(tenants, ids, claims, delays_ms) as held (tenant_id, id, claim_id, delay_ms)
    where job.tenant_id = held.tenant_id and job.id = held.id and job.claim_id = held.claim_id
    returning job.id
  $function$
;

CREATE FUNCTION sandbox_apps(providers text[], after_tenant uuid, after_id text, apps_max integer)
 RETURNS TABLE(tenant_id uuid, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select a.tenant_id, a.id from channel_app a
    where a.environment = 'sandbox' and a.deleted_at is null and a.provider = any (providers)
      and (a.tenant_id, a.id) > (after_tenant, after_id)
    order by a.tenant_id, a.id limit apps_max
  $function$
;

CREATE FUNCTION search_period(message_id text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ("left"(message_id, 8) || translate(substr(message_id, 9, 1), '0123456789abcdefghjkmnpqrstvwxyz'::text, '0000000088888888ggggggggrrrrrrrr'::text))
;

CREATE FUNCTION search_period_end(period text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN rpad(("left"(period, 8) || translate(substr(period, 9), '08gr'::text, '7fqz'::text)), 30, 'z'::text)
;

CREATE FUNCTION search_periods(of_environment text, below text, from_id text, oldest_first boolean, most integer)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return array(
    with recursive period (id) as (
      select search_period(case when oldest_first then min(m.id) else max(m.id) end) from message m
      where m.tenant_id = current_tenant() and m.environment = of_environment
        and m.broadcast_id is null and m.contact_id is not null and m.id < below and m.id >= from_id
      union all
      select (
        select search_period(case when oldest_first then min(m.id) else max(m.id) end) from message m
        where m.tenant_id = current_tenant() and m.environment = of_environment
          and m.broadcast_id is null and m.contact_id is not null
          and m.id < case when oldest_first then below else p.id end
          and m.id >= case when oldest_first then search_period_end(p.id) else from_id end)
      from period p where p.id is not null)
    select id from period where id is not null limit most);
end $function$
;

CREATE FUNCTION search_prefix(of_tenant uuid, of_environment text, period text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN to_hex(hashtext((((of_tenant)::text || of_environment) || period)))
;

CREATE FUNCTION search_queries(words text, prefixes text[])
 RETURNS tsquery[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with term as materialized (
      select distinct term, is_beginning(written, term) from regexp_split_to_table(words, '\s+') written,
        unnest(search_terms(message_words(written), '')) term)
    select array(
      select (select string_agg(quoted_word(prefix || term, is_beginning), ' & ')::tsquery from term)
      from unnest(prefixes) prefix)
  $function$
;

CREATE FUNCTION search_terms(words tsvector, prefix text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  terms text[] := tsvector_to_array(words);
  written constant text := array_to_string(terms, ' ');
begin
  if terms = '{}' then return terms; end if;
  if written ~ public.unspaced_letter() then
    terms := terms || array(
      with letter as (
        select lexeme, position from unnest(words), unnest(positions) position
        where lexeme ~ ('^' || public.unspaced_letter() || '$'))
      select a.lexeme || b.lexeme from letter a join letter b on b.position = a.position + 1);
  end if;
  -- A tsvector takes words of 2046 bytes; nobody searches for more than 200 letters.
  if octet_length(written) > 2000 then
    terms := array(select left(term, 200) from unnest(terms) term);
  end if;
  return string_to_array(prefix || array_to_string(terms, E'\t' || prefix), E'\t');
end $function$
;

CREATE FUNCTION segment_condition(asked jsonb)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  field text := asked ->> 'attribute';
  held text := format('c.attributes ->> %L', field);
  bound record;
  wanted tsquery;
  clauses text[] := '{}';
begin
  if asked ? 'is' then
    -- A file's numbers are texts; a number asked for fits both.
    return '(' || (select string_agg(format('c.attributes @> %L', jsonb_build_object(field, v)), ' or ')
      from jsonb_array_elements(case jsonb_typeof(asked -> 'is') when 'array' then asked -> 'is'
        else jsonb_build_array(asked -> 'is') end) a
      cross join lateral (values (a), (to_jsonb(a #>> '{}'))) as each (v)) || ')';
  elsif asked ? 'exists' then
    return format('(c.attributes ? %L) = %L', field, asked ->> 'exists');
  elsif asked ? 'reachable' then
    return format('(%L and c.phone is not null or exists (select from contact_identity i
      where i.tenant_id = c.tenant_id and i.environment = c.environment and i.contact_id = c.id
        and i.channel = %L))', asked ->> 'reachable' <> 'botchat', asked ->> 'reachable');
  elsif asked ? 'segment_id' then
    return format('exists (select from contact_segment s where s.tenant_id = c.tenant_id
      and s.environment = c.environment and s.segment_id = %L and s.contact_id = c.id)',
      asked ->> 'segment_id');
  elsif asked ? 'text' then
    -- Each word is the beginning of one; what is no word at all finds nothing.
    select string_agg('''' || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''':*', ' & ')
      into wanted from unnest(to_tsvector('simple'::regconfig, asked ->> 'text'));
    return case when wanted is null then 'false'
      else format('c.search @@ %L::tsquery', wanted::text) end;
  elsif asked ? 'created_since' then
    return format('c.created_at >= %L::timestamptz', asked ->> 'created_since');
  elsif asked ? 'created_before' then
    return format('c.created_at < %L::timestamptz', asked ->> 'created_before');
  end if;
  for bound in select m.sign, asked -> m.name as value
    from (values ('above', '>'), ('at_least', '>='), ('below', '<'), ('at_most', '<=')) m (name, sign)
    where asked ? m.name
  loop
    -- The case keeps what is no number from being read as one.
    clauses := clauses || case jsonb_typeof(bound.value)
      when 'number' then format($sql$case when %1$s ~ '^-?\d{1,30}(\.\d{1,30})?$'
        then (%1$s)::numeric %2$s %3$L::numeric else false end$sql$,
        held, bound.sign, bound.value #>> '{}')
      else format($sql$case when %1$s ~ '^\d{4}-\d\d-\d\d'
        then left(%1$s, 10) collate "C" %2$s %3$L else false end$sql$,
        held, bound.sign, bound.value #>> '{}') end;
  end loop;
  if cardinality(clauses) = 0 then raise exception 'a condition that nobody knows: %', asked; end if;
  return '(' || array_to_string(clauses, ' and ') || ')';
end $function$
;

CREATE FUNCTION segment_filter(query jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE STRICT
 SET search_path TO 'public', 'pg_temp'
AS $function$
  with size as (
    select count(*) as value_count from jsonb_path_query(query, '$.*[*].is[*]')
  ), condition as (
    select g.name,
      case when a ? 'is' and value_count > 50 then segment_values(a) else segment_condition(a) end as held
    from size, (values ('all'), ('any'), ('none')) g (name), jsonb_array_elements(query -> g.name) a
  )
  select concat_ws(' and ', 'true',
    (select string_agg('(' || held || ')', ' and ') from condition where name = 'all'),
    (select '(' || string_agg('(' || held || ')', ' or ') || ')' from condition where name = 'any'),
    (select string_agg('(' || held || ') is not true', ' and ') from condition where name = 'none'))
$function$
;

CREATE FUNCTION segment_values(asked jsonb)
 RETURNS text
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select format('(c.attributes -> %L) = any (%L::jsonb[])', asked ->> 'attribute', array_agg(v)::text)
    from jsonb_array_elements(case jsonb_typeof(asked -> 'is') when 'array' then asked -> 'is'
      else jsonb_build_array(asked -> 'is') end) a
    cross join lateral (values (a), (to_jsonb(a #>> '{}'))) as each (v)
$function$
;

CREATE FUNCTION sessions_of(person text, of_tenant uuid, at timestamp with time zone, sessions_max integer)
 RETURNS TABLE(id text, tenant_id uuid, tenant_name text, environment text, ip text, user_agent text, created_at timestamp with time zone, refreshed_at timestamp with time zone, expires_at timestamp with time zone, signed_in_by text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select s.id, s.tenant_id, t.name, s.environment, s.ip, s.user_agent, s.created_at,
      s.refreshed_at, s.expires_at, s.signed_in_by
    from session s join tenant t on t.id = s.tenant_id
    where s.user_id = person and s.revoked_at is null and s.expires_at > at
      and (of_tenant is null or s.tenant_id = of_tenant)
    order by s.id desc limit sessions_max
  $function$
;

CREATE FUNCTION set_price(of_channel text, of_prefix text, in_currency text, new_amount numeric)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    insert into price (channel, prefix, currency, amount)
      values (of_channel, of_prefix, in_currency, new_amount)
      on conflict (channel, currency, prefix) do update set amount = excluded.amount
  $function$
;

CREATE FUNCTION set_tenant_limits(of_tenant uuid, new_limits jsonb)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with changed as (update tenant set limits = new_limits where id = of_tenant returning id)
    select exists (select from changed)
  $function$
;

CREATE FUNCTION set_tenant_suspended(of_tenant uuid, is_suspended boolean)
 RETURNS boolean
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with before as (
      select id, suspended_at from tenant where id = of_tenant and deleting_at is null for update
    ), changed as (
      update tenant t set suspended_at = case when is_suspended then coalesce(t.suspended_at, now()) end
      from before b where t.id = b.id
    ), endpoints as (
      update webhook_endpoint e set failing_since = e.failing_since + (now() - b.suspended_at)
      from before b where not is_suspended and e.tenant_id = b.id
    )
    select exists (select from before)
  $function$
;

CREATE FUNCTION set_webhook_health(of_tenant uuid, claimant uuid, wanted text, new_breaker jsonb, since timestamp with time zone, recovered timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update webhook_endpoint e set breaker = new_breaker, failing_since = since,
      recovered_at = recovered,
      state = case when e.state = 'disabled' then e.state
        when new_breaker ->> 'state' = 'closed' then 'active' else 'degraded' end
    from webhook_queue q
    where e.tenant_id = of_tenant and e.id = wanted and q.tenant_id = e.tenant_id
      and q.endpoint_id = e.id and q.owner = claimant
  $function$
;

CREATE FUNCTION share_claim(of_tenant uuid, job_id bigint, claim uuid, lease_ms integer)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform from job where tenant_id = of_tenant and id = job_id and claim_id = claim
    and run_at > clock_timestamp() + lease_ms * 0.75 * interval '1 ms' for share;
  if found then return true; end if;
  update job set run_at = clock_timestamp() + lease_ms * interval '1 ms'
    where tenant_id = of_tenant and id = job_id and claim_id = claim;
  return found;
end $function$
;

CREATE FUNCTION spaced_words(written text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN (written ~ '[^\u0001-\u007f]'::text) THEN regexp_replace(regexp_replace(written, ('[\u00a0-\u00a9\u00ab-\u00b4\u00b6-\u00b9\u00bb\u00bf\u060c\u061b\u061f\u066a-\u066d\u06d4\u0964\u0965\u2000-\u206f'::text || '\u3000-\u3020\u30fb\uff00-\uff0f\uff1a-\uff20\uff5b-\uff65]'::text), ' '::text, 'g'::text), (('('::text || unspaced_letter()) || ')'::text), ' \1 '::text, 'g'::text) ELSE written END
;

CREATE FUNCTION sweep_agent_calls()
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from agent_call where deadline_at < now() - interval '1 minute'
  $function$
;

CREATE FUNCTION sweep_inbox_changes(before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from inbox_change where created_at < before;
    delete from inbox_event where created_at < before;
  $function$
;

CREATE FUNCTION sweep_messaging(proofs_before timestamp with time zone, parts_before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from webhook_proof where created_at < proofs_before;
    delete from early_report where created_at < parts_before;
    delete from text_part where created_at < parts_before;
  $function$
;

CREATE FUNCTION sweep_sign_in(sessions_before timestamp with time zone, windows_before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from session where expires_at < sessions_before;
    delete from password_reset where expires_at < sessions_before;
    delete from used_provider_token where expires_at < sessions_before;
    delete from sign_in_window
      where coalesce(tried_at[cardinality(tried_at)], '-infinity') < windows_before;
  $function$
;

CREATE FUNCTION sweep_unrouted_webhooks(before timestamp with time zone)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from unrouted_webhook where received_at < before;
  $function$
;

CREATE FUNCTION sweep_voice_callbacks(before timestamp with time zone)
 RETURNS bigint
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with
      gone as (delete from voice_callback_once where seen_at < before returning 1),
      unclaimed as (
        delete from voice_reported_transcription where reported_at < before - interval '2 days')
    select count(*) from gone
  $function$
;

CREATE FUNCTION take_grants(wanted_key text, most integer, window_ms integer, wanted integer)
 RETURNS TABLE(granted integer, remaining integer, retry_after_ms double precision, granted_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
declare
  slot_ms constant int := case when most <= 250 then 1 else 4 end;
  w rate_window;
  used int;
  slot_begin bigint;
  slot_end bigint;
  ms double precision;
begin
  insert into rate_window (key) values (wanted_key) on conflict (key) do nothing;
  select * into w from rate_window where key = wanted_key for update;
  granted_at := clock_timestamp();
  ms := extract(epoch from granted_at) * 1000;
  slot_begin := floor(ms / slot_ms)::bigint * slot_ms;
  -- A clock that was set back must not forget what was granted.
  slot_end := greatest(slot_begin + slot_ms, w.slot_ends[cardinality(w.slot_ends)]);
  -- Any of a slot's grants may have been made at its end.
  select coalesce(array_agg(t.s order by t.s), '{}'), coalesce(array_agg(t.c order by t.s), '{}'),
      coalesce(sum(t.c), 0)
    into w.slot_ends, w.counts, used
    from unnest(w.slot_ends, w.counts) as t (s, c) where t.s > slot_begin - window_ms;
  granted := greatest(0, least(wanted, most - used));
  remaining := greatest(0, most - used - granted);
  retry_after_ms := 0;
  if granted < wanted and cardinality(w.slot_ends) > 0 then
    retry_after_ms := greatest(1, w.slot_ends[1] + window_ms - ms);
  end if;
  if granted > 0 then
    if w.slot_ends[cardinality(w.slot_ends)] = slot_end then
      w.counts[cardinality(w.counts)] := w.counts[cardinality(w.counts)] + granted;
    else
      w.slot_ends := w.slot_ends || slot_end;
      w.counts := w.counts || granted;
    end if;
    update rate_window set slot_ends = w.slot_ends, counts = w.counts, touched_at = granted_at
      where key = wanted_key;
  end if;
  return next;
end $function$
;

CREATE FUNCTION take_grants_of(keys text[], mosts integer[], windows_ms integer[], wanteds integer[])
 RETURNS TABLE(key text, granted integer, remaining integer, retry_after_ms double precision)
 LANGUAGE sql
AS $function$
    select t.key, g.granted, g.remaining, g.retry_after_ms
    from (select * from unnest(keys, mosts, windows_ms, wanteds) as u (key, most, window_ms, wanted)
          order by u.key) t
    cross join lateral take_grants(t.key, t.most, t.window_ms, t.wanted) g
  $function$
;

CREATE FUNCTION take_invitation(hash bytea, at timestamp with time zone)
 RETURNS TABLE(tenant_id uuid, email text, role text, einvoicing_role text)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    delete from invitation where tenant_id = tenant_of('invitation', hash_key(hash))
      and token_hash = hash and expires_at > at
    returning tenant_id, email, role, einvoicing_role
  $function$
;

CREATE FUNCTION take_sign_in(keys text[], at timestamp with time zone)
 RETURNS double precision
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  free_at timestamptz;
begin
  insert into sign_in_window (key, tried_at) select k, '{}' from unnest(keys) k order by k
    on conflict (key) do nothing;
  perform from sign_in_window where key = any(keys) order by key for update;
  update sign_in_window set tried_at = array(
      select t from unnest(tried_at) t
      where t > at - case when key like 'account %' then interval '24 h' else interval '15 min' end
      order by t)
    where key = any(keys);
  select max(next_sign_in_at(key, tried_at)) into free_at from sign_in_window
    where key = any(keys);
  if free_at > at then return extract(epoch from free_at - at); end if;
  update sign_in_window set tried_at = tried_at || at where key = any(keys);
  return null;
end $function$
;

CREATE FUNCTION take_slots(wanted_key text, most integer, window_us double precision, wanted integer, reported_goes double precision[], reported_until double precision[], now_us double precision)
 RETURNS TABLE(goes_at double precision[], retry_us double precision)
 LANGUAGE plpgsql
AS $function$
declare
  ahead_us constant double precision := 0.4 * window_us;
  space_us constant double precision := floor(0.5 * window_us / most);
  -- It goes a second late at most, and is answered within two.
  held_us constant double precision := 3e6;
  slots arrival_slots;
  until double precision[];
  next_us double precision;
begin
  insert into arrival_slots (key) values (wanted_key) on conflict (key) do nothing;
  select * into slots from arrival_slots where key = wanted_key for update;
  -- A clock that was set back must not hold slots for longer than new ones.
  select coalesce(array_agg(t.g order by t.g desc), '{}'),
      coalesce(array_agg(t.u order by t.g desc), '{}'),
      coalesce(array_agg(t.u order by t.u desc), '{}')
    into slots.goes, slots.counts_until, until
    from (
      select g, least(u, reported.until, now_us + ahead_us + held_us + window_us) as u
      from unnest(slots.goes, slots.counts_until) as known (g, u)
      left join unnest(reported_goes, reported_until) as reported (goes, until) on reported.goes = g
    ) as t
    where t.u > now_us;
  goes_at := '{}';
  loop
    next_us := greatest(now_us, slots.goes[1] + space_us, until[most]);
    exit when cardinality(goes_at) = wanted or next_us > now_us + ahead_us;
    goes_at := goes_at || next_us;
    slots.goes := next_us || slots.goes;
    slots.counts_until := next_us + held_us + window_us || slots.counts_until;
    until := next_us + held_us + window_us || until;
  end loop;
  update arrival_slots
    set goes = slots.goes, counts_until = slots.counts_until, touched_at = clock_timestamp()
    where key = wanted_key;
  -- As if what was not told of yet arrived at once.
  retry_us := greatest(0,
    greatest(slots.goes[1] + space_us, slots.goes[most] + window_us) - now_us - ahead_us);
  return next;
end $function$
;

CREATE FUNCTION take_slots_of(requests jsonb, at_us double precision)
 RETURNS TABLE(key text, goes_at double precision[], retry_us double precision, now_us double precision)
 LANGUAGE sql
AS $function$
    with clock as materialized (
      select coalesce(at_us, floor(extract(epoch from clock_timestamp()) * 1e6)) as now_us
    )
    select w.key, t.goes_at, t.retry_us, clock.now_us
    from clock cross join (
      select * from jsonb_to_recordset(requests) as u (key text, most int,
        window_us double precision, wanted int,
        reported_goes double precision[], reported_until double precision[])
      order by key) w
    cross join lateral take_slots(
      w.key, w.most, w.window_us, w.wanted, w.reported_goes, w.reported_until, clock.now_us) t
  $function$
;

CREATE FUNCTION taken_codes(codes text[])
 RETURNS SETOF text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select key from tenant_directory where kind = 'short_link' and key = any(codes)
  $function$
;

CREATE FUNCTION tenant_of(wanted_kind text, wanted_key text)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select tenant_id from tenant_directory where kind = wanted_kind and key = wanted_key
  $function$
;

CREATE FUNCTION tenant_tables()
 RETURNS TABLE(name text, key_columns text[], secret_columns text[], has_object_key boolean)
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with recursive tenants as (
      select c.oid, c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
        and c.relname <> 'tenant_directory'
    ), reached (oid, depth) as (
      select oid, 0 from tenants
      union
      select f.conrelid, r.depth + 1 from reached r
      join pg_constraint f on f.contype = 'f' and f.confrelid = r.oid and f.conrelid <> r.oid
      join tenants t on t.oid = f.conrelid
      where r.depth < 20
    )
    select t.relname::text,
      (select array_agg(a.attname::text order by k.place) from pg_index i
       cross join unnest(i.indkey) with ordinality as k (attnum, place)
       join pg_attribute a on a.attrelid = t.oid and a.attnum = k.attnum
       where i.indrelid = t.oid and i.indisprimary),
      coalesce((select array_agg(a.attname::text order by a.attnum) from pg_attribute a
       where a.attrelid = t.oid and not a.attisdropped
         and col_description(t.oid, a.attnum) = 'secret'), '{}'),
      exists (select from pg_attribute a
        where a.attrelid = t.oid and a.attname = 'object_key' and not a.attisdropped)
    from tenants t
    order by exists (select from pg_trigger g join pg_proc p on p.oid = g.tgfoid
        where g.tgrelid = t.oid and p.proname in ('keep_in_directory', 'list_short_links')),
      (select max(r.depth) from reached r where r.oid = t.oid) desc, t.relname
  $function$
;

CREATE FUNCTION touch_agents(on_node text, sessions text[])
 RETURNS SETOF text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update agent set seen_at = now()
    where node = on_node and session = any(sessions) and revoked_at is null
    returning session
  $function$
;

CREATE FUNCTION touch_api_keys(ids text[], used timestamp with time zone[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update api_key set last_used_at = greatest(last_used_at, seen.used)
    from unnest(ids, used) as seen (id, used)
    join tenant_directory d on d.kind = 'api_key' and d.key = seen.id
    where api_key.tenant_id = d.tenant_id and api_key.id = seen.id
  $function$
;

CREATE FUNCTION unreported_messages(providers text[], befores timestamp with time zone[], most integer)
 RETURNS TABLE(tenant_id uuid, environment text, id text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select m.tenant_id, m.environment, m.id
  from message m join channel_app a
    on a.tenant_id = m.tenant_id and a.environment = m.environment and a.id = m.app_id
  join unnest(providers, befores) as p (provider, before) on p.provider = a.provider
  where m.status = 'unknown' and m.hold_released_at is null and m.price is not null
    and m.unknown_at < p.before
    and m.unknown_at < (select max(b) from unnest(befores) b)
  order by m.unknown_at limit most
$function$
;

CREATE FUNCTION unspaced_letter()
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN '[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]'::text
;

CREATE FUNCTION update_provider_account(of_account text, address text, full_name text)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    update user_account set email = address, name = full_name
    where id = of_account and home_tenant_id = current_tenant()
  $function$
;

CREATE FUNCTION use_recovery_code(person text, hash bytea)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update second_factor set recovery_hashes = array_remove(recovery_hashes, hash)
    where user_id = person and confirmed_at is not null and hash = any(recovery_hashes);
  return found;
end $function$
;

CREATE FUNCTION use_second_factor_step(person text, step bigint)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update second_factor set last_step = step
    where user_id = person and confirmed_at is not null and last_step < step;
  return found;
end $function$
;

CREATE FUNCTION voice_recordings_over(at timestamp with time zone, most integer)
 RETURNS TABLE(tenant_id uuid, id text, object_key text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select r.tenant_id, r.id, r.object_key from voice_recording r
    where r.state = 'stored' and r.delete_after <= at order by r.delete_after limit most
  $function$
;

CREATE FUNCTION wake_webhook_deliveries(of_tenant uuid, claimant uuid, wanted text, at timestamp with time zone, recovered timestamp with time zone, soon_ms integer, again_after_ms integer, deliveries_max integer)
 RETURNS integer
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
    with waiting as (
      select d.environment, d.event_id, d.next_at > at + soon_ms * interval '1 ms' as is_far
      from webhook_delivery d
      where owns_webhook_queue(of_tenant, claimant, wanted)
        and d.tenant_id = of_tenant and d.endpoint_id = wanted and d.state = 'pending'
        and not d.is_fresh and not d.is_kept_back and d.wake_after < recovered
      order by d.wake_after limit deliveries_max
    ), woken as (
      update webhook_delivery d set
        next_at = case when w.is_far then recovered else d.next_at end,
        scheduled_at = case when w.is_far then coalesce(d.scheduled_at, d.next_at)
          else d.scheduled_at end,
        wake_after = case when w.is_far then at + again_after_ms * interval '1 ms'
          else recovered end,
        answered_since = coalesce(d.answered_since, recovered)
      from waiting w
      where d.tenant_id = of_tenant and d.endpoint_id = wanted and d.environment = w.environment
        and d.event_id = w.event_id
      returning 1
    )
    select count(*)::integer from woken
  $function$
;

CREATE FUNCTION wallets_with_changed_level()
 RETURNS TABLE(tenant_id uuid, environment text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select w.tenant_id, w.environment from wallet w where is_below_low(w) <> w.is_low
$function$
;

CREATE FUNCTION word_patterns(words text)
 RETURNS text[]
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select array_agg('%' || regexp_replace(lexeme, '[%_\\]', '\\\&', 'g') || '%')
    from unnest(message_words(words))
  $function$
;

CREATE FUNCTION words_query(words text)
 RETURNS tsquery
 LANGUAGE sql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
    select string_agg(part, ' & ')::tsquery from (
      select '(' || phrase::text || ')' as part
      from regexp_split_to_table(words, '\s+') written,
        phraseto_tsquery('simple'::regconfig, spaced_words(written)) phrase
      where written ~ unspaced_letter() and numnode(phrase) > 0
      union
      select quoted_word(lexeme, is_beginning(written, lexeme))
      from regexp_split_to_table(words, '\s+') written, unnest(message_words(written))
      where written !~ unspaced_letter()) parts
  $function$
;
