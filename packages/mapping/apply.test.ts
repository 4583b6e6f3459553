import type { CimValue } from '@drawbridge/cim/json.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apply } from './apply.ts';
import { type MappingField, mappingSchema } from './mapping.ts';
import { targets } from './targets.ts';

function row(values: Record<string, string | null>, key = '1', origin = 'OINV'): SourceRow {
  return { origin, key, values };
}

const document: SourceDocument = {
  ref: '17',
  sections: {
    header: [
      row(
        {
          DocNum: '17',
          DocDate: '2026-03-02 00:00:00',
          Cur: '',
          Rate: '1',
          Memo: ' ',
          VatNo: null,
        },
        '17',
      ),
    ],
    lines: [
      row({ Line: '0', Code: 'A', Qty: '2.000000', Price: '10.50', Tax: 'SR' }, '17-0', 'INV1'),
      row({ Line: '1', Code: 'B', Qty: '0.1', Price: '1,200.00', Tax: '??' }, '17-1', 'INV1'),
    ],
    taxes: [
      row({ Parent: '1', Amount: '7' }, '1', 'INV4'),
      row({ Parent: '0', Amount: '8' }, '2', 'INV4'),
      row({ Parent: '1', Amount: '9' }, '3', 'INV4'),
    ],
    customer: [row({ Name: 'Müller & Søn', Bad: 'a\u0000b' }, 'C1', 'OCRD')],
    notes: [],
  },
};

function field(
  target: string,
  from: string | undefined,
  transforms: MappingField['transforms'] = [],
): MappingField {
  const [section = '', column = ''] = from?.split('.') ?? [];
  return {
    target,
    ...(from === undefined ? {} : { from: { section, column } }),
    transforms,
    status: 'approved',
  };
}

function constant(target: string, value: string): MappingField {
  return { target, value, status: 'approved' };
}

function run(...fields: MappingField[]) {
  return apply(document, mappingSchema.parse({ fields }));
}

describe('a mapping', () => {
  it('makes the invoice with typed values and their provenance', () => {
    const { cim, provenance, issues } = run(
      field('number', 'header.DocNum'),
      field('issue_date', 'header.DocDate', [{ kind: 'date', format: 'ISO' }]),
      field('currency', 'header.Cur', [{ kind: 'default', value: 'AED' }]),
      field('buyer.name', 'customer.Name'),
      field('lines[].sku', 'lines.Code'),
      field('lines[].qty', 'lines.Qty'),
      field('lines[].unit_price', 'lines.Price', [{ kind: 'decimal', point: '.' }]),
      constant('lines[].tax.rate', '5'),
    );
    expect(issues).toEqual([]);
    expect(cim).toEqual({
      number: '17',
      issue_date: '2026-03-02',
      currency: 'AED',
      buyer: { name: 'Müller & Søn' },
      lines: [
        { sku: 'A', qty: 2, unit_price: '10.50', tax: { rate: 5 } },
        { sku: 'B', qty: 0.1, unit_price: '1200.00', tax: { rate: 5 } },
      ],
    });
    expect(provenance.get('lines[2].unit_price')).toEqual({
      kind: 'column',
      section: 'lines',
      origin: 'INV1',
      key: '17-1',
      column: 'Price',
      value: '1,200.00',
    });
    expect(provenance.get('lines[1].tax.rate')).toEqual({ kind: 'constant', value: '5' });
    expect(new Set(provenance.keys())).toEqual(new Set(leaves(cim)));
  });

  it('uses approved fields only, and names the others', () => {
    const fields = [
      constant('number', '1'),
      { ...constant('currency', 'AED'), status: 'proposed' as const },
    ];
    expect(apply(document, { fields })).toMatchObject({
      cim: { number: '1' },
      unapproved: ['currency'],
    });
  });

  it('gives no value where the source is empty', () => {
    expect(run(field('notes[]', 'header.Memo'), field('buyer.trn', 'header.VatNo')).cim).toEqual(
      {},
    );
  });

  it('makes no entry when all mapped columns are empty and only constants are left', () => {
    expect(
      run(field('notes[]', 'header.Memo'), field('notes[]', 'header.DocNum')).provenance.has(
        'notes[1]',
      ),
    ).toBe(true);
    const { cim, provenance } = run(
      field('buyer.identifiers[].id', 'header.VatNo'),
      constant('buyer.identifiers[].scheme', '0088'),
      constant('payment_means[].code', '30'),
    );
    expect(cim).toEqual({ payment_means: [{ code: '30' }] });
    expect([...provenance.keys()]).toEqual(['payment_means[1].code']);
  });

  it('skips a row in which every mapped column is empty', () => {
    const lines = [row({ Code: '' }), row({ Code: 'B' })];
    const fields = [field('lines[].sku', 'lines.Code'), constant('lines[].unit', 'H87')];
    const { cim, provenance } = apply({ ref: '1', sections: { lines } }, { fields });
    expect(cim.lines).toEqual([{ sku: 'B', unit: 'H87' }]);
    expect([...provenance.keys()]).toEqual(['lines[1].sku', 'lines[1].unit']);
  });

  it('joins the rows of an inner list to the row around it', () => {
    const where = { column: 'Parent', parent_column: 'Line' };
    const mapping = mappingSchema.parse({
      lists: { 'lines[].tax_totals[]': { section: 'taxes', where } },
      fields: [
        field('lines[].sku', 'lines.Code'),
        field('lines[].tax_totals[].amount', 'taxes.Amount'),
      ],
    });
    expect(apply(document, mapping).cim.lines).toEqual([
      { sku: 'A', tax_totals: [{ amount: '8.00' }] },
      { sku: 'B', tax_totals: [{ amount: '7.00' }, { amount: '9.00' }] },
    ]);
  });

  it('computes with columns of the same row and of others', () => {
    const { cim } = run(
      field('lines[].net', 'lines.Price', [
        { kind: 'decimal', point: '.' },
        { kind: 'multiply', by: { column: 'Qty' } },
        { kind: 'divide', by: { column: 'Rate', section: 'header' } },
        { kind: 'negate' },
        { kind: 'abs' },
        { kind: 'round', places: 1 },
      ]),
    );
    expect(cim.lines).toEqual([{ net: '21.00' }, { net: '120.00' }]);
  });
});

