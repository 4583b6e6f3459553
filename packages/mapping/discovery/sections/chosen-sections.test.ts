import { describe, expect, test } from 'vitest';
import { rowsOf, sampleDatabase } from '../sample-tables.kit.ts';
import { proposeSections } from '../sections.ts';

type Table = readonly [string, ...string[]];
const sectionsOf = (tables: Readonly<Record<string, Table>>) =>
  proposeSections(sampleDatabase(tables)).sections;

const documents = 24;
const days = (at: number) => `2026-03-${String(at).padStart(2, '0')}`;
const firm = (at: number) => `Firm ${((at - 1) % 8) + 1} Ltd`;
const firms = (key: string, row = (at: number) => `C-30${at}`): Table => [
  `${key}, name, city, phone, vat_number`,
  ...rowsOf(8, (at) => `${row(at)}, ${firm(at)}, Town ${at}, +44 20 555 120${at}, GB10020030${at}`),
];
const lines = (row: (at: number) => string, columns = 'id, parent'): Table => [
  `${columns}, description, quantity, unit_price`,
  ...rowsOf(documents * 2, (at) => `${row(at)}, Pump, ${(at % 4) + 1}, ${at}.5`),
];
const documentOf = (at: number) => ((at - 1) % documents) + 1;

describe('of tables with the same columns', () => {
  // Each table counts its keys for itself.
  const keyOf = (letters: string, at: number) => letters.charCodeAt(0) * 1000 + at;
  const headers = (letters: string, party: (at: number) => string): Table => [
    'dockey, docno, docdate, code, companyname, tin, docamt',
    ...rowsOf(documents, (at) => {
      const [key, number] = [keyOf(letters, at), `${letters}-${at}`];
      return `${key}, ${number}, ${days(at)}, ${party(at)}, ${firm(at)}, GB1, 5.5`;
    }),
  ];
  const details = (letters: string) =>
    lines((at) => `${keyOf(letters, at)}, ${keyOf(letters, documentOf(at))}`, 'dtlkey, dockey');
  const customer = (at: number) => `C-30${((at - 1) % 8) + 1}`;

  test('the invoices of sales are told by their letters', () => {
    const { header, lines: chosen } = sectionsOf({
      PH_PI: headers('PI', () => 'S-1'),
      PH_PIDTL: details('PI'),
      SL_QT: headers('QT', customer),
      SL_QTDTL: details('QT'),
      SL_DO: headers('DO', customer),
      SL_DODTL: details('DO'),
      SL_IV: headers('IV', customer),
      SL_IVDTL: details('IV'),
      AR_CUSTOMER: firms('code'),
    });
    expect(header?.table).toBe('SL_IV');
    expect(chosen?.table).toBe('SL_IVDTL');
  });

  test('they are told by what their parties are, whatever they are called', () => {
    const { header, lines: chosen } = sectionsOf({
      doc1: headers('PI', (at) => `S-40${((at - 1) % 8) + 1}`),
      doc1_rows: details('PI'),
      doc2: headers('IV', customer),
      doc2_rows: details('IV'),
      vendors: firms('code', (at) => `S-40${at}`),
      customers: firms('code'),
    });
    expect([header?.table, chosen?.table]).toEqual(['doc2', 'doc2_rows']);
  });

  test('what is called after transactions of customers is no less an invoice than an order is', () => {
    const { header } = sectionsOf({
      order_headers: headers('SO', customer),
      order_lines: details('SO'),
      customer_trx: headers('N', customer),
      customer_trx_lines: lines((at) => `${at}, ${keyOf('N', documentOf(at))}`, 'id, dockey'),
      customers: firms('code'),
    });
    expect(header?.table).toBe('customer_trx');
  });
});

describe('a customer is found by a key of any name', () => {
  const invoices = (row: (at: number) => string): Readonly<Record<string, Table>> => ({
    invoices: [
      'id, number, invoice_date, acct, bill_name, vat_number, total',
      ...rowsOf(documents, (at) => `${at}, N-${at}, ${days(at)}, ${row(at)}, 5.5`),
    ],
    invoice_lines: lines((at) => `${at}, ${documentOf(at)}`, 'id, invoice_id'),
    debtor: firms('link', (at) => String(at + 40)),
  });

  test('where documents repeat the names that stand there', () => {
    const { customer } = sectionsOf(
      invoices((at) => `${((at - 1) % 8) + 41}, ${firm(at)}, GB10020030${((at - 1) % 8) + 1}`),
    );
    expect(customer).toMatchObject({ table: 'debtor', match: 'link', matchFrom: 'acct' });
  });

  test('and not where the names are others', () => {
    const { customer } = sectionsOf(invoices((at) => `${(at % 8) + 41}, Buyer ${at}, x`));
    expect(customer?.matchFrom).not.toBe('acct');
  });
});

