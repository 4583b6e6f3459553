import type { CimObject, CimValue } from '@drawbridge/cim/json.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { type Join, type Mapping, mappingLimits } from './mapping.ts';
import { trimmed } from './plain-signs.ts';
import { type PlanGroup, type PlanList, type PlanValue, planOf } from './plan.ts';
import { type Operand, shown, type TransformFault, transform } from './transform.ts';
import { type TypedFault, typedValue } from './typed-value.ts';

/** Where a value came from: a column of a row of the source, or the mapping itself. */
export type Provenance =
  | {
      readonly kind: 'column';
      readonly section: string;
      readonly origin: string;
      readonly key: string;
      readonly column: string;
      /** The value in the source. */
      readonly value: string;
    }
  | { readonly kind: 'constant'; readonly value: string };

/** A value that could not be mapped. */
export interface MappingIssue {
  readonly code:
    | TransformFault['code']
    | TypedFault['code']
    | 'column-missing'
    | 'section-missing'
    | 'many-rows'
    | 'no-rows'
    | 'too-many-lines';
  /** Path in the JSON form of the CIM, positions counted from 1: `lines[2].qty`. */
  readonly path: string;
  readonly message: string;
  /** The column that a person can open. */
  readonly source: string | undefined;
  /** The value that could not be used, when it was one value. */
  readonly provenance: Provenance | undefined;
}

/** The mapped document, with the provenance of its values and all issues. */
export interface Applied {
  readonly cim: CimObject;
  /** The provenance of every value of `cim`, by path. */
  readonly provenance: ReadonlyMap<string, Provenance>;
  readonly issues: readonly MappingIssue[];
  /** Targets of fields that are not approved yet and were not used. */
  readonly unapproved: readonly string[];
}

/**
 * Source document → CIM, by the approved fields of the mapping. Faults of the source are issues; it
 * never throws for them.
 *
 *   const { cim, issues, provenance } = apply(document, mapping);
 */
export function apply(document: SourceDocument, mapping: Mapping): Applied {
  const application = new Application(document, mapping.joins ?? {});
  const cim = application.group(planOf(mapping), new Map(), '') ?? {};
  const { provenance, issues } = application;
  const proposed = mapping.fields.filter((field) => field.status !== 'approved');
  return { cim, provenance, issues, unapproved: proposed.map((field) => field.target) };
}

/** The current rows of the lists around a value, by section. */
type Rows = ReadonlyMap<string, SourceRow>;

class Application {
  readonly provenance = new Map<string, Provenance>();
  readonly issues: MappingIssue[] = [];
  readonly #document: SourceDocument;
  readonly #joins: Readonly<Record<string, Join>>;
  readonly #indexes = new Map<string, ReadonlyMap<string, readonly SourceRow[]>>();
  /** Paths in the order in which they got their values, and how many of those came from columns. */
  readonly #placed: string[] = [];
  #columns = 0;
  /** Faults of the whole source that were reported; each is reported once, not for each line. */
  readonly #said = new Set<string>();
  readonly #following = new Set<string>();

  constructor(document: SourceDocument, joins: Readonly<Record<string, Join>>) {
    this.#document = document;
    this.#joins = joins;
  }

  group(plan: PlanGroup, rows: Rows, path: string): CimObject | undefined {
    const made: Record<string, CimValue> = {};
    for (const value of plan.values) {
      const found = this.#value(value, rows, join(path, value.name));
      if (found !== undefined) made[value.name] = found;
    }
    for (const [name, inner] of plan.groups) {
      const group = this.group(inner, rows, join(path, name));
      if (group !== undefined) made[name] = group;
    }
    for (const [name, list] of plan.lists) {
      const items = this.#list(list, rows, join(path, name));
      if (items.length > 0) made[name] = items;
    }
    return Object.keys(made).length === 0 ? undefined : made;
  }

  #list(list: PlanList, rows: Rows, path: string): readonly CimValue[] {
    if (list.source === undefined) return this.#item(list, rows, path, 1);
    const own = this.#listRows(list, rows, path);
    if (own.length > mappingLimits.listRowsMax) {
      const message = `There are ${own.length} rows; at most ${mappingLimits.listRowsMax} are taken.`;
      this.#issue('too-many-lines', path, message, list.source.section);
      return [];
    }
    const made: CimValue[] = [];
    for (const row of own) {
      const around = new Map(rows).set(list.source.section, row);
      made.push(...this.#item(list, around, path, made.length + 1));
    }
    return made;
  }