describe('what cannot be mapped is named by place and column', () => {
  it.each<[string, MappingField, object]>([
    [
      'a date',
      field('issue_date', 'customer.Name', [{ kind: 'date', format: 'DD/MM/YYYY' }]),
      { code: 'not-a-date', path: 'issue_date', source: 'OCRD.Name (C1)' },
    ],
    [
      'a date that needs a transform',
      field('issue_date', 'header.DocDate'),
      { code: 'not-a-date' },
    ],
    [
      'a number',
      field('lines[].unit_price', 'lines.Price'),
      { code: 'not-a-decimal', path: 'lines[2].unit_price', source: 'INV1.Price (17-1)' },
    ],
    [
      'a column that is not there',
      field('number', 'header.Number'),
      { code: 'column-missing', path: 'number', source: 'header.Number' },
    ],
    [
      'a section that is not there',
      field('number', 'head.Number'),
      { code: 'section-missing', source: 'head' },
    ],
    [
      'a section of which only one row may be',
      field('number', 'lines.Code'),
      { code: 'many-rows', source: 'lines' },
    ],
    ['lines without rows', field('lines[].sku', 'notes.Code'), { code: 'no-rows', path: 'lines' }],
    [
      'a code outside the map',
      field('lines[].tax.category', 'lines.Tax', [{ kind: 'map', values: { SR: 'S' } }]),
      { code: 'value-not-in-map', path: 'lines[2].tax.category' },
    ],
    [
      'a text XML cannot carry',
      field('buyer.name', 'customer.Bad'),
      { code: 'not-xml-text', path: 'buyer.name' },
    ],
    [
      'a division by zero',
      field('lines[].qty', 'lines.Qty', [{ kind: 'divide', by: { column: 'Line' } }]),
      { code: 'division-by-zero', path: 'lines[1].qty' },
    ],
    [
      'neither true nor false',
      field('allowances_charges[].is_charge', 'header.DocNum'),
      { code: 'not-true-or-false' },
    ],
  ])('%s', (_name, mapped, issue) => {
    const { issues } = run(mapped);
    expect(issues[0]).toMatchObject(issue);
    expect(issues).toHaveLength(1);
  });

  it.each([
    [10_000, []],
    [10_001, ['too-many-lines']],
  ])('%i lines give %j', (count, codes) => {
    const lines = Array.from({ length: count }, (_, index) =>
      row({ Code: `S${index}` }, `${index}`),
    );
    const { cim, issues } = apply(
      { ref: '1', sections: { lines } },
      {
        fields: [
          field('lines[].sku', 'lines.Code'),
          field('lines[].classifications[].code', 'lines.Code'),
        ],
      },
    );
    expect(issues.map((issue) => issue.code)).toEqual(codes);
    expect((cim.lines as unknown[] | undefined)?.length ?? 0).toBe(codes.length === 0 ? count : 0);
  });
});

