import { build } from '@drawbridge/binding/json/build.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { codeLists } from '@drawbridge/rules/code-lists.ts';
import { compileRules } from '@drawbridge/rules/engine/compile.ts';
import { runRules } from '@drawbridge/rules/engine/run.ts';
import { pint } from '@drawbridge/rules/pint/rule-set.ts';
import {
  add,
  all,
  attribute,
  casesOf,
  drop,
  type Edit,
  parted,
  ruleSuite,
  set,
  twice,
  unbound,
  unboundGroup,
} from '@drawbridge/rules/rule-cases.suite.ts';
import { expect, test } from 'vitest';
import { bindings } from '../ubl.ts';
import written from './code-lists.json' with { type: 'json' };
import { creditNote, foreign, invoiceOf, marginScheme, outOfScope } from './rule-examples.ts';
import { pintAe } from './rules.ts';

const lists = codeLists(written).billing;

const good: Record<string, () => Node> = {
  'standard rated invoice': made(invoiceOf('S')),
  'exempt invoice': made(invoiceOf('E')),
  'zero rated invoice': made(invoiceOf('Z')),
  'invoice partly out of scope': made(invoiceOf('O')),
  'reverse charge invoice': made(invoiceOf('AE')),
  'margin scheme invoice': made(marginScheme),
  'invoice out of scope': made(outOfScope),
  'dollar invoice': made(foreign),
  'credit note': made(creditNote, 'credit-note'),
};

function made(json: CimObject, type: 'invoice' | 'credit-note' = 'invoice'): () => Node {
  return () => {
    const { root, issues } = build(bindings[type], json);
    if (issues.length > 0) throw new Error(issues.map(({ path }) => path).join(', '));
    return root;
  };
}

/** Adds a second tax scheme with two codes, which rules on the first one must not read. */
function strangeScheme(root: Node): void {
  const [category] = nodes(root, 'tax_totals.breakdown.tax_category');
  twice('tax_scheme')(category!);
  twice('scheme')(nodes(category!, 'tax_scheme')[1]!);
}

/** Moves the charge before the allowances and edits it. */
function charge(...edits: readonly Edit[]): Edit {
  return all(drop('allowances_charges'), ...edits);
}

const misplacedScheme = 'cac:Item/cac:ClassifiedTaxCategory/cac:TaxScheme/cbc:ID';

/** A tax category below a group that stands in the delivery. */
function misplacedTax(group: string, below: string, text: string, code: string): Edit {
  return (root) => {
    unbound('delivery', `${group}/${below}`, text)(root);
    let category = nodes(root, 'delivery')[0]!.unbound![0]!;
    while (!category.element.endsWith('TaxCategory')) category = category.children[0]!;
    const id = { element: 'cbc:ID', position: 1, attributes: undefined, text: code, children: [] };
    category.children.push(id);
  };
}

function passport(party: 'buyer' | 'seller', country: string): Edit {
  const path = `${party}.registration_id`;
  return all(
    attribute(path, 'schemeAgencyID', 'PAS'),
    attribute(path, 'schemeAgencyName', country),
  );
}

const sellerNumber = 'cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme/cbc:CompanyID';

