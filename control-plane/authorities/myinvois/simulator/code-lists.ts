/** States of Malaysia, 17 = not applicable. */
export const states: ReadonlySet<string> = numbered(0, 17, 2);

/** Classification codes of items (list CLASS). */
export const classifications: ReadonlySet<string> = numbered(1, 45, 3);

/**
 * Tax types: sales, service, tourism, high-value goods, low-value goods, not applicable; E exempt.
 */
export const taxTypes: ReadonlySet<string> = new Set([...numbered(1, 6, 2), 'E']);

/** Payment modes. */
export const paymentModes: ReadonlySet<string> = numbered(1, 8, 2);

/** The ISO 4217 codes that the runtime knows. */
export const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Identifier schemes of parties. */
export const partySchemes: ReadonlySet<string> = new Set([
  'TIN',
  'BRN',
  'NRIC',
  'PASSPORT',
  'ARMY',
  'SST',
  'TTX',
]);

/**
 * Prefix and digits of a TIN; EI numbers are the general ones (public, foreign buyers, government).
 */
export const tinPattern =
  /^(?:(?:IG|C|CS|D|E|F|FA|PT|TA|TC|TN|TR|TP|J|LE|OG|SG)\d{5,12}|EI000000000[1-4]0)$/;

function numbered(first: number, last: number, width: number): ReadonlySet<string> {
  const all = Array.from({ length: last - first + 1 }, (_, index) => String(first + index));
  return new Set(all.map((number) => number.padStart(width, '0')));
}
