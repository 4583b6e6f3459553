import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

export type Invoice = components['schemas']['Invoice'];
export type Finding = components['schemas']['ValidationError'];

/** Until its state is final an invoice is looked at again after so long. */
const followMs = 2_000;
const final: ReadonlySet<Invoice['status']> = new Set(['delivered', 'acknowledged', 'rejected']);

export const invoiceQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoice', id],
    queryFn: () => got(einvoicing.GET('/v1/invoices/{id}', { params: { path: { id } } })),
    refetchInterval: ({ state }) =>
      state.data === undefined || final.has(state.data.status) ? false : followMs,
  });

export const invoiceEventsQuery = (id: string, status: Invoice['status'] | undefined) =>
  queryOptions({
    // The state is part of the key: another state is another event.
    queryKey: ['invoice', id, 'events', status],
    queryFn: () => got(einvoicing.GET('/v1/invoices/{id}/events', { params: { path: { id } } })),
  });

const at = (id: string) => ({ params: { path: { id } } });

export const releaseInvoice = (id: string) =>
  got(einvoicing.POST('/v1/invoices/{id}/release', at(id)));

export const approveInvoice = (id: string) =>
  got(einvoicing.POST('/v1/invoices/{id}/approve', at(id)));

export const acknowledgeInvoice = (id: string) =>
  got(einvoicing.POST('/v1/invoices/{id}/acknowledge', at(id)));

export const withdrawInvoice = (id: string, reason: string) =>
  got(
    einvoicing.POST('/v1/invoices/{id}/withdraw', {
      ...at(id),
      body: reason.trim() === '' ? {} : { reason },
    }),
  );
