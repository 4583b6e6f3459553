import { compile } from '@drawbridge/binding/compile.ts';
import { type Built, build, type CimObject } from '@drawbridge/binding/json/build.ts';
import type { Node } from '@drawbridge/cim/node.ts';
import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import { vatCategories } from './vat-categories.ts';

/** Good documents for tests: each satisfies every rule of EN 16931. */

const bindings = { invoice: compile(invoice), 'credit-note': compile(creditNote) };

const compliant = 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc';

const party = (country: string, vat: string, registration: string): CimObject => ({
  endpoint: '9482348239847239874',
  endpoint_scheme: '0002',
  identifiers: [{ id: 'KD-4711', scheme: '0002' }],
  trading_name: `House of ${vat}`,
  address: {
    line1: 'Hauptplatz 1',
    line2: 'Hof 2',
    line3: 'Tor 3',
    city: 'Linz',
    post_code: '4020',
    subdivision: 'Region',
    country,
  },
  tax_registrations: [{ id: vat, scheme: 'VAT' }],
  name: `Company ${vat}`,
  registration_id: registration,
  registration_scheme: '0002',
  contact: { name: 'Eva', phone: '+43 1 234', email: 'eva@example.com' },
});

/** An invoice with everything that rules look at: allowances, charges, a discount, a payee … */
export const goodInvoice: CimObject = {
  specification_id: `${compliant}:billing:3.0`,
  business_process: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
  number: 'INV-1',
  issue_date: '2026-03-02',
  due_date: '2026-04-01',
  type_code: '380',
  notes: ['#AAI#Thank you'],
  currency: 'EUR',
  tax_currency: 'SEK',
  buyer_reference: 'Order by Eva',
  period: [{ start: '2026-02-01', end: '2026-02-28' }],
  purchase_order: 'PO-1',
  preceding_invoices: [{ number: 'INV-0', issue_date: '2026-01-02' }],
  despatch_advice: 'D-1',
  receiving_advice: 'R-1',
  tender_reference: 'T-1',
  contract_reference: 'C-1',
  project_reference: 'P-1',
  documents: [
    { id: 'M-1', scheme: 'AAA', type_code: '130' },
    {
      id: 'Sheet-1',
      description: 'Time sheet',
      attachment: 'QUJD',
      mime_code: 'text/csv',
      filename: 'sheet.csv',
    },
    { id: 'Web-1', url: 'https://example.com/1' },
  ],
  seller: { ...party('AT', 'ATU11111111', '100'), legal_form: 'GmbH' },
  buyer: party('BE', 'BE0999999922', '200'),
  payee: {
    identifiers: [{ id: 'PAY-1', scheme: '0002' }],
    name: 'Factor Ltd',
    registration_id: '300',
    registration_scheme: '0002',
  },
  tax_representative: {
    name: 'Agent Ltd',
    address: { line1: 'Strada 1', city: 'Graz', post_code: '8010', country: 'AT' },
    tax_registrations: [{ id: 'ATU22222222', scheme: 'VAT' }],
  },
  delivery: {
    date: '2026-02-27',
    location_id: 'L-1',
    location_scheme: '0088',
    address: { line1: 'Quai 1', city: 'Gent', post_code: '9000', country: 'BE' },
    party_name: 'Warehouse',
  },
  payment_means: [
    {
      code: '59',
      name: 'SEPA',
      remittance: 'INV-1',
      card: { number: '1234', network: 'VISA', holder: 'Eva' },
      account: { id: 'AT483200000012345864', name: 'Main', branch: 'RLNWATWW' },
      mandate: { id: 'MANDATE-1', account: 'BE68539007547034' },
    },
  ],
  payment_terms: [{ note: '30 days' }],
  allowances_charges: [
    {
      is_charge: 'false',
      reason_code: '95',
      reason: 'Discount',
      percent: 10,
      amount: '10.00',
      base: '100.00',
      tax: [{ category: 'S', rate: 25, scheme: 'VAT' }],
    },
    {
      is_charge: 'true',
      reason_code: 'FC',
      reason: 'Freight',
      percent: 20,
      amount: '20.00',
      base: '100.00',
      tax: [{ category: 'S', rate: 25, scheme: 'VAT' }],
    },
  ],
  tax_totals: [
    {
      amount: '30.00',
      breakdown: [{ taxable: '120.00', amount: '30.00', category: 'S', rate: 25, scheme: 'VAT' }],
    },
    { amount: { value: '330.00', currencyID: 'SEK' } },
  ],
  totals: {
    lines: '110.00',
    net: '120.00',
    gross: '150.00',
    allowances: '10.00',
    charges: '20.00',
    prepaid: '50.00',
    rounding: '0.50',
    due: '100.50',
  },
  lines: [
    {
      id: '1',
      note: 'Best quality',
      qty: 10,
      unit: 'C62',
      net: '110.00',
      period: [{ start: '2026-02-01', end: '2026-02-28' }],
      order_lines: [{ line_id: '1' }],
      documents: [{ id: 'OBJ-1', scheme: 'AAA', type_code: '130' }],
      allowances_charges: [
        {
          is_charge: 'false',
          reason_code: '95',
          reason: 'Discount',
          percent: 5,
          amount: '5.00',
          base: '100.00',
        },
        {
          is_charge: 'true',
          reason_code: 'FC',
          reason: 'Freight',
          percent: 15,
          amount: '15.00',
          base: '100.00',
        },
      ],
      description: 'A thing',
      name: 'Thing',
      sku: 'T-1',
      standard_id: '7300010000001',
      standard_id_scheme: '0160',
      origin_country: 'AT',
      classifications: [{ code: '30190000', list: 'STI', list_version: '1' }],
      tax: [{ category: 'S', rate: 25, scheme: 'VAT' }],
      attributes: [{ name: 'Colour', value: 'Blue' }],
      unit_price: '10.00',
      base_qty: 1,
      base_unit: 'C62',
      price_allowances: [{ is_charge: 'false', discount: '2.00', gross_price: '12.00' }],
    },
  ],
};

