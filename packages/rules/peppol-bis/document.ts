import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { childrenOf } from '../language/element.ts';
import { anywhere, has, path, present, rule, some } from '../language/rule-kinds.ts';
import {
  attributeReads,
  either,
  exists,
  given,
  isEmpty,
  not,
  occurs,
  shaped,
} from '../language/statement.ts';
import { normalizeSpace, textNodeOf, textOf } from '../language/xpath.ts';
import type { Context, Pattern, Rule } from '../rule.ts';
import { areTaxSignsAlike } from '../tax-signs.ts';
import { amountElements } from '../ubl-elements.ts';
import { isGerman } from './countries.ts';
import type { Variant } from './variant.ts';

const invoiceCurrency = path('currency');
const amountsInInvoiceCurrency = amountElements.filter((name) => name !== 'cbc:TaxAmount');

/** No element may be empty. */
export const emptyElements: Pattern = {
  name: 'empty elements',
  contexts: [
    {
      each: () => true,
      rules: [
        rule(
          'PEPPOL-EN16931-R008',
          ['IBT-024'],
          'The document holds an empty element: leave it out.',
          not(isEmpty),
        ),
      ],
    },
  ],
};

/** Project references of credit notes. */
export const creditNoteProjects: Pattern = {
  name: 'credit note',
  contexts: [
    {
      each: [''],
      when: ({ root }) => root.shape.element === 'CreditNote',
      rules: [
        rule(
          'PEPPOL-EN16931-R080',
          ['X-document-type-code'],
          'A credit note refers to at most one project (document type 50).',
          (root) =>
            nodes(root, 'documents').filter((each) => some(each, 'type_code', '50')).length <= 1,
        ),
      ],
    },
  ],
};

/** The document itself. */
export function documentContexts(variant: Variant): readonly Context[] {
  return [
    { each: [''], rules: [...identification(variant), ...taxTotals] },
    {
      each: anywhere('cbc:TaxCurrencyCode'),
      rules: [
        rule(
          'PEPPOL-EN16931-R005',
          ['IBT-006', 'IBT-005'],
          'State a tax accounting currency only when it differs from the invoice currency.',
          (node) =>
            normalizeSpace(textNodeOf([node])) !==
            normalizeSpace(textNodeOf(childrenOf(node.parent!, 'cbc:DocumentCurrencyCode'))),
        ),
      ],
    },
    {
      each: anywhere('cac:AccountingCustomerParty/cac:Party'),
      rules: [
        present(
          'PEPPOL-EN16931-R010',
          'endpoint',
          ['IBT-049'],
          "State the buyer's electronic address.",
        ),
      ],
    },
    {
      each: anywhere('cac:AccountingSupplierParty/cac:Party'),
      rules: [
        present(
          'PEPPOL-EN16931-R020',
          'endpoint',
          ['IBT-034'],
          "State the seller's electronic address.",
        ),
      ],
    },
  ];
}

/** The code of the business process; undefined when it is not an approved one. */
export function processOf(variant: Variant, root: Node): '01' | '02' | undefined {
  const id = normalizeSpace(textOf(root, 'business_process'));
  return Object.hasOwn(variant.processes, id) ? variant.processes[id] : undefined;
}

function identification(variant: Variant): Rule[] {
  return [
    present('PEPPOL-EN16931-R001', 'business_process', ['IBT-023'], 'State the business process.'),
    rule(
      'PEPPOL-EN16931-R007',
      ['IBT-023'],
      'The business process is not an approved one.',
      (root) => processOf(variant, root) !== undefined,
    ),
    rule(
      'PEPPOL-EN16931-R002',
      ['IBT-022'],
      'More than one note is for invoices within Germany only.',
      either(occurs('notes', 0, 1), (_, scope) => isGerman(scope)),
    ),
    rule(
      'PEPPOL-EN16931-R003',
      ['IBT-010', 'IBT-013'],
      'State a buyer reference or a purchase order reference.',
      either(exists('buyer_reference'), exists('purchase_order')),
    ),
    rule(
      'PEPPOL-EN16931-R004',
      ['IBT-024'],
      `The specification identifier begins with "${variant.specification}".`,
      (root) => {
        const id = normalizeSpace(textNodeOf(nodes(root, 'specification_id')));
        return id.startsWith(variant.specification) && !id.includes('::');
      },
    ),
  ];
}

const taxTotals: readonly Rule[] = [
  rule(
    'PEPPOL-EN16931-R053',
    ['X-tax-total'],
    'State exactly one tax total with a breakdown.',
    (root) => nodes(root, 'tax_totals').filter((total) => has(total, 'breakdown')).length === 1,
  ),
  rule(
    'PEPPOL-EN16931-R054',
    ['X-tax-total', 'IBT-006'],
    'A tax total without breakdown goes with a tax accounting currency: one of each, or none.',
    (root) => {
      const bare = nodes(root, 'tax_totals').filter((total) => !has(total, 'breakdown'));
      return bare.length === (has(root, 'tax_currency') ? 1 : 0);
    },
  ),
  rule(
    'PEPPOL-EN16931-R055',
    ['IBT-110', 'IBT-006'],
    'Total tax and total tax in the accounting currency have the same sign.',
    given(exists('tax_currency'), areTaxSignsAlike),
  ),
];

const isTotal = shaped(anywhere('cac:TaxTotal/cbc:TaxAmount'));

/** Amounts are in the invoice currency, except for the total tax in the accounting currency. */
export function currencyContext(variant: Variant): Context {
  const subtotals = variant.subtotalsInInvoiceCurrency ? ['cac:TaxSubtotal/cbc:TaxAmount'] : [];
  return {
    each: anywhere(...amountsInInvoiceCurrency, ...subtotals, 'cac:TaxTotal/cbc:TaxAmount'),
    match: given(isTotal, exists('../cac:TaxSubtotal')),
    rules: [
      rule(
        'PEPPOL-EN16931-R051',
        ['IBT-005'],
        'The currency of the amount is not the invoice currency.',
        attributeReads(
          'currencyID',
          (currency, { root }) => currency !== undefined && some(root, invoiceCurrency, currency),
        ),
      ),
    ],
  };
}
