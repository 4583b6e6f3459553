import { findTarget, type Node, nodes, rootOf, type Shape, value } from '@drawbridge/cim/node.ts';
import { plainPath } from '@drawbridge/cim/path.ts';
import { terms } from '@drawbridge/cim/terms.ts';
import { type View, views } from '@drawbridge/cim/views.ts';

/** Which occurrence of a repeated group a view means, for building and for showing. */

const byGroup = Map.groupBy(views, (each) => plainPath(each.of));
const none: readonly View[] = [];

/** The views over a repeated group. */
export function viewsOf(shape: Shape): readonly View[] {
  return byGroup.get(shapePath(shape)) ?? none;
}

/** The group's plain path in the model; `''` for the document and for wraps. */
export function shapePath({ term }: Shape): string {
  return term === undefined ? '' : plainPaths[term]!;
}

const plainPaths: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(terms).map(([term, [path]]) => [term, plainPath(path)]),
);

/** Whether an occurrence is the one that the view means. */
export function matches(node: Node, view: View): boolean {
  for (const name in view.where) {
    const predicate = view.where[name]!;
    const held = nodes(node, name)[0];
    if ('currency' in predicate) {
      if (!currencyIs(held, predicate.currency)) return false;
      continue;
    }
    const text = held?.text.trim();
    const isMeant =
      'is' in predicate ? text === predicate.is : text !== undefined && text !== predicate.not;
    if (!isMeant) return false;
  }
  return true;
}

function currencyIs(amount: Node | undefined, which: 'document' | 'accounting'): boolean {
  // One without an amount yet is in the invoice currency: only the other one must be named.
  if (amount === undefined) return which === 'document';
  const { document, accounting } = currenciesOf(rootOf(amount));
  const held = amount.attributes?.currencyID ?? document;
  if (which === 'document') return held === document;
  return held !== document && held === accounting;
}

/** The currencies that the document names, trimmed. */
export function currenciesOf(root: Node): {
  document: string | undefined;
  accounting: string | undefined;
} {
  const text = (name: string): string | undefined =>
    findTarget(root.shape, name) && value(root, name)?.trim();
  return { document: text('currency'), accounting: text('tax_currency') };
}
