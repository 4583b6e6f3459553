import { compile } from '@drawbridge/binding/compile.ts';
import { build } from '@drawbridge/binding/json/build.ts';
import { type Node, nodes } from '@drawbridge/cim/node.ts';
import { invoice as invoiceTable } from '@drawbridge/ubl/invoice.ts';
import { expect, test } from 'vitest';
import { compileRules } from '../engine/compile.ts';
import { runRules } from '../engine/run.ts';
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
} from '../rule-cases.suite.ts';
import { invoice, lists } from './example.ts';
import { pint } from './rule-set.ts';

const binding = compile(invoiceTable);

const misplacedParty = 'cac:AccountingSupplierParty/cac:Party';

/** Adds two payment terms to a line, which no row binds. */
function twoNotes(root: Node): void {
  unbound('lines', 'cac:PaymentTerms/cbc:Note', 'Net')(root);
  const [terms] = nodes(root, 'lines')[0]!.unbound!;
  terms!.children.push({ ...terms!.children[0]!, position: 2 });
}

function good(): Node {
  const { root, issues } = build(binding, invoice);
  if (issues.length > 0) throw new Error(issues.map(({ path }) => path).join(', '));
  return root;
}

/** The buyer's address in another scheme. */
function endpoint(scheme: string, text: string): Edit {
  return all(set('buyer.endpoint', text), attribute('buyer.endpoint', 'schemeID', scheme));
}

const identifiers = casesOf('invoice', [
  ['ibr-068', set('seller.endpoint', '7300010000002')],
  ['ibr-127', endpoint('0007', '556036-0793'), endpoint('0007', '5560360793')],
  ['ibr-069', endpoint('0192', '974761077'), endpoint('0192', '974761076')],
  ['ibr-070', endpoint('0184', '16356706'), endpoint('0184', 'DK16356706')],
  ['ibr-113', endpoint('0208', '0202239952'), endpoint('0208', '0202239951')],
  ['ibr-114', endpoint('0201', 'UF-8GX'), endpoint('0201', 'UF38GX')],
  ['ibr-115', endpoint('0210', 'RSSMRA85T10A56'), endpoint('0210', 'RSSMRA85T10A562S')],
  ['ibr-116', endpoint('0211', 'IT00743110158'), endpoint('0211', 'IT00743110157')],
  ['ibr-120', endpoint('0151', '51824753557'), endpoint('0151', '51824753556')],
]);

const allowances = casesOf('invoice', [
  ['ibr-083', set('lines.price_allowances.is_charge', 'true')],
  ['ibr-sr-30', twice('allowances_charges.reason')],
  ['ibr-031', drop('allowances_charges.amount')],
  ['ibr-033', all(drop('allowances_charges.reason'), drop('allowances_charges.reason_code'))],
  ['ibr-041', drop('lines.allowances_charges.amount')],
  [
    'ibr-042',
    all(drop('lines.allowances_charges.reason'), drop('lines.allowances_charges.reason_code')),
  ],
  ['ibr-036', all(drop('allowances_charges'), drop('allowances_charges.amount'))],
  ['ibr-sr-31', all(drop('allowances_charges'), twice('allowances_charges.reason'))],
  [
    'ibr-038',
    all(
      drop('allowances_charges'),
      drop('allowances_charges.reason'),
      drop('allowances_charges.reason_code'),
    ),
  ],
  ['ibr-043', all(drop('lines.allowances_charges'), drop('lines.allowances_charges.amount'))],
  [
    'ibr-044',
    all(
      drop('lines.allowances_charges'),
      drop('lines.allowances_charges.reason'),
      drop('lines.allowances_charges.reason_code'),
    ),
  ],
  ['ibr-082', drop('allowances_charges.is_charge')],
  ['ibr-sr-61', twice('allowances_charges.tax.exemption')],
]);

const mandatory = casesOf('invoice', [
  ['ibr-001', set('specification_id', ' ')],
  ['ibr-sr-63', set('specification_id', 'urn:peppol:pint:billing-1*')],
  ['ibr-002', drop('number')],
  ['ibr-003', drop('issue_date')],
  ['ibr-004', drop('type_code')],
  [
    'ibr-004',
    drop('type_code'),
    all(drop('type_code'), unbound('', 'cbc:CreditNoteTypeCode', '381')),
  ],
  ['ibr-005', drop('currency')],
  ['ibr-006', drop('seller.name')],
  ['ibr-007', drop('buyer.name')],
  ['ibr-008', drop('seller.address')],
  ['ibr-010', drop('buyer.address')],
  ['ibr-016', drop('lines')],
  ['ibr-016', drop('lines'), all(drop('lines'), unbound('', 'cac:CreditNoteLine/cbc:ID', '1'))],
  ['ibr-076', drop('business_process')],
  ['ibr-052', drop('documents.id')],
  ['ibr-sr-33', all(drop('documents'), twice('documents.description'))],
]);

