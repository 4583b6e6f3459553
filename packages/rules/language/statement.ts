import { findTarget, type Node, type Shape } from '@drawbridge/cim/node.ts';
import type { Asked, Statement } from '../rule.ts';
import type { Scope } from '../scope.ts';
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
import { compareUntyped, toBoolean, type Written } from './xpath.ts';

/**
 * Statements of rules as data: the target of a path is found at start, once for each shape, and
 * rules need no code. A path starts at the context's node. It is a model path or a path of element
 * names, e.g.
 * `cac:Price/cbc:PriceAmount` or `cbc:BaseQuantity/@unitCode`. `../` in front means the parent
 * node.
 */

/** Prepares a statement for the nodes of one shape. */
export function bind(asked: Asked, shape: Shape): Question {
  return typeof asked === 'function' ? { kind: 'test', test: asked } : asked.on(shape);
}

/** There is an element at the path, which may be empty, or an attribute. */
export function exists(path: string): Statement {
  return occurs(path, 1, many);
}

/** There are `min` to `max` elements (or attributes) at the path. */
export function occurs(path: string, min: number, max: number): Statement {
  return { on: (shape) => ({ kind: 'occurs', way: wayOf(shape, path), min, max }) };
}

/** Some value at the path is exactly one of the texts. */
export function says(path: string, ...texts: readonly string[]): Statement {
  return { on: (shape) => ({ kind: 'says', way: wayOf(shape, path), texts }) };
}

/**
 * Some value at the path compares with the number in one of these ways: -1 less, 0 equal, 1 more.
 * Text that is not a number is an error.
 */
export function compares(path: string, ways: readonly (-1 | 0 | 1)[], number: number): Statement {
  const judge = (text: string): boolean => ways.includes(compareUntyped(text, number));
  return { on: (shape) => ({ kind: 'some', way: wayOf(shape, path), judge }) };
}

/** The judge accepts the text at the path, `''` when there is none; several are an error. */
export function reads(path: string, judge: (text: string) => boolean): Statement {
  return { on: (shape) => ({ kind: 'only', way: wayOf(shape, path), judge }) };
}

/** The values at the paths, the node itself, and its scope. */
type Related<Paths extends readonly string[]> = [...{ [At in keyof Paths]: Written }, Node, Scope];

/**
 * The judge accepts the only texts at the paths, undefined where there is none; several at one path
 * are an error.
 */
export function relates<const Paths extends readonly string[]>(
  paths: Paths,
  judge: (...texts: Related<Paths>) => boolean,
): Statement {
  return related(paths, 'error', judge as Relation);
}

/** As `relates`, but several at one path count as none, as where a published rule tests a cast. */
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

/** The statement is true of some group (or value) at the path, which must be a model path. */
export function any(path: string, asked: Asked): Statement {
  return ofEach('any', path, asked);
}

/** The statement is true of every one at the path, also when there is none. */
export function every(path: string, asked: Asked): Statement {
  return ofEach('every', path, asked);
}

function ofEach(kind: 'any' | 'every', path: string, asked: Asked): Statement {
  return {
    on: (shape) => {
      const shapes = findTarget(shape, path)?.shapes;
      // Unbound elements get their shapes with the document, so a path to them has none here.
      if (shapes === undefined) throw new Error(`"${path}" leads nowhere from ${shape.element}`);
      return { kind, way: wayOf(shape, path), asked: bind(asked, shapes.at(-1)!) };
    },
  };
}

/** Some value at the path is this boolean; other text is an error. */
export function holds(path: string, expected: boolean): Statement {
  const judge = (text: string): boolean => toBoolean(text) === expected;
  return { on: (shape) => ({ kind: 'some', way: wayOf(shape, path), judge }) };
}

/** The node's text is a code of the list, ignoring white space around it. */
export function isCoded(list: string): Statement {
  return codedBy(undefined, list);
}

/** The node's attribute is a code of the list; false when it is absent. */
export function attributeIsCoded(attribute: string, list: string): Statement {
  return codedBy(attribute, list);
}

function codedBy(attribute: string | undefined, name: string): Statement {
  const list: CodeList = { name, lists: undefined, code: undefined };
  return { on: () => ({ kind: 'coded', attribute, list }) };
}

/** The judge accepts the node's attribute, undefined when it has none. */
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

/** The node or a node below it holds an unbound element. */
export const holdsUnbound: Statement = { on: () => ({ kind: 'unbound' }) };

/** The node has neither text nor children. */
export const isEmpty: Statement = not({
  on: ({ members }) => {
    const { slot } = members.find(({ min }) => min > 0) ?? members[0] ?? {};
    return { kind: 'full', slot };
  },
});

/** The condition is true of the node's shape; evaluated once for each shape. */
export function shaped(isSo: (shape: Shape) => boolean): Statement {
  return { on: (shape) => (isSo(shape) ? always : never) };
}

/** The node is somewhere below an element of one of these names. */
export function within(...elements: readonly string[]): Statement {
  return shaped((shape) => {
    for (let at = shape.parent; at !== undefined; at = at.parent) {
      if (elements.includes(at.element)) return true;
    }
    return false;
  });
}

/** The statement is not true. */
export function not(asked: Asked): Statement {
  return {
    on: (shape) => {
      const first = bind(asked, shape);
      if (first === always || first === never) return first === always ? never : always;
      return first.kind === 'not' ? first.first : { kind: 'not', first };
    },
  };
}

/** One of them is true; each is evaluated only if none before it is true. */
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

/** All of them are true; each is evaluated only if those before it are true. */
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

/** If the first is true, the second is too. */
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
  const unboundPath = slots.length > 0 ? undefined : elements;
  return { path, up: 0, slots, unboundPath, attribute: named ?? target?.attribute };
}

function splitAttribute(path: string): [elements: string, attribute: string | undefined] {
  const at = path.indexOf('/@');
  return at < 0 ? [path, undefined] : [path.slice(0, at), path.slice(at + 2)];
}
