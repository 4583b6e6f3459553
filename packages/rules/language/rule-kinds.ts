import { countAt, type Node, Path, type Shape, someValue } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { codesOf } from '../code-lists.ts';
import type { Asked, Flag, Rule } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { lineElements } from '../ubl-elements.ts';
import { attributeIsCoded, exists, isCoded, occurs, reads } from './statement.ts';
import { isBlank, lengthOf, normalizeSpace } from './xpath.ts';

/**
 * Kinds of rules: most published rules say that something is there, how often, from which list, or
 * with how many decimals. `path` starts at the context's node. It is a model path or, in rules that
 * count, a path of element names, e.g. `cac:Price/cbc:PriceAmount`.
 */

type Terms = readonly [Term, ...Term[]];

/** A rule with its own statement. */
export function rule(
  id: string,
  terms: Terms,
  message: string,
  holds: Asked,
  flag: Flag = 'fatal',
): Rule {
  return { id, flag, terms, message, holds };
}

/** At least one occurrence, which may be empty. */
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
 * One occurrence with more than white space in it; several are an error, as in the published
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

/** Whether the text has more than white space. */
export function isFilled(text: string): boolean {
  return !isBlank(text);
}

/** No occurrence. */
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
): Rule {
  return rule(id, terms, message, occurs(path, 0, max));
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
): Rule {
  return rule(id, terms, message, attributeIsCoded(attribute, list));
}

/** No more than `max` digits after the decimal point, as written. */
export function limitedDecimals(
  id: string,
  path: string,
  max: number,
  terms: Terms,
  message: string,
): Rule {
  const holds = reads(path, (text) => decimalsWritten(text) <= max);
  return { ...rule(id, terms, message, holds), decimalsMax: max };
}

/** A model path, prepared for use from many nodes. */
export function path(text: string): Path {
  return new Path(text);
}

/** Whether there is an element or an attribute at `path`. */
export function has(node: Node, path: string | Path): boolean {
  return count(node, path) > 0;
}

/** How many elements or attributes there are at `path`. */
function count(node: Node, path: string | Path): number {
  return countAt(node, path);
}

/** Whether some value at `path` equals `text` exactly as written. */
export function some(node: Node, path: string | Path, text: string): boolean {
  return someValue(node, path, text);
}

/** Whether the text, without white space around it, is a code of the list. */
export function inList({ lists }: Scope, list: string, text: string): boolean {
  return codesOf(lists, list).has(normalizeSpace(text));
}

/**
 * Whether the text occurs in the list written out with blanks, as some published rules test it.
 * This is also true of the empty text and of a blank with the beginning of a code.
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

/** The number of characters after the first point; white space counts, as for the authority. */
export function decimalsWritten(text: string): number {
  const point = text.indexOf('.');
  return point < 0 ? 0 : lengthOf(text, point + 1);
}

/**
 * Matches elements at any place by name: `cbc:EndpointID`, or with parents
 * `cac:Country/cbc:IdentificationCode`. For contexts that the authority publishes that way; all
 * others name CIM paths.
 */
export function anywhere(...patterns: readonly string[]): (shape: Shape) => boolean {
  const wanted = patterns.map((pattern) => pattern.split('/').reverse());
  // Rules evaluate it for every node too, and there are many nodes of few shapes, so it is cached.
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

/** As `anywhere`, for elements below a line of either document type; without a path, the line. */
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
