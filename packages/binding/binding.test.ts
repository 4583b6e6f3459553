import { first, type Node, nodes, value, values } from '@drawbridge/cim/node.ts';
import { terms } from '@drawbridge/cim/terms.ts';
import { creditNote } from '@drawbridge/ubl/credit-note.ts';
import { invoice } from '@drawbridge/ubl/invoice.ts';
import { describe, expect, test } from 'vitest';
import { compile } from './compile.ts';
import { build, issuesMax } from './json/build.ts';
import { view } from './json/view.ts';
import { cimPath, locate, locateMissing } from './locate.ts';
import { emit } from './xml/emit.ts';
import { parse } from './xml/parse.ts';

const bindings = [compile(invoice), compile(creditNote)] as const;
const [binding] = bindings;

const cim = {
  specification_id: 'urn:peppol:pint:billing-1@ae-1',
  number: 'INV-1',
  issue_date: '2026-11-20',
  type_code: '380',
  currency: 'AED',
  seller: { name: 'Seller & Sons <Ltd>', trn: '100000000000003', address: { country: 'AE' } },
  buyer: { name: 'ACME' },
  allowances: [{ amount: '1.00', reason: 'Loyalty' }],
  charges: [{ amount: '2.00', reason: 'Freight' }],
  lines: [
    {
      id: '1',
      sku: 'A-1',
      qty: 2,
      unit: 'H87',
      net: '20.00',
      name: 'Bolt',
      unit_price: '10.00',
      gross_price: '11.00',
      price_discount: '1.00',
      tax: { category: 'S', rate: 5 },
    },
  ],
  tax_breakdown: [{ taxable: '21.00', amount: '1.05', category: 'S', rate: 5 }],
  totals: { lines: '20.00', net: '21.00', tax: '1.05', gross: '22.05', due: '22.05' },
};

function written(json: Parameters<typeof build>[1] = cim): string {
  return emit(binding, build(binding, json).root);
}

function read(xml: string | Uint8Array): Node {
  const outcome = parse(bindings, xml);
  if (outcome.kind !== 'parsed') throw new Error(outcome.fault.message);
  return outcome.root;
}

describe('the table', () => {
  test('binds each term in one place of a document', () => {
    for (const { root } of bindings) {
      const seen = new Set<string>();
      const visit = (shape: typeof root): void => {
        for (const member of shape.members) {
          for (const term of [member.term, ...member.attributes.map((each) => each.term)]) {
            if (term === undefined) continue;
            expect(seen, term).not.toContain(term);
            seen.add(term);
          }
          visit(member);
        }
      };
      visit(root);
    }
  });

  test('every term is bound in the invoice or the credit note', () => {
    const bound = new Set(bindings.flatMap((each) => [...each.byTerm.keys()]));
    expect(Object.keys(terms).filter((term) => !bound.has(term as keyof typeof terms))).toEqual([]);
  });

  test('a member has a unique name in its JSON object, across wraps', () => {
    const names = (shape: (typeof binding)['root']): string[] =>
      shape.members.flatMap((each) => [
        ...(each.kind === 'wrap' ? names(each) : [each.name]),
        ...each.attributes.map((attribute) => attribute.name),
      ]);
    const visit = (shape: (typeof binding)['root']): void => {
      if (shape.kind !== 'wrap') expect(new Set(names(shape)).size).toBe(names(shape).length);
      for (const member of shape.members) visit(member);
    };
    for (const each of bindings) visit(each.root);
  });
});

