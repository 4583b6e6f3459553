import type { Layout } from './layout.ts';
import { ratesAsText } from './rates-as-text.ts';
import { reversedDocuments } from './reversed-documents.ts';
import { summariesAndDetails } from './summaries-and-details.ts';

/** Whose invoices come of orders, written apart from the proposals. */
export const orderSystems: readonly Layout[] = [
  summariesAndDetails,
  ratesAsText,
  reversedDocuments,
];
