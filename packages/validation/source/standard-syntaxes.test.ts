import { infer } from '@drawbridge/mapping/infer.ts';
import { mappingSchema } from '@drawbridge/mapping/mapping.ts';
import { standardOf, standardSettings } from '@drawbridge/mapping/standard/syntaxes.ts';
import * as bis from '@drawbridge/profiles/bis-3.0/example.ts';
import * as ae from '@drawbridge/profiles/pint-ae/example.ts';
import * as my from '@drawbridge/profiles/pint-my/example.ts';
import { profileById, type profileIds } from '@drawbridge/profiles/registry.ts';
import type { SourceDocument } from '@drawbridge/records/document.ts';
import { lookIntoXml, readXml } from '@drawbridge/records/xml.ts';
import { describe, expect, test } from 'vitest';
import { Validator } from '../validate.ts';
import { type CiiSample, ciiOf } from './cii.sample.ts';
import { decideVerdict } from './verdict.ts';

type ProfileId = (typeof profileIds)[number];

const now = new Date('2026-11-21T08:00:00Z');
const validator = new Validator();

/** The document of an XML file, its sections named as discovery proposes it, or as they are. */
function sourceOf(xml: string, isNamed = true): SourceDocument {
  const bytes = Buffer.from(xml);
  const look = lookIntoXml(bytes);
  const syntax = look.kind === 'tree' ? standardOf(look.root) : undefined;
  const settings = isNamed && syntax !== undefined ? standardSettings(syntax) : {};
  const read = readXml(bytes, { origin: 'a.xml', ...settings });
  if (read.kind === 'unreadable') throw new Error(read.error.message);
  return { ref: 'a.xml', sections: read.documents[0]! };
}

/** The mapping that is proposed from some documents, approved as it is. */
function mappingOf(id: ProfileId, sources: readonly SourceDocument[]) {
  const rows = sources.flatMap(({ sections }) =>
    Object.entries(sections).flatMap(([section, own]) => own.map((row) => ({ section, row }))),
  );
  const columns = rows.flatMap(({ section, row }) =>
    Object.keys(row.values).map((column) => ({ section, origin: row.origin, column, samples: [] })),
  );
  const mapping = infer(columns, profileById(id)!, { documents: sources });
  const fields = mapping.fields.map((field) => ({ ...field, status: 'approved' }));
  return mappingSchema.parse({ ...mapping, fields });
}

function judged(id: ProfileId, source: SourceDocument, known: readonly SourceDocument[] = []) {
  const mapping = mappingOf(id, [source, ...known]);
  const profile = profileById(id)!;
  return decideVerdict({ validator, profile, mapping, source, connectorId: 'con_1', now });
}

describe('UBL is read as it is', () => {
  test.each<[string, ProfileId, Parameters<Validator['validate']>[1]]>([
    ['BIS-3.0, an invoice', 'BIS-3.0', bis.invoice],
    ['BIS-3.0, a credit note', 'BIS-3.0', bis.creditNote],
    ['PINT-AE, an invoice', 'PINT-AE', ae.invoice],
    ['PINT-AE, a credit note', 'PINT-AE', ae.creditNote],
    ['PINT-MY, an invoice', 'PINT-MY', my.invoice],
  ])('%s', (_, id, cim) => {
    const profile = profileById(id)!;
    const { xml, errors } = validator.validate(profile, profile.complete(cim));
    expect(errors).toEqual([]);
    const verdict = judged(id, sourceOf(xml!));
    expect(verdict.kind === 'failed' ? verdict.errors : []).toEqual([]);
    expect(verdict.document).toBe(xml);
  });
});

test('UBL is known too where settings say nothing of it', () => {
  const profile = profileById('BIS-3.0')!;
  const { xml } = validator.validate(profile, profile.complete(bis.invoice));
  expect(judged('BIS-3.0', sourceOf(xml!, false)).kind).toBe('passed');
});

