import { plainNumber } from '@drawbridge/records/number.ts';
import { binary } from '../sql/driver.ts';
import { withoutPadding } from '../sql/padding.ts';

/** Object ids of the built-in types whose text needs a change. */
const types = {
  boolean: 16,
  bytea: 17,
  real: 700,
  double: 701,
  blankPadded: 1_042,
  timestamp: 1_114,
  timestampWithZone: 1_184,
} as const;

/**
 * PostgreSQL's text as ours: `true`/`false`, `2026-01-31`, `2026-01-31T10:00:00.5` (with `Z` where
 * the column has a zone; the session runs in UTC), numbers without exponent, `char(n)` unpadded.
 */
export function postgresText(value: string | null, typeId: number): string | null | typeof binary {
  if (value === null) return null;
  switch (typeId) {
    case types.boolean:
      return value === 't' ? 'true' : 'false';
    case types.bytea:
      return binary;
    case types.real:
    case types.double:
      return plainNumber(value);
    case types.blankPadded:
      return withoutPadding(value);
    case types.timestamp:
      return value.replace(' ', 'T');
    case types.timestampWithZone:
      return value.replace(' ', 'T').replace(/\+00$/, 'Z');
    default:
      return value;
  }
}
