import { einvoicing, got } from '../../api/client.ts';
import type { components, operations } from '../../api/einvoice-api.d.ts';
import { pagesOf } from '../../api/paging.ts';

export type Invoice = components['schemas']['Invoice'];
export type InvoiceFilters = Omit<
  NonNullable<operations['listInvoices']['parameters']['query']>,
  'cursor' | 'limit'
>;

/** Invoices, the newest first. */
export const invoicesQuery = (filters: InvoiceFilters) =>
  pagesOf(['invoices', filters], (page) =>
    got(einvoicing.GET('/v1/invoices', { params: { query: { ...filters, ...page } } })),
  );
