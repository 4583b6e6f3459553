import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';
import { storable } from './storable.ts';

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit?.stop());

const answer = {
  code: 'A\u0000B',
  nested: [{ 'k\u0000': '\ud800x' }, null, 7, true],
  fine: 'Käse 🧀 \u0007',
};

test('only characters that cannot be stored are replaced, and the result can be stored', async () => {
  const kept = storable(answer);
  expect(kept).toEqual({
    code: 'A\ufffdB',
    nested: [{ 'k\ufffd': '\ufffdx' }, null, 7, true],
    fine: answer.fine,
  });
  const store = (value: unknown) =>
    kit.db.system((tx) => tx.row('select $1::jsonb as kept', [JSON.stringify(value)]));
  expect(await store(kept)).toEqual({ kept });
  await expect(store(answer)).rejects.toThrow();
  const at = new Date();
  expect(storable({ at })).toEqual({ at });
});
