import { build } from '@drawbridge/binding/json/build.ts';
import type { CimObject } from '@drawbridge/cim/json.ts';
import type { Node } from '@drawbridge/cim/node.ts';
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
  parted,
  ruleSuite,
  set,
} from '@drawbridge/rules/rule-cases.suite.ts';
import { expect, test } from 'vitest';
import { bindings } from '../ubl.ts';
import written from './code-lists.json' with { type: 'json' };
import { pintMy, pintMySelfBilling } from './rules.ts';

const head: CimObject = {
  specification_id: 'urn:peppol:pint:billing-1@my-1',
  business_process: 'urn:peppol:bis:billing',
  number: 'PK-2026-0042',
  issue_date: '2026-05-04',
  type_code: '380',
  currency: 'MYR',
  seller: {
    endpoint: 'C2584563200',
    endpoint_scheme: '0230',
    identifiers: [{ id: 'C2584563200' }],
    address: { line1: 'Jalan Ampang 8', city: 'Kuala Lumpur', country: 'MY' },
    tax_registrations: [{ id: 'W10-1808-32000059', scheme: 'VAT' }],
    name: 'Pelita Kraf Sdn Bhd',
    registration_id: '201901000005',
  },
  buyer: {
    endpoint: 'C1234567890',
    endpoint_scheme: '0230',
    address: { line1: 'Lebuh Pantai 21', city: 'George Town', country: 'MY' },
    name: 'Bayan Hotel Sdn Bhd',
    registration_id: '200501012345',
  },
};

/** An invoice with a line, an allowance and a charge of the category. */
function invoiceOf(category: string, rate?: number): () => Node {
  const tourism = category === 'TTX';
  const tax = tourism ? '30.00' : rate === undefined ? '0.00' : `${rate}.00`;
  const gross = (100 + Number(tax)).toFixed(2);
  const scheme = tourism ? 'AAL' : 'VAT';
  const part = { category, rate, scheme };
  const allowances = tourism
    ? {}
    : {
        allowances_charges: [
          { is_charge: false, reason: 'Loyalty', amount: '10.00', tax: part },
          { is_charge: true, reason: 'Packing', amount: '10.00', tax: part },
        ],
      };
  const line: CimObject = {
    id: '1',
    qty: { value: '3', unitCode: 'H87' },
    net: '100.00',
    name: 'Room night',
    unit_price: '33.33',
    tax: part,
    ...(tourism ? { tax_totals: [{ amount: '30.00' }] } : {}),
  };
  return made({
    ...head,
    ...allowances,
    tax_totals: [{ amount: tax, breakdown: [{ taxable: '100.00', amount: tax, ...part }] }],
    totals: {
      lines: '100.00',
      net: '100.00',
      gross,
      due: gross,
      ...(tourism ? {} : { allowances: '10.00', charges: '10.00' }),
    },
    lines: [line],
  });
}

function made(json: CimObject): () => Node {
  return () => {
    const { root, issues } = build(bindings.invoice, json);
    if (issues.length > 0) throw new Error(issues.map(({ path }) => path).join(', '));
    return root;
  };
}

const good: Record<string, () => Node> = {
  'sales tax invoice': invoiceOf('SA', 10),
  'service tax invoice': invoiceOf('SE', 8),
  'high value goods invoice': invoiceOf('HVG', 5),
  'low value goods invoice': invoiceOf('LVG', 10),
  'tourism tax invoice': invoiceOf('TTX'),
  'exempt invoice': invoiceOf('E', 0),
  'invoice out of scope': invoiceOf('O'),
};

const taxed = (
  [
    ['sales tax invoice', 'sa'],
    ['service tax invoice', 'se'],
    ['high value goods invoice', 'hvg'],
    ['low value goods invoice', 'lvg'],
  ] as const
).flatMap(([of, code]) =>
  casesOf(of, [
    [`aligned-ibrp-${code}-08`, set('tax_totals.breakdown.taxable', '100.03')],
    [`aligned-ibrp-${code}-09`, set('tax_totals.breakdown.amount', '-12.00')],
    [`aligned-ibrp-${code}-10`, add('tax_totals.breakdown.exemption', 'Charity')],
  ]),
);

const lists = codeLists(written).billing;

ruleSuite('rules of Malaysia', {
  sets: [pintMy],
  lists,
  good,
  cases: [
    ...casesOf('sales tax invoice', [
      ['aligned-ibrp-001-my', set('specification_id', 'urn:peppol:pint:selfbilling-1@my-1')],
      ['aligned-ibrp-001-my', parted('specification_id', 'urn:peppol:pint:', 'billing-1@my-1')],
      ['aligned-ibrp-002', set('business_process', 'urn:peppol:bis:selfbilling')],
      ['ibr-02-my', drop('seller.registration_id')],
      ['ibr-03-my', drop('buyer.registration_id')],
      ['ibr-04-my', attribute('seller.identifiers.id', 'schemeID', '0230')],
      ['aligned-ibrp-046', drop('tax_totals.breakdown.amount')],
      ['aligned-ibrp-047', drop('tax_totals.breakdown.category')],
      ['aligned-ibrp-048', drop('tax_totals.breakdown.rate')],
      ['aligned-ibrp-cl-01-my', set('lines.tax.category', 'T')],
      ['ibr-cl-05-my', add('tax_currency', 'USD'), add('tax_currency', 'MYR')],
    ]),
    ...taxed,
    ...casesOf('tourism tax invoice', [
      ['aligned-ibrp-ttx-08', add('tax_totals.breakdown.rate', '10')],
      ['aligned-ibrp-ttx-09', set('lines.tax_totals.amount', '29.97')],
    ]),
    ...casesOf('exempt invoice', [
      ['aligned-ibrp-e-05', set('lines.tax.rate', '6')],
      ['aligned-ibrp-e-08', set('tax_totals.breakdown.taxable', '100.01')],
      ['aligned-ibrp-e-09', set('tax_totals.breakdown.amount', '0.01')],
    ]),
    ...casesOf('invoice out of scope', [
      ['aligned-ibrp-o-09', set('tax_totals.breakdown.amount', '0.01')],
    ]),
  ],
});

test.each(Object.entries(good))('the good %s satisfies the shared rules too', (_, document) => {
  const root = document();
  const breaches = runRules(compileRules(root.shape, [pint]), root, lists);
  expect(breaches.map(({ rule, node }) => `${rule.id} ${node.shape.element}`)).toEqual([]);
});

test('self-billing requires its own specification and process', () => {
  const root = good['sales tax invoice']!();
  const ids = (): string[] =>
    runRules(compileRules(root.shape, [pintMySelfBilling]), root, lists).map(({ rule }) => rule.id);
  expect(ids()).toEqual(['aligned-ibrp-001-my', 'aligned-ibrp-002']);
  all(
    set('specification_id', 'urn:peppol:pint:selfbilling-1@my-1'),
    set('business_process', 'urn:peppol:bis:selfbilling'),
  )(root);
  expect(ids()).toEqual([]);
});
