import { expect, test } from 'vitest';
import { JsonBytes } from '../../platform/db/insert.ts';
import type { Tx } from '../../platform/db/tx.ts';
import { saveContents } from './store.ts';

const tenantId = '00000000-0000-0000-0000-000000000001';

function content(id: string, cim: JsonBytes | Record<string, never>) {
  const common = {
    tenant_id: tenantId,
    provenance: Buffer.from('{}'),
    document: '<a/>',
    clearance: null,
  };
  return { invoice_id: id, cim, ...common };
}

test('large contents go to the database one by one and as they are, small ones together', async () => {
  const given: unknown[][] = [];
  function noting<Answer>(answer: Answer) {
    return async (_sql: string, values: readonly unknown[] = []) => {
      given.push([...values]);
      return answer;
    };
  }
  const tx: Tx = {
    rows: noting([]),
    row: noting(undefined),
    run: noting(1),
    afterCommit: () => {},
    notify: () => {},
  };
  const large = (id: string) => content(id, new JsonBytes(Buffer.from(`{"id":"${id}"}`)));
  await saveContents(tx, [content('a', {}), large('b'), content('c', {}), large('d')]);
  expect(given.map(([ids, _tenant, cim]) => [ids, cim])).toEqual([
    [
      ['a', 'c'],
      ['{}', '{}'],
    ],
    ['b', Buffer.from('{"id":"b"}')],
    ['d', Buffer.from('{"id":"d"}')],
  ]);
});
