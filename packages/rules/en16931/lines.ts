import type { Term } from '@drawbridge/cim/terms.ts';
import { childrenOf, type Element, elementText, reach } from '../element.ts';
import { anywhere, decimalsWritten, has, rule } from '../kinds.ts';
import type { Context, Rule } from '../rule.ts';
import { normalizeSpace, toDouble } from '../xpath.ts';
import { isVatAlone } from './vat-scheme.ts';

/** Lines of either document, also where one stands in the other. */
export const anyLine = anywhere('cac:InvoiceLine', 'cac:CreditNoteLine');

/** What every line must say, and what it may not. */
export const lineContexts: readonly Context[] = [
  {
    each: anyLine,
    rules: [
      lineFilled('BR-21', 'cbc:ID', 'IBT-126', 'an identifier'),
      rule(
        'BR-22',
        ['IBT-129'],
        'A line needs the invoiced quantity.',
        (line) => quantities(line).length > 0,
      ),
      rule(
        'BR-23',
        ['IBT-130', 'IBT-129'],
        'The invoiced quantity needs its unit of measure.',
        (line) => quantities(line).some((each) => each.attributes?.unitCode !== undefined),
      ),
      linePresent('BR-24', 'cbc:LineExtensionAmount', 'IBT-131', 'its net amount'),
      lineFilled('BR-25', 'cac:Item/cbc:Name', 'IBT-153', 'the name of the item'),
      linePresent('BR-26', 'cac:Price/cbc:PriceAmount', 'IBT-146', 'the net price of the item'),
      rule('BR-27', ['IBT-146'], 'The net price of an item is never negative.', (line) =>
        someNotNegative(reach(line, 'cac:Price/cbc:PriceAmount')),
      ),
      rule('BR-28', ['IBT-148'], 'The gross price of an item is never negative.', (line) => {
        const prices = reach(line, 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount');
        return prices.length === 0 || someNotNegative(prices);
      }),
      rule('BR-CO-04', ['IBT-151'], 'A line needs the VAT category of the item.', (line) =>
        reach(line, 'cac:Item/cac:ClassifiedTaxCategory').some(
          (tax) => isVatAlone(tax) && childrenOf(tax, 'cbc:ID').length > 0,
        ),
      ),
      rule(
        'BR-DEC-23',
        ['IBT-131'],
        'The net amount of a line has at most two decimals.',
        (line) => decimalsWritten(elementText(line, 'cbc:LineExtensionAmount')) <= 2,
      ),
    ],
  },
  {
    each: anywhere('cac:AdditionalItemProperty'),
    rules: [
      rule(
        'BR-54',
        ['IBT-160', 'IBT-161'],
        'An item attribute needs both a name and a value.',
        (attribute) => has(attribute, 'name') && has(attribute, 'value'),
      ),
    ],
  },
  {
    each: ['lines.classifications.code'],
    rules: [
      rule(
        'BR-65',
        ['IBT-158-1'],
        'An item classification needs the list it is from.',
        (code) => code.attributes?.listID !== undefined,
      ),
    ],
  },
  {
    each: ['lines.standard_id'],
    rules: [
      rule(
        'BR-64',
        ['IBT-157-1'],
        "The item's standard identifier needs its scheme.",
        (id) => id.attributes?.schemeID !== undefined,
      ),
    ],
  },
];

function quantities(line: Element): readonly Element[] {
  const invoiced = childrenOf(line, 'cbc:InvoicedQuantity');
  const credited = childrenOf(line, 'cbc:CreditedQuantity');
  return credited.length === 0 ? invoiced : [...invoiced, ...credited];
}

/** Compared with 0 without a cast, so in doubles. */
function someNotNegative(amounts: readonly Element[]): boolean {
  return amounts.some(({ text }) => toDouble(text) >= 0);
}

function lineFilled(id: string, path: string, term: Term, what: string): Rule {
  return rule(
    id,
    [term],
    `A line needs ${what}.`,
    (line) => normalizeSpace(elementText(line, path)) !== '',
  );
}

function linePresent(id: string, path: string, term: Term, what: string): Rule {
  return rule(id, [term], `A line needs ${what}.`, (line) => reach(line, path).length > 0);
}
