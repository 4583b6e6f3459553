import { profile } from '@drawbridge/profiles/pint-ae/profile.ts';
import type { SourceDocument, SourceRow } from '@drawbridge/records/document.ts';
import { expect, test } from 'vitest';
import { infer } from '../../infer.ts';
import { header, propose, type Row } from '../sample-documents.kit.ts';

test('a text that repeats the number of its document is no name of a line', () => {
  const lines = (at: number) => [
    { name: `N-${at} Pump`, product_name: `Pump ${at}`, quantity: at },
  ];
  expect(propose({ header, lines })('lines[].name')?.from?.column).toBe('product_name');
});

test('a copy of the number of the document is no reference of the buyer', () => {
  const referred = (of: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, invoice_date: '2026-03-01', customer_reference: of(at) },
  ];
  const referenceOf = (of: (at: number) => string) =>
    propose({ header: referred(of) })('buyer_reference')?.from?.column;
  expect(referenceOf((at) => `N-${at}`)).toBeUndefined();
  expect(referenceOf((at) => `Mr ${at}`)).toBe('customer_reference');
});

test('the key of rows that counts as the number does is not the number', () => {
  const counted = (at: number) => [
    { id: `N-${at}`, transno: `N-${at}`, invoice_date: '2026-03-01' },
  ];
  expect(propose({ header: counted })('number')?.from?.column).toBe('transno');
});

test('the key of rows is the number where no other column has it', () => {
  const counted = (at: number) => [{ id: `N-${at}`, rank: 1, invoice_date: '2026-03-01' }];
  expect(propose({ header: counted })('number')?.from?.column).toBe('id');
});

test('a person looks at the number where documents are found by what is called an account', () => {
  const counted = (at: number) => [{ acct: `N-${at}`, invoice_date: '2026-03-01' }];
  expect(propose({ header: counted })('number')?.confidence).toBe(0.79);
});

/** Rows of one table, of which each is a line and the first the header too. */
function flat(rowsOf: (at: number) => readonly Row[]) {
  const documents = Array.from({ length: 8 }, (_, at): SourceDocument => {
    const rows = rowsOf(at + 1).map((row, index): SourceRow => {
      const values = Object.entries(row).map(([column, value]) => [column, String(value)]);
      return { origin: 'a.csv', key: `${index}`, values: Object.fromEntries(values) };
    });
    return { ref: `a.csv#I-${at + 1}`, sections: { header: rows.slice(0, 1), lines: rows } };
  });
  const columns = ['header', 'lines'].flatMap((section) =>
    Object.keys(rowsOf(1)[0]!).map((column) => ({ section, origin: 'a.csv', column, samples: [] })),
  );
  const proposed = infer(columns, profile, { documents }).fields;
  return (target: string) => proposed.find((field) => field.target === target);
}

test('what all lines have in common is of a line by its name, where rows are lines', () => {
  const day = (at: number) => ({
    invoice_no: `I-${at}`,
    item: 'Consulting day',
    qty: at,
    price: 800,
  });
  const found = flat((at) => (at % 2 === 0 ? [day(at), { ...day(at), qty: 1 }] : [day(at)]));
  const columnOf = (target: string) => found(target)?.from;
  expect(columnOf('lines[].name')).toEqual({ section: 'lines', column: 'item' });
  expect(columnOf('lines[].unit_price')).toEqual({ section: 'lines', column: 'price' });
  expect(columnOf('totals.gross')).toBeUndefined();
});

test('the number is what tells the documents of a file apart, whatever it is called', () => {
  const found = flat((at) => [{ invoice: `I-${at}`, item: 'Pump', qty: at, price: 8 }]);
  expect(found('number')?.from?.column).toBe('invoice');
});

test('a rate is no total of tax, also where each document has one line', () => {
  const row = (at: number) => ({ qty: at, price: 3.5, net: at * 3.5, tax: at % 2 === 0 ? 21 : 6 });
  const found = flat((at) => [{ invoice_no: `I-${at}`, item: 'Pump', ...row(at), vat_rate: 21 }]);
  expect(found('totals.tax')).toBeUndefined();
});

test.each([
  ['05/01/2026', 0.79],
  ['25/01/2026', 0.95],
  ['01/01/2026', 0.95],
  ['2026-01-05', 0.95],
])('of days like %s a person looks where day and month may be exchanged', (day, confidence) => {
  const dated = (at: number) => [{ number: `N-${at}`, invoice_date: day }];
  expect(propose({ header: dated })('issue_date')?.confidence).toBe(confidence);
});
