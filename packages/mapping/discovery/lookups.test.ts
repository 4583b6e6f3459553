import { describe, expect, test } from 'vitest';
import { withLookups } from './lookups.ts';
import { rowsOf, sampleDatabase } from './sample-tables.kit.ts';

type Table = readonly [string, ...string[]];

const guid = (of: string, at: number) => `${of}${String(at).padStart(28, '0')}`;
const sections = {
  header: { table: 'invoices', key: 'id', match: 'number' },
  lines: { table: 'invoice_lines', key: 'id', match: 'invoice_id', matchFrom: 'id' },
  customer: { table: 'customers', key: 'id', match: 'id', matchFrom: 'customer_id' },
};

function lookupsOf(tables: Readonly<Record<string, Table>>, where: Record<string, string> = {}) {
  const found = sectionsWith(tables, where);
  return (table: string) => Object.entries(found).find(([, one]) => one.table === table)?.[0];
}

function sectionsWith(tables: Readonly<Record<string, Table>>, where: Record<string, string> = {}) {
  return withLookups(
    sampleDatabase({
      invoices: [
        'id, number, invoice_date, currency, customer_id',
        ...rowsOf(
          8,
          (at) =>
            `${at}, N-${at}, 2026-03-0${at}, ${guid('c0de', 1 + (at % 2))}, ${guid('cafe', at)}`,
        ),
      ],
      invoice_lines: [
        'id, invoice_id, quantity, unit_price, item_id, tax_table',
        ...rowsOf(
          8,
          (at) => `${at + 80}, ${at}, 2, ${at}.5, ${at + 40}, ${guid('face', 1 + (at % 2))}`,
        ),
      ],
      customers: ['id, company_name', ...rowsOf(8, (at) => `${guid('cafe', at)}, Firm ${at} Ltd`)],
      items: ['item_id, name', ...rowsOf(8, (at) => `${at + 40}, Pump ${at}`)],
      ...tables,
    }),
    { ...sections, lines: { ...sections.lines, where } },
  );
}

describe('a long key is that of the table that has it', () => {
  test.each([
    [
      'though neither column nor table is called so',
      'commodities',
      ['guid, mnemonic', ...rowsOf(2, (at) => `${guid('c0de', at)}, ${at === 1 ? 'EUR' : 'USD'}`)],
      'header_currency',
    ],
    [
      'of a row that goes on with the customer, under another name',
      'customers_cstm',
      ['id_c, vat_number_c', ...rowsOf(8, (at) => `${guid('cafe', at)}, GB10020030${at}`)],
      'customer_tax_number',
    ],
  ] as const)('%s', (_how, table, rows, section) => {
    expect(lookupsOf({ [table]: rows as unknown as Table })(table)).toBe(section);
  });
});

test.each([
  ['delivered to', 'customer_addresses', 'DEL'],
  ['offered something', 'quotations', 'Q'],
])('addresses that somebody is %s at are none of whom is invoiced', (_why, table, type) => {
  const rows = rowsOf(
    8,
    (at) => `${at + 90}, ${guid('cafe', at)}, ${type}, Road ${at}, Town ${at}, 1011${at}`,
  );
  const of = lookupsOf({ [table]: ['id, customer_id, type, street, city, zip', ...rows] });
  expect(of(table)).toBeUndefined();
});

test('a document of a customer, of which each has one, is no row of its number as a taxpayer', () => {
  const row = (at: number) => `${at}, ${guid('cafe', at)}, GB10020030${at}`;
  const found = lookupsOf({
    rin: ['doc, customer_id, vat_number, doc_total', ...rowsOf(8, (at) => `${row(at)}, 5.5`)],
  });
  expect(found('rin')).toBeUndefined();
  const numbers: Table = ['doc, customer_id, vat_number', ...rowsOf(8, row)];
  expect(lookupsOf({ numbers })('numbers')).toBe('customer_tax_number');
});

