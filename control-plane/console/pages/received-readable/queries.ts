import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import { documentOf, type InvoiceDocument } from '../invoice-document/document.ts';

/** The canonical model of a document that a supplier sent. */
export const receivedModelQuery = (id: string) =>
  queryOptions({
    queryKey: ['received', id, 'model'],
    queryFn: async (): Promise<InvoiceDocument> => {
      const text = await got(
        einvoicing.GET('/v1/received/{id}/document', {
          params: { path: { id }, query: { form: 'cim' } },
          parseAs: 'text',
        }),
      );
      return documentOf(JSON.parse(text as string));
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