  #item(list: PlanList, rows: Rows, path: string, position: number): readonly CimValue[] {
    const mark = this.#placed.length;
    const columns = this.#columns;
    const group = this.group(list.item, rows, `${path}[${position}]`);
    const plain: CimValue[] = [];
    for (const value of list.plain) {
      const found = this.#value(value, rows, `${path}[${position + plain.length}]`);
      if (found !== undefined) plain.push(found);
    }
    // Constants alone make no entry when all columns are empty: the scheme of an identifier that
    // the customer does not have, or a blank row of a file.
    if (readsColumns(list) && this.#columns === columns) return this.#dropped(mark);
    return group === undefined ? plain : [group, ...plain];
  }

  #listRows(list: PlanList, rows: Rows, path: string): readonly SourceRow[] {
    const { section, where } = list.source!;
    const all = this.#section(section);
    const isNeeded = list.path === 'lines[]' || !isOptional(list);
    if ((all === undefined && isNeeded) || (all?.length === 0 && list.path === 'lines[]')) {
      const code = all === undefined ? 'section-missing' : 'no-rows';
      this.#issueOnce(code, path, `The source has no rows in "${section}".`, section);
    }
    if (all === undefined || where === undefined) return all ?? [];
    const parents = [...rows.values()];
    const wanted = parents
      .map((row) => textAt(row, where.parent_column))
      .findLast((text) => text !== undefined);
    return (
      (wanted === undefined ? undefined : this.#index(section, where.column).get(wanted)) ?? []
    );
  }

  /**
   * Rows of a section by the text in one column, made once, so that a join needs no scan for each
   * line.
   */
  #index(section: string, column: string): ReadonlyMap<string, readonly SourceRow[]> {
    const key = JSON.stringify([section, column]);
    const known = this.#indexes.get(key);
    if (known !== undefined) return known;
    const made = Map.groupBy(this.#section(section) ?? [], (row) => textAt(row, column) ?? '');
    this.#indexes.set(key, made);
    return made;
  }

