import { groupsOf } from '@drawbridge/cim/json.ts';
import { profile } from '@drawbridge/profiles/pint-ae/profile.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { expect, it } from 'vitest';
import { apply } from './apply.ts';
import { approve, replace } from './approve.ts';
import { coverage } from './coverage.ts';
import { infer } from './infer.ts';
import { type MappingField, mappingSchema } from './mapping.ts';

const approver = { by: 'user_1', at: '2026-03-02T10:00:00Z' };

function row(origin: string, key: string, values: Record<string, string>): SourceRow {
  return { origin, key, values };
}

const document: SourceDocument = {
  ref: '10045',
  sections: {
    header: [
      row('OINV', '912', {
        DocNum: '10045',
        TaxDate: '2026-03-02T00:00:00',
        DocDueDate: '2026-04-01T00:00:00',
        DocCur: 'AED',
        CardName: 'Gulf Star Contracting LLC',
        LicTradNum: '100876543201003',
        VatSum: '62.500000',
        DocTotal: '1312.500000',
      }),
    ],
    lines: [
      row('INV1', '912-0', {
        LineNum: '0',
        ItemCode: 'PUMP-50',
        Dscription: 'Pump',
        Quantity: '4.000000',
        unitMsr: 'PCS',
        Price: '250.000000',
        LineTotal: '1000.000000',
        VatGroup: 'SR',
        VatPrcnt: '5.000000',
      }),
      row('INV1', '912-1', {
        LineNum: '1',
        ItemCode: 'SVC',
        Dscription: 'Fitting',
        Quantity: '2.500000',
        unitMsr: 'HR',
        Price: '100.000000',
        LineTotal: '250.000000',
        VatGroup: 'SR',
        VatPrcnt: '5.000000',
      }),
    ],
    address: [
      row('INV12', '912', { StreetB: 'Mussafah M-14', CityB: 'Abu Dhabi', CountryB: 'AE' }),
    ],
  },
};

const columns = Object.entries(document.sections).flatMap(([section, rows]) =>
  Object.keys(rows[0]!.values).map((column) => ({
    section,
    origin: rows[0]!.origin,
    column,
    samples: rows.map((each) => each.values[column] ?? ''),
  })),
);

const constants: readonly MappingField[] = Object.entries({
  'payment_means[].code': '10',
  'seller.name': 'Al Noor Trading LLC',
  'seller.trn': '100234567801003',
  'seller.registration_id': 'CN-1183764',
  'seller.registration_type': 'TL',
  'seller.address.line1': 'Office 1204, Bay Square 7',
  'seller.address.city': 'Dubai',
  'seller.address.subdivision': 'DXB',
  'seller.address.country': 'AE',
  'buyer.address.subdivision': 'AUH',
}).map(([target, value]) => ({ target, value, status: 'approved' }));

it('leads from an unknown schema to a complete invoice, with approvals of a person', () => {
  const proposed = infer(columns, profile);
  expect(apply(document, proposed)).toMatchObject({ cim: {}, issues: [] });
  expect(coverage(proposed, profile.fields, profile.filled).missing).toHaveLength(12);

  const sent = mappingSchema.parse({ fields: [...proposed.fields, ...constants] });
  const { mapping } = approve(
    replace(proposed, sent, { ...approver, actor: approver.by, isPerson: () => true }),
    { kind: 'confidence', minimum: 0.9 },
    approver,
  );
  expect(coverage(mapping, profile.fields, profile.filled)).toMatchObject({
    missing: [],
    counts: { proposed: 0, conditional: 0 },
  });

  const { cim, issues, unapproved, provenance } = apply(document, mapping);
  expect({ issues, unapproved }).toEqual({ issues: [], unapproved: [] });
  expect(provenance.get('lines[2].unit')).toMatchObject({
    column: 'unitMsr',
    key: '912-1',
    value: 'HR',
  });

  const completed = profile.complete(cim);
  expect(completed).toMatchObject({
    issue_date: '2026-03-02',
    totals: { net: '1250.00', tax: '62.50', gross: '1312.50', due: '1312.50' },
    tax_breakdown: [{ category: 'S', rate: 5, taxable: '1250.00', amount: '62.50' }],
  });
  expect(groupsOf(completed.lines).map((line) => line.unit)).toEqual(['H87', 'HUR']);
});
