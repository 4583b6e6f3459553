import { build } from '@drawbridge/binding/json/build.ts';
import { first, nodes } from '@drawbridge/cim/node.ts';
import type { Term } from '@drawbridge/cim/terms.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import { describe, expect, test } from 'vitest';
import { placeOf } from './place.ts';

const { root, origins } = build(bindings.invoice, {
  currency: 'AED',
  seller: { name: 'A', trn: '1', endpoint: '2' },
  buyer: { endpoint: '3', endpoint_scheme: '0235' },
  documents: [{ id: '1' }, { id: '2' }],
  lines: [
    { id: '1', net: '1', tax: { category: 'S' } },
    {
      id: '2',
      net: '2',
      tax: [{ category: 'S' }, { category: 'Z' }],
      allowances: [{ amount: '1' }],
    },
  ],
});

describe('where the model is', () => {
  const cases: readonly [
    at: string,
    index: number,
    names: readonly Term[],
    field: string,
    path: string,
  ][] = [
    ['lines', 1, ['IBT-131'], '/cac:InvoiceLine[2]/cbc:LineExtensionAmount', 'lines[2].net'],
    ['lines.net', 1, ['IBT-131'], '/cac:InvoiceLine[2]/cbc:LineExtensionAmount', 'lines[2].net'],
    [
      'lines.tax',
      2,
      ['IBT-151'],
      '/cac:InvoiceLine[2]/cac:Item/cac:ClassifiedTaxCategory[2]/cbc:ID',
      'lines[2].tax[2].category',
    ],
    ['lines.item', 1, ['IBT-153'], '/cac:InvoiceLine[2]/cac:Item/cbc:Name', 'lines[2].name'],
    ['lines.tax', 2, ['IBT-131'], '/cac:InvoiceLine[2]/cbc:LineExtensionAmount', 'lines[2].net'],
    [
      'lines.allowances_charges',
      0,
      ['IBT-140'],
      '/cac:InvoiceLine[2]/cac:AllowanceCharge[1]/cbc:AllowanceChargeReasonCode',
      'lines[2].allowances[1].reason_code',
    ],
    [
      'buyer.endpoint',
      0,
      ['IBT-034', 'IBT-049'],
      '/cac:AccountingCustomerParty/cac:Party/cbc:EndpointID',
      'buyer.endpoint',
    ],
    [
      'buyer.endpoint',
      0,
      ['IBT-049-1'],
      '/cac:AccountingCustomerParty/cac:Party/cbc:EndpointID/@schemeID',
      'buyer.endpoint_scheme',
    ],
    [
      'seller',
      0,
      ['IBT-034-1'],
      '/cac:AccountingSupplierParty/cac:Party/cbc:EndpointID/@schemeID',
      'seller.endpoint_scheme',
    ],
    [
      'seller',
      0,
      ['IBT-030-1'],
      '/cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity[1]/cbc:CompanyID/@schemeID',
      'seller.registration_scheme',
    ],
    [
      'buyer',
      0,
      ['IBT-055'],
      '/cac:AccountingCustomerParty/cac:Party/cac:PostalAddress/cac:Country/cbc:IdentificationCode',
      'buyer.address.country',
    ],
    [
      'seller',
      0,
      ['X-seller-tax-id'],
      '/cac:AccountingSupplierParty/cac:Party/cac:PartyTaxScheme[1]/cbc:CompanyID',
      'seller.trn',
    ],
    ['', 0, ['IBT-110'], '/cac:TaxTotal/cbc:TaxAmount', 'totals.tax'],
    ['', 0, ['IBT-001'], '/cbc:ID', 'number'],
    ['documents', 1, ['IBT-001'], '/cbc:ID', 'number'],
    ['documents', 1, [], '/cac:AdditionalDocumentReference[2]', 'documents[2]'],
  ];

  test.each(cases)('%s %i: %j', (at, index, names, field, path) => {
    const node = at === '' ? root : nodes(root, at)[index]!;
    expect(placeOf(node, names, origins)).toEqual({ field: `/Invoice${field}`, path });
  });

  test('the document itself has no path, nor has a document that was not built from JSON', () => {
    expect(placeOf(root, [], origins)).toEqual({ field: '/Invoice' });
    expect(placeOf(first(root, 'lines')!, ['IBT-126'])).toEqual({
      field: '/Invoice/cac:InvoiceLine[1]/cbc:ID',
    });
  });
});