describe('documents of customers and of suppliers in one table', () => {
  const guid = (of: string, at: number) => `${of}${String(at).padStart(28, '0')}`;
  const isBill = (at: number) => at > 16;
  const found = sectionsOf({
    invoices: [
      'guid, id, date_posted, owner_type, owner_guid, total',
      ...rowsOf(documents, (at) => {
        const owner = isBill(at) ? guid('beef', 1) : guid('cafe', ((at - 1) % 8) + 1);
        return `${guid('face', at)}, N-${at}, ${days(at)}, ${isBill(at) ? 4 : 2}, ${owner}, 5.5`;
      }),
    ],
    entries: lines((at) => {
      const document = documentOf(at);
      const [invoice, bill] = isBill(document)
        ? ['', guid('face', document)]
        : [guid('face', document), ''];
      return `${guid('dead', at)}, ${bill}, ${invoice}`;
    }, 'guid, bill, invoice'),
    customers: firms('guid', (at) => guid('cafe', at)),
    vendors: ['guid, name, city, phone', `${guid('beef', 1)}, Mill Ltd, Hull, +44 20 555 1300`],
  });

  test('those of customers are told by what their owners are', () => {
    expect(found.header).toMatchObject({ match: 'id', where: { owner_type: '2' } });
    expect(found.customer).toMatchObject({ table: 'customers', matchFrom: 'owner_guid' });
  });

  test.each([
    ['customers', { party_type: 'C' }],
    ['clients', { party_type: 'C' }],
  ])(
    'letters for the kind of owner are told by whose codes stand beside them: %s',
    (name, where) => {
      const { header, customer } = sectionsOf({
        documents: [
          'id, number, doc_date, party_type, party_code, total',
          ...rowsOf(documents, (at) => {
            const code = ((at - 1) % 8) + 1;
            const party = isBill(at) ? `V, S-40${code}` : `C, C-30${code}`;
            return `${at}, N-${at}, ${days(at)}, ${party}, 5.5`;
          }),
        ],
        document_lines: lines((at) => `${at}, ${documentOf(at)}`, 'id, document_id'),
        [name]: firms('code'),
        vendors: firms('code', (at) => `S-40${at}`),
      });
      expect(header?.where).toEqual(where);
      expect(customer).toMatchObject({ table: name, matchFrom: 'party_code' });
    },
  );

  test('their lines are found by the column that has lines of them', () => {
    expect(found.lines).toMatchObject({ match: 'invoice', matchFrom: 'guid' });
  });
});

describe('the number', () => {
  const typed = (number: (at: number) => string) =>
    sectionsOf({
      sales: [
        'sale_id, sale_time, customer_id, invoice_number, sale_type, sale_status, is_printed',
        ...rowsOf(documents, (at) => {
          const isInvoice = at % 3 === 0;
          const isOpen = at === 3 || at === 6;
          const own = isInvoice && !isOpen ? number(at) : '';
          const state = isOpen ? '1, 0' : '0, 1';
          return `${at + 70}, ${days(at)} 10:41:07, ${((at - 1) % 8) + 21}, ${own}, ${isInvoice ? 1 : 0}, ${state}`;
        }),
      ],
      sale_items: lines((at) => `${at}, ${documentOf(at) + 70}`, 'id, sale_id'),
      customers: firms('customer_id', (at) => String(at + 20)),
    }).header;

  test.each([
    ['with letters before it', (at: number) => `IV-${at}`],
    ['without letters', (at: number) => String(at + 900)],
  ])('%s tells which kind of document is an invoice', (_how, number) => {
    expect(typed(number)).toMatchObject({ match: 'invoice_number', where: { sale_type: '1' } });
  });

  test('tells which of several states is final, once', () => {
    expect(Object.keys(typed((at) => `IV-${at}`)?.where ?? {})).toHaveLength(2);
  });
});