const once = casesOf('invoice', [
  ['ibr-066', twice('payment_means.card')],
  ['ibr-067', twice('payment_means.mandate')],
  ['ibr-094', twice('contract_reference')],
  ['ibr-095', twice('receiving_advice')],
  ['ibr-096', all(add('despatch_advice', 'A'), twice('despatch_advice'))],
  ['ibr-097', twice('period')],
  ['ibr-098', twice('seller.name')],
  ['ibr-099', twice('seller.trading_name')],
  ['ibr-100', twice('seller.registration_id')],
  ['ibr-101', twice('seller.legal_form')],
  ['ibr-102', twice('buyer.name')],
  ['ibr-103', twice('buyer.registration_id')],
  ['ibr-104', twice('buyer.tax_registrations')],
  ['ibr-107', twice('delivery')],
  ['ibr-112', twice('buyer.trading_name')],
  ['ibr-sr-16', twice('buyer.identifiers')],
  ['ibr-sr-39', twice('project_reference')],
  ['ibr-sr-49', all(add('period.code', '35'), add('period.code', '29'))],
  ['ibr-sr-51', twice('notes')],
  ['ibr-sr-52', twice('tender_reference')],
  ['ibr-071', add('documents.attachment', 'JVBERi0=')],
  ['ibr-072', add('documents.description', 'The meter')],
  ['ibr-078', twice('documents')],
  ['ibr-090', twice('project')],
]);

const totals = casesOf('invoice', [
  ['ibr-012', drop('totals.lines')],
  ['ibr-013', drop('totals.net')],
  ['ibr-014', drop('totals.gross')],
  ['ibr-015', drop('totals.due')],
  ['ibr-091', set('totals.due', '85.500')],
  ['ibr-121', set('totals.allowances', '8.000')],
  ['ibr-122', set('totals.charges', '10.000')],
  ['ibr-123', set('totals.net', '100.000')],
  ['ibr-125', set('totals.gross', '105.000')],
  ['ibr-co-10', set('totals.lines', '98.01')],
  ['ibr-co-11', set('totals.allowances', '8.01')],
  ['ibr-co-12', set('totals.charges', '10.01')],
  ['ibr-co-13', set('totals.net', '100.01')],
  ['ibr-co-14', set('tax_totals.amount', '5.01')],
  ['ibr-co-15', set('totals.gross', '105.01')],
  ['ibr-co-16', set('totals.due', '85.51')],
  ['ibr-124', set('tax_totals.amount', '5.000')],
  ['ibr-sr-32', twice('tax_totals.breakdown.exemption')],
  ['ibr-053', set('tax_currency', 'EUX')],
  ['ibr-077', set('tax_currency', 'EUR')],
  [
    'ibr-084',
    set('tax_totals.amount', '-5.00'),
    // Amounts after the first that fits are not read.
    all(twice('tax_totals'), (root) => {
      nodes(root, 'tax_totals.amount').at(-1)!.text = 'none';
    }),
  ],
  ['ibr-126', attribute('totals.due', 'currencyID', 'USD')],
]);

const lines = casesOf('invoice', [
  ['ibr-021', drop('lines.id')],
  ['ibr-022', drop('lines.qty')],
  ['ibr-023', attribute('lines.qty', 'unitCode')],
  ['ibr-024', drop('lines.net')],
  ['ibr-025', drop('lines.name')],
  ['ibr-026', drop('lines.unit_price')],
  ['ibr-027', set('lines.unit_price', '-10.00')],
  ['ibr-028', set('lines.price_allowances.gross_price', '-0.00')],
  ['ibr-087', set('lines.base_qty', '0')],
  ['ibr-089', twice('lines.documents')],
  ['ibr-109', twice('lines.order_lines')],
  ['ibr-110', twice('lines.period')],
  ['ibr-111', twice('lines.price_allowances')],
  ['ibr-sr-34', twice('lines.note')],
  ['ibr-sr-38', twice('lines.tax.exemption')],
  ['ibr-sr-50', twice('lines.description')],
  ['ibr-085', set('lines.period.start', '2026-01-31')],
  ['ibr-086', set('lines.period.end', '2026-03-01')],
  ['ibr-030', set('lines.period.end', '2026-02-02')],
  [
    'ibr-030',
    set('lines.period.end', 'then'),
    all(twice('lines.period.start'), drop('lines.period.end')),
  ],
  ['ibr-co-20', all(drop('lines.period.start'), drop('lines.period.end'))],
  ['ibr-029', set('period.end', '2026-01-31')],
  ['ibr-co-19', all(drop('period.start'), drop('period.end'))],
  ['ibr-054', drop('lines.attributes.value')],
  ['ibr-065', attribute('lines.classifications.code', 'listID')],
  ['ibr-064', attribute('lines.standard_id', 'schemeID')],
  ['ibr-sr-58', drop('lines.tax.category')],
  ['ibr-088', attribute('lines.base_qty', 'unitCode', 'HUR')],
  ['ibr-092', add('despatch_advice', 'DESP-8')],
  ['ibr-sr-62', twice('lines.despatch_lines.line_despatch')],
]);

