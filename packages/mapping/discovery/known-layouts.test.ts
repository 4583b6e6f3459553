import { describe, expect, test } from 'vitest';
import { withLookups } from './lookups.ts';
import { rowsOf, sampleDatabase } from './sample-tables.kit.ts';
import { proposeSections } from './sections.ts';

type Tables = Parameters<typeof sampleDatabase>[0];

const lines = (parent: string, count = 12): readonly [string, ...string[]] => [
  `id, ${parent}, description, quantity, unit_price`,
  ...rowsOf(count, (at) => `${at + 500}, ${(at % 6) + 1}, Pump, ${at % 4}, ${at}.5`),
];

const firms: readonly [string, ...string[]] = [
  'id, name, street, city, country',
  ...rowsOf(6, (at) => `${at + 20}, Firm ${at}, Road ${at}, Berlin, DE`),
];

function sectionsOf(tables: Tables) {
  return proposeSections(sampleDatabase(tables)).sections;
}

function invoices(columns: string, row: (at: number) => string): Tables {
  return {
    invoices: [
      `id, number, invoice_date, total, customer_id, ${columns}`,
      ...rowsOf(6, (at) => `${at}, N-${at}, 2026-03-0${at}, 5.0, ${at + 20}, ${row(at)}`),
    ],
    invoice_lines: lines('invoice_id'),
    customers: firms,
  };
}

describe('invoices are told from other rows', () => {
  test.each([
    [
      'by a mark that they are posted',
      invoices('posted, x', (at) => (at < 5 ? 't, a' : 'f, a')),
      { posted: 't' },
    ],
    [
      'by the direction of the document',
      invoices('type, x', (at) => (at < 4 ? 'out, a' : 'in, a')),
      { type: 'out' },
    ],
    [
      'by a letter that they are not cancelled, beside one for what takes them back',
      invoices('CANCELED, x', (at) => (at < 4 ? 'N, a' : at < 6 ? 'Y, a' : 'C, a')),
      { CANCELED: 'N' },
    ],
    [
      'by states that begin alike',
      invoices('status, x', (at) => (at < 5 ? 'wc-completed, a' : 'wc-cancelled, a')),
      { status: 'wc-completed' },
    ],
    [
      'by a mark of invoices, among other entries',
      invoices('invoice, x', (at) => (at < 5 ? 't, a' : 'f, a')),
      { invoice: 't' },
    ],
    [
      'by a mark of what is reversed',
      invoices('reverse, x', (at) => (at < 5 ? 'f, a' : 't, a')),
      { reverse: 'f' },
    ],
    [
      'by a word that is plain, among templates of it',
      invoices('type, x', (at) => (at < 5 ? 'invoice, a' : 'invoice-recurring, a')),
      { type: 'invoice' },
    ],
    [
      'by a mark of drafts',
      invoices('is_draft, x', (at) => (at < 5 ? '0, a' : '1, a')),
      { is_draft: '0' },
    ],
    [
      'by what credit notes correct',
      invoices('credited_invoice_id, x', (at) => (at < 5 ? ', a' : `${at - 1}, a`)),
      { credited_invoice_id: null },
    ],
    [
      'by what those with negative totals point at',
      {
        ...invoices('x, y', () => 'a, b'),
        invoices: [
          'id, number, invoice_date, total, customer_id, rect_id',
          ...rowsOf(
            6,
            (at) =>
              `${at}, N-${at}, 2026-03-0${at}, ${at < 5 ? '5.0, ' : '-5.0, '}${at + 20}, ${at < 5 ? '' : at - 1}`,
          ),
        ],
      } satisfies Tables,
      { rect_id: null },
    ],
    [
      'by a state that nothing names, where the books know documents in that state only',
      {
        ...invoices('state, x', (at) => (at < 5 ? '3, a' : '1, a')),
        ledger: ['entry, invoice_id, debit', ...rowsOf(4, (at) => `${at + 900}, ${at}, 5.0`)],
      } satisfies Tables,
      { state: '3' },
    ],
  ])('%s', (_how, tables, where) => {
    expect(sectionsOf(tables).header?.where).toEqual(where);
  });

  test.each([
    ['a mark of printing', invoices('printed, x', (at) => (at < 5 ? 't, a' : 'f, a'))],
    [
      'a state in which documents were paid',
      {
        ...invoices('state, x', (at) => (at < 5 ? '3, a' : '1, a')),
        payments: ['entry, invoice_id, amount', ...rowsOf(4, (at) => `${at + 900}, ${at}, 5.0`)],
      } satisfies Tables,
    ],
    [
      'a number of something else',
      invoices('credit_check_id, x', (at) => (at < 5 ? ', a' : `${at + 90}, a`)),
    ],
    ['directions that are no words', invoices('type, x', (at) => (at < 4 ? 'b, a' : 'c, a'))],
  ])('not by %s', (_how, tables) => {
    expect(sectionsOf(tables).header?.where).toBeUndefined();
  });

  const numbered = (begins: (kind: number) => string): Tables => ({
    invoices: [
      'id, number, invoice_date, total, customer_id, type_id',
      ...rowsOf(
        6,
        (at) => `${at}, ${begins(at % 2)}${at + 70}, 2026-03-0${at}, 5.0, ${at + 20}, ${at % 2}`,
      ),
    ],
    invoice_lines: lines('invoice_id'),
    customers: firms,
  });

  test('by numbers that begin as those of offers do in all other kinds', () => {
    expect(sectionsOf(numbered((kind) => (kind === 0 ? 'Q' : ''))).header?.where).toEqual({
      type_id: '1',
    });
    expect(sectionsOf(numbered((kind) => (kind === 0 ? 'X' : ''))).header?.where).toBeUndefined();
  });

  test('and lines from rows of tax, which have no quantity', () => {
    const typed = (quantity: (at: number) => string): Tables => ({
      ...invoices('x, y', () => 'a, b'),
      invoice_lines: [
        'id, invoice_id, description, quantity, unit_price, item_type',
        ...rowsOf(
          12,
          (at) =>
            `${at + 500}, ${(at % 6) + 1}, Pump, ${quantity(at)}, 2.5, ${at % 3 === 0 ? 'TAX' : 'GOODS'}`,
        ),
      ],
    });
    expect(sectionsOf(typed((at) => (at % 3 === 0 ? '' : '2'))).lines?.where).toEqual({
      item_type: 'GOODS',
    });
    expect(sectionsOf(typed(() => '2')).lines?.where).toBeUndefined();
  });
});

