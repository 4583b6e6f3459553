import { writeBackOutcome } from '@drawbridge/link/methods.ts';
import { expect, test } from 'vitest';
import { sampleCommand } from './contract.suite.ts';
import { decideConfirmation, type StoredConfirmation } from './stored-confirmation.ts';

const early = '2026-02-01T09:00:00.000Z';
const late = '2026-02-01T11:00:00.000Z';
const mine = { invoiceId: 'inv_1', idempotencyKey: 'old' };

/** The command is `key`: inv_1 `cleared` at ten o'clock. */
test.each<[string, StoredConfirmation | undefined, string]>([
  ['an empty slot', undefined, 'write'],
  ["another invoice's", { ...mine, invoiceId: 'inv_2' }, 'conflict'],
  [
    "another invoice's under the same key",
    { invoiceId: 'inv_2', idempotencyKey: 'key' },
    'conflict',
  ],
  ["one's that it replaces", { ...mine, invoiceId: 'inv_0', settledAt: late }, 'write'],
  ['the same command', { ...mine, status: 'cleared', idempotencyKey: 'key' }, 'already'],
  ['a status that is further', { ...mine, status: 'delivered', settledAt: early }, 'already'],
  ['a rejection', { ...mine, status: 'rejected', settledAt: early }, 'already'],
  ['the same status, earlier', { ...mine, status: 'cleared', settledAt: early }, 'write'],
  ['the same status, later', { ...mine, status: 'cleared', settledAt: late }, 'already'],
  ['a status that nobody knows', { ...mine, status: 'queued', settledAt: late }, 'write'],
  ['no status, later', { ...mine, settledAt: late }, 'already'],
  ['no status and no time', mine, 'write'],
])('a slot that holds %s', (_name, content, kind) => {
  expect(
    decideConfirmation(content, sampleCommand('a', 'key', { replaces: ['inv_00', 'inv_0'] })).kind,
  ).toBe(kind);
});

test('what a slot holds is told at the length that a message may have', () => {
  const invoiceId = 'x'.repeat(1_000_000);
  const outcome = decideConfirmation({ invoiceId }, sampleCommand('a', 'key'));
  expect(writeBackOutcome.parse(outcome)).toMatchObject({ kind: 'conflict' });
});
