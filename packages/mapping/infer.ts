import type { FieldRow } from '@drawbridge/profiles/contract.ts';
import { type FieldTerms, fieldTerms } from './field-terms.ts';
import type { Mapping, MappingField } from './mapping.ts';
import { assessSamples, type SampleVerdict } from './samples.ts';
import { targets } from './targets.ts';
import type { Transform } from './transform.ts';
import { malaysianTaxCodeGuesses, type Role, taxCodeGuesses, unitGuesses } from './vocabulary.ts';
import { likeness, roleOf, wordsOf } from './words.ts';

/** A column of the source with a few sample values, as connectors describe it. */
export interface DescribedColumn {
  readonly section: string;
  readonly origin: string;
  readonly column: string;
  readonly samples: readonly string[];
}

/** Limits of the input: a source with more columns is not read as an invoice. */
const inferLimits = { columnsMax: 2_000 } as const;

/** Less certain proposals are left out. */
const confidenceMin = 0.5;

interface Candidate {
  readonly target: string;
  readonly column: DescribedColumn;
  readonly confidence: number;
  readonly reason: string;
  readonly transforms: readonly Transform[];
  readonly order: number;
}

/**
 * Proposes a mapping from the names and samples of the columns. The same columns give the same
 * proposal; nothing in it is used before a person approves it.
 */
export function infer(columns: readonly DescribedColumn[], fields: readonly FieldRow[]): Mapping {
  const wanted = new Set(fields.map((field) => field.path));
  const known = columns.slice(0, inferLimits.columnsMax).map(read);
  const candidates = fieldTerms
    .filter((entry) => isWanted(entry.target, wanted))
    .flatMap((entry, order) =>
      known.flatMap((column) => candidate(entry, column, order, wanted) ?? []),
    )
    .sort(byConfidence);
  const takenTargets = new Set<string>();
  const takenColumns = new Set<DescribedColumn>();
  const chosen: MappingField[] = [];
  for (const each of candidates) {
    if (takenTargets.has(each.target) || takenColumns.has(each.column)) continue;
    takenTargets.add(each.target);
    takenColumns.add(each.column);
    chosen.push(fieldOf(each));
  }
  const order = new Map(fieldTerms.map((entry, index) => [entry.target, index]));
  chosen.sort((a, b) => order.get(a.target)! - order.get(b.target)!);
  return { fields: chosen };
}

/** Whether the profile wants the target; identifiers of another country are left out. */
function isWanted(target: string, wanted: ReadonlySet<string>): boolean {
  const isCountrys = /(\.tin|identifiers\[\]\.id|industry_code|industry_name)$/.test(target);
  return !isCountrys || wanted.has(target);
}

interface ReadColumn {
  readonly column: DescribedColumn;
  readonly words: ReadonlySet<string>;
  readonly role: Role;
  /** The owner in the column's own name (`customer_name` in the header). */
  readonly owner: Role | undefined;
  readonly isKey: boolean;
}

function read(column: DescribedColumn): ReadColumn {
  const all = wordsOf(column.column);
  const role = roleOf(column.section, column.origin);
  const owner = ownerOf(all);
  const own = all.filter((word) => word !== 'buyer' && word !== 'seller');
  const words = new Set(own.length === 0 ? all : own);
  return { column, words, role, owner, isKey: isKey(all, column.samples) };
}

function ownerOf(words: readonly string[]): Role | undefined {
  const isBillTo = words.includes('invoice') && words.includes('to');
  if (words.includes('buyer') || words.includes('card') || isBillTo) return 'buyer';
  return words.includes('seller') ? 'seller' : undefined;
}

/**
 * Whether name and samples are those of a foreign key, which refers to a row and has no own value.
 */
function isKey(words: readonly string[], samples: readonly string[]): boolean {
  const last = words.at(-1);
  const isNamed = last === 'key' || last === 'entry' || last === 'id' || last === 'guid';
  const values = samples.filter((sample) => sample.trim() !== '');
  return (
    isNamed &&
    values.length > 0 &&
    values.every((value) => /^(\d{1,12}|[0-9a-f-]{32,36})$/i.test(value))
  );
}