describe('lines that are none', () => {
  const filtered = (columns: string, row: (at: number) => string) =>
    sectionsOf({
      invoices: [
        'id, number, invoice_date, customer_id, total',
        ...rowsOf(documents, (at) => `${at}, N-${at}, ${days(at)}, ${((at - 1) % 8) + 21}, 5.5`),
      ],
      invoice_lines: [
        `id, invoice_id, description, unit_price, ${columns}`,
        ...rowsOf(documents * 2, (at) => `${at}, ${documentOf(at)}, Pump, ${at}.5, ${row(at)}`),
      ],
      customers: firms('id', (at) => String(at + 20)),
    }).lines;

  test('are told by a mark that they were deleted', () => {
    const where = filtered('quantity, deleted', (at) => `${at}, ${at % 9 === 0 ? 1 : 0}`)?.where;
    expect(where).toEqual({ deleted: '0' });
  });

  test('are told by their type where quantities of several kinds stand beside each other', () => {
    const where = filtered('qty_invoiced, qty_credited, line_type', (at) =>
      at % 3 === 0 ? ', , TAX' : at % 3 === 1 ? '2, , LINE' : ', 2, LINE',
    )?.where;
    expect(where).toEqual({ line_type: 'LINE' });
  });
});

describe('the address that a document is billed to is the customer', () => {
  const invoices: Table = [
    'id, number, invoice_date, customer_id, total',
    ...rowsOf(documents, (at) => `${at}, N-${at}, ${days(at)}, ${((at - 1) % 8) + 1}, 5.5`),
  ];
  const customers: Table = [
    'id, first_name, last_name, email',
    ...rowsOf(8, (at) => `${at}, Ann, Berg ${at}, ann${at}@firm.example`),
  ];
  const columns = 'name, street, city, country, vat_number';
  const address = (at: number) => `${firm(at)}, Ring ${at}, Town ${at}, GB, GB10020030${at % 10}`;
  const found = (addresses: Readonly<Record<string, Table>>) =>
    sectionsOf({
      invoices,
      invoice_lines: lines((at) => `${at}, ${documentOf(at)}`, 'id, invoice_id'),
      customers,
      ...addresses,
    }).customer;

  test('as its kind says, where the customer says no place', () => {
    const rows = rowsOf(documents * 2, (at) => {
      const kind = at % 2 === 0 ? 'billing' : 'shipping';
      return `${at}, ${Math.ceil(at / 2)}, ${kind}, ${address(at)}`;
    });
    expect(
      found({ invoice_addresses: [`id, invoice_id, type, ${columns}`, ...rows] }),
    ).toMatchObject({
      table: 'invoice_addresses',
      match: 'invoice_id',
      where: { type: 'billing' },
    });
  });

  test('as its table says', () => {
    const rows = rowsOf(documents, (at) => `${at + 50}, ${at}, ${address(at)}`);
    expect(
      found({ invoice_billing_address: [`id, invoice_id, ${columns}`, ...rows] }),
    ).toMatchObject({ table: 'invoice_billing_address', match: 'invoice_id', matchFrom: 'id' });
  });
});

describe('lines that point by the key of another table', () => {
  const headers = (columns: string, row: (at: number) => string): Table => [
    `${columns}, document_date, customer_code, total`,
    ...rowsOf(documents, (at) => `${row(at)}, ${days(at)}, C-30${((at - 1) % 8) + 1}, 5.5`),
  ];

  test('are those of the order, though its number stands in the invoice', () => {
    const { lines: chosen } = sectionsOf({
      sales_journal: headers('id, invoice_id, sales_id', (at) => `${at}, INV-${at}, SO-${at}`),
      sales_table: headers('id, sales_id', (at) => `${at + 500}, SO-${at}`),
      sales_line: lines((at) => `${at}, SO-${documentOf(at)}`, 'id, sales_id'),
      invoice_trans: lines((at) => `${at}, INV-${documentOf(at)}`, 'id, invoice_id'),
      customers: firms('code'),
    });
    expect(chosen?.table).toBe('invoice_trans');
  });

  test('are those of the document, though its key stands in the ledger', () => {
    const { header } = sectionsOf({
      ar_invoice: headers(
        'doc_key, doc_no, source_key',
        (at) => `${at + 900}, N-${at}, ${at + 100}`,
      ),
      iv: headers('doc_key, doc_no', (at) => `${at + 100}, N-${at}`),
      iv_dtl: lines((at) => `${at + 2000}, ${documentOf(at) + 100}`, 'dtl_key, doc_key'),
      customers: firms('code'),
    });
    expect(header?.table).toBe('iv');
  });
});