describe('rates of tax in rows of their own', () => {
  test('of an item', () => {
    const taxes: Table = [
      'item_id, name, percent',
      ...rowsOf(8, (at) => `${at + 40}, VAT, ${at % 2 ? 20 : 0}`),
    ];
    expect(lookupsOf({ items_taxes: taxes })('items_taxes')).toBe('item_tax');
  });

  test('of a table of taxes that has none', () => {
    const found = lookupsOf({
      tax_tables: ['guid, name', ...rowsOf(2, (at) => `${guid('face', at)}, Tax ${at}`)],
      tax_table_entries: [
        'id, tax_table, amount',
        ...rowsOf(2, (at) => `${at + 5}, ${guid('face', at)}, ${at === 1 ? 20 : 0}`),
      ],
    });
    expect(found('tax_tables')).toBe('lines_tax');
    expect(found('tax_table_entries')).toBe('lines_tax_rate');
  });
});

describe('where customers have their names among persons and firms', () => {
  const parties = (row: (at: number) => string): Table => [
    'party_id, party_name, first_name, last_name, street, city, postcode',
    ...rowsOf(8, (at) => `${at + 60}, ${row(at)}, Road ${at}, Town ${at}, 2045${at}`),
    ...rowsOf(
      8,
      (at) => `${at + 70}, Person ${at}, Anna, Berg ${at}, Road ${at}, Town ${at}, 2045${at}`,
    ),
  ];
  const accounts: Table = [
    'id, account_number, party_id',
    ...rowsOf(8, (at) => `${guid('cafe', at)}, A-${at}, ${at + 60}`),
  ];

  test.each([
    ['firms', (at: number) => `Firm ${at} Ltd, , `, 'customer_party'],
    ['persons', (at: number) => `Berg ${at}, Anna, Berg ${at}`, 'customer_contact'],
  ])('they are %s as the rows are that they point at', (_what, row, section) => {
    expect(lookupsOf({ customers: accounts, parties: parties(row) })('parties')).toBe(section);
  });

  test('a row that has the address goes on with the customer whose key it has', () => {
    const database = sampleDatabase({
      customers: ['id, company_name', ...rowsOf(8, (at) => `${at + 60}, Firm ${at} Ltd`)],
      people: parties((at) => `Berg ${at}, Anna, Berg ${at}`),
    });
    const columns = { columns: ['id'], toColumns: ['party_id'] };
    const declared = {
      table: 'customers',
      to: 'people',
      basis: 'declared',
      confidence: 1,
    } as const;
    const found = withLookups({ ...database, references: [{ ...declared, ...columns }] }, sections);
    expect(found.customer_party?.table).toBe('people');
  });
});

describe('addresses of a customer, each of a kind', () => {
  const addresses = (one: string, other: string): Table => [
    'id, customer_id, address_type, street, city',
    ...rowsOf(
      16,
      (at) =>
        `${at}, ${guid('cafe', 1 + ((at - 1) % 8))}, ${at > 8 ? one : other}, Quay ${at}, Town ${at}`,
    ),
  ];

  test.each([
    ['STREET', 'POBOX', 'POBOX'],
    ['POSTAL', 'BILLING', 'BILLING'],
  ])('%s and %s: invoices go to %s', (one, other, wanted) => {
    const { customer_address: found } = sectionsWith({ addresses: addresses(one, other) });
    expect(found).toMatchObject({ table: 'addresses', where: { address_type: wanted } });
  });

  test('documents of a customer are none of them, whatever kind they are of', () => {
    const credits: Table = [
      'id, customer_id, amount_type, credit_number, total',
      ...rowsOf(
        12,
        (at) =>
          `${at}, ${guid('cafe', at > 6 ? at - 6 : at)}, ${at > 6 ? 'NoTax' : 'Tax'}, CN-${at}, ${at}.5`,
      ),
    ];
    expect(lookupsOf({ credit_notes: credits })('credit_notes')).toBeUndefined();
  });
});

describe('documents that do not say their currency', () => {
  const settings: Table = ['id, heading, currency_code', '1, Invoice, EUR', '2, Invoice, USD'];
  const nameOf = (columns: string) => {
    const found = withLookups(
      sampleDatabase({
        invoices: [
          `id, number, invoice_date, preference_id, ${columns}`,
          ...rowsOf(8, (at) => `${at}, N-${at}, 2026-03-0${at}, ${1 + (at % 2)}, x`),
        ],
        invoice_lines: ['id, invoice_id, quantity', ...rowsOf(8, (at) => `${at + 80}, ${at}, 2`)],
        preferences: settings,
      }),
      { header: sections.header, lines: sections.lines },
    );
    return Object.entries(found).find(([, one]) => one.table === 'preferences')?.[0];
  };

  test('have that of a row that they point at', () => {
    expect(nameOf('remark')).toBe('header_currency');
  });

  test('do not, where they say it', () => {
    expect(nameOf('currency')).toBeUndefined();
  });
});

