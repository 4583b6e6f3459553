import { adjustmentsOfOrders } from './adjustments.ts';
import { documentsOfOrders } from './documents-of-orders.ts';
import { journalEntries } from './journal-entries.ts';
import type { Layout } from './layout.ts';
import { minorUnits } from './minor-units.ts';
import { movesAsLines } from './moves-as-lines.ts';
import { preferenceKinds } from './preference-kinds.ts';

/** Of six open systems from their published schemas, written apart from the proposals, which had not seen them. */
export const openSystems: readonly Layout[] = [
  movesAsLines,
  journalEntries,
  preferenceKinds,
  documentsOfOrders,
  adjustmentsOfOrders,
  minorUnits,
];
