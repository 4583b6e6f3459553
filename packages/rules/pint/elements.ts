import type { Node } from '@drawbridge/cim/node.ts';
import { childrenOf, elementPath, reach } from '../language/element.ts';
import { anywhere, counted, filled, path, rule, some } from '../language/rule-kinds.ts';
import {
  attributeReads,
  either,
  given,
  hasAttribute,
  isEmpty,
  shaped,
  within,
} from '../language/statement.ts';
import { isDate, isTime, lengthOf, normalizeSpace, textNodeOf } from '../language/xpath.ts';
import { type Context, perDocument } from '../rule.ts';
import type { Scope } from '../scope.ts';
import { dateElements } from '../ubl-elements.ts';

/** Supporting documents. */
export const documentReferenceContexts: readonly Context[] = [
  {
    each: anywhere('cac:AdditionalDocumentReference'),
    rules: [
      filled('ibr-052', 'id', ['IBT-122', 'IBG-24'], 'A supporting document needs its reference.'),
      counted(
        'ibr-sr-33',
        'description',
        1,
        ['IBT-123', 'IBG-24'],
        'A supporting document has one description.',
      ),
    ],
  },
];

const amounts = anywhere(
  'cbc:Amount',
  'cbc:BaseAmount',
  'cbc:PriceAmount',
  'cbc:LineExtensionAmount',
  'cbc:TaxExclusiveAmount',
  'cbc:TaxInclusiveAmount',
  'cbc:AllowanceTotalAmount',
  'cbc:ChargeTotalAmount',
  'cbc:PrepaidAmount',
  'cbc:PayableRoundingAmount',
  'cbc:PayableAmount',
);
const taxAmounts = anywhere(
  'cac:TaxTotal/cbc:TaxAmount',
  'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxableAmount',
  'cac:TaxTotal/cac:TaxSubtotal/cbc:TaxAmount',
);

/** The currency of every amount; of tax amounts, those in a tax total in the invoice currency. */
export const amountContexts: readonly Context[] = [
  {
    each: (shape) => amounts(shape) || taxAmounts(shape),
    match: given(shaped(taxAmounts), (node, { root }) =>
      isInInvoiceCurrency(taxTotalOf(node), root),
    ),
    rules: [
      rule(
        'ibr-126',
        ['IBT-005'],
        'An amount is in another currency than the invoice; only tax accounting amounts may be.',
        either(
          within('cac:ItemPriceExtension'),
          attributeReads('currencyID', (currency, scope) => invoiceCurrencies(scope).has(currency)),
        ),
      ),
    ],
  },
];

/** Dates, times, binaries and empty elements, at any place. */
export const formContexts: readonly Context[] = [
  {
    each: anywhere(...dateElements),
    rules: [
      rule(
        'ibr-073',
        ['IBT-002', 'IBT-007', 'IBT-009', 'IBT-026', 'IBT-072', 'IBT-073', 'IBT-074'],
        'A date is written YYYY-MM-DD.',
        (node) => lengthOf(textNodeOf([node])) === 10 && isDate(node.text),
      ),
    ],
  },
  {
    each: ({ element }) => element.startsWith('cbc:') && element.endsWith('Time'),
    rules: [
      rule(
        'ibr-119',
        ['IBT-168'],
        'A time is written hh:mm:ss, with fractions of a second and a time zone if there are any.',
        (node) => isTime(node.text),
      ),
    ],
  },
  {
    each: ({ element }) => element.endsWith('BinaryObject'),
    rules: [
      rule(
        'ibr-074',
        ['IBT-125-1', 'IBT-125'],
        'An attachment needs its MIME type.',
        hasAttribute('mimeCode'),
      ),
      rule(
        'ibr-075',
        ['IBT-125-2', 'IBT-125'],
        'An attachment needs its file name.',
        hasAttribute('filename'),
      ),
    ],
  },
  {
    each: anywhere('cbc:TaxCurrencyCode'),
    rules: [
      rule(
        'ibr-077',
        ['IBT-006', 'IBT-005'],
        'The tax accounting currency is only named when it differs from the invoice currency.',
        (node) =>
          normalizeSpace(textNodeOf([node])) !==
          normalizeSpace(textNodeOf(childrenOf(node.parent!, 'cbc:DocumentCurrencyCode'))),
      ),
    ],
  },
  {
    each: () => true,
    match: isEmpty,
    rules: [
      rule(
        'ibr-079',
        ['IBT-001'],
        'An element is empty. Leave out what has no value.',
        shaped(() => false),
      ),
    ],
  },
];

const invoiceCurrencies = perDocument(
  ({ everywhere }): ReadonlySet<string | undefined> =>
    new Set(everywhere('cbc:DocumentCurrencyCode').map(({ text }) => text)),
);

function taxTotalOf(node: Node): Node {
  return node.shape.element === 'cac:TaxTotal' ? node : taxTotalOf(node.parent!);
}

const currency = path('currency');
const taxAmount = elementPath('cbc:TaxAmount');

function isInInvoiceCurrency(taxTotal: Node, root: Scope['root']): boolean {
  for (const { attributes } of reach(taxTotal, taxAmount)) {
    const code = attributes?.currencyID;
    if (code !== undefined && some(root, currency, code)) return true;
  }
  return false;
}
