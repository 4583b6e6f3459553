-- A document that is on its way or settled well is refused when it is submitted again, unless its
-- connector takes it. Seller and number alone do not tell documents apart: a credit note may have the
-- number of its invoice, and a series may begin anew each year.
alter table connector alter column duplicates set default 'reject';

alter table invoice add column document_type text, add column issue_year smallint;

update invoice i
  set document_type = coalesce(c.cim ->> 'type_code', ''),
    issue_year = coalesce(substring(c.cim ->> 'issue_date' from '^(\d{4})-')::smallint, 0)
  from invoice_content c
  where c.tenant_id = i.tenant_id and c.invoice_id = i.id and i.number is not null;
