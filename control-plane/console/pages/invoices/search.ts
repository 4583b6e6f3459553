/** What the list is narrowed by, as it stands in the address. */
export interface InvoiceSearch {
  readonly status?: string | undefined;
  readonly waits_for?: string | undefined;
  readonly connector_id?: string | undefined;
  readonly number?: string | undefined;
  /** How the name begins. */
  readonly buyer?: string | undefined;
  readonly amount_min?: string | undefined;
  readonly amount_max?: string | undefined;
  /** Days, `YYYY-MM-DD`, both included. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const names = [
  'status',
  'waits_for',
  'connector_id',
  'number',
  'buyer',
  'amount_min',
  'amount_max',
  'since',
  'until',
] as const;

/** An address with `number=12` has a number; each name stays, also without a value. */
export function invoiceSearchOf(search: Readonly<Record<string, unknown>>): InvoiceSearch {
  return Object.fromEntries(
    names.map((name) => [name, search[name] === undefined ? undefined : String(search[name])]),
  );
}
