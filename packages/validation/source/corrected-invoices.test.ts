import { expect, test } from 'vitest';
import { type ClearedInvoice, correctedNumbers, withIdentifiers } from './corrected-invoices.ts';

const cleared = (number: string, uin: string, seller = 'C1'): ClearedInvoice => ({
  seller,
  number,
  uin,
});

test.each<[string, ClearedInvoice[], string | undefined]>([
  ['the invoice of that number', [cleared('17', 'A'), cleared('18', 'B')], 'A'],
  ['the same one found twice', [cleared('17', 'A'), cleared('17', 'A')], 'A'],
  ['nothing where two have the number', [cleared('17', 'A'), cleared('17', 'B')], undefined],
  ['nothing of another seller', [cleared('17', 'A', 'C2')], undefined],
  ['nothing of another number', [cleared('018', 'A')], undefined],
])('a note gets the identifier of %s', (_, known, uin) => {
  const cim = { number: 'CN-1', preceding_invoices: [{ number: '17' }] };
  const [first] = withIdentifiers(cim, 'C1', known).preceding_invoices as { uin?: string }[];
  expect(first?.uin).toBe(uin);
});

test('what the source says itself stays', () => {
  const cim = { preceding_invoices: [{ number: '17', uin: 'NA' }] };
  expect(withIdentifiers(cim, 'C1', [cleared('17', 'A')])).toEqual(cim);
});

test('numbers without an identifier are looked for, and no others', () => {
  const sourceWith = (uin: string | null) => ({
    ref: 'CN-1',
    sections: { header: [{ origin: 'H', key: 'CN-1', values: { NO: '17', UIN: uin } }] },
  });
  const field = (target: string, column: string) => ({
    target,
    from: { section: 'header', column },
    status: 'approved' as const,
  });
  const number = field('preceding_invoices[].number', 'NO');
  const uin = field('preceding_invoices[].uin', 'UIN');
  expect(correctedNumbers(sourceWith(null), { fields: [number, uin] })).toEqual(['17']);
  expect(correctedNumbers(sourceWith('A'), { fields: [number, uin] })).toEqual([]);
  expect(correctedNumbers(sourceWith(null), { fields: [uin] })).toEqual([]);
  expect(correctedNumbers(sourceWith(null), undefined)).toEqual([]);
});
