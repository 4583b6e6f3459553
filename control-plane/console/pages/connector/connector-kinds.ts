import { queryOptions } from '@tanstack/react-query';
import { einvoicing, got } from '../../api/client.ts';
import type { components } from '../../api/einvoice-api.d.ts';
import type { SettingSchema } from '../../setting-forms/setting-shape.ts';

/** A kind of source, with the schema of its settings. */
export interface ConnectorKind extends Omit<components['schemas']['ConnectorKind'], 'settings'> {
  readonly settings: SettingSchema;
}

export const connectorKindsQuery = queryOptions({
  queryKey: ['connector-kinds'],
  queryFn: async () =>
    (await got(einvoicing.GET('/v1/connector-kinds'))).results as readonly ConnectorKind[],
  // It changes with the version of the service alone.
  staleTime: Number.POSITIVE_INFINITY,
});