describe('tables belong together', () => {
  test('where a line points at sales and purchases by the same column', () => {
    const sections = sectionsOf({
      ar: [
        'id, invnumber, transdate, netamount, customer_id',
        ...rowsOf(12, (at) => `${at}, RE-${at}, 2026-03-10, 5.0, ${(at % 6) + 21}`),
      ],
      invoice: [
        'id, trans_id, description, quantity, unit_price',
        ...rowsOf(18, (at) => `${at + 500}, ${at < 13 ? at : at + 900}, Pump, ${at % 4}, 2.5`),
      ],
      customer: firms,
    });
    expect(sections.header?.table).toBe('ar');
    expect(sections.lines).toMatchObject({ table: 'invoice', match: 'trans_id', matchFrom: 'id' });
  });

  test('where "id" of a line is that of its document, and not where it is the key of the line', () => {
    const by = (key: string, parent: string): Tables => ({
      ...invoices('x, y', () => 'a, b'),
      productrel: [
        `${key}, ${parent}, description, quantity, price`,
        ...rowsOf(12, (at) => `${at + 500}, ${(at % 6) + 1}, Pump, ${at % 4}, 2.5`),
      ],
    });
    const { invoice_lines: _, ...apart } = by('lineitem_id', 'id');
    expect(sectionsOf(apart).lines).toMatchObject({ table: 'productrel', match: 'id' });
    const { invoice_lines: __, ...other } = by('id', 'lineitem_id');
    expect(sectionsOf(other).lines).toBeUndefined();
  });

  const addressed = (address: string, customer: string): Tables => ({
    orders: [
      'id, order_number, order_date, total, customer_id, billing_address_id',
      ...rowsOf(6, (at) => `${at}, ${at}, 2026-03-0${at}, 5.0, ${at + 20}, ${at + 40}`),
    ],
    order_items: lines('order_id'),
    customers: [
      customer,
      ...rowsOf(6, (at) => `${at + 20}, Anna ${at}, a${at}@b.example, Road ${at}, Berlin`),
    ],
    addresses: [
      `id, ${address}, street, city, country, email`,
      ...rowsOf(6, (at) => `${at + 40}, Firm ${at}, Road ${at}, Berlin, DE, a@b.example`),
    ],
  });

  test.each([
    [
      'the address of the invoice, where the customer has none',
      'company',
      'id, name, email, x, y',
      'addresses',
    ],
    ['the customer, where the address has no name', 'remark', 'id, name, email, x, y', 'customers'],
    [
      'the customer, where it has an address',
      'company',
      'id, name, email, street, city',
      'customers',
    ],
  ])('with %s', (_who, address, customer, table) => {
    expect(sectionsOf(addressed(address, customer)).customer?.table).toBe(table);
  });

  test('with the firm that extends a party without a name', () => {
    const parties = (name: string): Tables => ({
      invoices: [
        'id, number, invoice_date, total, party_id',
        ...rowsOf(6, (at) => `${at}, N-${at}, 2026-03-0${at}, 5.0, P${at}`),
      ],
      invoice_lines: lines('invoice_id'),
      party: ['party_id, status', ...rowsOf(6, (at) => `P${at}, on`)],
      party_group: [`party_id, ${name}`, ...rowsOf(6, (at) => `P${at}, Firm ${at}`)],
    });
    expect(sectionsOf(parties('group_name')).customer?.table).toBe('party_group');
    expect(sectionsOf(parties('size')).customer?.table).toBe('party');
  });

  test('with clients that are called users, and not with those who enter documents', () => {
    const by = (clients: string): Tables => ({
      invoices: [
        'id, number, date, total, userid',
        ...rowsOf(6, (at) => `${at}, N-${at}, 2026-03-0${at}, 5.0, ${at + 20}`),
      ],
      invoice_items: lines('invoiceid'),
      [clients]: firms,
    });
    expect(sectionsOf(by('clients')).customer).toMatchObject({
      table: 'clients',
      matchFrom: 'userid',
    });
    expect(sectionsOf(by('users')).customer).toBeUndefined();
  });
});

