import type { FieldRow, Filled } from '@drawbridge/profiles/contract.ts';
import type { Mapping, MappingField } from './mapping.ts';
import { targets } from './targets.ts';
import { type ValueMap, valueQuestion } from './value-maps.ts';

type FieldState =
  /** Mapped and approved. */
  | 'mapped'
  /** Mapped, and waiting for approval. */
  | 'proposed'
  /** Filled by the profile from mapped fields. */
  | 'filled'
  /**
   * Required in every document, and neither mapped nor filled; or some of its values are no codes; or a rule
   * would refuse documents without it.
   */
  | 'missing'
  /** Not mapped; required in documents of some kind. */
  | 'conditional'
  | 'optional';

interface FieldCoverage {
  readonly path: string;
  readonly term: string;
  readonly name: string;
  readonly help: string;
  readonly required: FieldRow['required'];
  readonly state: FieldState;
  readonly field?: MappingField;
  /** What to do, if anything. */
  readonly message?: string;
}

/** The state of every field of a profile under a mapping. */
export interface Coverage {
  readonly fields: readonly FieldCoverage[];
  /** How many fields of the profile are in each state. */
  readonly counts: Readonly<Record<FieldState, number>>;
  /** What makes documents fail, in plain words. */
  readonly missing: readonly string[];
  /** Mapped fields that the profile does not have. */
  readonly extra: readonly MappingField[];
}

/** A field that documents of the source lack, so that a rule refuses them. */
export interface LackingField {
  readonly path: string;
  /** How many, by which rule, what it means and where ERPs keep it. */
  readonly words: string;
}

/**
 * Compares a mapping with the fields that a profile requires; values without a code, and what rules found to
 * be lacking, count as missing.
 */
export function coverage(
  mapping: Mapping,
  fields: readonly FieldRow[],
  filled: Filled,
  valueMaps: readonly ValueMap[] = [],
  lacking: readonly LackingField[] = [],
): Coverage {
  const byTarget = new Map(mapping.fields.map((field) => [field.target, field]));
  const open = new Map(
    valueMaps
      .filter(({ unrecognised }) => unrecognised.length > 0)
      .map((each) => [each.target, each]),
  );
  const words = new Map([...Map.groupBy(lacking, ({ path }) => path)].map(wordsOf));
  const known = new Set(fields.map(({ path }) => path));
  const others = [...words.keys()].filter((path) => !known.has(path)).map(rowOf);
  const covered = [...fields, ...others].map((row) =>
    withLack(withValues(coverageOf(row, byTarget, filled), open), words.get(row.path)),
  );
  const counts: Record<FieldState, number> = {
    mapped: 0,
    proposed: 0,
    filled: 0,
    missing: 0,
    conditional: 0,
    optional: 0,
  };
  for (const { state } of covered) counts[state] += 1;
  return {
    fields: covered,
    counts,
    missing: covered.flatMap(({ state, message }) =>
      state === 'missing' && message !== undefined ? [message] : [],
    ),
    extra: mapping.fields.filter((field) => !known.has(field.target)),
  };
}

function coverageOf(
  row: FieldRow,
  byTarget: ReadonlyMap<string, MappingField>,
  filled: Filled,
): FieldCoverage {
  const field = byTarget.get(row.path);
  const state = stateOf(row, field, byTarget, filled);
  const message = messageOf(row, field, state, filled);
  return {
    ...row,
    state,
    ...(field === undefined ? {} : { field }),
    ...(message === undefined ? {} : { message }),
  };
}

function wordsOf([path, lacks]: [string, readonly LackingField[]]): [string, string] {
  return [path, lacks.map(({ words }) => words).join(' ')];
}

/** A field that the profile's list does not have, and one of its rules asks for. */
function rowOf(path: string): FieldRow {
  const { term = '', name = path } = targets.get(path) ?? {};
  return { path, term, name, help: '', required: 'conditional' };
}

function withLack(row: FieldCoverage, words: string | undefined): FieldCoverage {
  if (words === undefined || row.state === 'missing') return row;
  return { ...row, state: 'missing', message: `${row.name} is missing: ${words}` };
}

/** Documents with a value that is no code are refused. */
function withValues(row: FieldCoverage, open: ReadonlyMap<string, ValueMap>): FieldCoverage {
  const map = open.get(row.path);
  if (map === undefined) return row;
  const message = `${row.name}: ${valueQuestion(map)}`;
  return { ...row, message, state: row.required === 'always' ? 'missing' : row.state };
}

function stateOf(
  row: FieldRow,
  field: MappingField | undefined,
  byTarget: ReadonlyMap<string, MappingField>,
  filled: Filled,
): FieldState {
  if (field !== undefined) return field.status === 'approved' ? 'mapped' : 'proposed';
  if (isAvailable(row.path, byTarget, filled)) return 'filled';
  if (row.required === 'always') return 'missing';
  return row.required;
}

/**
 * Whether a path is one of those that are mapped, or filled from such; `visited` ends cycles (name ↔ description).
 */
export function isAvailable(
  path: string,
  mapped: { has(path: string): boolean },
  filled: Filled,
  visited: readonly string[] = [],
): boolean {
  if (mapped.has(path)) return true;
  const needs = filled[path];
  if (needs === undefined || visited.includes(path)) return false;
  return needs.every((need) => isAvailable(need, mapped, filled, [...visited, path]));
}

function messageOf(
  row: FieldRow,
  field: MappingField | undefined,
  state: FieldState,
  filled: Filled,
): string | undefined {
  switch (state) {
    case 'proposed':
      return `${row.name} is proposed from ${placeOf(field!)}: check it and approve it.`;
    case 'missing': {
      const needs = filled[row.path];
      const instead =
        needs === undefined || needs.length === 0 ? '' : ` (or ${needs.join(' and ')})`;
      return `${row.name} is missing: map a column or give a constant for ${row.path}${instead}.`;
    }
    case 'conditional':
      return `${row.name} may be needed. ${row.help}`;
    default:
      return undefined;
  }
}

function placeOf({ from, value }: MappingField): string {
  return from === undefined ? `the constant "${value}"` : `${from.section}.${from.column}`;
}
