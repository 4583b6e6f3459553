import { countAt, type Node } from '@drawbridge/cim/node.ts';
import { type Element, eachChild } from '@drawbridge/rules/element.ts';

/** Tax totals and subtotals that any document may have; invoices have one for each rate. */
const subtotalsFree = 50;
/** Of these times all elements: rules then take no longer than reading the largest document does. */
const productMax = 15_000_000;

/**
 * Why rules are not asked of a document, or undefined. As published they set each tax subtotal
 * beside every line, allowance and charge: what they take grows with both, to minutes within the
 * size that is read.
 */
export function tooManySubtotals(root: Node): string | undefined {
  const subtotals = countAt(root, 'tax_totals') + countAt(root, 'tax_totals.breakdown');
  if (subtotals <= subtotalsFree) return undefined;
  const elements = elementsIn(root);
  if (subtotals * elements <= productMax) return undefined;
  const most = Math.max(subtotalsFree, Math.floor(productMax / elements));
  return (
    `${subtotals} tax totals and subtotals in a document of ${elements} elements: at most ${most} ` +
    'are checked in one of that size. State one subtotal for each category and rate.'
  );
}

function elementsIn(element: Element): number {
  let count = 1;
  eachChild(element, (child) => {
    count += elementsIn(child);
  });
  return count;
}
