import { findTarget, type Shape, type Target } from '@drawbridge/cim/node.ts';
import { plainPath } from '@drawbridge/cim/path.ts';
import { type View, views } from '@drawbridge/cim/views.ts';
import { shapePath } from './occurrence.ts';

/** The meaning of a key of the JSON form in its group. */
export type JsonMember =
  | { readonly kind: 'member'; readonly shapes: readonly Shape[] }
  | { readonly kind: 'attribute'; readonly shapes: readonly Shape[]; readonly attribute: string }
  | {
      readonly kind: 'view';
      readonly view: View;
      /** The group that contains the view's repeated group: the key's own, or one around it. */
      readonly container: Shape;
      /** The shapes from there to the repeated group. */
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
  // Only known keys are cached: unknown ones come from outside and are unlimited.
  if (found !== undefined) members.set(key, found);
  return found;
}

function meaningOf(shape: Shape, key: string): JsonMember | undefined {
  const path = shapePath(shape);
  const view = viewsByPath.get(path === '' ? key : `${path}.${key}`);
  if (view !== undefined) return viewMember(shape, view);
  // A path leads to a member, but is not its name.
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
