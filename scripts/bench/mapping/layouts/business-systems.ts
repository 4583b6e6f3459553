import { dashesForCurrency } from './dashes-for-currency.ts';
import type { Layout } from './layout.ts';
import { numerators } from './numerators.ts';
import { parentTypes } from './parent-types.ts';
import { quantitiesToProcess } from './quantities-to-process.ts';
import { salesOfATill } from './sales-of-a-till.ts';
import { siteUses } from './site-uses.ts';

/** Of six published systems, written apart from the proposals, which had not seen them. */
export const businessSystems: readonly Layout[] = [
  siteUses,
  numerators,
  quantitiesToProcess,
  dashesForCurrency,
  parentTypes,
  salesOfATill,
];