const parties = casesOf('standard rated invoice', [
  ['ibr-010-ae', passport('buyer', 'India'), passport('buyer', 'IN')],
  ['ibr-101-ae', attribute('buyer.registration_id', 'schemeAgencyName')],
  [
    'ibr-149-ae',
    all(set('buyer.endpoint', '2008765432'), drop('buyer.tax_registrations')),
    all(set('buyer.endpoint', '9900000098'), drop('buyer.tax_registrations')),
  ],
  ['ibr-179-ae', twice('buyer.tax_registrations')],
  [
    'ibr-135-ae',
    all(set('buyer.endpoint', '9900000098'), drop('buyer.tax_registrations')),
    all(set('buyer.endpoint', '9900000098'), set('transaction_type', '00000001')),
  ],
  [
    'ibr-135-ae',
    // The rule reads the transaction type of the document around the buyer.
    all(
      set('transaction_type', '00000001'),
      unboundGroup(
        'lines',
        ['cac:AccountingCustomerParty', 'cac:Party'],
        ['cbc:EndpointID', '9900000098', { schemeID: '0235' }],
      ),
    ),
  ],
  ['ibr-180-ae', attribute('buyer.registration_id', 'schemeAgencyID')],
  [
    'ibr-183-ae',
    all(
      set('buyer.endpoint', '2008765432'),
      attribute('buyer.registration_id', 'schemeAgencyID', 'XX'),
    ),
    all(
      set('buyer.endpoint', '2008765432'),
      attribute('buyer.registration_id', 'schemeAgencyID', 'CL'),
    ),
  ],
  ['ibr-196-ae', drop('delivery.terms.incoterms')],
  ['ibr-144-ae', drop('buyer.address.city')],
  ['ibr-143-ae', drop('seller.address.subdivision')],
  ['ibr-012-ae', passport('seller', 'India'), passport('seller', 'IN')],
  ['ibr-172-ae', attribute('seller.registration_id', 'schemeAgencyName')],
  [
    'ibr-177-ae',
    all(
      set('transaction_type', '00000100'),
      drop('seller.tax_registrations'),
      drop('seller.tax_registrations'),
    ),
    set('transaction_type', '00000100'),
  ],
  ['ibr-178-ae', set('seller.tax_registrations.scheme', 'GST')],
  ['ibr-150-ae', drop('seller.registration_id')],
  ['ibr-173-ae', attribute('seller.registration_id', 'schemeAgencyID', 'CL')],
  ['ibr-181-ae', attribute('seller.registration_id', 'schemeAgencyID')],
  ['ibr-128-ae', set('tax_representative.address.subdivision', 'Sharjah')],
  ['ibr-132-ae', set('buyer.tax_registrations.id', '100876543201004')],
  [
    'ibr-148-ae',
    all(
      set('seller.tax_registrations.scheme', 'TIN'),
      set('seller.tax_registrations.id', '2002345678'),
    ),
  ],
  [
    'ibr-133-ae',
    all(
      set('buyer.tax_registrations.scheme', 'GST'),
      drop('seller.tax_registrations'),
      set('seller.tax_registrations.id', '9'),
    ),
    all(
      set('buyer.tax_registrations.scheme', 'GST'),
      drop('seller.tax_registrations'),
      set('seller.tax_registrations.id', '9'),
      unbound('lines', sellerNumber, '1234567890'),
    ),
  ],
]);

const prices = casesOf('standard rated invoice', [
  ['aligned-ibrp-004', set('lines.unit_price', '9.00')],
  ['ibr-126-ae', drop('lines.base_qty')],
  ['ibr-126-ae', unbound('lines', 'cac:SubInvoiceLine/cac:Price/cbc:PriceAmount', '1')],
  ['ibr-192-ae', drop('payment_means.account')],
  ['aligned-ibrp-032', drop('allowances_charges.tax')],
  ['aligned-ibrp-057', drop('allowances_charges.base')],
  ['ibr-131-ae', set('allowances_charges.amount', '11.00')],
  ['ibr-115-ae', set('allowances_charges.tax.category', 'N')],
  ['aligned-ibrp-037', charge(drop('allowances_charges.tax'))],
  ['aligned-ibrp-058', charge(drop('allowances_charges.percent'))],
  ['ibr-146-ae', charge(set('allowances_charges.amount', '11.00'))],
  ['ibr-114-ae', charge(set('allowances_charges.tax.category', 'N'))],
]);