describe('JSON → CIM → XML', () => {
  test('elements stand in the order of the table, values escaped', () => {
    const xml = written();
    expect(xml).toContain(
      '<cbc:RegistrationName>Seller &amp; Sons &lt;Ltd&gt;</cbc:RegistrationName>',
    );
    expect(xml.indexOf('<cbc:ID>INV-1')).toBeLessThan(xml.indexOf('<cbc:IssueDate>'));
    expect(xml).not.toMatch(/undefined|null|\[object/);
  });

  test.each([
    [
      'seller.trn',
      'IBT-031',
      '<cac:PartyTaxScheme><cbc:CompanyID>100000000000003</cbc:CompanyID><cac:TaxScheme><cbc:ID>VAT</cbc:ID></cac:TaxScheme></cac:PartyTaxScheme>',
    ],
    [
      'allowances',
      'IBG-20',
      '<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Loyalty',
    ],
    [
      'charges',
      'IBG-21',
      '<cac:AllowanceCharge><cbc:ChargeIndicator>true</cbc:ChargeIndicator><cbc:AllowanceChargeReason>Freight',
    ],
    [
      'lines[].gross_price',
      'IBT-148',
      '<cac:AllowanceCharge><cbc:ChargeIndicator>false</cbc:ChargeIndicator><cbc:Amount currencyID="AED">1.00</cbc:Amount><cbc:BaseAmount currencyID="AED">11.00</cbc:BaseAmount></cac:AllowanceCharge></cac:Price>',
    ],
    [
      'totals.tax',
      'IBT-110',
      '<cac:TaxTotal><cbc:TaxAmount currencyID="AED">1.05</cbc:TaxAmount><cac:TaxSubtotal>',
    ],
  ])('the view %s writes %s', (_path, _term, xml) => {
    expect(written()).toContain(xml);
  });

  test('fixed values and currencies are added, and never replace a value', () => {
    expect(written()).toContain(
      '<cac:ClassifiedTaxCategory><cbc:ID>S</cbc:ID><cbc:Percent>5</cbc:Percent><cac:TaxScheme><cbc:ID>VAT</cbc:ID>',
    );
    const [line] = cim.lines;
    const other = { ...cim, lines: [{ ...line, tax: { category: 'O', scheme: 'GST' } }] };
    expect(written(other)).toContain(
      '<cac:TaxScheme><cbc:ID>GST</cbc:ID></cac:TaxScheme></cac:ClassifiedTaxCategory>',
    );
    const foreign = {
      ...cim,
      totals: { ...cim.totals, due: { value: '6.00', currencyID: 'USD' } },
    };
    expect(written(foreign)).toContain('<cbc:PayableAmount currencyID="USD">6.00');
  });

  test('the tax total in accounting currency stands beside the one in the invoice currency', () => {
    const xml = written({
      ...cim,
      currency: 'USD',
      tax_currency: 'AED',
      totals: { ...cim.totals, tax_accounting: '3.86' },
    });
    expect(xml).toContain(
      '<cac:TaxTotal><cbc:TaxAmount currencyID="AED">3.86</cbc:TaxAmount></cac:TaxTotal>',
    );
    expect(xml).toContain('<cbc:TaxAmount currencyID="USD">1.05');
  });

  test.each([
    [{ seller: { nmae: 'x' } }, 'unknown-field', 'seller.nmae'],
    [{ lines: [{}, { tax: 'S' }] }, 'wrong-type', 'lines[2].tax'],
    [{ number: { deep: {} } }, 'wrong-type', 'number'],
    [{ number: 'a\u0000b' }, 'not-xml-text', 'number'],
    [{ number: '\ud800' }, 'not-xml-text', 'number'],
    [{ number: Number.NaN }, 'wrong-type', 'number'],
    [{ 'seller.name': 'x' }, 'unknown-field', 'seller.name'],
    [{ lines: [{ item: { name: 'x' } }] }, 'unknown-field', 'lines[1].item'],
    [{ number: { value: '1', 'a="1"><x': '2' } }, 'unknown-field', 'number.a="1"><x'],
    [{ number: { value: '1', 'xsi:nil': 'true' } }, 'unknown-field', 'number.xsi:nil'],
  ])('%j is the issue %s at %s', (json, code, path) => {
    const { issues } = build(binding, json);
    expect(issues[0]).toMatchObject({ code, path });
  });

  test.each([
    [1e-7, '0.0000001'],
    [-1.25e-9, '-0.00000000125'],
    [1.5e21, '1500000000000000000000'],
    [0.1, '0.1'],
    [-0, '0'],
  ])('the number %d is written without exponent: %s', (qty, text) => {
    const { root } = build(binding, { lines: [{ qty }] });
    expect(value(root, 'lines.qty')).toBe(text);
  });

  test('at most `issuesMax` issues are reported', () => {
    const json = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1]));
    expect(build(binding, json).issues).toHaveLength(issuesMax);
  });

  test('a group given by a view does not change the ones before it', () => {
    const { root } = build(binding, {
      allowances_charges: [{ amount: '1' }],
      allowances: [null, { amount: '2' }],
    });
    expect(nodes(root, 'allowances_charges').map((each) => value(each, 'is_charge'))).toEqual([
      undefined,
      'false',
    ]);
  });

  test('values without a place are issues, and the rest is built', () => {
    const { root } = build(binding, { ...cim, number: 'a\u0000b', nonsense: [1] });
    expect(() => read(emit(binding, root))).not.toThrow();
  });

  test('each value knows the JSON path it came from', () => {
    const { root, origins } = build(binding, cim);
    const trn = first(root, 'seller.tax_registrations.id')!;
    expect(origins.get(trn)).toBe('seller.trn');
    expect(origins.get(first(root, 'lines.qty')!)).toBe('lines[1].qty');
  });
});