function candidate(
  entry: FieldTerms,
  { column, words, role, owner, isKey: key }: ReadColumn,
  order: number,
  wanted: ReadonlySet<string>,
): Candidate | undefined {
  // Only lines repeat, so columns of lines and fields of lines belong together.
  if ((role === 'line') !== (entry.role === 'line')) return undefined;
  const datatype = targets.get(entry.target)?.datatype ?? 'text';
  const verdict = assessSamples(column.samples, entry.target, datatype);
  if (verdict.verdict === 'against') return undefined;
  if (erpColumn(entry.not, column) !== undefined) return undefined;
  const named = erpColumn(entry.columns, column);
  const score = named === undefined ? nameScore(entry, words, role, owner, key) : 0.92;
  if (score === 0) return undefined;
  const bonus = (verdict.verdict === 'for' ? 0.05 : 0) + (wanted.has(entry.target) ? 0.02 : 0);
  const confidence = Math.round(Math.min(score + bonus, 0.99) * 100) / 100;
  if (confidence < confidenceMin) return undefined;
  return {
    target: entry.target,
    column,
    confidence,
    reason: reasonOf(named, column, verdict),
    transforms: [...verdict.transforms, ...guesses(entry.target, column.samples, wanted)],
    order,
  };
}

function erpColumn(
  known: readonly string[] | undefined,
  { origin, column }: DescribedColumn,
): string | undefined {
  const table = origin.toLowerCase();
  return known?.find((name) => {
    const dot = name.indexOf('.');
    if (name.slice(dot + 1).toLowerCase() !== column.toLowerCase()) return false;
    const knownTable = name.slice(0, dot).toLowerCase();
    // A schema before a name, and the company before a NAV name, differ by site.
    return table === knownTable || new RegExp(`[.$\\[]${quoted(knownTable)}($|[\\]$])`).test(table);
  });
}

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function nameScore(
  entry: FieldTerms,
  words: ReadonlySet<string>,
  role: Role,
  owner: Role | undefined,
  key: boolean,
): number {
  const fit = fitOf(entry.role, role, owner);
  if (fit === 0 || key) return 0;
  const best = Math.max(...entry.phrases.map((phrase) => likeness(phraseWords(phrase), words)));
  return best * fit * 0.88;
}

const phrases = new Map<string, ReadonlySet<string>>();

function phraseWords(phrase: string): ReadonlySet<string> {
  const known = phrases.get(phrase);
  if (known !== undefined) return known;
  const words = wordsOf(phrase).filter((word) => word !== 'buyer' && word !== 'seller');
  const made = new Set(words.length === 0 ? wordsOf(phrase) : words);
  phrases.set(phrase, made);
  return made;
}

/** How well a column of this section and owner fits the target. */
function fitOf(wanted: Role, role: Role, owner: Role | undefined): number {
  if (owner !== undefined && role !== owner && role !== 'document') return 0;
  const effective = owner ?? role;
  if (effective === wanted) return 1;
  // In a flat header columns without an owner (`city`) are usually the buyer's.
  return effective === 'document' && wanted === 'buyer' ? 0.6 : 0;
}

function guesses(
  target: string,
  samples: readonly string[],
  wanted: ReadonlySet<string>,
): readonly Transform[] {
  const isMalaysian = wanted.has('seller.industry_code');
  const taxGuesses = isMalaysian ? malaysianTaxCodeGuesses : taxCodeGuesses;
  const table =
    target === 'lines[].tax.category'
      ? taxGuesses
      : target === 'lines[].unit'
        ? unitGuesses
        : undefined;
  if (table === undefined) return [];
  const values: Record<string, string> = {};
  for (const sample of samples) {
    const code = sample.trim();
    const guess = Object.hasOwn(table, code.toUpperCase()) ? table[code.toUpperCase()] : undefined;
    if (guess !== undefined && guess !== code) values[code] = guess;
  }
  const unmapped = 'keep';
  return Object.keys(values).length === 0 ? [] : [{ kind: 'map', values, unmapped }];
}

function reasonOf(
  named: string | undefined,
  column: DescribedColumn,
  verdict: SampleVerdict,
): string {
  const name =
    named === undefined
      ? `The name "${column.column}" in "${column.section}" reads like it.`
      : `${named} is where this ERP keeps it.`;
  return verdict.verdict === 'for' ? `${name} The sample values have the right form.` : name;
}

function byConfidence(a: Candidate, b: Candidate): number {
  return (
    b.confidence - a.confidence ||
    a.order - b.order ||
    compare(a.column.section, b.column.section) ||
    compare(a.column.column, b.column.column)
  );
}

/** Compares by code unit, independent of the machine's locale. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function fieldOf({ target, column, confidence, reason, transforms }: Candidate): MappingField {
  return {
    target,
    from: { section: column.section, column: column.column },
    ...(transforms.length === 0 ? {} : { transforms: [...transforms] }),
    status: 'proposed',
    confidence,
    reason,
  };
}
