import type { Term } from '@drawbridge/cim/terms.ts';
import { type Element, elementPath, elementText, reach } from '../element.ts';
import { anywhere, decimalsWritten, has, onLines, present, rule } from '../kinds.ts';
import type { Context, Rule } from '../rule.ts';
import { quantitiesOf } from '../ubl-elements.ts';
import { compareUntyped, isBlank } from '../xpath.ts';
import { isVatAlone } from './vat-scheme.ts';

/** Lines of either document, also where one stands in the other. */
export const anyLine = onLines();

const at = {
  price: elementPath('cac:Price/cbc:PriceAmount'),
  grossPrice: elementPath('cac:Price/cac:AllowanceCharge/cbc:BaseAmount'),
  tax: elementPath('cac:Item/cac:ClassifiedTaxCategory'),
  net: elementPath('cbc:LineExtensionAmount'),
  code: elementPath('cbc:ID'),
};

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
        (line) => quantitiesOf(line).length > 0,
      ),
      rule(
        'BR-23',
        ['IBT-130', 'IBT-129'],
        'The invoiced quantity needs its unit of measure.',
        (line) => quantitiesOf(line).some((each) => each.attributes?.unitCode !== undefined),
      ),
      linePresent('BR-24', 'cbc:LineExtensionAmount', 'IBT-131', 'its net amount'),
      lineFilled('BR-25', 'cac:Item/cbc:Name', 'IBT-153', 'the name of the item'),
      linePresent('BR-26', 'cac:Price/cbc:PriceAmount', 'IBT-146', 'the net price of the item'),
      rule('BR-27', ['IBT-146'], 'The net price of an item is never negative.', (line) =>
        someNotNegative(reach(line, at.price)),
      ),
      rule('BR-28', ['IBT-148'], 'The gross price of an item is never negative.', (line) => {
        const prices = reach(line, at.grossPrice);
        return prices.length === 0 || someNotNegative(prices);
      }),
      rule('BR-CO-04', ['IBT-151'], 'A line needs the VAT category of the item.', (line) =>
        reach(line, at.tax).some((tax) => isVatAlone(tax) && reach(tax, at.code).length > 0),
      ),
      rule(
        'BR-DEC-23',
        ['IBT-131'],
        'The net amount of a line has at most two decimals.',
        (line) => decimalsWritten(elementText(line, at.net)) <= 2,
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
    each: onLines('cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode'),
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
    each: onLines('cac:Item/cac:StandardItemIdentification/cbc:ID'),
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

/** Compared with 0 without a cast. */
function someNotNegative(amounts: readonly Element[]): boolean {
  return amounts.some(({ text }) => compareUntyped(text, 0) >= 0);
}

function lineFilled(id: string, path: string, term: Term, what: string): Rule {
  const way = elementPath(path);
  return rule(id, [term], `A line needs ${what}.`, (line) => !isBlank(elementText(line, way)));
}

function linePresent(id: string, path: string, term: Term, what: string): Rule {
  return present(id, path, [term], `A line needs ${what}.`);
}
