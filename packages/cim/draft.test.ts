import { expect, test } from 'vitest';
import { draftOf } from './draft.ts';

const invoice = {
  number: 'A-1',
  issue_date: '2026-02-28',
  currency: 'MYR',
  seller: { trn: 'C1', name: 'Kedai' },
  totals: { gross: '106.00', net: '100.00' },
  lines: [{ id: '1', qty: '2.50', unit_price: '40', net: '100.00', tax: [{ rate: '6' }] }],
};
const given = (changes: object) => {
  const outcome = draftOf({ ...invoice, ...changes }, 'invoice');
  return outcome.kind === 'draft' ? outcome.draft : outcome.missing;
};

test.each([
  [undefined, undefined],
  [[{ number: 'A-0' }], 'A-0'],
  [[{ number: 'A-0', issue_date: '2026-01-31' }, { uin: 'U' }, { number: 'B-0' }], 'A-0, B-0'],
])('of a document that corrects %j it says %j', (preceding_invoices, correctedNumber) => {
  const draft = given({ preceding_invoices });
  if (correctedNumber === undefined) expect(draft).not.toHaveProperty('correctedNumber');
  else expect(draft).toMatchObject({ correctedNumber });
});

test('numbers stay as they are written', () => {
  expect(given({})).toMatchObject({
    gross: '106.00',
    net: '100.00',
    lines: [{ quantity: '2.50', unitPrice: '40', net: '100.00', taxRate: '6' }],
  });
});

test.each(['ten', 'NaN', '1e3', '1,5', '0x10'])(
  '%j in the place of a number is left out',
  (text) => {
    const draft = given({
      totals: { gross: '106.00', net: text, due: text },
      lines: [{ id: '1', qty: text, unit_price: text, net: text, tax: [{ rate: text }] }],
    });
    expect(draft).toMatchObject({ lines: [{ line: '1' }] });
    expect(JSON.stringify(draft)).not.toContain(text);
  },
);

test.each([
  ['2026-02-28', '2026-02-28'],
  ['2026-02-28Z', '2026-02-28'],
  ['2026-02-28+08:00', '2026-02-28'],
])('the day %s is %s', (issue_date, day) => {
  expect(given({ issue_date })).toMatchObject({ issueDate: day });
});

test.each(['2026-13-45', '2026-02-30', '28.02.2026', '2026-02-28T10:00:00Z'])(
  '%s is no day',
  (day) => {
    expect(given({ issue_date: day })).toEqual(['issue_date']);
    expect(given({ due_date: day })).not.toHaveProperty('dueDate');
  },
);
