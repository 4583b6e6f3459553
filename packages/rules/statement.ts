import { findTarget, type Node, nodes, type Shape } from '@drawbridge/cim/node.ts';
import { elementPath, reach, routeOf } from './element.ts';
import { always, never, Question, type Way } from './question.ts';
import type { Asked, Statement } from './rule.ts';
import { compareUntyped } from './xpath.ts';

/**
 * What rules mostly ask, as data: where a path leads is found at start, once a shape, and no rule
 * has code of its own. A path is read from the context's node: one of the model, or one of element
 * names, e.g. `cac:Price/cbc:PriceAmount` or `cbc:BaseQuantity/@unitCode`. `../` in front of either
 * is the node around.
 */

/** Makes it ready for the nodes of one shape. */
export function bind(asked: Asked, shape: Shape): Question {
  return typeof asked === 'function' ? new Question('test', { test: asked }) : asked.on(shape);
}

/** Something stands at the path: an element, be it empty, or an attribute. */
export function exists(path: string): Statement {
  return occurs(path, 1, many);
}

/** More than any document has; a small integer, which is compared fastest. */
const many = 2 ** 31 - 1;

/** From `min` to `max` elements (or attributes) stand at the path. */
export function occurs(path: string, min: number, max: number): Statement {
  return {
    on: (shape) => {
      const way = wayOf(shape, path);
      return new Question(isOneStep(way) ? 'counts' : 'occurs', { way, min, max });
    },
  };
}

/** Some value at the path is exactly one of the texts. */
export function says(path: string, ...texts: readonly string[]): Statement {
  return { on: (shape) => new Question('says', { way: wayOf(shape, path), texts }) };
}

/**
 * Some value at the path compares with the number in one of these ways: -1 less, 0 equal, 1 more.
 * What is no number is an error.
 */
export function compares(path: string, ways: readonly (-1 | 0 | 1)[], number: number): Statement {
  const judge = (text: string): boolean => ways.includes(compareUntyped(text, number));
  return { on: (shape) => new Question('some', { way: wayOf(shape, path), judge }) };
}

/** The text at the path, `''` when there is none, is as the judge wants it; several are an error. */
export function reads(path: string, judge: (text: string) => boolean): Statement {
  return { on: (shape) => new Question('only', { way: wayOf(shape, path), judge }) };
}

/** The node itself has the attribute. */
export function hasAttribute(name: string): Statement {
  const read = attributeReader(name);
  return { on: () => new Question('attribute', { read }) };
}

/** The node has neither text nor children. */
export const isEmpty: Statement = not({ on: () => new Question('isFull') });

/** The node is an element of which this is so: found out once a shape. */
export function shaped(isSo: (shape: Shape) => boolean): Statement {
  return { on: (shape) => (isSo(shape) ? always : never) };
}

/** The node stands somewhere below an element of one of these names. */
export function within(...elements: readonly string[]): Statement {
  return shaped((shape) => {
    for (let at = shape.parent; at !== undefined; at = at.parent) {
      if (elements.includes(at.element)) return true;
    }
    return false;
  });
}

/** Not so. */
export function not(asked: Asked): Statement {
  return {
    on: (shape) => {
      const first = bind(asked, shape);
      if (first === always || first === never) return first === always ? never : always;
      return first.kind === 'not' ? first.first : new Question('not', { first });
    },
  };
}

/** Any of them; each is asked only where none before it is so. */
export function either(one: Asked, other: Asked, ...others: readonly Asked[]): Statement {
  const [next, ...last] = others;
  const rest = next === undefined ? other : either(other, next, ...last);
  return {
    on: (shape) => {
      const first = bind(one, shape);
      if (first === always) return always;
      const second = bind(rest, shape);
      if (second === never) return first;
      return first === never ? second : new Question('either', { first, second });
    },
  };
}

/** All of them; each is asked only where those before it are so. */
export function all(one: Asked, other: Asked, ...others: readonly Asked[]): Statement {
  const [next, ...last] = others;
  const rest = next === undefined ? other : all(other, next, ...last);
  return {
    on: (shape) => {
      const first = bind(one, shape);
      if (first === never) return never;
      const second = bind(rest, shape);
      return first === always ? second : new Question('both', { first, second });
    },
  };
}

/** Where the first is so, the second is too. */
export function given(condition: Asked, held: Asked): Statement {
  return either(not(condition), held);
}

function wayOf(shape: Shape, path: string): Way {
  if (path.startsWith('../')) {
    const way = wayOf(shape.parent!, path.slice(3));
    return { ...way, up: way.up + 1 };
  }
  const [elements, named] = splitAttribute(path);
  const isOfElements = path.includes(':');
  const target = isOfElements ? routeOf(shape, elements) : findTarget(shape, path);
  const attribute = named ?? target?.attribute;
  const name = isOfElements ? path : 'values';
  const [slot, ...further] = target?.shapes.map((each) => each.slot) ?? [];
  if (slot !== undefined) {
    const steps = further.length > 0 ? further : undefined;
    return { up: 0, slot, further: steps, astray: undefined, attribute, name };
  }
  const stray = isOfElements ? elementPath(elements) : undefined;
  // A path in the model that leads nowhere is a mistake, and shows where such a node is met.
  const astray = (node: Node) => (stray === undefined ? nodes(node, path) : reach(node, stray));
  return { up: 0, slot: 0, further: undefined, astray, attribute, name };
}

function isOneStep({ up, further, astray, attribute }: Way): boolean {
  return up === 0 && further === undefined && astray === undefined && attribute === undefined;
}

function splitAttribute(path: string): [elements: string, attribute: string | undefined] {
  const at = path.indexOf('/@');
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 2)];
}

/** Reads an attribute, e.g. `schemeID`, of many nodes. */
export function attributeReader(name: string): (node: Node) => string | undefined {
  return readers[name] ?? ((node) => node.attributes?.[name]);
}

/** By its own name an attribute is found faster than by one that is given: those of nearly all nodes. */
const readers: Readonly<Record<string, (node: Node) => string | undefined>> = {
  currencyID: ({ attributes }) => attributes?.currencyID,
  schemeID: ({ attributes }) => attributes?.schemeID,
  unitCode: ({ attributes }) => attributes?.unitCode,
  listID: ({ attributes }) => attributes?.listID,
};
