import type { Tx } from '../../platform/db/tx.ts';
import { fail } from '../errors.ts';
import { type ConnectorRow, findConnectors } from './store.ts';

/** The connector of the tenant with that id. Throws `connector_not_found`. */
export async function requireConnector(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<ConnectorRow> {
  const [row] = await findConnectors(tx, tenantId, [id]);
  if (row === undefined) throw connectorNotFound(id);
  return row;
}

export function connectorNotFound(id: string) {
  return fail(
    'connector_not_found',
    `There is no connector "${id}". GET /v1/connectors lists yours.`,
  );
}
