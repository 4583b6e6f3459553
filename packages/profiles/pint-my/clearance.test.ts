import { emit } from '@drawbridge/binding/xml/emit.ts';
import { parse } from '@drawbridge/binding/xml/parse.ts';
import { type CimObject, groupOf, withDefaults, without } from '@drawbridge/cim/json.ts';
import { walk } from '@drawbridge/cim/node.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearance, withIssueTime } from './clearance.ts';
import { complete } from './complete.ts';
import { creditNote, foreignInvoice, hotelInvoice, invoice } from './example.ts';
import { myinvoisBinding } from './myinvois-table.ts';

function written(cim: CimObject, type: 'invoice' | 'credit-note' = 'invoice'): string {
  const document = clearance.document(complete(cim), type);
  if (document.kind !== 'emitted') throw new Error(JSON.stringify(document.missing));
  return document.xml;
}

function missing(cim: CimObject): readonly string[] {
  const document = clearance.document(complete(cim), 'invoice');
  return document.kind === 'emitted' ? [] : document.missing.map(({ path }) => path);
}

function withSeller(changes: CimObject): CimObject {
  return { ...invoice, seller: { ...groupOf(invoice.seller), ...changes } };
}

describe("LHDN's document", () => {
  it.each([
    ['the number', '<cbc:ID>SJ-2026-1187</cbc:ID>'],
    [
      'the instant of issue in UTC',
      '<cbc:IssueDate>2026-11-20</cbc:IssueDate><cbc:IssueTime>06:05:00Z</cbc:IssueTime>',
    ],
    ['type and version', '<cbc:InvoiceTypeCode listVersionID="1.0">01</cbc:InvoiceTypeCode>'],
    ["the seller's TIN", '<cbc:ID schemeID="TIN">C2584563222</cbc:ID>'],
    ["the buyer's TIN", '<cbc:ID schemeID="TIN">C2584563200</cbc:ID>'],
    ['the registration', '<cbc:ID schemeID="BRN">202001234567</cbc:ID>'],
    ['the SST number', '<cbc:ID schemeID="SST">W10-1808-32000059</cbc:ID>'],
    ['NA where there is none', '<cbc:ID schemeID="TTX">NA</cbc:ID>'],
    [
      'MSIC with its name',
      'name="Wholesale of computer hardware, software and peripherals">46510</cbc:Ind',
    ],
    ['states by code', '<cbc:CountrySubentityCode>14</cbc:CountrySubentityCode>'],
    [
      'countries with three letters',
      '<cbc:IdentificationCode listID="ISO3166-1" listAgencyID="6">MYS<',
    ],
    ['telephone numbers as E.164', '<cbc:Telephone>+60320314455</cbc:Telephone>'],
    ['national numbers as Malaysian', '<cbc:Telephone>+60379551234</cbc:Telephone>'],
    ['payment modes', '<cbc:PaymentMeansCode>03</cbc:PaymentMeansCode>'],
    [
      'classifications',
      '<cbc:ItemClassificationCode listID="CLASS">022</cbc:ItemClassificationCode>',
    ],
    [
      'tax types with their scheme',
      '<cbc:ID>01</cbc:ID><cac:TaxScheme><cbc:ID schemeID="UN/ECE 5153" schemeAgencyID="6">OTH</cbc:ID>',
    ],
    ['rates on the subtotal', '<cbc:Percent>10</cbc:Percent><cac:TaxCategory>'],
    [
      'discounts as a fraction',
      '<cbc:MultiplierFactorNumeric>0.05</cbc:MultiplierFactorNumeric><cbc:Amount currencyID="MYR">799.98<',
    ],
    [
      'line subtotals',
      '<cac:ItemPriceExtension><cbc:Amount currencyID="MYR">15999.50</cbc:Amount>',
    ],
  ])('holds %s', (_name, xml) => {
    expect(written(invoice)).toContain(xml);
  });
});

describe("LHDN's document as a whole", () => {
  it("has neither Peppol's identifiers nor commercial references", () => {
    expect(written({ ...invoice, buyer_reference: 'PO 1', notes: ['Thank you'] })).not.toMatch(
      /CustomizationID|ProfileID|EndpointID|BuyerReference|Note>Thank/,
    );
  });

  it('is the same bytes for the same CIM', () => {
    expect(written(invoice)).toBe(written(invoice));
  });

  it('is read back without loss', () => {
    const xml = written(invoice);
    const read = parse([myinvoisBinding], xml);
    if (read.kind !== 'parsed') throw new Error(read.fault.message);
    expect(emit(myinvoisBinding, read.root)).toBe(xml);
    expect([...walk(read.root)].some((node) => node.unbound !== undefined)).toBe(false);
  });

  it('writes tourism tax by night beside the tax that has a rate', () => {
    const xml = written(hotelInvoice);
    expect(xml).toContain('<cbc:ID schemeID="TTX">123-4567-89012345</cbc:ID>');
    expect(xml).toMatch(
      /<cbc:TaxAmount currencyID="MYR">36\.00<.*<cbc:Percent>8<.*<cbc:BaseUnitMeasure unitCode="DAY">2</,
    );
  });

  it('names the exchange rate of a foreign currency', () => {
    expect(written(foreignInvoice)).toContain(
      '<cac:TaxExchangeRate><cbc:SourceCurrencyCode>USD</cbc:SourceCurrencyCode>' +
        '<cbc:TargetCurrencyCode>MYR</cbc:TargetCurrencyCode>' +
        '<cbc:CalculationRate>4.2150</cbc:CalculationRate></cac:TaxExchangeRate>',
    );
  });

  it('refers to the e-invoice that a credit note corrects', () => {
    expect(written(creditNote, 'credit-note')).toMatch(
      /listVersionID="1.0">02<.*<cbc:ID>SJ-2026-1187<\/cbc:ID><cbc:UUID>F9D425P6DS7D8IU0A1B2C3D4E5</,
    );
  });
});

