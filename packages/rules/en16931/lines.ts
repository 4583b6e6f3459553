import type { Term } from '@drawbridge/cim/terms.ts';
import { elementPath, reach } from '../language/element.ts';
import {
  anywhere,
  filled,
  limitedDecimals,
  onLines,
  present,
  rule,
} from '../language/rule-kinds.ts';
import { all, compares, either, exists, given, hasAttribute } from '../language/statement.ts';
import type { Context, Rule, Statement } from '../rule.ts';
import { isVatAlone } from './vat-scheme.ts';

/** Lines of either document type, also a line of one type in the other. */
export const anyLine = onLines();

const at = {
  price: 'cac:Price/cbc:PriceAmount',
  grossPrice: 'cac:Price/cac:AllowanceCharge/cbc:BaseAmount',
  tax: elementPath('cac:Item/cac:ClassifiedTaxCategory'),
  code: elementPath('cbc:ID'),
};

/** Rules on lines. */
export const lineContexts: readonly Context[] = [
  {
    each: anyLine,
    rules: [
      lineFilled('BR-21', 'cbc:ID', 'IBT-126', 'an identifier'),
      rule(
        'BR-22',
        ['IBT-129'],
        'A line needs the invoiced quantity.',
        either(exists('cbc:InvoicedQuantity'), exists('cbc:CreditedQuantity')),
      ),
      rule(
        'BR-23',
        ['IBT-130', 'IBT-129'],
        'The invoiced quantity needs its unit of measure.',
        either(exists('cbc:InvoicedQuantity/@unitCode'), exists('cbc:CreditedQuantity/@unitCode')),
      ),
      linePresent('BR-24', 'cbc:LineExtensionAmount', 'IBT-131', 'its net amount'),
      lineFilled('BR-25', 'cac:Item/cbc:Name', 'IBT-153', 'the name of the item'),
      linePresent('BR-26', 'cac:Price/cbc:PriceAmount', 'IBT-146', 'the net price of the item'),
      rule(
        'BR-27',
        ['IBT-146'],
        'The net price of an item is never negative.',
        isNotNegative(at.price),
      ),
      rule(
        'BR-28',
        ['IBT-148'],
        'The gross price of an item is never negative.',
        given(exists(at.grossPrice), isNotNegative(at.grossPrice)),
      ),
      rule('BR-CO-04', ['IBT-151'], 'A line needs the VAT category of the item.', (line) =>
        reach(line, at.tax).some((tax) => isVatAlone(tax) && reach(tax, at.code).length > 0),
      ),
      limitedDecimals(
        'BR-DEC-23',
        'cbc:LineExtensionAmount',
        2,
        ['IBT-131'],
        'The net amount of a line has at most two decimals.',
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
        all(exists('name'), exists('value')),
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
        hasAttribute('listID'),
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
        hasAttribute('schemeID'),
      ),
    ],
  },
];

/** True when no value is below 0; compared without a cast, as published. */
function isNotNegative(path: string): Statement {
  return compares(path, [0, 1], 0);
}

function lineFilled(id: string, path: string, term: Term, what: string): Rule {
  return filled(id, path, [term], `A line needs ${what}.`);
}

function linePresent(id: string, path: string, term: Term, what: string): Rule {
  return present(id, path, [term], `A line needs ${what}.`);
}
