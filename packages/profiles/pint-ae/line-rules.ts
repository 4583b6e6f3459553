import { type Node, nodes } from '@drawbridge/cim/node.ts';
import {
  anywhere,
  onLines,
  path,
  present,
  rule,
  some,
} from '@drawbridge/rules/language/rule-kinds.ts';
import {
  all,
  compares,
  either,
  every,
  exists,
  given,
  occurs,
  relates,
  says,
} from '@drawbridge/rules/language/statement.ts';
import { doubleOf, toDouble, type Written } from '@drawbridge/rules/language/xpath.ts';
import { ofCode } from '@drawbridge/rules/pint/tax-categories.ts';
import { type Context, DynamicError, type Rule } from '@drawbridge/rules/rule.ts';
import { typeCodeAround } from './transaction-type.ts';

const at = {
  allowancesCharges: path('allowances_charges'),
  isCharge: path('is_charge'),
  amount: path('amount'),
};

const itemType = 'classifications.item_type';
const hasClassification = exists('classifications.code');
const hasServiceCode = exists('additional_ids.id');

const lineRules: readonly Rule[] = [
  rule(
    'ibr-104-ae',
    ['BTAE-10', 'BTAE-08'],
    'A line that is not exempt needs its amount and its VAT amount in AED.',
    either(
      every('tax', ofCode('E')),
      all(exists('accounting.tax_totals.amount'), exists('accounting.amount')),
    ),
  ),
  rule(
    'ibr-111-ae',
    ['IBT-152', 'IBT-151'],
    'A line of category N (standard rate additional VAT) has a VAT rate above zero.',
    given(says('tax.category', 'N'), compares('tax.rate', [1], 0)),
  ),
  present('ibr-145-ae', 'tax', ['IBG-30', 'IBT-151'], 'The line needs a VAT category.'),
  rule(
    'ibr-147-ae',
    ['IBT-131', 'IBT-129', 'IBT-146', 'IBT-149'],
    'The line net amount is not quantity times unit price, plus charges, less allowances.',
    relates(
      ['net', 'cbc:InvoicedQuantity', 'cbc:CreditedQuantity', 'unit_price', 'base_qty'],
      isNetRight,
    ),
  ),
  rule(
    'ibr-167-ae',
    ['IBT-186', 'IBT-151'],
    'An exempt line (category E) needs the code of its exemption.',
    given(says('tax.category', 'E'), exists('tax.exemption_code')),
  ),
  rule(
    'ibr-123-ae',
    ['IBG-30', 'IBT-003'],
    'In a document of type 81 or 480 every line has exactly one VAT category.',
    given(typeCodeAround('81', '480'), occurs('tax', 1, 1)),
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
    given(says('tax.category', 'AE'), exists('classifications.nature')),
  ),
  rule(
    'ibr-184-ae',
    ['IBT-158', 'BTAE-13'],
    'Goods (item type G) need a classification.',
    given(says(itemType, 'G'), hasClassification),
  ),
  rule(
    'ibr-185-ae',
    ['BTAE-17', 'BTAE-13'],
    'Services (item type S) need a service accounting code.',
    given(says(itemType, 'S'), hasServiceCode),
  ),
  rule(
    'ibr-186-ae',
    ['IBT-158', 'BTAE-17', 'BTAE-13'],
    'An item of type B (goods and services) needs a classification and a service accounting code.',
    given(says(itemType, 'B'), all(hasClassification, hasServiceCode)),
  ),
  rule(
    'ibr-188-ae',
    ['IBT-158-1', 'IBT-158'],
    'An item is classified in the list HS.',
    given(hasClassification, says('classifications.list', 'HS')),
  ),
  rule(
    'ibr-189-ae',
    ['BTAE-17-1', 'BTAE-17'],
    'A service accounting code is of the scheme SAC.',
    given(hasServiceCode, says('additional_ids.scheme', 'SAC')),
  ),
];

/** Lines. */
export const lineContexts: readonly Context[] = [{ each: onLines(), rules: lineRules }];
/** Items of lines. */
export const itemContexts: readonly Context[] = [{ each: anywhere('cac:Item'), rules: itemRules }];

/**
 * Whether the net amount is right. Computed in doubles, as published; false when a value is
 * missing.
 */
function isNetRight(
  netAmount: Written,
  invoiced: Written,
  credited: Written,
  unitPrice: Written,
  baseQuantity: Written,
  line: Node,
): boolean {
  if (invoiced !== undefined && credited !== undefined) {
    throw new DynamicError('Two quantities where one is expected.');
  }
  const net = doubleOf(netAmount);
  const quantity = doubleOf(invoiced ?? credited);
  const price = doubleOf(unitPrice);
  const base = doubleOf(baseQuantity);
  const { charges, allowances } = sums(line);
  if (net === undefined || quantity === undefined || price === undefined || base === undefined) {
    return false;
  }
  const expected = quantity * (price / base) + charges - allowances;
  return Math.round(net * 100) / 100 === Math.round(expected * 100) / 100;
}

function sums(line: Node): { readonly charges: number; readonly allowances: number } {
  let charges = 0;
  let allowances = 0;
  for (const each of nodes(line, at.allowancesCharges)) {
    const isCharge = some(each, at.isCharge, 'true');
    const isAllowance = some(each, at.isCharge, 'false');
    if (!isCharge && !isAllowance) continue;
    for (const { text } of nodes(each, at.amount)) {
      const amount = toDouble(text);
      if (isCharge) charges += amount;
      if (isAllowance) allowances += amount;
    }
  }
  return { charges, allowances };
}