const lines = casesOf('standard rated invoice', [
  ['ibr-104-ae', drop('lines.accounting.tax_totals')],
  ['ibr-145-ae', drop('lines.tax')],
  ['ibr-147-ae', set('lines.net', '100.01')],
  ['ibr-194-ae', drop('lines.accounting')],
  ['ibr-125-ae', drop('lines.description')],
  ['ibr-125-ae', unbound('lines', 'cac:SubInvoiceLine/cac:Item/cbc:Name', 'Bolt')],
  [
    'ibr-184-ae',
    all(set('lines.classifications.item_type', 'G'), drop('lines.classifications.code')),
  ],
  ['ibr-185-ae', all(set('lines.classifications.item_type', 'S'), drop('lines.additional_ids'))],
  ['ibr-186-ae', drop('lines.additional_ids')],
  ['ibr-188-ae', attribute('lines.classifications.code', 'listID', 'STI')],
  ['ibr-189-ae', attribute('lines.additional_ids.id', 'schemeID', 'HS')],
]);

const documents = casesOf('standard rated invoice', [
  ['aligned-ibrp-001-ae', set('specification_id', 'urn:peppol:pint:billing-1@my-1')],
  ['aligned-ibrp-001-ae', parted('specification_id', 'urn:peppol:pint:', 'billing-1@ae-1')],
  ['aligned-ibrp-002-ae', set('business_process', 'urn:example')],
  ['aligned-ibrp-sr-12', all(twice('seller.tax_registrations'))],
  [
    'ibr-007-ae',
    set('transaction_type', '10000000'),
    all(set('transaction_type', '10000000'), add('beneficiary_id', 'B1')),
  ],
  ['ibr-134-ae', drop('seller.tax_registrations')],
  [
    'ibr-137-ae',
    set('transaction_type', '00000100'),
    all(set('transaction_type', '00000100'), add('principal_id', '100999')),
  ],
  ['ibr-138-ae', all(set('transaction_type', '00010000'), drop('period'))],
  ['ibr-141-ae', set('tax_point_date', '2026-09-14')],
  [
    'ibr-142-ae',
    set('transaction_type', '00000010'),
    all(set('transaction_type', '00000010'), ...address()),
  ],
  [
    'ibr-152-ae',
    set('transaction_type', '00000001'),
    all(set('transaction_type', '00000001'), add('delivery.address.country', 'AE')),
  ],
  ['ibr-127-ae', drop('due_date'), all(drop('due_date'), set('transaction_type', '01000000'))],
  ['ibr-140-ae', add('tax_currency', 'USD')],
  ['ibr-154-ae', set('transaction_type', '0000000')],
  ['ibr-160-ae', all(set('period.code', 'OTH'), drop('notes'))],
  [
    'ibr-176-ae',
    all(
      set('transaction_type', '00000100'),
      drop('seller.tax_registrations'),
      add('principal_id', '1002345678'),
    ),
  ],
  ['ibr-191-ae', drop('payment_means')],
  [
    'ibr-191-ae',
    drop('payment_means'),
    // The type code is read first, so the transaction type need not be readable.
    all(drop('payment_means'), set('type_code', '261'), twice('transaction_type')),
  ],
  ['ibr-193-ae', drop('uuid')],
  ['ibr-116-ae', set('transaction_type', '00100000')],
  ['ibr-190-ae', set('allowances_charges.tax.rate', '4')],
]);

function address(): Edit[] {
  return ['line1', 'city', 'subdivision'].map((each) => add(`delivery.address.${each}`, 'DXB'));
}

const creditNotes = casesOf('credit note', [
  [
    'ibr-055-ae',
    drop('preceding_invoices'),
    all(drop('preceding_invoices'), set('credit_reasons.code', 'VD')),
  ],
  ['ibr-124-ae', add('tax_point_date', '2026-09-13')],
  ['ibr-158-ae', drop('credit_reasons')],
  ['ibr-001-ae', set('credit_reasons.code', 'damaged')],
]);

