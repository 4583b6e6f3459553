import { type Node, nodes } from '@drawbridge/cim/node.ts';
import {
  anywhere,
  count,
  has,
  onLines,
  path,
  present,
  rule,
  some,
} from '@drawbridge/rules/kinds.ts';
import { codeOf } from '@drawbridge/rules/pint/tax-categories.ts';
import type { Context, Rule } from '@drawbridge/rules/rule.ts';
import { quantitiesOf } from '@drawbridge/rules/ubl-elements.ts';
import { doubleAt, single, someCompares, toDouble } from '@drawbridge/rules/xpath.ts';
import { hasTypeCode } from './transaction-type.ts';

const at = {
  tax: path('tax'),
  category: path('tax.category'),
  rate: path('tax.rate'),
  exemptionCode: path('tax.exemption_code'),
  accountingTax: path('accounting.tax_totals.amount'),
  accountingAmount: path('accounting.amount'),
  net: path('net'),
  unitPrice: path('unit_price'),
  baseQuantity: path('base_qty'),
  allowancesCharges: path('allowances_charges'),
  isCharge: path('is_charge'),
  amount: path('amount'),
  itemType: path('classifications.item_type'),
  classification: path('classifications.code'),
  classificationList: path('classifications.list'),
  nature: path('classifications.nature'),
  additionalId: path('additional_ids.id'),
  additionalScheme: path('additional_ids.scheme'),
};

const lineRules: readonly Rule[] = [
  rule(
    'ibr-104-ae',
    ['BTAE-10', 'BTAE-08'],
    'A line that is not exempt needs its amount and its VAT amount in AED.',
    (line) =>
      nodes(line, at.tax).every((tax) => codeOf(tax) === 'E') ||
      (has(line, at.accountingTax) && has(line, at.accountingAmount)),
  ),
  rule(
    'ibr-111-ae',
    ['IBT-152', 'IBT-151'],
    'A line of category N (standard rate additional VAT) has a VAT rate above zero.',
    (line) => !some(line, at.category, 'N') || someCompares(line, at.rate, [1], 0),
  ),
  present('ibr-145-ae', 'tax', ['IBG-30', 'IBT-151'], 'The line needs a VAT category.'),
  rule(
    'ibr-147-ae',
    ['IBT-131', 'IBT-129', 'IBT-146', 'IBT-149'],
    'The line net amount is not quantity times unit price, plus charges, less allowances.',
    isNetRight,
  ),
  rule(
    'ibr-167-ae',
    ['IBT-186', 'IBT-151'],
    'An exempt line (category E) needs the code of its exemption.',
    (line) => !some(line, at.category, 'E') || has(line, at.exemptionCode),
  ),
  rule(
    'ibr-123-ae',
    ['IBG-30', 'IBT-003'],
    'In a document of type 81 or 480 every line has exactly one VAT category.',
    (line) => !hasTypeCode(line.parent!, '81', '480') || count(line, at.tax) === 1,
  ),
  present(
    'ibr-194-ae',
    'accounting.amount',
    ['BTAE-10', 'IBG-25'],
    'The line needs its amount in AED.',
  ),
];

const itemRules: readonly Rule[] = [
  present('ibr-125-ae', 'description', ['IBT-154', 'IBT-153'], 'The item needs a description.'),
  rule(
    'ibr-166-ae',
    ['BTAE-09', 'IBT-151'],
    'An item under reverse charge (category AE) needs its type of goods or services.',
    (item) => !some(item, at.category, 'AE') || has(item, at.nature),
  ),
  rule(
    'ibr-184-ae',
    ['IBT-158', 'BTAE-13'],
    'Goods (item type G) need a classification.',
    (item) => !some(item, at.itemType, 'G') || has(item, at.classification),
  ),
  rule(
    'ibr-185-ae',
    ['BTAE-17', 'BTAE-13'],
    'Services (item type S) need a service accounting code.',
    (item) => !some(item, at.itemType, 'S') || has(item, at.additionalId),
  ),
  rule(
    'ibr-186-ae',
    ['IBT-158', 'BTAE-17', 'BTAE-13'],
    'An item of type B (goods and services) needs a classification and a service accounting code.',
    (item) =>
      !some(item, at.itemType, 'B') || (has(item, at.classification) && has(item, at.additionalId)),
  ),
  rule(
    'ibr-188-ae',
    ['IBT-158-1', 'IBT-158'],
    'An item is classified in the list HS.',
    (item) => !has(item, at.classification) || some(item, at.classificationList, 'HS'),
  ),
  rule(
    'ibr-189-ae',
    ['BTAE-17-1', 'BTAE-17'],
    'A service accounting code is of the scheme SAC.',
    (item) => !has(item, at.additionalId) || some(item, at.additionalScheme, 'SAC'),
  ),
];

export const lineContexts: readonly Context[] = [{ each: onLines(), rules: lineRules }];
export const itemContexts: readonly Context[] = [{ each: anywhere('cac:Item'), rules: itemRules }];

/** Computed in doubles, as published; whatever is missing makes it wrong. */
function isNetRight(line: Node): boolean {
  const net = doubleAt(line, at.net);
  const quantity = single(quantitiesOf(line));
  const price = doubleAt(line, at.unitPrice);
  const base = doubleAt(line, at.baseQuantity);
  const charges = allowancesCharges(line, 'true');
  const allowances = allowancesCharges(line, 'false');
  if (net === undefined || quantity === undefined || price === undefined || base === undefined) {
    return false;
  }
  const expected = toDouble(quantity.text) * (price / base) + charges - allowances;
  return Math.round(net * 100) / 100 === Math.round(expected * 100) / 100;
}

function allowancesCharges(line: Node, indicator: string): number {
  let total = 0;
  for (const each of nodes(line, at.allowancesCharges)) {
    if (!some(each, at.isCharge, indicator)) continue;
    for (const amount of nodes(each, at.amount)) total += toDouble(amount.text);
  }
  return total;
}