const parties = casesOf('invoice', [
  ['ibr-080', drop('buyer.endpoint')],
  ['ibr-063', attribute('buyer.endpoint', 'schemeID'), endpoint('0230', 'MY1')],
  ['ibr-011', drop('buyer.address.country')],
  ['ibr-sr-54', twice('buyer.address.line3')],
  ['ibr-057', drop('delivery.address.country')],
  ['ibr-sr-56', twice('delivery.address.line3')],
  ['ibr-017', set('payee.name', 'Northwind')],
  ['ibr-105', all(drop('payee.identifiers'), twice('payee.identifiers'))],
  ['ibr-106', twice('payee.registration_id')],
  ['ibr-sr-19', twice('payee.name')],
  [
    'ibr-co-26',
    all(
      drop('seller.tax_registrations'),
      drop('seller.identifiers'),
      drop('seller.registration_id'),
    ),
  ],
  ['ibr-081', drop('seller.endpoint')],
  ['ibr-sr-42', all(twice('seller.tax_registrations'), twice('seller.tax_registrations'))],
  [
    'ibr-062',
    attribute('seller.endpoint', 'schemeID'),
    attribute('seller.endpoint', 'schemeID', '0230'),
  ],
  ['ibr-009', set('seller.address.country', '')],
  ['ibr-sr-53', twice('seller.address.line3')],
  ['ibr-018', drop('tax_representative.name')],
  ['ibr-019', drop('tax_representative.address')],
  ['ibr-056', drop('tax_representative.tax_registrations')],
  ['ibr-sr-22', twice('tax_representative.name')],
  [
    'ibr-sr-23',
    (root) => {
      const number = 'cac:Party/cac:PartyTaxScheme/cbc:CompanyID';
      unbound('tax_representative', number, 'DK1')(root);
      unbound('tax_representative', number, 'DK2')(root);
    },
  ],
  ['ibr-020', drop('tax_representative.address.country')],
  ['ibr-sr-55', twice('tax_representative.address.line3')],
  ['ibr-sr-57', drop('buyer.tax_registrations.id')],
  ['ibr-108', twice('delivery.party_name')],
]);

const payment = casesOf('invoice', [
  ['ibr-sr-59', twice('payment_means.account.branch_address.line3')],
  ['ibr-049', drop('payment_means.code')],
  ['ibr-sr-27', twice('payment_means.code')],
  ['ibr-sr-28', twice('payment_means.mandate.id')],
  ['ibr-sr-46', twice('payment_means.code')],
  ['ibr-sr-05', twice('payment_terms.note')],
  ['ibr-sr-60', twice('payment_terms.instruction_id')],
  ['ibr-055', drop('preceding_invoices.number')],
  ['ibr-sr-07', drop('preceding_invoices.number')],
  ['ibr-sr-06', twice('preceding_invoices.invoice_reference')],
  ['ibr-093', drop('totals.prepaid')],
]);

const forms = casesOf('invoice', [
  ['ibr-073', set('issue_date', '2026-02-30')],
  ['ibr-119', set('issue_time', '10:15')],
  ['ibr-074', all(drop('documents'), attribute('documents.attachment', 'mimeCode'))],
  ['ibr-075', all(drop('documents'), attribute('documents.attachment', 'filename'))],
  ['ibr-079', unbound('buyer', 'cbc:WebsiteURI', ' ')],
]);

