import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';
import { totalOf } from './examine.ts';

/** Less certain columns would object to what is right. */
const confidenceMin = 0.8;

/** Columns that hold totals by their names and sums, as `proposed` says, for totals that the mapping does not take. */
export function seemingTotals(mapping: Mapping, proposed: Mapping): readonly MappingField[] {
  const mapped = new Set(mapping.fields.map(totalOf));
  return proposed.fields.filter((field) => {
    const total = totalOf(field);
    return (
      total !== undefined &&
      !mapped.has(total) &&
      field.from?.section === 'header' &&
      (field.confidence ?? 0) >= confidenceMin
    );
  });
}
