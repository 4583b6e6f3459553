import { describe, expect, test } from 'vitest';
import { recordLimits } from './limits.ts';
import { readXml, type XmlOptions } from './xml.ts';

const read = (text: string | Uint8Array, options: Partial<XmlOptions> = {}) =>
  readXml(Buffer.from(text), { origin: 'a.xml', ...options });

function values(text: string, section = 'header', options: Partial<XmlOptions> = {}) {
  const outcome = read(text, options);
  if (outcome.kind !== 'documents') throw new Error(outcome.error.message);
  return outcome.documents[0]?.[section]?.map((row) => ({ key: row.key, ...row.values }));
}

const ubl = `<?xml version="1.0" encoding="UTF-8"?>
<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
    xmlns:cac="urn:c" xmlns:cbc="urn:b">
  <cbc:ID>INV-1</cbc:ID>
  <cac:AccountingSupplierParty><cac:Party>
    <cbc:EndpointID schemeID="0230">12345</cbc:EndpointID>
    <cac:PartyName><cbc:Name>Žižkov &amp; Co</cbc:Name></cac:PartyName>
  </cac:Party></cac:AccountingSupplierParty>
  <cac:TaxTotal><cbc:TaxAmount currencyID="MYR">1.20</cbc:TaxAmount>
    <cac:TaxSubtotal><cbc:TaxAmount currencyID="MYR">1.20</cbc:TaxAmount></cac:TaxSubtotal>
  </cac:TaxTotal>
  <cac:InvoiceLine><cbc:ID>1</cbc:ID>
    <cbc:InvoicedQuantity unitCode="C62">9007199254740993.5</cbc:InvoicedQuantity>
  </cac:InvoiceLine>
</Invoice>`;

describe('an XML file becomes sections', () => {
  test('a long attachment does not keep the rest from being read, and stays in the file', () => {
    const attached = (name: string) =>
      `<Invoice><ID>1</ID><${name}>${'A'.repeat(101)}</${name}></Invoice>`;
    const limits = { ...recordLimits, valueLengthMax: 100 };
    const outcome = read(attached('EmbeddedDocumentBinaryObject'), { limits });
    expect(outcome).toMatchObject({
      kind: 'documents',
      documents: [
        {
          header: [
            {
              values: {
                ID: '1',
                EmbeddedDocumentBinaryObject: '(101 characters, which are left out)',
              },
            },
          ],
        },
      ],
      xml: attached('EmbeddedDocumentBinaryObject'),
    });
    expect(read(attached('Note'), { limits })).toMatchObject({ error: { code: 'value_too_long' } });
  });

  test('an invoice of UBL as it is, with its lines as a section also where there is one', () => {
    expect(values(ubl)).toEqual([
      {
        key: '1',
        ID: 'INV-1',
        'AccountingSupplierParty.Party.EndpointID': '12345',
        'AccountingSupplierParty.Party.EndpointID@schemeID': '0230',
        'AccountingSupplierParty.Party.PartyName.Name': 'Žižkov & Co',
        'TaxTotal.TaxAmount': '1.20',
        'TaxTotal.TaxAmount@currencyID': 'MYR',
      },
    ]);
    expect(values(ubl, 'InvoiceLine')).toEqual([
      {
        key: '1',
        ID: '1',
        InvoicedQuantity: '9007199254740993.5',
        'InvoicedQuantity@unitCode': 'C62',
      },
    ]);
    expect(values(ubl, 'TaxTotal.TaxSubtotal')).toMatchObject([{ TaxAmount: '1.20' }]);
  });

  test('elements that repeat are a section, with their attributes and text', () => {
    const text = '<a id="7"><b k="1">x</b><b k="2"><c>y</c></b><d/><e>  </e></a>';
    expect(values(text)).toEqual([{ key: '1', '@id': '7', d: null, e: null }]);
    expect(values(text, 'b')).toEqual([
      { key: '1', '@k': '1', value: 'x' },
      { key: '2', '@k': '2', c: 'y' },
    ]);
  });

  test('a file of several documents is split by their element, and lists are named', () => {
    const text = '<all><inv><no>1</no><item><q>2</q></item></inv><inv><no>2</no></inv></all>';
    const outcome = read(text, { documentElement: 'inv', listElements: ['item'] });
    expect(outcome).toMatchObject({
      documents: [
        { header: [{ values: { no: '1' } }], item: [{ values: { q: '2' } }] },
        { header: [{ values: { no: '2' } }] },
      ],
    });
  });

  test.each([
    ['ISO-8859-1', 'latin1'],
    ['windows-1252', 'latin1'],
    ['UTF-8', 'utf8'],
  ] as const)('it is in the encoding that it declares: %s', (name, encoding) => {
    const bytes = Buffer.from(`<?xml version="1.0" encoding="${name}"?><a><b>é</b></a>`, encoding);
    expect(read(bytes)).toMatchObject({ documents: [{ header: [{ values: { b: 'é' } }] }] });
  });

  test('UTF-16 is told by its mark', () => {
    const bytes = Buffer.from(
      '\uFEFF<?xml version="1.0" encoding="UTF-16"?><a><b>é</b></a>',
      'utf16le',
    );
    expect(read(bytes)).toMatchObject({ documents: [{ header: [{ values: { b: 'é' } }] }] });
  });
});

describe('an XML file that cannot be read gives the fault', () => {
  test.each([
    ['no XML', 'number,total', 'not_xml'],
    ['nothing', '', 'not_xml'],
    ['cut off', '<a><b>', 'not_xml'],
    ['an entity of its own', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 'not_xml'],
    ['an outside entity', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 'not_xml'],
    ['an entity nobody declared', '<a>&x;</a>', 'not_xml'],
    ['too deep', '<a>'.repeat(65) + '</a>'.repeat(65), 'too_deep'],
    ['too many elements', `<a>${'<b/>'.repeat(500_001)}</a>`, 'too_many_elements'],
    [
      'too many columns',
      `<a>${Array.from({ length: 1_001 }, (_, at) => `<b${at}/>`).join('')}</a>`,
      'too_many_columns',
    ],
  ])('%s', (_name, text, code) => {
    expect(read(text)).toMatchObject({ kind: 'unreadable', error: { code } });
  });

  test('without the element that is a document there is none', () => {
    expect(read('<a/>', { documentElement: 'b' })).toMatchObject({
      error: { code: 'not_a_document' },
    });
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is only a name', (name) => {
    expect(values(`<a><${name}>x</${name}></a>`)).toEqual([{ key: '1', [name]: 'x' }]);
  });
});
