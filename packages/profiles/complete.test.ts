import { compile } from '@drawbridge/binding/compile.ts';
import { build } from '@drawbridge/binding/json/build.ts';
import { emit } from '@drawbridge/binding/xml/emit.ts';
import { type CimObject, type CimValue, groupOf, groupsOf } from '@drawbridge/cim/json.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete as completeBis } from './bis-3.0/complete.ts';
import * as bis from './bis-3.0/example.ts';
import { complete as completeAe } from './pint-ae/complete.ts';
import * as ae from './pint-ae/example.ts';
import { complete as completeMy } from './pint-my/complete.ts';
import * as my from './pint-my/example.ts';
import { profileById } from './registry.ts';

const binding = compile(invoice);

describe('PINT-AE', () => {
  it('derives identifiers, addresses, sums and dirham amounts', () => {
    expect(completeAe(ae.invoice)).toMatchObject({
      specification_id: 'urn:peppol:pint:billing-1@ae-1',
      business_process: 'urn:peppol:bis:billing',
      type_code: '380',
      transaction_type: '00000000',
      seller: { endpoint: '1002345678', endpoint_scheme: '0235' },
      totals: { lines: '6754.19', net: '6754.19', tax: '337.71', gross: '7091.90', due: '7091.90' },
      tax_breakdown: [{ category: 'S', rate: 5, taxable: '6754.19', amount: '337.71' }],
      lines: [
        {
          id: '1',
          net: '4500.00',
          base_qty: 1,
          gross_price: '1250',
          price_discount: '0',
          allowances: [{ amount: '500.00', base: '5000.00' }],
          accounting: { amount: '4725.00', tax_totals: [{ amount: '225.00' }] },
        },
        { id: '2', net: '2254.19', accounting: { amount: '2366.90' } },
      ],
    });
  });

  it('states a foreign invoice in dirhams too', () => {
    const completed = completeAe(ae.exportInvoice);
    expect(completed).toMatchObject({
      tax_currency: 'AED',
      exchange_rate: { source: 'USD', target: 'AED', rate: '3.6725' },
      buyer: { endpoint: '9900000099', endpoint_scheme: '0235' },
      totals: { gross: '1237.47', tax: '0.00', tax_accounting: '0.00' },
      documents: [{ type_code: 'aedtotal-incl-vat', description: 'AED 4544.61' }],
      lines: [{ accounting: { amount: '4544.61', tax_totals: [{ amount: '0.00' }] } }],
    });
    expect(emit(binding, build(binding, completed).root)).toContain(
      '<cac:ItemPriceExtension><cbc:Amount currencyID="AED">4544.61</cbc:Amount>',
    );
  });

  it('gives the same document the same identifier, another document another', () => {
    const uuid = (cim: CimObject) => completeAe(cim).uuid;
    expect(uuid(ae.invoice)).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(uuid(ae.invoice)).toBe(uuid({ ...ae.invoice, notes: ['again'] }));
    expect(uuid(ae.invoice)).not.toBe(uuid({ ...ae.invoice, number: 'AN-2026-00420' }));
    expect(uuid({ ...ae.invoice, uuid: 'ours' })).toBe('ours');
  });

  it('writes no rate for exempt lines, also when the ERP has one', () => {
    const line = { qty: 1, unit_price: '10', name: 'Rent', tax: { category: 'E', rate: 0 } };
    const completed = completeAe({ ...ae.invoice, lines: [line] });
    expect(groupsOf(completed.lines)[0]?.tax).toEqual({ category: 'E' });
    expect(groupsOf(completed.tax_breakdown)[0]).toEqual({
      taxable: '10.00',
      amount: '0.00',
      category: 'E',
    });
  });

  it('recognises a self-billed document by its type', () => {
    expect(completeAe({ ...ae.invoice, type_code: '389' })).toMatchObject({
      specification_id: 'urn:peppol:pint:selfbilling-1@ae-1',
      business_process: 'urn:peppol:bis:selfbilling',
    });
  });
});

describe('PINT-MY', () => {
  it.each([
    ['a lone trn is the TIN', { trn: 'C2584563222' }, { tin: 'C2584563222' }],
    ['a lone SST number stays', { trn: 'W10-1808-32000059' }, { trn: 'W10-1808-32000059' }],
    ['beside a TIN it is the SST number', { tin: 'C1', trn: 'NA' }, { tin: 'C1', trn: 'NA' }],
  ])('%s', (_name, seller, expected) => {
    expect(completeMy({ seller }).seller).toEqual(expected);
  });

  it("moves a buyer's trn without a tin to the identifiers", () => {
    expect(completeMy({ buyer: { trn: 'C25' } }).buyer).toEqual({ identifiers: [{ id: 'C25' }] });
  });

  it('sums tourism tax from the lines, without a rate and under its own scheme', () => {
    const line = {
      name: 'Room, two nights',
      qty: 2,
      unit_price: '100',
      tax: [{ category: 'SE', rate: 8 }, { category: 'TTX' }],
      tax_totals: [
        { amount: '20', breakdown: [{ category: 'TTX', amount: '20', per_unit: '10' }] },
      ],
    };
    const completed = completeMy({ currency: 'MYR', lines: [line] });
    expect(completed.tax_breakdown).toEqual([
      { taxable: '200.00', amount: '16.00', category: 'SE', rate: 8 },
      { taxable: '200.00', amount: '20.00', category: 'TTX', scheme: 'AAL' },
    ]);
    expect(completed.totals).toMatchObject({ tax: '36.00', gross: '236.00' });
  });

  it('keeps the line subtotal before allowances', () => {
    expect(groupsOf(completeMy(my.invoice).lines)[0]).toMatchObject({
      net: '15199.52',
      accounting: { amount: { value: '15999.50', currencyID: 'MYR' } },
    });
  });
});