const otherDocuments = [
  ...casesOf('invoice out of scope', [
    ['ibr-136-ae', drop('buyer.registration_id')],
    ['ibr-122-ae', set('lines.tax.category', 'S')],
    ['ibr-123-ae', twice('lines.tax'), unbound('delivery', 'cac:InvoiceLine/cbc:ID', '1')],
    ['ibr-157-ae', set('transaction_type', '00010000')],
    ['ibr-151-ae', set('type_code', '380')],
  ]),
  ...casesOf('dollar invoice', [
    ['ibr-153-ae', set('exchange_rate.source', 'EUR')],
    ['ibr-159-ae', drop('exchange_rate.rate')],
    ['ibr-175-ae', drop('documents')],
    ['ibr-002-ae', set('exchange_rate.rate', '3.67250001')],
  ]),
  ...casesOf('margin scheme invoice', [
    [
      'ibr-105-ae',
      twice('tax_totals.breakdown'),
      unbound('lines', 'cac:TaxSubtotal/cac:TaxCategory/cbc:ID', 'N'),
    ],
    ['ibr-111-ae', set('lines.tax.rate', '0')],
    ['ibr-102-ae', set('tax_totals.breakdown.taxable', '100.03')],
    ['ibr-108-ae', set('tax_totals.breakdown.amount', '0.01')],
  ]),
];

