import { countAt, type Node, Path, type Shape, someValue } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { codesOf } from './code.ts';
import type { Asked, Flag, Rule, Scope } from './rule.ts';
import { attributeIsCoded, exists, isCoded, occurs, reads } from './statement.ts';
import { lineElements } from './ubl-elements.ts';
import { isBlank, lengthOf, normalizeSpace } from './xpath.ts';

/**
 * The mechanical kinds: most published rules say that something is there, how often, from which
 * list, or how exact. `path` is read from the context's node: one of the model, or where rules count
 * one of element names, e.g. `cac:Price/cbc:PriceAmount`.
 */

type Terms = readonly [Term, ...Term[]];

/** Any other rule. */
export function rule(
  id: string,
  terms: Terms,
  message: string,
  holds: Asked,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, holds };
}

/** At least one occurrence, be it empty. */
export function present(
  id: string,
  path: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return rule(id, terms, message, exists(path), flag);
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
  return rule(id, terms, message, reads(path, isFilled), flag);
}

/** Whether there is more than white space. */
export function isFilled(text: string): boolean {
  return !isBlank(text);
}

/** None at all. */
export function absent(
  id: string,
  path: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return rule(id, terms, message, occurs(path, 0, 0), flag);
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
  return rule(id, terms, message, occurs(path, 0, max), flag);
}

/** The node's own text is a code of the list. */
export function coded(
  id: string,
  list: string,
  terms: Terms,
  message: string,
  flag: Flag = 'fatal',
): Rule {
  return rule(id, terms, message, isCoded(list), flag);
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
  return rule(id, terms, message, attributeIsCoded(attribute, list), flag);
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
  return rule(
    id,
    terms,
    message,
    reads(path, (text) => decimalsWritten(text) <= max),
    flag,
  );
}

/** A path of the model that a rule follows from many nodes. */
export function path(text: string): Path {
  return new Path(text);
}

/** Whether anything stands at `path`: an element, or an attribute. */
export function has(node: Node, path: string | Path): boolean {
  return count(node, path) > 0;
}

/** How many elements or attributes stand at `path`. */
export function count(node: Node, path: string | Path): number {
  return countAt(node, path);
}

/** Whether some value at `path` equals `text` exactly as written. */
export function some(node: Node, path: string | Path, text: string): boolean {
  return someValue(node, path, text);
}

/** Whether the text, with white space around it dropped, is one code of the list. */
export function inList({ lists }: Scope, list: string, text: string): boolean {
  return codesOf(lists, list).has(normalizeSpace(text));
}

/**
 * Whether the text occurs in the list written out with blanks: so does nothing, or a code's
 * beginning after a blank.
 */
export function isPartOfList(scope: Scope, list: string, text: string): boolean {
  const codes = codesOf(scope.lists, list);
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

/** As `anywhere`, of what stands below a line of either document; without a path, the line itself. */
export function onLines(path?: string): (shape: Shape) => boolean {
  return anywhere(...lineElements.map((line) => (path === undefined ? line : `${line}/${path}`)));
}

function endsIn(shape: Shape, elements: readonly string[]): boolean {
  let at: Shape | undefined = shape;
  for (const element of elements) {
    if (at?.element !== element) return false;
    at = at.parent;
  }
  return true;
}
