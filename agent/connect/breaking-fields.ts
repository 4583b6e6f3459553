import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { previewLocally } from '../mapping/local-preview.ts';
import type { SourceSample } from '../mapping/source.ts';
import { isRequired } from './open-fields.ts';

/** Amounts of taxes without their categories, which are computed from the lines where nothing is said. */
export function halfBreakdown({ fields }: Mapping): readonly string[] {
  const targets = fields.map(({ target }) => target);
  if (targets.includes('tax_breakdown[].category')) return [];
  return targets.filter((target) => target.startsWith('tax_breakdown[]'));
}

/** Documents whose form is looked at, and kinds of fields that are left out for it. */
const formDocuments = 5;
const formRounds = 5;

/** Fields that need not be there, and without which documents keep the form that the network wants. */
export async function breakingFields(
  tried: Parameters<typeof previewLocally>[0],
  sample: SourceSample,
  now: Date,
): Promise<readonly string[]> {
  const few = { ...sample, documents: sample.documents.slice(0, formDocuments), unread: [] };
  const formFaults = async (fields: Mapping['fields']) => {
    const mapping = { ...tried.mapping, fields };
    const { refusals } = await previewLocally({ ...tried, mapping }, few, now);
    return refusals.filter(({ rule }) => rule.includes('-XSD-')).length;
  };
  let { fields } = tried.mapping;
  const left: string[] = [];
  for (let round = 0; round < formRounds; round++) {
    const faults = await formFaults(fields);
    if (faults === 0) break;
    const groups = Map.groupBy(fields, ({ target }) => groupOf(target));
    let better: Mapping['fields'] | undefined;
    for (const [group, members] of groups) {
      const isNeeded = members.some(({ target }) => isRequired(tried.profile, target));
      // Breakdowns of tax are computed from the lines where nothing is said.
      if (group === 'lines' || (isNeeded && !group.startsWith('tax_'))) continue;
      const others = fields.filter(({ target }) => groupOf(target) !== group);
      if ((await formFaults(others)) >= faults) continue;
      better = others;
      left.push(...members.map(({ target }) => target));
      break;
    }
    if (better === undefined) break;
    fields = better;
  }
  return left;
}

/** Fields of one list belong together: `tax_breakdown[].rate` → tax_breakdown. */
function groupOf(target: string): string {
  const list = target.indexOf('[]');
  return list < 0 ? target : target.slice(0, list);
}
