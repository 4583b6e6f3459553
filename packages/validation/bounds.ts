import { countAt, type Node } from '@drawbridge/cim/node.ts';
import { type Element, eachChild } from '@drawbridge/rules/language/element.ts';

/** Tax totals and subtotals that any document may have; usual invoices have one for each rate. */
const subtotalsFree = 50;
/** The most subtotals × elements: rules then take no longer than reading the largest document. */
const productMax = 15_000_000;

/**
 * Why the rules are not run on a document, or undefined. As published they compare each tax
 * subtotal with every line, allowance and charge, which would take minutes for some documents of
 * the allowed size.
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
