import { describe, expect, test } from 'vitest';
import { rowsOf, sampleDatabase } from './sample-tables.kit.ts';
import { proposeSections } from './sections.ts';

type Table = readonly [string, ...string[]];
const proposed = (tables: Readonly<Record<string, Table>>) =>
  proposeSections(sampleDatabase(tables));

const documents = 24;
const day = (at: number) => `2026-03-${String(at).padStart(2, '0')}`;
const customers: Table = [
  'id, name, city, phone, vat_number',
  ...rowsOf(8, (at) => `${at}, Firm ${at} Ltd, Town ${at}, +44 20 555 120${at}, GB10020030${at}`),
];
const customerOf = (at: number) => ((at - 1) % 8) + 1;
const lines: Table = [
  'id, invoice_id, description, quantity, unit_price',
  ...rowsOf(
    documents * 2,
    (at) => `${at}, ${((at - 1) % documents) + 1}, Pump, ${at % 4}, ${at}.5`,
  ),
];
/** Invoices with further columns, and the lines and customers of them. */
const invoices = (
  columns: string,
  row: (at: number) => string,
  more: Readonly<Record<string, Table>> = {},
) => ({
  invoices: [
    `id, invoice_date, customer_id, total, ${columns}`,
    ...rowsOf(documents, (at) => `${at}, ${day(at)}, ${customerOf(at)}, ${at}.5, ${row(at)}`),
  ] as const,
  invoice_items: lines,
  customers,
  ...more,
});

describe('kinds of documents', () => {
  const kindOf = (at: number) => (at > 20 ? 3 : at > 16 ? 2 : 1);

  test.each([
    ['Invoice', 'Quote', 'Credit note', { preference_id: '1' }],
    ['Wholesale', 'Retail', 'Export', undefined],
  ])('are told by what they are called where they point: %s, %s', (one, two, three, where) => {
    const preferences: Table = ['id, description', `1, ${one}`, `2, ${two}`, `3, ${three}`];
    const { sections, creditNotes } = proposed(
      invoices('preference_id, number', (at) => `${kindOf(at)}, ${at + 7000}`, { preferences }),
    );
    expect(sections.header?.where).toEqual(where);
    if (where !== undefined) expect(creditNotes).toMatchObject({ kind: 'value', value: '3' });
  });

  test('leave out invoices that were taken back', () => {
    const types: Table = [
      'id, name',
      '1, AR Invoice',
      '2, Reversed Sales Invoice',
      '3, AR Credit Memo',
    ];
    const row = (at: number) => `${kindOf(at)}, ${at + 7000}`;
    const { sections } = proposed(invoices('type_id, number', row, { types }));
    expect(sections.header?.where).toEqual({ type_id: '1' });
  });

  const letters = ['IV', 'SO', 'CN'] as const;

  test('are not told by numbers that all documents of the wanted type have alike', () => {
    const typeOf = (at: number) => (at > 16 ? 'ACCPAY' : 'ACCREC');
    const row = (at: number) =>
      `${typeOf(at)}, ${at % 3 === 0 && at < 17 ? 'NoTax' : 'Exclusive'}, ${at > 16 ? 'B' : 'INV'}-${at}`;
    const { sections } = proposed(invoices('type, line_amount_types, invoice_number', row));
    expect(sections.header?.where).toEqual({ type: 'ACCREC' });
  });

  test('are told by how the numbers of each begin, in a column that may be called after another', () => {
    const row = (at: number) => `${kindOf(at) + 10}, ${letters[kindOf(at) - 1]}-${at}`;
    const { sections, creditNotes } = proposed(invoices('journal_id, purchase_invoice_id', row));
    expect(sections.header).toMatchObject({
      match: 'purchase_invoice_id',
      where: { journal_id: '11' },
    });
    expect(creditNotes).toMatchObject({ kind: 'value', value: '13' });
  });
});

