import { explain } from '@drawbridge/explanations/explain.ts';
import type { InvoiceError } from '@drawbridge/validation/source/verdict.ts';

/** Why a rule is there and how to mend the document, in plain words. */
export interface Explanation {
  readonly why: string;
  readonly fix: string;
  /** Where the value usually stands in an ERP. */
  readonly erp: string;
}

/** Adds to stored errors the explanations that people see, which are not stored with them. */
export function withExplanations(
  errors: readonly InvoiceError[],
): (InvoiceError & { readonly explanation?: Explanation })[] {
  return errors.map((error) => {
    const found = explain(error.rule);
    if (found === undefined) return error;
    const { why, fix, erp } = found;
    return { ...error, explanation: { why, fix, erp } };
  });
}
