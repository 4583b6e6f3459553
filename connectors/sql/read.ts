import type { SourceRow } from '@drawbridge/records/document.ts';
import { limits, type ReadOutcome } from '../contract.ts';
import { fault } from '../fault.ts';
import type { Dialect } from './dialect.ts';
import {
  faultCodes,
  type Rows,
  type RunStatement,
  type Unanswered,
  type Unusable,
} from './driver.ts';
import { bindQuery, type Plan, parentOf, type SectionPlan, selectMatching } from './section.ts';

/** How many refs one statement for each section reads: SQL Server takes 2,100 values. */
export const batchMax = 1_000;

/**
 * Reads one batch of documents; the outcomes stand in the order of `refs`. A document that cannot
 * be used does not affect the others.
 */
export async function readBatch(
  run: RunStatement,
  plan: Plan,
  dialect: Dialect,
  refs: readonly string[],
): Promise<readonly ReadOutcome[] | Unanswered> {
  const outcomes = await readAtOnce(run, plan, dialect, refs);
  if (!('kind' in outcomes)) return outcomes;
  if (outcomes.kind === 'unanswered') return outcomes;
  if (refs.length === 1) return [outcomes];
  const half = Math.ceil(refs.length / 2);
  const first = await readBatch(run, plan, dialect, refs.slice(0, half));
  if ('kind' in first) return first;
  const second = await readBatch(run, plan, dialect, refs.slice(half));
  return 'kind' in second ? second : [...first, ...second];
}

/** A row that was read for a document. */
export interface FetchedRow {
  readonly row: SourceRow;
  /** Every value that was read, also those used only to join. */
  readonly read: Readonly<Record<string, string | null>>;
}

type RowsByValue = ReadonlyMap<string, readonly FetchedRow[]>;

async function readAtOnce(
  run: RunStatement,
  plan: Plan,
  dialect: Dialect,
  refs: readonly string[],
): Promise<readonly ReadOutcome[] | Unusable | Unanswered> {
  const readable = [...new Set(refs.filter(isReadableRef))];
  const headers = await fetchSection(run, plan.header, dialect, readable);
  if ('kind' in headers) return headers;
  /** Rows of each section by the document they are of. */
  const found = new Map([['header', headers]]);
  for (const section of plan.others) {
    const parents = found.get(parentOf(section.section)) ?? headers;
    const wanted = new Map(
      [...headers.keys()].map((ref) => [ref, valuesOf(section, ref, parents)]),
    );
    const all = new Set([...wanted.values()].flat());
    const rows = await fetchSection(run, section, dialect, [...all]);
    if ('kind' in rows) return rows;
    const ofRef = [...wanted].map(([ref, values]) => {
      return [ref, values.flatMap((value) => rows.get(value) ?? [])] as const;
    });
    found.set(section.name, new Map(ofRef));
  }
  if ('repeats' in plan.header.section) {
    found.set('header', new Map([...headers].map(([ref, rows]) => [ref, rows.slice(0, 1)])));
  }
  return refs.map((ref) => assemble(ref, found));
}

/** What rows of the section have to match, for a document. */
function valuesOf(section: SectionPlan, ref: string, parents: RowsByValue): readonly string[] {
  const from = section.section.matchFrom;
  if (from === undefined) return [ref];
  const values = (parents.get(ref) ?? []).map(({ read }) => read[from] ?? null);
  return [...new Set(values.filter((value) => value !== null))];
}

function isReadableRef(ref: string): boolean {
  // PostgreSQL refuses U+0000 in any text, so no source can hold such a ref.
  return ref !== '' && ref.length <= limits.refLengthMax && !ref.includes('\0');
}

/** What a row of the section has to match, for a document of that ref and header. */
export function joinValue<Ref extends string | null>(
  section: SectionPlan,
  ref: Ref,
  header: FetchedRow | undefined,
): Ref | string | null {
  const from = section.section.matchFrom;
  return from === undefined ? ref : (header?.read[from] ?? null);
}

