import { meaning, shortHash } from '@drawbridge/mapping/fingerprint.ts';
import type { Mapping, MappingField } from '@drawbridge/mapping/mapping.ts';

/** What one mapping says and another does not. */
export interface MappingChange {
  readonly kind: 'added' | 'removed' | 'changed';
  /** The field, or the name of a list or a join: `lists.lines[]`. */
  readonly of: string;
  /** Where the value was taken from, and where it is now. */
  readonly before?: string;
  readonly after?: string;
}

/** The changes from one mapping to another, in the order of the fields; who approved what does not count. */
export function mappingChanges(before: Mapping, after: Mapping): readonly MappingChange[] {
  return [
    ...changesOf(fieldsByTarget(before), fieldsByTarget(after)),
    ...changesOf(membersOf('lists', before.lists), membersOf('lists', after.lists)),
    ...changesOf(membersOf('joins', before.joins), membersOf('joins', after.joins)),
  ];
}

interface Said {
  readonly words: string;
  /** The same for what says the same. */
  readonly meaning: string;
}

function changesOf(
  before: ReadonlyMap<string, Said>,
  after: ReadonlyMap<string, Said>,
): readonly MappingChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((of): MappingChange[] => {
    const was = before.get(of);
    const is = after.get(of);
    if (was === undefined) return [{ kind: 'added', of, after: is!.words }];
    if (is === undefined) return [{ kind: 'removed', of, before: was.words }];
    if (was.meaning === is.meaning) return [];
    return [{ kind: 'changed', of, before: was.words, after: is.words }];
  });
}

/** A list of plain values (`notes[]`) may have several fields: they are numbered. */
function fieldsByTarget({ fields }: Mapping): ReadonlyMap<string, Said> {
  const found = new Map<string, Said>();
  for (const field of fields) {
    let name = field.target;
    for (let count = 2; found.has(name); count += 1) name = `${field.target} (${count})`;
    found.set(name, { words: sourceWords(field), meaning: meaning(field) });
  }
  return found;
}

function membersOf(
  kind: 'lists' | 'joins',
  members: Mapping['lists'] | Mapping['joins'] = {},
): ReadonlyMap<string, Said> {
  return new Map(
    Object.entries(members).map(([name, said]) => {
      return [`${kind}.${name}`, { words: JSON.stringify(said), meaning: shortHash(said) }];
    }),
  );
}

/** Where a field's value comes from, in one line: `header.DOC_DATE, date YYYYMMDD`. */
export function sourceWords({ from, value, transforms = [] }: MappingField): string {
  const source = from === undefined ? JSON.stringify(value) : `${from.section}.${from.column}`;
  return [source, ...transforms.map(transformWords)].join(', ');
}

type Transform = NonNullable<MappingField['transforms']>[number];

/** One step as people read it: its kind, then what it says besides. */
function transformWords({ kind, ...rest }: Transform): string {
  const said = Object.entries(rest).flatMap(([name, value]) => {
    if (name === 'values') return Object.keys(value).length === 0 ? [] : [mapWords(value)];
    if (typeof value === 'string' || typeof value === 'number') return [String(value)];
    return [`${name} ${JSON.stringify(value)}`];
  });
  return [kind, ...said].join(' ');
}

/** Entries of a value map that are told. */
const entriesMax = 4;

function mapWords(values: Readonly<Record<string, string>>): string {
  const entries = Object.entries(values);
  const told = entries.slice(0, entriesMax).map(([from, to]) => `"${from}" → ${to}`);
  const more = entries.length - told.length;
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
}