describe('any source and any mapping', () => {
  const columns = ['a', 'b', '__proto__', 'constructor', ''];
  const sections = ['header', 'lines', 'toString', '__proto__'];
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '1',
      '-0.5',
      '1e9',
      '2026-01-01',
      '20260101',
      '1.234,50',
      '(3)',
      'T',
      '9'.repeat(70),
    ),
  );
  const sourceRow = fc.record({
    origin: text,
    key: text,
    values: fc.dictionary(fc.constantFrom(...columns), fc.option(text)),
  });
  const source = fc.record({
    ref: text,
    sections: fc.dictionary(fc.constantFrom(...sections), fc.array(sourceRow, { maxLength: 4 })),
  });
  const step = fc.constantFrom<NonNullable<MappingField['transforms']>>(
    { kind: 'trim' },
    { kind: 'upper' },
    { kind: 'default', value: '7' },
    { kind: 'map', values: { '1': 'S', constructor: 'x' } },
    { kind: 'map', values: {}, unmapped: 'keep' },
    { kind: 'date', format: 'ISO', offset: '+08:00' },
    { kind: 'date', format: 'YYYYMMDD' },
    { kind: 'date', format: 'EXCEL' },
    { kind: 'time', format: 'HHMMSS' },
    { kind: 'decimal', point: ',' },
    { kind: 'decimal', point: '.' },
    { kind: 'negate' },
    { kind: 'abs' },
    { kind: 'round', places: 2 },
    { kind: 'multiply', by: { column: 'b' } },
    { kind: 'divide', by: { column: 'a', section: 'header' } },
    { kind: 'divide', by: { value: '0' } },
    { kind: 'concat', columns: ['a', 'b'], separator: ' ' },
    { kind: 'substring', start: 2, length: 3 },
    { kind: 'split', separator: '-', part: 2 },
  );
  const fields = fc.uniqueArray(
    fc.record({
      target: fc.constantFrom(...targets.keys()),
      from: fc.record({
        section: fc.constantFrom(...sections),
        column: fc.constantFrom(...columns),
      }),
      transforms: fc.array(step, { maxLength: 3 }),
      status: fc.constantFrom('approved' as const, 'proposed' as const),
    }),
    { selector: (each) => each.target, maxLength: 12 },
  );

  it('gives provenance for every value, and never an exception', () => {
    fc.assert(
      fc.property(source, fields, (hostile, mapped) => {
        const { cim, provenance } = apply(hostile, { fields: mapped });
        expect(new Set(provenance.keys())).toEqual(new Set(leaves(cim)));
      }),
      { numRuns: 500 },
    );
  });
});

function leaves(value: CimValue | undefined, path = ''): string[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => leaves(item, `${path}[${index + 1}]`));
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) =>
    leaves(each, path === '' ? name : `${path}.${name}`),
  );
}

describe('a mapping document', () => {
  it.each([
    [
      'an unknown field',
      { target: 'seller.nmae', value: 'x', status: 'approved' },
      'Did you mean "seller.name"?',
    ],
    [
      'a group',
      { target: 'seller.address', value: 'x', status: 'approved' },
      'is a group of fields',
    ],
    ['neither column nor constant', { target: 'number', status: 'approved' }, 'either a column'],
    [
      'an unknown transform',
      { target: 'number', value: '1', status: 'approved', transforms: [{ kind: 'eval' }] },
      'Invalid',
    ],
  ])('is refused with %s', (_name, wrong, message) => {
    const parsed = mappingSchema.safeParse({ fields: [wrong] });
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toContain(message.replaceAll('"', '\\"'));
  });

  it('is refused when it repeats a path that is not a list', () => {
    const parsed = mappingSchema.safeParse({ lists: { 'seller[]': { section: 'a' } }, fields: [] });
    expect(parsed.error?.issues[0]?.message).toContain('not a list');
  });

  it('is refused when it maps a field twice', () => {
    const fields = [constant('number', '1'), constant('number', '2')];
    expect(mappingSchema.safeParse({ fields }).error?.issues[0]?.message).toContain('mapped twice');
  });

  it.each(['tax_breakdown[].taxable', 'lines[].gross_price', 'allowances[].amount', 'seller.tin'])(
    'may name %s, a view',
    (target) => {
      expect(mappingSchema.safeParse({ fields: [constant(target, '1')] }).success).toBe(true);
    },
  );
});