function assemble(ref: string, found: ReadonlyMap<string, RowsByValue>): ReadOutcome {
  const headers = found.get('header')?.get(ref) ?? [];
  const [header, second] = headers;
  if (header === undefined) return { kind: 'missing' };
  if (second !== undefined) {
    const message =
      `"${ref}" matches ${headers.length} rows of ${header.row.origin}; ` +
      'a document has one header. Match a unique column, or narrow the section with `where`.';
    return { kind: 'unusable', fault: fault('header_not_unique', message, 'never') };
  }
  const sections = [...found].map(([name, byRef]) => {
    return [name, (byRef.get(ref) ?? []).map(({ row }) => row)] as const;
  });
  const rowCount = sections.reduce((sum, [, rows]) => sum + rows.length, 0);
  if (rowCount > limits.rowsMax) return tooManyRows();
  return { kind: 'found', document: { ref, sections: Object.fromEntries(sections) } };
}

function tooManyRows(): Unusable {
  const message = `The document has more than ${limits.rowsMax} rows.`;
  return { kind: 'unusable', fault: fault('too_many_rows', message, 'never') };
}

/** The rows of a section by the value they match. */
export async function fetchSection(
  run: RunStatement,
  plan: SectionPlan,
  dialect: Dialect,
  values: readonly string[],
): Promise<RowsByValue | Unusable | Unanswered> {
  if (values.length === 0) return new Map();
  if (plan.kind === 'query') return fetchQueries(run, plan, dialect, values);
  const statement = selectMatching(plan, values, dialect, limits.rowsMax);
  if (statement === undefined) return new Map();
  const outcome = await run(statement);
  if (outcome.kind !== 'rows') return outcome;
  if (outcome.rows.length > limits.rowsMax) return tooManyRows();
  const { section, columns } = plan;
  const byValue = new Map<string, FetchedRow[]>();
  const named = { ...outcome, columns: plan.selected };
  for (const fetched of fetchedRows(named, section.table, section.key, columns)) {
    // The database may find more than was asked for: MySQL ignores case, and takes "5 or 1=1" as 5.
    const match = fetched.read[section.match];
    if (match == null) continue;
    const rows = byValue.get(match);
    if (rows === undefined) byValue.set(match, [fetched]);
    else rows.push(fetched);
  }
  return byValue;
}

async function fetchQueries(
  run: RunStatement,
  plan: Extract<SectionPlan, { kind: 'query' }>,
  dialect: Dialect,
  values: readonly string[],
): Promise<RowsByValue | Unusable | Unanswered> {
  const byValue = new Map<string, FetchedRow[]>();
  for (const value of values) {
    const outcome = await run(bindQuery(plan.section, value, dialect, limits.rowsMax));
    if (outcome.kind === 'unanswered' && outcome.fault.code === faultCodes.incomparable) continue;
    if (outcome.kind !== 'rows') return outcome;
    if (outcome.rows.length > limits.rowsMax) return tooManyRows();
    const twice = outcome.columns.find((name, index) => outcome.columns.indexOf(name) !== index);
    if (twice !== undefined) return badQuery(plan.name, `returns two columns called "${twice}"`);
    if (!outcome.columns.includes(plan.section.key)) {
      return badQuery(plan.name, `does not return the key column "${plan.section.key}"`);
    }
    const rows = fetchedRows(outcome, `query ${plan.name}`, plan.section.key, outcome.columns);
    if (rows.length > 0) byValue.set(value, rows);
  }
  return byValue;
}

function badQuery(name: string, what: string): Unanswered {
  return {
    kind: 'unanswered',
    fault: fault('query_unusable', `The query of section "${name}" ${what}.`, 'never'),
  };
}

function fetchedRows(
  outcome: Rows,
  origin: string,
  key: string,
  columns: readonly string[],
): FetchedRow[] {
  return outcome.rows.map((values) => {
    const read = Object.fromEntries(
      outcome.columns.map((column, index) => [column, values[index] ?? null]),
    );
    const isWhole = columns.length === outcome.columns.length;
    const kept = isWhole
      ? read
      : Object.fromEntries(columns.map((column) => [column, read[column] ?? null]));
    return { read, row: { origin, key: read[key] ?? '', values: kept } };
  });
}