test('ZUGFeRD 1.0 becomes a valid invoice of Peppol', () => {
  const names: Readonly<Record<string, string>> = {
    'rsm:CrossIndustryInvoice': 'rsm:CrossIndustryDocument',
    'rsm:ExchangedDocumentContext': 'rsm:SpecifiedExchangedDocumentContext',
    'rsm:ExchangedDocument': 'rsm:HeaderExchangedDocument',
    'rsm:SupplyChainTradeTransaction': 'rsm:SpecifiedSupplyChainTradeTransaction',
    'ram:ApplicableHeaderTradeAgreement': 'ram:ApplicableSupplyChainTradeAgreement',
    'ram:ApplicableHeaderTradeDelivery': 'ram:ApplicableSupplyChainTradeDelivery',
    'ram:ApplicableHeaderTradeSettlement': 'ram:ApplicableSupplyChainTradeSettlement',
    'ram:SpecifiedLineTradeAgreement': 'ram:SpecifiedSupplyChainTradeAgreement',
    'ram:SpecifiedLineTradeDelivery': 'ram:SpecifiedSupplyChainTradeDelivery',
    'ram:SpecifiedLineTradeSettlement': 'ram:SpecifiedSupplyChainTradeSettlement',
    'ram:SpecifiedTradeSettlementLineMonetarySummation':
      'ram:SpecifiedTradeSettlementMonetarySummation',
    'ram:RateApplicablePercent': 'ram:ApplicablePercent',
  };
  const xml = ciiOf()
    .replace(/<(\/?)([\w:]+)/g, (_, end, name) => `<${end}${names[name] ?? name}`)
    .replace(
      'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
      'urn:ferd:CrossIndustryDocument:invoice:1p0',
    );
  const verdict = judged('BIS-3.0', sourceOf(xml));
  expect(verdict.kind === 'failed' ? verdict.errors : []).toEqual([]);
  expect(plain(verdict.cim)).toMatchObject({ number: 'RE-7', totals: { gross: '24.20' } });
});

describe('a Cross Industry Invoice', () => {
  const allowance = (amount: string, tax = '') =>
    `<ram:SpecifiedTradeAllowanceCharge><ram:ChargeIndicator><udt:Indicator>false</udt:Indicator></ram:ChargeIndicator><ram:ActualAmount>${amount}</ram:ActualAmount><ram:Reason>Loyalty</ram:Reason>${tax}</ram:SpecifiedTradeAllowanceCharge>`;
  const onDocument = allowance(
    '2.00',
    '<ram:CategoryTradeTax><ram:TypeCode>VAT</ram:TypeCode><ram:CategoryCode>S</ram:CategoryCode><ram:RateApplicablePercent>21</ram:RateApplicablePercent></ram:CategoryTradeTax>',
  );
  const lines = [
    { name: 'Pump', quantity: '2', price: '10.00', net: '19.00', allowance: allowance('1.00') },
    { name: 'Hose', quantity: '1', price: '5.00', net: '5.00' },
  ];

  test.each<[string, CiiSample, object]>([
    ['of one line', {}, { totals: { gross: '24.20' }, notes: ['Thank you'] }],
    [
      'with several lines and an allowance of one of them',
      { lines },
      { lines: [{ net: '19.00' }, { net: '5.00', name: 'Hose' }], totals: { gross: '29.04' } },
    ],
    ['with an allowance', { allowances: onDocument }, { totals: { gross: '21.78' } }],
    ['without what need not be there', { isBare: true }, { totals: { gross: '24.20' } }],
    [
      'that is exempt, with the reason',
      { category: 'E', rate: '0', exemption: 'Art. 44' },
      { totals: { gross: '20.00' } },
    ],
  ])('%s becomes a valid one of Peppol', (_, sample, cim) => {
    const rich = sourceOf(ciiOf());
    const source = sourceOf(ciiOf(sample));
    const verdict = judged('BIS-3.0', source, [
      rich,
      sourceOf(ciiOf({ lines, allowances: onDocument })),
    ]);
    expect(verdict.kind === 'failed' ? verdict.errors : []).toEqual([]);
    expect(plain(verdict.cim)).toMatchObject(cim);
    expect(verdict.document).toContain('RE-7');
    if (sample.exemption !== undefined) expect(verdict.document).toContain(sample.exemption);
  });

  test('says of a wrong value in which element it stands', () => {
    const source = sourceOf(
      ciiOf({ lines: [{ name: 'Pump', quantity: 'two', price: '1', net: '1' }] }),
    );
    const verdict = judged('BIS-3.0', source);
    expect(verdict.kind === 'failed' ? verdict.errors[0] : undefined).toMatchObject({
      source: { column: 'SpecifiedLineTradeDelivery.BilledQuantity' },
    });
  });
});

/** Numbers as texts, to be compared. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null), (_, each) =>
    typeof each === 'number' ? String(each) : each,
  );
}
