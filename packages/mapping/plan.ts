import type { Datatype } from '@drawbridge/cim/terms.ts';
import type { ListSource, Mapping, MappingField } from './mapping.ts';
import { targets } from './targets.ts';

/** The approved fields of a mapping as a tree of the invoice, for `apply`. */
export interface PlanGroup {
  readonly values: readonly PlanValue[];
  readonly groups: ReadonlyMap<string, PlanGroup>;
  readonly lists: ReadonlyMap<string, PlanList>;
}

/** A value of the tree. */
export interface PlanValue {
  readonly name: string;
  readonly field: MappingField;
  readonly datatype: Datatype;
}

/** A list of the tree. */
export interface PlanList {
  /** `lines[]`, for messages. */
  readonly path: string;
  /** The rows of the list; undefined for one entry from the rows around it. */
  readonly source: ListSource | undefined;
  readonly item: PlanGroup;
  /** Values of a list of plain values (`notes[]`). */
  readonly plain: readonly PlanValue[];
}

interface DraftGroup extends PlanGroup {
  readonly values: PlanValue[];
  readonly groups: Map<string, DraftGroup>;
  readonly lists: Map<string, DraftList>;
}

interface DraftList extends PlanList {
  readonly item: DraftGroup;
  readonly plain: PlanValue[];
}

/** Builds the tree of the approved fields. */
export function planOf(mapping: Mapping): PlanGroup {
  const root = emptyGroup();
  const approved = mapping.fields.filter((field) => field.status === 'approved');
  for (const field of approved) {
    const target = targets.get(field.target);
    // The schema refuses unknown targets; a mapping that was not checked must not make `apply`
    // throw.
    if (target === undefined) continue;
    const steps = field.target.split('.');
    const name = steps.at(-1)!;
    const value = { name: name.replace('[]', ''), field, datatype: target.datatype };
    const group = groupAt(root, steps.slice(0, -1), mapping, approved);
    if (name.endsWith('[]')) listAt(group, field.target, mapping, approved).plain.push(value);
    else group.values.push(value);
  }
  return root;
}

function groupAt(
  root: DraftGroup,
  steps: readonly string[],
  mapping: Mapping,
  approved: readonly MappingField[],
): DraftGroup {
  let at = root;
  for (const [index, step] of steps.entries()) {
    if (step.endsWith('[]')) {
      at = listAt(at, steps.slice(0, index + 1).join('.'), mapping, approved).item;
    } else {
      const known = at.groups.get(step) ?? emptyGroup();
      at.groups.set(step, known);
      at = known;
    }
  }
  return at;
}

function listAt(
  group: DraftGroup,
  path: string,
  mapping: Mapping,
  approved: readonly MappingField[],
): DraftList {
  const name = path.split('.').at(-1)!.replace('[]', '');
  const known = group.lists.get(name);
  if (known !== undefined) return known;
  const source = sourceOf(path, mapping, approved);
  const list = { path, source, item: emptyGroup(), plain: [] };
  group.lists.set(name, list);
  return list;
}

/**
 * The source of a list: as the mapping says; by default, for an outermost list, the section of its
 * fields unless that is the header.
 */
function sourceOf(
  path: string,
  mapping: Mapping,
  approved: readonly MappingField[],
): ListSource | undefined {
  const lists = mapping.lists ?? {};
  if (Object.hasOwn(lists, path)) return lists[path];
  if (path.indexOf('[]') !== path.length - 2) return undefined;
  const counts = new Map<string, number>();
  for (const field of approved) {
    const section = field.from?.section;
    if (!field.target.startsWith(path) || section === undefined || section === 'header') continue;
    counts.set(section, (counts.get(section) ?? 0) + 1);
  }
  const best = [...counts].sort((a, b) => b[1] - a[1])[0];
  return best === undefined ? undefined : { section: best[0] };
}

function emptyGroup(): DraftGroup {
  return { values: [], groups: new Map(), lists: new Map() };
}
