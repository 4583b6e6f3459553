import { compile } from '@drawbridge/binding/compile.ts';
import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';

/** UBL 2.1 as the Peppol profiles write it; one table serves them all, their rules narrow it. */
export const bindings = {
  invoice: compile(invoice),
  'credit-note': compile(creditNote),
} as const;
