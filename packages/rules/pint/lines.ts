import { type Node, nodes, values } from '@drawbridge/cim/node.ts';
import { anywhere, counted, filled, onLines, present, rule } from '../language/rule-kinds.ts';
import {
  all,
  compares,
  either,
  exists,
  given,
  hasAttribute,
  relates,
} from '../language/statement.ts';
import { compareUntyped, decimalOf } from '../language/xpath.ts';
import type { Context, Rule } from '../rule.ts';
import { quantitiesOf } from '../ubl-elements.ts';

const grossPrice = 'price_allowances.gross_price';

const lineRules: readonly Rule[] = [
  filled('ibr-021', 'id', ['IBT-126', 'IBG-25'], 'The line has no identifier.'),
  rule(
    'ibr-022',
    ['IBT-129', 'IBG-25'],
    'The line has no quantity.',
    either(exists('cbc:InvoicedQuantity'), exists('cbc:CreditedQuantity')),
  ),
  rule(
    'ibr-023',
    ['IBT-130', 'IBT-129'],
    'The quantity has no unit.',
    either(exists('cbc:InvoicedQuantity/@unitCode'), exists('cbc:CreditedQuantity/@unitCode')),
  ),
  present('ibr-024', 'net', ['IBT-131', 'IBG-25'], 'The line has no net amount.'),
  filled('ibr-025', 'name', ['IBT-153', 'IBG-25'], 'The line has no item name.'),
  present('ibr-026', 'unit_price', ['IBT-146', 'IBG-25'], 'The line has no net price.'),
  rule(
    'ibr-027',
    ['IBT-146'],
    'The net price of an item is zero or more; returns are written as a negative quantity.',
    compares('unit_price', [0, 1], 0),
  ),
  rule(
    'ibr-028',
    ['IBT-148'],
    'The gross price of an item is zero or more.',
    given(exists(grossPrice), compares(grossPrice, [0, 1], 0)),
  ),
  rule(
    'ibr-087',
    ['IBT-149'],
    'The quantity that a price is for is more than zero.',
    relates(['base_qty'], (quantity) => decimalOf(quantity)?.gt(0) ?? true),
  ),
  rule(
    'ibr-089',
    ['IBT-128'],
    'The line names more than one invoiced object.',
    given(exists('documents'), (line) => invoicedObjects(line) <= 1),
  ),
  counted(
    'ibr-109',
    'order_lines.line_id',
    1,
    ['IBT-132'],
    'The line refers to more than one purchase order line.',
  ),
  counted('ibr-110', 'period', 1, ['IBG-26'], 'The line has more than one period.'),
  counted(
    'ibr-111',
    'price_allowances.discount',
    1,
    ['IBT-147'],
    'The price has more than one discount.',
  ),
  counted('ibr-sr-34', 'note', 1, ['IBT-127'], 'The line has more than one note.'),
  counted(
    'ibr-sr-38',
    'tax.exemption',
    1,
    ['IBT-185'],
    'The item has more than one tax exemption reason text.',
  ),
  counted('ibr-sr-50', 'description', 1, ['IBT-154'], 'The item has more than one description.'),
];

/** Invoice and credit note lines. */
export const lineContexts: readonly Context[] = [{ each: onLines(), rules: lineRules }];

/** The item of a line. */
export const itemContexts: readonly Context[] = [
  {
    each: anywhere('cac:AdditionalItemProperty'),
    rules: [
      rule(
        'ibr-054',
        ['IBG-32', 'IBT-160', 'IBT-161'],
        'An item attribute needs a name and a value.',
        all(exists('name'), exists('value')),
      ),
    ],
  },
  {
    each: onLines('cac:Item/cac:CommodityClassification/cbc:ItemClassificationCode'),
    rules: [
      rule(
        'ibr-065',
        ['IBT-158-1', 'IBT-158'],
        'An item classification needs the name of its list, e.g. HS.',
        hasAttribute('listID'),
      ),
    ],
  },
  {
    each: onLines('cac:Item/cac:StandardItemIdentification/cbc:ID'),
    rules: [
      rule(
        'ibr-064',
        ['IBT-157-1', 'IBT-157'],
        'An item standard identifier needs its scheme, e.g. 0160 for a GTIN.',
        hasAttribute('schemeID'),
      ),
    ],
  },
  {
    // Published for invoice lines only.
    each: anywhere('cac:InvoiceLine/cac:Item/cac:ClassifiedTaxCategory'),
    rules: [
      present('ibr-sr-58', 'category', ['IBT-151', 'IBG-30'], 'The item tax has no category code.'),
    ],
  },
];

/** Unit of the price, and despatch references of a line. */
export const lineDetailContexts: readonly Context[] = [
  {
    each: anywhere('cac:Price/cbc:BaseQuantity'),
    match: hasAttribute('unitCode'),
    rules: [
      rule(
        'ibr-088',
        ['IBT-150', 'IBT-130'],
        'The price is for another unit than the quantity is counted in.',
        (baseQuantity) => {
          const quantities = quantitiesOf(baseQuantity.parent!.parent!);
          const unit = baseQuantity.attributes?.unitCode;
          return (
            quantities.length === 0 || quantities.some((each) => each.attributes?.unitCode === unit)
          );
        },
      ),
    ],
  },
  {
    each: onLines('cac:DespatchLineReference/cac:DocumentReference/cbc:ID'),
    rules: [
      rule(
        'ibr-092',
        ['IBT-184', 'IBT-016'],
        'Despatch advice is referred to on the lines or on the document, not on both.',
        (_, { everywhere }) => everywhere('cac:DespatchDocumentReference').length === 0,
      ),
    ],
  },
  {
    each: onLines('cac:DespatchLineReference'),
    rules: [
      counted(
        'ibr-sr-62',
        'line_despatch',
        1,
        ['IBT-184'],
        'A despatch line refers to more than one despatch advice.',
      ),
    ],
  },
];

function invoicedObjects(line: Node): number {
  return nodes(line, 'documents').filter((each) =>
    values(each, 'type_code').some((code) => compareUntyped(code, 130) === 0),
  ).length;
}