test('orders are told from refunds in a table that is named for them', () => {
  const orders = (plain: string): Tables => ({
    orders: [
      'id, number, order_date, total, customer_id, type',
      ...rowsOf(
        6,
        (at) =>
          `${at}, N-${at}, 2026-03-0${at}, 5.0, ${at + 20}, ${at < 5 ? plain : `${plain}_refund`}`,
      ),
    ],
    order_items: lines('order_id'),
    customers: firms,
  });
  expect(sectionsOf(orders('shop_order')).header?.where).toEqual({ type: 'shop_order' });
  expect(sectionsOf(orders('kind')).header?.where).toBeUndefined();
});

test('lines are found where a column beside says whose they are', () => {
  const tables = (kind: (at: number) => string): Tables => ({
    ...invoices('x', () => 'a'),
    invoice_lines: ['id', '1'],
    quotes: [
      'id, quote_date, total, customer_id',
      ...rowsOf(6, (at) => `${at}, 2026-03-0${at}, 5.0, ${at + 20}`),
    ],
    positions: [
      'id, rel_id, rel_type, description, quantity, unit_price',
      ...rowsOf(24, (at) => `${at + 500}, ${(at % 6) + 1}, ${kind(at)}, Pump, ${at % 4}, ${at}.5`),
    ],
  });
  const named = sectionsOf(tables((at) => (at % 2 === 0 ? 'invoice' : 'quote')));
  expect(named.lines).toMatchObject({ match: 'rel_id', where: { rel_type: 'invoice' } });
  expect(sectionsOf(tables(() => 'other')).lines).toBeUndefined();
});