const codes = casesOf('invoice', [
  ['ibr-cl-01', set('type_code', '381')],
  ['ibr-cl-03', attribute('lines.net', 'currencyID', 'EUROS')],
  ['ibr-cl-04', set('currency', 'EUROS')],
  ['ibr-cl-05', set('tax_currency', 'DOLLAR')],
  ['ibr-cl-07', attribute('documents.id', 'schemeID', 'ZZ')],
  ['ibr-cl-10', attribute('buyer.identifiers.id', 'schemeID', 'SEPA')],
  ['ibr-cl-11', attribute('seller.registration_id', 'schemeID', 'ZZ')],
  ['ibr-cl-13', attribute('lines.classifications.code', 'listID', 'ZZ')],
  ['ibr-cl-14', set('seller.address.country', 'Germany')],
  ['ibr-cl-15', set('lines.origin_country', 'Germany')],
  ['ibr-cl-16', set('payment_means.code', 'bank')],
  ['ibr-cl-19', set('allowances_charges.reason_code', 'FC')],
  ['ibr-cl-20', all(drop('allowances_charges'), set('allowances_charges.reason_code', '95'))],
  ['ibr-cl-21', attribute('lines.standard_id', 'schemeID', 'ZZ')],
  ['ibr-cl-23', attribute('lines.qty', 'unitCode', 'piece')],
  ['ibr-cl-24', all(drop('documents'), attribute('documents.attachment', 'mimeCode', 'text/html'))],
  ['ibr-cl-25', attribute('buyer.endpoint', 'schemeID', 'ZZ')],
  ['ibr-cl-26', attribute('delivery.location_id', 'schemeID', 'ZZ')],
]);

ruleSuite('PINT shared rules', {
  sets: [pint],
  lists,
  good: { invoice: good },
  // Only nodes that break these match: an indicator that is not a boolean, an empty element.
  neverKept: ['ibr-082', 'ibr-079'],
  cases: [
    ...identifiers,
    ...allowances,
    ...mandatory,
    ...once,
    ...totals,
    ...lines,
    ...parties,
    ...payment,
    ...forms,
    ...codes,
  ],
});

test.each([
  ['an empty element that no row binds', unbound('', 'cbc:CopyIndicator', ''), 'ibr-079'],
  ['a bad date that no row binds', unbound('documents', 'cbc:IssueDate', '1.2.26'), 'ibr-073'],
  [
    'a scheme code of a party that no row binds',
    unbound('seller', 'cac:AgentParty/cac:PartyTaxScheme/cbc:ID', 'x'),
    'ibr-sr-57',
  ],
  [
    'the delivery address of a line',
    unbound('lines', 'cac:Delivery/cac:DeliveryLocation/cac:Address/cbc:CityName', 'Dubai'),
    'ibr-057',
  ],
  [
    'a preceding invoice of a line',
    unbound('lines', 'cac:BillingReference/cac:InvoiceDocumentReference/cbc:UUID', 'x'),
    'ibr-055',
  ],
  ['the terms of a line', twoNotes, 'ibr-sr-05'],
  [
    'a payment in a wrong place',
    unbound('buyer', 'cac:PaymentMeans/cbc:PaymentID', '1'),
    'ibr-049',
  ],
  [
    'a seller in a wrong place',
    unbound('lines', `${misplacedParty}/cbc:WebsiteURI`, 'x'),
    'ibr-081',
  ],
  ["the other document's line", unbound('', 'cac:CreditNoteLine/cbc:ID', '9'), 'ibr-022'],
  [
    'the amount of a line in a wrong place',
    unbound('delivery', 'cac:InvoiceLine/cbc:LineExtensionAmount', '5.00'),
    'ibr-co-10',
  ],
  [
    'totals in a wrong place',
    unbound('lines.price', 'cac:LegalMonetaryTotal/cbc:AllowanceTotalAmount', '1.00'),
    'ibr-co-11',
  ],
])('%s is met as well', (_, edit, id) => {
  expect(brokenBy(edit)).toContain(id);
});

test.each([
  [
    'a discount with a comment in it',
    parted('lines.price_allowances.is_charge', 'false', ' '),
    'ibr-083',
  ],
  ['a date with a comment in it', parted('issue_date', '2026-', '01-31'), 'ibr-073'],
  ['a currency with a comment in it', parted('tax_currency', 'US', 'D'), 'ibr-077'],
  ['a Danish number with a comment in it', danish('DK', '16356706'), 'ibr-070'],
  ['a second total with tax', twice('totals.gross'), 'ibr-co-15'],
  [
    'a start of the document that is no date, and a line without one',
    all(set('period.start', '2026-02-30'), drop('lines.period.start')),
    'ibr-085',
  ],
])('%s is what the published expression cannot take', (_, edit, id) => {
  expect(brokenBy(edit)).toContain(id);
});

test('a date next to a comment is valid', () => {
  expect(brokenBy(parted('issue_date', '2026-01-31'))).not.toContain('ibr-073');
});

test('a second indicator without text does not count as a second value', () => {
  const indicators = all(
    twice('allowances_charges.is_charge'),
    set('allowances_charges.is_charge', ''),
  );
  expect(brokenBy(indicators)).not.toContain('ibr-082');
});

function danish(...texts: readonly string[]): Edit {
  return all(endpoint('0184', ''), parted('buyer.endpoint', ...texts));
}

function brokenBy(edit: Edit): readonly string[] {
  const root = good();
  edit(root);
  return runRules(compileRules(root.shape, [pint]), root, lists).map(({ rule }) => rule.id);
}