describe("types and times of LHDN's document", () => {
  it.each([
    ['389', undefined, '11'],
    ['261', undefined, '12'],
    ['383', undefined, '03'],
    ['381', 'REFUND', '04'],
    ['480', undefined, '01'],
  ])('writes type %s (reason %s) as %s', (type, reason, expected) => {
    const cim = {
      ...creditNote,
      type_code: type,
      credit_reasons: reason ? [{ code: reason }] : null,
    };
    expect(written(cim)).toContain(`<cbc:InvoiceTypeCode listVersionID="1.0">${expected}<`);
  });

  it.each([
    ['16:30:00Z', '2026-11-20', '16:30:00Z'],
    ['07:59:59+08:00', '2026-11-19', '23:59:59Z'],
    ['07:59:59.123', '2026-11-19', '23:59:59Z'],
  ])('turns issue time %s into UTC', (time, date, utc) => {
    expect(written({ ...invoice, issue_time: time })).toContain(
      `<cbc:IssueDate>${date}</cbc:IssueDate><cbc:IssueTime>${utc}</cbc:IssueTime>`,
    );
  });

  it('fills what may be unknown of a buyer of the general public', () => {
    const buyer = { name: 'General Public', identifiers: [{ id: 'EI00000000010' }] };
    const xml = written({ ...invoice, buyer });
    expect(xml).toContain('<cbc:ID schemeID="BRN">NA</cbc:ID>');
    expect(xml).toContain('<cbc:CountrySubentityCode>17</cbc:CountrySubentityCode>');
    expect(xml).toContain('<cbc:Telephone>NA</cbc:Telephone>');
  });
});

describe('what LHDN needs and the invoice lacks', () => {
  it.each<[string, CimObject, readonly string[]]>([
    ['nothing', invoice, []],
    ['the time of issue', without(invoice, 'issue_time'), ['issue_time']],
    ['the MSIC code', withSeller({ industry_code: '465' }), ['seller.industry_code']],
    ['the registration number', withSeller({ registration_id: null }), ['seller.registration_id']],
    ['the TIN', withSeller({ tin: null }), ['seller.tin']],
    [
      'a telephone number that is one',
      withSeller({ contact: { phone: 'n/a' } }),
      ['seller.contact.phone'],
    ],
    [
      'a state of Malaysia',
      withSeller({ address: { line1: 'x', city: 'y', subdivision: 'Texas', country: 'MY' } }),
      ['seller.address.subdivision'],
    ],
    [
      'a country that exists',
      withSeller({ address: { line1: 'x', city: 'y', subdivision: '14', country: 'QQ' } }),
      ['seller.address.country'],
    ],
    ['a shorter name', withSeller({ name: 'x'.repeat(301) }), ['seller.name']],
    ['the exchange rate', { ...invoice, currency: 'USD' }, ['exchange_rate.rate']],
    ['the corrected invoice', { ...invoice, type_code: '381' }, ['preceding_invoices']],
    [
      'its identifier',
      { ...creditNote, preceding_invoices: [{ number: '1' }] },
      ['preceding_invoices[1].uin'],
    ],
    [
      'a classification, and why a line is exempt',
      { ...invoice, lines: [{ name: 'Rice', qty: 1, unit_price: '5', tax: { category: 'E' } }] },
      ['tax_breakdown[1].exemption', 'lines[1].tax.exemption', 'lines[1].classifications'],
    ],
  ])('names %s', (_name, cim, paths) => {
    expect(missing(cim)).toEqual(paths);
  });

  it('answers for any CIM, also one without values', () => {
    const member = fc.constantFrom(...Object.keys(invoice));
    fc.assert(
      fc.property(fc.array(member), fc.jsonValue({ maxDepth: 3 }), (members, junk) => {
        const cim = Object.fromEntries(members.map((name) => [name, junk])) as CimObject;
        for (const each of [
          cim,
          withDefaults(cim, invoice),
          complete(withDefaults(cim, invoice)),
        ]) {
          expect(['emitted', 'incomplete']).toContain(clearance.document(each, 'invoice').kind);
        }
      }),
    );
  });
});

describe('the granted identifier', () => {
  const granted = {
    uin: 'F9D425P6DS7D8IU0A1B2C3D4E5',
    validationUrl: 'https://myinvois.hasil.gov.my/F9D4/share/X',
    clearedAt: '2026-11-20T06:06:12.345Z',
  };

  it('is in the document that is sent to the buyer', () => {
    const other = { id: 'K2-77', type: 'K2' };
    const cim = clearance.embed({ ...invoice, documents: [other] }, granted);
    expect(cim.documents).toEqual([
      other,
      {
        id: granted.uin,
        type_code: '938',
        url: granted.validationUrl,
        validation_date: '2026-11-20',
        validation_time: '06:06:12Z',
      },
    ]);
    expect(clearance.embed(cim, granted)).toEqual(cim);
  });
});

describe('the issue time when the ERP has none', () => {
  it.each([
    ['the moment in Malaysia on the day itself', '2026-11-20', '23:30:00+08:00'],
    ['the end of an earlier day', '2026-11-19', '23:59:59+08:00'],
  ])('is %s', (_name, date, time) => {
    const at = new Date('2026-11-20T15:30:00Z');
    const cim = withIssueTime({ issue_date: date }, at);
    expect(cim.issue_time).toBe(time);
    expect(withIssueTime({ issue_date: date, issue_time: '01:02:03' }, at).issue_time).toBe(
      '01:02:03',
    );
  });
});
