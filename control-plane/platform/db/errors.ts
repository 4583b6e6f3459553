/** What the product needs to know of a database error. */
export interface DbFault {
  readonly code: 'duplicate' | 'conflict' | 'timeout' | 'unavailable' | 'defect';
  readonly retry: 'never' | 'later';
  /** The constraint that refused, for a duplicate. */
  readonly constraint?: string;
}

const states: readonly (readonly [RegExp, DbFault])[] = [
  [/^40(001|P01)$/, { code: 'conflict', retry: 'later' }], // serialisation, deadlock
  [/^(57014|55P03|25P0[34])$/, { code: 'timeout', retry: 'later' }],
  [/^(08...|57P0[1-5]|53...)$/, { code: 'unavailable', retry: 'later' }],
  [/^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH)$/, unavailable()],
];

/** What a thrown database error means; `defect` is a bug of this product. */
export function faultOf(error: unknown): DbFault {
  const { code, constraint, message } = (error ?? {}) as Record<string, unknown>;
  if (code === '23505') {
    return { code: 'duplicate', retry: 'never', constraint: String(constraint) };
  }
  // What it refers to was there when it was looked up, and has been deleted since. The other side of a
  // foreign key, "update or delete on table", is a defect: a row that others still refer to.
  if (code === '23503' && /^insert or update/.test(String(message))) {
    return { code: 'conflict', retry: 'later' };
  }
  const known = states.find(([pattern]) => typeof code === 'string' && pattern.test(code));
  if (known) return known[1];
  // The driver has no code for a lost connection or a pool that stayed full.
  const lost = /Connection terminated|not queryable|timeout exceeded when trying to connect/;
  return lost.test(String(message)) ? unavailable() : { code: 'defect', retry: 'never' };
}

function unavailable(): DbFault {
  return { code: 'unavailable', retry: 'later' };
}