test('lines are those of the table that is written as the kind is, though bills are invoices too', () => {
  const bills = (name: string): Tables => ({
    [name]: [
      'id, bill_date, total, customer_id',
      ...rowsOf(6, (at) => `${at}, 2026-03-0${at}, 5.0, ${at + 20}`),
    ],
  });
  const found = sectionsOf({
    ...bills('bills'),
    ...bills('sales_invoices'),
    item_entries: [
      'id, reference_id, reference_type, description, quantity, unit_price, tax_rate',
      ...rowsOf(
        24,
        (at) =>
          `${at + 500}, ${(at % 6) + 1}, ${at % 2 === 0 ? 'SaleInvoice' : 'Bill'}, Pump, ${at % 4}, ${at}.5, 5`,
      ),
    ],
    stock_transactions: [
      'id, transaction_id, transaction_type, item_id, quantity, rate',
      ...rowsOf(24, (at) => `${at + 700}, ${(at % 6) + 1}, SaleInvoice, ${at}, ${at % 4}, ${at}.5`),
    ],
  });
  expect(found.header).toMatchObject({ table: 'sales_invoices' });
  expect(found.lines).toMatchObject({
    table: 'item_entries',
    match: 'reference_id',
    where: { reference_type: 'SaleInvoice' },
  });
});

test('an invoice of an order is no order, though that says who buys', () => {
  const tables = (number: string): Tables => ({
    orders: [
      'id, reference, order_date, total, customer_id',
      ...rowsOf(6, (at) => `${at}, XK${at}, 2026-03-0${at}, 5.0, ${at + 20}`),
    ],
    order_invoices: [
      `id, order_id, ${number}, invoice_date, total, tax_amount`,
      ...rowsOf(6, (at) => `${at + 200}, ${at}, ${at + 7}, 2026-03-0${at}, 5.0, 1.0`),
    ],
    order_lines: [
      'id, order_id, order_invoice_id, description, quantity, unit_price',
      ...rowsOf(
        12,
        (at) => `${at + 500}, ${(at % 6) + 1}, ${(at % 6) + 201}, Pump, ${at % 4}, ${at}.5`,
      ),
    ],
    customers: firms,
  });
  const database = sampleDatabase(tables('number'));
  const sections = withLookups(database, proposeSections(database).sections);
  expect(sections.header?.table).toBe('order_invoices');
  expect(sections.lines?.match).toBe('order_invoice_id');
  expect(sections.header_order).toMatchObject({ table: 'orders', matchFrom: 'order_id' });
  expect(sections.customer).toMatchObject({ table: 'customers', of: 'header_order' });
  expect(sectionsOf(tables('sequence')).header?.table).toBe('orders');
});

test('the number is the one that is printed', () => {
  const tables = (printed: (at: number) => string): Tables => ({
    invoices: [
      'id, number, formatted_number, invoice_date, total, customer_id',
      ...rowsOf(12, (at) => `${at}, ${at + 70}, ${printed(at)}, 2026-03-10, 5.0, ${(at % 6) + 21}`),
    ],
    invoice_lines: lines('invoice_id'),
    customers: firms,
  });
  const numberOf = (printed: (at: number) => string) => sectionsOf(tables(printed)).header?.match;
  expect(numberOf((at) => `INV-0${at + 70}`)).toBe('formatted_number');
  expect(numberOf((at) => `INV-0${at + 80}`)).toBe('number');
});