describe('a section joined to lines', () => {
  const joined: SourceDocument = {
    ref: '1',
    sections: {
      lines: [
        row({ item: 'A', qty: '1' }),
        row({ item: 'B', qty: '2' }),
        row({ item: null, qty: '3' }),
      ],
      item: [row({ code: 'B', name: 'Valve' }), row({ code: 'A', name: 'Pump', unit: 'u2' })],
      item_unit: [row({ id: 'u2', text: 'PCS' })],
    },
  };
  const joins = {
    item: { parent: 'lines', column: 'code', parent_column: 'item' },
    item_unit: { parent: 'item', column: 'id', parent_column: 'unit' },
  };
  const fields = [
    field('lines[].qty', 'lines.qty'),
    field('lines[].name', 'item.name'),
    field('lines[].unit', 'item_unit.text'),
  ];

  it('gives each line the row that it names, also over two steps', () => {
    const lists = { 'lines[]': { section: 'lines' } };
    const { cim, issues } = apply(joined, mappingSchema.parse({ lists, joins, fields }));
    expect(cim.lines).toEqual([
      { qty: 1, name: 'Pump', unit: 'PCS' },
      { qty: 2, name: 'Valve' },
      { qty: 3 },
    ]);
    expect(issues).toEqual([]);
  });

  it('is an issue when several rows are named, and a circle is not followed', () => {
    const twice = {
      ...joined.sections,
      item: [...joined.sections.item!, row({ code: 'A', name: 'x' })],
    };
    const lists = { 'lines[]': { section: 'lines' } };
    const many = apply(
      { ...joined, sections: twice },
      mappingSchema.parse({ lists, joins, fields }),
    );
    expect(many.issues).toMatchObject([{ code: 'many-rows' }]);
    const circle = { item: { ...joins.item, parent: 'item_unit' }, item_unit: joins.item_unit };
    expect(() =>
      apply(joined, mappingSchema.parse({ lists, joins: circle, fields })),
    ).not.toThrow();
  });
});

describe('what a document may leave out', () => {
  const absent = { kind: 'default', value: '' } as const;

  it('is no issue where a default of nothing says so, of a column and of a list', () => {
    const fields = [
      field('number', 'header.DocNum'),
      field('buyer_reference', 'header.None', [absent]),
      field('notes[]', 'remarks.Text', [absent]),
      field('due_date', 'header.None', [{ kind: 'date', format: 'YYYYMMDD' }, absent]),
    ];
    const { cim, issues } = apply(document, { fields });
    expect([cim, issues]).toEqual([{ number: '17' }, []]);
  });

  it('is an issue of a field that needs it, and of lines', () => {
    const fields = [field('lines[].qty', 'none.Qty', [absent]), field('currency', 'header.None')];
    const { issues } = apply(document, { fields });
    expect(issues.map(({ code }) => code)).toEqual(['column-missing', 'section-missing']);
  });

  it('rows of an array are found by the key of the row that they stand in', () => {
    const nested: SourceDocument = {
      ref: 'a',
      sections: {
        lines: [row({ Code: 'A' }, '1'), row({ Code: 'B' }, '2')],
        'lines.off': [row({ '#parent': '2', Amount: '5' }, '2.1')],
      },
    };
    const where = { column: '#parent', parent_column: '#key' };
    const list = 'lines[].allowances_charges[]';
    const amount: MappingField = {
      ...field(`${list}.amount`, undefined),
      from: { section: 'lines.off', column: 'Amount' },
    };
    const { cim } = apply(nested, {
      lists: { 'lines[]': { section: 'lines' }, [list]: { section: 'lines.off', where } },
      fields: [field('lines[].sku', 'lines.Code'), amount],
    });
    expect(JSON.parse(JSON.stringify(cim.lines))).toEqual([
      { sku: 'A' },
      { sku: 'B', allowances_charges: [{ amount: expect.anything() }] },
    ]);
  });
});
