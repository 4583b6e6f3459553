import { expect, test } from 'vitest';
import { everyPage } from './paging.ts';

test.each([0, 1, 200, 201, 450])('a list of %i rows is read to its end', async (length) => {
  const rows = Array.from({ length }, (_, at) => at);
  const asked: (string | undefined)[] = [];
  const read = await everyPage(async ({ limit, cursor }) => {
    asked.push(cursor);
    const from = Number(cursor ?? 0);
    const next = from + limit < length ? String(from + limit) : null;
    return { results: rows.slice(from, from + limit), next };
  });
  expect(read.results).toEqual(rows);
  expect(asked).toHaveLength(Math.max(1, Math.ceil(length / 200)));
});