describe('what hangs on a document is added', () => {
  const basic: Tables = invoices('x, y', () => 'a, b');
  function lookups(tables: Tables) {
    const database = sampleDatabase({ ...basic, ...tables });
    return withLookups(database, proposeSections(database).sections);
  }
  const ofCustomer = (type: string, rows: (at: number) => string): Tables => ({
    customer_details: [
      `id, customer_id, ${type}, value`,
      ...rowsOf(12, (at) => `${at + 800}, ${(at % 6) + 21}, ${rows(at)}`),
    ],
  });

  test('the one row of the customer of each kind', () => {
    const added = lookups(
      ofCustomer('type', (at) => (at <= 6 ? 'phone, +49 30 5551' : 'email, a@b.example')),
    );
    expect(added.customer_phone?.where).toEqual({ type: 'phone' });
    expect(added.customer_email?.where).toEqual({ type: 'email' });
  });

  test('not where a customer has several of a kind, nor where kinds say nothing', () => {
    expect(lookups(ofCustomer('type', () => 'phone, +49 30 5551')).customer_phone).toBeUndefined();
    expect(
      lookups(ofCustomer('type', (at) => (at <= 6 ? 'a, 1' : 'b, 2'))).customer_phone,
    ).toBeUndefined();
  });

  test('a table with numbers of taxpayers, and no other', () => {
    const holding = (value: (at: number) => string): Tables => ({
      customer_identifier: [
        'id, customer_id, code',
        ...rowsOf(6, (at) => `${at + 800}, ${at + 20}, ${value(at)}`),
      ],
    });
    expect(lookups(holding((at) => `DE10020030${at}`)).customer_tax_number?.table).toBe(
      'customer_identifier',
    );
    expect(lookups(holding((at) => `A-${at}`)).customer_tax_number).toBeUndefined();
  });

  const many = (columns: string, row: (at: number) => string): Tables => ({
    invoices: [
      `id, number, invoice_date, total, customer_id, ${columns}`,
      ...rowsOf(12, (at) => `${at}, N-${at}, 2026-03-10, 5.0, ${(at % 6) + 21}, ${row(at)}`),
    ],
  });

  test('the seller, who may be the user that all documents are of', () => {
    const users = (vat: string): Tables => ({
      users: [
        `id, name, company, street, city, ${vat}`,
        '1, Lena Kurz, Pumps Ltd, Kai 9, Hamburg, DE123456789',
        '2, Omar Said, Pumps Ltd, Kai 9, Hamburg, DE123456789',
      ],
    });
    const seller = (vat: string, row: (at: number) => string) =>
      lookups({ ...many('user_id, x', row), ...users(vat) }).seller?.table;
    expect(seller('vat_id', () => '1, a')).toBe('users');
    expect(seller('remark', () => '1, a')).toBeUndefined();
  });

  test('the address of the firm that sells, beside that of the customer', () => {
    const added = lookups({
      ...many('customer_address, company_address', (at) => `Firm${at % 6}-B, Pumps-B`),
      address: [
        'name, street, city',
        'Pumps-B, Kai 9, Hamburg',
        ...rowsOf(6, (at) => `Firm${at - 1}-B, Road ${at}, Berlin`),
      ],
    });
    expect(added.customer_address?.matchFrom).toBe('customer_address');
    expect(added.seller_address?.matchFrom).toBe('company_address');
  });

  test('the place of the customer, behind a row that ties it to the customer', () => {
    const added = lookups({
      ...many('customer_location_id, x', (at) => `${(at % 6) + 41}, a`),
      customers: ['id, name, x', ...rowsOf(6, (at) => `${at + 20}, Firm ${at}, a`)],
      customer_location: [
        'id, label, phone, remark, is_default, location_id',
        ...rowsOf(6, (at) => `${at + 40}, Berlin, +49 30 55${at}, a, Y, ${at + 60}`),
      ],
      location: ['id, street, city', ...rowsOf(6, (at) => `${at + 60}, Road ${at}, Berlin`)],
    });
    expect(added.customer_link?.table).toBe('customer_location');
    expect(added.customer_address).toMatchObject({ table: 'location', of: 'customer_link' });
  });

  test('no currency of a country', () => {
    const added = lookups({
      customers: [
        'id, name, street, city, country_id',
        ...rowsOf(6, (at) => `${at + 20}, Firm ${at}, Road ${at}, Berlin, ${at + 60}`),
      ],
      countries: ['id, name, currency_id', ...rowsOf(6, (at) => `${at + 60}, Land ${at}, 1`)],
      currencies: ['id, code', '1, EUR', '2, USD'],
    });
    expect(added.customer_country?.table).toBe('countries');
    expect(added.customer_currency).toBeUndefined();
  });

  test('the rate of a tax behind a table that ties it to the line', () => {
    const tied = (rate: string): Tables => ({
      invoice_line_tax: [
        'id, invoice_line_id, tax_id',
        ...rowsOf(12, (at) => `${at + 900}, ${at + 500}, ${(at % 2) + 1}`),
      ],
      tax: [`id, label, ${rate}`, '1, VAT, 20', '2, None, 0'],
    });
    const { lines_tax: tie, lines_tax_rate: rate } = lookups(tied('rate'));
    expect([tie?.table, rate?.table]).toEqual(['invoice_line_tax', 'tax']);
  });

  test('the subject that a name ends with: terms of payment of an account, a state of a country', () => {
    const added = lookups({
      customers: [
        'id, name, street, city, subdivision_id',
        ...rowsOf(6, (at) => `${at + 20}, Firm ${at}, Road ${at}, Berlin, ${at + 60}`),
      ],
      country_subdivision: ['id, code', ...rowsOf(6, (at) => `${at + 60}, DE-${at}`)],
    });
    expect(added.customer_state?.table).toBe('country_subdivision');
    expect(added.customer_country).toBeUndefined();
  });
});

