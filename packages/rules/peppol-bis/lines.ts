import type { Node } from '@drawbridge/cim/node.ts';
import { type Decimal, decimal, sum, zero } from '@drawbridge/decimal/decimal.ts';
import {
  childrenOf,
  type Element,
  elementPath,
  elementText,
  onlyElement,
  reach,
} from '../language/element.ts';
import { anywhere, counted, has, rule } from '../language/rule-kinds.ts';
import { exists, given, hasAttribute, reads, relates, says } from '../language/statement.ts';
import {
  decimalOf,
  normalizeSpace,
  textNodeOf,
  textOf,
  toCents,
  toDate,
  toDecimal,
  type Written,
  withinSlack,
} from '../language/xpath.ts';
import type { Context } from '../rule.ts';
import type { Scope } from '../scope.ts';

const slack = decimal('0.02');

const baseQuantity = 'cac:Price/cbc:BaseQuantity';

const at = {
  invoiced: elementPath('cbc:InvoicedQuantity'),
  credited: elementPath('cbc:CreditedQuantity'),
  allowances: elementPath('cac:AllowanceCharge'),
};
const one = decimal('1');

/** Periods, amounts and references of lines. */
export const lineContexts: readonly Context[] = [
  {
    each: ['lines.period.start'],
    when: ({ root }) => has(root, 'period.start'),
    rules: [
      rule(
        'PEPPOL-EN16931-R110',
        ['IBT-134', 'IBT-073'],
        'The line period starts before the invoicing period.',
        (node, { root }) =>
          node.text !== '' && toDate(textNodeOf([node])) >= toDate(textOf(root, 'period.start')),
      ),
    ],
  },
  {
    each: ['lines.period.end'],
    when: ({ root }) => has(root, 'period.end'),
    rules: [
      rule(
        'PEPPOL-EN16931-R111',
        ['IBT-135', 'IBT-074'],
        'The line period ends after the invoicing period.',
        (node, { root }) =>
          node.text !== '' && toDate(textNodeOf([node])) <= toDate(textOf(root, 'period.end')),
      ),
    ],
  },
  {
    each: anywhere('cac:InvoiceLine', 'cac:CreditNoteLine'),
    rules: [
      rule(
        'PEPPOL-EN16931-R120',
        ['IBT-131', 'IBT-129', 'IBT-146', 'IBT-149'],
        'The net amount of a line is not quantity times price, plus charges, less allowances.',
        relates(['cac:Price/cbc:PriceAmount', baseQuantity, 'cbc:LineExtensionAmount'], netIsRight),
      ),
      rule(
        'PEPPOL-EN16931-R121',
        ['IBT-149'],
        'The base quantity of a price is above zero.',
        given(
          exists(baseQuantity),
          reads(baseQuantity, (text) => toDecimal(text).gt(0)),
        ),
      ),
      counted(
        'PEPPOL-EN16931-R100',
        'cac:DocumentReference',
        1,
        ['X-line-document'],
        'A line has at most one invoiced object.',
      ),
      rule(
        'PEPPOL-EN16931-R101',
        ['X-line-document-type'],
        'A line refers to an invoiced object only (document type 130).',
        given(
          exists('cac:DocumentReference'),
          says('cac:DocumentReference/cbc:DocumentTypeCode', '130'),
        ),
      ),
    ],
  },
];

function netIsRight(
  unitPrice: Written,
  perQuantity: Written,
  stated: Written,
  line: Node,
  { root }: Scope,
): boolean {
  const isInvoice = root.shape.element === 'Invoice';
  const inLine = onlyElement(line, isInvoice ? at.invoiced : at.credited);
  const quantity = decimalOf(inLine?.text) ?? one;
  const price = decimalOf(unitPrice) ?? zero;
  const base = decimalOf(perQuantity);
  const gross = quantity.times(base === undefined || base.eq(0) ? price : price.div(base));
  const parts = reach(line, at.allowances);
  const net =
    parts.length === 0 ? gross : gross.plus(added(parts, 'true')).minus(added(parts, 'false'));
  return withinSlack(decimalOf(stated) ?? zero, net, slack);
}

function added(parts: readonly Element[], indicator: 'true' | 'false'): Decimal {
  const all = parts.filter(
    (each) => normalizeSpace(elementText(each, 'cbc:ChargeIndicator')) === indicator,
  );
  if (all.length === 0) return zero;
  const amounts = all.flatMap((each) => reach(each, 'cbc:Amount'));
  return toCents(sum(amounts.map(({ text }) => toDecimal(text))));
}

/** The price and the invoiced quantity have the same unit. */
export const baseQuantityContext: Context = {
  each: anywhere('cac:Price/cbc:BaseQuantity'),
  match: hasAttribute('unitCode'),
  rules: [
    rule(
      'PEPPOL-EN16931-R130',
      ['IBT-150', 'IBT-130'],
      'The unit of the base quantity is not the unit of the invoiced quantity.',
      (node, { root }) => {
        const line = node.parent!.parent!;
        const invoiced = childrenOf(line, 'cbc:InvoicedQuantity');
        const credited = childrenOf(line, 'cbc:CreditedQuantity');
        if (invoiced.length + credited.length === 0) return true;
        const quantities = root.shape.element === 'Invoice' ? invoiced : credited;
        return quantities.some((each) => each.attributes?.unitCode === node.attributes?.unitCode);
      },
    ),
  ],
};
