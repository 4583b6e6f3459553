-- A file of contacts is looked at before it is imported: it is kept in parts until it is started or dropped.
alter table contact_import drop constraint contact_import_state_check;
alter table contact_import add constraint contact_import_state_check
  check (state in ('uploading', 'preview', 'reading', 'running', 'done'));
-- Of a preview: the file's name, what was chosen, and what the last look at it found.
alter table contact_import add column filename text;
alter table contact_import add column bytes int;
alter table contact_import add column choices jsonb;
alter table contact_import add column preview jsonb;
-- How the file was read: encoding, separator, header, columns.
alter table contact_import add column reading jsonb;
-- Of a started preview: the claim of the job that reads it; another one's rows are refused.
alter table contact_import add column claim_id uuid;
create index contact_import_unstarted on contact_import (created_at)
  where state in ('uploading', 'preview');

create table contact_import_file (
  tenant_id uuid not null,
  import_id text not null,
  part int not null,
  bytes bytea not null,
  primary key (tenant_id, import_id, part),
  foreign key (tenant_id, import_id) references contact_import (tenant_id, id) on delete cascade
);
alter table contact_import_file alter column bytes set storage external;
call isolate('contact_import_file', system => true);

-- A row that could not be used is one line, with all that is wrong with it and as the file had it.
create table contact_import_problem (
  tenant_id uuid not null,
  import_id text not null,
  line int not null,
  -- [{ field, problem }…]
  problems jsonb not null,
  -- ["+60 12…", "Aisyah", …]; null of imports before this migration.
  fields jsonb,
  primary key (tenant_id, import_id, line),
  foreign key (tenant_id, import_id) references contact_import (tenant_id, id) on delete cascade
);
insert into contact_import_problem (tenant_id, import_id, line, problems)
  select tenant_id, import_id, line,
    jsonb_agg(jsonb_build_object('field', field, 'problem', problem) order by field)
  from contact_import_error group by tenant_id, import_id, line;
drop table contact_import_error;
call isolate('contact_import_problem', system => true);

-- What nobody started, with its file.
create function prune_import_previews(before timestamptz, previews_max integer) returns integer
  language sql security definer set search_path = public, pg_temp as $$
    with gone as (
      delete from contact_import where ctid = any (array(
        select ctid from contact_import
        where state in ('uploading', 'preview') and created_at < before
        order by created_at limit previews_max for update skip locked))
      returning 1
    )
    select count(*)::integer from gone
  $$;