describe('what the row of a customer leads to', () => {
  const customersWith = (column: string, cell: (at: number) => string): Table => [
    `id, company_name, ${column}`,
    ...rowsOf(8, (at) => `${guid('cafe', at)}, Firm ${at} Ltd, ${cell(at)}`),
  ];

  test('is the country of an address, and no address', () => {
    const found = lookupsOf({
      customers: customersWith('address_country_id', (at) => guid('dada', 1 + (at % 3))),
      countries: [
        'id, code, name',
        ...rowsOf(3, (at) => `${guid('dada', at)}, C${at}, Land ${at}`),
      ],
    });
    expect(found('countries')).toBe('customer_country');
  });

  test('is the firm that it stands for, with its place and its number as a taxpayer', () => {
    const found = lookupsOf({
      customers: customersWith('entity_id', (at) => guid('dada', at)),
      entities: [
        'id, name, street_address, city, tin',
        ...rowsOf(
          8,
          (at) => `${guid('dada', at)}, Firm ${at} Ltd, Road ${at}, Town ${at}, C2088005${at}`,
        ),
      ],
    });
    expect(found('entities')).toBe('customer_party');
  });

  test('is the code of its currency, which stands in a table of codes', () => {
    const found = lookupsOf({
      customers: customersWith('currency_id', (at) => guid('dada', 1 + (at % 2))),
      currencies: [
        'id, name, currency_code_id',
        ...rowsOf(2, (at) => `${guid('dada', at)}, Money ${at}, ${guid('b0b0', at)}`),
      ],
      currency_codes: [
        'id, code',
        ...rowsOf(2, (at) => `${guid('b0b0', at)}, ${at === 1 ? 'EUR' : 'USD'}`),
      ],
    });
    expect(found('currencies')).toBe('customer_currency');
    expect(found('currency_codes')).toBe('customer_currency_code');
  });
});

test('a rate of tax hangs on the lines that are read, whatever other rows of their table point at', () => {
  const isGoods = (at: number) => at <= 8;
  const found = lookupsOf(
    {
      invoice_lines: [
        'id, invoice_id, row_type, quantity, unit_price, tax_split_id',
        ...rowsOf(16, (at) => {
          const part = isGoods(at) ? '' : guid('face', 1 + (at % 2));
          return `${guid('feed', at)}, ${((at - 1) % 8) + 1}, ${isGoods(at) ? 'goods' : 'tax'}, 2, 5.5, ${part}`;
        }),
      ],
      tax_splits: [
        'id, tax_id, percent',
        ...rowsOf(2, (at) => `${guid('face', at)}, ${guid('bead', at)}, 100`),
      ],
      line_taxes: [
        'line_id, tax_id',
        ...rowsOf(8, (at) => `${guid('feed', at)}, ${guid('bead', 1 + (at % 2))}`),
      ],
      taxes: ['id, name, rate', ...rowsOf(2, (at) => `${guid('bead', at)}, VAT, ${at * 5 - 5}`)],
    },
    { row_type: 'goods' },
  );
  expect(found('tax_splits')).toBeUndefined();
  expect([found('line_taxes'), found('taxes')]).toEqual(['lines_tax', 'lines_tax_rate']);
});

test('a branch that serves several customers is no address of theirs', () => {
  const customers = (branch: (at: number) => number): Table => [
    'id, company_name, location_id',
    ...rowsOf(8, (at) => `${guid('cafe', at)}, Firm ${at} Ltd, ${branch(at)}`),
  ];
  const locations: Table = [
    'location_id, street, city',
    ...rowsOf(8, (at) => `${at}, Quay ${at}, Town ${at}`),
  ];
  expect(lookupsOf({ customers: customers((at) => at), locations })('locations')).toBe(
    'customer_address',
  );
  expect(
    lookupsOf({ customers: customers((at) => 1 + (at % 2)), locations })('locations'),
  ).toBeUndefined();
});