test('a debtor that goes on with an account of the ledger is the customer', () => {
  const account = (at: number) => `300-C00${at}`;
  const { customer } = sectionsOf({
    invoices: [
      'id, number, invoice_date, debtor_code, total',
      ...rowsOf(documents, (at) => {
        return `${at}, N-${at}, ${days(at)}, ${account(((at - 1) % 8) + 1)}, 5.5`;
      }),
    ],
    invoice_lines: lines((at) => `${at}, ${documentOf(at)}`, 'id, invoice_id'),
    accounts: [
      'debtor_code, description, kind',
      ...rowsOf(8, (at) => `${account(at)}, ${firm(at)}, CA`),
      '500-0000, SALES, SL',
    ],
    debtors: [
      'id, debtor_code, company_name, city, phone',
      ...rowsOf(8, (at) => `${at}, ${account(at)}, ${firm(at)}, Town ${at}, +44 20 555 120${at}`),
    ],
  });
  expect(customer).toMatchObject({ table: 'debtors', match: 'debtor_code' });
});

describe('the customer of a document', () => {
  const address = (at: number) => `Road ${at}, Town ${at}, GB1002003${at}0`;
  const eighth = (at: number) => ((at - 1) % 8) + 1;
  const invoices = (columns: string, row: (at: number) => string): Table => [
    `id, number, invoice_date, total, ${columns}`,
    ...rowsOf(documents, (at) => `${at}, N-${at}, ${days(at)}, 5.5, ${row(at)}`),
  ];
  const invoiceLines = lines((at) => `${at}, ${documentOf(at)}`, 'id, invoice_id');

  test('is a firm in a book of addresses, and no country', () => {
    const { customer } = sectionsOf({
      invoices: invoices(
        'address_id, customer_name, customer_country',
        (at) => `${eighth(at)}, ${firm(at)}, ${eighth(at) > 4 ? 'DE' : 'GB'}`,
      ),
      invoice_lines: invoiceLines,
      addresses: [
        'id, name, street, city, vat_number',
        ...rowsOf(8, (at) => `${at}, ${firm(at)}, ${address(at)}`),
      ],
      countries: ['code, name', 'DE, Germany', 'GB, United Kingdom'],
    });
    expect(customer).toMatchObject({ table: 'addresses', match: 'id', matchFrom: 'address_id' });
  });

  test('is the one among parties of several kinds that has the key of the party', () => {
    const { customer } = sectionsOf({
      invoices: invoices('entity', (at) => `${600 + eighth(at)}`),
      invoice_lines: invoiceLines,
      entity: [
        'id, name, customer, employee',
        ...rowsOf(8, (at) => `${600 + at}, ${firm(at)}, ${600 + at}, `),
        '12, Ann Lee, , 12',
      ],
      customer: [
        'id, companyname, email, phone, vat_number',
        ...rowsOf(
          8,
          (at) => `${600 + at}, ${firm(at)}, m@firm${at}.example, +44 20 1, GB1002003${at}0`,
        ),
      ],
      employee: ['id, last_name', '12, Lee', '13, Kay'],
    });
    expect(customer).toMatchObject({ table: 'customer', match: 'id', matchFrom: 'entity' });
  });

  test('is found by the number of whom is invoiced, beside that of who ordered', () => {
    const number = (at: number) => `${10_000 + at}`;
    const { customer } = sectionsOf({
      invoices: invoices(
        'debnr, fakdebnr',
        (at) => `${number(eighth(at) === 1 ? 2 : eighth(at))}, ${number(eighth(at))}`,
      ),
      invoice_lines: invoiceLines,
      relations: [
        'guid, debnr, name, city, vat_number',
        ...rowsOf(8, (at) => `g-${at}, ${number(at)}, ${firm(at)}, Town ${at}, GB1002003${at}0`),
      ],
    });
    expect(customer).toMatchObject({ match: 'debnr', matchFrom: 'fakdebnr' });
  });
});

describe('the number of a document', () => {
  const customers = firms('id', (at) => String(at));
  const matchOf = (columns: string, row: (at: number) => string) =>
    sectionsOf({
      invoices: [
        `id, invoice_date, customer_id, total, ${columns}`,
        ...rowsOf(documents, (at) => `${at}, ${days(at)}, ${(at % 8) + 1}, 5.5, ${row(at)}`),
      ],
      invoice_lines: lines((at) => `${at}, ${documentOf(at)}`, 'id, invoice_id'),
      customers,
    }).header?.match;

  test('is that of which drafts have a common one', () => {
    expect(matchOf('number', (at) => String(at > 20 ? 1_000_000 : at + 500))).toBe('number');
  });

  test('is neither that of the packing slip nor that of the transaction', () => {
    const row = (at: number) => `P-${at}, TX-${at + 70}, ${at + 26_300_000}`;
    expect(matchOf('pakbon_nr, transactionnumber, faknr', row)).toBe('faknr');
  });
});
