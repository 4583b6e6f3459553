import { countAt, type Node, type Shape, someValue } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import type { Flag, Rule, Scope } from './rule.ts';
import { lengthOf, normalizeSpace, textOf } from './xpath.ts';

/**
 * The mechanical kinds: most published rules say that something is there, how often, from which
 * list, or how exact. `path` is read from the context's node.
 */

type Terms = readonly [Term, ...Term[]];

/** Any other rule. */
export function rule(
  id: string,
  terms: Terms,
  message: string,
  test: Rule['test'],
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test };
}

/** At least one occurrence, be it empty. */
export function present(
  id: string,
  path: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test: (node) => has(node, path) };
}

/**
 * One occurrence with more than white space in it; several are an error in the published
 * expression.
 */
export function filled(
  id: string,
  path: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test: (node) => normalizeSpace(textOf(node, path)) !== '' };
}

/** None at all. */
export function absent(
  id: string,
  path: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test: (node) => !has(node, path) };
}

/** At most `max` occurrences. */
export function counted(
  id: string,
  path: string,
  max: number,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test: (node) => count(node, path) <= max };
}

/** The node's own text is a code of the list. */
export function coded(
  id: string,
  list: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test: (node, scope) => inList(scope, list, node.text) };
}

/** An attribute of the node is a code of the list. */
export function codedAttribute(
  id: string,
  attribute: string,
  list: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return {
    id,
    flag,
    terms,
    message,
    test: (node, scope) => inList(scope, list, node.attributes?.[attribute] ?? ''),
  };
}

/** No more than `max` digits after the decimal point, as written. */
export function limitedDecimals(
  id: string,
  path: string,
  max: number,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, test: (node) => decimalsWritten(textOf(node, path)) <= max };
}

/** Whether anything stands at `path`: an element, or an attribute. */
export function has(node: Node, path: string): boolean {
  return count(node, path) > 0;
}

/** How many elements or attributes stand at `path`. */
export function count(node: Node, path: string): number {
  return countAt(node, path);
}

/** Whether some value at `path` equals `text` exactly as written. */
export function some(node: Node, path: string, text: string): boolean {
  return someValue(node, path, text);
}

/** Whether the text, with white space around it dropped, is one code of the list. */
export function inList(scope: Scope, list: string, text: string): boolean {
  const codes = scope.lists[list];
  if (codes === undefined) throw new Error(`The profile has no code list "${list}".`);
  return codes.has(normalizeSpace(text));
}

/**
 * Whether the text occurs in the list written out with blanks: so does nothing, or a code's
 * beginning after a blank.
 */
export function isPartOfList(scope: Scope, list: string, text: string): boolean {
  const codes = scope.lists[list];
  if (codes === undefined) throw new Error(`The profile has no code list "${list}".`);
  let written = writtenLists.get(codes);
  if (written === undefined) {
    written = ` ${[...codes].join(' ')} `;
    writtenLists.set(codes, written);
  }
  return written.includes(text);
}

const writtenLists = new WeakMap<ReadonlySet<string>, string>();

/** Characters after the first point: white space counts, as it does for the authority. */
export function decimalsWritten(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : lengthOf(text, point + 1);
}

/**
 * Asks for elements wherever they stand: `cbc:EndpointID`, or with parents
 * `cac:Country/cbc:IdentificationCode`. For contexts that the authority publishes that way; all
 * others name CIM paths.
 */
export function anywhere(...patterns: readonly string[]): (shape: Shape) => boolean {
  const wanted = patterns.map((pattern) => pattern.split('/').reverse());
  // Rules ask it of every node too, and nodes are many where shapes are few: mostly the same again.
  const known = new WeakMap<Shape, boolean>();
  let lastShape: Shape | undefined;
  let lastAnswer = false;
  return (shape) => {
    if (shape === lastShape) return lastAnswer;
    lastAnswer = known.get(shape) ?? wanted.some((elements) => endsIn(shape, elements));
    lastShape = shape;
    known.set(shape, lastAnswer);
    return lastAnswer;
  };
}

function endsIn(shape: Shape, elements: readonly string[]): boolean {
  let at: Shape | undefined = shape;
  for (const element of elements) {
    if (at?.element !== element) return false;
    at = at.parent;
  }
  return true;
}
