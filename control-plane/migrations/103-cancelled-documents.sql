-- What its supplier has cancelled at its authority: when, and why. It gives its number free, as what the buyer has
-- rejected does, and is `cancelled` once nothing of it stands in the ERP.
-- An authority's own identifier tells that two documents are one, which name their supplier by different numbers.
alter table received_document add column cancelled_at timestamptz, add column cancel_reason text,
  add column clearance_id text;
create index received_by_clearance on received_document (tenant_id, environment, clearance_id)
  where clearance_id is not null;
create index received_cancelled on received_document (tenant_id, environment, id desc)
  where cancelled_at is not null;
alter table received_document drop constraint received_document_status_check;
alter table received_document add constraint received_document_status_check
  check (status in ('received', 'imported', 'undone', 'duplicate', 'unreadable', 'cancelled'));
drop index received_once;
create unique index received_once on received_document
  (tenant_id, environment, supplier_id, number, issue_date, gross, document_type)
  where status in ('received', 'imported', 'undone') and cancelled_at is null
    and coalesce(response ->> 'status', '') <> 'rejected';
