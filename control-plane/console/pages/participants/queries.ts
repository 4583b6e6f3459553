import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

export type Participant = components['schemas']['Participant'];

export const participantsQuery = queryOptions({
  queryKey: ['participants'],
  queryFn: () => got(einvoicing.GET('/v1/participants')),
});

const path = (id: string) => ({ params: { path: { id } } });

/** `importTo`: a connector, or null when documents are put into no ERP by themselves. */
export const saveParticipant = (id: string, importTo: string | null) =>
  got(einvoicing.PUT('/v1/participants/{id}', { ...path(id), body: { import_to: importTo } }));

export const removeParticipant = (id: string) =>
  got(einvoicing.DELETE('/v1/participants/{id}', path(id)));
