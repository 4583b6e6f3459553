import { decimalsMaxOf, explain } from '@drawbridge/explanations/explain.ts';
import type { Mapping } from '@drawbridge/mapping/mapping.ts';
import { targetFault } from '@drawbridge/mapping/targets.ts';
import type { Profile } from '@drawbridge/profiles/contract.ts';
import type { previewLocally } from '../mapping/local-preview.ts';
import { isRequired } from './open-fields.ts';
import type { OpenField } from './work.ts';

type Refusals = Awaited<ReturnType<typeof previewLocally>>['refusals'];

/** Amounts that follow from others: no person says them. */
const computed = /^(totals|tax_totals|tax_breakdown)\b|\.(net|amount|taxable)$/;

/** What the rules that refuse documents speak of and nothing fills: the first field of each. */
export function lackingFields(whole: Mapping, profile: Profile, refusals: Refusals): OpenField[] {
  const filled = new Set(whole.fields.map(({ target }) => target));
  const found = new Map<string, OpenField>();
  // Where a column has a value, it is wrong and not lacking.
  for (const { rule } of refusals.filter(({ example }) => example.source === undefined)) {
    const told = explain(rule);
    const paths = (told?.fields ?? []).map((path) => listedPath(path, filled));
    const isNamed = paths.some((path) => found.has(path));
    const path = paths.find((each) => {
      return !filled.has(each) && !computed.test(each) && targetFault(each) === undefined;
    });
    if (told === undefined || path === undefined || isNamed) continue;
    const row = profile.fields.find((each) => each.path === path);
    found.set(path, { path, name: row?.name ?? path, help: told.fix });
  }
  return [...found.values()];
}

/** Fields that need not be there, and whose values refuse documents. */
export function refusingFields(mapping: Mapping, profile: Profile, refusals: Refusals): string[] {
  const columns = columnsOf(refusals.filter((refusal) => !isOfDecimals(refusal)));
  return mapping.fields.flatMap(({ target, from }) => {
    const isRefusing = from !== undefined && columns.has(from.column);
    return isRefusing && !isRequired(profile, target) ? [target] : [];
  });
}

/** Rules speak of allowances and charges together, and a mapping of either. */
function listedPath(path: string, filled: ReadonlySet<string>): string {
  const isCharge = filled.has('charges[].amount') || filled.has('charges[].percent');
  return path.replace(/^allowances_charges\[\]/, isCharge ? 'charges[]' : 'allowances[]');
}

/** Fields whose amounts have more than two decimals, and are not rounded. */
export function unroundedFields({ fields }: Mapping, refusals: Refusals): string[] {
  const columns = columnsOf(refusals.filter(isOfDecimals));
  return fields.flatMap(({ target, from, transforms = [] }) => {
    const isRounded = transforms.some(({ kind }) => kind === 'round');
    return from !== undefined && columns.has(from.column) && !isRounded ? [target] : [];
  });
}

function isOfDecimals({ rule }: Refusals[number]): boolean {
  return decimalsMaxOf(rule) !== undefined;
}

/** The columns whose values are refused. */
function columnsOf(refusals: Refusals): ReadonlySet<string> {
  return new Set(refusals.flatMap(({ example: { source } }) => source?.column ?? []));
}
