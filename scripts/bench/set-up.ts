import { mappings } from '../demo/mappings.ts';
import type { Client } from './client.ts';

/** Makes a connector with an approved mapping; returns its id. */
export async function makeConnector(
  client: Client,
  connector: {
    readonly pattern: 'database' | 'agent';
    readonly kind: string;
    readonly agent_id?: string;
    readonly duplicates?: 'warn' | 'reject';
    readonly settings: Readonly<Record<string, unknown>>;
  },
): Promise<string> {
  const profile = 'PINT-AE';
  const { id } = await client.send('POST', '/v1/connectors', {
    name: 'bench',
    default_profile: profile,
    ...connector,
  });
  const fields = mappings[profile].fields.map((field) => ({ ...field, status: 'proposed' }));
  await client.send('PUT', `/v1/connectors/${id}/mapping`, { mapping: { profile, fields } });
  await client.send('POST', `/v1/connectors/${id}/mapping/approve`, {});
  return id;
}
