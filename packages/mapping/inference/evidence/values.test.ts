import { expect, test } from 'vitest';
import { header, propose } from '../sample-documents.kit.ts';

test('an empty column stands back behind one with values', () => {
  const customer = (at: number) => [{ name: `Firm ${at}`, street_no: '', street: `Road ${at}` }];
  const proposed = propose({ header, customer });
  expect(proposed('buyer.address.line1')?.from?.column).toBe('street');
});

test('keys of terms are no text of terms', () => {
  const terms = (value: (at: number) => string) => (at: number) => [
    { number: `N-${at}`, payment_term: value(at) },
  ];
  const noteOf = (value: (at: number) => string) =>
    propose({ header: terms(value) })('payment_terms[].note');
  expect(noteOf((at) => `Net ${at} days`)).toBeDefined();
  expect(noteOf((at) => String(at % 3))).toBeUndefined();
});

test('a code that is kept nowhere is better said once than read', () => {
  const lines = (code: string) => () => [{ quantity: 2, unit_price: 2.5, hsn_code: code }];
  const codeOf = (code: string) =>
    propose({ header, lines: lines(code) })('lines[].classifications[].code')?.from?.column;
  expect(codeOf('847130')).toBe('hsn_code');
  expect(codeOf('')).toBeUndefined();
});

test('yes and no are no total of tax', () => {
  const liable = (at: number) => [{ number: `N-${at}`, tax_total: at % 2 }];
  expect(propose({ header: liable })('totals.tax')).toBeUndefined();
});

test('who sells is not read from a column that is always empty', () => {
  const seller = (number: string) => () => [
    { name: 'Pumps Ltd', city: 'Hamburg', vat_number: 'DE123456789', registration_number: number },
  ];
  const idOf = (number: string) =>
    propose({ header, seller: seller(number) })('seller.registration_id')?.from?.column;
  expect(idOf('HRB 12345')).toBe('registration_number');
  expect(idOf('')).toBeUndefined();
});
