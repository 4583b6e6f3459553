import type { LackingField } from '@drawbridge/mapping/coverage.ts';
import type { Examination } from './examine.ts';

/** What a rule means, and where ERPs keep what it asks for. */
export type Explain = (rule: string) => { readonly why: string; readonly erp: string } | undefined;

/** Fields for whose lack documents would be refused, each with what it means and where ERPs keep it. */
export function lackingFields(
  examinations: readonly Examination[],
  explain: Explain,
): readonly LackingField[] {
  const found = examinations.flatMap(({ missing }) => [
    ...new Map(missing.map((each) => [`${each.path} ${each.rule}`, each])).entries(),
  ]);
  return [...Map.groupBy(found, ([key]) => key).values()].map((all) => {
    const { path, rule, message } = all[0]![1];
    const { why = message, erp } = explain(rule) ?? {};
    const where = erp === undefined ? '' : ` In an ERP: ${erp}`;
    return {
      path,
      words: `${all.length} of ${examinations.length} documents would be refused without it (${rule}). ${why}${where}`,
    };
  });
}
