import { compile } from '@drawbridge/binding/compile.ts';
import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';

/** UBL 2.1 for all Peppol profiles: they share one table, and their rules restrict it. */
export const bindings = {
  invoice: compile(invoice),
  'credit-note': compile(creditNote),
} as const;