const categories = [
  ...casesOf('standard rated invoice', [
    ['aligned-ibrp-s-01', set('tax_totals.breakdown.category', 'Z')],
    ['aligned-ibrp-s-01', (root) => twice('tax.category')(nodes(root, 'allowances_charges')[1]!)],
    ['aligned-ibrp-045', drop('tax_totals.breakdown.taxable')],
    ['aligned-ibrp-046', drop('tax_totals.breakdown.amount')],
    ['aligned-ibrp-047', drop('tax_totals.breakdown.category')],
    ['aligned-ibrp-048', drop('tax_totals.breakdown.rate')],
    ['ibr-119-ae', drop('tax_totals.breakdown.rate')],
    ['aligned-ibrp-s-05', set('lines.tax.rate', '0')],
    ['aligned-ibrp-s-06', drop('allowances_charges.tax.rate')],
    ['aligned-ibrp-s-07', charge(set('allowances_charges.tax.rate', 'five'))],
    ['aligned-ibrp-s-08', set('tax_totals.breakdown.taxable', '200.03')],
    // When lines have the rate, no allowance is read.
    [
      'aligned-ibrp-s-08',
      set('tax_totals.breakdown.taxable', '200.03'),
      misplacedTax('cac:AllowanceCharge', 'cac:TaxCategory/cbc:Percent', '5 5', 'S'),
    ],
    ['aligned-ibrp-s-09', set('tax_totals.breakdown.amount', '10.03')],
    ['aligned-ibrp-s-10', add('tax_totals.breakdown.exemption', 'Charity')],
  ]),
  ...casesOf('exempt invoice', [
    ['aligned-ibrp-e-01', set('tax_totals.breakdown.category', 'O')],
    ['aligned-ibrp-e-08', set('tax_totals.breakdown.taxable', '100.01')],
    ['aligned-ibrp-e-09', set('tax_totals.breakdown.amount', '0.01')],
    ['ibr-121-ae', add('tax_totals.breakdown.rate', '0')],
    ['ibr-121-ae', all(add('tax_totals.breakdown.rate', '0'), strangeScheme)],
    ['aligned-ibrp-e-05', add('lines.tax.rate', '0')],
    ['ibr-163-ae', add('lines.accounting.tax_totals.amount', '0.00', { currencyID: 'AED' })],
    ['ibr-167-ae', drop('lines.tax.exemption_code')],
    ['aligned-ibrp-e-06', set('allowances_charges.tax.rate', '5')],
    ['aligned-ibrp-e-07', charge(drop('allowances_charges.tax.rate'))],
    ['ibr-168-ae', drop('allowances_charges.reason_code')],
    ['ibr-169-ae', charge(drop('allowances_charges.reason_code'))],
  ]),
  ...casesOf('zero rated invoice', [
    ['aligned-ibrp-z-01', twice('tax_totals.breakdown')],
    ['aligned-ibrp-z-05', set('lines.tax.rate', '5')],
    ['ibr-165-ae', set('lines.accounting.tax_totals.amount', '-0.00')],
    ['aligned-ibrp-z-06', set('allowances_charges.tax.rate', '5')],
    ['aligned-ibrp-z-07', charge(set('allowances_charges.tax.rate', '5'))],
    ['aligned-ibrp-z-08', set('tax_totals.breakdown.taxable', '99.99')],
    ['aligned-ibrp-z-09', set('tax_totals.breakdown.amount', '0.01')],
    ['ibr-120-ae', set('tax_totals.breakdown.rate', '5')],
  ]),
  ...casesOf('invoice partly out of scope', [
    ['aligned-ibrp-o-01', drop('tax_totals.breakdown')],
    ['aligned-ibrp-o-05', add('lines.tax.rate', '0')],
    ['aligned-ibrp-o-06', add('allowances_charges.tax.rate', '0')],
    ['aligned-ibrp-o-07', charge(add('allowances_charges.tax.rate', '0'))],
    ['aligned-ibrp-o-08', set('tax_totals.breakdown.taxable', '100.01')],
    ['aligned-ibrp-o-09', set('tax_totals.breakdown.amount', '0.01')],
    ['aligned-ibrp-o-11-ae', add('tax_totals.breakdown.rate', '0')],
  ]),
  ...casesOf('reverse charge invoice', [
    [
      'aligned-ibrp-ae-01-ae',
      drop('tax_totals.breakdown'),
      // One is enough, so another with two tax schemes is not read.
      all(twice('tax_totals.breakdown'), (root) =>
        twice('scheme')(nodes(root, 'tax_totals.breakdown.tax_category')[1]!),
      ),
    ],
    ['aligned-ibrp-ae-05-ae', drop('lines.tax.rate')],
    ['ibr-103-ae', drop('buyer.tax_registrations')],
    ['ibr-103-ae', misplacedTax('cac:InvoiceLine', misplacedScheme, 'VAT', 'AE')],
    ['ibr-162-ae', set('lines.accounting.tax_totals.amount', '5.00')],
    ['ibr-166-ae', drop('lines.classifications.nature')],
    ['ibr-174-ae', attribute('lines.standard_id', 'schemeID', '0088')],
    ['aligned-ibrp-ae-06', set('allowances_charges.tax.rate', '5')],
    ['aligned-ibrp-ae-07', charge(set('allowances_charges.tax.rate', '5'))],
    ['aligned-ibrp-ae-08-ae', set('tax_totals.breakdown.taxable', '100.01')],
    ['aligned-ibrp-ae-09-ae', set('tax_totals.breakdown.amount', '0.01')],
  ]),
];

const codes = casesOf('standard rated invoice', [
  ['ibr-011-ae', passport('buyer', 'India'), passport('buyer', 'IN')],
  ['ibr-013-ae', passport('seller', 'India'), passport('seller', 'IN')],
  ['ibr-005-ae', set('period.code', 'monthly')],
  ['ibr-139-ae', set('lines.tax.category', '\u039D')],
  ['ibr-006-ae', set('lines.classifications.nature', 'gold')],
]);

ruleSuite('rules of the Emirates', {
  sets: [pintAe],
  lists,
  good,
  cases: [
    ...parties,
    ...prices,
    ...lines,
    ...documents,
    ...creditNotes,
    ...otherDocuments,
    ...categories,
    ...codes,
  ],
});

test.each(Object.entries(good))('the good %s satisfies the shared rules too', (_, document) => {
  const root = document();
  const breaches = runRules(compileRules(root.shape, [pint]), root, lists);
  expect(breaches.map(({ rule, node }) => `${rule.id} ${node.shape.element}`)).toEqual([]);
});
