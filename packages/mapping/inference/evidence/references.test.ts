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
