import { expect, test } from 'vitest';
import type { RemoteInvoice } from '../../invoices/remote-invoices.ts';
import { invoiceRows } from './list.ts';

const refused = (rule: string) => [{ rule, message: 'x', severity: 'fatal' as const }];

test.each<[string, Partial<RemoteInvoice>[], string[]]>([
  [
    'one that rules refuse',
    [{ errors: refused('PINT-AE-BR-01') }],
    ['a correction: PINT-AE-BR-01'],
  ],
  ['one that is held', [{ hold: { waits_for: 'release', since: 'x' } }], ['release']],
  ['one that is delivered', [{ status: 'delivered' }], ['']],
  ['one that was withdrawn', [{ errors: refused('PINT-AE-WITHDRAWN') }], ['']],
  ['one whose source changed', [{ errors: refused('PINT-AE-SOURCE-CHANGED') }], ['']],
  ['one with a newer submission', [{}, { errors: refused('PINT-AE-BR-01') }], ['', '']],
  [
    'one of another document',
    [{}, { source_ref: 'B', errors: refused('PINT-AE-BR-01') }],
    ['', 'a correction: PINT-AE-BR-01'],
  ],
])('%s waits for what is to be done', (_, given, waits) => {
  const invoices = given.map((one) => ({
    id: 'i',
    status: 'rejected',
    profile: 'PINT-AE',
    source_ref: 'A',
    errors: [],
    warnings: [],
    created_at: 'x',
    ...one,
  }));
  expect(invoiceRows(invoices).map((row) => row[4])).toEqual(waits);
});
