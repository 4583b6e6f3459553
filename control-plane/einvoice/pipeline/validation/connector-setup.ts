import type { SubmissionPolicy } from '@drawbridge/lifecycle/submission-policy.ts';
import type { Company } from '@drawbridge/profiles/company.ts';
import type { Environment } from '../../../platform/auth/principal.ts';
import type { Tx } from '../../../platform/db/tx.ts';
import { findCompanies } from '../../company/store.ts';
import {
  type ConnectorRow,
  findConnectors,
  findMappings,
  type MappingRow,
} from '../../connectors/store.ts';
import type { InvoiceRow } from '../../invoices/store.ts';

/** What documents of a connector are checked with. */
export interface ConnectorSetup {
  readonly connector: ConnectorRow;
  readonly mappings: readonly MappingRow[];
  readonly companies: Partial<Record<Environment, Company>>;
}

/** Undefined when the connector was deleted. */
export async function readConnectorSetup(
  tx: Tx,
  tenantId: string,
  connectorId: string,
): Promise<ConnectorSetup | undefined> {
  const [[connector], mappings, companies] = await Promise.all([
    findConnectors(tx, tenantId, [connectorId]),
    findMappings(tx, tenantId, [connectorId]),
    findCompanies(tx, tenantId),
  ]);
  return connector === undefined ? undefined : { connector, mappings, companies };
}

/** What the connector asks for in the invoice's environment. */
export function policyOf(
  setup: ConnectorSetup | undefined,
  { environment }: InvoiceRow,
): SubmissionPolicy | undefined {
  return setup?.connector.submission[environment];
}
