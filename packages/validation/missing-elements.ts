import { listOf, type Node, type Shape } from '@drawbridge/cim/node.ts';
import { type TermRow, terms } from '@drawbridge/cim/terms.ts';
import { type Origins, type Place, placeOfMissing } from './place.ts';

/** An element that the schema wants and that is not there. */
export interface MissingElement extends Place {
  readonly message: string;
}

/**
 * The elements that a document lacks by its schema, in the order of the document, at most `max`. A schema
 * stops at the element behind a missing one, and would name that.
 */
export function missingElements(root: Node, max: number, origins?: Origins): MissingElement[] {
  const found: MissingElement[] = [];
  const visit = (node: Node): void => {
    for (const shape of node.shape.members) {
      if (found.length === max) return;
      const there = listOf(node.members[shape.slot]);
      if (there.length === 0 && shape.min > 0) found.push(missingFrom(node, shape, origins));
      there.forEach(visit);
    }
  };
  visit(root);
  return found;
}

function missingFrom(parent: Node, shape: Shape, origins?: Origins): MissingElement {
  const chain = [shape];
  // What only wraps says nothing itself: it is missed for what is in it.
  while (chain.at(-1)!.kind === 'wrap') chain.push(chain.at(-1)!.members[0]!);
  const last = chain.at(-1)!;
  const [, , name]: TermRow = terms[last.term!];
  const element = shape.element.slice(shape.element.indexOf(':') + 1);
  // Some names say in brackets how they differ from others.
  const message = `${name.replace(/ \(.*/, '')} is missing (${element}).`;
  // No column holds a whole group: what is in it is asked for by itself.
  const place = placeOfMissing(parent, chain, last.kind === 'value' ? origins : undefined);
  return { ...place, message };
}
