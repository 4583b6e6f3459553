import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { count, has, present, rule, some } from '@drawbridge/rules/kinds.ts';
import type { Context, Rule } from '@drawbridge/rules/rule.ts';
import {
  doubleAt,
  normalizeSpace,
  someCompares,
  textOf,
  toDouble,
} from '@drawbridge/rules/xpath.ts';
import { hasTypeCode } from './transaction-type.ts';

const lineRules: readonly Rule[] = [
  rule(
    'ibr-104-ae',
    ['BTAE-10', 'BTAE-08'],
    'A line that is not exempt needs its amount and its VAT amount in AED.',
    (line) =>
      nodes(line, 'tax').every((tax) => normalizeSpace(textOf(tax, 'category')) === 'E') ||
      (has(line, 'accounting.tax_totals.amount') && has(line, 'accounting.amount')),
  ),
  rule(
    'ibr-111-ae',
    ['IBT-152', 'IBT-151'],
    'A line of category N (standard rate additional VAT) has a VAT rate above zero.',
    (line) => !some(line, 'tax.category', 'N') || someCompares(line, 'tax.rate', [1], 0),
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
    (line) => !some(line, 'tax.category', 'E') || has(line, 'tax.exemption_code'),
  ),
  rule(
    'ibr-123-ae',
    ['IBG-30', 'IBT-003'],
    'In a document of type 81 or 480 every line has exactly one VAT category.',
    (line, { root }) => !hasTypeCode(root, '81', '480') || count(line, 'tax') === 1,
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
    (item) => !some(item, 'tax.category', 'AE') || has(item, 'classifications.nature'),
  ),
  rule(
    'ibr-184-ae',
    ['IBT-158', 'BTAE-13'],
    'Goods (item type G) need a classification.',
    (item) => !some(item, 'classifications.item_type', 'G') || has(item, 'classifications.code'),
  ),
  rule(
    'ibr-185-ae',
    ['BTAE-17', 'BTAE-13'],
    'Services (item type S) need a service accounting code.',
    (item) => !some(item, 'classifications.item_type', 'S') || has(item, 'additional_ids.id'),
  ),
  rule(
    'ibr-186-ae',
    ['IBT-158', 'BTAE-17', 'BTAE-13'],
    'An item of type B (goods and services) needs a classification and a service accounting code.',
    (item) =>
      !some(item, 'classifications.item_type', 'B') ||
      (has(item, 'classifications.code') && has(item, 'additional_ids.id')),
  ),
  rule(
    'ibr-188-ae',
    ['IBT-158-1', 'IBT-158'],
    'An item is classified in the list HS.',
    (item) => !has(item, 'classifications.code') || some(item, 'classifications.list', 'HS'),
  ),
  rule(
    'ibr-189-ae',
    ['BTAE-17-1', 'BTAE-17'],
    'A service accounting code is of the scheme SAC.',
    (item) => !has(item, 'additional_ids.id') || some(item, 'additional_ids.scheme', 'SAC'),
  ),
];

export const lineContexts: readonly Context[] = [{ each: ['lines'], rules: lineRules }];
export const itemContexts: readonly Context[] = [{ each: ['lines.item'], rules: itemRules }];

/** Computed in doubles, as published; whatever is missing makes it wrong. */
function isNetRight(line: Node): boolean {
  const net = doubleAt(line, 'net');
  const quantity = doubleAt(line, 'qty');
  const price = doubleAt(line, 'unit_price');
  const base = doubleAt(line, 'base_qty');
  const charges = allowancesCharges(line, 'true');
  const allowances = allowancesCharges(line, 'false');
  if (net === undefined || quantity === undefined || price === undefined || base === undefined) {
    return false;
  }
  const expected = quantity * (price / base) + charges - allowances;
  return Math.round(net * 100) / 100 === Math.round(expected * 100) / 100;
}

function allowancesCharges(line: Node, indicator: string): number {
  let total = 0;
  for (const each of nodes(line, 'allowances_charges')) {
    if (!some(each, 'is_charge', indicator)) continue;
    for (const text of values(each, 'amount')) total += toDouble(text);
  }
  return total;
}
