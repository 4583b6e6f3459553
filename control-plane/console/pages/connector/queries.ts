import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

type Mapping = components['schemas']['Mapping'];
type Field = Mapping['fields'][number];

/** A field of a mapping, with what its proposal is based on. */
export interface MappedField extends Pick<Field, 'target' | 'status' | 'sample'> {
  readonly from?: { readonly section: string; readonly column: string };
  readonly value?: string;
  readonly confidence?: number;
  readonly reason?: string;
}

export const connectorQuery = (id: string) =>
  queryOptions({
    queryKey: ['connectors', id],
    queryFn: () => got(einvoicing.GET('/v1/connectors/{id}', { params: { path: { id } } })),
  });

export const mappingQuery = (id: string) =>
  queryOptions({
    queryKey: ['connectors', id, 'mapping'],
    queryFn: () => got(einvoicing.GET('/v1/connectors/{id}/mapping', { params: { path: { id } } })),
    // It reads a document of the source each time.
    staleTime: 60_000,
  });

export const testConnector = (id: string) =>
  got(einvoicing.POST('/v1/connectors/{id}/test', { params: { path: { id } } }));

export interface Approval {
  readonly version: number;
  readonly targets?: string[];
  readonly min_confidence?: number;
}

export const approveMapping = (id: string, body: Approval) =>
  got(einvoicing.POST('/v1/connectors/{id}/mapping/approve', { params: { path: { id } }, body }));
