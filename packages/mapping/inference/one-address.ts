import type { Candidate } from './candidate.ts';
import type { ReadColumn } from './columns.ts';

/** Words of the parts of an address, and those beside them that do not say which address it is. */
const parts: ReadonlySet<string> = new Set(
  'address line city postcode state country name code id number region legal'.split(' '),
);

/**
 * Candidates without parts of another address than the one that has most of them: a street of the postal address and
 * the town of the warehouse are no address.
 */
export function ofOneAddress(candidates: readonly Candidate[]): readonly Candidate[] {
  const others = new Set(['buyer', 'seller'].flatMap((party) => ofOthers(party, candidates)));
  return candidates.filter((each) => !others.has(each));
}

function ofOthers(party: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const all = candidates.filter(({ target }) => target.startsWith(`${party}.address.`));
  const addresses = [...Map.groupBy(all, ({ column }) => addressOf(column)).values()];
  const [main] = addresses.toSorted((one, other) => completeness(other) - completeness(one));
  if (main === undefined) return [];
  const told = new Set(main.map(({ target }) => target));
  const hasLines = told.has(`${party}.address.line1`);
  const isElsewhere = ({ target, column }: Candidate) =>
    told.has(target) || column.words.has('delivery') || (hasLines && /line[23]$/.test(target));
  return all.filter((each) => !main.includes(each) && isElsewhere(each));
}

/** The section, without those that it leads on to, and what is said of the address besides its parts. */
function addressOf({ column: { section }, words }: ReadColumn): string {
  const place = section.replace(/_(country|state|city)$/, '');
  const which = [...words].filter((word) => !parts.has(word) && !/^\d+$/.test(word));
  return [place, ...which].join('\n');
}

/** What is no more than a guess counts nothing. */
const guess = 0.5;

/** How many parts it has, each by how much surer it is than a guess. */
function completeness(candidates: readonly Candidate[]): number {
  const best = new Map<string, number>();
  for (const { target, confidence } of candidates) {
    best.set(target, Math.max(confidence, best.get(target) ?? 0));
  }
  return [...best.values()].reduce((sum, confidence) => sum + confidence - guess, 0);
}
