import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import {
  type ClearedInvoice,
  correctedNumbers,
} from '@drawbridge/validation/source/corrected-invoices.ts';
import type { Environment } from '../../platform/auth/principal.ts';
import type { Db } from '../../platform/db/database.ts';
import { isRejectedOrCancelled } from './store.ts';

/** The tenant's own invoices that a note corrects. */
interface CorrectedInvoices {
  readonly cleared: readonly ClearedInvoice[];
  /** One that was submitted and has no verdict yet. */
  readonly waitsFor: string | undefined;
}

interface CorrectingNote {
  readonly tenantId: string;
  readonly environment: Environment;
  readonly profile: Profile;
  readonly connectorId: string;
  /** Undefined for one that is not submitted. */
  readonly id: string | undefined;
}

interface CorrectedRow {
  readonly id: string;
  readonly seller: string | null;
  readonly number: string | null;
  readonly uin: string | null;
}

const rowsMax = 200;

/**
 * Looks for them by the numbers that the note's source names, where the authority wants their identifiers
 * and the source has none. One that was not read yet is known by its reference.
 */
export async function correctedBy(
  db: Db,
  { tenantId, environment, profile, connectorId, id = '' }: CorrectingNote,
  source: SourceDocument,
  mapping: Mapping | undefined,
): Promise<CorrectedInvoices> {
  const numbers = profile.route === 'exchange' ? [] : correctedNumbers(source, mapping);
  if (numbers.length === 0) return { cleared: [], waitsFor: undefined };
  const rows = await db.tenant(tenantId, (tx) =>
    tx.rows<CorrectedRow>(
      `select i.id, i.seller, i.number, i.uin from invoice i
       where i.tenant_id = $1 and i.environment = $2 and i.profile = $3 and i.id <> $4
         and (i.number = any($5)
           or i.number is null and i.connector_id = $6 and i.source_ref = any($5))
         and not ${isRejectedOrCancelled} order by i.id desc limit $7`,
      [tenantId, environment, profile.id, id, numbers, connectorId, rowsMax],
    ),
  );
  return {
    cleared: rows.flatMap(({ seller, number, uin }) =>
      seller === null || number === null || uin === null ? [] : [{ seller, number, uin }],
    ),
    waitsFor: rows.find(({ uin }) => uin === null)?.id,
  };
}
