import { addressHistory } from './address-history.ts';
import { amountsAsText } from './amounts-as-text.ts';
import { discountsAsLines } from './discounts-as-lines.ts';
import { entriesByReference } from './entries-by-reference.ts';
import type { Layout } from './layout.ts';
import { statusApart } from './status-apart.ts';
import { taxAuthorities } from './tax-authorities.ts';

/** Of six countries, as wide as real ones, written apart from the proposals. */
export const countrySystems: readonly Layout[] = [
  taxAuthorities,
  discountsAsLines,
  entriesByReference,
  addressHistory,
  amountsAsText,
  statusApart,
];
