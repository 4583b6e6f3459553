import fc from 'fast-check';
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

test('a stretch of time begins where its first id does', async () => {
  const stretches = [0, 1, 1_616, 1_637, 2 ** 20 - 1];
  const rows = await kit.db.system((tx) =>
    tx.rows(
      `select message_stretch(first_message_id(n << 30)) as first,
         message_stretch(first_message_id(((n + 1) << 30) - 1)) as last
       from unnest($1::bigint[]) n`,
      [stretches],
    ),
  );
  expect(rows).toEqual(stretches.map((n) => ({ first: n, last: n })));
});

test('signs alone are no words', async () => {
  const row = await kit.db.system((tx) => tx.row("select words_query('؟ 。 ! ・') as wanted"));
  expect(row).toEqual({ wanted: null });
});

const letters = [...'aAbB19éΣσ .,-_/@<>&;:!*\'"%\\$[(発票メ・ー゛。，มகب؟'];
const written = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });

test('what is passed over by its letters does not have the words, and what has them is marked', async () => {
  let passedOver = 0;
  let had = 0;
  const check = async (texts: readonly string[], words: string) => {
    const asked = await kit.db.system((tx) =>
      tx.row<{ wanted: string | null; condition: string }>(
        'select words_query($1) as wanted, words_condition($1) as condition',
        [words],
      ),
    );
    if (asked!.wanted === null) return;
    const rows = await kit.db.system((tx) =>
      tx.rows<{ has: boolean; passes: boolean; marked: boolean }>(
        `select message_words(m.preview) @@ $2::tsquery as has, true ${asked!.condition} as passes,
           inbox_marks(message_words(m.preview)) @> (select marks_of($3)) as marked
         from unnest($1::text[]) m (preview)`,
        [[...texts, words, ...texts.map((text) => text + words)], asked!.wanted, words],
      ),
    );
    for (const { has, passes, marked } of rows) {
      expect(passes).toBe(has);
      if (has) expect(marked).toBe(true);
      if (has) had += 1;
      else passedOver += 1;
    }
  };
  const texts = fc.array(written, { minLength: 40, maxLength: 40 });
  await fc.assert(fc.asyncProperty(texts, written, check), { numRuns: 300 });
  expect(Math.min(had, passedOver)).toBeGreaterThan(1_000);
});
