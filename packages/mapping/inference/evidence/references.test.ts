import { expect, test } from 'vitest';
import { propose } from '../sample-documents.kit.ts';

test("the customer's order is the one that is named so, not the seller's own", () => {
  const ordered = (name: string) => (at: number) => [
    { number: `N-${at}`, ordernumber: 50_000 + at, [name]: `PO-${at}` },
  ];
  const orderOf = (name: string) => propose({ header: ordered(name) })('purchase_order');
  expect(orderOf('ponumber')?.from?.column).toBe('ponumber');
  expect(orderOf('remark')?.from?.column).toBe('ordernumber');
});

test('a number that is counted as one firm counts is looked at: the seller may have ordered it', () => {
  const orderOf = (row: (at: number) => string) =>
    propose({ header: (at) => [{ number: `N-${at}`, order_number: row(at) }] })('purchase_order');
  expect(orderOf((at) => String(26_100_000 + at))?.confidence).toBeLessThan(0.8);
  expect(orderOf((at) => `${at % 2 === 0 ? 'PO-' : ''}${at * 977}`)?.confidence).toBeGreaterThan(
    0.8,
  );
});