describe('states of documents', () => {
  const whereOf = (columns: string, row: (at: number) => string) =>
    proposed(invoices(columns, row)).sections.header?.where;
  const stateOf = (at: number) =>
    at > 22 ? 'canceled' : at > 20 ? 'cart' : at > 18 ? 'payment' : 'complete';

  test.each([
    ['lack the day that all others have', (at: number) => (at > 18 && at < 23 ? '' : day(at))],
    ['have it as the others', day],
  ])('that no word tells are no invoices where they %s', (_how, completedOf) => {
    const row = (at: number) => `IV-${at}, ${stateOf(at)}, ${completedOf(at)}`;
    const where = whereOf('number, state, completed_at', row);
    expect(where).toEqual(completedOf === day ? undefined : { state: 'complete' });
  });

  test('are told by a code that is a mark', () => {
    const row = (at: number) => `IV-${at}, ${at % 6 === 0 ? 0 : 1}`;
    expect(whereOf('number, posted_code', row)).toEqual({ posted_code: '1' });
  });

  test.each([
    [
      'words of which nearly all documents have one',
      'received',
      'awaiting',
      { status: 'received' },
    ],
    ['bare numbers, which may have further ones', '2', '1', undefined],
  ])('without numbers are told by %s', (_how, done, open, where) => {
    const row = (at: number) => (at % 8 === 0 ? `, ${open}` : `IV-${at}, ${done}`);
    expect(whereOf('number, status', row)).toEqual(where);
  });

  test('are those of the document, and not of its payment', () => {
    const row = (at: number) => `N-${at}, ${at % 3 === 0 ? 'pending' : 'completed'}`;
    expect(whereOf('number, state', row)).toEqual({ state: 'completed' });
    expect(whereOf('number, payment_state', row)).toBeUndefined();
  });
});

describe('the number', () => {
  const matchOf = (of: (at: number) => number) =>
    proposed(invoices('index_id', (at) => String(of(at)))).sections.header?.match;

  test('is one that goes up by one from where somebody began', () => {
    expect(matchOf((at) => 1000 + at)).toBe('index_id');
  });

  test.each([
    ['has gaps', (at: number) => 1000 + at * 3],
    ['begins as keys do', (at: number) => at],
  ])('is none that %s', (_how, of) => {
    expect(matchOf(of)).toBe('id');
  });
});

test('the number is what people read, and no long key beside it', () => {
  const guid = (at: number) => `0b1c2d3e-4f50-6172-8394-a5b6c7d8${String(at).padStart(4, '0')}`;
  const row = (at: number) => `${guid(at)}, FA 2026/${at}`;
  expect(proposed(invoices('id_ledger_invoice, documento', row)).sections.header?.match).toBe(
    'documento',
  );
});

describe('rows as Access keeps them', () => {
  test('yes is -1, and who is void is left out', () => {
    const { sections } = proposed(
      invoices('void, number', (at) => `${at > 20 ? -1 : 0}, ${at + 7000}`),
    );
    expect(sections.header?.where).toEqual({ void: '0' });
  });

  test('the kind is told by the only text of the table of kinds', () => {
    const kinds: Table = ['kind_type_id, kind_type', '1, Invoice', '2, Credit Note'];
    const { sections } = proposed(
      invoices('kind_type_id, number', (at) => `${at > 20 ? 2 : 1}, ${at + 7000}`, {
        kind_types: kinds,
      }),
    );
    expect(sections.header?.where).toEqual({ kind_type_id: '1' });
  });

  test('a number that the buyer gives says nothing of a mark', () => {
    const row = (at: number) => `${at % 2}, ${at % 2 === 0 ? `PO-${at}` : ''}, ${at + 7000}`;
    const { sections } = proposed(invoices('emailed, customer_order_number, number', row));
    expect(sections.header?.where).toBeUndefined();
  });
});

describe('columns that tell invoices from others', () => {
  test('are told by the sign of the totals where a letter says what it is', () => {
    const { sections, creditNotes } = proposed(
      invoices('number, net_weight, doc_type, gross', (at) => {
        const isCredit = at > 20;
        return `N-${at}, 3.5, ${isCredit ? 'C' : 'V'}, ${isCredit ? -at : at}.5`;
      }),
    );
    expect(sections.header?.where).toEqual({ doc_type: 'V' });
    expect(creditNotes).toMatchObject({ kind: 'value', value: 'C' });
  });

  test('are read once where several leave the same documents', () => {
    const row = (at: number) =>
      at > 16 ? `Q-${at}, QUO, Quote, CustQuote` : `N-${at}, INV, Invoice, CustInvc`;
    const { sections } = proposed(invoices('number, short_type, record_type, type', row));
    expect(sections.header?.where).toEqual({ type: 'CustInvc' });
  });
});