test('types of documents are told by what the table of types calls them', () => {
  const tables: Tables = {
    ...invoices('doc_type_id', (at) => (at < 4 ? '7' : '8')),
    doc_types: ['doc_type_id, name', '7, Invoice', '8, Credit Memo', '9, Debit Memo'],
  };
  expect(sectionsOf(tables).header?.where).toEqual({ doc_type_id: '7' });
});

test('what points at a row beside the order points at the order', () => {
  const tables: Tables = {
    orders: [
      'id, order_date, total, currency, customer_id',
      ...rowsOf(6, (at) => `${at}, 2026-03-0${at}, 5.0, EUR, ${at + 20}`),
    ],
    order_stats: ['order_id, items_sold', ...rowsOf(6, (at) => `${at}, 2`)],
    order_products: [
      'id, order_id, product_name, product_qty, price',
      ...rowsOf(12, (at) => `${at + 500}, ${(at % 6) + 1}, Pump, ${at % 4}, ${at}.5`),
    ],
    customers: firms,
  };
  expect(sectionsOf(tables)).toMatchObject({
    header: { table: 'orders' },
    lines: { table: 'order_products', match: 'order_id', matchFrom: 'id' },
  });
});

test('an account without a name is named by the party that it points at, which has its own ways to be reached', () => {
  const tables: Tables = {
    ...invoices('x', () => 'a'),
    customers: [
      'id, account_number, party_id, area_id',
      ...rowsOf(6, (at) => `${at + 20}, A-${at}, ${at + 40}, ${at % 2}`),
    ],
    parties: ['party_id, name', ...rowsOf(6, (at) => `${at + 40}, Firm ${at}`)],
    party_phones: ['party_id, phone', ...rowsOf(6, (at) => `${at + 40}, +49 30 555${at}`)],
    areas: ['area_id, name', '0, North', '1, South'],
  };
  const database = sampleDatabase(tables);
  const sections = withLookups(database, proposeSections(database).sections);
  expect(sections.customer?.table).toBe('customers');
  expect(sections.customer_party).toMatchObject({ table: 'parties', of: 'customer' });
  expect(sections.customer_phone).toMatchObject({ table: 'party_phones', of: 'customer_party' });
});

test('states that are numbers are told by the table of their names, and by which rows have no number yet', () => {
  const named: Tables = {
    ...invoices('state_id', (at) => ['1', '1', '1', '0', '2', '1'][at - 1]!),
    states: ['state_id, name', '0, Borrador', '1, Emitido', '2, Anulado'],
  };
  expect(sectionsOf(named).header?.where).toEqual({ state_id: '1' });
  const unnumbered = (mark: (at: number) => string): Tables => ({
    ...invoices('x', () => 'a'),
    invoices: [
      'id, number, invoice_date, total, customer_id, buchkz',
      ...rowsOf(
        8,
        (at) =>
          `${at}, ${at < 7 ? `N-${at}` : ''}, 2026-03-0${at}, 5.0, ${(at % 6) + 21}, ${mark(at)}`,
      ),
    ],
  });
  expect(sectionsOf(unnumbered((at) => (at < 7 ? '1' : '0'))).header?.where).toEqual({
    buchkz: '1',
  });
  expect(sectionsOf(unnumbered((at) => (at < 6 ? '1' : '0'))).header?.where).toBeUndefined();
});

