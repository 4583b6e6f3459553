import { type Datatype, type TermRow, terms } from '@drawbridge/cim/terms.ts';
import { views } from '@drawbridge/cim/views.ts';

/** A place in the JSON form of the CIM that a value can be mapped to. */
export interface Target {
  /** With `[]` after lists: `lines[].tax.rate`. */
  readonly path: string;
  readonly term: string;
  readonly datatype: Datatype;
  readonly name: string;
}

/** All targets by path: the terms, and the shorter names of views. */
export const targets: ReadonlyMap<string, Target> = collect();

/** Paths that have members: `seller`, `lines[]`. */
const groups: ReadonlySet<string> = new Set([...targets.keys()].flatMap(groupsAround));

function groupsAround(path: string): string[] {
  const dots = [...path.matchAll(/\./g)];
  return dots.map(({ index }) => path.slice(0, index));
}

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

/** Adds the members of a group for a view of it, without its discriminators. */
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
 * What is wrong with a path, with the most similar target; undefined when the path is a target.
 */
export function targetFault(path: string): string | undefined {
  if (targets.has(path)) return undefined;
  if (groups.has(path)) return `"${path}" is a group of fields; name one of its members.`;
  const nearest = nearestTo(path);
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  return `"${path}" is not a field of the invoice model.${hint}`;
}

/** Whether a path names a list: `lines[]`, `notes[]`. */
export function isList(path: string): boolean {
  if (!path.endsWith('[]')) return false;
  return targets.has(path) || groups.has(path);
}

/** Edits between a name and the one that was meant, at most. */
const distanceMax = 4;

function nearestTo(path: string): string | undefined {
  let best: string | undefined;
  let least = distanceMax + 1;
  for (const known of targets.keys()) {
    const edits = distance(path, known, least);
    if (edits >= least) continue;
    best = known;
    least = edits;
  }
  return best;
}

/**
 * Levenshtein distance, or `max` when it is that or more: hundreds of names are compared with all
 * fields, so what is surely too far is not looked at to its end.
 */
function distance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) >= max) return max;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, char] of [...a].entries()) {
    const next = [i + 1];
    let least = i + 1;
    for (let j = 1; j <= b.length; j++) {
      const cost = b[j - 1] === char ? 0 : 1;
      const edits = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + cost);
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least >= max) return max;
    row = next;
  }
  return Math.min(max, row[b.length]!);
}
