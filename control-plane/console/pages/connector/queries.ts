import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';

type Schemas = components['schemas'];
export type Connector = Schemas['Connector'];
export type Profile = Schemas['Mapping']['profile'];
/** The mapping as the API shows it. */
export type Mapping = Omit<Schemas['Mapping'], 'fields'> & {
  readonly fields: readonly MappedField[];
};
export type CoveredField = Mapping['coverage']['fields'][number];
export type ValueMap = Mapping['value_maps'][number];
export type SourceColumn = Mapping['columns'][number];
export type SentMapping = Schemas['MappingRequest']['mapping'];
export type Field = SentMapping['fields'][number];
export type Transform = NonNullable<Field['transforms']>[number];
export type MappedDocument = Schemas['MappedDocument'];
export type Preview = Schemas['MappingPreview'];
export type Objection = Schemas['MappingObjection'];
export type Approval = Schemas['MappingApproval'];

/** A field of a mapping, with what the sample document gives. */
export interface MappedField extends Field {
  readonly sample?: unknown;
}

/** Which mapping: of the connector, for a profile or its own. */
export interface Place {
  readonly id: string;
  readonly profile?: Profile | undefined;
}

const paramsOf = ({ id, profile }: Place) => ({
  path: { id },
  query: profile === undefined ? {} : { profile },
});

export const connectorQuery = (id: string) =>
  queryOptions({
    queryKey: ['connectors', id],
    queryFn: () => got(einvoicing.GET('/v1/connectors/{id}', { params: { path: { id } } })),
  });

const mappingKey = ({ id, profile = undefined }: Place) =>
  ['connectors', id, 'mapping', profile ?? ''] as const;

export const mappingQuery = (place: Place) =>
  queryOptions({
    queryKey: [...mappingKey(place), 'fields'],
    queryFn: async () =>
      (await got(
        einvoicing.GET('/v1/connectors/{id}/mapping', { params: paramsOf(place) }),
      )) as Mapping,
    // It reads documents of the source each time.
    staleTime: 60_000,
  });

export const documentQuery = (place: Place, ref: string | undefined) =>
  queryOptions({
    queryKey: [...mappingKey(place), 'document', ref ?? ''],
    queryFn: () => {
      const { path, query } = paramsOf(place);
      const asked = ref === undefined ? query : { ...query, source_ref: ref };
      const params = { path, query: asked };
      return got(einvoicing.GET('/v1/connectors/{id}/mapping/document', { params }));
    },
    staleTime: 60_000,
  });

/** Asked for by a button: it reads 50 documents. */
export const previewQuery = (place: Place) =>
  queryOptions({
    queryKey: [...mappingKey(place), 'preview'],
    queryFn: () =>
      got(
        einvoicing.POST('/v1/connectors/{id}/mapping/preview', {
          params: paramsOf(place),
          body: { documents: 50 },
        }),
      ),
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Everything that a change of the mapping makes old. */
export const ofMapping = (place: Place) => ({ queryKey: mappingKey(place) });

export const testConnector = (id: string) =>
  got(einvoicing.POST('/v1/connectors/{id}/test', { params: { path: { id } } }));

export const approveMapping = (place: Place, body: Approval) =>
  got(einvoicing.POST('/v1/connectors/{id}/mapping/approve', { params: paramsOf(place), body }));

export const saveMapping = (place: Place, version: number, mapping: SentMapping) =>
  got(
    einvoicing.PUT('/v1/connectors/{id}/mapping', {
      params: paramsOf(place),
      body: { version, mapping },
    }),
  );

export type ConnectorChange = Schemas['ConnectorPatch'];

export const changeConnector = (id: string, body: ConnectorChange) =>
  got(einvoicing.PATCH('/v1/connectors/{id}', { params: { path: { id } }, body }));

export const removeConnector = (id: string) =>
  got(einvoicing.DELETE('/v1/connectors/{id}', { params: { path: { id } } }));

export type ProposedLayout = Schemas['ProposedLayout'];
export type CompanyAnswer = Schemas['DiscoveredCompanyAnswer'];

/** Looks through the source for its invoices. */
export const discover = (id: string) =>
  got(einvoicing.POST('/v1/connectors/{id}/discover', { params: { path: { id } }, body: {} }));