test('addresses and fields of customers in tables of rows of many things are found by their values', () => {
  const tables: Tables = {
    ...invoices('x', () => 'a'),
    customers: ['id, name, phone', ...rowsOf(6, (at) => `${at + 20}, Firm ${at}, +49 30 555${at}`)],
    places: [
      'id, owner_type, owner_id, kind, street, city',
      ...['customer', 'supplier'].flatMap((owner, first) =>
        ['billing', 'shipping'].flatMap((kind, second) =>
          rowsOf(
            6,
            (at) =>
              `${at + first * 6 + second * 12}, ${owner}, ${at + 20}, ${kind}, Road ${at}, Bern`,
          ),
        ),
      ),
    ],
    attributes: [
      'id, entity, entity_id, attribute, content',
      ...rowsOf(6, (at) => `${at}, customer, ${at + 20}, vat_id, DE12345678${at}`),
      ...rowsOf(6, (at) => `${at + 6}, customer, ${at + 20}, colour, red`),
      ...rowsOf(6, (at) => `${at + 12}, supplier, ${at + 20}, vat_id, DE22345678${at}`),
    ],
  };
  const database = sampleDatabase(tables);
  const sections = withLookups(database, proposeSections(database).sections);
  expect(sections.customer_address).toMatchObject({
    table: 'places',
    match: 'owner_id',
    where: { owner_type: 'customer', kind: 'billing' },
  });
  expect(sections.customer_tax_number).toMatchObject({
    table: 'attributes',
    where: { entity: 'customer', attribute: 'vat_id' },
  });
});

test('addresses of the documents are the customer, those of the kind that is billed', () => {
  const { customer } = sectionsOf({
    ...invoices('x, y', () => 'a, b'),
    customers: ['id, login', '1, mei'],
    invoice_addresses: [
      'id, invoice_id, address_type, company, street, city, country',
      ...rowsOf(12, (at) => {
        const kind = at % 2 === 0 ? 'billing' : 'shipping';
        return `${at + 70}, ${Math.ceil(at / 2)}, ${kind}, Firm ${at}, Road ${at}, Berlin, DE`;
      }),
    ],
  });
  expect(customer).toEqual({
    table: 'invoice_addresses',
    key: 'id',
    match: 'invoice_id',
    matchFrom: 'id',
    where: { address_type: 'billing' },
  });
});

test('lines that have the name of other invoices in theirs are of those', () => {
  const invoice = (first: number): readonly [string, ...string[]] => [
    'invoice_id, number, invoice_date, total, customer_id',
    ...rowsOf(6, (at) => `${at}, ${first + at}, 2026-03-0${at}, 5.0, ${at + 20}`),
  ];
  const found = sectionsOf({
    linesinvoicesprov: lines('invoice_id'),
    linesinvoicescli: lines('invoice_id'),
    invoicesprov: invoice(700),
    invoicescli: invoice(900),
    customers: firms,
  });
  expect(found.lines?.table).toBe(found.header?.table.replace('invoices', 'linesinvoices'));
});

test('lines that point at a bare row are those of the invoice that has its key', () => {
  const { tables, references } = sampleDatabase({
    transactions: ['id, table_name', ...rowsOf(6, (at) => `${at}, ar`)],
    ar: [
      'id, invnumber, transdate, total_amount, customer_id',
      ...rowsOf(6, (at) => `${at}, N-${at}, 2026-03-0${at}, 5.0, ${at + 20}`),
    ],
    invoice: lines('trans_id'),
    customers: firms,
  });
  const declared = [
    { table: 'ar', columns: ['id'] },
    { table: 'invoice', columns: ['trans_id'] },
  ].map((one) => ({
    ...one,
    to: 'transactions',
    toColumns: ['id'],
    basis: 'declared' as const,
    confidence: 1,
  }));
  const isOther = ({ table, columns }: { table: string; columns: readonly string[] }) =>
    !declared.some((one) => one.table === table && one.columns.join() === columns.join());
  const { sections } = proposeSections({
    tables,
    references: [...declared, ...references.filter(isOther)],
  });
  expect(sections.header).toMatchObject({ table: 'ar', match: 'invnumber' });
  expect(sections.lines).toMatchObject({ table: 'invoice', match: 'trans_id', matchFrom: 'id' });
});
