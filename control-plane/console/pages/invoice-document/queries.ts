import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import { documentOf, type InvoiceDocument } from './document.ts';

/** The canonical model of an invoice. */
export const documentQuery = (id: string) =>
  queryOptions({
    queryKey: ['invoice', id, 'document'],
    queryFn: async (): Promise<InvoiceDocument> => {
      const text = await got(
        einvoicing.GET('/v1/invoices/{id}/document', {
          params: { path: { id }, query: { stage: 'cim' } },
          parseAs: 'text',
        }),
      );
      return documentOf(JSON.parse(text as string));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