  #value(plan: PlanValue, rows: Rows, path: string): CimValue | undefined {
    const { from, value, transforms = [] } = plan.field;
    const row = from === undefined ? undefined : this.#row(from.section, rows, path);
    if (from !== undefined && row === undefined) return this.#fallback(plan, rows, path);
    if (from !== undefined && !hasColumn(row!, from.column) && !mayBeAbsent(plan.field)) {
      const message = `"${row!.origin}" has no column "${from.column}".`;
      this.#issueOnce('column-missing', path, message, `${from.section}.${from.column}`);
      return undefined;
    }
    const source = from === undefined ? value : textAt(row!, from.column);
    const section = from?.section ?? 'header';
    const outcome = transform(source, transforms, (operand) =>
      this.#operand(operand, section, rows, path),
    );
    const provenance: Provenance =
      from === undefined
        ? { kind: 'constant', value: value ?? '' }
        : {
            kind: 'column',
            section: from.section,
            origin: row!.origin,
            key: row!.key,
            column: from.column,
            value: source ?? '',
          };
    return this.#place('fault' in outcome ? outcome : outcome.value, plan, path, provenance);
  }

  /** The mapping's default for a missing row. */
  #fallback(plan: PlanValue, rows: Rows, path: string): CimValue | undefined {
    const fallback = plan.field.transforms?.find((step) => step.kind === 'default');
    if (fallback === undefined) return undefined;
    const constant = { ...plan, field: { ...plan.field, from: undefined, value: '' } } as PlanValue;
    return this.#value(constant, rows, path);
  }

  #place(
    outcome: string | undefined | { readonly fault: TransformFault },
    plan: PlanValue,
    path: string,
    provenance: Provenance,
  ): CimValue | undefined {
    const text = typeof outcome === 'string' ? trimmed(outcome) : outcome;
    if (text === undefined || text === '') return undefined;
    const made = typeof text === 'string' ? typedValue(text, plan.datatype) : text;
    if ('fault' in made) {
      const { code, message } = made.fault;
      this.#issue(code, path, message, sourceName(provenance), provenance);
      return undefined;
    }
    this.provenance.set(path, provenance);
    this.#placed.push(path);
    if (provenance.kind === 'column') this.#columns += 1;
    return made.value;
  }

  #operand(operand: Operand, section: string, rows: Rows, path: string): string | undefined {
    if ('value' in operand) return operand.value;
    const row = this.#row(operand.section ?? section, rows, path);
    if (row === undefined) return undefined;
    if (!Object.hasOwn(row.values, operand.column)) {
      const message = `"${row.origin}" has no column "${operand.column}".`;
      this.#issueOnce(
        'column-missing',
        path,
        message,
        `${operand.section ?? section}.${operand.column}`,
      );
    }
    return textAt(row, operand.column);
  }

  /** The current row of a list, or the only row of a section; several rows are an issue. */
  #row(section: string, rows: Rows, path: string): SourceRow | undefined {
    const around = rows.get(section);
    if (around !== undefined) return around;
    const joined = this.#joined(section, rows, path);
    if (joined !== undefined) return joined.row;
    const all = this.#section(section);
    if (all === undefined) {
      this.#issueOnce('section-missing', path, `The source has no section "${section}".`, section);
    } else if (all.length > 1) {
      const message = `"${section}" has ${all.length} rows where one is needed.`;
      this.#issueOnce('many-rows', path, message, section);
      return undefined;
    }
    return all?.[0];
  }

  /** The row that belongs to the current row of its parent; undefined when there is no join to follow. */
  #joined(section: string, rows: Rows, path: string): { row: SourceRow | undefined } | undefined {
    if (!Object.hasOwn(this.#joins, section)) return undefined;
    const { parent, column, parent_column } = this.#joins[section]!;
    // A join that leads back to itself is followed no further.
    if (this.#following.has(section) || this.#section(section) === undefined) return undefined;
    this.#following.add(section);
    const from = this.#row(parent, rows, path);
    this.#following.delete(section);
    const wanted = from === undefined ? undefined : textAt(from, parent_column);
    const found = wanted === undefined ? [] : (this.#index(section, column).get(wanted) ?? []);
    if (found.length > 1) {
      const message = `"${section}" has ${found.length} rows for one of "${parent}".`;
      this.#issueOnce('many-rows', path, message, section);
      return { row: undefined };
    }
    return { row: found[0] };
  }

  #section(section: string): readonly SourceRow[] | undefined {
    const { sections } = this.#document;
    return Object.hasOwn(sections, section) ? sections[section] : undefined;
  }

  #dropped(mark: number): readonly CimValue[] {
    for (const path of this.#placed.splice(mark)) this.provenance.delete(path);
    return [];
  }

  #issueOnce(code: MappingIssue['code'], path: string, message: string, source: string): void {
    const key = `${code} ${source}`;
    if (this.#said.has(key)) return;
    this.#said.add(key);
    this.#issue(code, path, message, source);
  }

  #issue(
    code: MappingIssue['code'],
    path: string,
    message: string,
    source?: string,
    provenance?: Provenance,
  ): void {
    if (this.issues.length < mappingLimits.issuesMax) {
      this.issues.push({ code, path, message, source: source && shown(source), provenance });
    }
  }
}

/** A default of nothing says that the column, or the section, need not be there: in JSON and XML what is empty is left out. */
function mayBeAbsent({ transforms = [] }: PlanValue['field']): boolean {
  return transforms.some((step) => step.kind === 'default' && step.value === '');
}

function isOptional({ item, plain }: PlanList): boolean {
  const isFree = ({ values, groups, lists }: PlanGroup): boolean =>
    values.every(({ field }) => field.from === undefined || mayBeAbsent(field)) &&
    [...groups.values()].every(isFree) &&
    [...lists.values()].every(isOptional);
  return isFree(item) && plain.every(({ field }) => mayBeAbsent(field));
}

function readsColumns(list: PlanList): boolean {
  return hasColumns(list.item) || list.plain.some((value) => value.field.from !== undefined);
}

function hasColumns(plan: PlanGroup): boolean {
  return (
    plan.values.some((value) => value.field.from !== undefined) ||
    [...plan.groups.values()].some(hasColumns) ||
    [...plan.lists.values()].some(readsColumns)
  );
}

function hasColumn({ values }: SourceRow, column: string): boolean {
  return column === keyColumn || Object.hasOwn(values, column);
}

/** Stands for the key of a row, by which the rows of an array within it name it (`#parent`). */
const keyColumn = '#key';

/** The value of a column of a row as text; undefined where it has none. */
export function textAt(row: SourceRow, column: string): string | undefined {
  if (column === keyColumn) return row.key;
  const value: unknown = Object.hasOwn(row.values, column) ? row.values[column] : undefined;
  if (value === undefined || value === null) return undefined;
  return String(value);
}

function sourceName(provenance: Provenance): string | undefined {
  if (provenance.kind === 'constant') return undefined;
  return `${provenance.origin}.${provenance.column} (${provenance.key})`;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
