import { got, messaging } from '../../api/client.ts';
import type { components, operations } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';
import { pagesOf } from '../../api/paging.ts';

export type Rate = components['schemas']['RateCard'];
export type RateRequest = components['schemas']['RateCardRequest'];
export type ImportPreview = components['schemas']['RateCardImportPreview'];
type Query = NonNullable<operations['listRateCards']['parameters']['query']>;
export type RateFilters = Pick<Query, 'prefix' | 'number'>;

/** All that shows rates has a key that begins so. */
export const ratesKey = ['rates'] as const;

export const ratesQuery = (filters: RateFilters) =>
  pagesOf([...ratesKey, filters], (page) =>
    got(messaging.GET('/voice/api/rate-cards/', { params: { query: { ...filters, ...page } } })),
  );

export const addRate = (body: RateRequest) =>
  got(
    messaging.POST('/voice/api/rate-cards/', {
      params: { header: { 'Idempotency-Key': newKey() } },
      body,
    }),
  );

export const endRate = (id: string) =>
  got(messaging.DELETE('/voice/api/rate-cards/{id}/', { params: { path: { id } } }));

/** A file, as a form that is sent as it is. */
function formOf(file: File) {
  const form = new FormData();
  form.set('file', file);
  return {
    body: form as unknown as { file: string },
    bodySerializer: (body: unknown) => body as FormData,
  };
}

export const previewImport = (file: File) =>
  got(messaging.POST('/voice/api/rate-cards/import/preview/', formOf(file)));

export const importRates = (file: File) =>
  got(messaging.POST('/voice/api/rate-cards/import/', formOf(file)));
