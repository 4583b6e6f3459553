import { readFile } from 'node:fs/promises';
import { exactlyNamedEvents } from '@drawbridge/webhooks/events.ts';
import { expect, test } from 'vitest';

test('what an endpoint without a filter gets names the events that it does not get, in each language', async () => {
  const texts = await readFile(new URL('texts.ts', import.meta.url), 'utf8');
  const told = texts.match(/(?<=everyEvent:\s*').*(?=')/g) ?? [];
  expect(told).toHaveLength(3);
  for (const each of told) {
    for (const name of ['document.*', ...exactlyNamedEvents]) expect(each).toContain(name);
  }
});
