import { locate, locateMissing } from '@drawbridge/binding/locate.ts';
import { findTarget, firstOf, type Node, type Shape, type Target } from '@drawbridge/cim/node.ts';
import { plainPath } from '@drawbridge/cim/path.ts';
import { type Term, type TermRow, terms } from '@drawbridge/cim/terms.ts';
import { views } from '@drawbridge/cim/views.ts';

/** The JSON path of each built node. */
export type Origins = ReadonlyMap<Node, string>;

/** Where a fault is shown. */
export interface Place {
  /** XPath in the document. */
  readonly field: string;
  /** Path in the JSON form, when the document was built from it. */
  readonly path?: string;
}

/**
 * The place of a fault at `node` that concerns `names`: the value of the first term at or below the
 * node (a rule for any party names the terms of all parties), otherwise of the first term from the
 * nearest group around the node. An absent value is shown where it would be.
 */
export function placeOf(node: Node, names: readonly Term[], origins?: Origins): Place {
  const spots = names.flatMap((term) => spotOf(node, term) ?? []);
  const spot = spots.find(({ from }) => from === node) ?? spots[0];
  const { at, missing, attribute } = followed(spot ?? { from: node, target: here });
  const mark = attribute === undefined ? [] : [`@${attribute}`];
  const field =
    missing.length === 0
      ? locate(at, attribute)
      : locateMissing(at, [...missing.map(({ element }) => element), ...mark]);
  const path = origins && jsonPath(at, missing, attribute, origins);
  return path === undefined || path === '' ? { field } : { field, path };
}

/** The place of the first of these shapes, which `parent` lacks; the path is that of the last, which is in it. */
export function placeOfMissing(parent: Node, missing: readonly Shape[], origins?: Origins): Place {
  const field = locateMissing(parent, [missing[0]!.element]);
  const path = origins && jsonPath(parent, missing, undefined, origins);
  return path === undefined || path === '' ? { field } : { field, path };
}

interface Spot {
  readonly from: Node;
  readonly target: Target;
}

const here: Target = { shapes: [], attribute: undefined };

/** The nearest node, from `node` upwards, that the term can be reached from. */
function spotOf(node: Node, term: Term): Spot | undefined {
  const [termPath]: TermRow = terms[term];
  const path = plainPath(termPath);
  for (let from: Node | undefined = node; from !== undefined; from = from.parent) {
    const { shape } = from;
    if (shape.term === term) return { from, target: here };
    const own = shape.attributes.find((row) => row.term === term);
    if (own !== undefined) return { from, target: { shapes: [], attribute: own.attribute } };
    const group = modelPath(shape);
    if (group !== '' && !path.startsWith(`${group}.`)) continue;
    const target = findTarget(shape, group === '' ? path : path.slice(group.length + 1));
    if (target !== undefined) return { from, target };
  }
  return undefined;
}

/** Follows the path as far as the document has it; returns the rest as missing. */
function followed({ from, target }: Spot): {
  at: Node;
  missing: readonly Shape[];
  attribute: string | undefined;
} {
  let at = from;
  for (const [index, shape] of target.shapes.entries()) {
    const next = firstOf(at.members[shape.slot]);
    if (next === undefined) {
      return { at, missing: target.shapes.slice(index), attribute: target.attribute };
    }
    at = next;
  }
  return { at, missing: [], attribute: target.attribute };
}

/** The path from which a node was built, or the path that a missing one would have. */
function jsonPath(
  at: Node,
  missing: readonly Shape[],
  attribute: string | undefined,
  origins: Origins,
): string | undefined {
  const shapes = [...missing];
  let holder: Node | undefined = at;
  // In the JSON form an attribute is next to its value, under its own name.
  const value = missing.at(-1) ?? at.shape;
  const named = value.attributes.find((row) => row.attribute === attribute)?.name;
  if (named !== undefined && missing.length === 0) holder = at.parent;
  while (holder !== undefined && !origins.has(holder)) {
    shapes.unshift(holder.shape);
    holder = holder.parent;
  }
  if (holder === undefined) return undefined;
  const names = shapes.filter(({ kind }) => kind !== 'wrap').map(({ name }) => name);
  if (named !== undefined) names.splice(missing.length === 0 ? names.length : -1, 1, named);
  const above = origins.get(holder)!;
  const below = shownBelow(modelPath(holder.shape), names);
  return [above, below].filter((part) => part !== '').join('.');
}

/** Views by member; of several the first is the usual one: `totals.tax`, `seller.trn`. */
const viewByMember = new Map(
  views.toReversed().map((view) => [`${plainPath(view.of)}.${view.member}`, plainPath(view.path)]),
);

/** The names as a caller writes them: by a view if there is one. */
function shownBelow(group: string, names: readonly string[]): string {
  const path = names.join('.');
  const prefix = group === '' ? '' : `${group}.`;
  const view = viewByMember.get(`${prefix}${path}`);
  return view?.startsWith(prefix) ? view.slice(prefix.length) : path;
}

/** Plain path in the model; a wrap has that of the group around it. */
function modelPath(shape: Shape): string {
  if (shape.term !== undefined) {
    const [path]: TermRow = terms[shape.term];
    return plainPath(path);
  }
  return shape.parent === undefined ? '' : modelPath(shape.parent);
}
