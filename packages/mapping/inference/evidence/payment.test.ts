import { expect, test } from 'vitest';
import { propose } from '../sample-documents.kit.ts';

test.each([
  ['words', '30 days net', true],
  ['numbers that mean something elsewhere', '3:0:0:30', false],
])('terms of payment are %s', (_what, terms, isSure) => {
  const header = (at: number) => [{ number: `N-${at}`, invoice_date: '2026-03-01', terms }];
  const confidence = propose({ header })('payment_terms[].note')?.confidence ?? 0;
  expect(confidence >= 0.8).toBe(isSure);
});
