import { type Datatype, type TermRow, terms } from '@drawbridge/cim/terms.ts';
import { views } from '@drawbridge/cim/views.ts';

/** A place in the JSON form of the CIM that a value can be mapped to. */
export interface Target {
  /** With `[]` where a list repeats: `lines[].tax.rate`. */
  readonly path: string;
  readonly term: string;
  readonly datatype: Datatype;
  readonly name: string;
}

/** Every target by path: the terms, and the shorter names that views give some of them. */
export const targets: ReadonlyMap<string, Target> = collect();

function collect(): Map<string, Target> {
  const found = new Map<string, Target>();
  for (const [term, row] of Object.entries(terms)) {
    const [path, datatype, name]: TermRow = row;
    if (datatype !== 'group') found.set(path, { path, term, datatype, name });
  }
  for (const view of views) {
    if (view.datatype === 'group') addGroup(found, view);
    else found.set(view.path, { ...view, term: view.term ?? '' });
  }
  return found;
}

/** A view of a whole group has the group's members, but for those that make it what it is. */
function addGroup(found: Map<string, Target>, view: (typeof views)[number]): void {
  const member = view.member === undefined ? '' : `.${view.member}[]`;
  const prefix = `${view.of}[]${member}.`;
  for (const [path, target] of [...found]) {
    if (!path.startsWith(prefix)) continue;
    const rest = path.slice(prefix.length);
    if (member === '' && view.where[rest] !== undefined) continue;
    found.set(`${view.path}.${rest}`, { ...target, path: `${view.path}.${rest}` });
  }
}

/**
 * Says what is wrong with a path, and the nearest one that exists; undefined when it is a target.
 */
export function targetFault(path: string): string | undefined {
  if (targets.has(path)) return undefined;
  const isGroup = [...targets.keys()].some((known) => known.startsWith(`${path}.`));
  if (isGroup) return `"${path}" is a group of fields; name one of its members.`;
  const nearest = nearestTo(path);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `"${path}" is not a field of the invoice model.${hint}`;
}

/** Whether a path names a list: `lines[]`, `notes[]`. */
export function isList(path: string): boolean {
  if (!path.endsWith('[]')) return false;
  return targets.has(path) || [...targets.keys()].some((known) => known.startsWith(`${path}.`));
}

const distanceMax = 4;

function nearestTo(path: string): string | undefined {
  const ranked = [...targets.keys()]
    .map((known) => ({ known, distance: distance(path.slice(0, 100), known) }))
    .sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  return best !== undefined && best.distance <= distanceMax ? best.known : undefined;
}

/** Levenshtein distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const cost = b[j - 1] === char ? 0 : 1;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost));
    }
    row = next;
  }
  return row[b.length]!;
}
