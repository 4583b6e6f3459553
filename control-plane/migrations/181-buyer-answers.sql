-- What the buyer last said over the network: { code, status, note?, at }.
alter table invoice add column buyer_response jsonb;

-- Answers that were looked at, by the network's id for them: it lists them again and again.
create table buyer_answer (
  environment text not null,
  id text not null,
  seen_at timestamptz not null default now(),
  primary key (environment, id)
);

-- Whose turn it is to ask a network for answers: one node at a time.
create table network_turn (
  environment text not null,
  authority text not null,
  due_at timestamptz not null,
  primary key (environment, authority)
);

-- Invoices that an answer is about: its number, and the electronic addresses of both parties. Looked
-- for as each tenant in turn, an index probe a tenant: nothing of theirs is opened to anybody for it.
create function find_answered(in_environment text, wanted_number text, from_seller text, to_buyer text)
  returns table (tenant_id uuid, id text)
  language plpgsql security definer set search_path = public, pg_temp as $$
    begin
      for tenant_id in select t.id from tenant t loop
        perform set_config('drawbridge.tenant', tenant_id::text, true);
        for id in
          select i.id from invoice i join invoice_content c on c.invoice_id = i.id
          where i.tenant_id = find_answered.tenant_id and i.environment = in_environment
            and i.number = wanted_number
            and i.state in ('validated', 'submitted', 'delivered', 'cleared', 'acknowledged')
            and lower(c.cim #>> '{seller,endpoint_scheme}') || ':'
              || lower(c.cim #>> '{seller,endpoint}') = lower(from_seller)
            and lower(c.cim #>> '{buyer,endpoint_scheme}') || ':'
              || lower(c.cim #>> '{buyer,endpoint}') = lower(to_buyer)
          limit 20
        loop
          return next;
        end loop;
      end loop;
      perform set_config('drawbridge.tenant', '', true);
    end
  $$;
