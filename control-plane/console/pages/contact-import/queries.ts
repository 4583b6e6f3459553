import { queryOptions } from '@tanstack/react-query';
import { got, messaging } from '../../api/client.ts';
import type { components } from '../../api/messaging-api.d.ts';
import { newKey } from '../../api/new-key.ts';

export type Preview = components['schemas']['ContactImportPreview'];
export type PreviewPatch = components['schemas']['ContactImportPreviewPatch'];
export type Import = components['schemas']['ContactImport'];
export type Column = Preview['reading']['columns'][number];

const path = (id: string) => ({ params: { path: { id } } });
const askEveryMs = 1_000;

export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact-import', id],
    queryFn: () => got(messaging.GET('/contacts/bulk-import/{id}/', path(id))),
    refetchInterval: ({ state }) =>
      state.data?.state === 'reading' || state.data?.state === 'running' ? askEveryMs : false,
  });

export const previewQuery = (id: string) =>
  queryOptions({
    queryKey: ['contact-import', id, 'preview'],
    queryFn: () => got(messaging.GET('/contacts/bulk-import/{id}/preview/', path(id))),
  });

export function upload(file: File): Promise<Preview> {
  const form = new FormData();
  form.set('file', file);
  return got(
    messaging.POST('/contacts/bulk-import/preview/', {
      params: { header: { 'Idempotency-Key': newKey() } },
      body: form as unknown as { file: string },
      bodySerializer: (body) => body as unknown as FormData,
    }),
  );
}

export const choose = (id: string, body: PreviewPatch) =>
  got(messaging.PATCH('/contacts/bulk-import/{id}/preview/', { ...path(id), body }));

export const discard = (id: string) =>
  got(messaging.DELETE('/contacts/bulk-import/{id}/preview/', path(id)));

export const start = (id: string) =>
  got(messaging.POST('/contacts/bulk-import/{id}/start/', path(id)));
