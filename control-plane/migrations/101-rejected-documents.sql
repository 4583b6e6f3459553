-- What the buyer has rejected gives its number free: what the supplier sends in its place mostly has the same
-- number, day and amount.
drop index received_once;
create unique index received_once on received_document
  (tenant_id, environment, supplier_id, number, issue_date, gross, document_type)
  where status in ('received', 'imported', 'undone') and coalesce(response ->> 'status', '') <> 'rejected';
