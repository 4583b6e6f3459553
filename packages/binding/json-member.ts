import { findTarget, type Shape, type Target } from '@drawbridge/cim/node.ts';
import { plainPath } from '@drawbridge/cim/path.ts';
import { type View, views } from '@drawbridge/cim/views.ts';
import { shapePath } from './occurrence.ts';

/** What a key of the JSON form means in the group that it stands in. */
export type JsonMember =
  | { readonly kind: 'member'; readonly shapes: readonly Shape[] }
  | { readonly kind: 'attribute'; readonly shapes: readonly Shape[]; readonly attribute: string }
  | {
      readonly kind: 'view';
      readonly view: View;
      /** The group that the view's repeated group stands in, at or around the key's own. */
      readonly container: Shape;
      /** From there to the repeated group. */
      readonly shapes: readonly Shape[];
    };

const viewsByPath = new Map(views.map((view) => [plainPath(view.path), view]));
const known = new WeakMap<Shape, Map<string, JsonMember>>();

/** The meaning of `key` in a group, or undefined when the model has no such field there. */
export function jsonMember(shape: Shape, key: string): JsonMember | undefined {
  let members = known.get(shape);
  if (members === undefined) {
    members = new Map();
    known.set(shape, members);
  }
  const found = members.get(key) ?? meaningOf(shape, key);
  // Only what is found is kept: keys that mean nothing come from outside and have no end.
  if (found !== undefined) members.set(key, found);
  return found;
}

function meaningOf(shape: Shape, key: string): JsonMember | undefined {
  const path = shapePath(shape);
  const view = viewsByPath.get(path === '' ? key : `${path}.${key}`);
  if (view !== undefined) return viewMember(shape, view);
  // A path is no member's name, though it would lead to one.
  const target = key.includes('.') ? undefined : findTarget(shape, key);
  if (target === undefined || target.shapes.at(-1)!.kind === 'wrap') return undefined;
  return memberOf(target);
}

function memberOf({ shapes, attribute }: Target): JsonMember {
  return attribute === undefined
    ? { kind: 'member', shapes }
    : { kind: 'attribute', shapes, attribute };
}

function viewMember(shape: Shape, view: View): JsonMember | undefined {
  const of = plainPath(view.of);
  let container = shape;
  while (container.parent !== undefined && !isGroupAround(container, of)) {
    container = container.parent;
  }
  const above = shapePath(container);
  const path = above === '' ? of : of.slice(above.length + 1);
  const shapes = findTarget(container, path)?.shapes;
  return shapes && { kind: 'view', view, container, shapes };
}

function isGroupAround(shape: Shape, of: string): boolean {
  return shape.kind === 'group' && of.startsWith(`${shapePath(shape)}.`);
}
