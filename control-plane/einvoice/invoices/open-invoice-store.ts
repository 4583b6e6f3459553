import type { Tx } from '../../platform/db/tx.ts';

/** Invoices of all tenants that stand in a state and are not at their end. */
export interface OpenInvoices {
  readonly environment: string;
  readonly state: string;
  /** At most `max`. */
  readonly invoices: number;
  /** Since the oldest of them was submitted; 0 when there is none. */
  readonly oldest_seconds: number;
}

/** Counts open invoices by environment and state, up to `max` of each. */
export function countOpenInvoices(tx: Tx, at: Date, max: number): Promise<OpenInvoices[]> {
  return tx.rows('select * from count_open_invoices($1, $2)', [at, max]);
}