/** Changes of the good invoice's members; `undefined` removes one. */
export type Changes = { readonly [member: string]: CimObject[string] };

/** The good invoice with changes, as a document. */
export function document(changes: Changes = {}, type: keyof typeof bindings = 'invoice'): Node {
  const built: Built = build(bindings[type], { ...goodInvoice, ...changes });
  if (built.issues.length > 0) throw new Error(JSON.stringify(built.issues));
  return built.root;
}

/** The good invoice as a credit note. */
export function creditNoteDocument(changes: Changes = {}): Node {
  const { due_date: _, project_reference: __, ...others } = goodInvoice;
  const built = build(bindings['credit-note'], { ...others, type_code: '381', ...changes });
  if (built.issues.length > 0) throw new Error(JSON.stringify(built.issues));
  return built.root;
}

/** The good invoice with everything in one VAT category. */
export function documentOfCategory(code: string): Node {
  const category = vatCategories.find((each) => each.code === code)!;
  const isTaxed = category.breakdown === 'many';
  const rate = { zero: 0, positive: 25, 'not-negative': 25, none: undefined }[category.rate];
  const tax = { category: code, rate, scheme: 'VAT' };
  const exemption = category.exemptionReason === 'required' ? 'Not taxed' : undefined;
  const breakdown = { ...tax, taxable: '120.00', amount: isTaxed ? '30.00' : '0.00', exemption };
  const registered = code === 'O' ? { tax_registrations: undefined } : {};
  return document({
    tax_currency: undefined,
    tax_representative: undefined,
    seller: { ...(goodInvoice.seller as CimObject), ...registered },
    buyer: { ...(goodInvoice.buyer as CimObject), ...registered },
    allowances_charges: members('allowances_charges').map((each) => ({ ...each, tax: [tax] })),
    lines: members('lines').map((each) => ({ ...each, tax: [tax] })),
    tax_totals: [{ amount: breakdown.amount, breakdown: [breakdown] }],
    totals: isTaxed
      ? goodInvoice.totals
      : { ...(goodInvoice.totals as CimObject), gross: '120.00', due: '70.50' },
  });
}

/** The list at a member of the good invoice. */
export function members(name: string): readonly CimObject[] {
  return goodInvoice[name] as readonly CimObject[];
}
