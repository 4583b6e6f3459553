import { findTarget, type Node, type Shape } from '@drawbridge/cim/node.ts';
import { routeOf } from './element.ts';
import {
  always,
  type CodeList,
  many,
  never,
  type Question,
  type Relation,
  type Way,
} from './question.ts';
import type { Asked, Scope, Statement } from './rule.ts';
import { compareUntyped, toBoolean, type Written } from './xpath.ts';

/**
 * What rules mostly ask, as data: where a path leads is found at start, once a shape, and no rule
 * has code of its own. A path is read from the context's node: one of the model, or one of element
 * names, e.g. `cac:Price/cbc:PriceAmount` or `cbc:BaseQuantity/@unitCode`. `../` in front of either
 * is the node around.
 */

/** Makes it ready for the nodes of one shape. */
export function bind(asked: Asked, shape: Shape): Question {
  return typeof asked === 'function' ? { kind: 'test', test: asked } : asked.on(shape);
}

/** Something stands at the path: an element, be it empty, or an attribute. */
export function exists(path: string): Statement {
  return occurs(path, 1, many);
}

/** From `min` to `max` elements (or attributes) stand at the path. */
export function occurs(path: string, min: number, max: number): Statement {
  return { on: (shape) => ({ kind: 'occurs', way: wayOf(shape, path), min, max }) };
}

/** Some value at the path is exactly one of the texts. */
export function says(path: string, ...texts: readonly string[]): Statement {
  return { on: (shape) => ({ kind: 'says', way: wayOf(shape, path), texts }) };
}

/**
 * Some value at the path compares with the number in one of these ways: -1 less, 0 equal, 1 more.
 * What is no number is an error.
 */
export function compares(path: string, ways: readonly (-1 | 0 | 1)[], number: number): Statement {
  const judge = (text: string): boolean => ways.includes(compareUntyped(text, number));
  return { on: (shape) => ({ kind: 'some', way: wayOf(shape, path), judge }) };
}

/** The text at the path, `''` when there is none, is as the judge wants it; several are an error. */
export function reads(path: string, judge: (text: string) => boolean): Statement {
  return { on: (shape) => ({ kind: 'only', way: wayOf(shape, path), judge }) };
}

/** What is found at paths, the node itself, and its scope. */
type Related<Paths extends readonly string[]> = [...{ [At in keyof Paths]: Written }, Node, Scope];

/**
 * The only texts at the paths, undefined where there is none, stand to each other as the judge wants
 * it; several at one path are an error.
 */
export function relates<const Paths extends readonly string[]>(
  paths: Paths,
  judge: (...texts: Related<Paths>) => boolean,
): Statement {
  return related(paths, 'error', judge as Relation);
}

/** As `relates`, but several at one path count as none: where the published rule asks what can be cast. */
export function relatesLone<const Paths extends readonly string[]>(
  paths: Paths,
  judge: (...texts: Related<Paths>) => boolean,
): Statement {
  return related(paths, 'none', judge as Relation);
}

function related(paths: readonly string[], several: 'error' | 'none', judge: Relation): Statement {
  return {
    on: (shape) => {
      const ways = paths.map((path) => wayOf(shape, path));
      return { kind: 'related', ways, several, judge };
    },
  };
}

/** Of some group (or value) at the path, which leads along the model, it is so. */
export function any(path: string, asked: Asked): Statement {
  return ofEach('any', path, asked);
}

/** Of every one, also where there is none. */
export function every(path: string, asked: Asked): Statement {
  return ofEach('every', path, asked);
}

function ofEach(kind: 'any' | 'every', path: string, asked: Asked): Statement {
  return {
    on: (shape) => {
      const shapes = findTarget(shape, path)?.shapes;
      // Elements that stray have shapes of their own, which only their document tells.
      if (shapes === undefined) throw new Error(`"${path}" leads nowhere from ${shape.element}`);
      return { kind, way: wayOf(shape, path), asked: bind(asked, shapes.at(-1)!) };
    },
  };
}

/** Some value at the path is the boolean; what is none is an error. */
export function holds(path: string, expected: boolean): Statement {
  const judge = (text: string): boolean => toBoolean(text) === expected;
  return { on: (shape) => ({ kind: 'some', way: wayOf(shape, path), judge }) };
}

/** The node's text is a code of the list, white space around it aside. */
export function isCoded(list: string): Statement {
  return codedBy(undefined, list);
}

/** So is its attribute; what is absent is no code. */
export function attributeIsCoded(attribute: string, list: string): Statement {
  return codedBy(attribute, list);
}

function codedBy(attribute: string | undefined, name: string): Statement {
  const list: CodeList = { name, lists: undefined, code: undefined };
  return { on: () => ({ kind: 'coded', attribute, list }) };
}

/** The node's attribute, undefined when it has none, is as the judge wants it. */
export function attributeReads(
  name: string,
  judge: (text: string | undefined, scope: Scope) => boolean,
): Statement {
  return { on: () => ({ kind: 'attributeReads', name, judge }) };
}

/** The node itself has the attribute. */
export function hasAttribute(name: string): Statement {
  return { on: () => ({ kind: 'attribute', name }) };
}

/** The node itself has one of the attributes. */
export function hasAnyAttribute(names: ReadonlySet<string>): Statement {
  return { on: () => ({ kind: 'anyAttribute', names }) };
}

/** Something at or below the node is bound by no row. */
export const holdsUnbound: Statement = { on: () => ({ kind: 'unbound' }) };

/** The node has neither text nor children. */
export const isEmpty: Statement = not({
  on: ({ members }) => {
    const { slot } = members.find(({ min }) => min > 0) ?? members[0] ?? {};
    return { kind: 'full', slot };
  },
});

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
      return first.kind === 'not' ? first.first : { kind: 'not', first };
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
      return first === never ? second : { kind: 'either', first, second };
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
      return first === always ? second : { kind: 'both', first, second };
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
    return { ...way, path, up: way.up + 1 };
  }
  const [elements, named] = splitAttribute(path);
  const target = path.includes(':') ? routeOf(shape, elements) : findTarget(shape, path);
  const slots = target?.shapes.map(({ slot }) => slot) ?? [];
  const astray = slots.length > 0 ? undefined : elements;
  return { path, up: 0, slots, astray, attribute: named ?? target?.attribute };
}

function splitAttribute(path: string): [elements: string, attribute: string | undefined] {
  const at = path.indexOf('/@');
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 2)];
}