describe('BIS 3.0', () => {
  it('divides the breakdown by category and takes document allowances into it', () => {
    expect(completeBis(bis.invoice)).toMatchObject({
      totals: {
        lines: '1459.50',
        allowances: '36.49',
        net: '1423.01',
        tax: '285.60',
        gross: '1708.61',
        due: '1708.61',
      },
      tax_breakdown: [
        { category: 'S', rate: 21, taxable: '1360.01', amount: '285.60' },
        { category: 'E', rate: 0, taxable: '63.00', amount: '0.00' },
      ],
    });
  });

  it('gives an allowance without a tax that of the lines, however they write their rate', () => {
    const lines = ['21', '21.00', 21].map((rate) => {
      return { name: 'Ale', qty: 1, unit_price: '10', tax: { category: 'S', rate } };
    });
    const completed = completeBis({ lines, allowances: [{ amount: '3.00' }] });
    expect(completed.allowances).toMatchObject([{ tax: { category: 'S', rate: '21' } }]);
    expect(completed.tax_breakdown).toMatchObject([{ taxable: '27.00', amount: '5.67' }]);
  });

  it.each([
    ['per category', undefined, ['3.00', '0.09']],
    ['per line, when that is how the source sums', '3.11', ['3.01', '0.10']],
    ['per category, when neither way gives the total', '9.99', ['3.00', '0.09']],
  ])('rounds the tax %s', (_name, tax, amounts) => {
    const line = (price: string, rate: number) => ({
      qty: 1,
      unit_price: price,
      tax: { category: 'S', rate },
    });
    const lines = [
      line('7.12', 21),
      line('7.12', 21),
      line('0.05', 21),
      line('0.75', 6),
      line('0.75', 6),
    ];
    const cim = completeBis({ lines, ...(tax === undefined ? {} : { totals: { tax } }) });
    expect(groupsOf(cim.tax_breakdown).map((entry) => entry.amount)).toEqual(amounts);
  });

  it('names the one exemption reason a category can have', () => {
    const line = { name: 'Freight', qty: 1, unit_price: '5', tax: { category: 'K' } };
    expect(completeBis({ lines: [line] }).tax_breakdown).toMatchObject([
      { category: 'K', rate: 0, exemption_code: 'VATEX-EU-IC' },
    ]);
  });
});

describe('an exchange rate that an ERP has beside every document', () => {
  it.each([
    ['PINT-AE', ae.invoice],
    ['PINT-MY', my.invoice],
    ['BIS-3.0', bis.invoice],
  ] as const)('is not written where %s needs none', (id, cim) => {
    const profile = profileById(id)!;
    for (const tax_currency of [undefined, cim.currency as string]) {
      const own = tax_currency === undefined ? cim : { ...cim, tax_currency };
      const completed = profile.complete({ ...own, exchange_rate: { rate: '1.000000' } });
      expect(completed).toEqual(profile.complete(own));
    }
    const named = { source: 'USD', target: String(cim.currency), rate: '2' };
    expect(profile.complete({ ...cim, exchange_rate: named }).exchange_rate).toEqual(named);
  });

  it('gives the tax in the accounting currency of BIS 3.0, which has no rate itself', () => {
    const profile = profileById('BIS-3.0')!;
    const foreign = { ...bis.invoice, currency: 'EUR', tax_currency: 'SEK' };
    const completed = profile.complete({ ...foreign, exchange_rate: { rate: '11.5' } });
    expect(completed.totals).toMatchObject({ tax: '285.60', tax_accounting: '3284.40' });
    expect(completed).not.toHaveProperty('exchange_rate');
  });
});

describe('any document of PINT-AE', () => {
  const line = fc.record({
    qty: fc.integer({ min: 1, max: 9_999 }),
    unit_price: fc.integer({ min: 0, max: 9_999_999 }).map((price) => (price / 1000).toFixed(3)),
    tax: fc.constantFrom({ category: 'S', rate: 5 }, { category: 'Z', rate: 0 }, { category: 'O' }),
  });

  it('has sums that agree with their terms to the cent', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), (lines) => {
        const cim = completeAe({ ...ae.invoice, lines });
        const totals = groupOf(cim.totals)!;
        const cents = (value: CimValue | undefined): bigint =>
          BigInt(String(value).replace('.', ''));
        const sumOf = (groups: readonly CimObject[], member: string): bigint =>
          groups.reduce((total, each) => total + cents(each[member]), 0n);
        const breakdown = groupsOf(cim.tax_breakdown);
        expect(sumOf(groupsOf(cim.lines), 'net')).toBe(cents(totals.lines));
        expect(sumOf(breakdown, 'taxable')).toBe(cents(totals.net));
        expect(sumOf(breakdown, 'amount')).toBe(cents(totals.tax));
        expect(cents(totals.net) + cents(totals.tax)).toBe(cents(totals.gross));
        expect(cents(totals.due)).toBe(cents(totals.gross));
      }),
      { numRuns: 200 },
    );
  });
});
