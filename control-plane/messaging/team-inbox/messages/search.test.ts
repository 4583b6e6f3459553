import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDb, type TestDb } from '../../../../test/kit/postgres.ts';
import { firstIdAt } from '../../../platform/ids.ts';

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

test('a period sorts before its ids, and after those of the previous period; its end after its ids', async () => {
  const periodMs = 2 ** 28;
  const numbers = [1, 6_601, 6_602, 6_603, 6_604, 2 ** 22 - 1];
  const ids = numbers.flatMap((n) => [
    firstIdAt('msg', new Date(n * periodMs - 1)),
    firstIdAt('msg', new Date(n * periodMs)),
    firstIdAt('msg', new Date((n + 1) * periodMs - 1)),
  ]);
  const rows = await kit.db.system((tx) =>
    tx.rows<{ period: string; end: string; period_of_end: string }>(
      `select period, "end", search_period("end") as period_of_end from unnest($1::text[]) id,
         search_period(id) period, search_period_end(period) "end"`,
      [ids],
    ),
  );
  for (let at = 0; at < ids.length; at += 3) {
    const { period, end, period_of_end } = rows[at + 1]!;
    expect(period > ids[at]!).toBe(true);
    expect(period <= ids[at + 1]!).toBe(true);
    expect(rows[at + 2]).toMatchObject({ period });
    expect(end >= ids[at + 2]!).toBe(true);
    expect(period_of_end).toBe(period);
  }
});

test('punctuation alone is not a word', async () => {
  const row = await kit.db.system((tx) => tx.row("select words_query('؟ 。 ! ・') as wanted"));
  expect(row).toEqual({ wanted: null });
});

const letters = [...'aAbB19éΣσ .,-_/@<>&;:!*\'"%\\$[(発票メ・ー゛。，มகب؟'];
const written = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });

test('texts with the words match their patterns and are found by their index', async () => {
  let had = 0;
  const check = async (texts: readonly string[], words: string) => {
    const rows = await kit.db.system((tx) =>
      tx.rows<{ patterned: boolean; indexed: boolean }>(
        `select lower(m.preview) like all (word_patterns($2)) as patterned,
           array_to_tsvector(search_terms(message_words(m.preview), 'a0'))
             @@ (search_queries($2, array['a0']))[1] as indexed
         from unnest($1::text[]) m (preview)
         where message_words(m.preview) @@ words_query($2)`,
        [[...texts, words, ...texts.map((text) => text + words)], words],
      ),
    );
    for (const row of rows) expect(row).toEqual({ patterned: true, indexed: true });
    had += rows.length;
  };
  const texts = fc.array(written, { minLength: 40, maxLength: 40 });
  await fc.assert(fc.asyncProperty(texts, written, check), { numRuns: 300 });
  expect(had).toBeGreaterThan(1_000);
});

test('a word of any length is indexed', async () => {
  const words = ['a'.repeat(2_000), 'é'.repeat(900), '票'.repeat(2_000)];
  const rows = await kit.db.system((tx) =>
    tx.rows(
      `select array_to_tsvector(search_terms(message_words(word), 'a0'))
         @@ (search_queries(left(word, 190) || '*', array['a0']))[1] as indexed
       from unnest($1::text[]) word`,
      [words],
    ),
  );
  expect(rows).toEqual(words.map(() => ({ indexed: true })));
});
