import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../test/kit/postgres.ts';

let kit: TestDb;
beforeAll(async () => {
  kit = await startDb();
});
afterAll(() => kit.stop());

const arabic = 'مرحبا، أين الفاتورة؟';
const chinese = '您的发票已发送。请查收';

test.each([
  ['The “invoice”—please', 'invoice please', true],
  ['The “invoice”—please', 'invoices', false],
  ['Pay order-12 now', 'ORDER now', true],
  ['Pay the invoice', 'invo*', true],
  ['Pay the invoice', 'inv*', false],
  [arabic, 'مرحبا', true],
  [arabic, 'الفاتورة؟', true],
  [arabic, 'فاتورة', false],
  ['உங்கள் பணம்!', 'பணம்', true],
  [chinese, '发票', true],
  [chinese, '请查收 发票', true],
  [chinese, '票发', false],
  [chinese, '发送您', false],
  ['請求書をメールで送りました', 'メール', true],
] as const)('%s, searched for %s: %s', async (preview, words, isFound) => {
  const row = await kit.db.system((tx) =>
    tx.row('select message_words($1) @@ words_query($2) as found', [preview, words]),
  );
  expect(row).toEqual({ found: isFound });
});

test('signs alone are no words', async () => {
  const row = await kit.db.system((tx) => tx.row("select words_query('؟ 。 !') as wanted"));
  expect(row).toEqual({ wanted: null });
});
