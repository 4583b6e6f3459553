import { creditAccounts } from './credit-accounts.ts';
import type { Layout } from './layout.ts';
import { localAndForeign } from './local-and-foreign.ts';
import { misspelt } from './misspelt.ts';
import { orderValues } from './order-meta.ts';
import { postedDocuments } from './posted-documents.ts';
import { spanishSeries } from './spanish-series.ts';

/** Of five published systems and a home-made one, written apart from the proposals; they were held back first. */
export const publishedSystems: readonly Layout[] = [
  localAndForeign,
  creditAccounts,
  spanishSeries,
  orderValues,
  postedDocuments,
  misspelt,
];
