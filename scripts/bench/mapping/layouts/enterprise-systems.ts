import { cardsAndSales } from './cards-and-sales.ts';
import { itemsOfAnything } from './items-of-anything.ts';
import { journalSources } from './journal-sources.ts';
import type { Layout } from './layout.ts';
import { linesOfTransactions } from './lines-of-transactions.ts';
import { paddedDebtors } from './padded-debtors.ts';
import { registers } from './registers.ts';

/** Of larger systems and rented ones, each in the country of a firm that has it, written apart from the proposals. */
export const enterpriseSystems: readonly Layout[] = [
  itemsOfAnything,
  cardsAndSales,
  paddedDebtors,
  registers,
  journalSources,
  linesOfTransactions,
];
