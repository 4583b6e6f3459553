-- How a cleared document came to its buyer over the network: { status, reason?, errors?, sent_at?, at }.
alter table invoice add column forwarding jsonb;
