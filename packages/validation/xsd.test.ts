import { printXsd } from '@drawbridge/binding/schema/profile-xsd.ts';
import { bindings } from '@drawbridge/profiles/ubl.ts';
import { describe, expect, test } from 'vitest';
import { SchemaStage, schemaFaultsMax } from './xsd.ts';

const stage = new SchemaStage('xsd.test/invoice', printXsd(bindings.invoice));
const urn = 'urn:oasis:names:specification:ubl:schema:xsd';
const head = `<Invoice xmlns="${urn}:Invoice-2" xmlns:cac="${urn}:CommonAggregateComponents-2" xmlns:cbc="${urn}:CommonBasicComponents-2">`;
const good = [
  head,
  '<cbc:ID>1</cbc:ID>',
  '<cbc:IssueDate>2026-11-20</cbc:IssueDate>',
  '<cac:AccountingSupplierParty/><cac:AccountingCustomerParty/>',
  '<cac:LegalMonetaryTotal><cbc:PayableAmount currencyID="AED">1</cbc:PayableAmount></cac:LegalMonetaryTotal>',
  '<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount currencyID="AED">1</cbc:LineExtensionAmount><cac:Item/></cac:InvoiceLine>',
  '</Invoice>',
].join('');

test('the mandatory elements of UBL are enough', () => {
  expect(stage.check(good)).toEqual([]);
});

test('any number of schemas can be made', () => {
  for (let made = 0; made < 20; made++) {
    const another = new SchemaStage(`xsd.test/${made}`, printXsd(bindings['credit-note']));
    expect(another.check(good)).not.toEqual([]);
  }
});

const line = /<cac:InvoiceLine>.*<\/cac:InvoiceLine>/;

describe('a fault is reported with its kind and its place', () => {
  const cases: readonly [
    what: string,
    change: (xml: string) => string,
    code: string,
    field: string,
    message: RegExp,
  ][] = [
    [
      'a missing element',
      (xml) => xml.replace(/<cbc:IssueDate>.*?<\/cbc:IssueDate>/, ''),
      'unexpected-element',
      '/Invoice/cac:AccountingSupplierParty',
      /AccountingSupplierParty may not stand here.*Expected here: .*IssueDate/,
    ],
    [
      'a missing last element',
      (xml) => xml.replace(line, ''),
      'missing-element',
      '/Invoice',
      /Invoice is incomplete\. Next: .*InvoiceLine/,
    ],
    [
      'an element in the second line that must stand elsewhere',
      (xml) => xml.replace(line, '$&$&').replace(/(.*)<cac:Item\/>/, '$1<cac:Item/><cbc:Note/>'),
      'unexpected-element',
      '/Invoice/cac:InvoiceLine[2]/cbc:Note',
      /Note may not stand here/,
    ],
    [
      'a mandatory attribute',
      (xml) => xml.replace('<cbc:PayableAmount currencyID="AED">', '<cbc:PayableAmount>'),
      'missing-attribute',
      '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount',
      /PayableAmount needs the attribute currencyID/,
    ],
    [
      'an attribute that does not exist',
      (xml) => xml.replace('<cbc:ID>1', '<cbc:ID colour="red">1'),
      'other',
      '/Invoice/cbc:ID',
      /colour/,
    ],
    [
      'an amount with grouping',
      (xml) => xml.replace('"AED">1<', '"AED">1,000.00<'),
      'value',
      '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount',
      /^"1,000\.00" is not a decimal number/,
    ],
    [
      'a value with quotes in it',
      (xml) => xml.replace('"AED">1<', "\"AED\">it's '1'<"),
      'value',
      '/Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount',
      /^"it's '1'" is not a decimal number/,
    ],
    [
      'a value over two lines',
      (xml) => xml.replace('2026-11-20', '20.\n11.'),
      'value',
      '/Invoice/cbc:IssueDate',
      /is not a date in the form YYYY-MM-DD/,
    ],
    [
      'no value',
      (xml) => xml.replace('2026-11-20', ''),
      'value',
      '/Invoice/cbc:IssueDate',
      /is not a date in the form YYYY-MM-DD/,
    ],
    [
      'text between elements',
      (xml) => xml.replace('<cac:Item/>', '<cac:Item/>x'),
      'other',
      '/Invoice/cac:InvoiceLine',
      /./,
    ],
    [
      'what libxml2 does not read',
      (xml) => xml.replace('<?xml version="1.0"?>', '').replace('<cbc:ID>1', '<cbc:ID>&nbsp;1'),
      'other',
      '/Invoice/cbc:ID',
      /nbsp/,
    ],
  ];

  test.each(cases)('%s', (_what, change, code, field, message) => {
    const faults = stage.check(change(good));
    expect(faults[0]).toMatchObject({ code, field, message: expect.stringMatching(message) });
  });

  test.each([' 2026-11-20', '2026-11-20 ', '\n2026-11-20\t', ' 2026-11-20+04:00 '])(
    'white space around a date is not part of it: %j',
    (date) => expect(stage.check(good.replace('2026-11-20', date))).toEqual([]),
  );

  test('every fault has its own line, in documents of any length', () => {
    const many = good
      .replace(line, Array.from({ length: 12_000 }, () => line.exec(good)![0]).join(''))
      .replace(/(.*)"AED">1</, '$1"AED">x<');
    expect(stage.check(many)).toMatchObject([
      { code: 'value', field: '/Invoice/cac:InvoiceLine[12000]/cbc:LineExtensionAmount' },
    ]);
  });

  test('the number of faults and their length are limited', () => {
    const bad = '<cac:InvoiceLine><cbc:ID>1</cbc:ID><cbc:LineExtensionAmount/></cac:InvoiceLine>';
    const faults = stage.check(good.replace(line, bad.repeat(schemaFaultsMax)));
    expect(faults).toHaveLength(schemaFaultsMax);
    const [long] = stage.check(good.replace('2026-11-20', 'x'.repeat(100_000)));
    expect(long!.message.length).toBeLessThan(300);
  });

  test('an attachment over the default limit of libxml2 is not a fault', () => {
    const attached = `<cac:AdditionalDocumentReference><cbc:ID>1</cbc:ID><cac:Attachment><cbc:EmbeddedDocumentBinaryObject mimeCode="application/pdf">${'AAAA'.repeat(2_600_000)}</cbc:EmbeddedDocumentBinaryObject></cac:Attachment></cac:AdditionalDocumentReference>`;
    const xml = good.replace('<cac:AccountingSupplierParty/>', `${attached}$&`);
    expect(stage.check(xml)).toEqual([]);
  });
});