describe('XML → CIM', () => {
  test('a written document is read back the same', () => {
    const root = read(written());
    // Once written, fixed values are data.
    const [line] = cim.lines;
    const [breakdown] = cim.tax_breakdown;
    expect(view(root)).toEqual({
      ...cim,
      lines: [{ ...line, tax: { ...line!.tax, scheme: 'VAT' } }],
      tax_breakdown: [{ ...breakdown, scheme: 'VAT' }],
    });
    expect(emit(binding, root)).toBe(written());
  });

  test('paths may name wraps or leave them out', () => {
    const root = read(written());
    expect(values(root, 'lines.name')).toEqual(['Bolt']);
    expect(nodes(root, 'lines.item')).toHaveLength(1);
    expect(value(root, 'lines.unit')).toBe('H87');
    expect(() => nodes(root, 'lines.nmae')).toThrow(/nmae/);
  });

  test('unbound elements are kept, and not written again', () => {
    const xml = written().replace(
      '<cbc:IssueDate>',
      '<cbc:CopyIndicator>true</cbc:CopyIndicator><cbc:IssueDate>',
    );
    const root = read(xml);
    expect(root.unbound).toMatchObject([{ element: 'cbc:CopyIndicator', text: 'true' }]);
    expect(emit(binding, root)).toBe(written());
  });

  test('an element inside a value is kept, and its text is part of the value', () => {
    const xml = written().replace(/<cbc:ID>(.*?)<\/cbc:ID>/, '<cbc:ID>A<x><y>1</y>2</x>3</cbc:ID>');
    const root = read(xml);
    expect(value(root, 'number')).toBe('A123');
    const number = first(root, 'number')!;
    expect(number.unbound).toMatchObject([{ text: '12', children: [{ text: '1' }] }]);
    expect(number.texts).toEqual(['A', '3']);
  });

  test('a comment divides a text into text nodes; an undivided text is one node', () => {
    const xml = written().replace('INV-1', 'IN<!-- -->V-<![CDATA[1]]>');
    const number = first(read(xml), 'number')!;
    expect(number.text).toBe('INV-1');
    expect(number.texts).toEqual(['IN', 'V-1']);
    expect(first(read(written()), 'number')!.texts).toBeUndefined();
  });

  test('an attribute may have the name of a member of Object.prototype', () => {
    const xml = written().replace('<cbc:ID>INV-1', '<cbc:ID __proto__="x" constructor="y">INV-1');
    expect(Object.entries(first(read(xml), 'number')!.attributes!)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
  });

  test('an amount in accounting currency is shown as it was given', () => {
    const totals = { ...cim.totals, tax_accounting: '3.86' };
    const root = read(written({ ...cim, currency: 'USD', tax_currency: 'AED', totals }));
    expect(view(root).totals).toEqual(totals);
  });

  test('the scheme of a second registration stays with it', () => {
    const entity = '<cac:PartyLegalEntity><cbc:CompanyID schemeID="0088">2</cbc:CompanyID>';
    const xml = written({ ...cim, seller: { name: 'A', registration_id: '1' } }).replace(
      '</cac:PartyLegalEntity>',
      `</cac:PartyLegalEntity>${entity}</cac:PartyLegalEntity>`,
    );
    expect(view(read(xml)).seller).toEqual({
      name: 'A',
      registration_id: ['1', { value: '2', schemeID: '0088' }],
    });
  });

  test.each(['NaN', 'Infinity', '1e21', '1E3', '+1', ' 1', '1.0', '9007199254740993', ''])(
    'a quantity of "%s" stays the text that it is',
    (text) => {
      const xml = written({ lines: [{ qty: text }] });
      expect(view(read(xml)).lines).toEqual([{ qty: text }]);
    },
  );

  test('an attribute in a namespace is read under its expanded name, and never written', () => {
    const xml = written().replace('<cbc:ID>INV-1', '<cbc:ID xmlns:n="urn:n" n:a="1">INV-1');
    const root = read(xml);
    expect(first(root, 'number')!.attributes).toEqual({ '{urn:n}a': '1' });
    expect(emit(binding, root)).toBe(written());
  });

  test('several occurrences are all kept, also where one is allowed', () => {
    const xml = written().replace(
      '<cbc:ID>INV-1</cbc:ID>',
      '<cbc:ID>INV-1</cbc:ID><cbc:ID>INV-2</cbc:ID>',
    );
    const root = read(xml);
    expect(values(root, 'number')).toEqual(['INV-1', 'INV-2']);
    expect(view(root).number).toEqual(['INV-1', 'INV-2']);
  });

  test('comments, processing instructions, CDATA and another prefix change nothing', () => {
    const xml = written()
      .replaceAll('cbc:', 'b:')
      .replace('xmlns:cbc=', 'xmlns:b=')
      .replace('<b:ID>INV-1</b:ID>', '<!-- x --><?y z?><b:ID><![CDATA[INV-1]]></b:ID>');
    expect(emit(binding, read(xml))).toBe(written());
  });

  const attack = '<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z SYSTEM "file:///etc/passwd">]>';
  test.each([
    ['a document type declaration', written().replace('<Invoice', `${attack}<Invoice`), 'doctype'],
    ['an undeclared entity', written().replace('INV-1', '&nbsp;'), 'not-well-formed'],
    ['a cut-off document', written().slice(0, -5), 'not-well-formed'],
    [
      'a duplicate attribute',
      written().replace('<cbc:ID>', '<cbc:ID a="1" a="2">'),
      'not-well-formed',
    ],
    ['another root', '<Order xmlns="urn:x"/>', 'unknown-document'],
    ['another namespace', written().replace('Invoice-2"', 'Invoice-9"'), 'unknown-document'],
    ['another version', written().replace('version="1.0"', 'version="1.1"'), 'not-well-formed'],
    ['another encoding', written().replace('UTF-8', 'ISO-8859-1'), 'not-utf8'],
    ['no XML', 'hello', 'not-well-formed'],
    ['nothing', '', 'not-well-formed'],
    [
      '200 levels',
      written().replace(
        '<cbc:IssueDate>',
        `${'<a>'.repeat(200)}${'</a>'.repeat(200)}<cbc:IssueDate>`,
      ),
      'too-deep',
    ],
  ])('%s is refused: %s', (_what, xml, code) => {
    const outcome = parse(bindings, xml);
    expect(outcome).toMatchObject({ kind: 'refused', fault: { code } });
  });

  test('bytes that are not UTF-8 are refused, a BOM is not', () => {
    expect(parse(bindings, Uint8Array.of(0x3c, 0xff, 0xfe))).toMatchObject({
      fault: { code: 'not-utf8' },
    });
    const bytes = new TextEncoder().encode(`\ufeff${written()}`);
    expect(parse(bindings, bytes).kind).toBe('parsed');
  });
});

describe('locations', () => {
  const root = read(
    written().replace(
      '</cac:InvoiceLine>',
      '</cac:InvoiceLine><cac:InvoiceLine><cbc:ID>2</cbc:ID></cac:InvoiceLine>',
    ),
  );
  const line = nodes(root, 'lines')[1]!;

  test('an element has an XPath with positions where siblings may repeat', () => {
    expect(locate(first(line, 'id')!)).toBe('/Invoice/cac:InvoiceLine[2]/cbc:ID');
    expect(locate(first(root, 'lines.qty')!, 'unitCode')).toBe(
      '/Invoice/cac:InvoiceLine[1]/cbc:InvoicedQuantity/@unitCode',
    );
    expect(locate(root)).toBe('/Invoice');
  });

  test('a missing one has the XPath where it would be', () => {
    expect(locateMissing(line, ['cac:Item', 'cbc:Name'])).toBe(
      '/Invoice/cac:InvoiceLine[2]/cac:Item/cbc:Name',
    );
  });

  test('and a path in the model', () => {
    expect(cimPath(first(line, 'id')!)).toBe('lines[2].id');
  });
});
