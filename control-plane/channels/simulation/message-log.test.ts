import { expect, test } from 'vitest';
import { MessageLog } from './message-log.ts';

const entry = (id: string, reference?: string) => ({
  id,
  at: '2026-11-21T08:00:00.000Z',
  to: '919800000001',
  ...(reference === undefined ? {} : { reference }),
});
const read = (log: MessageLog, after = 0, limit = 100) =>
  [...log.lines(after, limit)].map((line) => JSON.parse(line));

test('a message that was sent twice counts as doubled, by the sender’s own id', () => {
  const log = new MessageLog();
  for (const reference of ['a', 'b', 'a', undefined]) log.add(entry('x', reference));
  log.add({ ...entry('y', 'c'), isAnswerLost: true });
  log.refused('21610');
  log.refused('21610');
  log.reported('delivered');
  expect(log.counts()).toEqual({
    accepted: 5,
    references: 3,
    doubled: 1,
    answersLost: 1,
    refused: 2,
    refusals: { 21610: 2 },
    reports: { delivered: 1 },
  });
});

test('it is read page by page', () => {
  const log = new MessageLog();
  for (const id of ['a', 'b', 'c']) log.add(entry(id));
  expect(read(log, 0, 2).map(({ n, id }) => [n, id])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
  expect(read(log, 2).map(({ n }) => n)).toEqual([3]);
  expect(read(log, 3)).toEqual([]);
});

test('the oldest entries are dropped in the end, and still counted', () => {
  const log = new MessageLog(4);
  for (let each = 1; each <= 9; each += 1) log.add(entry(`m${each}`, `r${each}`));
  expect(log.counts()).toMatchObject({ accepted: 9, references: 9, doubled: 0 });
  const kept = read(log);
  expect(kept.length).toBeLessThanOrEqual(4);
  expect(kept.at(-1)).toMatchObject({ n: 9, id: 'm9' });
});
