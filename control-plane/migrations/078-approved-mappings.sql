-- What was last approved of a mapping, so that a change is shown beside it: { "fields": [{ "target": "…", … }] }.
alter table mapping add column approved jsonb;

update mapping set approved = jsonb_build_object('fields', (
  select coalesce(jsonb_agg(field), '[]') from jsonb_array_elements(document -> 'fields') field
  where field ->> 'status' = 'approved'
));
